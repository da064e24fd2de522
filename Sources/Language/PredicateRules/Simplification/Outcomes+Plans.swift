// The results of evaluation.

extension Outcomes {
    /// The result of a predicate for an object.
    init(of plan: DynamicPlan, for object: PredicateValue) {
        var context = EvaluationContext(object: object, plan: plan)
        do throws(EvaluationFault) { self.init(try plan.test(&context)) } catch { self = .raised }
    }
}
