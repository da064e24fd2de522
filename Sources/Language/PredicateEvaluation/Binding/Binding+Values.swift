// Bindings to a published type, to a table, and to values of Swift's types.

extension Binding {
    /// - Throws: `key-table` if the type publishes a key twice, or keys that no predicate can name.
    package convenience init<Root: Queryable>(
        _ type: Root.Type, variables: PredicateVariables, run: PredicateRun
    ) throws(PredicateFailure) {
        let schema = try PredicateSchema.published(by: type)
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
        schema.describesTypes = true
        let isKnown = stated.object == nil
        self.init(rows: isKnown ? stated.type : .any, schema: schema, reportsTypes: isKnown, variables, run)
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
}
