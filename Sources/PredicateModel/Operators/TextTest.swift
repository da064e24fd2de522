// LIKE and MATCHES with a pattern that is known: compiled once, run on many texts, from any thread.
public import PredicateSyntax
import Synchronization

/// Runs the patterns that our own automaton does not: look-around, back-references, `\b`. ICU in PredicateEvaluation.
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

/// A compiled pattern of LIKE or MATCHES.
///
///     try TextTest(.like, "S*a", [], rules: .standard).test("Silvia")  // true
public struct TextTest: Sendable {
    private enum Plan: Sendable {
        case own(MatcherPool)
        case foreign(any ForeignPattern)
    }
    private let plan: Plan

    /// - Throws: `malformed-pattern`, or `limit-exceeded` where the pattern is too large.
    public init(
        _ operator: ComparisonOperator, _ pattern: String, _ options: ComparisonOptions, rules: OperatorRules
    ) throws(EvaluationFault) {
        let options = OperatorRules.effective(options)
        let compiled: CompiledPattern
        do {
            compiled =
                `operator` == .like
                ? try TextPattern.like(pattern, options: options, limits: rules.limits)
                : try TextPattern.matches(pattern, options: options, limits: rules.limits)
        } catch {
            throw error.exceedsLimit
                ? EvaluationFault(.limitExceeded, error.reason, "\(rules.limits.patternStates) states", at: .right)
                : EvaluationFault(.malformedPattern, error.reason, at: .right)
        }
        if case .needsICU(let reason) = compiled.kind {
            guard let foreign = rules.foreignPatterns else {
                throw EvaluationFault(.malformedPattern, "it needs \(reason), which nothing here can match", at: .right)
            }
            plan = .foreign(try foreign.compile(pattern, options, rules.limits))
        } else {
            plan = .own(MatcherPool(compiled))
        }
    }

    /// Whether the whole text matches. Linear in the text for patterns of the regular core.
    /// - Throws: `pattern-budget` for the others, where they take too long.
    public func test(_ text: String) throws(EvaluationFault) -> Bool {
        switch plan {
        case .own(let pool): pool.matches(text)
        case .foreign(let pattern): try pattern.matches(text)
        }
    }
}

/// Matchers of one pattern. Each learns its automaton as it goes and serves one thread at a time; a thread that finds none
/// free makes one.
private final class MatcherPool: Sendable {
    private let pattern: CompiledPattern
    private let free = Mutex<[PatternMatcher]>([])

    init(_ pattern: CompiledPattern) { self.pattern = pattern }

    func matches(_ text: String) -> Bool {
        guard let matcher = free.withLock({ $0.popLast() }) ?? pattern.matcher else { return false }
        defer { free.withLock { $0.append(matcher) } }
        return matcher.matches(text)
    }
}
