// Regular patterns of explicit code-point sets (SQL of each construct: MATCHES). LIKE, and the MATCHES patterns that
// our automaton can run, are compiled to this form. It means the same in every engine. GlobParser.swift and
// PatternLowering create patterns, PatternProgram.swift runs them, the SQL compiler writes them.

/// A regular pattern that must match a whole text.
///
/// It has no flags, properties or anchors; they have been resolved. For a full match, greedy and lazy
/// quantifiers are equivalent.
package indirect enum RegularPattern: Hashable, Sendable {
    /// Matches the empty text.
    case empty
    /// Matches one code point of the set. An empty set never matches.
    case set(CodePointSet)
    /// ICU's `(?s).`: one code point of the set, where U+000D U+000A counts as one and is never split.
    case anyLine(CodePointSet)
    case concatenation([RegularPattern])
    case alternation([RegularPattern])
    /// A nil `maximum` means no limit.
    case repetition(RegularPattern, minimum: Int, maximum: Int?)

    /// LIKE's `*`.
    package static let anything = RegularPattern.repetition(.set(.all), minimum: 0, maximum: nil)

    /// The pattern that matches no text.
    package static let never = RegularPattern.set(.empty)

    /// The pattern that matches exactly this text.
    package static func literal(_ scalars: some Sequence<UInt32>) -> RegularPattern {
        joined(scalars.map { .set(CodePointSet($0)) })
    }

    /// The concatenation, flattened.
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

    /// The alternation, flattened and with sets merged, because engines handle a class better than a choice.
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

    /// A concatenation; `never` if one of the parts is `never`.
    static func sequence(_ parts: [RegularPattern]) -> RegularPattern {
        parts.contains(.never) ? .never : .joined(parts)
    }

    /// An alternation without duplicates and without `never`.
    static func choice(_ choices: [RegularPattern]) -> RegularPattern {
        var found: [RegularPattern] = []
        for choice in choices where choice != .never && !found.contains(choice) { found.append(choice) }
        return either(found)
    }

    /// The pattern of all matches that begin with a scalar of the set; nil if there are none.
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

    /// The parts of a concatenation; the pattern itself if it is not one.
    package var parts: [RegularPattern] { if case .concatenation(let inner) = self { inner } else { [self] } }

    /// The parts without the "any text" runs at both ends, and whether there were such runs. It shows whether a pattern
    /// is equivalent to BEGINSWITH, ENDSWITH or CONTAINS.
    ///
    /// - Parameter table: the fold table of the texts; it determines what a run of letters is.
    package func withoutOpenEnds(_ table: FoldTable?) -> (parts: [RegularPattern], opens: Bool, closes: Bool) {
        var parts = parts
        let opens = parts.first == .anything
        if opens { parts.removeFirst() }
        let closes = parts.last == table?.anyLetters ?? .anything
        if closes { parts.removeLast() }
        return (parts, opens, closes)
    }

    /// Whether it equals the part or contains it.
    package func holds(_ part: RegularPattern) -> Bool {
        if self == part { return true }
        return switch self {
        case .empty, .set, .anyLine: false
        case .concatenation(let inner), .alternation(let inner): inner.contains { $0.holds(part) }
        case .repetition(let inner, _, _): inner.holds(part)
        }
    }

    /// The scalars of a pattern that matches exactly one text; nil for others.
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
