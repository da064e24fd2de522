// Records in SQL: one statement if the whole request is exact; otherwise computed from objects in memory.

extension SQLStore {
    public func records(_ request: StoreRequest) throws(StoreFailure) -> [ValueDictionary] {
        let request = request.atOneInstant(in: schema)
        guard let plan = try plan(records: request) else { return try recordsInMemory(request) }
        return try records(plan)
    }

    /// Plans a request for records; nil if they are computed in memory.
    package func plan(records request: StoreRequest) throws(StoreFailure) -> RecordPlan? {
        try compiler.records(request)
    }

    package func records(_ plan: RecordPlan) throws(StoreFailure) -> [ValueDictionary] {
        try cursor(plan.fetch, plan.shape.layout).rest().map(plan.shape.record)
    }
}

/// A statement that computes records.
package struct RecordPlan: Sendable {
    package let fetch: FetchPlan
    fileprivate let shape: RecordShape
}

extension SQLCompiler {
    /// Plans a request for records; nil if they are computed in memory.
    package func records(_ request: StoreRequest) throws(StoreFailure) -> RecordPlan? {
        let request = request.atOneInstant(in: schema)
        let shape = try RecordShape(request, schema)
        return try plan(shape, request.comparingPosition(in: schema)).map { RecordPlan(fetch: $0, shape: shape) }
    }

    private func plan(_ shape: RecordShape, _ request: StoreRequest) throws(StoreFailure) -> FetchPlan? {
        if request.after != nil { return nil }
        let columns = shape.columns.map {
            SQLRecords.Column($0.path, aggregate: $0.aggregate, as: $0.attribute.column)
        }
        var own = shape.request
        if !shape.isGrouped { own.sort = request.sort }
        let records = SQLRecords(
            columns, groups: shape.isGrouped ? (own.entity, shape.schema) : nil, having: own.predicate)
        return try StoreFailure.ifExact { () throws(PredicateFailure) in
            let statement = try request.predicate.sql(
                records, .select(sort: own.sort, limit: request.limit, offset: request.offset), dialect,
                entity: request.entity, in: schema)
            return FetchPlan(statement, own)
        }
    }
}
