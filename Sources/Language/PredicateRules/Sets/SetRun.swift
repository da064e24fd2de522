// Many predicates with their indexes. A set is a list of runs. Changes create small runs, and runs of similar size are
// merged.

final class SetRun: Sendable {
    let entries: FixedValues<SetEntry>
    /// The indexes, by the number of the key path.
    let indexes: FixedValues<PathIndex>
    /// The predicates that are candidates for every object.
    let unindexed: FixedValues<Candidate>
    private let memory = IndexMemory()

    /// - Parameter conditions: the terms of each entry; nil if no index serves it.
    init(_ entries: [SetEntry], _ conditions: [[SetTerm]?]) {
        self.entries = memory.fixed(entries)
        let counts = TermCounts(conditions)
        var values: [ValueIndex.Entries] = []
        var elements: [ValueIndex.Entries] = []
        var unindexed: [Candidate] = []
        for (number, terms) in conditions.enumerated() {
            guard let terms else {
                unindexed.append(Candidate(number, isDecided: false))
                continue
            }
            let choice = counts.choice(of: terms)
            for term in terms where term.choice == choice {
                while values.count <= term.path {
                    values.append(ValueIndex.Entries())
                    elements.append(ValueIndex.Entries())
                }
                if term.isOfElements {
                    elements[term.path].add(term, number)
                } else {
                    values[term.path].add(term, number)
                }
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

    init(_ conditions: [[SetTerm]?]) {
        guard conditions.contains(where: { ($0?.last?.choice ?? 0) > 0 }) else { return }
        counts = [UInt32](repeating: 0, count: EqualityIndex.capacity(conditions.count * 2))
        for case let terms? in conditions {
            for term in terms { if let place = place(of: term) { counts[place] &+= 1 } }
        }
    }

    /// nil for a Boolean: it is equal for about half of the objects, even if few predicates compare with it.
    private func place(of term: SetTerm) -> Int? {
        guard case .equal(let value) = term.test, !value.isBool, let hash = ConstantHash.hash(value) else {
            return nil
        }
        let key = UInt64(truncatingIfNeeded: term.path)
        return Int(truncatingIfNeeded: ConstantHash.mix(hash ^ key, 0x9E37_79B9_7F4A_7C15)) & (counts.count - 1)
    }

    func choice(of terms: [SetTerm]) -> Int {
        guard let last = terms.last?.choice, last > 0 else { return 0 }
        var costs = [Int](repeating: 0, count: last + 1)
        for term in terms { costs[term.choice] += place(of: term).map { Int(counts[$0]) } ?? term.rank }
        return costs.indices.min { costs[$0] < costs[$1] } ?? 0
    }
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

    init(_ binding: Binding, read: @escaping PathReader, compile: @escaping SetCompiler) {
        conditions = ConditionReader(binding)
        self.read = read
        self.compile = compile
    }

    var snapshot: SetSnapshot {
        SetSnapshot(version: version, runs: runs, pending: pending, readers: readers, cacheCount: cacheCount, compile)
    }

    /// Finds the conditions of entries, and builds their indexes. Conditions are not kept: finding them again when runs
    /// are merged takes half a microsecond each, and keeping them takes a hundred bytes. nil if no entry can select an
    /// object.
    private mutating func run(_ entries: [SetEntry]) -> SetRun? {
        var kept: [SetEntry] = []
        var found: [[SetTerm]?] = []
        kept.reserveCapacity(entries.count)
        found.reserveCapacity(entries.count)
        for entry in entries where entry.isPart(of: version) {
            var terms: [SetTerm]?
            if !entry.isUnindexed {
                switch conditions.condition(of: entry.predicate) {
                case .never: continue
                case .unindexed: entry.isUnindexed = true
                case .terms(let some): terms = some
                }
            }
            kept.append(entry)
            found.append(terms)
        }
        while readers.count < conditions.keys.count {
            let keys = conditions.keys[readers.count]
            let (first, count, place) = read(keys)
            let rest = Array(keys.dropFirst(count))
            let path = DottedPath(keys: rest, cache: cacheCount)
            readers.append(ValueReader(first: first, rest: path, place: rest.isEmpty ? place : nil))
            cacheCount += rest.count
        }
        return kept.isEmpty ? nil : SetRun(kept, found)
    }

    /// Adds entries, and removes the entries that they replace.
    mutating func change(adding added: [SetEntry], removing old: [SetEntry]) {
        version += 1
        for entry in old { entry.remove(from: version) }
        removed += old.count
        pending.removeAll { !$0.isPart(of: version) }
        pending += added
        if pending.count >= Self.pendingLimit {
            runs += [run(pending)].compactMap { $0 }
            pending = []
        }
        merge()
    }

    /// Merges runs so that each is more than twice as large as the next. So there are few runs, and each entry is
    /// rarely moved.
    private mutating func merge() {
        let total = runs.reduce(0) { $0 + $1.entries.count }
        if removed > 64, removed > total / 2 {
            removed = 0
            return join(runs.count)
        }
        var parts = 0
        var size = 0
        for run in runs.reversed() {
            if parts > 0, run.entries.count > 2 * size { break }
            size += run.entries.count
            parts += 1
        }
        guard parts > 1 else { return }
        join(parts)
        let kept = runs.reduce(0) { $0 + $1.entries.count }
        removed = max(0, removed - (total - kept))
    }

    /// Replaces the last runs by one.
    private mutating func join(_ parts: Int) {
        let entries = runs.suffix(parts).flatMap { $0.entries.array }
        runs.removeLast(parts)
        runs += [run(entries)].compactMap { $0 }
    }
}
