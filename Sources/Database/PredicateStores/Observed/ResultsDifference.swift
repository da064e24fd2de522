// Computes the change between two states of a list from the objects that were touched. All other objects keep their
// relative order.

/// An object whose row or sort values differ between two states. A side is nil if the object is not in that state.
struct TouchedEntry {
    let old: ObservedEntry?
    let new: ObservedEntry?

    var key: [PredicateValue] { (new ?? old)?.key ?? [] }

    /// All entries that differ between two states. Cost: O(n).
    static func all(_ old: OrderedEntries, _ new: OrderedEntries) -> [TouchedEntry] {
        var left: [[PredicateValue]: ObservedEntry] = [:]
        for entry in old.all { left[entry.key] = entry }
        var found: [TouchedEntry] = []
        for entry in new.all {
            let known = left.removeValue(forKey: entry.key)
            if let known, known.isSame(as: entry) { continue }
            found.append(TouchedEntry(old: known, new: entry))
        }
        return found + left.values.map { TouchedEntry(old: $0, new: nil) }
    }
}

struct ResultsDifference {
    typealias Snapshot = ObservedResults.Snapshot
    typealias Change = ObservedResults.Change

    private let old: Snapshot
    private let new: Snapshot
    private let order: EntryOrder
    private let hasSections: Bool
    // Indices in the old or the new window.
    private var deleted: [Int] = []
    private var inserted: [Int] = []
    private var moved: [(from: Int, to: Int)] = []
    private var changed: [(from: Int, to: Int)] = []
    private var deletedSections: [Int] = []
    private var insertedSections: [Int] = []

    /// Returns the change to the new entries.
    ///
    /// - Parameters:
    ///   - old: the state before.
    ///   - entries: the entries of the new state.
    ///   - touched: every entry that differs. All others are in both states, with the same sort values.
    ///   - plan: the order and the window.
    static func change(
        from old: Snapshot, to entries: OrderedEntries, _ touched: [TouchedEntry], _ plan: ObservedPlan
    ) -> Change {
        let new = Snapshot(entries: entries, window: plan.window(of: entries.count), parts: SectionParts())
        var difference = ResultsDifference(old: old, new: new, order: plan.order, hasSections: plan.hasSections)
        difference.compare(touched)
        let parts = difference.sections()
        return difference.change(parts)
    }

    // MARK: Objects

    private mutating func compare(_ touched: [TouchedEntry]) {
        if old.isEmpty {
            inserted = Array(new.indices)
            return
        }
        // Objects whose sort values have changed.
        var movable: [(from: Int, to: Int)] = []
        for entry in touched {
            switch (entry.old.flatMap(old.index), entry.new.flatMap(new.index)) {
            case (let from?, let to?):
                let keepsOrder = entry.old.flatMap { old in entry.new.map { order.compare(old, $0) == 0 } } ?? false
                if keepsOrder { changed.append((from, to)) } else { movable.append((from, to)) }
            case (let from?, nil): deleted.append(from)
            case (nil, let to?): inserted.append(to)
            case (nil, nil): break
            }
        }
        if old.window.count < old.entries.count || new.window.count < new.entries.count {
            let keys = Set(touched.map(\.key))
            deleted += Self.hidden(of: old, in: new, besides: keys)
            inserted += Self.hidden(of: new, in: old, besides: keys)
        }
        settle(movable)
        deleted.sort()
        inserted.sort()
        changed.sort { $0.to < $1.to }
    }

    /// The untouched objects of a window that the other window does not show: some at its start and some at its end.
    private static func hidden(of one: Snapshot, in other: Snapshot, besides touched: Set<[PredicateValue]>) -> [Int] {
        func isUntouched(_ index: Int) -> Bool { !touched.contains(one.entry(index).key) }
        func isShown(_ index: Int) -> Bool { isUntouched(index) && other.index(of: one.entry(index)) != nil }
        let start = (0..<one.count).first(where: isShown) ?? one.count
        let end = (0..<one.count).dropFirst(start + 1).last(where: isShown) ?? start
        return (Array(0..<start) + (0..<one.count).dropFirst(end + 1)).filter(isUntouched)
    }

    /// Decides which objects have moved: those whose unchanged neighbours differ.
    private mutating func settle(_ movable: [(from: Int, to: Int)]) {
        let leaving = (deleted + movable.map(\.from)).sorted()
        let coming = (inserted + movable.map(\.to)).sorted()
        func below(_ bound: Int, _ sorted: [Int]) -> Int {
            sorted.indices.first(fromWhich: { sorted[$0] >= bound })
        }
        var last = -1
        for (from, to) in movable.sorted(by: { $0.to < $1.to }) {
            // The number of unmoved objects before it is the same in both states.
            let isBetweenTheSame = from - below(from, leaving) == to - below(to, coming)
            let isInTheSame =
                !hasSections || order.compareSections(old.entry(from).fields[0], new.entry(to).fields[0]) == 0
            // Objects between the same neighbours may still have changed places.
            if isBetweenTheSame, isInTheSame, from > last {
                changed.append((from, to))
                last = from
            } else {
                moved.append((from, to))
            }
        }
    }

    // MARK: Sections

    /// Computes the sections of the new state from those of the old one.
    private mutating func sections() -> SectionParts {
        guard hasSections else { return SectionParts(values: [.null], counts: [new.count]) }
        let known = old.parts
        let starts = known.starts
        var counts = known.counts
        for index in deleted + moved.map(\.from) {
            counts[starts.indices.first(fromWhich: { starts[$0] > index }) - 1] -= 1
        }
        var parts = SectionParts()
        var next = 0
        func keep(until end: Int) {
            while next < end {
                if counts[next] == 0 {
                    deletedSections.append(next)
                } else {
                    parts.values.append(known.values[next])
                    parts.counts.append(counts[next])
                }
                next += 1
            }
        }
        // Objects in list order are also in section order.
        for index in (inserted + moved.map(\.to)).sorted() {
            let value = new.entry(index).fields[0]
            if let last = parts.values.last, order.compareSections(last, value) == 0 {
                parts.counts[parts.counts.count - 1] += 1
                continue
            }
            let place = known.values.indices.first(fromWhich: {
                order.compareSections(known.values[$0], value) >= 0
            })
            if place < known.values.count, order.compareSections(known.values[place], value) == 0 {
                counts[place] += 1
                keep(until: place + 1)
            } else {
                keep(until: place)
                insertedSections.append(parts.values.count)
                parts.values.append(value)
                parts.counts.append(1)
            }
        }
        keep(until: known.values.count)
        return parts
    }

    private func change(_ parts: SectionParts) -> Change {
        let after = Snapshot(entries: new.entries, window: new.window, parts: parts)
        let (oldStarts, newStarts) = (old.parts.starts, parts.starts)
        func position(_ index: Int, _ starts: [Int]) -> ObservedResults.Position {
            let section = starts.indices.first(fromWhich: { starts[$0] > index }) - 1
            return ObservedResults.Position(section: section, item: index - starts[section])
        }
        func move(_ move: (from: Int, to: Int)) -> Change.Move {
            Change.Move(from: position(move.from, oldStarts), to: position(move.to, newStarts))
        }
        return Change(
            deleted: deleted.map { position($0, oldStarts) }, inserted: inserted.map { position($0, newStarts) },
            moved: moved.map(move), changed: changed.map(move), deletedSections: deletedSections,
            insertedSections: insertedSections, results: after)
    }
}
