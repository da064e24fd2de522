// Binding to a published type: every type error is found here, before any object is seen. The checker finds what the types
// rule out, the compiler what no type allows; both are thrown together.
import PredicateModel
import PredicateSyntax

/// What a predicate or an expression about one published type is checked by.
struct TypedBinding {
    private var checker: TypeChecker
    private let options: EvaluationOptions
    private let variables: [String: FormatArgument]

    /// - Throws: `key-table`, where the type publishes keys that no predicate could name.
    init<Root: Queryable>(
        _ type: Root.Type, variables: PredicateVariables, options: EvaluationOptions
    ) throws(PredicateFailure) {
        let schema: Schema
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

    /// The plan of a predicate, and what was found and is no error.
    /// - Parameter isStrict: whether a variable that nothing binds is an error.
    func plan(
        _ predicate: FormatPredicate, isStrict: Bool
    ) throws(PredicateFailure) -> (plan: DynamicPlan, warnings: [Diagnostic]) {
        // What was read from a text was checked then, by itself.
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

    /// The plan of an expression.
    func plan(_ expression: FormatExpression) throws(PredicateFailure) -> DynamicPlan {
        let known = Self.hints(expression.warnings)
        let findings = checker.check(expression.root, source: expression.source, adding: known).diagnostics
        return try plan(findings, expression.source) { () throws(PredicateFailure) in
            try DynamicPlan(expression, variables: variables, options: options)
        }
    }

    /// Without what reading warned of because the standard catalogue refuses it: the compiler knows the host's.
    private static func hints(_ warnings: [Diagnostic]) -> [Diagnostic] {
        warnings.filter { !TypeChecker.refusals.contains($0.id) }
    }

    /// What compiles, where the checker found no error; else the findings of both.
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
