// The states of evaluations, kept for the next ones: making one costs more than most predicates do, and matchers of
// patterns learn from the texts that they see.
import PredicateModel
import PredicateSyntax
import Synchronization

/// What one evaluation changes.
///
/// Unchecked: it belongs to whoever took it out of its pool, and to nobody else until it is given back.
final class EvaluationState: @unchecked Sendable {
    var context: EvaluationContext
    /// Whether the context has the object that is tested.
    var isLoaded = false

    init(_ plan: DynamicPlan) { context = EvaluationContext(object: .null, plan: plan) }
}

/// The states of one plan that nobody uses.
final class StatePool: Sendable {
    private let plan: DynamicPlan
    private let free = Mutex<[EvaluationState]>([])

    init(_ plan: DynamicPlan) { self.plan = plan }

    /// A state in which nothing was evaluated yet; `now()` and `random()` begin anew.
    func take() -> EvaluationState {
        guard let state = free.withLock({ $0.popLast() }) else { return EvaluationState(plan) }
        state.context.functions.restart(seed: plan.options.seed)
        return state
    }

    func give(_ state: EvaluationState) {
        // Keeps no object alive.
        state.context.begin(.null)
        free.withLock { if $0.count < 16 { $0.append(state) } }
    }
}
