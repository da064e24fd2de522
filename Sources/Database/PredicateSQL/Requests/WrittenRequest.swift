// Splits a request into its text and its values, so that SQL compiled for one request can be reused for requests that
// differ only in values: assigned values, limit and offset.

/// Everything except the predicate that determines the text of a statement.
enum StatementKey: Hashable {
    case select([PredicateSortKey], hasLimit: Bool, hasOffset: Bool)
    case count
    case bounds
    /// The SET clause as SQL text, and the types of its placeholders.
    case update(String, [SQLType])
    case delete
}

extension SQLQuery.Request {
    /// Whether SQL must find the rows exactly.
    var needsExactness: Bool {
        switch self {
        case .select, .bounds: false
        case .count, .update, .delete: true
        }
    }
}

struct WrittenRequest {
    let key: StatementKey
    /// The SET clause of UPDATE.
    private(set) var assignments: SQLFragment?
    /// LIMIT and OFFSET, if given.
    private(set) var limit: SQLFragment.Binding?
    private(set) var offset: SQLFragment.Binding?
    /// The values of these clauses, in this order.
    private(set) var values: [PredicateValue] = []
    /// The number of the first value; it follows the constants of the predicate.
    private let first: Int

    /// - Throws: `PredicateFailure` for an invalid assignment, and for a negative limit or offset.
    init(
        _ request: SQLQuery.Request, _ entity: String, _ dialect: SQLDialect, _ schema: PredicateSchema, first: Int = 0
    ) throws(PredicateFailure) {
        self.first = first
        switch request {
        case .select(let sort, let limit, let offset):
            try PredicateFailure.require("limit", limit)
            try PredicateFailure.require("offset", offset)
            key = .select(sort, hasLimit: limit != nil, hasOffset: offset > 0)
            if let limit { self.limit = number(limit) }
            if offset > 0 { self.offset = number(offset) }
        case .count: key = .count
        case .bounds: key = .bounds
        case .update(let assignments):
            let fragment = try schema.assignments(assignments, of: entity, dialect)
            values = fragment.bindings.map { $0.value }
            key = .update(fragment.text(in: dialect), fragment.bindings.map { $0.type })
            self.assignments = fragment.numbered(from: first)
        case .delete: key = .delete
        }
    }

    private mutating func number(_ number: Int) -> SQLFragment.Binding {
        let value = PredicateValue.integer(Int64(number))
        values.append(value)
        return SQLFragment.Binding(
            value: value, type: .rowCount, source: ValueSource(constant: first + values.count - 1))
    }
}
