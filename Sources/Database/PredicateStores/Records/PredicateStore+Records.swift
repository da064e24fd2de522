// Records: values of objects instead of objects, and groups of objects. This file computes them in memory, from the
// objects of any store. RecordShape.swift checks the request.
import PredicateModel
public import PredicateSyntax

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
    private var groups: ObjectGroups?
    private var found: [ValueDictionary] = []
    let objects: StoreRequest

    init(_ shape: RecordShape, _ request: StoreRequest) {
        self.shape = shape
        groups = shape.isGrouped ? ObjectGroups(shape) : nil
        // Objects of groups in primary key order, because the last digits of a sum of doubles depend on the order.
        objects = shape.objects(request, isOrdered: true)
    }

    mutating func add(_ object: StoredObject) throws(StoreFailure) {
        if groups != nil {
            try groups?.add(object)
            return
        }
        let values = try shape.columns.map { (column) throws(StoreFailure) in try object.readValue(at: column.text) }
        found.append(shape.record { values[$0] })
    }

    func finish() throws(StoreFailure) -> [ValueDictionary] {
        guard let groups else { return found }
        let tables = try StoredTables(shape.schema, [shape.request.entity: groups.rows()])
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

/// Collects the values of objects by the keys of their groups.
private struct ObjectGroups {
    private struct Group {
        var keys: [PredicateValue]
        /// The values of each aggregate.
        var values: [[PredicateValue]]
        var count = 0
    }

    private let shape: RecordShape
    private let keys: [RecordShape.Column]
    private let aggregates: [RecordShape.Column]
    private var groups: [Group] = []
    private var positions: [[EqualityKey]: Int] = [:]

    init(_ shape: RecordShape) {
        self.shape = shape
        keys = shape.columns.filter { $0.aggregate == nil }
        aggregates = shape.columns.filter { $0.aggregate != nil }
        // Without keys there is one group, even if there are no objects.
        if keys.isEmpty { _ = position([]) }
    }

    private mutating func position(_ values: [PredicateValue]) -> Int {
        let key = values.map { EqualityKey($0.isNaN ? .type("NaN") : $0) }
        if let known = positions[key] { return known }
        positions[key] = groups.count
        groups.append(Group(keys: values, values: aggregates.map { _ in [] }))
        return groups.count - 1
    }

    mutating func add(_ object: StoredObject) throws(StoreFailure) {
        let values = try keys.map { (key) throws(StoreFailure) in try object.readValue(at: key.text).normal }
        let position = position(values)
        groups[position].count += 1
        for (index, value) in values.enumerated() where groups[position].keys[index].rank > value.rank {
            groups[position].keys[index] = value
        }
        for (index, column) in aggregates.enumerated() where !column.path.isEmpty {
            groups[position].values[index].append(try object.readValue(at: column.path.joined(separator: ".")))
        }
    }

    /// Returns the groups as objects of the records' entity.
    func rows() -> [ValueDictionary] {
        let names = ValueDictionary.Shape((keys + aggregates).map(\.attribute.name))
        return groups.map { group in
            let results = zip(aggregates, group.values).map { column, values -> PredicateValue in
                if column.path.isEmpty { return .integer(Int64(group.count)) }
                return (try? column.aggregate?.result(values, in: .standard))?.normal ?? .null
            }
            return ValueDictionary(shape: names, values: group.keys + results)
        }
    }
}

extension PredicateValue {
    /// If equal values have different types, the group shows the one with the lowest rank: 1 for 1, 1.0 and YES.
    fileprivate var rank: Int {
        switch self {
        case .integer: 0
        case .decimal: 1
        case .double, .float: 2
        case .bool: 3
        default: 0
        }
    }
}
