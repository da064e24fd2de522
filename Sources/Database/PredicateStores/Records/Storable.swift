// Builds values of published types from rows: the reverse of inserting them.

/// A published type whose values are built from stored objects.
///
///     struct Song: Storable {
///         var id: Int?, title: String, covers: [Song]?
///         static let keys: KeyTable<Song> = [.key("id", \.id), .key("title", \.title), .key("covers", \.covers)]
///
///         init(_ object: StoredObject) throws(StoreFailure) {
///             id = try object.read("id")
///             title = try object.read("title")
///             covers = try object.read("covers")
///         }
///     }
///     let songs = try store.fetch(Song.self, where: "title BEGINSWITH[c] %@", "a", prefetch: ["covers"])
///
/// A `Codable` type needs no initialiser: it is decoded from the row.
public protocol Storable: Queryable {
    /// Builds the value: one line for each key that is stored.
    ///
    /// - Throws: what `StoredObject.read` throws, or an error of the app, which `fetch` throws as
    ///   `StoreFailure.row`.
    init(_ object: StoredObject) throws
}

extension Storable where Self: Decodable {
    /// Decodes the object, so that a Decodable type needs no initialiser of its own. The names of its coding keys are
    /// keys of the entity.
    public init(_ object: StoredObject) throws { self = try object.decoded(as: Self.self) }
}

extension StoredObject {
    /// How many objects lead to the one that is being built, and the maximum. More are a cycle.
    @TaskLocal private static var depth = 0
    private static let maximumDepth = 64

    /// The value of a key as a type.
    ///
    ///     let title: String = try object.read("title")
    ///
    /// An attribute may be read as every type that `PredicateValue.as` supports. A to-one relationship is read from the
    /// store, unless the request names it in `prefetch`, and builds a `Storable` type. An array or set of such a type is
    /// built from a to-many relationship only if the request names its path in `prefetch`, so objects that refer to each
    /// other end there: a relationship that is not read is an error, or nil if the type is Optional.
    ///
    /// - Throws: `row` for a key that the entity does not have, a value that does not fit the type, a to-many
    ///   relationship that is not read, and objects that refer to each other without end; what `readValue(forKey:)`
    ///   throws.
    public func read<Value: QueryableValue>(
        _ key: String, as type: Value.Type = Value.self
    ) throws(StoreFailure) -> Value {
        func misuse(_ reason: String) -> StoreFailure { .row(type: entity, key: key, reason: reason) }
        func failure(_ reason: String) -> StoreFailure { misuse(reason + mark) }
        let isRelationship = hasRelationship(key)
        if isRelationship, !isRead(key) {
            // Only an Optional is made from nil.
            let absent = (type as? any ReadableContainer.Type)?.object(.null) { _, _ in nil }
            if let absent, let none = absent as? Value { return none }
            throw misuse("is not read: name its path in 'prefetch', or declare an Optional, which is then nil")
        }
        guard let value = try readValue(forKey: key) else {
            throw misuse("is not a key of \(entity)\(Suggestions.question(key, in: publishedKeys))")
        }
        guard isRelationship else {
            if let found = value.as(type) { return found }
            let shown = value.isNil ? "nil, but \(type) is not optional" : "\(value), which \(type) cannot represent"
            throw failure("is \(shown)")
        }
        if Self.depth == Self.maximumDepth { throw failure("leads to itself, or to too many objects") }
        let result = Self.$depth.withValue(Self.depth + 1) {
            Result { () throws(StoreFailure) in try Self.build(value, type, failure) }
        }
        guard let built = try result.get(), let found = built as? Value else {
            throw failure(value.isNil ? "is nil, but \(type) is not optional" : "cannot be built as \(type)")
        }
        return found
    }

    /// Builds the objects of a relationship. nil if the type does not fit.
    fileprivate static func build(
        _ value: PredicateValue, _ type: Any.Type, _ failure: (String) -> StoreFailure
    ) throws(StoreFailure) -> Any? {
        switch type {
        case let type as any Storable.Type:
            guard let object = value.as(StoredObject.self) else { return nil }
            if object.isMissing { throw failure("refers to no row: \(object.entity) \(object.primaryKey)") }
            return try object.built(type)
        case let type as any ReadableContainer.Type:
            return try type.object(value) { (value, type) throws(StoreFailure) in try build(value, type, failure) }
        default: return value.as(StoredObject.self)
        }
    }

