// What belongs to one run of a predicate. What belongs to the predicate is its PredicateEnvironment.

/// The clock for `now()`, the seed for `random()`, and the deadline of a run. The defaults fit most uses.
///
///     try predicate.evaluate(book, run: PredicateRun(clock: { 700_000_000 }))
///     let found = try people.filter(predicate, run: PredicateRun(deadline: .seconds(2)))
public struct PredicateRun: Sendable {
    /// Returns seconds since 2001-01-01 00:00 UTC, for `now()`. The default is the system's clock. `PredicateClock` is the
    /// clock of translations to SQL and of requests.
    public var clock: @Sendable () -> Double
    /// Makes `random()` and `randomn()` repeatable. Each evaluation, or each run over many objects, starts with
    /// this seed.
    public var seed: UInt64?
    /// How long evaluation may take, from the moment when this is set, for all objects together; nil is no limit.
    ///
    /// After this time, `evaluate`, and each `filter` that takes a predicate, throw `limit-exceeded`; objects that a
    /// matcher has not tested yet do not match. With a deadline, evaluation also ends when its task is
    /// cancelled. The clock is read once for 256 objects that are tested together, once for any other object, and after
    /// 4,096 inner predicates. A MATCHES that only ICU can decide may exceed the deadline by its
    /// `PredicateLimits.patternTime`.
    public var deadline: Duration? { didSet { end = deadline.map { RunEnd(ContinuousClock.now + $0) } } }
    var end: RunEnd?

    /// Creates a run.
    public init(
        clock: (@Sendable () -> Double)? = nil, seed: UInt64? = nil, deadline: Duration? = nil
    ) {
        self.clock = clock ?? SystemClock.seconds
        self.seed = seed
        self.deadline = deadline
        end = deadline.map { RunEnd(ContinuousClock.now + $0) }
    }

    /// Makes evaluation end when its task is cancelled, as with a deadline.
    package mutating func endWithTask() { if end == nil { end = RunEnd(nil) } }

    /// The same run with a clock fixed at the current time.
    package var atOneInstant: PredicateRun {
        var run = self
        let instant = clock()
        run.clock = { instant }
        return run
    }
}

extension PredicateEnvironment {
    /// Whether texts can be compared by a locale.
    static var hasLocale: Bool {
        #if Foundation
            true
        #else
            false
        #endif
    }

    package var rules: OperatorRules {
        #if Foundation
            let (locale, patterns) = (LocaleComparison(identifier: localeIdentifier), ICUPatterns.shared)
        #else
            let (locale, patterns): ((any LocaleRules)?, (any ForeignPatterns)?) = (nil, nil)
        #endif
        return OperatorRules(locale: locale, foreignPatterns: patterns, in: self)
    }
}

extension [PredicateSortKey] {
    /// The rules of each key. Only comparisons by a locale need those of its environment.
    package var rules: [OperatorRules] {
        map { $0.options.contains(.localeSensitive) ? $0.environment.rules : .standard }
    }
}

/// The rules and the run of a plan. A class, because all parts of the plan refer to it.
final class BoundRun: Sendable {
    let rules: OperatorRules
    let run: PredicateRun

    init(_ rules: OperatorRules, _ run: PredicateRun) {
        self.rules = rules
        self.run = run
    }
}

/// The deadline of a run; without an instant, only the cancellation of its task ends it. A class, because copying an
/// instant calls a library function, and every run and each of its blocks reads it.
final class RunEnd: Sendable {
    let instant: ContinuousClock.Instant?

    init(_ instant: ContinuousClock.Instant?) { self.instant = instant }

    /// Whether the deadline has passed or the task was cancelled.
    var isOver: Bool { Task.isCancelled || instant.map { ContinuousClock.now >= $0 } ?? false }
}
