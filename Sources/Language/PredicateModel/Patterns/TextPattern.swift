// Compiles LIKE and MATCHES patterns, and reports errors in a malformed one. Start reading this folder here.

/// An error in a pattern, with its position.
package struct PatternError: Error, Hashable, Sendable {
    /// The reason, as part of a sentence: `the group is never closed`.
    package let reason: String
    /// The UTF-8 offset of the error in the pattern.
    package let offset: Int
    /// Whether the pattern is well-formed but exceeds a limit.
    package let exceedsLimit: Bool

    init(_ reason: String, at offset: Int, exceedsLimit: Bool = false) {
        self.reason = reason
        self.offset = offset
        self.exceedsLimit = exceedsLimit
    }
}

/// Compiles patterns.
package enum TextPattern {
    /// Compiles a LIKE pattern: `*` matches any text and `?` exactly one code point, with `c` or `d` one letter, both
    /// including line breaks; a backslash escapes the next character. Throws only for a limit.
    package static func like(
        _ text: String, options: ComparisonOptions = [], limits: PredicateLimits = .standard
    ) throws(PatternError) -> CompiledPattern {
        var lowering = PatternLowering(FoldTable.table(options))
        return try CompiledPattern(text, lowering.lower(GlobParser.parse(text)), options, limits)
    }

    /// Compiles a MATCHES pattern: an ICU regular expression that must match the whole text.
    ///
    /// With `c` or `d`, literals, classes and `.` match whole letters of the folded text (LANGUAGE C 11a), and a
    /// quantifier after a literal repeats its last letter. Nested sets are closed under folding before they are
    /// negated. Members that fold to the empty text are ignored.
    ///
    /// The most recent patterns are cached, because parsing compiles a pattern to check it, and binding needs it again.
    /// - Throws: `PatternError` for a malformed pattern or for a limit.
    package static func matches(
        _ text: String, options: ComparisonOptions = [], limits: PredicateLimits = .standard
    ) throws(PatternError) -> CompiledPattern {
        let key = PatternCache.Key(text, options, limits)
        if let known = PatternCache.pattern(key) { return known }
        let pattern = try compiled(text, options, limits)
        PatternCache.add(pattern, key)
        return pattern
    }

    private static func compiled(
        _ text: String, _ options: ComparisonOptions, _ limits: PredicateLimits
    ) throws(PatternError) -> CompiledPattern {
        let table = FoldTable.table(options)
        var parser = PatternParser(text, table: table, limits: limits)
        let syntax = try parser.parse()
        var lowering = PatternLowering(table, outside: parser.outside)
        let pattern = lowering.lower(syntax)
        if let reason = lowering.outside { return CompiledPattern(text, needsICU: reason, over: pattern, options) }
        do {
            return try CompiledPattern(text, pattern, options, limits)
        } catch  where error.exceedsLimit {
            // ICU counts repetitions without expanding them, and its matching time is limited.
            let reason = "counted repetitions beyond \(limits.patternStates) states"
            return CompiledPattern(text, needsICU: reason, over: pattern, options)
        }
    }
}

/// A compiled pattern. Make one `matcher` per thread.
package struct CompiledPattern: Sendable {
    package enum Kind: Sendable {
        /// Matched by our automaton in linear time. The pattern applies to texts folded by the options.
        case core(RegularPattern)
        /// Only ICU can match the pattern. `reason` names the construct, such as `a back-reference`. `over` is an upper
        /// bound, and also a pattern of folded texts.
        case needsICU(reason: String, over: RegularPattern)
        /// An empty pattern, or one that folds to the empty text. Matches no text (LANGUAGE 5.6).
        case never
    }

    package let text: String
    package let options: ComparisonOptions
    package let kind: Kind
    let plan: Plan

    enum Plan: Sendable {
        case never, everything, outside
        case equals(Needle)
        case prefix(Needle)
        case suffix(Needle)
        case contains(Needle)
        case pieces(TextPieces)
        case automaton(PatternProgram, RequiredText?)
    }

    init(_ text: String, needsICU reason: String, over: RegularPattern, _ options: ComparisonOptions) {
        self.text = text
        self.options = options
        let isEmpty = StringFold.fold(text, options).utf8.isEmpty
        kind = isEmpty ? .never : .needsICU(reason: reason, over: over)
        plan = isEmpty ? .never : .outside
    }

    /// - Parameter pattern: of folded texts.
    init(
        _ text: String, _ pattern: RegularPattern, _ options: ComparisonOptions, _ limits: PredicateLimits
    ) throws(PatternError) {
        self.text = text
        self.options = options
        let table = FoldTable.table(options)
        if StringFold.fold(text, options).utf8.isEmpty {
            kind = .never
            plan = .never
            return
        }
        kind = .core(pattern)
        if let simple = Self.simplePlan(pattern, options) {
            plan = simple
        } else if table == nil, let pieces = TextPieces(pattern) {
            plan = .pieces(pieces)
        } else {
            plan = .automaton(try PatternProgram(pattern, table, limits), RequiredText(pattern, options))
        }
    }

    /// A plan for common LIKE patterns, for which StringFold has fast loops.
    private static func simplePlan(_ pattern: RegularPattern, _ options: ComparisonOptions) -> Plan? {
        let (parts, opens, closes) = pattern.withoutOpenEnds(FoldTable.table(options))
        if parts.isEmpty, opens { return .everything }
        guard let scalars = RegularPattern.joined(parts).literalScalars, !scalars.isEmpty else { return nil }
        let needle = Needle(String(scalars: scalars), options: options)
        return switch (opens, closes) {
        case (false, false): .equals(needle)
        case (false, true): .prefix(needle)
        case (true, false): .suffix(needle)
        case (true, true): .contains(needle)
        }
    }

    /// A new matcher; nil if only ICU can match the pattern. Make one per thread.
    package var matcher: PatternMatcher? {
        if case .outside = plan { return nil }
        return PatternMatcher(plan)
    }
}
