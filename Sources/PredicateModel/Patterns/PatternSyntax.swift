// The syntax tree of a MATCHES pattern: sets are resolved, anchors and the flags of letters are not.
// PatternLowering in this file converts it to a RegularPattern.

indirect enum PatternSyntax: Hashable {
    case empty
    /// A run of letters. ICU folds a run as a whole, so that `(?i)ss` matches ß.
    case literal([UInt32], ignoresCase: Bool)
    case set(CodePointSet)
    case any(crossesLines: Bool)
    /// `^` or `\A`.
    case start
    /// `$`, `\Z` or `\z`.
    case end
    case sequence([PatternSyntax])
    case choice([PatternSyntax])
    case repetition(PatternSyntax, Int, Int?)

    static func joined(_ parts: [PatternSyntax]) -> PatternSyntax {
        parts.isEmpty ? .empty : parts.count == 1 ? parts[0] : .sequence(parts)
    }

    var isZeroWidth: Bool {
        switch self {
        case .empty, .start, .end: true
        case .repetition(let inner, _, _): inner.isZeroWidth
        case .literal, .set, .any: false
        case .sequence(let parts), .choice(let parts): Self.all(parts)
        }
    }

    // Loops instead of closures, because a closure needs two more stack frames per level in debug builds.
    private static func all(_ parts: [PatternSyntax]) -> Bool {
        for part in parts where !part.isZeroWidth { return false }
        return true
    }

    /// Whether it matches texts of unlimited length, which a look-behind must not.
    var isUnbounded: Bool {
        switch self {
        case .empty, .start, .end, .literal, .set, .any: false
        case .repetition(let inner, _, let maximum): maximum == nil ? !inner.isZeroWidth : inner.isUnbounded
        case .sequence(let parts), .choice(let parts): Self.any(parts)
        }
    }

    private static func any(_ parts: [PatternSyntax]) -> Bool {
        for part in parts where part.isUnbounded { return true }
        return false
    }
}

/// Resolves anchors and case-insensitive letters. Finds constructs that a regular pattern cannot express.
struct PatternLowering {
    /// The first construct that only ICU can match. The result then matches more texts.
    var outside: String?

    /// - Parameters:
    ///   - first: whether nothing can be matched before this part.
    ///   - last: whether nothing can be matched after this part.
    mutating func lower(_ syntax: PatternSyntax, first: Bool, last: Bool) -> RegularPattern {
        switch syntax {
        case .empty: return .empty
        case .literal(let scalars, let ignoresCase): return letters(scalars, ignoresCase)
        case .set(let set): return .set(set)
        case .any(crossesLines: true): return .anyLine
        case .any(crossesLines: false): return .set(Self.anyInLine)
        case .start:
            if !first { outside = outside ?? "an anchor in the middle" }
            return .empty
        case .end:
            if !last { outside = outside ?? "an anchor in the middle" }
            return .empty
        case .sequence(let parts): return sequence(parts, first, last)
        case .choice(let parts):
            var choices: [RegularPattern] = []
            for part in parts { choices.append(lower(part, first: first, last: last)) }
            return .either(choices)
        case .repetition(let inner, let minimum, let maximum):
            let once = maximum.map { $0 <= 1 } ?? false
            let pattern = lower(inner, first: first && once, last: last && once)
            return maximum == 0 ? .empty : .repetition(pattern, minimum: minimum, maximum: maximum)
        }
    }

    private mutating func sequence(_ parts: [PatternSyntax], _ first: Bool, _ last: Bool) -> RegularPattern {
        let head = parts.firstIndex { !$0.isZeroWidth } ?? parts.count - 1
        let tail = parts.lastIndex { !$0.isZeroWidth } ?? 0
        var patterns: [RegularPattern] = []
        for (index, part) in parts.enumerated() {
            patterns.append(lower(part, first: first && index <= head, last: last && index >= tail))
        }
        return .joined(patterns)
    }

    private mutating func letters(_ scalars: [UInt32], _ ignoresCase: Bool) -> RegularPattern {
        guard ignoresCase else { return .literal(scalars) }
        let table = FoldTable.caseOnly
        if let pattern = table.preimage(of: table.fold(scalars)) { return pattern }
        outside = outside ?? "a run of letters without case that has too many spellings"
        return .anything
    }

    private static let anyInLine = UnicodeProperties.lineTerminator.complement
}
