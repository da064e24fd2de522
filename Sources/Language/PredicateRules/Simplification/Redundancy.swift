// Drops the terms of an AND or OR that the other terms prove, and the parts of a term that make no difference beside the
// others: `a > 3 AND (a > 2 OR b == 1)` is `a > 3`, `(a == 1 AND b == 2) OR (a == 1 AND NOT b == 2)` is `a == 1`.

struct Redundancy {
    private let root: PredicateNode
    private let risks: TermRisks
    private let environment: PredicateEnvironment
    private let steps: ProofSteps
    private lazy var prover = Prover(
        .predicate(root), types: risks.checker ?? TypeChecker(rows: .any, in: environment, reportsTypes: false),
        known: environment.known, steps: steps)

    /// - Parameter root: the tree of which the terms are parts.
    init(_ root: PredicateNode, _ risks: TermRisks, in environment: PredicateEnvironment, _ steps: ProofSteps) {
        (self.root, self.risks, self.environment, self.steps) = (root, risks, environment, steps)
    }

    /// The terms that are needed. An evaluation that fails still fails in the same way.
    mutating func reduced(_ terms: [PredicateNode], isAnd: Bool) -> [PredicateNode] {
        // A constant text may still be read as a date; the proof would compare it as a text.
        if terms.count < 2 || risks.leavesTexts { return terms }
        let groups = Self.groups(of: terms)
        if !groups.contains(where: { $0.count > 1 }) { return terms }
        // Embedded Swift cannot convert [PredicateNode] to [PredicateNode?].
        var kept = terms.map { Optional($0) }
        var goals: [Int: Goal] = [:]
        for index in terms.indices where groups[index].count > 1 {
            goals[index] = (prover.read(terms[index]), Outcomes(isAnd))
        }
        let passed = terms.map { risks.passed(after: $0) }
        // A later term that may throw was not evaluated where an earlier one decided.
        var laterMayThrow = false
        for index in terms.indices.reversed() where !steps.areSpent {
            let termRisks = risks.risks(of: terms[index])
            let group = groups[index].filter { $0 < index || !laterMayThrow && $0 > index && kept[$0] != nil }
            let isSafe = termRisks.allSatisfy { risk in group.contains { $0 < index && passed[$0].contains(risk) } }
            if isSafe, !group.isEmpty, let goal = goals[index] {
                let needed = needed(terms[index], goal, beside: group.compactMap { goals[$0] }, isAnd: isAnd)
                if let needed, needed != terms[index] { goals[index]?.formula = prover.read(needed) }
                kept[index] = needed
            }
            if !termRisks.isEmpty { laterMayThrow = true }
        }
        return kept.flatMap { $0?.terms(isAnd: isAnd) ?? [] }
    }

    /// What of a term makes a difference where the other terms let the evaluation continue; nil if nothing does.
    private mutating func needed(
        _ term: PredicateNode, _ goal: Goal, beside others: [Goal], isAnd: Bool
    ) -> PredicateNode? {
        if prover.refutes(others + [(goal.formula, Outcomes.all.subtracting(goal.wanted))]) { return nil }
        return shortened(term, beside: others, isAnd: isAnd)
    }

    /// An OR inside an AND, or the reverse, without the parts that make no difference where the other terms let the
    /// evaluation continue.
    private mutating func shortened(_ term: PredicateNode, beside others: [Goal], isAnd: Bool) -> PredicateNode {
        var parts: [(node: PredicateNode, goal: Goal)] = []
        for part in term.terms(isAnd: !isAnd) { parts.append((part, (prover.read(part), Outcomes(!isAnd)))) }
        let count = parts.count
        for index in parts.indices.reversed() where parts.count > 1 {
            let part = parts.remove(at: index)
            let differs: Goal = (part.goal.formula, Outcomes.all.subtracting(part.goal.wanted))
            if !prover.refutes(others + parts.map { $0.goal } + [differs]) { parts.insert(part, at: index) }
        }
        if parts.count == count { return term }
        let nodes = parts.map { $0.node }
        if nodes.count == 1 { return nodes[0] }
        return PredicateNode(isAnd ? .or(nodes) : .and(nodes), span: term.span)
    }

    /// For each term, its group: the term itself, the terms that read one of its keys, the terms that read one of theirs,
    /// and so on. Terms of other groups prove nothing about it.
    private static func groups(of terms: [PredicateNode]) -> [[Int]] {
        var group = Array(terms.indices)
        func first(_ index: Int) -> Int {
            var index = index
            while group[index] != index { index = group[index] }
            return index
        }
        var readers: [ExpressionNode: Int] = [:]
        for (index, term) in terms.enumerated() {
            PredicateWalker(predicate: { node in
                guard case .comparison(let comparison) = node.kind else { return }
                for side in [comparison.left, comparison.right] where side.constant == nil {
                    var key = side
                    // Paths that begin alike are known together: `a.b` is nil if `a` is.
                    if case .keyPath(let path) = side.kind { key = ExpressionNode(.keyPath([path[0]])) }
                    let (one, other) = (first(index), first(readers[key] ?? index))
                    group[max(one, other)] = min(one, other)
                    readers[key] = index
                }
            }).walk(term)
        }
        var members: [Int: [Int]] = [:]
        for index in terms.indices { members[first(index), default: []].append(index) }
        return terms.indices.map { members[first($0)] ?? [] }
    }
}
