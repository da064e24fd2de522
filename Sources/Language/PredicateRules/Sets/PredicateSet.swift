// A set of predicates with identifiers. It finds the predicates that select an object. SetRun.swift has the indexes,
// ConditionReader.swift finds the conditions to index.

/// A set of many predicates that finds those which select an object: saved searches, alerts, smart folders, routing
/// rules.
///
///     let searches = try PredicateSet<Int, Article>()
///     try searches.insert(FormatPredicate("price < 20 AND tags CONTAINS 'garden'"), for: 1)
///     searches.matching(article)    // [1]
///
/// The result is the same as testing a `PredicateMatcher` for each predicate: a predicate whose evaluation throws for an object
/// does not match it. Most predicates are not tested, because an index of necessary conditions finds the candidates.
/// `statistics` lists the predicates that no index can serve; they are tested with each object.
///
/// Any thread or task may match while another one changes the set. Each match uses a snapshot of the set and does not
/// wait for a change to finish.
public final class PredicateSet<ID: Hashable & Sendable, Root>: Sendable {
    private struct Writer: Sendable {
        var entries: [ID: IdentifiedEntry<ID>] = [:]
        var builder: SetBuilder
    }

    @usableFromInline let core: SetCore
    private let writer: Mutex<Writer>
    private let valid: Mutex<ValidComparisons>
    private let binding: Binding
    private let compile: SetCompiler

    /// - Parameter read: how to read the first keys of a path.
    private init(
        _ binding: Binding, _ run: PredicateRun, read: @escaping PathReader, compile: @escaping SetCompiler
    ) {
        self.binding = binding
        self.compile = compile
        valid = Mutex(ValidComparisons())
        let builder = SetBuilder(binding, read: read, compile: compile)
        core = SetCore(builder.snapshot, run)
        writer = Mutex(Writer(builder: builder))
    }

    /// The number of predicates.
    public var count: Int { writer.withLock { $0.entries.count } }

    /// The predicate with an identifier; nil if the set has none.
    public subscript(id: ID) -> FormatPredicate? { writer.withLock { $0.entries[id]?.predicate } }

    /// The identifiers, in no particular order.
    public var ids: [ID] { writer.withLock { Array($0.entries.keys) } }

    // MARK: Matching

    /// Returns the identifiers of the predicates that select an object, in insertion order.
    ///
    /// - Complexity: reads each indexed key once, then takes about the time of `PredicateMatcher.matches` for each candidate.
    @inlinable public func matching(_ object: Root) -> [ID] {
        withUnsafePointer(to: object) { address in
            let state = core.match(UnsafeRawPointer(address))
            let ids = state.matches.items.map { entry in
                entry._withUnsafeGuaranteedRef { unsafeDowncast($0, to: IdentifiedEntry<ID>.self).id }
            }
            core.give(state)
            return ids
        }
    }

    /// Returns the identifiers for each of many objects. For a large array, use several tasks with a part each.
    ///
    ///     for (order, rules) in zip(orders, routes.matching(each: orders)) { … }
    @inlinable public func matching(each objects: some Sequence<Root>) -> [[ID]] { objects.map { matching($0) } }

    private static func ids(of entries: [SetEntry]) -> [ID] {
        entries.map { unsafeDowncast($0, to: IdentifiedEntry<ID>.self).id }
    }

    /// The effect of a change of an object on the predicates.
    public struct Changes: Sendable {
        /// The predicates that select the new object only.
        public let entered: [ID]
        /// The predicates that select both the old and the new object.
        public let stayed: [ID]
        /// The predicates that selected the old object only.
        public let left: [ID]
    }

    /// Returns the effect of a change of an object, for live queries.
    ///
    ///     let changes = folders.changes(from: before, to: message)
    ///     for id in changes.entered { show(message, in: id) }
    ///
    /// - Parameters:
    ///   - old: the object before the change; nil if it is new.
    ///   - new: the object after the change; nil if it was removed.
    public func changes(from old: Root?, to new: Root?) -> Changes {
        let snapshot = core.snapshot
        let (before, after) = (entries(of: old, snapshot), entries(of: new, snapshot))
        let (earlier, later) = (Set(before.map(ObjectIdentifier.init)), Set(after.map(ObjectIdentifier.init)))
        return Changes(
            entered: Self.ids(of: after.filter { !earlier.contains(ObjectIdentifier($0)) }),
            stayed: Self.ids(of: after.filter { earlier.contains(ObjectIdentifier($0)) }),
            left: Self.ids(of: before.filter { !later.contains(ObjectIdentifier($0)) }))
    }

