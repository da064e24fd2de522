// The door to patterns: LIKE and MATCHES from their text to something that matches, with the reason where it cannot be.

package import PredicateSyntax

/// What is wrong with a pattern, and where.
package struct PatternError: Error, Hashable, Sendable {
    /// A clause without a full stop: `the group is never closed`.
    package let reason: String
    /// UTF-8 bytes before the fault in the pattern's text.
    package let offset: Int
    /// Whether the pattern is well-formed but larger than a limit allows.
    package let exceedsLimit: Bool

    init(_ reason: String, at offset: Int, exceedsLimit: Bool = false) {
        self.reason = reason
        self.offset = offset
        self.exceedsLimit = exceedsLimit
    }
}

/// Reads patterns.
package enum TextPattern {
    /// A LIKE pattern: `*` is any run and `?` exactly one code point, with `c` or `d` one letter, both across lines; a
    /// backslash takes the next character for itself. The only error is a limit.
    package static func like(
        _ text: String, options: ComparisonOptions = [], limits: Limits = .standard
    ) throws(PatternError) -> CompiledPattern {
        var lowering = PatternLowering(FoldTable.table(options))
        return try CompiledPattern(text, lowering.lower(GlobParser.parse(text)), options, limits)
    }

    /// A MATCHES pattern: an ICU regular expression that must match the whole text.
    ///
    /// With `c` or `d` literals, classes and `.` stand for whole letters of the folded text (LANGUAGE C 11a), and a
    /// quantifier behind a literal repeats its last letter. Sets inside others are closed before they are complemented;
    /// members that fold to nothing do not count.
    /// - Throws: what is wrong with a malformed pattern, before anything runs; or a limit.
    package static func matches(
        _ text: String, options: ComparisonOptions = [], limits: Limits = .standard
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
            // ICU counts where an automaton unrolls, and its time is bounded anyway.
            let reason = "counted repetitions beyond \(limits.patternStates) states"
            return CompiledPattern(text, needsICU: reason, over: pattern, options)
        }
    }
}

/// A pattern ready to match; make one `matcher` for each thread.
package struct CompiledPattern: Sendable {
    package enum Kind: Sendable {
        /// Runs here, in linear time. The pattern is over texts folded by the options; plain texts where they fold
        /// nothing.
        case core(RegularPattern)
        /// Only ICU can: `reason` names the construct, `a back-reference`. All that it matches is matched by `over`, which
        /// is a pattern of folded texts, too.
        case needsICU(reason: String, over: RegularPattern)
        /// An empty pattern, or one that folds to nothing, matches no text at all (LANGUAGE 5.6).
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
        _ text: String, _ pattern: RegularPattern, _ options: ComparisonOptions, _ limits: Limits
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

    /// LIKE's common shapes, for which StringFold has kernels.
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

    /// A matcher of its own for each thread; nil where only ICU can match.
    package var matcher: PatternMatcher? {
        if case .outside = plan { return nil }
        return PatternMatcher(plan)
    }
}
