// An entry of a predicate set, and the state that tests share.

/// An entry of a predicate set. A snapshot may keep it after it was removed from the set.
// @unchecked Sendable: its properties are constant, atomic, or used only by changes of the set. Not final, because a
// subclass adds the identifier.
@usableFromInline class SetEntry: @unchecked Sendable {
    let predicate: FormatPredicate
    /// Whether no index serves it. Stored because finding this out also simplifies the predicate. Only changes of the
    /// set use it, one at a time.
    var isUnindexed = false
    /// The version of the set in which it was removed.
    private let end = AtomicNumbers(.max)
    /// The test. Compiled when the predicate becomes a candidate for the first time.
    private let test = AtomicReference<ObjectTest>()

    init(_ predicate: FormatPredicate, _ compiled: ObjectTest?) {
        self.predicate = predicate
        if let compiled { _ = test.fill(compiled) }
    }

    /// Whether the entry is in a version of the set.
    func isPart(of version: Int) -> Bool { end.load() > version }

    func remove(from version: Int) { end.store(version) }

    /// - Parameter compile: compiles a predicate. It cannot fail here, because insertion has already checked the
    ///   predicate.
    func matches(_ object: UnsafeRawPointer, _ compile: SetCompiler) -> Bool {
        if let known = test.load() { return known._withUnsafeGuaranteedRef { $0.matches(object) } }
        guard let new = try? compile(predicate) else { return false }
        _ = test.fill(new)
        return new.matches(object)
    }
}

typealias SetCompiler = @Sendable (FormatPredicate) throws(PredicateFailure) -> ObjectTest

/// An entry with its identifier.
// @unchecked Sendable: as its superclass; the identifier is a constant.
@usableFromInline final class IdentifiedEntry<ID: Sendable>: SetEntry, @unchecked Sendable {
    @usableFromInline let id: ID
    init(_ id: ID, _ predicate: FormatPredicate, _ compiled: ObjectTest?) {
        self.id = id
        super.init(predicate, compiled)
    }
}

/// The state of one evaluation of a set. It is reused, because creating it costs more than most evaluations.
// @unchecked Sendable: after `take` only the caller uses it, until `give`.
@usableFromInline final class SetState: @unchecked Sendable {
    // `unchecked`, because only one thread uses the state, and the checks took a tenth of the time of a match.
    @exclusivity(unchecked) var context: EvaluationContext
    let found = CandidateList()
    @usableFromInline let matches = MatchList()
    /// The snapshot that is being matched.
    @exclusivity(unchecked) var snapshot: SetSnapshot {
        didSet { prepare() }
    }

    init(_ run: PredicateRun, _ snapshot: SetSnapshot) {
        context = EvaluationContext(run: run)
        self.snapshot = snapshot
        prepare()
    }

    private func prepare() { context.reserveCaches(snapshot.cacheCount) }
}

/// The matching entries of one object. They are not retained; the snapshot keeps them alive.
// Uses its own memory, like `CandidateList`.
@usableFromInline final class MatchList {
    @exclusivity(unchecked) private var start = UnsafeMutablePointer<Unmanaged<SetEntry>>.allocate(capacity: 16)
    @exclusivity(unchecked) private var capacity = 16
    @exclusivity(unchecked) private var count = 0

    deinit { start.deallocate() }

    @usableFromInline var items: UnsafeBufferPointer<Unmanaged<SetEntry>> {
        UnsafeBufferPointer(start: start, count: count)
    }

    func removeAll() { count = 0 }

    @inline(__always) func add(_ entry: Unmanaged<SetEntry>) {
        if count == capacity { grow() }
        start[count] = entry
        count &+= 1
    }

    @inline(never) private func grow() {
        let larger = UnsafeMutablePointer<Unmanaged<SetEntry>>.allocate(capacity: capacity * 2)
        larger.update(from: start, count: count)
        start.deallocate()
        start = larger
        capacity *= 2
    }
}

/// Reads the value of a key path from an object at an address.
struct ValueReader: Sendable {
    let first: AddressReader
    /// The remaining keys, which are read from the value of `first`.
    let rest: DottedPath
    /// Where the value of the whole path is stored, if sets can read it there.
    let place: StoredPlace?

    /// nil if reading throws. Then no predicate that reads the key path selects the object.
    func value(_ object: UnsafeRawPointer, _ state: SetState) -> PredicateValue? {
        guard let value = first(object) else { return nil }
        if rest.keys.isEmpty { return value }
        return try? state.context.value(of: value, at: rest)
    }
}