    private func entries(of object: Root?, _ snapshot: SetSnapshot) -> [SetEntry] {
        guard let object else { return [] }
        return withUnsafePointer(to: object) { address in
            let state = core.match(UnsafeRawPointer(address), in: snapshot)
            defer { core.give(state) }
            return state.matches.items.map { $0.takeUnretainedValue() }
        }
    }

    // MARK: Changes

    /// Adds a predicate, or replaces the one with the same identifier.
    ///
    /// - Throws: the errors of `FormatPredicate.compiled(for:)`; then the set is unchanged.
    /// - Complexity: some microseconds on average. Occasionally an insertion merges indexes, which takes longer.
    public func insert(_ predicate: FormatPredicate, for id: ID) throws(PredicateFailure) {
        try insert(contentsOf: CollectionOfOne((id, predicate)))
    }

    /// Adds predicates, or replaces those with the same identifiers. Faster than adding them one by one.
    ///
    /// - Throws: the errors of the first invalid predicate; then the set is unchanged.
    public func insert(contentsOf predicates: some Sequence<(ID, FormatPredicate)>) throws(PredicateFailure) {
        var added: [IdentifiedEntry<ID>] = []
        added.reserveCapacity(predicates.underestimatedCount)
        for (id, predicate) in predicates {
            // Other operators may have invalid constants, which only compiling detects.
            let isPlain = predicate.root.isPlain
            if isPlain { try check(predicate) }
            added.append(IdentifiedEntry(id, predicate, isPlain ? nil : try compile(predicate)))
        }
        let new = added
        writer.withLock { writer in
            var replaced: [SetEntry] = []
            writer.entries.reserveCapacity(writer.entries.count + new.count)
            for entry in new {
                if let old = writer.entries.updateValue(entry, forKey: entry.id) { replaced.append(old) }
            }
            change(&writer, new, replaced)
        }
    }

    private func check(_ predicate: FormatPredicate) throws(PredicateFailure) {
        if valid.withLock({ $0.contains(predicate) }) { return }
        try binding.check(predicate)
        valid.withLock { $0.insert(predicate) }
    }

    /// Removes a predicate and returns it; nil if the set has none with the identifier.
    @discardableResult public func remove(_ id: ID) -> FormatPredicate? {
        writer.withLock { writer in
            guard let old = writer.entries.removeValue(forKey: id) else { return nil }
            change(&writer, [], [old])
            return old.predicate
        }
    }

    /// Removes all predicates.
    public func removeAll() {
        writer.withLock { writer in
            let old = Array(writer.entries.values)
            writer.entries = [:]
            change(&writer, [], old)
        }
    }

    private func change(_ writer: inout Writer, _ added: [SetEntry], _ removed: [SetEntry]) {
        writer.builder.change(adding: added, removing: removed)
        core.publish(writer.builder.snapshot)
    }

    // MARK: Statistics

    /// Facts about the indexes of a set.
    public struct Statistics: Sendable {
        /// The number of predicates that each kind of index serves: `equality` for `==`, IN and CONTAINS of a
        /// collection; `missing` for `== nil`; `range` for `<`, `<=`, `>`, `>=` and BETWEEN of numbers and dates; `text`
        /// for BEGINSWITH, CONTAINS, ENDSWITH and LIKE. A predicate with an OR counts for the kind of its first
        /// condition.
        public internal(set) var indexed: [String: Int] = [:]
        /// The predicates that no index serves, with the reason. Each is tested with every object.
        public internal(set) var unindexed: [(id: ID, reason: String)] = []
        /// The number of predicates that select no object at all.
        public internal(set) var unsatisfiable = 0
    }

    /// Facts about the indexes of the set.
    ///
    ///     for (id, reason) in searches.statistics.unindexed { print("\(id): \(reason)") }
    ///
    /// - Complexity: linear in the number of predicates.
    public var statistics: Statistics {
        var (entries, conditions) = writer.withLock { ($0.entries, $0.builder.conditions) }
        var statistics = Statistics()
        for (id, entry) in entries {
            switch conditions.condition(of: entry.predicate) {
            case .unindexed(let reason): statistics.unindexed.append((id, reason.rawValue))
            case .terms(let terms): statistics.indexed[terms[0].test.indexKind, default: 0] += 1
            case .never: statistics.unsatisfiable += 1
            }
        }
        return statistics
    }
}

extension SetTerm.Test {
    /// The kind of index that serves the test.
    fileprivate var indexKind: String {
        switch self {
        case .equal: "equality"
        case .isNil: "missing"
        case .range: "range"
        case .part: "text"
        }
    }
}

