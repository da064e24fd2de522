/// Every bound of the language in one place, each with its reason. What exceeds one gets the diagnostic
/// `limit-exceeded`, never a crash or a hang.
public struct Limits: Sendable, Hashable {
    /// Bytes of one format string. A megabyte is a thousand times the longest predicate seen in public code.
    public var inputBytes = 1 << 20
    /// Height of a tree (infix chains count, AND and OR are flattened) and nesting of brackets: releasing, printing and
    /// evaluating a tree recurse, and threads other than the main one have 512 KB of stack on Apple platforms.
    public var nesting = 200
    /// Nodes of one tree, so that a megabyte of `1+` cannot cost a gigabyte.
    public var nodes = 200_000
    /// Diagnostics of one text. Reading ends with the last of them: nobody reads more, and finding out what was meant is the
    /// costly part of it.
    public var diagnostics = 50
    /// Evaluations of an inner predicate that one call of `evaluate` may make through SUBQUERY, ANY and ALL, since nested
    /// ones multiply.
    public var steps = 50_000_000
    /// Elements that one expression may make (set operations, collected keys).
    public var elements = 10_000_000
    /// States of one compiled pattern and repetitions in `{m,n}`: beyond it the pattern is refused.
    public var patternStates = 20_000
    /// Progress calls of ICU for one match, about 60 ms, before a MATCHES outside the regular core ends in an error.
    public var patternProgress = 500

    public init() {}
    public static let standard = Limits()
}
