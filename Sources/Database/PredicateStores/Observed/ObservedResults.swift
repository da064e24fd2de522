// A list of objects that follows the changes of its store. In: a request, and the keys of the rows that a transaction
// changed. Out: the new list, and the change to it. The list of `isDone == NO`, sorted by `due`, is A (due 1), B (due 3). A
// transaction sets `due` of B to 0 and inserts C (due 2):
//
//     StoreObservers      the keys B and C, once for all lists; reads both rows and tests the predicates of the lists
//     `follow`            both match this list; if a related object may have changed: `fetch` reads all objects again
//     `replace`           moves B and adds C: the list is B, A, C
//     ResultsDifference   moved: B from 1 to 0; inserted: C at 2
//     ChangeFeed          keeps the change for each iteration until it is taken

/// The objects of a request, in order and in sections, kept up to date.
///
///     let list = try store.observe(
///         StoreRequest("todo", where: FormatPredicate("isDone == NO"), sort: [PredicateSortKey("due")]), sections: "priority")
///     for try await change in list {
///         view.apply(change)    // the first change inserts the whole list
///     }
///
/// After each transaction of the store, the list reads the changed rows, tests them and moves them to their positions.
/// If the predicate, a sort key or the section key reads related objects and one of those changes, the list reads all
/// objects again. Transactions that are rolled back, and those that do not affect the list, report no change. On
/// SQLite, changes by other connections and processes are found by `refresh()` or by polling.
///
/// With a section key, the list is sorted by that key first. If the first sort key compares texts with options such as
/// `[c]`, texts that compare as equal are then ordered by code points, so that each value has one section; `request`
/// shows the order used. Objects with equal keys are ordered by primary key. `now()` in the predicate is the time when
/// all objects were last read; `refresh()` reads the clock again.
///
/// An object keeps the values that its row had when it was read. Related objects are read at the first access and
/// cached.
///
/// The class is Sendable: its results are immutable or protected by a lock. It follows its store until it is released.
public final class ObservedResults: AsyncSequence, Sendable {
    public typealias Element = Change
    public typealias Failure = StoreFailure

    /// The internal state. Used only while no other code can change the store.
    private struct Model: Sendable {
        /// The matching objects by primary key, including those outside of the window.
        var entries: [[PredicateValue]: ObservedEntry] = [:]
        /// The last fetched object; nil if all objects were fetched. Objects after it are unknown.
        var horizon: ObservedEntry?
        var version: Int64?
        /// Whether the last update failed.
        var isStale = false
    }

    /// The state that users of the list see.
    private struct Published: Sendable {
        var results: Snapshot
        var feeds: [Weak<ChangeFeed>] = []
    }

    let plan: ObservedPlan
    private let store: any ObservableStore
    private let model = Locked(Model())
    private let published: Locked<Published>
    private let poller = Locked<Task<Void, Never>?>(nil)

    /// The request, with the order that the list actually uses.
    public var request: StoreRequest { plan.request }

    /// The current state of the list.
    public var results: Snapshot { published.withLock { $0.results } }

    static func open(
        _ request: StoreRequest, _ sections: String?, polling interval: Duration?, in store: some ObservableStore
    ) throws(StoreFailure) -> ObservedResults {
        let list = ObservedResults(try ObservedPlan(request, sections, store), store)
        try store.whileUnchanged { () throws(StoreFailure) in
            try list.fetch()
            store.observers.add(list)
        }
        if let interval { list.poll(interval, store) }
        return list
    }

    private init(_ plan: ObservedPlan, _ store: some ObservableStore) {
        self.plan = plan
        self.store = store
        published = Locked(Published(results: plan.emptyResults))
    }

    deinit {
        poller.withLock { $0 }?.cancel()
        store.observers.remove(self)
    }

    // MARK: Reading

    /// Looks for changes that the store has not reported: those of other connections and processes. On SQLite, if there
    /// are none (`PRAGMA data_version`) and the predicate does not use `now()`, nothing is read; otherwise all objects
    /// are read again.
    ///
    /// The call blocks; in async code use `store.async.run { _ in try list.refresh() }`.
    ///
    /// - Throws: errors of the store; `schema` if it is called inside a transaction.
    public func refresh() throws(StoreFailure) {
        try store.whileUnchanged { () throws(StoreFailure) in
            let version = try store.foreignVersion()
            let (known, isStale) = model.withLock { ($0.version, $0.isStale) }
            if version == nil || version != known || isStale || plan.request.isTimed { try fetch() }
        }
    }

    private func poll(_ interval: Duration, _ store: some ObservableStore) {
        let task = Task { [weak self] in
            while !Task.isCancelled {
                try? await Task.sleep(for: interval)
                guard !Task.isCancelled, let list = self else { return }
                await list.refreshLater(store)
            }
        }
        poller.withLock { $0 = task }
    }

    private func refreshLater(_ store: some ObservableStore) async {
        do throws(StoreFailure) {
            try await store.async.run { (_) throws(StoreFailure) in try self.refresh() }
        } catch {
            if case .cancelled = error { return }
            fail(error)
        }
    }

