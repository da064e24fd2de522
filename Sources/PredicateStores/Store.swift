import PredicateEvaluation
// What every store can do. The rest is in InMemoryStore.swift and SQLite/SQLiteStore.swift.
public import PredicateModel
public import PredicateSQL
import PredicateSyntax

/// A place where objects are kept.
///
///     let store = try SQLiteStore(path: "shop.sqlite")
///     for person in try store.fetch(FetchRequest("person", where: predicate, sort: [SortKey("name")])) { … }
///
/// All stores answer alike: the rows, their order and their number do not depend on what the store can do by itself.
public protocol Store: Sendable {
    var schema: Schema { get }
    /// The objects one after the other, in bounded memory unless they are sorted in memory.
    /// - Throws: all that is wrong with the request.
    func cursor(_ request: FetchRequest) throws(StoreFailure) -> FetchCursor
    /// How many objects there are in the request's window.
    func count(_ request: FetchRequest) throws(StoreFailure) -> Int
    /// Sets keys of the objects, all of them or none, and answers how many there were. With a limit or an offset only
    /// those in the window.
    func update(_ request: FetchRequest, set assignments: [SQLAssignment]) throws(StoreFailure) -> Int
    /// Deletes the objects, all of them or none, and answers how many there were.
    func delete(_ request: FetchRequest) throws(StoreFailure) -> Int
}

extension Store {
    /// All objects at once.
    public func fetch(_ request: FetchRequest) throws(StoreFailure) -> [StoredObject] {
        try cursor(request).rest()
    }
}

/// The objects that a request finds, one at a time. It belongs to one thread or task; the store may be used by others
/// meanwhile, and by the one that iterates.
public final class FetchCursor {
    /// Appends objects that the store selected, in parts; none at the end.
    private let pull: (inout [StoredObject]) throws(StoreFailure) -> Void
    private let close: () -> Void
    private let residual: Matcher<Value>?
    private let log: FaultLog
    private var buffer: [StoredObject] = []
    private var position = 0
    private var skip: Int
    private var left: Int
    private var isAtEnd = false

    /// - Parameters:
    ///   - window: limit and offset that are still to be kept.
    ///   - sort, sortsByKey: the order that is still to be made.
    ///   - rules: have the locale of the order.
    init(
        _ layout: EntityLayout, residual: Matcher<Value>?, sort: [SortKey], sortsByKey: Bool = false,
        rules: OperatorRules, window: FetchRequest?, log: FaultLog,
        close: @escaping () -> Void = {}, pull: @escaping (inout [StoredObject]) throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        self.residual = residual
        self.log = log
        self.pull = pull
        self.close = close
        skip = window?.offset ?? 0
        left = window?.limit ?? .max
        if sort.isEmpty, !sortsByKey { return }
        // What is level comes in the order of the primary key, as SQL has it.
        let byKey = layout.primaryKey.map { SortKey(layout.columns[$0]) }
        var sorter = Sorter<StoredObject>(keys: sort + byKey, limit: window?.wanted, rules: rules)
        while let object = try selected() {
            sorter.add(object, fields: sort.map { object.value(at: $0.path) } + object.primaryKey)
            try log.check()
        }
        buffer = sorter.finish()
        position = 0
    }

    deinit { if !isAtEnd { close() } }

    /// The next object; nil at the end.
    public func next() throws(StoreFailure) -> StoredObject? {
        while left > 0, let object = try isAtEnd ? buffered() : selected() {
            if skip > 0 {
                skip -= 1
                continue
            }
            left -= 1
            return object
        }
        end()
        return nil
    }

    /// All that are left.
    func rest() throws(StoreFailure) -> [StoredObject] {
        var objects: [StoredObject] = []
        if residual == nil, skip == 0, left == .max, position == buffer.count, !isAtEnd {
            var known = -1
            while known < objects.count {
                known = objects.count
                try pull(&objects)
            }
            end()
            return objects
        }
        while let object = try next() { objects.append(object) }
        return objects
    }

    private func end() {
        if isAtEnd { return }
        isAtEnd = true
        close()
    }

    private func buffered() -> StoredObject? {
        guard position < buffer.count else { return nil }
        defer { position += 1 }
        return buffer[position]
    }

    /// The next object for which the residual is true. One whose evaluation raises is not selected.
    private func selected() throws(StoreFailure) -> StoredObject? {
        while true {
            if position == buffer.count {
                buffer.removeAll(keepingCapacity: true)
                position = 0
                try pull(&buffer)
                if buffer.isEmpty {
                    end()
                    return nil
                }
            }
            guard let object = buffered() else { return nil }
            guard let residual, !object.isSure else { return object }
            let matches = residual.matches(.object(ObjectReference(object)))
            try log.check()
            if matches { return object }
        }
    }
}
