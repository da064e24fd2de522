// A set at one moment: finds what selects an object. SetRun.swift has its indexes.

@usableFromInline final class SetSnapshot: Sendable {
    /// A run as matches read it, without counting references.
    // @unchecked Sendable: the entries are Sendable, and the snapshot retains the run that owns them.
    private struct RunInPlace: @unchecked Sendable {
        let entries: UnsafePointer<Unmanaged<SetEntry>>
        let count: Int
        let unindexed: FixedValues<Candidate>

        init(_ run: SetRun) {
            // A reference that is not counted is stored like one that is.
            entries = UnsafeRawPointer(run.entries.start).assumingMemoryBound(to: Unmanaged<SetEntry>.self)
            count = run.entries.count
            unindexed = run.unindexed
        }
    }

    /// The index of one run for a key path, and the first number of the run.
    // @unchecked Sendable: points into the memory of the run.
    private struct BasedIndex: @unchecked Sendable {
        let base: UInt32
        let index: UnsafePointer<PathIndex>
    }

    /// A key path that some index needs.
    private struct Path: Sendable {
        /// Where its value is stored in the object; nil if it is read by the reader.
        let place: StoredPlace?
        /// The number of its reader.
        let reader: Int
        let indexes: FixedValues<BasedIndex>

        @inline(__always) func forEachIndex(_ found: CandidateList, _ body: (UnsafePointer<PathIndex>) -> Void) {
            for number in 0..<indexes.count {
                found.base = indexes[number].base
                body(indexes[number].index)
            }
        }

        func collect(_ value: PredicateValue, _ found: CandidateList) {
            forEachIndex(found) { $0.pointee.collect(value, found) }
        }

        /// Finds candidates by a value where it is stored.
        func collect(_ object: UnsafeRawPointer, _ place: StoredPlace, _ found: CandidateList) {
            let address = object + place.offset
            switch place.kind {
            case .integer:
                let number = address.load(as: Int64.self)
                forEachIndex(found) { $0.pointee.collect(number, found) }
            case .double:
                let number = address.load(as: Double.self)
                forEachIndex(found) { $0.pointee.collect(number, found) }
            case .text:
                address.withStoredText { text in forEachIndex(found) { $0.pointee.collect(text, found) } }
            case .texts:
                address.forEachStoredText { text in
                    forEachIndex(found) { $0.pointee.collect(element: text, found) }
                }
            }
        }
    }

    let version: Int
    /// The number of cache words that the key paths need.
    let cacheCount: Int
    /// They own the memory of the indexes.
    private let runs: [SetRun]
    private let runsInPlace: FixedValues<RunInPlace>
    /// The number of entries in the runs.
    private let total: Int
    /// The most recent entries, which are tested one by one.
    private let pending: [SetEntry]
    private let paths: FixedValues<Path>
    private let readers: [ValueReader]
    private let compile: SetCompiler
    private let memory = IndexMemory()

    init(
        version: Int, runs: [SetRun], pending: [SetEntry], readers: [ValueReader], cacheCount: Int,
        _ compile: @escaping SetCompiler
    ) {
        self.version = version
        self.cacheCount = cacheCount
        self.runs = runs
        self.pending = pending
        self.readers = readers
        self.compile = compile
        var indexes: [[BasedIndex]] = Array(repeating: [], count: readers.count)
        var base: UInt32 = 0
        for run in runs {
            for path in 0..<run.indexes.count where !run.indexes[path].isEmpty {
                indexes[path].append(BasedIndex(base: base, index: run.indexes.start + path))
            }
            base += UInt32(truncatingIfNeeded: run.entries.count)
        }
        total = Int(base)
        runsInPlace = memory.fixed(runs.map(RunInPlace.init))
        let memory = memory
        paths = memory.fixed(
            indexes.enumerated().filter { !$1.isEmpty }.map { number, indexes in
                Path(place: readers[number].place, reader: number, indexes: memory.fixed(indexes))
            })
    }

    /// Finds the entries that select an object, in insertion order. The state must have no matches yet.
    func match(_ object: UnsafeRawPointer, _ state: SetState) {
        let found = state.found
        found.removeAll()
        for index in 0..<paths.count {
            let path = paths[index]
            if let place = path.place {
                path.collect(object, place, found)
            } else if let value = readers[path.reader].value(object, state) {
                path.collect(value, found)
            }
        }
        var base: UInt32 = 0
        for index in 0..<runsInPlace.count {
            found.base = base
            if runsInPlace[index].unindexed.count > 0 { found.add(runsInPlace[index].unindexed) }
            base &+= UInt32(truncatingIfNeeded: runsInPlace[index].count)
        }
        decide(object, state)
        for entry in pending where entry.isPart(of: version) && entry.matches(object, compile) {
            state.matches.add(Unmanaged.passUnretained(entry))
        }
    }

    private func decide(_ object: UnsafeRawPointer, _ state: SetState) {
        var run = runsInPlace.start
        var base = 0
        state.found.forEachInOrder(of: total) { number, isDecided in
            while number &- base >= run.pointee.count {
                base &+= run.pointee.count
                run += 1
            }
            let entry = run.pointee.entries[number &- base]
            entry._withUnsafeGuaranteedRef { one in
                guard one.isPart(of: version), isDecided || one.matches(object, compile) else { return }
                state.matches.add(entry)
            }
        }
    }
}
