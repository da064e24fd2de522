/// All limits of the language, with their reasons. Exceeding one gives the diagnostic `limit-exceeded`, never a
/// crash or a hang.
public struct PredicateLimits: Sendable {
    /// Bytes of a format string. A megabyte is a thousand times the longest predicate found in public code.
    public var inputBytes = 1 << 20
    /// The height of a tree (chains of infix operators count; AND and OR are flattened) and the nesting of brackets.
    /// Releasing, printing and evaluating a tree recurse, and threads other than the main thread have 512 KB of stack
    /// on Apple platforms. On a thread with a smaller stack the limit is lower: about 50 levels on 128 KB.
    public var nesting = 200
    /// Nodes of a tree. Without this limit, a megabyte of `1+` could need a gigabyte of memory.
    public var nodes = 200_000
    /// Diagnostics of a text. Parsing stops at the last one, because more are not useful and analysing mistakes is
    /// expensive.
    public var diagnostics = 50
    /// Evaluations of inner predicates (SUBQUERY, ANY, ALL) in one call of `evaluate`. Nested inner predicates
    /// multiply.
    public var steps = 50_000_000
    /// The time for the inner predicates of one object. The clock is read after every 4,096 of them, so short
    /// evaluations never read it. In a debug build, which is about twenty times as slow, the limit is twenty times as
    /// long.
    public var time: Duration = {
        #if DEBUG
            .seconds(2)
        #else
            .milliseconds(100)
        #endif
    }()
    /// Elements that an expression may create (set operations, collected keys).
    public var elements = 10_000_000
    /// Steps of each translation to SQL, over all its passes. Some passes write a condition several times.
    public var translationSteps = 5_000_000
    /// Steps of the proofs about a predicate, or about two that are compared: each reads one comparison of a case. What
    /// needs more is not proven: a warning is left out, a term is not simplified, a comparison is undecided, and a change
    /// of every row is not recognised.
    public var proofSteps = 200_000
    /// States of a compiled pattern, and repetitions in `{m,n}`. A larger pattern is an error.
    public var patternStates = 20_000
    /// The time for one MATCHES whose pattern our automaton cannot run, because such a pattern can need exponential
    /// time.
    public var patternTime = Duration.milliseconds(100)

    public init() {}
    /// The default limits, as listed above.
    public static let standard = PredicateLimits()
}
