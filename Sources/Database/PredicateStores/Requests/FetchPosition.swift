// Pages by position instead of offset: the objects after a place in the order of a request. FetchPosition+Condition.swift
// expresses the place as a condition, which a SQL store puts into the statement; FetchSteps tests it in memory.

/// A place in the order of a request: the values of its sort keys, then the primary key.
///
///     let page = try store.page(StoreRequest("Book", sort: [PredicateSortKey("price")], limit: 20))
///     let cursor = page.next?.after?.description    // {"Book, price", 12.5, 7}: the next page for a client
///     request.after = try cursor.map { try FetchPosition($0) }
///
/// Objects that are inserted or deleted between two pages move no others, so none is repeated or left out. An object
/// whose sort keys change may be on two pages, or on none. The position has the entity and the sort keys: a request with
/// another order throws `StoreFailure.position`; its predicate may be another. It is encoded as its text.
public struct FetchPosition: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The entity and the sort keys.
    let order: String
    let values: [PredicateValue]

    init(order: String, values: [PredicateValue]) { (self.order, self.values) = (order, values) }

    /// Reads the text of a position, which may come from a client.
    ///
    /// - Throws: `position` if the text is no position. Whether it fits a request is tested when that is executed.
    public init(_ text: String) throws(StoreFailure) {
        let expression = try? FormatExpression(text, arguments: [])
        guard let values = expression?.root.constant?.elements, case .string(let order)? = values.first else {
            throw .position("'\(text.prefix(80))' is no position")
        }
        self.init(order: order, values: Array(values.dropFirst()))
    }

    /// The text, a list of constants of the language. It shows the values of the sort keys.
    public var description: String {
        let elements = [.string(order)] + values
        return ExpressionNode(.aggregate(elements.map { ExpressionNode(.value($0)) })).exactDescription
    }

    public init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// Some objects of a request, and the request for those that follow.
public struct FetchPage<Element> {
    public let objects: [Element]
    /// The request for the next page; nil if no objects follow. Its `after` is the position for a client.
    public let next: StoreRequest?
}

extension FetchPage: Sendable where Element: Sendable {}

extension FetchPage<StoredObject> {
    /// - Parameter found: the objects of `request.forPage`.
    fileprivate init(_ found: [StoredObject], _ request: StoreRequest) throws(StoreFailure) {
        objects = Array(found.prefix(request.limit ?? .max))
        guard let last = objects.last, found.count > objects.count else {
            next = nil
            return
        }
        var following = request
        following.after = try request.position(after: last)
        following.offset = 0
        next = following
    }

    fileprivate func built<Row: Storable>(_ type: Row.Type) throws(StoreFailure) -> FetchPage<Row> {
        let rows = try objects.map { (object) throws(StoreFailure) in try object.built(type) }
        return FetchPage<Row>(objects: rows, next: next)
    }
}

extension StoreRequest {
    /// The position of an object in the order of the request: the objects after it are those of the next page.
    ///
    ///     request.after = try request.position(after: store.fetch(request)[4])
    ///
    /// - Throws: `position` for an object of another entity, for an entity without a primary key, and for sort keys that
    ///   have no fixed values that can be stored: an object, `random()`; the failure of reading a relationship.
    public func position(after object: StoredObject) throws(StoreFailure) -> FetchPosition {
        if object.entity != entity { throw .position("an object of \(object.entity) is not in an order of \(entity)") }
        try requireFixedOrder(object.layout.keyNames)
        return try position(of: orderValues(of: object, SortValues(sort, object.layout)))
    }

    /// The position of a row that a database client of your own has read: it has the keys of the entity.
    ///
    ///     let next = try request.position(after: book, in: schema)
    ///
    /// - Throws: what it throws for a stored object.
    public func position(
        after row: some PredicateValueConvertible, in schema: PredicateSchema
    ) throws(StoreFailure) -> FetchPosition {
        let names = schema.keyAttributes(of: entity)
        try requireFixedOrder(names)
        let values = try StoreFailure.ofRequest { () throws(PredicateFailure) in
            try orderKeys(names).map { (key) throws(PredicateFailure) in
                try key.expression().reading(entity, schema).evaluate(row)
            }
        }
        return try position(of: values)
    }

    private func position(of values: [PredicateValue]) throws(StoreFailure) -> FetchPosition {
        let position = FetchPosition(order: order, values: values)
        if (try? FetchPosition(position.description)) == position { return position }
        throw .position("\(position) cannot be stored: sort by keys whose values are texts, numbers, dates or UUIDs")
    }

    private var order: String { ([entity] + sort.map(\.description)).joined(separator: ", ") }

    /// Whether no two objects differ in the key only by other sort keys.
    private func isSorted(by name: String) -> Bool { sort.contains { $0.path == name && $0.options == [] } }

    /// The sort keys and the parts of the primary key that follow them.
    ///
    /// - Parameter names: the names of the primary key's attributes.
    fileprivate func orderKeys(_ names: [String]) -> [PredicateSortKey] {
        sort + names.filter { !isSorted(by: $0) }.map { PredicateSortKey($0) }
    }

    func orderKeys(in schema: PredicateSchema) -> [PredicateSortKey] { orderKeys(schema.keyAttributes(of: entity)) }

    fileprivate func orderValues(
        of object: StoredObject, _ values: SortValues
    ) throws(StoreFailure) -> [PredicateValue] {
        let ties = zip(object.layout.keyNames, object.primaryKey).filter { !isSorted(by: $0.0) }.map(\.1)
        return try values.values(of: object) + ties
    }

