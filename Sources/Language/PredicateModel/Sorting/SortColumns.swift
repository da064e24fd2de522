// Sorts elements by values that are read once for each element. Each value also has a number with the same order, so
// that values are rarely compared. ValueOrder.swift defines the order.

/// The elements' values for the sort keys, and the resulting order.
package struct SortColumns {
    /// An element and the number by which it is sorted.
    private struct Entry {
        let number: UInt64
        private let place: Int

        /// - Parameter isExact: whether two values with this number are equal, if they are equal in the bits before.
        init(_ index: Int, _ number: UInt64, isExact: Bool) {
            self.number = number
            place = index << 1 | (isExact ? 1 : 0)
        }

        var index: Int { place >> 1 }
        var isExact: Bool { place & 1 == 1 }
    }

    private typealias Entries = UnsafeMutableBufferPointer<Entry>

    private let keys: [PredicateSortKey]
    private let rules: [OperatorRules]
    /// The values of the keys of the first element, of the second and so on.
    private var values: [PredicateValue]

    /// - Parameters:
    ///   - rules: the text rules of each key.
    ///   - values: the values of the keys of the first element, of the second and so on.
    package init(_ keys: [PredicateSortKey], rules: [OperatorRules], values: [PredicateValue]) {
        (self.keys, self.rules, self.values) = (keys, rules, values)
    }

    /// Replaces the values of all elements for a key.
    package mutating func read<Failure: Error>(
        forKey key: Int, _ value: (Int) throws(Failure) -> PredicateValue
    ) throws(Failure) {
        let keyCount = keys.count
        for index in 0..<values.count / keyCount { values[index * keyCount + key] = try value(index) }
    }

    /// The indices of the elements in order. Stable: equal elements keep their order.
    package func order() -> [Int] {
        guard !keys.isEmpty else { return [] }
        var entries = (0..<values.count / keys.count).map { entry($0, column: 0) }
        // A second buffer, which the sort needs anyway.
        var spare = entries
        entries.withUnsafeMutableBufferPointer { entries in
            spare.withUnsafeMutableBufferPointer { spare in sort(entries, spare, column: 0, from: 0) }
        }
        return entries.map { $0.index }
    }

    private func entry(_ index: Int, column: Int, from start: Int = 0) -> Entry {
        let (number, isExact) = keys[column].number(values[index * keys.count + column], from: start)
        return Entry(index, number, isExact: isExact)
    }

    /// The maximum number of bytes of a text that are sorted as numbers.
    private static let sortedBytes = 56

    /// Sorts elements that are equal in the columns before this one, and in the bits of a value before `start`.
    private func sort(_ entries: Entries, _ spare: Entries, column: Int, from start: Int) {
        Self.sort(entries, spare)
        var first = 0
        while first < entries.count {
            var end = first + 1
            while end < entries.count, entries[end].number == entries[first].number { end += 1 }
            if end - first > 1 {
                let run = Entries(rebasing: entries[first..<end])
                sortRun(run, Entries(rebasing: spare[first..<end]), column: column, from: start)
            }
            first = end
        }
    }

    /// Sorts elements with equal numbers: by the next column, by the next bits of their values, or by their values.
    private func sortRun(_ run: Entries, _ spare: Entries, column: Int, from start: Int) {
        let key = keys[column]
        if run.allSatisfy({ $0.isExact }) {
            guard column + 1 < keys.count else { return }
            for place in run.indices { run[place] = entry(run[place].index, column: column + 1) }
            sort(run, spare, column: column + 1, from: 0)
        } else if start < Self.sortedBytes,
            run.allSatisfy({ key.isSortedByBits(values[$0.index * keys.count + column]) })
        {
            let next = start + PredicateSortKey.textBytes
            for place in run.indices { run[place] = entry(run[place].index, column: column, from: next) }
            sort(run, spare, column: column, from: next)
        } else {
            var run = run
            run.sort { precedes($0.index, $1.index, from: column) }
        }
    }

    /// Sorts by the numbers. Stable: distributes the entries by the highest bits that differ, then sorts each part.
    private static func sort(_ entries: Entries, _ spare: Entries) {
        guard entries.count > 24 else { return insert(entries) }
        let first = entries[0].number
        var differing: UInt64 = 0
        for entry in entries { differing |= entry.number ^ first }
        guard differing != 0 else { return }
        let bits = min(max(4, Int.bitWidth - entries.count.leadingZeroBitCount - 2), 12)
        let shift = UInt64(max(0, UInt64.bitWidth - differing.leadingZeroBitCount - bits))
        let mask = UInt64(1) << UInt64(bits) - 1
        // The number of entries in each part; later the current end of each part in `spare`.
        var ends = [Int](repeating: 0, count: 1 << bits)
        ends.withUnsafeMutableBufferPointer { ends in
            for entry in entries { ends[Int(entry.number &>> shift & mask)] += 1 }
            var start = 0
            for part in ends.indices { (ends[part], start) = (start, start + ends[part]) }
            for entry in entries {
                let part = Int(entry.number &>> shift & mask)
                spare[ends[part]] = entry
                ends[part] += 1
            }
            if let sorted = spare.baseAddress { entries.baseAddress?.update(from: sorted, count: entries.count) }
            start = 0
            for end in ends where end > start {
                if shift > 0, end - start > 1 {
                    sort(Entries(rebasing: entries[start..<end]), Entries(rebasing: spare[start..<end]))
                }
                start = end
            }
        }
    }

    /// Sorts few entries by their numbers. Stable.
    private static func insert(_ entries: Entries) {
        for index in entries.indices.dropFirst() {
            let entry = entries[index]
            var place = index
            while place > 0, entries[place - 1].number > entry.number {
                entries[place] = entries[place - 1]
                place -= 1
            }
            entries[place] = entry
        }
    }

    /// Compares two elements that are equal in the columns before `first`.
    private func precedes(_ left: Int, _ right: Int, from first: Int) -> Bool {
        for column in first..<keys.count {
            let (a, b) = (values[left * keys.count + column], values[right * keys.count + column])
            let order = keys[column].compare(a, b, rules: rules[column])
            if order != 0 { return order < 0 }
        }
        return left < right
    }
}