extension PredicateSet where Root: QueryableValue {
    /// Creates an empty set for objects of a published type, for `PredicateValue`, or for texts, numbers and dates,
    /// which are `SELF`.
    ///
    /// - Throws: `key-table` if the type publishes a key twice, or keys that no predicate can name.
    public convenience init(
        of type: Root.Type = Root.self, run: PredicateRun = PredicateRun()
    ) throws(PredicateFailure) {
        let compile: SetCompiler = { (predicate) throws(PredicateFailure) in
            try predicate.compiled(for: Root.self, run: run).single
        }
        if let type = Root.self as? any Queryable.Type {
            let binding = try Binding(type, variables: [:], run: run)
            self.init(binding, run, read: type.pathReader, compile: compile)
        } else {
            let binding =
                Root.self == PredicateValue.self
                ? Binding(variables: [:], run: run)
                : Binding(values: Root.self, variables: [:], run: run)
            self.init(binding, run, read: Root.wholeReader, compile: compile)
        }
    }
}

extension PredicateSet where Root == [String: Any] {
    /// Creates an empty set for dictionaries. A missing key is nil.
    public convenience init(
        of type: Root.Type = Root.self, run: PredicateRun = PredicateRun()
    ) {
        self.init(
            Binding(variables: [:], run: run), run, read: Root.pathReader
        ) { (predicate) throws(PredicateFailure) in
            try predicate.compiled(for: Root.self, run: run).single
        }
    }
}

/// The part of a set that matches objects. It does not depend on the type of objects or identifiers.
@usableFromInline final class SetCore: Sendable {
    private struct Shared: Sendable {
        var snapshot: SetSnapshot
        /// States that are not in use.
        var free: [SetState] = []
    }

    private let run: PredicateRun
    private let shared: Mutex<Shared>
    /// The version of the latest snapshot. A state compares it with its own version, so that most matches take no lock.
    private let version: AtomicNumbers
    /// One state that is not in use.
    private let spare = AtomicReference<SetState>()

    init(_ snapshot: SetSnapshot, _ run: PredicateRun) {
        self.run = run
        shared = Mutex(Shared(snapshot: snapshot))
        version = AtomicNumbers(snapshot.version)
    }

    var snapshot: SetSnapshot { shared.withLock { $0.snapshot } }

    func publish(_ snapshot: SetSnapshot) {
        // Unused states must not keep the entries of older snapshots alive.
        let old = shared.withLock { shared in
            shared.snapshot = snapshot
            defer { shared.free = [] }
            return shared.free
        }
        version.store(snapshot.version)
        guard let state = spare.take() ?? old.first else { return }
        state.snapshot = snapshot
        give(state)
    }

    /// Finds the entries that select an object. The caller must return the state.
    @usableFromInline func match(_ object: UnsafeRawPointer) -> SetState {
        let state = take()
        if state.snapshot.version != version.load() { state.snapshot = snapshot }
        state.snapshot.match(object, state)
        return state
    }

    /// - Parameter snapshot: the snapshot of the set to match.
    func match(_ object: UnsafeRawPointer, in snapshot: SetSnapshot) -> SetState {
        let state = take()
        if state.snapshot !== snapshot { state.snapshot = snapshot }
        snapshot.match(object, state)
        return state
    }

    private func take() -> SetState {
        if let state = spare.take() { return state }
        let (free, snapshot) = shared.withLock { ($0.free.popLast(), $0.snapshot) }
        return free ?? SetState(run, snapshot)
    }

    @usableFromInline func give(_ state: SetState) {
        state.matches.removeAll()
        if spare.fill(state) { return }
        shared.withLock { if $0.free.count < 16 { $0.free.append(state) } }
    }
}

extension PredicateNode {
    /// Whether the predicate only compares keys with constants, by operators for which every constant is valid.
    fileprivate var isPlain: Bool {
        switch kind {
        case .constant: return true
        case .error: return false
        case .not(let child): return child.isPlain
        case .and(let children), .or(let children): return children.allSatisfy { $0.isPlain }
        case .comparison(let comparison):
            switch comparison.operator {
            case .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .in, .contains,
                .between, .beginsWith, .endsWith:
                return comparison.left.isPlain && comparison.right.isPlain
            default: return false
            }
        }
    }
}

extension ExpressionNode {
    fileprivate var isPlain: Bool {
        switch kind {
        case .keyPath, .selfObject, .value: true
        case .aggregate: constant != nil
        default: false
        }
    }
}
