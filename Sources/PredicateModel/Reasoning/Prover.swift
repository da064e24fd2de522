// Proves claims about all objects: no object gives some predicates certain results. Nothing is evaluated; objects for
// which a claim does not hold are searched by PredicateRules.
package import PredicateSyntax

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

/// Predicates whose results are compared.
package struct Prover {
    /// The largest number of cases for one claim where an answer is expected at once.
    package static let quickCases = 500

    package let formulas: [Formula]
    package let branches: BranchSearch
    /// The text of a comparison that may differ each time.
    package let volatile: String?

    /// Whether the height of a predicate is supported. Higher predicates are not simplified, compared or explained in
    /// parts, because each level needs more stack than evaluation.
    package static func takes(_ root: PredicateNode) -> Bool {
        Int(root.height) <= ThreadStack.height(64, for: root.height)
    }

    /// - Parameters:
    ///   - roots: predicates that have the types of the checker, and whose texts were read.
    ///   - types: finds the types of keys. If it reports types, the objects conform to them.
    ///   - bindsVariables: whether all variables belong to SUBQUERYs, so that reading them cannot throw.
    /// - Throws: a text that is equal to another one in Swift but not in the language.
    package init(
        _ roots: [PredicateNode], types: TypeChecker, known: KnownParts = KnownParts(), bindsVariables: Bool
    ) throws(UnclearSpelling) {
        let environment = types.environment
        let checker = types.reportsTypes ? types : nil
        let risks = TermRisks(checker: checker, functions: environment.functions, bindsVariables: bindsVariables)
        var readsSelf = false
        // Properties of Swift types may be NaN, attributes of a store only where the schema allows it.
        var mayBeNaN = checker == nil || types.schema.unknownKey == .unknownKey
        for entity in types.schema.entities {
            if entity.attributes.contains(where: { $0.allowsNaN }) { mayBeNaN = true }
        }
        for root in roots {
            PredicateWalker(expression: { if case .selfObject = $0.kind { readsSelf = true } }).walk(root)
        }
        var terms = Terms(
            risks, types: types, known: known, mayBeNaN: mayBeNaN, readsSelf: readsSelf, in: environment)
        var formulas: [Formula] = []
        for root in roots { formulas.append(terms.formula(root)) }
        if let spelling = terms.spelling { throw UnclearSpelling(text: spelling) }
        (self.formulas, volatile) = (formulas, terms.volatile)
        branches = BranchSearch(terms: terms)
    }

    /// Whether no object gives each predicate, by its position, one of the results. false if that is not proven.
    package func refutes(_ goals: [(predicate: Int, wanted: Outcomes)], caseLimit: Int = Self.quickCases) -> Bool {
        let goals = goals.map { (formulas[$0.predicate], $0.wanted) }
        if case .none = branches.search(goals, caseLimit: caseLimit, object: nil) { return true }
        return false
    }
}

/// A text that is equal to another one in Swift but not in the language, such as é in one and in two code points.
package struct UnclearSpelling: Error {
    package let text: String
}

extension PredicateNode {
    /// Whether each variable is one of a SUBQUERY.
    package var bindsVariables: Bool {
        var (used, bound): (Set<String>, Set<String>) = ([], [])
        PredicateWalker(expression: { node in
            switch node.kind {
            case .variable(let name): used.insert(name)
            case .subquery(_, let name, _): bound.insert(name)
            default: break
            }
        }).walk(self)
        return used.isSubset(of: bound)
    }
}

extension PredicateEnvironment {
    /// Whether it is a call whose result may differ each time.
    package func isVolatile(_ node: ExpressionNode) -> Bool {
        switch node.kind {
        case .call(let name, _): functions.function(named: name)?.isVolatile ?? true
        case .method(_, let selector, _): functions.method(named: selector)?.isVolatile ?? true
        default: false
        }
    }
}
