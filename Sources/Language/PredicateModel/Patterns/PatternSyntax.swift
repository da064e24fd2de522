// The syntax tree of a MATCHES pattern: sets are resolved, but anchors and the flags of letters are not.
// PatternLowering in this file converts it to a RegularPattern.

indirect enum PatternSyntax: Hashable, Sendable {
    case empty
    /// A run of letters. ICU folds a run as a whole, so that `(?i)ss` matches ß.
    case literal([UInt32], ignoresCase: Bool)
    /// A class. A negated class keeps the excluded set, because with options its complement consists of letters.
    case set(CodePointSet, isNegated: Bool)
    case any(crossesLines: Bool)
    /// `^` or `\A`.
    case start
    /// `$`, `\Z` or `\z`.
    case end
    case sequence([PatternSyntax])
    case choice([PatternSyntax])
    case repetition(PatternSyntax, Int, Int?)

    /// LIKE's `*`.
    static let anything = PatternSyntax.repetition(.set(.empty, isNegated: true), 0, nil)

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

    /// Whether it matches texts of unlimited length, which a look-behind must not do.
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

/// Resolves anchors, classes and case-insensitive letters. Finds constructs that a regular pattern cannot express.
///
/// With a fold table, the result is a pattern of folded texts that matches whole letters. No part begins with an
/// extending scalar, so each part also ensures that the letter before it is complete. Only at the beginning of a text
/// do extending scalars form a letter (LANGUAGE C 10).
struct PatternLowering {
    /// The first construct that only ICU can match. If there is one, the result is an upper bound.
    var outside: String?
    private var image: FoldImage?
    private let extending: CodePointSet
    private let starting: CodePointSet

    init(_ table: FoldTable?, outside: String? = nil) {
        image = table.map { FoldImage($0) }
        extending = table?.extending ?? .empty
        starting = extending.complement
        self.outside = outside
    }

    /// A lowered part. It matches differently at the beginning of a text.
    struct LoweredPattern {
        /// The pattern after other letters.
        var middle: RegularPattern
        /// Additional matches at the beginning of a text: those that begin with an extending scalar.
        var leading: RegularPattern?
        /// The pattern at the beginning of a text: `middle` or `leading`.
        var start: RegularPattern

        init(_ middle: RegularPattern, leading: RegularPattern?, start: RegularPattern? = nil) {
            self.middle = middle
            self.leading = leading
            self.start = leading.map { start ?? .choice([middle, $0]) } ?? middle
        }
    }

    /// The pattern of a whole text.
    mutating func lower(_ syntax: PatternSyntax) -> RegularPattern { lower(syntax, first: true, last: true).start }

    /// The part of a pattern that matches whole letters.
    private func part(_ pattern: RegularPattern) -> LoweredPattern {
        guard !extending.isEmpty, let leading = pattern.beginning(in: extending) else {
            return LoweredPattern(pattern, leading: nil)
        }
        var middle = pattern.beginning(in: starting) ?? .never
        if pattern.isNullable { middle = middle == .never ? .empty : .repetition(middle, minimum: 0, maximum: 1) }
        return LoweredPattern(middle, leading: leading, start: pattern)
    }

    /// - Parameters:
    ///   - first: whether nothing can be matched before this part.
    ///   - last: whether nothing can be matched after this part.
    private mutating func lower(_ syntax: PatternSyntax, first: Bool, last: Bool) -> LoweredPattern {
        switch syntax {
        case .empty: return LoweredPattern(.empty, leading: nil)
        case .literal(let scalars, let ignoresCase): return part(letters(scalars, ignoresCase))
        case .set(let set, let isNegated): return part(letterClass(set, isNegated))
        case .any(crossesLines: true): return part(image?.anyLine ?? .anyLine(.all))
        case .any(crossesLines: false): return part(letterClass(UnicodeProperties.lineTerminator, true))
        case .start:
            if !first { outside = outside ?? "an anchor in the middle" }
            return LoweredPattern(.empty, leading: nil)
        case .end:
            if !last { outside = outside ?? "an anchor in the middle" }
            return LoweredPattern(.empty, leading: nil)
        case .sequence(let parts): return sequence(parts, first, last)
        case .choice(let parts): return choice(parts, first, last)
        case .repetition(let inner, let minimum, let maximum): return repetition(inner, minimum, maximum, first, last)
        }
    }

    private mutating func sequence(_ parts: [PatternSyntax], _ first: Bool, _ last: Bool) -> LoweredPattern {
        let head = parts.firstIndex { !$0.isZeroWidth } ?? parts.count - 1
        let tail = parts.lastIndex { !$0.isZeroWidth } ?? 0
        var found: [LoweredPattern] = []
        for (index, part) in parts.enumerated() {
            found.append(lower(part, first: first && index <= head, last: last && index >= tail))
        }
        let middles = found.map { $0.middle }
        guard extending != .empty else { return LoweredPattern(.sequence(middles), leading: nil) }
        // A text begins with a part if all parts before it match the empty text.
        var leading: [RegularPattern] = []
        var starts: [RegularPattern] = []
        for (index, part) in found.enumerated() {
            if let lead = part.leading {
                let rest = Array(middles[(index + 1)...])
                leading.append(.sequence([lead] + rest))
                if index > 0 { starts.append(leading[leading.count - 1]) }
            }
            if !part.middle.isNullable { break }
        }
        if leading.isEmpty { return LoweredPattern(.sequence(middles), leading: nil) }
        let whole = RegularPattern.sequence([found[0].start] + middles.dropFirst())
        return LoweredPattern(.sequence(middles), leading: .choice(leading), start: .choice([whole] + starts))
    }

    private mutating func choice(_ parts: [PatternSyntax], _ first: Bool, _ last: Bool) -> LoweredPattern {
        var found: [LoweredPattern] = []
        for part in parts { found.append(lower(part, first: first, last: last)) }
        let leading = found.compactMap { $0.leading }
        return LoweredPattern(
            .choice(found.map { $0.middle }), leading: leading.isEmpty ? nil : .choice(leading),
            start: .choice(found.map { $0.start }))
    }

    private mutating func repetition(
        _ inner: PatternSyntax, _ minimum: Int, _ maximum: Int?, _ first: Bool, _ last: Bool
    ) -> LoweredPattern {
        if maximum == nil, let run = run(of: inner, minimum) { return part(run) }
        let once = maximum.map { $0 <= 1 } ?? false
        let part = lower(inner, first: first && once, last: last && once)
        if maximum == 0 { return LoweredPattern(.empty, leading: nil) }
        let middle = RegularPattern.repetition(part.middle, minimum: minimum, maximum: maximum)
        return LoweredPattern(
            part.middle != .never ? middle : minimum == 0 ? .empty : .never,
            leading: part.leading.map {
                if maximum == 1 || part.middle == .never { return minimum > 1 ? .never : $0 }
                let rest = maximum.map { $0 - 1 }
                return .sequence([$0, .repetition(part.middle, minimum: max(minimum - 1, 0), maximum: rest)])
            })
    }

    /// A class repeated without upper limit, as a pattern without nested repetitions; nil if there is none.
    private mutating func run(of inner: PatternSyntax, _ minimum: Int) -> RegularPattern? {
        switch inner {
        case .set(let set, let isNegated): image?.run(of: set, isNegated: isNegated, minimum: minimum)
        case .any(crossesLines: false):
            image?.run(of: UnicodeProperties.lineTerminator, isNegated: true, minimum: minimum)
        case .any(crossesLines: true) where image != nil && minimum == 0:
            .repetition(.anyLine(.all), minimum: 0, maximum: nil)
        default: nil
        }
    }

    private mutating func letterClass(_ set: CodePointSet, _ isNegated: Bool) -> RegularPattern {
        image?.letters(of: set, isNegated: isNegated) ?? .set(isNegated ? set.complement : set)
    }

    private mutating func letters(_ scalars: [UInt32], _ ignoresCase: Bool) -> RegularPattern {
        guard ignoresCase else { return image?.literal(scalars) ?? .literal(scalars) }
        let table = FoldTable.caseOnly
        guard let pattern = table.preimage(of: table.fold(scalars)) else {
            outside = outside ?? "a run of letters without case that has too many spellings"
            return .anything
        }
        return image?.literal(pattern) ?? pattern
    }
}
