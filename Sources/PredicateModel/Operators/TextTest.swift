// A pattern of LIKE or MATCHES, read once. What our automaton cannot run goes to whoever the rules name, which is ICU in
// PredicateEvaluation.
public import PredicateSyntax

/// Whether a whole text matches a pattern that only ICU can run.
public typealias IrregularPattern = @Sendable (String) throws(EvaluationFault) -> Bool

/// A compiled pattern; shared. Matching keeps what it learns in a `TextMatcher`.
public struct TextTest: Sendable {
    private enum Form: Sendable {
        case regular(CompiledPattern)
        case irregular(IrregularPattern)
    }

    private let form: Form

    /// - Throws: `malformed-pattern`, `limit-exceeded`; `unsupported-function` for a pattern that only ICU can run where the
    ///   rules know no ICU.
    public init(
        _ operator: ComparisonOperator, _ pattern: String, _ options: ComparisonOptions, rules: OperatorRules
    ) throws(EvaluationFault) {
        let options = OperatorRules.effective(options)
        let compiled = try Self.compile(`operator`, pattern, options, rules.limits)
        guard case .needsICU(let reason) = compiled.kind else {
            form = .regular(compiled)
            return
        }
        guard let icu = rules.irregularPatterns else {
            throw EvaluationFault(.unsupportedFunction, "MATCHES with " + reason, at: .right)
        }
        form = .irregular(try icu(pattern, options, rules.limits))
    }

    private static func compile(
        _ operator: ComparisonOperator, _ pattern: String, _ options: ComparisonOptions, _ limits: Limits
    ) throws(EvaluationFault) -> CompiledPattern {
        do throws(PatternError) {
            return `operator` == .like
                ? try TextPattern.like(pattern, options: options, limits: limits)
                : try TextPattern.matches(pattern, options: options, limits: limits)
        } catch {
            throw error.exceedsLimit
                ? EvaluationFault(.limitExceeded, error.reason, "\(limits.patternStates)", at: .right)
                : EvaluationFault(.malformedPattern, error.reason, at: .right)
        }
    }

    /// A matcher of its own for each thread, or run.
    public func matcher() -> TextMatcher {
        switch form {
        case .regular(let pattern): TextMatcher(pattern.matcher, nil)
        case .irregular(let icu): TextMatcher(nil, icu)
        }
    }
}

/// Matches texts with one pattern, on one thread.
public struct TextMatcher {
    private let regular: PatternMatcher?
    private let irregular: IrregularPattern?

    fileprivate init(_ regular: PatternMatcher?, _ irregular: IrregularPattern?) {
        self.regular = regular
        self.irregular = irregular
    }

    /// Whether the whole text matches. Linear in the text, but for what ICU runs.
    /// - Throws: `pattern-budget`, only where ICU runs the pattern.
    public func test(_ text: String) throws(EvaluationFault) -> Bool {
        if let regular { return regular.matches(text) }
        return try irregular?(text) ?? false
    }
}
