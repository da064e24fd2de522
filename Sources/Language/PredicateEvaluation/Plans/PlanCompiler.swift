// Compiles a tree, in which the checker has found no errors, to a plan. It uses an explicit stack of tasks, children
// before parents, so that high trees need no more of the thread's stack than low ones. PlanCompiler+Expressions.swift
// and PlanCompiler+Predicates.swift build the nodes.

struct PlanCompiler: ~Copyable {
    enum Task {
        /// Visit a node: push its tasks.
        case expression(ExpressionNode)
        case predicate(PredicateNode)
        /// Build a node from the plans of its children, which are on the result stacks.
        case build(ExpressionNode)
        case buildPredicate(PredicateNode)
        /// The start and the end of a SUBQUERY's condition.
        case bind(name: String)
        case unbind
        /// The end of an expression that the caller bound to a variable. `slot` is that of an assignment to the
        /// variable, if any.
        case leave(scope: [Bound], variable: String, slot: Int?, span: SourceSpan)
    }

    /// A SUBQUERY variable and its slot.
    struct Bound {
        let name: String
        let slot: Int
    }

    let bound: BoundRun
    let variables: [String: FormatArgument]
    /// The faults of constants, such as a malformed pattern in a variable.
    var faults: [EvaluationFault] = []
    private(set) var slotCount = 0
    var cacheCount = 0
    var matcherCount = 0
    /// Set by assignments, whose value later terms read, by `random()`, and by functions of the app that may vary.
    var dependsOnOrder = false
    /// The first keys of all key paths from the object; nil if the object is also read in another way.
    private(set) var readKeys: [String]? = []
    /// Whether the predicate uses `now()`.
    var asksClock = false

    var tasks: [Task] = []
    var expressions: [any ExpressionPlan] = []
    var predicates: [any PredicatePlan] = []
    /// The enclosing SUBQUERY variables, innermost last.
    var scope: [Bound] = []
    /// The slots of SUBQUERYs whose conditions are compiled but whose nodes are not built yet.
    var subquerySlots: [Int] = []
    private let tree: PredicateTree
    /// The variables bound by `:=`, and their slots.
    private(set) lazy var assigned = Dictionary(
        tree.assignedVariables.map { ($0, makeSlot()) }, uniquingKeysWith: { first, _ in first })
    /// Whether an expression bound by the caller is being compiled.
    var isExpanding = false
    /// An evaluation without an object, for constant folding.
    private lazy var scratch = EvaluationContext(bound)

    init(_ tree: PredicateTree, _ bound: BoundRun, variables: [String: FormatArgument]) {
        self.tree = tree
        self.bound = bound
        self.variables = variables
    }

    var functions: FunctionCatalog { bound.rules.environment.functions }

    mutating func compile() -> DynamicPlan.Root {
        switch tree {
        case .predicate(let root): visit(root)
        case .expression(let root): visit(root)
        }
        run()
        return expressions.popLast().map { .expression($0) } ?? .predicate(popPredicate())
    }

    mutating func popExpression() -> any ExpressionPlan { expressions.popLast() ?? ConstantExpression(.null) }
    mutating func popPredicate() -> any PredicatePlan { predicates.popLast() ?? ConstantPredicate(false) }

    /// Pops the last `count` results, in order.
    mutating func popExpressions(_ count: Int) -> [any ExpressionPlan] {
        let plans = Array(expressions.suffix(count))
        expressions.removeLast(plans.count)
        return plans
    }

    /// Records that the object is read: one key, or the whole object.
    mutating func readsObject(_ key: String? = nil) {
        if let key, key != "self", !Self.isOperator(key) { readKeys?.append(key) } else { readKeys = nil }
    }

    static func isOperator(_ key: String) -> Bool { key.utf8.first == UInt8(ascii: "@") }

    mutating func makeSlot() -> Int {
        slotCount += 1
        return slotCount - 1
    }

    private mutating func run() {
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
    }

    /// Evaluates a node of constants at compile time. If that throws, the node is kept and throws during evaluation.
    mutating func fold(_ plan: any OperandExpression) -> any ExpressionPlan {
        guard plan.operands.allSatisfy({ $0.constant != nil }), let value = try? plan.value(&scratch) else {
            return plan
        }
        return ConstantExpression(value)
    }
}
