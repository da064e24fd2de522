// Binds a predicate to a published type or a table. All type errors are found here, without an object. The errors of the checker and of
// the compiler are thrown together.
import PredicateModel
import PredicateSyntax

/// Checks and compiles predicates and expressions for one published type, or one table.
struct TypedBinding {
    private var checker: TypeChecker
    private let options: EvaluationOptions
    private let variables: [String: FormatArgument]

    /// - Throws: `key-table` if the type publishes a key twice, or keys that no predicate can name.
    init<Root: Queryable>(
        _ type: Root.Type, variables: PredicateVariables, options: EvaluationOptions
    ) throws(PredicateFailure) {
        let schema: PredicateSchema
        do throws(SchemaError) {
            schema = try PublishedSchema.of(type).get()
        } catch {
            let findings = error.problems.map { Diagnostic(.keyTable, at: .none, $0.description) }
            throw PredicateFailure(findings, source: "")
        }
        self.options = options
        self.variables = variables.mapValues(\.argument)
        checker = try TypeChecker(
            schema: schema, entity: schema.defaultEntity ?? "", catalog: options.functions, options: options.language,
            limits: options.limits)
        checker.variables = self.variables
    }

    init(_ table: PredicateTable, variables: PredicateVariables, options: EvaluationOptions) {
        self.options = options
        self.variables = variables.mapValues(\.argument)
        checker = TypeChecker(
            rows: table.types.row, schema: table.types.schema, catalog: options.functions, options: options.language,
            limits: options.limits)
        checker.variables = self.variables
    }

    /// Returns the plan of a predicate, and the warnings.
    ///
    /// - Parameters:
    ///   - predicate: the predicate to check and compile.
    ///   - isStrict: whether an unbound variable is an error.
    func plan(
        _ predicate: FormatPredicate, isStrict: Bool
    ) throws(PredicateFailure) -> (plan: DynamicPlan, warnings: [Diagnostic]) {
        // A predicate with a source was checked when it was parsed, except for its types.
        let known = Self.hints(predicate.warnings)
        let findings =
            predicate.source.isEmpty
            ? checker.check(predicate.root, adding: known)
            : checker.checkTypes(predicate.root, source: predicate.source, adding: known)
        let plan = try plan(findings, predicate.source) { () throws(PredicateFailure) in
            try DynamicPlan(predicate, variables: variables, options: options, isStrict: isStrict)
        }
        return (plan, findings)
    }

    /// Returns the plan of an expression.
    func plan(_ expression: FormatExpression) throws(PredicateFailure) -> DynamicPlan {
        let known = Self.hints(expression.warnings)
        let findings = checker.check(expression.root, source: expression.source, adding: known).diagnostics
        return try plan(findings, expression.source) { () throws(PredicateFailure) in
            try DynamicPlan(expression, variables: variables, options: options)
        }
    }

    /// Removes the warnings about constructs that the standard catalogue refuses. The host's catalogue may allow them; if
    /// not, the compiler reports them.
    private static func hints(_ warnings: [Diagnostic]) -> [Diagnostic] {
        warnings.filter { !TypeChecker.refusals.contains($0.id) }
    }

    /// Returns the compiled plan if the checker has found no error; else throws the diagnostics of both.
    private func plan(
        _ findings: [Diagnostic], _ source: String, _ compile: () throws(PredicateFailure) -> DynamicPlan
    ) throws(PredicateFailure) -> DynamicPlan {
        var all = findings
        do throws(PredicateFailure) {
            let plan = try compile()
            if !findings.contains(where: { $0.severity == .error }) { return plan }
        } catch {
            all += error.diagnostics.filter { found in
                !findings.contains { $0.id == found.id && $0.span == found.span }
            }
            all.sort { $0.span.start < $1.span.start }
        }
        throw PredicateFailure(all, source: source)
    }
}
