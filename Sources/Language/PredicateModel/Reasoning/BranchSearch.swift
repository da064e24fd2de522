// Searches for a case in which predicates have given results. A case is a set of terms with their results; AND and OR
// divide the search into cases. If all cases contradict themselves, no object has these results.

/// A formula with the results that it must have.
package typealias Goal = (formula: Formula, wanted: Outcomes)

/// The steps that are left for the proofs of a request.
package final class ProofSteps {
    private var left: Int

    package init(_ limits: PredicateLimits) { left = limits.proofSteps }

    /// Makes a proof with at most a quarter of the steps, so that a hard one leaves some for the others.
    package func share<Result>(_ proof: (inout Int) -> Result) -> Result {
        var rest = left / 4
        left -= rest
        defer { left += rest }
        return proof(&rest)
    }

    /// Whether too few steps are left for a proof.
    package var areSpent: Bool { left < 4 }
}

package struct BranchSearch {
    /// The largest number of cases for which an object is searched.
    private static let searchedCases = 24

    package enum Result {
        case none
        case object(PredicateValue)
        /// Neither was shown; the terms of a case that is left, or nil if the steps ended before one was found.
        case open([Int: Outcomes]?)
    }

    /// A case: results of terms, and goals that are not divided yet.
    private struct Case {
        var results: [Int: Outcomes] = [:]
        var open: [Goal] = []
    }

    package let terms: Terms
    /// The classes of values that keys do not have.
    var excluded: ValueClasses = []

    package init(terms: Terms) { self.terms = terms }

    init(terms: Terms, excluded: ValueClasses) { (self.terms, self.excluded) = (terms, excluded) }

    /// - Parameters:
    ///   - steps: the steps that are left. A case takes one for each comparison and each part of a formula that it reads.
    ///   - object: an object with the results of a case, if one is found. nil ends the search at the first case that
    ///     does not contradict itself.
    package func search(
        _ goals: [Goal], steps: inout Int, object: (([Int: Outcomes]) -> PredicateValue?)?
    ) -> Result {
        var start = Case()
        guard assume(goals, in: &start, &steps) else { return .none }
        var cases = [start]
        var searched = 0
        var left: [Int: Outcomes]?
        while var last = cases.popLast() {
            if steps < 0 { return .open(left) }
            guard let goal = next(&last, &steps) else {
                steps -= terms.pairs.count
                if goesInCircles(last.results) { continue }
                searched += 1
                guard let object else { return .open(last.results) }
                if let found = object(last.results) { return .object(found) }
                if left == nil { left = last.results }
                if searched == Self.searchedCases { return .open(left) }
                continue
            }
            var divided: [Case] = []
            for goals in alternatives(goal) {
                var one = last
                if assume(goals, in: &one, &steps) { divided.append(one) }
            }
            cases += divided.reversed()
        }
        return left == nil ? .none : .open(left)
    }

    // MARK: Cases

    /// Adds goals to a case. Returns false if they contradict it.
    private func assume(_ goals: [Goal], in one: inout Case, _ steps: inout Int) -> Bool {
        var goals = goals
        var changed: Set<ExpressionNode> = []
        while let (formula, wanted) = goals.popLast() {
            steps -= 1
            let left = wanted.intersection(formula.possible)
            if left.isEmpty { return false }
            if left == formula.possible { continue }
            switch formula.kind {
            case .constant, .free: break
            case .not(let child): goals.append((child, left.negated))
            case .term(let number):
                let before = one.results[number] ?? formula.possible
                let after = before.intersection(left)
                if after.isEmpty { return false }
                one.results[number] = after
                if after != before, let key = terms.list[number].condition?.key { changed.insert(key) }
            case .compound(let children, let isAnd):
                if left == Outcomes(isAnd) {
                    goals += children.map { ($0, left) }
                } else {
                    one.open.append((formula, left))
                }
            }
        }
        for key in changed { changed.formUnion(terms.prefixes[key] ?? []) }
        return changed.allSatisfy { key in
            let literals = literals(of: key, in: one.results)
            steps -= literals.steps
            return literals.mayHold()
        }
    }

    /// Whether comparisons of keys contradict each other by `a < b`, `b <= c`, `c < a`: a path from a key to itself by
    /// orders of which one is strict.
    private func goesInCircles(_ results: [Int: Outcomes]) -> Bool {
        if terms.pairs.count < 3 { return false }
        var steps: [OrderedKey: [(to: OrderedKey, isStrict: Bool)]] = [:]
        for (pair, (left, right)) in terms.pairs {
            let literals = literals(of: pair, in: results)
            if literals.holdForNil { continue }
            let orders = [-1, 0, 1].filter { literals.mayHold(for: .integer($0)) }
            if !orders.contains(1) { steps[left, default: []].append((right, !orders.contains(0))) }
            if !orders.contains(-1) { steps[right, default: []].append((left, !orders.contains(0))) }
        }
        return steps.keys.contains { start in
            // The keys that are at least as great as the start, and whether they are greater.
            var (reached, open): ([OrderedKey: Bool], _) = ([:], [(start, false)])
            while let (key, isGreater) = open.popLast() {
                for (next, isStrict) in steps[key] ?? [] where !(reached[next] ?? false) {
                    let isGreater = isGreater || isStrict
                    if reached[next] == isGreater { continue }
                    reached[next] = isGreater
                    open.append((next, isGreater))
                }
            }
            return reached[start] ?? false
        }
    }

    package func literals(of key: ExpressionNode, in results: [Int: Outcomes]) -> KeyLiterals {
        var literals = KeyLiterals(
            domain: terms.domains[key] ?? KeyDomain(type: .any, mayBeUnreadable: true, mayBeNaN: true))
        literals.excluded = excluded
        // A long predicate may compare a key a thousand times, while a case has a few comparisons.
        var numbers = terms.numbersByKey[key] ?? []
        if numbers.count > results.count {
            numbers = results.keys.filter { terms.list[$0].condition?.key == key }.sorted()
        }
        for number in numbers {
            let term = terms.list[number]
            guard let allowed = results[number], let condition = term.condition else { continue }
            let literal = (condition.ofElement, allowed, term.mayReachLimit)
            if condition.quantifier == .direct {
                literals.direct.append(literal)
            } else {
                literals.quantified.append(literal)
            }
        }
        // A path through nil is nil.
        for longer in terms.longer[key] ?? [] where !literals.excluded.contains(.null) {
            if !self.literals(of: longer, in: results).holdForNil { literals.excluded.insert(.null) }
        }
        return literals
    }

    /// Removes and returns the goal to divide next: the one with the fewest parts. Goals that are already reached are
    /// dropped.
    private func next(_ one: inout Case, _ steps: inout Int) -> Goal? {
        let results = one.results
        one.open.removeAll { goal in
            alternatives(goal).contains { $0.allSatisfy { isReached($0, results) } }
        }
        let sizes = one.open.map { if case .compound(let children, _) = $0.formula.kind { children.count } else { 0 } }
        for size in sizes { steps -= size }
        guard let index = sizes.indices.min(by: { sizes[$0] < sizes[$1] }) else { return nil }
        return one.open.remove(at: index)
    }

    private func isReached(_ goal: Goal, _ results: [Int: Outcomes]) -> Bool {
        switch goal.formula.kind {
        case .constant: goal.wanted.isSuperset(of: goal.formula.possible)
        case .term(let number): goal.wanted.isSuperset(of: results[number] ?? goal.formula.possible)
        case .not(let child): isReached((child, goal.wanted.negated), results)
        case .free, .compound: false
        }
    }

    /// The cases of an AND or OR: one of its terms has the result of the whole, or all have. An AND stops at the first
    /// term that is not true, an OR at the first that is not false.
    private func alternatives(_ goal: Goal) -> [[Goal]] {
        guard case .compound(let children, let isAnd) = goal.formula.kind else { return [] }
        let (passing, stopping) = (Outcomes(isAnd), Outcomes(!isAnd))
        // Some term does not pass. The order does not matter, because the first of these has the result.
        if goal.wanted == stopping.union(.raised) { return children.map { [($0, goal.wanted)] } }
        var found: [[Goal]] = []
        if goal.wanted.contains(passing) { found.append(children.map { ($0, passing) }) }
        for ends in [stopping, Outcomes.raised] where goal.wanted.contains(ends) {
            for (index, child) in children.enumerated() where child.possible.contains(ends) {
                // Of an earlier term that cannot throw, another case has the result.
                let before = children[..<index].filter { ends == .raised || $0.mayRaise }
                found.append(before.map { ($0, passing) } + [(child, ends)])
            }
        }
        return found
    }
}
