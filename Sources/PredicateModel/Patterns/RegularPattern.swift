// What LIKE and the regular core of MATCHES become (SQL.md 3.8): a pattern of explicit code-point sets that means the
// same in every engine. PatternProgram.swift runs it, the SQL compiler spells it; GlobParser.swift and
// PatternLowering.swift make it.

/// A regular pattern, matched against a whole text.
///
/// No flags, no properties, no anchors: all that is resolved. Greedy or lazy does not matter for a full match.
package indirect enum RegularPattern: Hashable, Sendable {
    /// The empty text.
    case empty
    /// One code point of the set; an empty set never matches.
    case set(CodePointSet)
    /// `(?s).` of ICU: one code point of the set, but U+000D U+000A count as one and are never parted.
    case anyLine(CodePointSet)
    case concatenation([RegularPattern])
    case alternation([RegularPattern])
    /// `maximum` nil is without end.
    case repetition(RegularPattern, minimum: Int, maximum: Int?)

    /// `*` of LIKE.
    package static let anything = RegularPattern.repetition(.set(.all), minimum: 0, maximum: nil)

    /// What matches no text.
    package static let never = RegularPattern.set(.empty)

    /// The text as a pattern.
    package static func literal(_ scalars: some Sequence<UInt32>) -> RegularPattern {
        joined(scalars.map { .set(CodePointSet($0)) })
    }

    /// One after the other, flattened.
    package static func joined(_ parts: [RegularPattern]) -> RegularPattern {
        let flat = parts.flatMap { part -> [RegularPattern] in
            switch part {
            case .empty: []
            case .concatenation(let inner): inner
            default: [part]
            }
        }
        return flat.isEmpty ? .empty : flat.count == 1 ? flat[0] : .concatenation(flat)
    }

    /// One or the other, flattened, sets merged: engines take a class better than a choice.
    package static func either(_ choices: [RegularPattern]) -> RegularPattern {
        var merged = CodePointSet.empty
        var others: [RegularPattern] = []
        for choice in choices {
            let inner = if case .alternation(let inner) = choice { inner } else { [choice] }
            for choice in inner {
                if case .set(let set) = choice { merged = merged.union(set) } else { others.append(choice) }
            }
        }
        if !merged.isEmpty || others.isEmpty { others.insert(.set(merged), at: 0) }
        return others.count == 1 ? others[0] : .alternation(others)
    }

    /// One after the other, which matches nothing where one of them does not.
    static func sequence(_ parts: [RegularPattern]) -> RegularPattern { parts.contains(.never) ? .never : .joined(parts) }

    /// One or the other, without those that match nothing, and without what a longer choice repeats.
    static func choice(_ choices: [RegularPattern]) -> RegularPattern {
        var found: [RegularPattern] = []
        for choice in choices where choice != .never && !found.contains(choice) { found.append(choice) }
        return either(found)
    }

    /// What of it begins with a scalar of a set; nil where nothing does.
    func beginning(in allowed: CodePointSet) -> RegularPattern? {
        switch self {
        case .empty: return nil
        case .set(let set):
            let left = set.intersection(allowed)
            return left.isEmpty ? nil : .set(left)
        case .anyLine(let set):
            let left = set.intersection(allowed)
            return left.isEmpty ? nil : left.contains(0xD) ? .anyLine(left) : .set(left)
        case .concatenation(let parts):
            var found: [RegularPattern] = []
            for (index, part) in parts.enumerated() {
                if let beginning = part.beginning(in: allowed) {
                    found.append(.sequence([beginning] + parts[(index + 1)...]))
                }
                if !part.isNullable { break }
            }
            return found.isEmpty ? nil : .choice(found)
        case .alternation(let choices):
            var found: [RegularPattern] = []
            for choice in choices { if let beginning = choice.beginning(in: allowed) { found.append(beginning) } }
            return found.isEmpty ? nil : .choice(found)
        case .repetition(let inner, let minimum, let maximum):
            guard maximum != 0, let beginning = inner.beginning(in: allowed) else { return nil }
            if maximum == 1 { return beginning }
            let rest = maximum.map { $0 - 1 }
            return .sequence([beginning, .repetition(inner, minimum: max(minimum - 1, 0), maximum: rest)])
        }
    }

    /// One after the other; of anything but a sequence, itself.
    package var parts: [RegularPattern] { if case .concatenation(let inner) = self { inner } else { [self] } }

    /// The pattern's parts without the runs of anything at its ends, and whether there were any: what makes a pattern
    /// BEGINSWITH, ENDSWITH or CONTAINS.
    ///
    /// - Parameter table: the fold of the texts, which says what a run of letters is.
    package func withoutOpenEnds(_ table: FoldTable?) -> (parts: [RegularPattern], opens: Bool, closes: Bool) {
        var parts = parts
        let opens = parts.first == .anything
        if opens { parts.removeFirst() }
        let closes = parts.last == table?.anyLetters ?? .anything
        if closes { parts.removeLast() }
        return (parts, opens, closes)
    }

    /// Whether it is a part, or has it somewhere inside.
    package func holds(_ part: RegularPattern) -> Bool {
        if self == part { return true }
        return switch self {
        case .empty, .set, .anyLine: false
        case .concatenation(let inner), .alternation(let inner): inner.contains { $0.holds(part) }
        case .repetition(let inner, _, _): inner.holds(part)
        }
    }

    /// The scalars of a pattern that matches one text only.
    package var literalScalars: [UInt32]? {
        switch self {
        case .empty: return []
        case .set(let set): return set.single.map { [$0] }
        case .concatenation(let parts):
            var scalars: [UInt32] = []
            for part in parts {
                guard case .set(let set) = part, let scalar = set.single else { return nil }
                scalars.append(scalar)
            }
            return scalars
        default: return nil
        }
    }
}
