// The lists that observe a store. Changed rows are read once for all lists. A predicate set finds the lists that each
// changed object belongs to.
import PredicateRules

final class StoreObservers: Sendable {
    typealias Predicates = PredicateSet<ObjectIdentifier, PredicateValue>

    private let observers = Locked<[Weak<ObservedResults>]>([])
    /// The predicates of the lists, by entity.
    private let sets = Locked<[String: Predicates]>([:])

    var isEmpty: Bool { observers.withLock { $0.allSatisfy { $0.object == nil } } }

    func add(_ list: ObservedResults) {
        observers.withLock { observers in
            observers.removeAll { $0.object == nil }
            observers.append(Weak(object: list))
        }
    }

    func set(_ request: StoreRequest, for list: ObservedResults) throws(PredicateFailure) {
        let entity = list.plan.request.entity
        let set = try sets.withLock { (sets) throws(PredicateFailure) in
            if let set = sets[entity] { return set }
            let new = try Predicates()
            sets[entity] = new
            return new
        }
        try set.insert(request.predicate, for: ObjectIdentifier(list))
    }

    /// Removes a list that is released.
    func remove(_ list: ObservedResults) {
        let set = sets.withLock { $0[list.plan.request.entity] }
        set?.remove(ObjectIdentifier(list))
    }

    /// Updates all lists. Called after each transaction, while no other code can change the store.
    func tell(_ changes: StoreChanges, of store: some ObservableStore) {
        if changes.isEmpty { return }
        let lists = observers.withLock { $0.compactMap(\.object) }
        let changed = ChangedObjects(changes, store, lists, sets.withLock { $0 })
        for list in lists { list.follow(changes, changed) }
    }
}

/// The objects of the rows that a transaction changed. They are read when the first list of an entity needs them.
final class ChangedObjects {
    private typealias ByList = [ObjectIdentifier: [StoredObject]]

    private let changes: StoreChanges
    private let store: any ObservableStore
    private let lists: [ObservedResults]
    private let sets: [String: StoreObservers.Predicates]
    private var found: [String: Result<ByList, StoreFailure>] = [:]

    init(
        _ changes: StoreChanges, _ store: any ObservableStore, _ lists: [ObservedResults],
        _ sets: [String: StoreObservers.Predicates]
    ) {
        self.changes = changes
        self.store = store
        self.lists = lists
        self.sets = sets
    }

    /// Returns the changed objects that match the predicate of a list.
    func matching(_ list: ObservedResults) throws(StoreFailure) -> [StoredObject] {
        let entity = list.plan.request.entity
        if found[entity] == nil {
            found[entity] = Result { () throws(StoreFailure) in try read(entity, list.plan.layout) }
        }
        return try found[entity]?.get()[ObjectIdentifier(list)] ?? []
    }

    private func read(_ entity: String, _ layout: EntityLayout) throws(StoreFailure) -> ByList {
        guard let set = sets[entity], let keys = changes.rows[layout.table] else { return [:] }
        let log = FaultLog()
        let objects = try store.objects(layout, .columns(layout.keyColumns), Array(keys), log).flatMap(\.self)
        let paths = lists.flatMap { $0.plan.request.entity == entity ? $0.plan.pathsRead : [] }
        try StoredObject.prefetch(paths, of: objects)
        var byList: ByList = [:]
        for object in objects {
            for list in set.matching(.object(ObjectReference(object))) { byList[list, default: []].append(object) }
        }
        try log.check()
        return byList
    }
}
