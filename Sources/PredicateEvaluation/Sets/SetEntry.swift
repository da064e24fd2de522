// A predicate of a set, and the objects that tests share while they run.
import PredicateModel
import PredicateSyntax
import Synchronization

/// A predicate of a set. A snapshot may hold it longer than the set.
// @unchecked Sendable: its properties are constants and atomic. Not final, because its subclass adds the identifier.
@usableFromInline class SetEntry: @unchecked Sendable {
    let predicate: FormatPredicate
    /// The terms of its condition; none if no index serves it or it selects nothing.
    let terms: SetTerms
    /// Why no index serves it.
    let reason: UnindexedReason?
    /// The version of the set from which on it is gone.
    private let end = Atomic<Int>(.max)
    /// The test, retained. Compiled when the predicate first becomes a candidate.
    private let test = Atomic<Unmanaged<ObjectTest>?>(nil)

    init(_ predicate: FormatPredicate, _ condition: SetCondition) {
        self.predicate = predicate
        terms = condition.terms
        reason = if case .unindexed(let reason) = condition { reason } else { nil }
    }

    deinit { test.load(ordering: .acquiring)?.release() }

    /// Whether it can select an object.
    var canMatch: Bool { if case .none = terms { reason != nil } else { true } }

    /// Whether it belongs to a version of the set.
    func isPart(of version: Int) -> Bool { end.load(ordering: .relaxed) > version }

    /// Keeps a test that was compiled when the predicate was inserted.
    func prepare(_ compiled: ObjectTest) {
        let new = Unmanaged.passRetained(compiled)
        if !test.compareExchange(expected: nil, desired: new, ordering: .releasing).exchanged { new.release() }
    }

    func remove(from version: Int) { end.store(version, ordering: .relaxed) }

    /// - Parameter compile: the compiler of the set. A predicate that it refuses was refused when it was inserted.
    func matches(_ object: UnsafeRawPointer, _ compile: SetCompiler) -> Bool {
        if let known = test.load(ordering: .acquiring) {
            return known._withUnsafeGuaranteedRef { $0.matches(object) }
        }
        guard let new = try? compile(predicate) else { return false }
        prepare(new)
        return new.matches(object)
    }
}

/// Compiles a predicate for the objects of a set.
typealias SetCompiler = @Sendable (FormatPredicate) throws(PredicateFailure) -> ObjectTest

/// An entry with its identifier.
// @unchecked Sendable: as its superclass; the identifier is a constant.
@usableFromInline final class IdentifiedEntry<ID: Sendable>: SetEntry, @unchecked Sendable {
    @usableFromInline let id: ID
    init(_ id: ID, _ predicate: FormatPredicate, _ condition: SetCondition) {
        self.id = id
        super.init(predicate, condition)
    }
}

/// What one evaluation of a set needs. Reused, because making it costs more than most evaluations.
// @unchecked Sendable: after `take` only the caller uses it, until `give`.
@usableFromInline final class SetState: @unchecked Sendable {
    // Unchecked: one thread uses the state, and checking each access took a tenth of the time of a match.
    @exclusivity(unchecked) var context: EvaluationContext
    let found = CandidateList()
    /// The entries that match; the snapshot keeps them.
    @exclusivity(unchecked) @usableFromInline var matches: [Unmanaged<SetEntry>] = []
    /// The set that is matched.
    @exclusivity(unchecked) var snapshot: SetSnapshot {
        didSet { prepare() }
    }

    init(_ options: EvaluationOptions, _ snapshot: SetSnapshot) {
        context = EvaluationContext(options: options, rules: options.rules)
        self.snapshot = snapshot
        prepare()
    }

    private func prepare() {
        while context.shapes.count < snapshot.cacheCount { context.shapes.append(EvaluationContext.ShapeCache()) }
    }
}

/// Reads the value of a key path from an object at an address.
struct ValueReader: Sendable {
    /// nil if the value has no counterpart in the language.
    typealias Read = @Sendable (UnsafeRawPointer) -> PredicateValue?

    let first: Read
    /// The keys that are read from the value of `first`.
    let rest: DottedPath

    /// nil if reading raises: then no predicate that reads it selects the object.
    func value(_ object: UnsafeRawPointer, _ state: SetState) -> PredicateValue? {
        guard let value = first(object) else { return nil }
        if rest.keys.isEmpty { return value }
        return try? state.context.value(of: value, at: rest)
    }
}
