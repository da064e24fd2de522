// Combines the parts: reads predicates as formulas, searches for a case with the wanted results, and for an object of
// the case.

/// Reasons about some predicates together.
struct Reasoner {
    /// The greatest nesting of SUBQUERYs whose elements are searched.
    private static let subqueryLevels = 2

    private let predicates: [FormatPredicate]
    private let plans: [DynamicPlan]
    private let branches: BranchSearch
    private let formulas: [Formula]
    private let slots: Slots
    private let steps: ProofSteps
    /// The first term whose value is not known: a variable, the time.
    private let unknown: UndecidedReason?

    /// - Throws: the reason why evaluation refuses a predicate.
    init(
        _ predicates: [FormatPredicate], _ schema: PredicateSchema?, _ entity: String?, level: Int = 0
    ) throws(UndecidedReason) {
        // As && joins the environments; what they define differently is an error of the plans.
        let environment = predicates.reduce(predicates[0].environment) { $0.joined(with: $1.environment) }
        var checker: TypeChecker?
        if let schema, let name = entity ?? schema.defaultEntity {
            do throws(PredicateFailure) {
                checker = try TypeChecker(schema: schema, entity: name, in: environment)
            } catch { throw .refused(Self.message(error)) }
        }
        let types = checker ?? TypeChecker(rows: .any, in: environment, reportsTypes: false)
        var read: [FormatPredicate] = []
        var plans: [DynamicPlan] = []
        var unknown: UndecidedReason?
        for predicate in predicates {
            let predicate = FormatPredicate(
                predicate.root, source: predicate.source, warnings: predicate.warnings, in: environment)
            let found = checker?.check(predicate.root, source: predicate.source, adding: predicate.warnings)
            if let first = found?.first(where: { $0.severity == .error }) { throw .refused(first.message) }
            let typed = predicate.reading(by: types)
            guard Prover.takes(typed.root) else { throw .limit }
            do throws(PredicateFailure) {
                let plan = try Binding().plan(typed, isStrict: false)
                if plan.dependsOnOrder { unknown = unknown ?? .term(predicate.description) }
                plans.append(plan)
            } catch { throw .refused(Self.message(error)) }
            if (try? Binding().check(typed)) == nil { unknown = unknown ?? .variable(Self.variable(in: typed.root)) }
            read.append(typed)
        }
        var prover = Prover(read.map { $0.tree }, types: types, known: environment.known)
        formulas = read.map { prover.read($0.root) }
        let terms = prover.terms
        if let spelling = terms.spelling { throw .term(spelling) }
        branches = BranchSearch(terms: terms)
        steps = ProofSteps(environment.limits)
        if let volatile = terms.volatile { unknown = unknown ?? .volatile(volatile) }
        (self.predicates, self.plans, self.unknown) = (read, plans, unknown)
        slots = Slots(read.map { $0.root }, terms, types: types, hasSchema: checker != nil) { subquery, element in
            guard level < Self.subqueryLevels, !Self.readsOthers(subquery) || checker == nil else { return [] }
            let inner = FormatPredicate(Self.condition(of: subquery), in: environment)
            let known = element.entity.flatMap { schema?.entity($0) == nil ? nil : $0 }
            guard
                let reasoner = try? Reasoner([inner], known == nil ? nil : schema, known, level: level + 1)
            else { return [] }
            return [Outcomes.true, .false].compactMap {
                if case .proven(let object) = reasoner.search([(0, $0)]) { object } else { nil }
            }
        }
    }

    private static func message(_ failure: PredicateFailure) -> String {
        failure.diagnostics.first { $0.severity == .error }?.message ?? ""
    }

    /// The first variable that no SUBQUERY binds.
    private static func variable(in root: PredicateNode) -> String {
        let tree = PredicateTree.predicate(root)
        let names = tree.values { if case .variable(let name) = $0.kind { name } else { nil } }
        let bound = tree.values { if case .subquery(_, let name, _) = $0.kind { name } else { nil } }
        return names.first { !bound.contains($0) } ?? names.first ?? ""
    }

    // MARK: SUBQUERY

    /// The condition of a SUBQUERY as a predicate of an element.
    private static func condition(of subquery: Slots.Subquery) -> PredicateNode {
        PredicateRewriter<Never>(expression: { node in
            switch node.kind {
            case .member(let base, let step) where base.kind == .selfObject: step
            case .variable(subquery.variable): ExpressionNode(.selfObject)
            default: node
            }
        }).rewrite(subquery.condition)
    }

    /// Whether the condition reads keys that are not those of the element.
    private static func readsOthers(_ subquery: Slots.Subquery) -> Bool {
        var (paths, steps) = (0, 0)
        PredicateWalker(expression: { node in
            switch node.kind {
            case .keyPath, .selfObject: paths += 1
            case .member(_, let step): if case .keyPath = step.kind { steps += 1 }
            default: break
            }
        }).walk(subquery.condition)
        return paths > steps
    }

    // MARK: Search

    /// Searches for an object for which each predicate, by its position, has one of the results.
    func search(_ goals: [(predicate: Int, wanted: Outcomes)]) -> PredicateSatisfiability {
        let formulaGoals = goals.map { (formulas[$0.predicate], $0.wanted) }
        var witnesses = WitnessSearch(
            branches: branches, slots: slots, environment: predicates[0].environment,
            confirms: { object in
                goals.allSatisfy { $0.wanted.contains(Outcomes(of: plans[$0.predicate], for: object)) }
            })
        let result = steps.share { steps in
            branches.search(formulaGoals, steps: &steps) { unknown == nil ? witnesses.object($0) : nil }
        }
        switch result {
        case .none: return .refuted
        case .object(let object): return .proven(object)
        case .open(nil): return .unknown(unknown ?? .limit)
        case .open(let results?):
            // The term that no value was found for is probably not a comparison of a key with a constant.
            let numbers = results.keys.sorted()
            let terms = branches.terms.list
            let hardest = numbers.first { terms[$0].condition == nil } ?? numbers.first
            return .unknown(unknown ?? hardest.map { .term(terms[$0].node.description) } ?? .limit)
        }
    }
}
