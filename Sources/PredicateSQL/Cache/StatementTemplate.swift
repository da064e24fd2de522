// A statement without its values. Those of the predicate are one run in it (QueryTemplate.swift); in front of them stand
// what UPDATE sets, behind them what the order binds, and limit and offset.
import PredicateModel
import PredicateSyntax
import Synchronization

/// A request, as far as it can be written without the predicate.
struct WrittenRequest {
    /// What of it the statement's text depends on.
    enum Form: Hashable {
        case select([SortKey], hasLimit: Bool, hasOffset: Bool)
        case count
        case bounds
        /// The columns and their places, in SQL.
        case update(String)
        case delete
    }

    let form: Form
    fileprivate var assigned: [Value] = []
    fileprivate var assignedTypes: [SQLType] = []
    /// Limit and offset, where they are said at all.
    fileprivate var window: [Value] = []

    /// - Throws: what is wrong with an assignment.
    init(
        _ request: SQLRequest, _ entity: String, _ dialect: Dialect, _ schema: Schema
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

/// A shape of predicates, and what was asked of it.
final class KnownShape: Sendable {
    let template: QueryTemplate
    private let statements = Mutex<[WrittenRequest.Form: StatementTemplate]>([:])

    /// Requests that are remembered of one shape.
    private static let capacity = 16

    init(_ template: QueryTemplate) { self.template = template }

    /// - Parameter query: the predicate's own part.
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
    /// Types behind those of the assigned values.
    private let types: [SQLType]
    /// What stands behind the predicate's values and never changes.
    private let fixed: [Value]

    /// nil where the values do not stand as they should.
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
