// A predicate or expression compiled for values of any kind: dictionaries, texts, objects with published keys.
// PlanCompiler.swift compiles it: folds constants, prepares patterns and lists, resolves every name once.
import PredicateModel
import PredicateSyntax

struct DynamicPlan: Sendable {
    enum Root: Sendable {
        case predicate(any PredicatePlan)
        case expression(any ExpressionPlan)
    }

    let root: Root
    let slotCount: Int
    let cacheCount: Int
    let matcherCount: Int
    /// Whether the result depends on which terms are evaluated and in what order.
    let dependsOnOrder: Bool
    /// The first keys of all paths from the object; nil if the object is also read as a whole.
    let rootKeys: Set<String>?
    let asksClock: Bool
    private(set) var options: EvaluationOptions
    let rules: OperatorRules

    /// Compiles a predicate.
    /// - Throws: `PredicateFailure` with every construct that is refused, unknown or malformed.
    init(
        _ predicate: FormatPredicate, variables: [String: FormatArgument], options: EvaluationOptions,
        isStrict: Bool = false
    ) throws(PredicateFailure) {
        try Self.check(predicate.root.height, options.limits, source: predicate.source)
        let compiler = PlanCompiler(options: options, variables: variables, isStrict: isStrict)
        try self.init(.predicate(compiler.compile(predicate.root)), compiler, source: predicate.source)
    }

    init(
        _ expression: FormatExpression, variables: [String: FormatArgument], options: EvaluationOptions
    ) throws(PredicateFailure) {
        try Self.check(expression.root.height, options.limits, source: expression.source)
        let compiler = PlanCompiler(options: options, variables: variables, isStrict: false)
        try self.init(.expression(compiler.compile(expression.root)), compiler, source: expression.source)
    }

    private init(_ root: Root, _ compiler: PlanCompiler, source: String) throws(PredicateFailure) {
        if !compiler.diagnostics.isEmpty { throw PredicateFailure(compiler.diagnostics, source: source) }
        self.root = root
        slotCount = compiler.slotCount
        cacheCount = compiler.cacheCount
        matcherCount = compiler.matcherCount
        dependsOnOrder = compiler.dependsOnOrder
        rootKeys = compiler.rootKeys
        asksClock = compiler.asksClock
        options = compiler.options
        rules = compiler.rules
    }

    static func check(_ height: Int32, _ limits: PredicateLimits, source: String) throws(PredicateFailure) {
        if let tooHigh = limits.exceeded(by: height) { throw PredicateFailure(tooHigh, source: source) }
    }

    /// The same plan with a clock fixed at the current time.
    func atOneInstant() -> DynamicPlan {
        guard asksClock else { return self }
        var plan = self
        let instant = options.clock()
        plan.options.clock = { instant }
        return plan
    }

    func test(_ context: inout EvaluationContext) throws(EvaluationFault) -> Bool {
        guard case .predicate(let plan) = root else { return false }
        return try plan.test(&context)
    }

    func value(_ context: inout EvaluationContext) throws(EvaluationFault) -> PredicateValue {
        guard case .expression(let plan) = root else { return .null }
        let value = try plan.value(&context)
        if case .nsNull = value { return .null }
        return value
    }
}
