// Options of evaluation.
public import PredicateModel
public import PredicateSyntax

/// Options of evaluation: the locale for `[l]`, the clock for `now()`, the seed for `random()`, the allowed
/// functions, and limits. The defaults fit most uses.
///
///     var options = EvaluationOptions()
///     options.localeIdentifier = "de_DE"
///     try predicate.evaluate(["name": "Ärger"], options: options)
public struct EvaluationOptions: Sendable {
    /// The locale for `[l]`, such as `de_DE`; nil uses the current locale.
    public var localeIdentifier: String?
    /// Returns seconds since 2001-01-01 00:00 UTC, for `now()`. The default is the system's clock. `PredicateClock` is the
    /// clock of translations to SQL and of requests.
    public var clock: @Sendable () -> Double = SystemClock.seconds
    /// Makes `random()` and `randomn()` repeatable. Each evaluation, or each run over many objects, starts with
    /// this seed.
    public var seed: UInt64?
    /// The allowed functions, methods and operators. All others are refused.
    public var functions = FunctionCatalog.standard
    /// The type identifiers for UTI-CONFORMS-TO.
    public var typeIdentifiers = TypeIdentifiers.standard
    /// The limits on steps, elements and patterns.
    public var limits = PredicateLimits.standard
    /// The deadline of evaluation, for all objects of a run together; nil means no deadline.
    ///
    ///     options.deadline = .now + .seconds(2)
    ///     let found = try people.filter(predicate, options: options)
    ///
    /// After the deadline, `evaluate`, and each `filter` that takes a predicate, throw `limit-exceeded`; objects that a
    /// matcher has not tested yet do not match. If there is a deadline, evaluation also ends when its task is
    /// cancelled. The clock is read once for 256 objects that are tested together, once for any other object, and after
    /// 4,096 inner predicates. A MATCHES that only ICU can decide may exceed the deadline by its
    /// `PredicateLimits.patternTime`.
    public var deadline: ContinuousClock.Instant? {
        get { end?.instant }
        set { end = newValue.map { RunEnd($0) } }
    }
    var end: RunEnd?

    /// Makes evaluation end when its task is cancelled, as with a deadline.
    package mutating func endWithTask() { if end == nil { end = RunEnd(nil) } }

    /// Language options. Only `stringConcatenation` affects evaluation.
    public var language: LanguageOptions = []

    /// Default options, except for a locale and language options.
    public init(localeIdentifier: String? = nil, language: LanguageOptions = []) {
        self.localeIdentifier = localeIdentifier
        self.language = language
    }

    /// Whether texts can be compared by a locale.
    static var hasLocale: Bool {
        #if Foundation
            true
        #else
            false
        #endif
    }

    /// The rules for the operators.
    package var rules: OperatorRules {
        #if Foundation
            let (locale, patterns) = (LocaleComparison(identifier: localeIdentifier), ICUPatterns.shared)
        #else
            let (locale, patterns): ((any LocaleRules)?, (any ForeignPatterns)?) = (nil, nil)
        #endif
        return OperatorRules(
            locale: locale, foreignPatterns: patterns, typeIdentifiers: typeIdentifiers,
            customOperators: functions.operators, language: language, limits: limits)
    }
}

/// The options of a binding and their rules. A class, because all plans of the binding refer to it: copying the options
/// counts a dozen references.
final class BoundOptions: Sendable {
    let options: EvaluationOptions
    let rules: OperatorRules

    init(_ options: EvaluationOptions) {
        self.options = options
        rules = options.rules
    }

    /// The same options with a clock fixed at the current time.
    init(atOneInstant other: BoundOptions) {
        var options = other.options
        let instant = options.clock()
        options.clock = { instant }
        self.options = options
        rules = other.rules
    }
}

/// The deadline of a run; without an instant, only the cancellation of its task ends it. A class, because copying an instant calls a library function, and every run and each of its
/// blocks reads it.
final class RunEnd: Sendable {
    let instant: ContinuousClock.Instant?

    init(_ instant: ContinuousClock.Instant?) { self.instant = instant }

    /// Whether the deadline has passed or the task was cancelled.
    var isOver: Bool { Task.isCancelled || instant.map { ContinuousClock.now >= $0 } ?? false }
}
