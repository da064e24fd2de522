// Matchers without type checking, so that all plans can also be compared for operands of the wrong type. These still
// occur in dictionaries and in keys of any type.
import Predicates

@testable import PredicateEvaluation

extension FormatPredicate {
    func unchecked<Root: Queryable>(
        for type: Root.Type, variables: PredicateVariables = [:], run: PredicateRun = PredicateRun()
    ) throws(PredicateFailure) -> PredicateMatcher<Root> {
        PredicateMatcher(try Root.test(self, Binding(variables: variables, run: run)))
    }

    func unchecked(
        for table: PredicateTable, variables: PredicateVariables = [:], run: PredicateRun = PredicateRun()
    ) throws(PredicateFailure) -> TableMatcher {
        try TableMatcher(self, Binding(variables: variables, run: run), table)
    }
}
