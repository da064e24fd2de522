// Finds the texts that another text may contain. Each text is indexed by one sequence of up to four of its bytes: the
// sequence that the fewest other texts contain. The beginning and the end of a text count as an extra byte value, so
// that prefixes and suffixes are indexed like other parts.

struct TextIndex {
    /// The texts of an index.
    struct Entries {
        /// The bytes of all texts, in order.
        fileprivate var bytes: [UInt8] = []
        /// The offset of the end of each text.
        fileprivate var ends: [Int] = []
        fileprivate var candidates: [Candidate] = []

        var isEmpty: Bool { ends.isEmpty }

        /// - Parameter text: a text that is not empty.
        mutating func add(_ text: String, _ place: TextPlace, _ candidate: Candidate) {
            if place == .prefix { bytes.append(TextIndex.start) }
            bytes += text.utf8
            if place == .suffix { bytes.append(TextIndex.end) }
            ends.append(bytes.count)
            candidates.append(candidate)
        }

        /// Calls `body` with the bytes of each text and its candidate.
        fileprivate func forEach(_ body: (UnsafeBufferPointer<UInt8>, Candidate) -> Void) {
            bytes.withUnsafeBufferPointer { bytes in
                var first = 0
                for (index, end) in ends.enumerated() {
                    if first < end { body(UnsafeBufferPointer(rebasing: bytes[first..<end]), candidates[index]) }
                    first = end
                }
            }
        }
    }

    fileprivate static let start: UInt8 = 0xFF
    fileprivate static let end: UInt8 = 0xFE

    /// Candidates by byte sequences of one length.
    private struct Table: Sendable {
        /// A mask that keeps the bytes of one sequence out of the last four bytes.
        let mask: UInt32
        let width: Int
        /// A hash table: sequences (high half) and their groups from 1 (low half). 0 is a free slot.
        private let slots: FixedValues<UInt64>
        /// Eight bits for each slot, in which the bit of each sequence is set. Most byte sequences of a text are not
        /// indexed, and testing one bit rejects them.
        private let bits: FixedValues<UInt64>
        /// The offset of the first candidate of each group, and the end of the last group.
        private let starts: FixedValues<UInt32>
        private let candidates: FixedValues<Candidate>

        struct Entry {
            let run: UInt32
            let candidate: Candidate
        }

        init(width: Int, _ entries: [Entry], _ memory: IndexMemory) {
            self.width = width
            mask = TextIndex.mask(width)
            var entries = entries
            entries.sort { $0.run == $1.run ? $0.candidate < $1.candidate : $0.run < $1.run }
            candidates = memory.fixed(entries.map { $0.candidate })
            var slots = [UInt64](repeating: 0, count: EqualityIndex.capacity(entries.count))
            var starts: [UInt32] = []
            for (index, entry) in entries.enumerated() where index == 0 || entries[index - 1].run != entry.run {
                starts.append(UInt32(truncatingIfNeeded: index))
                var slot = TextIndex.slot(entry.run, slots.count)
                while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
                slots[slot] = UInt64(entry.run) << 32 | UInt64(starts.count)
            }
            starts.append(UInt32(truncatingIfNeeded: entries.count))
            var bits = [UInt64](repeating: 0, count: max(1, slots.count / 8))
            for slot in slots where slot != 0 {
                let bit = TextIndex.slot(UInt32(truncatingIfNeeded: slot >> 32), bits.count * 64)
                bits[bit >> 6] |= 1 << UInt64(bit & 63)
            }
            self.slots = memory.fixed(slots)
            self.bits = memory.fixed(bits)
            self.starts = memory.fixed(starts)
        }

        func collect(_ text: UnsafeBufferPointer<UInt8>, _ found: CandidateList) {
            var window = UInt32(TextIndex.start)
            if width == 1 { collect(window, found) }
            // The first sequence may begin with the start of the text.
            let first = min(max(0, width &- 2), text.count)
            for index in 0..<first { window = window << 8 | UInt32(text[index]) }
            for index in first..<text.count {
                window = window << 8 | UInt32(text[index])
                collect(window, found)
            }
            window = window << 8 | UInt32(TextIndex.end)
            if text.count &+ 2 >= width { collect(window, found) }
        }

        @inline(__always) private func collect(_ window: UInt32, _ found: CandidateList) {
            let run = window & mask
            let bit = TextIndex.slot(run, bits.count &* 64)
            if bits[bit &>> 6] &>> UInt64(truncatingIfNeeded: bit & 63) & 1 != 0 { collect(run: run, found) }
        }

        @inline(never) private func collect(run: UInt32, _ found: CandidateList) {
            var slot = TextIndex.slot(run, slots.count)
            while slots[slot] != 0 {
                if UInt32(truncatingIfNeeded: slots[slot] >> 32) == run {
                    let group = Int(slots[slot] & 0xFFFF_FFFF)
                    found.add(candidates, starts[group &- 1], starts[group])
                    return
                }
                slot = (slot &+ 1) & (slots.count &- 1)
            }
        }
    }

    private let tables: FixedValues<Table>

    @inline(__always) private static func slot(_ run: UInt32, _ count: Int) -> Int {
        Int(truncatingIfNeeded: (UInt64(run) &* 0x9E37_79B9_7F4A_7C15) >> 32) & (count &- 1)
    }

    private static func mask(_ width: Int) -> UInt32 { width == 4 ? .max : 1 << UInt32(width * 8) - 1 }

    init(_ entries: Entries, _ memory: IndexMemory) {
        // The approximate number of texts that contain each sequence. Sequences may share a counter, which only makes
        // the choice less good.
        var counts = [UInt32](repeating: 0, count: EqualityIndex.capacity(entries.ends.count * 8))
        var parts: [[Table.Entry]] = [[], [], [], []]
        counts.withUnsafeMutableBufferPointer { counts in
            func place(_ run: UInt32, _ width: Int) -> Int {
                Self.slot(run &+ UInt32(width), counts.count)
            }
            entries.forEach { bytes, _ in
                let width = min(4, bytes.count)
                Self.forEachRun(bytes, width) { counts[place($0, width)] &+= 1 }
            }
            entries.forEach { bytes, candidate in
                let width = min(4, bytes.count)
                var (best, least) = (UInt32(0), UInt32.max)
                Self.forEachRun(bytes, width) { run in
                    let count = counts[place(run, width)]
                    if count < least { (best, least) = (run, count) }
                }
                parts[width - 1].append(Table.Entry(run: best, candidate: candidate))
            }
        }
        tables = memory.fixed(parts.enumerated().filter { !$1.isEmpty }.map { Table(width: $0 + 1, $1, memory) })
    }

    @inline(__always) private static func forEachRun(
        _ bytes: UnsafeBufferPointer<UInt8>, _ width: Int, _ body: (UInt32) -> Void
    ) {
        var window: UInt32 = 0
        let mask = mask(width)
        for index in 0..<bytes.count {
            window = window << 8 | UInt32(bytes[index])
            if index &+ 1 >= width { body(window & mask) }
        }
    }

    /// Finds the predicates whose text may be a part of another.
    func collect(_ text: UnsafeBufferPointer<UInt8>, _ found: CandidateList) {
        for index in 0..<tables.count { tables.start[index].collect(text, found) }
    }
}
