// The back end of a RecordStore.

/// A back end of a store: a server, a file, another library.
///
///     struct Cities: RecordSource {
///         let schema: PredicateSchema
///         let capabilities = StoreCapabilities(equalityOf: ["country"])
///
///         func records(_ request: StoreRequest) async throws -> [ValueDictionary] {
///             let country = request.equalities["country"]?.first    // nil for all countries
///             …
///         }
///     }
///     let store = try RecordStore(Cities(schema: schema))
///
/// The functions may be synchronous, and throw any error: the store throws a `StoreFailure` as it is, and other errors as
/// `StoreFailure.backEnd`. They are called at the same time from several tasks. If a task is cancelled, they are not
/// called again; a function that waits should end then, by throwing `CancellationError` for example.
///
/// A back end that finds records faster than it reads them declares `findsKeys`, and has `keys(_:)` and
/// `records(of:keys:)` instead of `records(_:)`. A back end without `insert`, `update` and `delete` is read-only.
public protocol RecordSource: Sendable {
    /// The entities of the records.
    var schema: PredicateSchema { get }
    /// The parts of a request that the back end executes.
    var capabilities: StoreCapabilities { get }
    /// Returns the records that match the request, in its order, limited to its window. The request contains only what
    /// the capabilities allow; `equalities` and `comparisons` show what its predicate asks. A to-one relationship is the
    /// key of another record; a key of several columns is a list of values. A key that a record does not have is nil.
    func records(_ request: StoreRequest) async throws -> [ValueDictionary]
    /// Returns the primary keys of the records that match the request, as `records(_:)` returns the records. A primary
    /// key of several columns is a list of values.
    func keys(_ request: StoreRequest) async throws -> [PredicateValue]
    /// Returns the records with the keys, in any order, without those that no longer exist.
    func records(of entity: String, keys: [PredicateValue]) async throws -> [ValueDictionary]
    /// Stores new records, whose values have the types of the schema, and returns their primary keys in the same order.
    /// If it throws, it should have stored none.
    func insert(_ records: [ValueDictionary], into entity: String) async throws -> [PredicateValue]
    /// Sets values of records. If it throws, it should have changed none.
    func update(_ changes: [(key: PredicateValue, values: ValueDictionary)], in entity: String) async throws
    /// Deletes the records with the keys. If it throws, it should have deleted none.
    func delete(_ keys: [PredicateValue], from entity: String) async throws
}

extension RecordSource {
    public func records(_ request: StoreRequest) async throws -> [ValueDictionary] {
        try await records(of: request.entity, keys: keys(request))
    }
    public func keys(_ request: StoreRequest) async throws -> [PredicateValue] {
        throw StoreFailure.schema("the back end of \(request.entity) finds no keys")
    }
    public func records(of entity: String, keys: [PredicateValue]) async throws -> [ValueDictionary] {
        throw StoreFailure.schema("the back end of \(entity) reads no records by key")
    }
    public func insert(_ records: [ValueDictionary], into entity: String) async throws -> [PredicateValue] {
        throw StoreFailure.readOnly
    }
    public func update(
        _ changes: [(key: PredicateValue, values: ValueDictionary)], in entity: String
    ) async throws { throw StoreFailure.readOnly }
    public func delete(_ keys: [PredicateValue], from entity: String) async throws { throw StoreFailure.readOnly }
}
