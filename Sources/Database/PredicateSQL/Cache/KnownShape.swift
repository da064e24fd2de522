// Cached SQL of one shape: the query of a predicate, and the statements compiled for it. Their values are computed from
// the constants of another predicate. Values of a request are numbered after the constants of the predicate.

/// A query or a statement, with the SQL that has its bindings.
struct Compiled<Result: Sendable> {
    let result: Result
    let fragments: [SQLFragment]
}

/// A cached shape, its query, and the statements that were compiled for it.
final class KnownShape: Sendable {
    /// Cached SQL and how to compute its values from other constants.
    private struct Template<Result: Sendable>: Sendable {
        let result: Result
        /// The values that belong to the constants with which the SQL was compiled.
        private let values: [PredicateValue]
        /// The indices of the values that depend on constants, and how to compute them.
        private let sources: [(index: Int, source: ValueSource)]

        init(_ compiled: Compiled<Result>, _ shape: PredicateShape) {
            result = compiled.result
            let bindings = compiled.fragments.flatMap { $0.bindings }
            values = bindings.map { $0.value }
            sources = bindings.enumerated().compactMap { index, binding in
                shape.source(of: binding).map { (index, $0) }
            }
        }

        /// The values for other constants; nil if these need different SQL.
        func values(_ constants: [PredicateValue]) -> [PredicateValue]? {
            var values = values
            for (index, source) in sources {
                guard let value = source.value(constants) else { return nil }
                values[index] = value
            }
            return values
        }
    }

    private let shape: PredicateShape
    private let environment: PredicateEnvironment
    private let query: Template<SQLQuery>
    private let statements = Mutex<[StatementKey: Template<SQLStatement>]>([:])

    /// The maximum number of statements per shape.
    private static let capacity = 16

    init(_ predicate: FormatPredicate, of entity: String, _ compiled: Compiled<SQLQuery>, _ record: ConstantRecord) {
        shape = PredicateShape(root: predicate.root, entity: entity, facts: record.facts)
        environment = predicate.environment
        query = Template(compiled, shape)
    }

    /// The query of a predicate, and its constants; nil if the predicate has another shape or environment.
    func query(_ predicate: FormatPredicate, of entity: String) -> (query: SQLQuery, constants: [PredicateValue])? {
        guard predicate.environment === environment,
            let constants = shape.constants(of: predicate.root, of: entity), let values = query.values(constants)
        else { return nil }
        return (query.result.binding(values), constants)
    }

    /// The statement for a predicate of this shape; nil if no statement with this key was compiled yet.
    func statement(_ request: WrittenRequest, _ query: SQLQuery, _ constants: [PredicateValue]) -> SQLStatement? {
        guard let known = statements.withLock({ $0[request.key] }),
            let values = known.values(constants + request.values)
        else { return nil }
        return known.result.binding(values, query)
    }

    func remember(_ compiled: Compiled<SQLStatement>, _ key: StatementKey, _ record: ConstantRecord) {
        guard shape.facts == record.facts else { return }
        let template = Template(compiled, shape)
        statements.withLock { statements in
            if statements.count >= Self.capacity { statements.removeAll(keepingCapacity: true) }
            statements[key] = template
        }
    }
}

// A new value is made, because a copy would first share the old values, which takes longer.

extension SQLQuery {
    fileprivate func binding(_ values: [PredicateValue]) -> SQLQuery {
        SQLQuery(
            text: text, from: from, statement: statement, bindings: values, bindingTypes: bindingTypes,
            residual: nil, reasons: [], requirements: requirements, improvements: improvements)
    }
}

extension SQLStatement {
    fileprivate func binding(_ values: [PredicateValue], _ query: SQLQuery) -> SQLStatement {
        SQLStatement(
            text: text, bindings: values, bindingTypes: bindingTypes, query: query, isSorted: isSorted,
            isLimited: isLimited, hasCertain: hasCertain, sortReasons: sortReasons, requirements: requirements)
    }
}
