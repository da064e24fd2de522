// A context, in which each row has exactly one object.

/// Fetches objects of a store so that the same row is always the same object (`===`), whose relationships are read
/// once.
///
///     let context = StoreContext(store)
///     let ada = try context.one(StoreRequest("person", matching: ["name": "Ada"]))
///     let order = try context.one(StoreRequest("orders", matching: ["id": 7]))
///     ada === order?.objects("owner").first    // true
///
/// An object keeps the values of its row from the first read, even if a later request returns it again. The context
/// forgets an object when nothing else refers to it, or on `reset`. Objects of entities without a primary key are
/// always different. Use one context for each task or screen. The class is Sendable: a lock protects its table.
public final class StoreContext<Store: PredicateStore>: ObjectIdentities, Sendable {
    public let store: Store
    private let state = Locked(State())

    private struct State {
        var objects: [RowIdentity: Weak<StoredObject>] = [:]
        /// The number of entries at which entries of released objects are removed.
        var limit = 1024
    }

    /// Creates an empty context.
    public init(_ store: Store) { self.store = store }

    /// Returns all objects of a request.
    public func fetch(_ request: StoreRequest) throws(StoreFailure) -> [StoredObject] {
        unique(try store.fetch(request))
    }

    /// Returns the object that a request selects; nil if there is none.
    ///
    /// - Throws: `notUnique` if there are several.
    public func one(_ request: StoreRequest) throws(StoreFailure) -> StoredObject? {
        try store.one(request).flatMap { unique([$0]).first }
    }

    /// Forgets all objects, so that the next requests read their rows again.
    public func reset() { state.withLock { $0 = State() } }

    func unique(_ objects: [StoredObject]) -> [StoredObject] {
        let (found, new) = state.withLock { state in
            var new: [StoredObject] = []
            let found = objects.map { object in
                guard let identity = object.identity else { return object }
                if let known = state.objects[identity]?.object { return known }
                state.objects[identity] = Weak(object: object)
                new.append(object)
                return object
            }
            if state.objects.count > state.limit {
                state.objects = state.objects.filter { $0.value.object != nil }
                state.limit = max(1024, 2 * state.objects.count)
            }
            return (found, new)
        }
        for object in new { object.join(self) }
        return found
    }
}

/// Makes objects of equal rows identical.
protocol ObjectIdentities: AnyObject, Sendable {
    /// Returns the known objects of the same rows; for unknown rows, the given objects.
    func unique(_ objects: [StoredObject]) -> [StoredObject]
}

/// The table and the primary key of a row.
struct RowIdentity: Hashable, Sendable {
    let table: String
    let key: [PredicateValue]
}

/// A weak reference, for lists of objects that others keep.
struct Weak<Object: AnyObject & Sendable>: Sendable {
    weak let object: Object?
}
