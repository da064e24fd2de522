// Proves claims about all objects: no object gives some predicates certain results. Nothing is evaluated; objects for
// which a claim does not hold are searched by PredicateRules.

/// What is known about parts of a predicate without an object. Callers that can evaluate know more.
package struct KnownParts {
    /// The value of an expression that is constant.
    package let value: (ExpressionNode) -> PredicateValue?
    /// The result of a comparison that does not depend on the object.
    package let outcome: (ComparisonNode) -> Outcomes?

    package init(
        value: @escaping (ExpressionNode) -> PredicateValue? = { $0.constant },
        outcome: @escaping (ComparisonNode) -> Outcomes? = { _ in nil }
    ) {
        (self.value, self.outcome) = (value, outcome)
    }
}

/// Predicates whose results are compared. Equal comparisons of all of them have one result for one object.
package struct Prover {
    package private(set) var terms: Terms
    private let steps: ProofSteps

    /// Whether the height of a predicate is supported. Higher predicates are not simplified, compared or explained in
    /// parts, because each level needs more stack than evaluation.
    package static func takes(_ root: PredicateNode) -> Bool {
        Int(root.height) <= ThreadStack.height(64, for: root.height)
    }

    /// - Parameters:
    ///   - trees: the predicates that will be read, or of which parts will be. They have the types of the checker, and
    ///     their typed texts were read.
    ///   - types: finds the types of keys. If it reports types, the objects conform to them.
    ///   - steps: the steps of all proofs; nil for as many as the limits of the environment allow.
    package init(
        _ trees: PredicateTree..., types: TypeChecker, known: KnownParts = KnownParts(), steps: ProofSteps? = nil
    ) {
        self.init(trees, types: types, known: known, steps: steps)
    }

    package init(
        _ trees: [PredicateTree], types: TypeChecker, known: KnownParts = KnownParts(), steps: ProofSteps? = nil
    ) {
        let environment = types.environment
        self.steps = steps ?? ProofSteps(environment.limits)
        let checker = types.reportsTypes ? types : nil
        var readsSelf = false
        var (used, bound): (Set<String>, Set<String>) = ([], [])
        for tree in trees {
            tree.walk(
                by: PredicateWalker(expression: { node in
                    switch node.kind {
                    case .selfObject: readsSelf = true
                    case .variable(let name): used.insert(name)
                    case .subquery(_, let name, _): bound.insert(name)
                    default: break
                    }
                }))
        }
        // Reading a variable without a value throws.
        let risks = TermRisks(
            checker: checker, functions: environment.functions, bindsVariables: used.isSubset(of: bound))
        terms = Terms(
            risks, types: types, known: known, mayBeNaN: types.allowsNaN, readsSelf: readsSelf, in: environment)
    }

    /// The formula of a predicate. Its comparisons are added.
    package mutating func read(_ root: PredicateNode) -> Formula { terms.formula(root) }

    /// Whether no object gives each formula its results. false if that is not proven.
    /// - Parameter exceptsNil: whether keys that are nil or NaN are left out.
    package func refutes(_ goals: [Goal], exceptsNil: Bool = false) -> Bool {
        if terms.spelling != nil || steps.areSpent { return false }
        let search = BranchSearch(terms: terms, excluded: exceptsNil ? [.null, .notANumber, .notADate] : [])
        if case .none = steps.share({ search.search(goals, steps: &$0, object: nil) }) { return true }
        return false
    }

    /// The positions of the first goals that contradict each other, of which each is needed; nil if none are found.
    package func core(_ goals: [Goal], exceptsNil: Bool = false) -> [Int]? {
        guard refutes(goals, exceptsNil: exceptsNil) else { return nil }
        // The shortest beginning, whose last goal is needed.
        var (low, high) = (1, goals.count)
        while low < high {
            let middle = (low + high) / 2
            if refutes(Array(goals[..<middle]), exceptsNil: exceptsNil) { high = middle } else { low = middle + 1 }
        }
        var kept = Array(0..<high)
        for index in (0..<(high - 1)).reversed() {
            let fewer = kept.filter { $0 != index }
            if refutes(fewer.map { goals[$0] }, exceptsNil: exceptsNil) { kept = fewer }
        }
        return kept
    }
}