    /// Builds a value of a type from the object.
    func built<Value: Storable>(_ type: Value.Type) throws(StoreFailure) -> Value {
        do {
            return try Value(self)
        } catch {
            throw error as? StoreFailure ?? .row(type: "\(type)", key: "", reason: "\(error)\(mark)")
        }
    }

    /// The name of the object after a message about it: ` (Person 7)`. Empty without a primary key.
    var mark: String { primaryKey.isEmpty ? "" : " (\(entity) \(ExpressionNode(.value(primaryKey.asKey))))" }
}

extension PredicateStore {
    /// Returns the objects as values of a published type.
    ///
    ///     let books = try store.fetch(Book.self, StoreRequest("Book", where: predicate, prefetch: ["author"]))
    ///
    /// To-many relationships are read to the depth that `prefetch` names; see `StoredObject.read`.
    ///
    /// `unreadable` is called with the failure of each row that cannot be built, which is then left out. It
    /// names the row and the key. Without it, the first such row ends the request.
    ///
    /// - Throws: what `fetch` and `StoredObject.read` throw. Cost: a statement for each to-one relationship of each
    ///   object that `prefetch` does not name, and else one for 500 objects.
    public func fetch<Row: Storable>(
        _ type: Row.Type, _ request: StoreRequest, unreadable: ((StoreFailure) -> Void)? = nil
    ) throws(StoreFailure) -> [Row] {
        try rows(request, unreadable) { (object) throws(StoreFailure) in try object.built(type) }
    }

    /// Returns the objects of the entity that has the name of a published type, as values of that type.
    ///
    ///     let cheap = try store.fetch(Book.self, where: "price < %@", 10, limit: 20)
    ///
    /// - Throws: what `fetch` of a request throws; `request` with all errors of the format.
    public func fetch<Row: Storable>(
        _ type: Row.Type, where format: String, _ arguments: (any FormatArgumentConvertible)?...,
        sort: [PredicateSortKey] = [], limit: Int? = nil, prefetch: [String] = []
    ) throws(StoreFailure) -> [Row] {
        try fetch(type, StoreRequest(type, format, arguments, sort: sort, limit: limit, prefetch: prefetch))
    }

    /// The same with a predicate, by default for all objects.
    public func fetch<Row: Storable>(
        _ type: Row.Type, where predicate: FormatPredicate = .constant(true), sort: [PredicateSortKey] = [],
        limit: Int? = nil, prefetch: [String] = []
    ) throws(StoreFailure) -> [Row] {
        try fetch(type, StoreRequest("\(type)", where: predicate, sort: sort, limit: limit, prefetch: prefetch))
    }

    /// Returns the one object that a request selects as a value of a published type; nil if there is none.
    ///
    /// - Throws: `notUnique` if there are several; what `fetch` throws.
    public func one<Row: Storable>(_ type: Row.Type, _ request: StoreRequest) throws(StoreFailure) -> Row? {
        try one(request)?.built(type)
    }
}

extension AsyncStore {
    /// Returns the objects as values of a published type.
    public func fetch<Row: Storable & Sendable>(
        _ type: Row.Type, _ request: StoreRequest, unreadable: (@Sendable (StoreFailure) -> Void)? = nil
    ) async throws(StoreFailure) -> [Row] {
        try await use { (store) throws(StoreFailure) in try store.fetch(type, request, unreadable: unreadable) }
    }

    /// Returns the objects of the entity that has the name of a published type; see the store's `fetch`.
    public func fetch<Row: Storable & Sendable>(
        _ type: Row.Type, where format: String, _ arguments: (any FormatArgumentConvertible)?...,
        sort: [PredicateSortKey] = [], limit: Int? = nil, prefetch: [String] = []
    ) async throws(StoreFailure) -> [Row] {
        try await fetch(type, StoreRequest(type, format, arguments, sort: sort, limit: limit, prefetch: prefetch))
    }

    /// The same with a predicate, by default for all objects.
    public func fetch<Row: Storable & Sendable>(
        _ type: Row.Type, where predicate: FormatPredicate = .constant(true), sort: [PredicateSortKey] = [],
        limit: Int? = nil, prefetch: [String] = []
    ) async throws(StoreFailure) -> [Row] {
        try await fetch(type, StoreRequest("\(type)", where: predicate, sort: sort, limit: limit, prefetch: prefetch))
    }
}
