// Binds a predicate to the type or table that it will test: checks it, then compiles it. All errors that do not depend
// on an object are found here.
package import PredicateModel
package import PredicateSyntax

/// Checks and compiles predicates and expressions for one published type, for one table, or for values of any type.
package final class Binding: Sendable {
    private let rows: ExpressionType
    private let schema: PredicateSchema
    private let reportsTypes: Bool
    private let variables: [String: FormatArgument]
    private let run: PredicateRun

    private init(
        rows: ExpressionType, schema: PredicateSchema, reportsTypes: Bool, _ variables: PredicateVariables,
        _ run: PredicateRun
    ) {
        self.rows = rows
        self.schema = schema
        self.reportsTypes = reportsTypes
        self.variables = variables.arguments
        self.run = run
    }

    /// - Throws: `key-table` if the type publishes a key twice, or keys that no predicate can name.
    package convenience init<Root: Queryable>(
        _ type: Root.Type, variables: PredicateVariables, run: PredicateRun
    ) throws(PredicateFailure) {
        let schema: PredicateSchema
        do throws(SchemaError) {
            schema = try PublishedSchema.of(type).get()
        } catch {
            let findings = error.problems.map { Diagnostic(.keyTable, at: .none, $0.description) }
            throw PredicateFailure(findings, source: "")
        }
        let rows = ExpressionType(.entity(schema.defaultEntity ?? ""))
        self.init(rows: rows, schema: schema, reportsTypes: true, variables, run)
    }

    convenience init(_ table: PredicateTable, variables: PredicateVariables, run: PredicateRun) {
        self.init(rows: table.types.row, schema: table.types.schema, reportsTypes: true, variables, run)
    }

    /// For types such as texts, numbers and dates. Objects inside them are checked when they are read.
    package convenience init<Value: QueryableValue>(
        values type: Value.Type, variables: PredicateVariables, run: PredicateRun
    ) {
        let stated = QueryType(of: type)
        var schema = PredicateSchema.empty
        schema.unknownKey = .unknownKey
        let isKnown = stated.object == nil
        self.init(rows: isKnown ? stated.type : .any, schema: schema, reportsTypes: isKnown, variables, run)
    }

    /// For values of any type.
    package convenience init(variables: PredicateVariables = [:], run: PredicateRun = PredicateRun()) {
        self.init(rows: .any, schema: .empty, reportsTypes: false, variables, run)
    }

    /// The value of an object, and the binding to its type if it is published.
    package static func of<Root: PredicateValueConvertible>(
        _ object: Root, variables: PredicateVariables, run: PredicateRun
    ) throws(PredicateFailure) -> (value: PredicateValue, binding: Binding) {
        guard let type = Root.self as? any Queryable.Type, let value = type.value(of: object) else {
            return (object.predicateValue, Binding(variables: variables, run: run))
        }
        return (value, try Binding(type, variables: variables, run: run))
    }

    /// Returns the plan of a predicate or an expression.
    /// - Parameter isStrict: whether a variable without a value is an error.
    package func plan(_ text: some FormatText, isStrict: Bool = false) throws(PredicateFailure) -> DynamicPlan {
        try check(text, isStrict: isStrict)
        let bound = BoundRun(text.environment.rules, run)
        return try DynamicPlan(text.tree, source: text.source, variables: variables, bound)
    }

    /// Finds the errors of a predicate without compiling it, except errors in constants.
    package func check(_ text: some FormatText, isStrict: Bool = true) throws(PredicateFailure) {
        let found = findings(text, isStrict: isStrict, findsConstants: false)
        guard found.contains(where: { $0.severity == .error }) else { return }
        // A failure has all diagnostics, also the warnings.
        throw PredicateFailure(findings(text, isStrict: isStrict, findsConstants: true), source: text.source)
    }

    private func findings(_ text: some FormatText, isStrict: Bool, findsConstants: Bool) -> [Diagnostic] {
        var checker = TypeChecker(rows: rows, schema: schema, in: text.environment, reportsTypes: reportsTypes)
        checker.variables = variables
        return checker.check(
            binding: text.tree, source: text.source, isStrict: isStrict, hasLocale: PredicateEnvironment.hasLocale,
            findsConstants: findsConstants)
    }

    /// Returns the warnings of a predicate without errors.
    func warnings(of predicate: FormatPredicate) -> [Diagnostic] {
        let found = findings(predicate, isStrict: true, findsConstants: true)
        return (predicate.warnings + found).ordered { $0.span.start < $1.span.start }
    }
}
