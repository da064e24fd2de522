// The candidates that the indexes find for one object.

/// A predicate found by an index: its number, and whether it surely matches, so that no matcher is needed.
struct Candidate: Comparable, Sendable {
    private let word: UInt32

    init(_ number: Int, isDecided: Bool) {
        word = UInt32(truncatingIfNeeded: number) << 1 | (isDecided ? 1 : 0)
    }
    private init(word: UInt32) { self.word = word }

    var number: Int { Int(word >> 1) }
    var isDecided: Bool { word & 1 != 0 }

    /// The candidate with its number moved to a run that begins at `base`.
    @inline(__always) func moved(by base: UInt32) -> Candidate { Candidate(word: word &+ base << 1) }
    var undecided: Candidate { Candidate(word: word & ~1) }

    @inline(__always) static func < (left: Candidate, right: Candidate) -> Bool { left.word < right.word }
}

/// The candidates for one object, collected from the indexes.
// Uses its own memory, because an array would test at each append whether it is shared. `unchecked` is safe because one
// thread uses the list.
final class CandidateList {
    @exclusivity(unchecked) private var start = UnsafeMutablePointer<Candidate>.allocate(capacity: 64)
    @exclusivity(unchecked) private var capacity = 64
    @exclusivity(unchecked) private var count = 0
    /// The first number of the run whose indexes are being searched.
    @exclusivity(unchecked) var base: UInt32 = 0
    /// The size at which duplicates are removed. A long text may find the same candidate a thousand times.
    @exclusivity(unchecked) private var limit = 4096

    deinit {
        start.deallocate()
        bits.deallocate()
    }

    private var items: UnsafeMutableBufferPointer<Candidate> { UnsafeMutableBufferPointer(start: start, count: count) }

    @inline(__always) func removeAll() {
        count = 0
        limit = 4096
    }

    @inline(__always) func add(_ candidate: Candidate) {
        if count == capacity { grow() }
        start[count] = candidate.moved(by: base)
        count &+= 1
    }

    @inline(__always) func add(_ candidates: FixedValues<Candidate>, _ first: UInt32, _ end: UInt32) {
        for index in first..<end { add(candidates[Int(index)]) }
        if count > limit { removeRepeated() }
    }

    @inline(__always) func add(_ candidates: FixedValues<Candidate>) {
        add(candidates, 0, UInt32(truncatingIfNeeded: candidates.count))
    }

    @inline(never) private func grow() {
        let larger = UnsafeMutablePointer<Candidate>.allocate(capacity: capacity * 2)
        larger.update(from: start, count: count)
        start.deallocate()
        start = larger
        capacity *= 2
    }

    @inline(never) private func removeRepeated() {
        sort()
        var kept = 0
        for index in 0..<count where kept == 0 || start[kept - 1] != start[index] {
            start[kept] = start[index]
            kept += 1
        }
        count = kept
        limit = max(4096, kept * 2)
    }

    /// For each 64 predicates of a small set, those that were found and those that are decided.
    private let bits = UnsafeMutablePointer<UInt64>.allocate(capacity: 2 * smallSet / 64)
    /// In a larger set sorting the few candidates takes less time than reading the bits.
    private static let smallSet = 1024

    /// Calls `body` with each number once, in order, and whether one of its candidates is decided.
    /// - Parameter total: the number of predicates. No candidate has a greater number.
    @inline(__always) func forEachInOrder(of total: Int, _ body: (_ number: Int, _ isDecided: Bool) -> Void) {
        if total <= Self.smallSet { return forEachBit(of: total, body) }
        sort()
        for index in 0..<count {
            // Of several candidates with the same number the last one is decided, if any is.
            if index &+ 1 < count, start[index &+ 1].number == start[index].number { continue }
            body(start[index].number, start[index].isDecided)
        }
    }

    @inline(__always) private func forEachBit(of total: Int, _ body: (Int, Bool) -> Void) {
        let words = (total &+ 63) &>> 6
        for index in 0..<2 &* words { bits[index] = 0 }
        for index in 0..<count {
            let number = start[index].number
            let bit = 1 as UInt64 &<< UInt64(truncatingIfNeeded: number & 63)
            bits[2 &* (number &>> 6)] |= bit
            if start[index].isDecided { bits[2 &* (number &>> 6) &+ 1] |= bit }
        }
        for word in 0..<words {
            var rest = bits[2 &* word]
            while rest != 0 {
                let place = rest.trailingZeroBitCount
                body(word &* 64 &+ place, bits[2 &* word &+ 1] &>> UInt64(truncatingIfNeeded: place) & 1 != 0)
                rest &= rest &- 1
            }
        }
    }

    /// Sorts the candidates by number. Of several with the same number, the decided one is last.
    private func sort() {
        var items = items
        guard count <= 24 else { return items.sort() }
        for index in items.indices.dropFirst() {
            let one = items[index]
            var place = index
            while place > 0, one < items[place &- 1] {
                items[place] = items[place &- 1]
                place &-= 1
            }
            items[place] = one
        }
    }
}
