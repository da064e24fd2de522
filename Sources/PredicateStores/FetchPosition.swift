// Pages by position instead of offset: the objects after a place in the order of a request. A SQL store compares sort
// keys in the statement; FetchCursor compares those that the language cannot compare.
import PredicateEvaluation
import PredicateModel
public import PredicateSyntax

/// A place in the order of a request: the values of its sort keys, then the primary key.
///
///     var request = FetchRequest("Book", sort: [SortKey("price", descending: true)], limit: 20)
///     let first = try store.page(request)
///     request.after = first.next        // nil after the last page
///     let second = try store.page(request)
///
/// Objects that are inserted or deleted meanwhile move no other object to another page. The position is Codable, as a
/// short JSON for the clients of a server. It names the order: a request with another entity or order refuses it.
public struct FetchPosition: Sendable, Hashable, Codable {
    /// The entity and the sort keys.
    let order: String
    let values: [PredicateValue]
}

/// Some objects of a request, and the position of the last one.
public struct FetchPage<Element> {
    public let objects: [Element]
    /// The `after` of the request for the next page; nil if there are no more objects.
    public let next: FetchPosition?
}

extension FetchPage: Sendable where Element: Sendable {}

extension FetchRequest {
    /// The position of an object in the order of the request.
    ///
    ///     request.after = try request.position(of: lastShown)
    ///
    /// - Throws: `request` for sort keys that the object does not have; the failure of reading a relationship.
    public func position(of object: StoredObject) throws(StoreFailure) -> FetchPosition {
        try position(values: SortValues(sort, object.layout).values(of: object), key: object.primaryKey)
    }

    /// The position of an object that has the values of the sort keys and the primary key.
    public func position(values: [PredicateValue], key: [PredicateValue]) -> FetchPosition {
        FetchPosition(order: order, values: values + key)
    }

    private var order: String { ([entity] + sort.map(\.description)).joined(separator: ", ") }

    /// Whether it has a limit, an offset or a position.
    var isCut: Bool { limit != nil || offset > 0 || after != nil }

    /// Returns the request for the objects after the position, as a condition of the language. It keeps the position if
    /// some keys cannot be compared; the condition then also selects objects before it.
    func comparingPosition(in schema: PredicateSchema) throws(StoreFailure) -> FetchRequest {
        guard let after else { return self }
        let keys = try positionKeys(in: schema)
        let all = zip(keys, after.values).map { PositionPart($0, $1, schema, entity) }
        let parts = all.prefix { $0 != nil }.compactMap(\.self)
        var request = self
        var condition: FormatPredicate?
        if parts.count == all.count { request.after = nil } else { condition = .constant(true) }
        for (index, part) in parts.enumerated().reversed() {
            guard let rest = condition else {
                condition = part.after
                continue
            }
            let both = part.after || (rest == .constant(true) ? part.same : part.same && rest)
            // A bound of the first key, for an index.
            condition = index > 0 || rest == .constant(true) ? both : (part.after || part.same) && both
        }
        if let condition { request.predicate = predicate == .constant(true) ? condition : predicate && condition }
        return request
    }

    /// The keys of the order, with the primary key.
    ///
    /// - Throws: `request` for the position of another request, and for values that the keys cannot have.
    @discardableResult
    func positionKeys(in schema: PredicateSchema) throws(StoreFailure) -> [SortKey] {
        let keys = sort + schema.keyAttributes(of: entity).map { SortKey($0) }
        guard let after else { return keys }
        func refused(_ reason: String) -> StoreFailure {
            .request(PredicateFailure(Diagnostic(.malformedRequest, at: .none, reason)))
        }
        if hasGroups { throw .schema("a request with groups, aggregates or distinct values has no positions") }
        if keys.count == sort.count { throw .schema("\(entity) has no primary key, so its objects have no positions") }
        if after.order != order { throw refused("the position is one of '\(after.order)', not of '\(order)'") }
        if after.values.count != keys.count {
            throw refused("the position has \(after.values.count) values, not \(keys.count)")
        }
        for (key, value) in zip(keys, after.values) where !value.isNaN {
            if let attribute = schema.attribute(at: key, of: entity)?.attribute, attribute.converted(value) == nil {
                throw refused("'\(key.path)' of the position cannot be \(ExpressionNode(.value(value)))")
            }
        }
        return keys
    }
}

/// Tests objects for being after a position, in memory.
struct PositionTest {
    private let keys: [SortKey]
    private let values: SortValues
    private let position: [PredicateValue]
    /// The relationship paths that the keys read.
    var paths: [[String]] { values.paths }

    /// nil for a request without a position.
    init?(_ request: FetchRequest?, _ layout: EntityLayout) throws(StoreFailure) {
        guard let request, let after = request.after else { return nil }
        keys = request.sort + layout.keyNames.map { SortKey($0) }
        values = try SortValues(request.sort, layout)
        position = after.values
    }