extension PredicateSortKey {
    /// A number with the same order as the value, and whether it determines the rest of the value. The highest 4 bits
    /// contain the type of the value.
    /// - Parameter start: the number of bytes of a text to skip. For a number, 0 means its highest 60 bits, and any other
    ///   start the rest.
    fileprivate func number(_ value: PredicateValue, from start: Int) -> (UInt64, isExact: Bool) {
        if value.isNil { return (nils == .first ? 0 : .max, true) }
        let (payload, isExact) = payload(value, from: start)
        let number = UInt64(ValueOrder.rank(value)) << 60 | payload >> 4
        return (isDescending ? ~number : number, isExact)
    }

    /// The number of bytes of a text in one number.
    fileprivate static let textBytes = 7

    /// Whether numbers for several starts determine the value.
    fileprivate func isSortedByBits(_ value: PredicateValue) -> Bool {
        switch value {
        case .string: !options.contains(.localeSensitive)
        case .integer(let number): number.magnitude < 1 << 48
        case .float, .double, .date: true
        default: false
        }
    }

    /// 64 bits with the same order as the value; the lowest 4 bits are dropped later.
    private func payload(_ value: PredicateValue, from start: Int) -> (UInt64, isExact: Bool) {
        switch value {
        case .bool(let answer): return Self.payload(answer ? 1 : 0)
        // Larger integers cannot be represented exactly.
        case .integer(let number): return (Self.payload(Double(number), from: start).0, number.magnitude < 1 << 48)
        case .float(let number): return Self.payload(Double(number), from: start)
        case .double(let number), .date(let number): return Self.payload(number, from: start)
        case .decimal(let number): return (Self.payload(Double(number.description) ?? .nan).0, false)
        case .string(let text):
            if options.contains(.localeSensitive) { return (0, false) }
            let text = options.contains(.normalized) ? text : StringFold.fold(text, options)
            return text.withBytes { Self.payload(UnsafeBufferPointer(rebasing: $0.dropFirst(start))) }
        case .data(let bytes): return bytes.withUnsafeBufferPointer(Self.payload)
        case .url(let text): return text.withBytes(Self.payload)
        case .uuid(let id): return (id.high, false)
        default: return (0, false)
        }
    }

    /// NaN sorts as the smallest value.
    private static func payload(_ number: Double, from start: Int = 0) -> (UInt64, isExact: Bool) {
        if number.isNaN { return (0, true) }
        let bits = (number + 0).bitPattern
        let ordered = bits >> 63 == 1 ? ~bits : bits | 1 << 63
        return start > 0 ? (ordered << 8, true) : (ordered, bits & 15 == 0)
    }

    /// The first bytes, followed by their number.
    private static func payload(_ bytes: UnsafeBufferPointer<UInt8>) -> (UInt64, isExact: Bool) {
        var bits: UInt64 = 0
        for index in 0..<textBytes { bits = bits << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0) }
        return (bits << 8 | UInt64(min(bytes.count, textBytes + 1)) << 4, bytes.count <= textBytes)
    }
}
