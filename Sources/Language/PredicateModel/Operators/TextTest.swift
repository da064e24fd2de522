// A compiled pattern of LIKE or MATCHES. Patterns that our automaton cannot run are compiled by the rules'
// `foreignPatterns`, which is ICU in PredicateEvaluation.

/// Compiles patterns that our automaton cannot run, such as those with look-around and back-references.
/// PredicateEvaluation implements it with ICU.
package protocol ForeignPatterns: AnyObject, Sendable {
    /// - Throws: `malformed-pattern` if the pattern is rejected.
    func compile(
        _ pattern: String, _ options: ComparisonOptions, _ limits: PredicateLimits
    ) throws(EvaluationFault) -> any ForeignPattern
}

/// A compiled pattern, safe to use from several threads.
package protocol ForeignPattern: AnyObject, Sendable {
    /// Whether the whole text matches.
    /// - Throws: `pattern-budget` if matching takes too long.
    func matches(_ text: String) throws(EvaluationFault) -> Bool
}

/// A compiled pattern of LIKE or MATCHES. Immutable; a `TextMatcher` has the mutable state of matching.
///
///     try TextTest(.like, "S*a", [], rules: .standard).matcher().test("Silvia")  // true
package struct TextTest: Sendable {
    fileprivate enum Engine<Regular> {
        case regular(Regular)
        /// `letters` is a regular pattern that is an upper bound: the parts that only ICU can match are replaced. nil
        /// without options.
        case foreign(any ForeignPattern, letters: Regular?)
    }

    private let engine: Engine<CompiledPattern>

    /// - Throws: `malformed-pattern`, also for a pattern that our automaton cannot run if the rules have no
    ///   `foreignPatterns`; `limit-exceeded` if the pattern is too large.
    package init(
        _ operator: ComparisonOperator, _ pattern: String, _ options: ComparisonOptions, rules: OperatorRules
    ) throws(EvaluationFault) {
        let options = OperatorRules.effective(options)
        let compiled: CompiledPattern
        do throws(PatternError) {
            compiled =
                `operator` == .like
                ? try TextPattern.like(pattern, options: options, limits: rules.limits)
                : try TextPattern.matches(pattern, options: options, limits: rules.limits)
        } catch {
            throw error.exceedsLimit
                ? EvaluationFault(.limitExceeded, error.reason, "\(rules.limits.patternStates) states", at: .right)
                : EvaluationFault(.malformedPattern, error.reason, at: .right)
        }
        guard case .needsICU(let reason, let over) = compiled.kind else {
            engine = .regular(compiled)
            return
        }
        guard let foreign = rules.foreignPatterns else {
            throw EvaluationFault(.malformedPattern, "it needs \(reason), which only Foundation can match", at: .right)
        }
        let letters = FoldTable.table(options) == nil ? nil : try? CompiledPattern(pattern, over, options, rules.limits)
        engine = .foreign(try foreign.compile(pattern, options, rules.limits), letters: letters)
    }

    /// Creates a matcher for one run or thread. A matcher caches parts of its automaton, so use it for many
    /// texts.
    package func matcher() -> TextMatcher {
        switch engine {
        case .regular(let pattern): TextMatcher(engine: pattern.matcher.map { .regular($0) })
        case .foreign(let pattern, let letters):
            TextMatcher(engine: .foreign(pattern, letters: letters.flatMap { $0.matcher }))
        }
    }
}

extension TextTest {
    /// Whether our automaton runs the pattern, so that matching never throws.
    package var isRegular: Bool { if case .regular = engine { true } else { false } }
}

extension TextTest {
    /// The simple patterns, for which plans have fast loops.
    package enum SimplePattern {
        case equals(Needle)
        case prefix(Needle)
        case suffix(Needle)
        case contains(Needle)
        case pieces(TextPieces)
    }

    /// For a pattern that needs the automaton: the literal prefix of all matches, if any.
    package var requiredPrefix: Needle? {
        guard case .regular(let pattern) = engine, case .automaton(_, let required) = pattern.plan else { return nil }
        return required?.prefix
    }

    /// nil if the pattern is not simple.
    package var simplePattern: SimplePattern? {
        guard case .regular(let pattern) = engine else { return nil }
        return switch pattern.plan {
        case .equals(let needle): .equals(needle)
        case .prefix(let needle): .prefix(needle)
        case .suffix(let needle): .suffix(needle)
        case .contains(let needle): .contains(needle)
        case .pieces(let pieces): .pieces(pieces)
        case .never, .everything, .outside, .automaton: nil
        }
    }
}

extension TextTest.Engine: Sendable where Regular: Sendable {}

/// Matches texts with one pattern. Use it from one thread.
package struct TextMatcher {
    fileprivate let engine: TextTest.Engine<PatternMatcher>?

    /// Whether the whole text matches. Linear in the text if our automaton runs the pattern.
    /// - Throws: `pattern-budget` if another pattern takes too long.
    package func test(_ text: String) throws(EvaluationFault) -> Bool {
        switch engine {
        case .regular(let matcher): matcher.matches(text)
        case .foreign(let pattern, let letters):
            if let letters, !letters.matches(text) { false } else { try pattern.matches(text) }
        case nil: false
        }
    }

    /// The matcher of a regular pattern, for UTF-8 bytes; nil for other patterns.
    package var regular: PatternMatcher? {
        if case .regular(let matcher) = engine { matcher } else { nil }
    }
}
