// Cached SQL of one shape: the query of a predicate, and the statements compiled for it. Their values are computed from
// the constants of another predicate. Values of a request are numbered after the constants of the predicate.
import PredicateModel
import PredicateSyntax

/// Computes the values of cached SQL.
struct ValueTemplate: Sendable {
    /// The values that belong to the constants with which the SQL was compiled.
    private let values: [PredicateValue]
    /// The indices of the values that depend on constants, and how to compute them.
    private var sources: [(index: Int, source: ValueSource)] = []

    init(_ bindings: [SQLFragment.Binding], _ shape: PredicateShape) {
        values = bindings.map { $0.value }
        for (index, binding) in bindings.enumerated() {
            if let source = shape.source(of: binding) { sources.append((index, source)) }
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

/// A cached shape, its query, and the statements that were compiled for it.
final class KnownShape: Sendable {
    private let shape: PredicateShape
    private let query: SQLQuery
    private let template: ValueTemplate
    private let statements = Mutex<[RequestForm: (statement: SQLStatement, template: ValueTemplate)]>([:])

    /// The maximum number of statements per shape.
    private static let capacity = 16

    init(_ root: PredicateNode, of entity: String, _ compiled: CompiledQuery, _ record: ConstantRecord) {
        shape = PredicateShape(root, of: entity, record)
        query = compiled.query
        template = ValueTemplate(compiled.bindings, shape)
    }

    /// The query of a predicate, and its constants; nil if the predicate has another shape.
    func query(_ root: PredicateNode, of entity: String) -> (query: SQLQuery, constants: [PredicateValue])? {
        guard let constants = shape.constants(of: root, of: entity), let values = template.values(constants) else {
            return nil
        }
        return (query.binding(values), constants)
    }

    /// The statement for a predicate of this shape; nil if no statement of this form was compiled yet.
    func statement(_ request: WrittenRequest, _ query: SQLQuery, _ constants: [PredicateValue]) -> SQLStatement? {
        guard let known = statements.withLock({ $0[request.form] }),
            let values = known.template.values(constants + request.values)
        else { return nil }
        return known.statement.binding(values, query)
    }

    func remember(_ compiled: CompiledStatement, _ form: RequestForm, _ record: ConstantRecord) {
        guard shape.equals(record) else { return }
        let template = ValueTemplate(compiled.bindings, shape)
        statements.withLock { statements in
            if statements.count >= Self.capacity { statements.removeAll(keepingCapacity: true) }
            statements[form] = (compiled.statement, template)
        }
    }
}

// A new value is made, because a copy would first share the old values, which takes longer.

extension SQLQuery {
    fileprivate func binding(_ values: [PredicateValue]) -> SQLQuery {
        SQLQuery(
            text: text, from: from, statement: statement, bindings: values, bindingTypes: bindingTypes,
            residual: nil, reasons: [], requirements: requirements, improvements: improvements, selectsAll: selectsAll)
    }
}

extension SQLStatement {
    fileprivate func binding(_ values: [PredicateValue], _ query: SQLQuery) -> SQLStatement {
        SQLStatement(
            text: text, bindings: values, bindingTypes: bindingTypes, query: query, isSorted: isSorted,
            isLimited: isLimited, hasCertain: hasCertain, sortReasons: sortReasons, requirements: requirements)
    }
}
