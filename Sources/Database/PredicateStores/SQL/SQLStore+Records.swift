// Records in SQL: one statement if the whole request is exact; otherwise computed from objects in memory.

extension SQLStore {
    public func records(_ request: StoreRequest) throws(StoreFailure) -> [ValueDictionary] {
        let request = request.atOneInstant(in: schema)
        let shape = try RecordShape(request, schema)
        guard let plan = try compiler.plan(shape, request) else { return try recordsInMemory(request) }
        return try cursor(plan, shape.layout, shape.request).rest().map(shape.record)
    }
}

extension SQLCompiler {
    /// Plans a request for records; nil if they are computed in memory.
    package func records(_ request: StoreRequest) throws(StoreFailure) -> FetchPlan? {
        let request = request.atOneInstant(in: schema)
        return try plan(RecordShape(request, schema), request)
    }

    /// Plans a request for records; nil if they are computed in memory.
    func plan(_ shape: RecordShape, _ request: StoreRequest) throws(StoreFailure) -> FetchPlan? {
        let request = request.comparingPosition(in: schema)
        if request.after != nil { return nil }
        let columns = shape.columns.map {
            SQLRecords.Column($0.path, aggregate: $0.aggregate, as: $0.attribute.column)
        }
        let own = shape.request
        let records = SQLRecords(
            columns, groups: shape.isGrouped ? (own.entity, shape.schema) : nil, having: own.predicate)
        let sort = shape.isGrouped ? own.sort : request.sort
        return try StoreFailure.ifExact { () throws(PredicateFailure) in
            let statement = try request.predicate.sql(
                records, .select(sort: sort, limit: request.limit, offset: request.offset), dialect,
                entity: request.entity, in: schema)
            return FetchPlan(statement, sort: sort)
        }
    }
}
