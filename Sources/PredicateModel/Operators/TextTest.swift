// A pattern of LIKE or MATCHES, read once. What our automaton cannot run goes to whoever the rules name, which is ICU
// in PredicateEvaluation.
public import PredicateSyntax

/// Runs the patterns that our own automaton does not: look-around, back-references. ICU in PredicateEvaluation.
public protocol ForeignPatterns: Sendable {
    /// - Throws: `malformed-pattern` where the pattern is refused.
    func compile(
        _ pattern: String, _ options: ComparisonOptions, _ limits: Limits
    ) throws(EvaluationFault) -> any ForeignPattern
}

/// A compiled pattern that may be used from many threads.
public protocol ForeignPattern: Sendable {
    /// Whether the whole text matches.
    /// - Throws: `pattern-budget` where that took too long to find out.
    func matches(_ text: String) throws(EvaluationFault) -> Bool
}

/// A compiled pattern of LIKE or MATCHES; shared. Matching keeps what it learns in a `TextMatcher`.
///
///     try TextTest(.like, "S*a", [], rules: .standard).matcher().test("Silvia")  // true
public struct TextTest: Sendable {
    fileprivate enum Form<Regular> {
        case regular(Regular)
        case foreign(any ForeignPattern)
    }

    private let form: Form<CompiledPattern>

    /// - Throws: `malformed-pattern`, also for a pattern that needs ICU where the rules know none; `limit-exceeded`
    ///   where it is too large.
    public init(
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
        guard case .needsICU(let reason, _) = compiled.kind else {
            form = .regular(compiled)
            return
        }
        guard let foreign = rules.foreignPatterns else {
            throw EvaluationFault(.malformedPattern, "it needs \(reason), which nothing here can match", at: .right)
        }
        form = .foreign(try foreign.compile(pattern, options, rules.limits))
    }

    /// A matcher of its own for each run or thread; it learns its automaton as it goes, so keep it for many texts.
    public func matcher() -> TextMatcher {
        switch form {
        case .regular(let pattern): TextMatcher(form: pattern.matcher.map { .regular($0) })
        case .foreign(let pattern): TextMatcher(form: .foreign(pattern))
        }
    }
}

extension TextTest {
    /// Whether our automaton runs the pattern: then matching never throws.
    package var isRegular: Bool {
        if case .regular = form { true } else { false }
    }
}

extension TextTest {
    /// What a pattern of the simplest shapes asks, for which there are kernels.
    package enum Shape {
        case equals(Needle)
        case prefix(Needle)
        case suffix(Needle)
        case contains(Needle)
        case pieces(TextPieces)
    }

    /// Of a pattern that takes the automaton, what every text begins with that it matches; nil where there is nothing.
    package var requiredPrefix: Needle? {
        guard case .regular(let pattern) = form, case .automaton(_, let required) = pattern.plan else { return nil }
        return required?.prefix
    }

    /// nil for a pattern of another shape.
    package var shape: Shape? {
        guard case .regular(let pattern) = form else { return nil }
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

extension TextTest.Form: Sendable where Regular: Sendable {}

/// Matches texts with one pattern, on one thread.
public struct TextMatcher {
    fileprivate let form: TextTest.Form<PatternMatcher>?

    /// Whether the whole text matches. Linear in the text for patterns of the regular core.
    /// - Throws: `pattern-budget` for the others, where they take too long.
    public func test(_ text: String) throws(EvaluationFault) -> Bool {
        switch form {
        case .regular(let matcher): matcher.matches(text)
        case .foreign(let pattern): try pattern.matches(text)
        case nil: false
        }
    }

    /// Of a regular pattern, what matches the UTF-8 of texts.
    package var regular: PatternMatcher? {
        if case .regular(let matcher) = form { matcher } else { nil }
    }
}