    func isBefore(_ object: StoredObject) throws(StoreFailure) -> Bool {
        for (key, (value, limit)) in zip(keys, zip(try values.values(of: object) + object.primaryKey, position)) {
            let order = key.compare(value, limit, rules: key.environment.rules)
            if order != 0 { return order > 0 }
        }
        return false
    }
}

/// The comparison of one key with its value in a position, in the language.
private struct PositionPart {
    /// Selects the objects that the order has after the value, and those that have the same value.
    let after, same: FormatPredicate

    /// nil for a key that the language cannot compare: an expression, a text in a locale, or a type without an order.
    init?(_ key: SortKey, _ value: PredicateValue, _ schema: PredicateSchema, _ entity: String) {
        guard let (attribute, path) = schema.attribute(at: key, of: entity), !key.options.contains(.localeSensitive)
        else { return nil }
        switch attribute.type {
        case .boolean, .integer, .double, .decimal, .string, .uuid: break
        case .date where !value.isNaN: break
        default: return nil
        }
        let left = FormatExpression(ExpressionNode(.keyPath(path)))
        let options = attribute.type == .string ? key.options : []
        func test(_ operation: ComparisonOperator, _ right: PredicateValue) -> FormatPredicate {
            .comparison(left, operation, right, options: right.isNil ? [] : options)
        }
        // Only NaN differs from itself.
        let isNaN = FormatPredicate.comparison(left, .notEqual, left)
        var after: [FormatPredicate] = []
        switch value {
        case _ where value.isNil:
            same = test(.equal, .null)
            if key.nils == .first { after = [test(.notEqual, .null)] }
        case _ where value.isNaN:
            same = isNaN
            if !key.isDescending { after = [test(.greaterThanOrEqual, .double(-.infinity))] }
        default:
            same = test(.equal, value)
            after = [test(key.isDescending ? .lessThan : .greaterThan, value)]
            if key.isDescending, attribute.allowsNaN { after.append(isNaN) }
        }
        // A missing object has no values.
        if key.nils == .last, !value.isNil, attribute.isOptional || path.count > 1 { after.append(test(.equal, .null)) }
        self.after = after.count == 1 ? after[0] : .or(after)
    }
}

extension PredicateSchema {
    /// The attribute of a sort key, and its path through to-one relationships; nil for other keys.
    fileprivate func attribute(at key: SortKey, of entity: String) -> (attribute: Attribute, path: [String])? {
        let path = self.key(key.path, of: entity) == nil ? key.path.keyPathKeys : [key.path]
        var entity = entity
        for name in path.dropLast() {
            guard case .relationship(let step)? = self.key(name, of: entity), !step.isToMany else { return nil }
            entity = step.target
        }
        guard case .attribute(let attribute)? = self.key(path[path.count - 1], of: entity) else { return nil }
        return (attribute, path)
    }
}

extension PredicateStore {
    /// Returns the first objects of a request, up to its limit, and the position after which the next page begins.
    ///
    ///     request.after = try JSONDecoder().decode(FetchPosition.self, from: cursor)
    ///     let page = try store.page(request)
    ///     let cursor = try page.next.map { try JSONEncoder().encode($0) }
    ///
    /// - Throws: `request` for the position of another request; `schema` for an entity without a primary key; what
    ///   `fetch` throws.
    /// - Complexity: a database with an index that begins with the sort keys reads only the rows of the page.
    public func page(_ request: FetchRequest) throws(StoreFailure) -> FetchPage<StoredObject> {
        guard let limit = request.limit else { return FetchPage(objects: try fetch(request), next: nil) }
        var more = request
        more.limit = limit == .max ? limit : limit + 1
        let found = try fetch(more)
        let objects = Array(found.prefix(limit))
        if found.count == objects.count { return FetchPage(objects: objects, next: nil) }
        return FetchPage(objects: objects, next: try objects.last.map(request.position) ?? request.after)
    }

    /// Returns a page of values of a published type.
    public func page<Row: Storable>(_ type: Row.Type, _ request: FetchRequest) throws(StoreFailure) -> FetchPage<Row> {
        let page = try page(request)
        let rows = try page.objects.map { (object) throws(StoreFailure) in try object.built(type) }
        return FetchPage(objects: rows, next: page.next)
    }
}

extension AsyncStore {
    /// Returns the first objects of a request and the position of the next page.
    public func page(_ request: FetchRequest) async throws(StoreFailure) -> FetchPage<StoredObject> {
        try await use { (store) throws(StoreFailure) in try store.page(request) }
    }

    /// Returns a page of values of a published type.
    public func page<Row: Storable & Sendable>(
        _ type: Row.Type, _ request: FetchRequest
    ) async throws(StoreFailure) -> FetchPage<Row> {
        try await use { (store) throws(StoreFailure) in try store.page(type, request) }
    }
}
