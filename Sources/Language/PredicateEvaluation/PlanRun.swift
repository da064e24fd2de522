// Tests or computes many values one by one. For other targets of this package that read values as a stream.

/// A run of a plan over many values. Caches (shapes of dictionaries, states of patterns) are reused for the next value.
/// `now()` is the same instant for all values. It does not retain a value, so the caller can change it in place. Use a run
/// from one thread.
package struct PlanRun {
    private let plan: DynamicPlan
    private let source: String
    private var context: EvaluationContext
    /// The result for all values, if it is known.
    private let answer: Bool?

    /// - Throws: every construct that evaluation refuses, and every unbound variable.
    package init(
        _ predicate: FormatPredicate, variables: PredicateVariables, run: PredicateRun
    ) throws(PredicateFailure) {
        self.init(try Binding(variables: variables, run: run).plan(predicate, isStrict: true), predicate.source)
    }

    init(_ plan: DynamicPlan, _ source: String) {
        self.plan = plan
        self.source = source
        answer = if case .predicate(let root) = plan.root { (root as? ConstantPredicate)?.known } else { nil }
        context = EvaluationContext(object: .null, plan: plan)
    }

    /// Returns whether the value matches a predicate.
    /// - Throws: like `PredicateMatcher.test`.
    package mutating func test(_ object: PredicateValue) throws(PredicateFailure) -> Bool {
        do throws(EvaluationFault) {
            if let answer {
                try context.checkDeadline()
                return answer
            }
            context.begin(object)
            defer { context.object = .null }
            return try plan.test(&context)
        } catch {
            throw error.failure(source: source)
        }
    }

    /// Returns the value of an expression for an object.
    package mutating func value(of object: PredicateValue) throws(PredicateFailure) -> PredicateValue {
        context.begin(object)
        defer { context.object = .null }
        do throws(EvaluationFault) { return try plan.value(&context) } catch { throw error.failure(source: source) }
    }
}
