// Testing many values one by one, for the targets of this package that read them as they come.
internal import PredicateModel
package import PredicateSyntax

/// A run over many values: what it learns from one (the shapes of dictionaries, the states of patterns) serves the next.
/// `now()` is one instant for all of them. One thread's own.
package struct MatcherRun {
    private let plan: DynamicPlan
    private let source: String
    private var context: EvaluationContext

    package init(_ matcher: Matcher<Value>) {
        plan = matcher.plan
        source = matcher.predicate.source
        context = EvaluationContext(object: .null, plan: plan)
    }

    /// Whether the value satisfies the predicate. It is not kept, so that the caller may change it in place.
    /// - Throws: as `Matcher.test`.
    package mutating func test(_ object: Value) throws(PredicateFailure) -> Bool {
        context.begin(object)
        defer { context.object = .null }
        do throws(EvaluationFault) {
            return try plan.test(&context)
        } catch {
            throw PredicateFailure(error.diagnostic, source: source)
        }
    }
}

extension Matcher {
    /// The keys of an object that are read; nil where it is read as a whole, by SELF for instance.
    package var rootKeys: Set<String>? { plan.rootKeys }
}
