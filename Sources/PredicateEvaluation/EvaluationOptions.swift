// What an evaluation may be told beyond the predicate and the object.
public import PredicateModel
public import PredicateSyntax

/// How predicates are evaluated: the locale of `[l]`, the clock of `now()`, the seed of `random()`, the functions that
/// the host allows, and the limits. The defaults are right for most uses.
///
///     var options = EvaluationOptions()
///     options.localeIdentifier = "de_DE"
///     try predicate.evaluate(["name": "Ärger"], options: options)
public struct EvaluationOptions: Sendable {
    /// The locale of `[l]`, `de_DE`; nil is the current one.
    public var localeIdentifier: String?
    /// Seconds since 2001-01-01 00:00 UTC, for `now()`. The system's clock unless set.
    public var clock: @Sendable () -> Double = SystemClock.seconds
    /// Makes `random()` and `randomn()` repeatable; each evaluation, or run over many objects, starts from it.
    public var seed: UInt64?
    /// Functions, methods and operators beyond it are refused.
    public var functions = FunctionCatalog.standard
    /// What UTI-CONFORMS-TO knows.
    public var typeIdentifiers = TypeIdentifiers.standard
    public var limits = Limits.standard
    /// `stringConcatenation` is the one that matters here.
    public var language: LanguageOptions = []

    public init() {}

    /// The surroundings of the scalar operators under these options.
    package var rules: OperatorRules {
        var rules = OperatorRules()
        rules.foreignPatterns = ICUPatterns()
        rules.locale = LocaleComparison(identifier: localeIdentifier)
        rules.typeIdentifiers = typeIdentifiers
        rules.customOperators = functions.operators
        rules.language = language
        rules.limits = limits
        return rules
    }
}