    /// Whether it has a limit, an offset or a position.
    var isCut: Bool { limit != nil || offset > 0 || after != nil }

    /// The request for a page and one object more, which shows that there is another page.
    fileprivate var forPage: StoreRequest {
        var more = self
        more.limit = limit.map { $0 == .max || $0 <= 0 ? $0 : $0 + 1 }
        return more
    }

    private func requireFixedOrder(_ primaryKey: [String]) throws(StoreFailure) {
        if primaryKey.isEmpty { throw .position("\(entity) has no primary key, so its objects have no positions") }
        for key in sort {
            let functions = key.environment.functions
            guard let expression = try? key.expression() else { continue }
            let volatile = expression.tree.values { node -> String? in
                guard case .call(let name, _) = node.kind else { return nil }
                return functions.function(named: name)?.isVolatile ?? false ? name : nil
            }
            if let name = volatile.last { throw .position("the order by \(key) has no positions: '\(name)' changes") }
        }
    }

    /// Checks the position.
    ///
    /// - Throws: `position`, for the position of another order, and for values that the keys cannot have.
    func checkPosition(in schema: PredicateSchema) throws(StoreFailure) {
        guard let after else { return }
        if hasGroups { throw .position("a request with groups, aggregates or distinct values has no positions") }
        if offset > 0 { throw .position("a request has a position or an offset, not both") }
        try requireFixedOrder(schema.keyAttributes(of: entity))
        if after.order != order { throw .position("it is a place in the order '\(after.order)', not in '\(order)'") }
        let keys = orderKeys(in: schema)
        if after.values.count != keys.count {
            throw .position("it has \(after.values.count) values, and the order '\(order)' has \(keys.count)")
        }
        for (key, value) in zip(keys, after.values) where !value.isNaN {
            if let attribute = schema.attribute(at: key, of: entity)?.attribute, attribute.converted(value) == nil {
                throw .position("'\(key.path)' cannot be \(ExpressionNode(.value(value)))")
            }
        }
    }
}

/// Tests in memory whether objects are after a position.
struct PositionTest {
    private let request: StoreRequest
    private let keys: [PredicateSortKey]
    private let values: SortValues
    private let position: [PredicateValue]
    /// The relationship paths that the keys read.
    var paths: [[String]] { values.paths }

    init(_ request: StoreRequest, _ after: FetchPosition, _ layout: EntityLayout) throws(StoreFailure) {
        self.request = request
        keys = request.orderKeys(layout.keyNames)
        values = try SortValues(request.sort, layout)
        position = after.values
    }

    func selects(_ object: StoredObject) throws(StoreFailure) -> Bool {
        for (key, (value, limit)) in zip(keys, zip(try request.orderValues(of: object, values), position)) {
            let order = key.compare(value, limit, rules: key.environment.rules)
            if order != 0 { return order > 0 }
        }
        return false
    }
}

extension PredicateStore {
    /// Returns the objects of a request up to its limit, and the request for the next page.
    ///
    ///     var request = StoreRequest("Book", sort: [PredicateSortKey("price", descending: true)], limit: 20)
    ///     request.after = try FetchPosition(text)    // from a client; nil for the first page
    ///     let page = try store.page(request)
    ///     print(page.objects, page.next?.after?.description ?? "")
    ///
    /// - Throws: `position`, for the position of another order and an order that has no positions; what `fetch` throws.
    /// - Complexity: a database with an index on the sort keys and the primary key reads only the rows of the page. It
    ///   may read all rows if `plan(_:)` sorts in memory, or if the first key may be nil and nil is last.
    public func page(_ request: StoreRequest) throws(StoreFailure) -> FetchPage<StoredObject> {
        try FetchPage(fetch(request.forPage), request)
    }

    /// Returns a page of values of a published type.
    public func page<Row: Storable>(_ type: Row.Type, _ request: StoreRequest) throws(StoreFailure) -> FetchPage<Row> {
        try page(request).built(type)
    }
}

extension AsyncStore {
    /// Returns the objects of a request up to its limit, and the request for the next page.
    public func page(_ request: StoreRequest) async throws(StoreFailure) -> FetchPage<StoredObject> {
        try await use { (store) throws(StoreFailure) in try store.page(request) }
    }

    /// Returns a page of values of a published type.
    public func page<Row: Storable & Sendable>(
        _ type: Row.Type, _ request: StoreRequest
    ) async throws(StoreFailure) -> FetchPage<Row> {
        try await use { (store) throws(StoreFailure) in try store.page(type, request) }
    }
}

extension RecordStore {
    /// Returns the objects of a request up to its limit, and the request for the next page; see `page` of
    /// `PredicateStore`.
    public func page(_ request: StoreRequest) async throws(StoreFailure) -> FetchPage<StoredObject> {
        var cursor = try RecordCursor(self, request.forPage)
        // Relationships on the way to the sort keys are read for the position.
        let paths = try SortValues(request.sort, layouts.layout(request.entity)).paths
        return try FetchPage(await cursor.rest(loading: paths), request)
    }

    /// Returns a page of values of a published type.
    public func page<Row: Storable>(
        _ type: Row.Type, _ request: StoreRequest
    ) async throws(StoreFailure) -> FetchPage<Row> {
        try await page(request).built(type)
    }
}
