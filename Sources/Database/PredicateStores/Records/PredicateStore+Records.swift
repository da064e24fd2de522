// Records: values of objects instead of objects, and groups of objects. This file computes them in memory, from the
// objects of any store. RecordShape.swift checks the request.

extension PredicateStore {
    /// Returns the properties of the objects of a request, or of groups of objects.
    ///
    ///     var request = StoreRequest("person", where: adults, sort: [PredicateSortKey("@count", descending: true)], limit: 10)
    ///     request.groupBy = ["city"]
    ///     request.properties = ["city", "@count", "@avg.age"]
    ///     request.having = try FormatPredicate("@count > 10 AND city != nil")
    ///     for city in try store.records(request) { print(city["city"], city["@count"], city["@avg.age"]) }
    ///
    /// Values are grouped by `==`. Aggregates work as in predicates: nil counts as 0 in sums and means. An aggregate
    /// that cannot be computed, such as a sum beyond 64 bits, is nil. Sort keys, limit and offset apply to the groups.
    ///
    /// - Throws: `request` for unknown keys, for keys that are not single values, and for sort keys or properties that
    ///   are neither keys of the group nor aggregates.
    /// - Complexity: a SQL store uses one statement if SQL can express all parts exactly. Otherwise memory holds one
    ///   value for each object and aggregate.
    public func records(_ request: StoreRequest) throws(StoreFailure) -> [ValueDictionary] {
        try recordsInMemory(request.atOneInstant(in: schema))
    }

    /// Returns the number of records.
    func countOfRecords(_ request: StoreRequest) throws(StoreFailure) -> Int {
        var all = request
        if request.after == nil { all.sort = [] }
        return try records(all).count
    }

    func recordsInMemory(_ request: StoreRequest) throws(StoreFailure) -> [ValueDictionary] {
        var records = RecordCollector(try RecordShape(request, schema), request)
        let cursor = try cursor(records.objects)
        while let object = try cursor.next() { try records.add(object) }
        return try records.finish()
    }
}

/// Computes records from the objects of a request.
struct RecordCollector {
    private let shape: RecordShape
    private let keys: [RecordShape.Column]
    private let aggregates: [RecordShape.Column]
    private var groups: GroupTable
    private var found: [ValueDictionary] = []
    let objects: StoreRequest

    init(_ shape: RecordShape, _ request: StoreRequest) {
        self.shape = shape
        keys = shape.columns.filter { $0.aggregate == nil }
        aggregates = shape.columns.filter { $0.aggregate != nil }
        groups = GroupTable(width: keys.count, aggregates.map { $0.aggregate })
        // Objects of groups in primary key order, because the last digits of a sum of doubles depend on the order.
        objects = shape.objects(request, isOrdered: true)
    }

    mutating func add(_ object: StoredObject) throws(StoreFailure) {
        guard shape.isGrouped else {
            let values = try shape.columns.map { (column) throws(StoreFailure) in try object.readValue(at: column.text)
            }
            return found.append(shape.record { values[$0] })
        }
        let key = try keys.map { (key) throws(StoreFailure) in try object.readValue(at: key.text).normal }
        let group = groups.add(key: key)
        for (index, column) in aggregates.enumerated() where !column.path.isEmpty {
            groups.add(try object.readValue(at: column.path.joined(separator: ".")), for: index, to: group)
        }
    }

    mutating func finish() throws(StoreFailure) -> [ValueDictionary] {
        if !shape.isGrouped { return found }
        // Without keys there is one group, even if there are no objects.
        if keys.isEmpty { _ = groups.add(key: [], count: 0) }
        let names = ValueDictionary.Shape((keys + aggregates).map(\.attribute.name))
        let rows = (0..<groups.count).map { group in
            let results = aggregates.indices.map { (try? groups.result(of: $0, for: group))?.normal ?? .null }
            return ValueDictionary(shape: names, values: keys.indices.map { groups.key($0, of: group) } + results)
        }
        let tables = try StoredTables(shape.schema, [shape.request.entity: rows])
        return try InMemoryStore(shape.schema, tables).fetch(shape.request).map(shape.record)
    }
}

extension StoreRequest {
    /// Whether the request needs `records` and cannot be answered by `fetch`.
    var hasGroups: Bool {
        isDistinct || !groupBy.isEmpty || having != .constant(true)
            || (properties + sort.map(\.path)).contains { $0.utf8.first == UInt8(ascii: "@") }
    }

    /// Throws if the request asks for groups, which are not objects.
    func requireObjects() throws(StoreFailure) {
        if hasGroups {
            throw .schema("a request with groups, aggregates or distinct values returns no objects: call records")
        }
    }
}

extension RecordShape {
    /// Returns the request for the objects from which the records are computed.
    func objects(_ request: StoreRequest, isOrdered: Bool = false) -> StoreRequest {
        var objects = request
        (objects.properties, objects.groupBy, objects.isDistinct, objects.having) = ([], [], false, .constant(true))
        // Relationships on the way to a value are read in batches.
        objects.prefetch += columns.map { $0.path.dropLast().joined(separator: ".") }
            .filter { !$0.isEmpty && schema.finding(path: $0, of: request.entity, isPrefetched: true) == nil }
        if isGrouped {
            (objects.sort, objects.limit, objects.offset) = ([], isOrdered ? .max : nil, 0)
        }
        return objects
    }
}
