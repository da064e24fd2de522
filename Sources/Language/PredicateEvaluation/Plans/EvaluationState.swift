// A pool of evaluation states, because creating a state costs more than evaluating most predicates, and pattern
// matchers cache automaton states.

/// The mutable state of one evaluation.
///
/// @unchecked Sendable: after `take` only the caller uses it, until `give`.
final class EvaluationState: @unchecked Sendable {
    var context: EvaluationContext
    /// Converts the object at an address to a value.
    let load: ObjectLoader
    /// Whether the context already contains the object under test.
    var isLoaded = false

    init(_ plan: DynamicPlan, _ load: @escaping ObjectLoader) {
        context = EvaluationContext(object: .null, plan: plan)
        self.load = load
    }
}

/// The unused states of one plan.
final class StatePool: Sendable {
    /// Creates the function that loads the objects of a plan. It is created with each state, because many plans never
    /// need a state.
    typealias MakeLoader = @Sendable (DynamicPlan) -> ObjectLoader

    private let plan: DynamicPlan
    let makeLoader: MakeLoader
    private let free = Mutex<[EvaluationState]>([])

    init(_ plan: DynamicPlan, makeLoader: @escaping MakeLoader) {
        self.plan = plan
        self.makeLoader = makeLoader
    }

    /// Returns a state for a new evaluation. `now()` and `random()` start again.
    func take() -> EvaluationState {
        guard let state = free.withLock({ $0.popLast() }) else {
            return EvaluationState(plan, makeLoader(plan))
        }
        state.context.functions.restart(seed: plan.bound.run.seed)
        return state
    }

    func give(_ state: EvaluationState) {
        // Release the object.
        state.context.begin(.null)
        free.withLock { if $0.count < 16 { $0.append(state) } }
    }
}
