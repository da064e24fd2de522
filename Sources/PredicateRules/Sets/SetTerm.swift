// The conditions by which a predicate set is indexed. ConditionReader.swift finds them in a predicate, SetRun.swift
// adds them to indexes.
import PredicateEvaluation
import PredicateModel
import PredicateSyntax

/// A condition on the value of a key path that an index can serve. If it holds, the predicate is a candidate.
struct SetTerm: Sendable {
    enum Test: Sendable {
        /// The value equals a scalar, or a folded text.
        case equal(PredicateValue)
        case isNil
        /// The number or date is in a closed range.
        case range(ClosedRange<Double>, isDate: Bool)
        /// The folded text contains another text, at the given position.
        case part(String, TextPlace)
    }

    var test: Test
    /// The number of the key path in the set.
    let path: UInt32
    /// For an AND, several conditions are stored, each of which would be enough. Terms with the same choice belong to
    /// the same condition.
    var choice: UInt8 = 0
    /// The options `[c]` and `[d]`, for texts.
    var fold: ComparisonOptions = []
    /// Whether the test is for an element of the value, not for the value itself.
    var isOfElements = false
    /// Whether the predicate certainly matches if the term holds, so that no matcher is needed.
    var decides = false

    /// An estimate of how many objects fulfil the test; smaller is better.
    var rank: Int {
        switch test {
        case .equal(.bool): 600
        case .equal: 10
        case .isNil: 100
        case .part(let text, let place): Self.rank(text.utf8.count + (place == .anywhere ? 0 : 1))
        case .range(let range, _): range.lowerBound.isFinite && range.upperBound.isFinite ? 150 : 400
        }
    }

    private static func rank(_ length: Int) -> Int { length > 3 ? 40 : length == 3 ? 120 : 600 }
}

/// The terms of a predicate. Most predicates have one term, which needs no array.
enum SetTerms: Sendable {
    case none
    case one(SetTerm)
    /// Sorted by their choices.
    case several([SetTerm])

    init(_ terms: [SetTerm]) {
        self = terms.count > 1 ? .several(terms) : terms.first.map(SetTerms.one) ?? .none
    }

    var first: SetTerm? {
        switch self {
        case .none: nil
        case .one(let term): term
        case .several(let terms): terms.first
        }
    }

    /// The greatest choice number.
    var lastChoice: UInt8 { if case .several(let terms) = self { terms.last?.choice ?? 0 } else { 0 } }

    @inline(__always) func forEach(_ body: (SetTerm) -> Void) {
        switch self {
        case .none: break
        case .one(let term): body(term)
        case .several(let terms): for term in terms { body(term) }
        }
    }
}

/// The reason why no index serves a predicate.
enum UnindexedReason: String, Sendable {
    case always = "it is true for nearly every object"
    case negation = "!=, NOT and ALL are true for most objects"
    case computed = "no term compares a key with a constant"
    case locale = "it compares texts by a locale"
    case textOrder = "it compares the order of texts"
    case pattern = "a pattern has no index, except LIKE without options that has letters"
    case collection = "it compares a collection"
}

/// A condition that holds for every object which a predicate selects.
enum SetCondition {
    /// The predicate selects no object.
    case never
    case unindexed(UnindexedReason)
    /// For each choice, at least one term holds. No choice is empty.
    case choices([[SetTerm]])

    /// The terms as an entry stores them, numbered by choice.
    var terms: SetTerms {
        guard case .choices(let choices) = self else { return .none }
        if choices.count == 1 { return SetTerms(choices[0]) }
        return SetTerms(
            choices.enumerated().flatMap { number, terms in
                terms.map { term in
                    var term = term
                    term.choice = UInt8(truncatingIfNeeded: number)
                    return term
                }
            })
    }

    /// The maximum number of choices that an entry stores. A run uses the one that the fewest predicates share.
    private static let kept = 4

    /// The condition of an AND.
    static func all(_ conditions: [SetCondition]) -> SetCondition {
        var choices: [[SetTerm]] = []
        var reason: UnindexedReason?
        for condition in conditions {
            switch condition {
            case .never: return .never
            case .unindexed(let one): reason = reason == nil || reason == .always ? one : reason
            case .choices(let some): choices += some
            }
        }
        guard !choices.isEmpty else { return .unindexed(reason ?? .always) }
        // Two bounds of one key become one range.
        var merged: [[SetTerm]] = []
        for choice in choices {
            guard choice.count == 1, case .range(let range, let isDate) = choice[0].test, !choice[0].isOfElements,
                let place = merged.firstIndex(where: { $0.count == 1 && $0[0].isRange(of: choice[0].path, isDate) }),
                case .range(let other, _) = merged[place][0].test
            else {
                merged.append(choice)
                continue
            }
            let (low, high) = (max(range.lowerBound, other.lowerBound), min(range.upperBound, other.upperBound))
            // A decimal may be between two adjacent doubles.
            if low.nextDown > high.nextUp { return .never }
            merged[place][0].test = .range(min(low, high)...max(low, high), isDate: isDate)
            merged[place][0].decides = merged[place][0].decides && choice[0].decides && low <= high
        }
        if merged.count > 1 || reason != nil {
            for index in merged.indices {
                for place in merged[index].indices { merged[index][place].decides = false }
            }
        }
        let ranked = merged.map { ($0, rank($0)) }.sorted { $0.1 < $1.1 }
        let best = ranked[0].1
        // How rare a constant is depends on the other predicates of the set, so several choices are kept.
        return .choices(ranked.prefix(kept).filter { $0.1 <= max(best, 30) }.map(\.0))
    }

    /// The condition of an OR.
    static func any(_ conditions: [SetCondition]) -> SetCondition {
        var terms: [SetTerm] = []
        for condition in conditions {
            switch condition {
            case .never: continue
            case .unindexed: return condition
            case .choices(let choices):
                guard let best = choices.min(by: { rank($0) < rank($1) }) else { continue }
                terms += best
            }
        }
        if terms.isEmpty { return .never }
        // Another term may throw before the term that holds, so no term decides.
        if conditions.count > 1 { for index in terms.indices { terms[index].decides = false } }
        return .choices([terms])
    }

    private static func rank(_ terms: [SetTerm]) -> Int { terms.reduce(0) { $0 + $1.rank } }
}

extension SetTerm {
    fileprivate func isRange(of path: UInt32, _ isDate: Bool) -> Bool {
        guard case .range(_, isDate) = test else { return false }
        return self.path == path && !isOfElements
    }
}
