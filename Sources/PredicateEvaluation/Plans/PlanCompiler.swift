// From the tree to the plan. The tree is visited with a stack of tasks of our own, children before parents, so that
// compiling needs no more of the thread's stack for a high tree than for a low one. What each node becomes is in
// PlanCompiler+Expressions.swift and PlanCompiler+Predicates.swift.
import PredicateModel
import PredicateSyntax

final class PlanCompiler {
    enum Task {
        /// Visit a node: push what is to be done for it.
        case expression(ExpressionNode)
        case predicate(PredicateNode)
        /// Build a node from the plans of its children, which lie on the stacks of results.
        case build(ExpressionNode)
        case buildPredicate(PredicateNode)
        /// A SUBQUERY's condition begins and ends.
        case bind(name: String)
        case unbind
        /// Back from an expression that the caller bound to a variable; the slot of an assignment to it, if any.
        case leave(scope: [Bound], variable: String, slot: Int?, span: SourceSpan)
    }

    /// A variable of a SUBQUERY and its slot.
    struct Bound {
        let name: String
        let slot: Int
    }

    let options: EvaluationOptions
    let rules: OperatorRules
    let variables: [String: FormatArgument]
    /// Whether a variable that nothing binds is an error at once, not where it is reached.
    let isStrict: Bool
    private(set) var diagnostics: [Diagnostic] = []
    private(set) var slotCount = 0
    var cacheCount = 0
    var matcherCount = 0
    /// Set by an assignment, which later terms see, by `random()` and by what the host says may vary.
    var dependsOnOrder = false
    /// The first keys of all paths from the object; nil once something reads the object otherwise.
    private(set) var rootKeys: Set<String>? = []
    /// Whether `now()` is asked.
    var asksClock = false

    var tasks: [Task] = []
    var expressions: [any ExpressionPlan] = []
    var predicates: [any PredicatePlan] = []
    /// The SUBQUERYs around, innermost last.
    var scope: [Bound] = []
    /// The slots of the SUBQUERYs whose condition is compiled, but which are not built yet.
    var subquerySlots: [Int] = []
    /// The variables that some `:=` binds, and their slots.
    private(set) var assigned: [String: Int] = [:]
    /// Whether an expression that the caller bound to a variable is being compiled.
    var isExpanding = false
    /// For folding: an evaluation without an object.
    private var scratch: FunctionContext

    init(options: EvaluationOptions, variables: [String: FormatArgument], isStrict: Bool) {
        self.options = options
        self.variables = variables
        self.isStrict = isStrict
        rules = options.rules
        scratch = FunctionContext(rules: rules, clock: options.clock, seed: options.seed)
    }

    func compile(_ root: PredicateNode) -> any PredicatePlan {
        findAssignments(below: [root], [])
        tasks = [.predicate(root)]
        run()
        return predicates.popLast() ?? ConstantPredicate(false)
    }

    func compile(_ root: ExpressionNode) -> any ExpressionPlan {
        findAssignments(below: [], [root])
        tasks = [.expression(root)]
        run()
        return popExpression()
    }

    func popExpression() -> any ExpressionPlan { expressions.popLast() ?? ConstantExpression(.null) }
    func popPredicate() -> any PredicatePlan { predicates.popLast() ?? ConstantPredicate(false) }

    /// The results of the last so many children, left to right.
    func popExpressions(_ count: Int) -> [any ExpressionPlan] {
        let plans = Array(expressions.suffix(count))
        expressions.removeLast(plans.count)
        return plans
    }

    func report(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

    func report(_ id: DiagnosticID, at span: SourceSpan, _ details: String...) {
        report(Diagnostic(id, at: span, details: details, severity: .error))
    }

    /// Notes what is read of the object: the key, or anything.
    func readsObject(_ key: String? = nil) {
        if let key, key != "self", !key.hasPrefix("@") { rootKeys?.insert(key) } else { rootKeys = nil }
    }

    func makeSlot() -> Int {
        slotCount += 1
        return slotCount - 1
    }

    private func run() {
        while let task = tasks.popLast() {
            switch task {
            case .expression(let node): visit(node)
            case .predicate(let node): visit(node)
            case .build(let node): expressions.append(build(node))
            case .buildPredicate(let node): predicates.append(build(node))
            case .bind(let name):
                let slot = makeSlot()
                scope.append(Bound(name: name, slot: slot))
                subquerySlots.append(slot)
            case .unbind: scope.removeLast()
            case .leave(let outer, let name, let slot, let span):
                scope = outer
                isExpanding = false
                guard let slot else { continue }
                let given = popExpression()
                expressions.append(VariableExpression(name, slot: slot, otherwise: given, span: span))
            }
        }
        diagnostics.sort { $0.span.start < $1.span.start }
    }

    /// Every variable that an assignment binds, wherever it stands, has a slot before the first use is compiled.
    private func findAssignments(below predicates: [PredicateNode], _ expressions: [ExpressionNode]) {
        var predicates = predicates
        var expressions = expressions
        while true {
            if let node = expressions.popLast() {
                if case .assignment(let name, _) = node.kind, assigned[name] == nil { assigned[name] = makeSlot() }
                node.kind.forEachChild({ predicates.append($0) }, { expressions.append($0) })
            } else if let node = predicates.popLast() {
                node.kind.forEachChild({ predicates.append($0) }, { expressions.append($0) })
            } else {
                return
            }
        }
    }

    /// Computes a node of constants once. What would raise stays in the plan and raises where it is reached.
    func fold(
        _ plan: any ExpressionPlan, if constant: Bool,
        _ compute: (inout FunctionContext) throws(EvaluationFault) -> Value
    ) -> any ExpressionPlan {
        guard constant, let value = try? compute(&scratch) else { return plan }
        return ConstantExpression(value)
    }
}