    /// Reads all objects. Called only while no other code can change the store.
    private func fetch() throws(StoreFailure) {
        do throws(StoreFailure) {
            // Read before the rows: a change during the fetch then has a newer version.
            let version = try store.foreignVersion()
            var request = plan.request.atOneInstant(in: store.schema)
            (request.limit, request.offset) = (plan.fetched, 0)
            // Sets the predicate with the new value of `now()`.
            try StoreFailure.ofRequest { () throws(PredicateFailure) in try store.observers.set(request, for: self) }
            let objects = try store.fetch(request)
            let found = try entries(of: objects)
            var byKey: [[PredicateValue]: ObservedEntry] = [:]
            byKey.reserveCapacity(found.count)
            for entry in found
            where byKey.updateValue(entry, forKey: entry.key) != nil || entry.key.contains(where: \.isNil) {
                throw .schema(
                    "\(plan.layout.table) has rows without a key or with the same key, so it cannot be observed")
            }
            let ordered = OrderedEntries(found, plan.order)
            let horizon = request.limit == found.count ? ordered.all.suffix(1).first : nil
            model.withLock { [byKey] model in
                model = Model(entries: byKey, horizon: horizon, version: version)
            }
            let old = results
            publish(ResultsDifference.change(from: old, to: ordered, TouchedEntry.all(old.entries, ordered), plan))
        } catch {
            model.withLock { $0.isStale = true }
            throw error
        }
    }

    private func entries(of objects: [StoredObject]) throws(StoreFailure) -> [ObservedEntry] {
        try StoredObject.prefetch(plan.sort.paths, of: objects)
        return try objects.map { (object) throws(StoreFailure) in try ObservedEntry(object, plan.sort) }
    }

    // MARK: Following

    /// Updates the list after a transaction. Called only while no other code can change the store.
    func follow(_ changes: StoreChanges, _ changed: ChangedObjects) {
        do throws(StoreFailure) {
            let (isStale, known) = model.withLock { ($0.isStale, $0.entries.count) }
            if isStale || plan.needsFetch(after: changes, known: known) { return try fetch() }
            guard let keys = changes.rows[plan.layout.table] else { return }
            let matching = try changed.matching(self)
            try StoredObject.prefetch(plan.request.prefetchPaths, of: matching)
            if try !replace(keys, with: entries(of: matching)) { try fetch() }
        } catch {
            model.withLock { $0.isStale = true }
            // The task of the writer was cancelled, not the list.
            guard case .cancelled = error else { return fail(error) }
            let store = store
            Task { [weak self] in await self?.refreshLater(store) }
        }
    }

    /// Moves changed objects to their positions.
    ///
    /// - Parameters:
    ///   - keys: the keys of the changed rows.
    ///   - found: the objects that match.
    /// - Returns: false if too few objects are known to fill the window.
    private func replace(_ keys: Set<[PredicateValue]>, with found: [ObservedEntry]) -> Bool {
        let old = results
        let plan = plan
        var fresh: [[PredicateValue]: ObservedEntry] = [:]
        for entry in found { fresh[entry.key] = entry }
        let next = model.withLock { [fresh] model -> (entries: OrderedEntries, touched: [TouchedEntry])? in
            var entries = old.entries
            var touched: [TouchedEntry] = []
            for key in keys.union(fresh.keys) {
                let before = model.entries[key]
                var after = fresh[key]
                if let entry = after, let horizon = model.horizon, plan.order.compare(entry, horizon) > 0 {
                    after = nil
                }
                if let before {
                    if let after, after.isSame(as: before) { continue }
                    entries.remove(before)
                }
                if let after { entries.insert(after) }
                model.entries[key] = after
                if before != nil || after != nil { touched.append(TouchedEntry(old: before, new: after)) }
            }
            let isEnough = model.horizon == nil || entries.count >= plan.request.wanted ?? 0
            return isEnough ? (entries, touched) : nil
        }
        guard let next else { return false }
        if !next.touched.isEmpty { publish(ResultsDifference.change(from: old, to: next.entries, next.touched, plan)) }
        return true
    }

    private func publish(_ change: Change) {
        let feeds = published.withLock { published in
            published.results = change.results
            published.feeds.removeAll { $0.object == nil }
            return published.feeds
        }
        if change.isEmpty { return }
        for feed in feeds { feed.object?.add(change) }
    }

    private func fail(_ failure: StoreFailure) {
        model.withLock { $0.isStale = true }
        for feed in published.withLock({ $0.feeds }) { feed.object?.fail(failure) }
    }

    // MARK: Changes

    /// Returns the changes from now on. The first one inserts the whole list. Each iteration gets all changes.
    ///
    /// An iterator that is many changes late gets one change for all of them. The iteration ends when its task is
    /// cancelled. It throws if the list could not be updated; start another iteration to continue.
    public func makeAsyncIterator() -> Iterator {
        let plan = plan
        let feed = published.withLock { published in
            let feed = ChangeFeed(published.results, plan)
            published.feeds.append(Weak(object: feed))
            return feed
        }
        return Iterator(self, feed)
    }

    /// The changes of a list.
    public struct Iterator: AsyncIteratorProtocol {
        /// Keeps the list alive, so that it follows the store.
        private let list: ObservedResults
        private let feed: ChangeFeed
        private var signals: AsyncStream<Void>.Iterator

        fileprivate init(_ list: ObservedResults, _ feed: ChangeFeed) {
            self.list = list
            self.feed = feed
            signals = feed.signals.makeAsyncIterator()
        }

        /// Returns the next change; nil if the task is cancelled.
        public mutating func next() async throws(StoreFailure) -> Change? {
            while true {
                if let change = try feed.next() { return change }
                if await signals.next() == nil { return nil }
            }
        }
    }
}

extension ObservedPlan {
    var emptyResults: ObservedResults.Snapshot {
        ObservedResults.Snapshot(
            entries: OrderedEntries([], order), window: 0..<0,
            parts: hasSections ? SectionParts() : SectionParts(values: [.null], counts: [0]))
    }
}
