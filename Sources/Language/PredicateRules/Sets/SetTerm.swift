// The conditions by which a predicate set is indexed. ConditionReader.swift finds them in a predicate, SetRun.swift
// adds them to indexes.

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
    let path: Int
    /// An AND has several conditions, each of which would be enough. Terms with the same choice belong to the same
    /// condition.
    var choice = 0
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

/// The reason why no index serves a predicate.
enum UnindexedReason: String, Sendable {
    case always = "it is true for nearly every object"
    case negation = "!=, NOT and ALL are true for most objects"
    case computed = "no term compares a key with a constant"
    case locale = "it compares texts by a locale"
    case textOrder = "it compares the order of texts"
    case pattern = "a pattern has no index, except LIKE without options that has letters"
    case methods = "its environment has methods of its own"
    case collection = "it compares a collection"
}

/// A condition that holds for every object which a predicate selects.
enum SetCondition {
    /// The predicate selects no object.
    case never
    case unindexed(UnindexedReason)
    /// For each choice, at least one term holds. Sorted by choice, the rarest first. Never empty.
    case terms([SetTerm])

    /// The maximum number of choices. A run uses the one that the fewest predicates share.
    private static let maximum = 4

    static func all(_ conditions: [SetCondition]) -> SetCondition {
        var terms: [SetTerm] = []
        var count = 0
        var reason: UnindexedReason?
        for condition in conditions {
            switch condition {
            case .never: return .never
            case .unindexed(let one): reason = reason == nil || reason == .always ? one : reason
            case .terms(let some):
                // Two bounds of one key become one range.
                if some.count == 1, let place = rangePlace(of: some[0], in: terms) {
                    guard let both = terms[place].intersection(some[0]) else { return .never }
                    terms[place] = both
                    continue
                }
                let first = count
                for var term in some {
                    term.choice += first
                    count = term.choice + 1
                    terms.append(term)
                }
            }
        }
        guard !terms.isEmpty else { return .unindexed(reason ?? .always) }
        if count == 1, reason == nil { return .terms(terms) }
        for index in terms.indices { terms[index].decides = false }
        return .terms(count == 1 ? terms : rarest(terms, count))
    }

    /// The index of the range of the same key that is the only term of its choice. In a long AND, only the first terms
    /// are searched.
    private static func rangePlace(of term: SetTerm, in terms: [SetTerm]) -> Int? {
        guard case .range = term.test else { return nil }
        return terms.indices.prefix(32).first { index in
            terms[index].isRange(ofKeyOf: term) && (index == 0 || terms[index - 1].choice != terms[index].choice)
                && (index + 1 == terms.count || terms[index + 1].choice != terms[index].choice)
        }
    }

    /// The terms of the rarest choices. How rare a constant is depends on the other predicates of the set, so several
    /// choices are kept.
    private static func rarest(_ terms: [SetTerm], _ count: Int) -> [SetTerm] {
        var ranks = [Int](repeating: 0, count: count)
        for term in terms { ranks[term.choice] += term.rank }
        let sorted = ranks.indices.sorted { ranks[$0] < ranks[$1] }
        let limit = max(ranks[sorted[0]], 30)
        var kept: [SetTerm] = []
        for (number, choice) in sorted.prefix(maximum).enumerated() where ranks[choice] <= limit {
            for var term in terms where term.choice == choice {
                term.choice = number
                kept.append(term)
            }
        }
        return kept
    }

    static func any(_ conditions: [SetCondition]) -> SetCondition {
        var terms: [SetTerm] = []
        for condition in conditions {
            switch condition {
            case .never: continue
            case .unindexed: return condition
            case .terms(let some): terms += some.prefix { $0.choice == 0 }
            }
        }
        if terms.isEmpty { return .never }
        // Another term may throw before the term that holds, so no term decides.
        if conditions.count > 1 { for index in terms.indices { terms[index].decides = false } }
        return .terms(terms)
    }
}

extension SetTerm {
    /// Whether both terms are ranges of the same key.
    fileprivate func isRange(ofKeyOf other: SetTerm) -> Bool {
        guard path == other.path, !isOfElements, !other.isOfElements, case .range(_, let isDate) = test,
            case .range(_, isDate) = other.test
        else { return false }
        return true
    }

    /// The range of numbers in both ranges; nil if there are none.
    fileprivate func intersection(_ other: SetTerm) -> SetTerm? {
        guard case .range(let range, let isDate) = test, case .range(let second, _) = other.test else { return nil }
        let (low, high) = (max(range.lowerBound, second.lowerBound), min(range.upperBound, second.upperBound))
        // A decimal may be between two adjacent doubles.
        if low.nextDown > high.nextUp { return nil }
        var both = self
        both.test = .range(min(low, high)...max(low, high), isDate: isDate)
        both.decides = decides && other.decides && low <= high
        return both
    }
}
