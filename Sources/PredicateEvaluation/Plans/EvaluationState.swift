// A pool of evaluation states, because creating a state costs more than evaluating most predicates, and pattern
// matchers cache automaton states.
import PredicateModel
import PredicateSyntax
import Synchronization

/// The mutable state of one evaluation.
///
/// @unchecked Sendable: after `take` only the caller uses it, until `give`.
final class EvaluationState: @unchecked Sendable {
    var context: EvaluationContext
    /// Whether the context already contains the object under test.
    var isLoaded = false

    init(_ plan: DynamicPlan) { context = EvaluationContext(object: .null, plan: plan) }
}

/// The unused states of one plan.
final class StatePool: Sendable {
    private let plan: DynamicPlan
    private let free = Mutex<[EvaluationState]>([])

    init(_ plan: DynamicPlan) { self.plan = plan }

    /// Returns a state for a new evaluation. `now()` and `random()` start again.
    func take() -> EvaluationState {
        guard let state = free.withLock({ $0.popLast() }) else { return EvaluationState(plan) }
        state.context.functions.restart(seed: plan.options.seed)
        return state
    }

    func give(_ state: EvaluationState) {
        // Release the object.
        state.context.begin(.null)
        free.withLock { if $0.count < 16 { $0.append(state) } }
    }
}
