// A store over any back end that returns records. CapabilitySplit.swift decides what the back end executes.
import PredicateEvaluation
public import PredicateModel
import PredicateSQL
public import PredicateSyntax

/// A back end that returns records: a server, a file, another library.
///
///     struct Service: RecordSource {
///         let schema: PredicateSchema
///         let capabilities = StoreCapabilities(operators: ["city": [.equal]])
///
///         func records(_ request: FetchRequest) throws(StoreFailure) -> [ValueDictionary] {
///             // `request.predicate` is a conjunction of equalities of `city`, or TRUEPREDICATE.
///         }
///     }
///     let store = try RecordStore(Service(schema: schema))
public protocol RecordSource: StoreSource {
    /// Returns the records that match the request, in its order, limited to its window. The request contains only what
    /// the capabilities allow. A to-one relationship is the key of another record; a key of several columns is a list
    /// of values.
    func records(_ request: FetchRequest) throws(StoreFailure) -> [ValueDictionary]
}

/// A store over a back end. The back end executes what it can; the rest of each request is done in memory.
///
/// The store is read-only. A to-many relationship needs a foreign key in the schema.
public final class RecordStore<Source: RecordSource>: PredicateStore, ObjectSource {
    public var schema: PredicateSchema { layouts.schema }
    let layouts: SchemaLayout
    private let source: Source

    /// - Throws: `schema`.
    public init(_ source: Source) throws(StoreFailure) {
        self.source = source
        layouts = try SchemaLayout(source.schema)
    }

    /// Returns the part of the request that the back end executes and the part that is done in memory.
    public func split(_ request: FetchRequest) -> CapabilitySplit {
        CapabilitySplit(request.atOneInstant(), source.capabilities)
    }

    public func cursor(_ request: FetchRequest) throws(StoreFailure) -> FetchCursor {
        let split = split(request)
        var isRead = false
        return try recordCursor(request, split, try layouts.layout(request.entity)) { () throws(StoreFailure) in
            defer { isRead = true }
            return isRead ? [] : try self.source.records(split.request)
        }
    }

    func objects(
        _ layout: EntityLayout, _ place: ObjectPlace, _ keys: [[PredicateValue]], _ log: FaultLog
    ) throws(StoreFailure) -> [[StoredObject]] {
        try relatedObjects(layout, place, keys, log) { (request) throws(StoreFailure) in
            try source.records(split(request).request)
        }
    }

    public func count(_ request: FetchRequest) throws(StoreFailure) -> Int { try countInMemory(request) }
}

extension ObjectSource where Self: PredicateStore {
    /// Returns the objects of records, after the part of the request that the back end has not executed.
    ///
    /// - Parameter read: returns the next records of the back end's part of the request; an empty list at the end.
    func recordCursor(
        _ request: FetchRequest, _ split: CapabilitySplit, _ layout: EntityLayout,
        _ read: @escaping () throws(StoreFailure) -> [ValueDictionary]
    ) throws(StoreFailure) -> FetchCursor {
        try request.requireObjects()
        try SortKeyChecker(schema: schema).check(request, withPredicate: true)
        let matcher = try split.residual?.matcher()
        let log = FaultLog()
        var maker = ObjectMaker(layout, self, log, dropsSome: matcher != nil)
        let schema = schema
        return try FetchCursor(
            layout, residual: matcher, sort: split.sort,
            // A window without sort keys uses the order of primary keys, as in SQL.
            sortsByKey: split.limitsInMemory && request.sort.isEmpty,
            window: split.limitsInMemory ? request : nil, reads: split.residual?.pathsRead ?? [],
            prefetch: request.prefetchPaths, log: log
        ) { (objects) throws(StoreFailure) in
            if Task.isCancelled { throw .cancelled }
            for record in try read() {
                try maker.add(to: &objects) { (values) throws(StoreFailure) in
                    values += try layout.row(record, in: schema)
                }
            }
            maker.finish(&objects)
        }
    }

    /// Returns the objects that have one of the keys in the given columns.
    ///
    /// - Parameter read: returns the matching records of a request that is not divided yet, and possibly more.
    func relatedObjects(
        _ layout: EntityLayout, _ place: ObjectPlace, _ keys: [[PredicateValue]], _ log: FaultLog,
        _ read: (FetchRequest) throws(StoreFailure) -> [ValueDictionary]
    ) throws(StoreFailure) -> [[StoredObject]] {
        guard case .columns(let columns) = place else {
            throw .schema("a relationship of \(layout.entity) needs a foreign key")
        }
        let positions = columns.compactMap(layout.position(ofColumn:))
        guard positions.count == columns.count else {
            throw .schema("\(layout.entity) has no key for the columns \(columns.joined(separator: ", "))")
        }
        var request = FetchRequest(layout.entity)
        if let key = layout.key(ofColumn: columns[0]), columns.count == 1 {
            let list = ExpressionNode(.aggregate(keys.map { ExpressionNode(.value($0[0])) }))
            let node = ComparisonNode(ExpressionNode(.keyPath([key])), .in, list)
            request.predicate = FormatPredicate(PredicateNode(.comparison(node)))
        }
        var rows: [[PredicateValue]: [[PredicateValue]]] = [:]
        for record in try read(request) {
            let row = try layout.row(record, in: schema)
            rows[positions.map { row[$0] }, default: []].append(row)
        }
        return try keys.map { (key) throws(StoreFailure) in
            try ObjectMaker.objects(of: rows[key] ?? [], layout, self, log)
        }
    }

    func countInMemory(_ request: FetchRequest) throws(StoreFailure) -> Int {
        if request.hasGroups { return try countOfRecords(request) }
        var all = request
        all.sort = []
        let cursor = try cursor(all)
        var count = 0
        while try cursor.next() != nil { count += 1 }
        return count
    }
}

extension EntityLayout {
    /// The attribute of a column; nil if it has none.
    fileprivate func key(ofColumn column: String) -> String? {
        guard let position = position(ofColumn: column) else { return nil }
        return keys.first { self.position(ofAttribute: $0) == position }
    }

    /// The values of a record's columns.
    func row(
        _ record: ValueDictionary, in schema: PredicateSchema
    ) throws(StoreFailure) -> [PredicateValue] {
        var row = [PredicateValue](repeating: .null, count: columns.count)
        for (key, value) in zip(record.keys, record.values) {
            if let position = position(ofAttribute: key) {
                guard let converted = self.value(of: value, kinds[position], at: position) else {
                    throw unfit(value, at: position, key: key)
                }
                row[position] = converted
            } else if case .column(let names)? = relationships[key]?.link, !value.isNil {
                guard let parts = value.key(of: names.count) else {
                    throw .schema("a record of \(entity) has no key of '\(key)'")
                }
                for (name, part) in zip(names, parts) { position(ofColumn: name).map { row[$0] = part } }
            } else if let position = position(ofColumn: key) {
                row[position] = value
            }
        }
        return row
    }
}
