// A predicate or expression compiled for values of any kind: dictionaries, texts, objects with published keys.
// PlanCompiler.swift compiles it: folds constants, prepares patterns and lists, resolves every name once.

/// A class, because every evaluation refers to it, and copying a struct would count twenty references each time.
package final class DynamicPlan: Sendable {
    enum Root: Sendable {
        case predicate(any PredicatePlan)
        case expression(any ExpressionPlan)
    }

    let root: Root
    let slotCount: Int
    let cacheCount: Int
    let matcherCount: Int
    /// Whether the result depends on which terms are evaluated, and in which order.
    package let dependsOnOrder: Bool
    /// The first keys of all key paths from the object, some more than once; nil if the object is also read as a whole.
    private let readKeys: [String]?
    package let asksClock: Bool
    let bound: BoundRun
    /// The deadline of the run. It is stored separately, because each block reads it.
    private let end: RunEnd?
    package let rules: OperatorRules
    /// The first key that could not be read, in a run whose tests do not throw.
    private let failedRead = Mutex<EvaluationFault?>(nil)

    /// Compiles a tree in which the checker has found no errors (Binding.swift).
    /// - Throws: `PredicateFailure` with the faults of its constants.
    init(
        _ tree: PredicateTree, source: String, variables: [String: FormatArgument], _ bound: BoundRun
    ) throws(PredicateFailure) {
        var compiler = PlanCompiler(tree, bound, variables: variables)
        root = compiler.compile()
        if !compiler.faults.isEmpty {
            let found = compiler.faults.map { $0.diagnostic }.ordered { $0.span.start < $1.span.start }
            throw PredicateFailure(found, source: source)
        }
        slotCount = compiler.slotCount
        cacheCount = compiler.cacheCount
        matcherCount = compiler.matcherCount
        dependsOnOrder = compiler.dependsOnOrder
        readKeys = compiler.readKeys
        asksClock = compiler.asksClock
        self.bound = bound
        end = bound.run.end
        rules = bound.rules
    }

    /// The functions that the plan may call.
    var functions: FunctionCatalog { rules.environment.functions }
    /// The first keys of all paths from the object; nil if the object is also read as a whole.
    package var rootKeys: Set<String>? { readKeys.map(Set.init) }

    /// The same plan for one run: with a clock fixed at the current time, and without failed reads of other runs.
    func atOneInstant() -> DynamicPlan {
        DynamicPlan(self, asksClock ? BoundRun(rules, bound.run.atOneInstant) : bound)
    }

    private init(_ other: DynamicPlan, _ bound: BoundRun) {
        (root, slotCount, cacheCount, matcherCount) =
            (other.root, other.slotCount, other.cacheCount, other.matcherCount)
        (dependsOnOrder, readKeys, asksClock) = (other.dependsOnOrder, other.readKeys, other.asksClock)
        (self.bound, end, rules) = (bound, other.end, other.rules)
    }

    /// Whether the deadline of the run has passed.
    var isOver: Bool { end?.isOver ?? false }

    /// Records why an object does not match if it could not be read: then a run is not complete.
    func note(_ fault: EvaluationFault) {
        if fault.cause != nil { failedRead.withLock { if $0 == nil { $0 = fault } } }
    }

    /// Throws if a run of the predicate is not complete at its deadline, or could not read an object.
    func requireCompletion(for predicate: FormatPredicate) throws(PredicateFailure) {
        if isOver { throw EvaluationFault.pastDeadline.failure(source: predicate.source) }
        if let fault = failedRead.withLock({ $0 }) { throw fault.failure(source: predicate.source) }
    }

    package func test(_ context: inout EvaluationContext) throws(EvaluationFault) -> Bool {
        guard case .predicate(let plan) = root else { return false }
        try context.checkDeadline()
        return try plan.test(&context)
    }

    func value(_ context: inout EvaluationContext) throws(EvaluationFault) -> PredicateValue {
        guard case .expression(let plan) = root else { return .null }
        try context.checkDeadline()
        let value = try plan.value(&context)
        if case .nsNull = value { return .null }
        return value
    }
}
