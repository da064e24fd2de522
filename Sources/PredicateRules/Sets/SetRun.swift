// Many predicates with their indexes. A set is a list of runs. Changes create small runs, and runs of similar size are
// merged.
import PredicateEvaluation
import PredicateModel
import PredicateSyntax

final class SetRun: Sendable {
    let entries: FixedValues<SetEntry>
    /// The indexes, by the number of the key path.
    let indexes: FixedValues<PathIndex>
    /// The predicates that are candidates for every object.
    let unindexed: FixedValues<Candidate>
    private let memory = IndexMemory()

    init(_ entries: [SetEntry]) {
        self.entries = memory.fixed(entries)
        let counts = TermCounts(entries)
        var values: [ValueIndex.Items] = []
        var elements: [ValueIndex.Items] = []
        var unindexed: [Candidate] = []
        for (number, entry) in entries.enumerated() {
            if entry.reason != nil { unindexed.append(Candidate(number, isDecided: false)) }
            let choice = counts.choice(of: entry)
            entry.terms.forEach { term in
                guard term.choice == choice else { return }
                let path = Int(term.path)
                while values.count <= path {
                    values.append(ValueIndex.Items())
                    elements.append(ValueIndex.Items())
                }
                if term.isOfElements { elements[path].add(term, number) } else { values[path].add(term, number) }
            }
        }
        self.unindexed = memory.fixed(unindexed)
        let memory = memory
        indexes = memory.fixed(zip(values, elements).map { PathIndex($0, ofElements: $1, memory) })
    }
}

/// Estimates how many predicates share a constant. If a predicate has several conditions, the rarest one is indexed.
private struct TermCounts {
    private var counts: [UInt32] = []

    init(_ entries: [SetEntry]) {
        let several = entries.lazy.filter { $0.terms.lastChoice > 0 }
        guard !several.isEmpty else { return }
        counts = [UInt32](repeating: 0, count: EqualityIndex.capacity(entries.count * 2))
        for entry in entries {
            entry.terms.forEach { if let place = place(of: $0) { counts[place] &+= 1 } }
        }
    }

    /// nil for a Boolean: it is equal for about half of the objects, even if few predicates compare with it.
    private func place(of term: SetTerm) -> Int? {
        guard case .equal(let value) = term.test, !value.isBoolean, let hash = ConstantHash.hash(value) else {
            return nil
        }
        return Int(truncatingIfNeeded: ConstantHash.mix(hash ^ UInt64(term.path), 0x9E37_79B9_7F4A_7C15))
            & (counts.count - 1)
    }

    func choice(of entry: SetEntry) -> UInt8 {
        let last = entry.terms.lastChoice
        guard last > 0 else { return 0 }
        var costs = [Int](repeating: 0, count: Int(last) + 1)
        entry.terms.forEach { term in
            costs[Int(term.choice)] += place(of: term).map { Int(counts[$0]) } ?? term.rank
        }
        return UInt8(truncatingIfNeeded: costs.indices.min { costs[$0] < costs[$1] } ?? 0)
    }
}

extension PredicateValue {
    fileprivate var isBoolean: Bool { if case .bool = self { true } else { false } }
}

/// The part of a set that changes use. Only one change runs at a time.
struct SetBuilder: Sendable {
    private(set) var conditions: ConditionReader
    private var readers: [ValueReader] = []
    private var runs: [SetRun] = []
    private var pending: [SetEntry] = []
    private var version = 0
    /// The number of removed entries that the runs still contain.
    private var removed = 0
    /// The number of cache words that the key paths need.
    private var cacheCount = 0
    private let read: PathReader
    private let compile: SetCompiler

    /// The maximum number of entries that are tested one by one; more entries become a run.
    private static let pendingLimit = 16

    init(_ options: EvaluationOptions, read: @escaping PathReader, compile: @escaping SetCompiler) {
        conditions = ConditionReader(options)
        self.read = read
        self.compile = compile
    }

    var snapshot: SetSnapshot {
        SetSnapshot(
            version: version, runs: runs, pending: pending, readers: readers, cacheCount: cacheCount, compile)
    }

    mutating func condition(of predicate: FormatPredicate) -> SetCondition {
        let condition = conditions.condition(of: predicate)
        while readers.count < conditions.keys.count {
            let keys = conditions.keys[readers.count]
            let (first, count, place) = read(keys)
            let rest = Array(keys.dropFirst(count))
            let path = DottedPath(keys: rest, cache: cacheCount)
            readers.append(ValueReader(first: first, rest: path, place: rest.isEmpty ? place : nil))
            cacheCount += rest.count
        }
        return condition
    }

    /// Adds entries, and removes the entries that they replace.
    mutating func change(adding added: [SetEntry], removing old: [SetEntry]) {
        version += 1
        for entry in old { entry.remove(from: version) }
        removed += old.count
        pending.removeAll { !$0.isPart(of: version) }
        pending += added.filter(\.canMatch)
        if pending.count >= Self.pendingLimit {
            runs.append(SetRun(pending))
            pending = []
        }
        merge()
    }

    /// Merges runs so that each is more than twice as large as the next. So there are few runs, and each entry is
    /// rarely moved.
    private mutating func merge() {
        let total = runs.reduce(0) { $0 + $1.entries.count }
        if removed > 64, removed > total / 2 {
            let kept = runs.flatMap(\.entries.array).filter { $0.isPart(of: version) }
            runs = kept.isEmpty ? [] : [SetRun(kept)]
            removed = 0
        }
        var parts = 0
        var size = 0
        for run in runs.reversed() {
            if parts > 0, run.entries.count > 2 * size { break }
            size += run.entries.count
            parts += 1
        }
        guard parts > 1 else { return }
        let entries = runs.suffix(parts).flatMap(\.entries.array)
        let kept = entries.filter { $0.isPart(of: version) }
        removed = max(0, removed - (entries.count - kept.count))
        runs.removeLast(parts)
        if !kept.isEmpty { runs.append(SetRun(kept)) }
    }
}
