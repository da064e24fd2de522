// A compiled statement without its values. Order of the bindings: the values that UPDATE sets, the predicate's
// values (QueryTemplate.swift), the values of the sort order, limit and offset.
import PredicateModel
import PredicateSyntax
import Synchronization

/// The parts of a request that do not depend on the predicate.
struct WrittenRequest {
    /// The part of a request that determines the statement's text.
    enum Form: Hashable {
        case select([SortKey], hasLimit: Bool, hasOffset: Bool)
        case count
        case bounds
        /// The assigned columns and their placeholders as SQL text.
        case update(String)
        case delete
    }

    let form: Form
    fileprivate var assigned: [PredicateValue] = []
    fileprivate var assignedTypes: [SQLType] = []
    /// Limit and offset, if given.
    fileprivate var window: [PredicateValue] = []

    /// - Throws: `PredicateFailure` for an invalid assignment.
    init(
        _ request: SQLRequest, _ entity: String, _ dialect: SQLDialect, _ schema: PredicateSchema
    ) throws(PredicateFailure) {
        switch request {
        case .select(let sort, let limit, let offset):
            form = .select(sort, hasLimit: limit != nil, hasOffset: offset > 0)
            if let limit { window.append(.integer(Int64(max(0, limit)))) }
            if offset > 0 { window.append(.integer(Int64(offset))) }
        case .count: form = .count
        case .bounds: form = .bounds
        case .update(let assignments):
            let fragment = try schema.assignments(assignments, of: entity, dialect)
            form = .update(fragment.text(in: dialect))
            fragment.collectBindings(&assigned, &assignedTypes)
        case .delete: form = .delete
        }
    }
}

/// A cached shape and the statements compiled for it.
final class KnownShape: Sendable {
    let template: QueryTemplate
    private let statements = Mutex<[WrittenRequest.Form: StatementTemplate]>([:])

    /// The maximum number of statements per shape.
    private static let capacity = 16

    init(_ template: QueryTemplate) { self.template = template }

    /// - Parameter query: the query for the predicate alone.
    func statement(_ request: WrittenRequest, _ query: SQLQuery) -> SQLStatement? {
        statements.withLock { $0[request.form] }?.statement(request, query)
    }

    func remember(_ statement: SQLStatement, _ request: WrittenRequest) {
        guard let template = StatementTemplate(statement, request) else { return }
        statements.withLock { statements in
            if statements.count >= Self.capacity { statements.removeAll(keepingCapacity: true) }
            statements[request.form] = template
        }
    }
}

private struct StatementTemplate {
    private let compiled: SQLStatement
    /// The types of the bindings after the assigned values.
    private let types: [SQLType]
    /// The constant bindings after the predicate's values.
    private let fixed: [PredicateValue]

    /// nil if the bindings are not in the expected order.
    init?(_ statement: SQLStatement, _ request: WrittenRequest) {
        compiled = statement
        types = Array(statement.bindingTypes.dropFirst(request.assigned.count))
        let head = request.assigned + statement.query.bindings
        let tail = statement.isLimited ? request.window : []
        guard statement.bindings.count >= head.count + tail.count else { return nil }
        fixed = Array(statement.bindings[head.count..<(statement.bindings.count - tail.count)])
        guard self.statement(request, statement.query) == statement else { return nil }
    }

    func statement(_ request: WrittenRequest, _ query: SQLQuery) -> SQLStatement {
        var bindings = request.assigned
        bindings.reserveCapacity(compiled.bindings.count)
        bindings += query.bindings
        bindings += fixed
        if compiled.isLimited { bindings += request.window }
        return SQLStatement(
            text: compiled.text, bindings: bindings,
            bindingTypes: request.assignedTypes.isEmpty ? types : request.assignedTypes + types, query: query,
            isSorted: compiled.isSorted, isLimited: compiled.isLimited, hasSure: compiled.hasSure,
            sortReasons: compiled.sortReasons, requires: compiled.requires)
    }
}
