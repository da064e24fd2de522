// Binds a predicate to the type or table that it will test: checks it, then compiles it. All errors that do not depend
// on an object are found here.

/// Checks and compiles predicates and expressions for one published type, for one table, or for values of any type.
package final class Binding: Sendable {
    private let rows: ExpressionType
    private let schema: PredicateSchema
    private let reportsTypes: Bool
    private let variables: [String: FormatArgument]
    private let run: PredicateRun

    init(
        rows: ExpressionType, schema: PredicateSchema, reportsTypes: Bool, _ variables: PredicateVariables,
        _ run: PredicateRun
    ) {
        self.rows = rows
        self.schema = schema
        self.reportsTypes = reportsTypes
        self.variables = variables.arguments
        self.run = run
    }

    /// For values of any type.
    package convenience init(variables: PredicateVariables = [:], run: PredicateRun = PredicateRun()) {
        self.init(rows: .any, schema: .empty, reportsTypes: false, variables, run)
    }

    /// Returns the plan of a predicate or an expression.
    /// - Parameter isStrict: whether a variable without a value is an error.
    package func plan(_ text: some FormatText, isStrict: Bool = false) throws(PredicateFailure) -> DynamicPlan {
        try check(text, isStrict: isStrict)
        let bound = BoundRun(text.environment.rules, run)
        let tree = checker(text.environment).reading(text.tree, source: text.source)
        return try DynamicPlan(tree, source: text.source, variables: variables, bound)
    }

    /// The predicate with its typed texts read.
    package func reading(_ predicate: FormatPredicate) -> FormatPredicate {
        predicate.reading(by: checker(predicate.environment))
    }

    /// Finds the errors of a predicate without compiling it, except errors in constants.
    package func check(_ text: some FormatText, isStrict: Bool = true) throws(PredicateFailure) {
        let found = findings(text, isStrict: isStrict, findsConstants: false)
        guard found.contains(where: { $0.severity == .error }) else { return }
        // A failure has all diagnostics, also the warnings.
        throw PredicateFailure(findings(text, isStrict: isStrict, findsConstants: true), source: text.source)
    }

    private func checker(_ environment: PredicateEnvironment) -> TypeChecker {
        var checker = TypeChecker(rows: rows, schema: schema, in: environment, reportsTypes: reportsTypes)
        checker.variables = variables
        return checker
    }

    private func findings(_ text: some FormatText, isStrict: Bool, findsConstants: Bool) -> [PredicateDiagnostic] {
        checker(text.environment).check(
            binding: text.tree, source: text.source, isStrict: isStrict, hasLocale: PredicateEnvironment.hasLocale,
            findsConstants: findsConstants)
    }

    /// Returns the warnings of a predicate without errors.
    func warnings(of predicate: FormatPredicate) -> [PredicateDiagnostic] {
        let found = findings(predicate, isStrict: true, findsConstants: true)
        return (predicate.warnings + found).ordered { $0.span.start < $1.span.start }
    }
}
