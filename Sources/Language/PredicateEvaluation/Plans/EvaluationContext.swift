// The mutable state of one evaluation, or of one run over many objects. Plans are immutable and shared; this
// state is passed through them as an `inout` argument.

package struct EvaluationContext {
    /// The value of SELF.
    var object: PredicateValue
    /// The variables of SUBQUERY and of assignments; nil if unbound.
    var slots: [PredicateValue?]
    var functions: FunctionContext
    /// For each key of the plan, the shape of the last dictionary and the key's index in it. Rows of a table share
    /// their shape, so a key is looked up once for all rows.
    var shapes: [ShapeCache]
    /// The matchers of the plan's constant patterns. They cache automaton states.
    private var matchers: [TextMatcher?]
    /// The matchers of patterns that are read from objects.
    private var otherMatchers: [PatternKey: TextMatcher] = [:]
    /// The limits for each object. Copies, because reading them from the rules takes as long as a short evaluation.
    private let steps: Int
    private let objectTime: Duration
    private var stepsLeft: Int
    /// The number of remaining steps at which the clock is read next.
    private var pause = 0
    /// The time for the remaining steps of this object, counted from the first time that the clock is read.
    private var time: Duration
    private var end: ContinuousClock.Instant?
    private let runEnd: RunEnd?

    private struct PatternKey: Hashable {
        let `operator`: ComparisonOperator
        let options: ComparisonOptions
        let text: [UInt8]
    }

    struct ShapeCache {
        var shape: ValueDictionary.Shape?
        var position = -1
    }

    package init(object: PredicateValue, plan: DynamicPlan) {
        self.init(plan.bound)
        self.object = object
        slots = Array(repeating: nil, count: plan.slotCount)
        shapes = Array(repeating: ShapeCache(), count: plan.cacheCount)
        matchers = Array(repeating: nil, count: plan.matcherCount)
    }

    /// For key paths that belong to no plan.
    package init(run: PredicateRun) { self.init(BoundRun(PredicateEnvironment.standard.rules, run)) }

    /// For expressions without an object and variables.
    init(_ bound: BoundRun) {
        object = .null
        (slots, shapes, matchers) = ([], [], [])
        let (rules, run) = (bound.rules, bound.run)
        functions = FunctionContext(rules: rules, clock: run.clock, seed: run.seed)
        runEnd = run.end
        steps = rules.limits.steps
        objectTime = rules.limits.time
        (stepsLeft, time) = (steps, objectTime)
        pause = stepsLeft - Self.stride
    }

    /// Makes caches for key paths that belong to no plan (`DottedPath.cache`).
    package mutating func reserveCaches(_ count: Int) {
        while shapes.count < count { shapes.append(ShapeCache()) }
    }

    /// Begins the next object of a run. Keeps the caches and the random generator.
    /// - Parameter share: the number of such evaluations among which an object's time is divided.
    package mutating func begin(_ object: PredicateValue, share: Int = 1) {
        self.object = object
        for index in slots.indices { slots[index] = nil }
        stepsLeft = steps
        time = share > 1 ? objectTime / share : objectTime
        pause = stepsLeft - Self.stride
        end = nil
    }

    /// Counts one evaluation of an inner predicate. Throws if a limit is reached.
    mutating func step() throws(EvaluationFault) {
        stepsLeft -= 1
        if stepsLeft < 0 || stepsLeft < pause { try checkLimits() }
    }

    private static let stride = 4096

    private mutating func checkLimits() throws(EvaluationFault) {
        let limits = functions.rules.limits
        if stepsLeft < 0 { throw .tooManySteps(limits) }
        try checkDeadline()
        let now = ContinuousClock.now
        if let end, now > end { throw .tooSlow(limits) }
        end = end ?? now + time
        pause = stepsLeft - Self.stride
    }

    /// Throws if the deadline of the run has passed.
    func checkDeadline() throws(EvaluationFault) { if isOver { throw .pastDeadline } }

    /// Whether the deadline of the run has passed.
    var isOver: Bool { runEnd?.isOver ?? false }

    /// Tests a text. Also checks the deadline if the pattern may be slow.
    func test(_ text: String, _ matcher: TextMatcher) throws(EvaluationFault) -> Bool {
        let answer = try matcher.test(text)
        if runEnd != nil, matcher.regular == nil { try checkDeadline() }
        return answer
    }

    /// The number of evaluations of inner predicates for this object so far.
    var stepsTaken: Int { steps - stepsLeft }

    func check(elements: Int) throws(EvaluationFault) {
        let limits = functions.rules.limits
        if elements > limits.elements { throw .tooManyElements(limits) }
    }

    /// The value of a key in a dictionary; the value nil if it is missing.
    mutating func look(up key: String, in dictionary: ValueDictionary, cache: Int) -> PredicateValue {
        let position = position(of: key, in: dictionary.shape, cache: cache)
        return position < 0 ? .null : dictionary.values[position]
    }

    /// The index of a key in a shape; -1 if it is missing.
    mutating func position(of key: String, in shape: ValueDictionary.Shape, cache: Int) -> Int {
        if shapes[cache].shape !== shape {
            shapes[cache] = ShapeCache(shape: shape, position: shape.keys.firstIndex(of: key) ?? -1)
        }
        return shapes[cache].position
    }

    /// The matcher of a constant pattern.
    mutating func matcher(at index: Int, _ test: TextTest) -> TextMatcher {
        if let matcher = matchers[index] { return matcher }
        let matcher = test.matcher()
        matchers[index] = matcher
        return matcher
    }

    /// Compares two values. Patterns of LIKE and MATCHES are compiled once each and cached, up to a limit.
    mutating func test(_ comparison: Comparison, _ left: PredicateValue, _ right: PredicateValue)
        throws(EvaluationFault) -> Bool
    {
        guard PreparedComparison.needsMatcher(comparison), case .string(let text) = left,
            case .string(let pattern) = right
        else { return try comparison.test(left, right) }
        let key = PatternKey(operator: comparison.operator, options: comparison.options, text: Array(pattern.utf8))
        if let matcher = otherMatchers[key] { return try self.test(text, matcher) }
        let test = try TextTest(comparison.operator, pattern, comparison.options, rules: comparison.rules)
        if otherMatchers.count >= 32 { otherMatchers.removeAll() }
        let matcher = test.matcher()
        otherMatchers[key] = matcher
        return try self.test(text, matcher)
    }
}
