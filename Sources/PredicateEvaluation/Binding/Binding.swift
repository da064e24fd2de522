// Binds a predicate to the type or table that it will test: checks it, then compiles it. All errors that do not depend
// on an object are found here.
package import PredicateModel
package import PredicateSyntax

/// Checks and compiles predicates and expressions for one published type, for one table, or for values of any type.
package final class Binding: Sendable {
    private let checker: TypeChecker
    private let options: BoundOptions
    private let variables: [String: FormatArgument]

    private init(_ checker: consuming TypeChecker, _ variables: PredicateVariables, _ options: EvaluationOptions) {
        checker.variables = variables.arguments
        self.checker = checker
        self.options = BoundOptions(options)
        self.variables = variables.arguments
    }

    /// - Throws: `key-table` if the type publishes a key twice, or keys that no predicate can name.
    package convenience init<Root: Queryable>(
        _ type: Root.Type, variables: PredicateVariables, options: EvaluationOptions
    ) throws(PredicateFailure) {
        let schema: PredicateSchema
        do throws(SchemaError) {
            schema = try PublishedSchema.of(type).get()
        } catch {
            let findings = error.problems.map { Diagnostic(.keyTable, at: .none, $0.description) }
            throw PredicateFailure(findings, source: "")
        }
        let checker = TypeChecker(
            rows: ExpressionType(.entity(schema.defaultEntity ?? "")), schema: schema, catalog: options.functions,
            options: options.language, limits: options.limits, reportsTypes: true)
        self.init(checker, variables, options)
    }

    convenience init(_ table: PredicateTable, variables: PredicateVariables, options: EvaluationOptions) {
        let checker = TypeChecker(
            rows: table.types.row, schema: table.types.schema, catalog: options.functions, options: options.language,
            limits: options.limits, reportsTypes: true)
        self.init(checker, variables, options)
    }

    /// For types such as texts, numbers and dates. Objects inside them are checked when they are read.
    package convenience init<Value: QueryableValue>(
        values type: Value.Type, variables: PredicateVariables, options: EvaluationOptions
    ) {
        let stated = QueryType(of: type)
        var schema = PredicateSchema.empty
        schema.unknownKey = .unknownKey
        let checker = TypeChecker(
            rows: stated.object == nil ? stated.type : .any, schema: schema, catalog: options.functions,
            options: options.language, limits: options.limits, reportsTypes: stated.object == nil)
        self.init(checker, variables, options)
    }

    /// For values of any type.
    package convenience init(variables: PredicateVariables, options: EvaluationOptions) {
        let checker = TypeChecker(
            catalog: options.functions, options: options.language, limits: options.limits, reportsTypes: false)
        self.init(checker, variables, options)
    }

    /// The value of an object, and the binding to its type if it is published.
    package static func of<Root: PredicateValueConvertible>(
        _ object: Root, variables: PredicateVariables, options: EvaluationOptions
    ) throws(PredicateFailure) -> (value: PredicateValue, binding: Binding) {
        guard let type = Root.self as? any Queryable.Type, let value = type.value(of: object) else {
            return (object.predicateValue, Binding(variables: variables, options: options))
        }
        return (value, try Binding(type, variables: variables, options: options))
    }

    /// Returns the plan of a predicate.
    /// - Parameter isStrict: whether a variable without a value is an error.
    package func plan(_ predicate: FormatPredicate, isStrict: Bool) throws(PredicateFailure) -> DynamicPlan {
        try plan(.predicate(predicate.root), predicate.source, isStrict: isStrict)
    }

    /// Returns the plan of an expression.
    func plan(_ expression: FormatExpression) throws(PredicateFailure) -> DynamicPlan {
        try plan(.expression(expression.root), expression.source, isStrict: false)
    }

    private func plan(
        _ tree: PredicateTree, _ source: String, isStrict: Bool
    ) throws(PredicateFailure) -> DynamicPlan {
        try check(tree, source, isStrict: isStrict)
        return try DynamicPlan(tree, source: source, variables: variables, options: options)
    }

    /// Finds the errors of a predicate without compiling it, except errors in constants.
    package func check(_ predicate: FormatPredicate) throws(PredicateFailure) {
        try check(.predicate(predicate.root), predicate.source, isStrict: true)
    }

    private func check(_ tree: PredicateTree, _ source: String, isStrict: Bool) throws(PredicateFailure) {
        func isError(_ diagnostic: Diagnostic) -> Bool { diagnostic.severity == .error }
        guard findings(tree, source, isStrict: isStrict, findsConstants: false).contains(where: isError) else { return }
        // A failure has all diagnostics, also the warnings.
        throw PredicateFailure(findings(tree, source, isStrict: isStrict, findsConstants: true), source: source)
    }

    private func findings(
        _ tree: PredicateTree, _ source: String, isStrict: Bool, findsConstants: Bool
    ) -> [Diagnostic] {
        checker.check(
            binding: tree, source: source, isStrict: isStrict, hasLocale: EvaluationOptions.hasLocale,
            findsConstants: findsConstants)
    }

    /// Returns the warnings of a predicate without errors.
    func warnings(of predicate: FormatPredicate) -> [Diagnostic] {
        let found = findings(.predicate(predicate.root), predicate.source, isStrict: true, findsConstants: true)
        return (predicate.warnings + found).ordered { $0.span.start < $1.span.start }
    }
}
