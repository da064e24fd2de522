// Records for apps that run the statements with their own database client.
import PredicateEvaluation
import PredicateModel
public import PredicateSQL
public import PredicateSyntax

/// The SQL statement of a request for records, and the conversion of its rows to records.
///
///     var request = FetchRequest("order")
///     request.groupBy = ["customer"]
///     request.properties = ["customer", "@max.total"]
///     request.having = try FormatPredicate("@count > 10")
///     let planner = FetchPlanner(schema: schema, dialect: .sqlite)
///     if let plan = try planner.recordPlan(request) {
///         let rows = try store.rows(plan.statement.text, plan.statement.bindings)
///         let records = try plan.records(rows)    // [{customer: "Ada", @max.total: 99.5}, …]
///     }
public struct RecordPlan: Sendable {
    private let shape: RecordShape
    private let plan: FetchPlan

    fileprivate init(_ shape: RecordShape, _ plan: FetchPlan) {
        (self.shape, self.plan) = (shape, plan)
    }

    /// The statement to run. It uses GROUP BY inside, and an outer WHERE for HAVING.
    public var statement: SQLStatement { plan.statement }

    /// Converts all rows of the statement to records. What the statement does not do is done here: a part of HAVING,
    /// the order and the window.
    ///
    /// - Parameter rows: the values of each row, in the order of the statement's columns, as `SQLRows.next` returns
    ///   them.
    /// - Returns: records with the request's properties. Cost: O(n), or O(n log n) if the records are sorted in memory.
    /// - Throws: `storedValue` for a value of another type than its column; `schema` for a row with too few columns.
    public func records(_ rows: [[PredicateValue]]) throws(StoreFailure) -> [ValueDictionary] {
        let layout = shape.layout
        let log = FaultLog()
        var maker = ObjectMaker(layout, try InMemoryStore(shape.schema, [:]), log)
        var rest = rows
        let cursor = try FetchCursor(
            layout, residual: plan.residual?.matcher(), sort: plan.sort,
            window: plan.limitsInMemory ? shape.request : nil, log: log
        ) { (objects) throws(StoreFailure) in
            for row in rest {
                guard row.count >= layout.columns.count else { throw .schema("a row has too few columns") }
                try maker.add(to: &objects) { (values) throws(StoreFailure) in try layout.append(row, to: &values) }
            }
            rest = []
            maker.finish(&objects)
        }
        return try cursor.rest().map(shape.record)
    }
}

extension FetchPlanner {
    /// Plans a request for records: values of objects, groups, aggregates or distinct values.
    ///
    /// - Returns: nil if SQL cannot compute the records exactly; `records` of a store then computes them in memory.
    /// - Throws: `request` for anything that does not fit the schema; `schema` for distinct records with groups.
    public func recordPlan(_ request: FetchRequest) throws(StoreFailure) -> RecordPlan? {
        let request = request.atOneInstant()
        let shape = try RecordShape(request, schema)
        return try plan(shape, request).map { RecordPlan(shape, $0) }
    }
}
