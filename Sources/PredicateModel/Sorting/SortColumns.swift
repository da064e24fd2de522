// Sorts by values that are read once for each element. Each value also has a number that orders like it, so that few values
// are compared. ValueOrder.swift has the order.
package import PredicateSyntax

/// The values of elements for sort keys, and the order of the elements.
package struct SortColumns {
    /// The values of one key.
    private struct Column {
        let key: SortKey
        var numbers: [UInt64] = []
        var values: [PredicateValue] = []
        /// Whether an equal number of another such value means that the values are equal.
        var isExact: [Bool] = []
    }

    private struct Entry {
        let number: UInt64
        let index: Int
    }

    private var columns: [Column]
    private let rules: OperatorRules

    package init(_ keys: [SortKey], rules: OperatorRules) {
        columns = keys.map { Column(key: $0) }
        self.rules = rules
    }

    /// Adds an element's value for a key.
    package mutating func append(_ value: PredicateValue, forKey index: Int) {
        let (number, isExact) = columns[index].key.number(value)
        columns[index].numbers.append(number)
        columns[index].values.append(value)
        columns[index].isExact.append(isExact)
    }

    /// The indices of the elements in order. Stable: equal elements keep their order.
    package func order() -> [Int] {
        guard let first = columns.first else { return [] }
        var entries = first.numbers.enumerated().map { Entry(number: $1, index: $0) }
        Self.sort(&entries)
        var start = 0
        while start < entries.count {
            let number = entries[start].number
            let end = entries[start...].firstIndex { $0.number != number } ?? entries.count
            if columns.count > 1 || !entries[start..<end].allSatisfy({ first.isExact[$0.index] }) {
                entries[start..<end].sort { precedes($0.index, $1.index) }
            }
            start = end
        }
        return entries.map(\.index)
    }

    /// Sorts by the numbers. Stable.
    private static func sort(_ entries: inout [Entry]) {
        // Counting bytes costs 256 steps for each of them.
        guard entries.count > 512 else {
            return entries.sort { $0.number != $1.number ? $0.number < $1.number : $0.index < $1.index }
        }
        // One pass for each byte that differs, from the lowest.
        let differing = entries.reduce(0) { $0 | ($1.number ^ entries[0].number) }
        var sorted = entries
        for shift in stride(from: 0, to: UInt64.bitWidth, by: 8) where differing >> shift & 0xFF != 0 {
            var places = [Int](repeating: 0, count: 257)
            for entry in entries { places[Int(entry.number >> shift & 0xFF) + 1] += 1 }
            for byte in 1..<256 { places[byte] += places[byte - 1] }
            for entry in entries {
                let byte = Int(entry.number >> shift & 0xFF)
                sorted[places[byte]] = entry
                places[byte] += 1
            }
            swap(&entries, &sorted)
        }
    }

    /// Compares two elements whose first numbers are equal.
    private func precedes(_ left: Int, _ right: Int) -> Bool {
        for column in columns {
            let (a, b) = (column.numbers[left], column.numbers[right])
            if a != b { return a < b }
            if column.isExact[left], column.isExact[right] { continue }
            let order = column.key.compare(column.values[left], column.values[right], rules: rules)
            if order != 0 { return order < 0 }
        }
        return left < right
    }
}

extension SortKey {
    /// A number that orders like the value, and whether no other value has the same one. The type of the value is in the
    /// highest 4 bits.
    fileprivate func number(_ value: PredicateValue) -> (UInt64, isExact: Bool) {
        if value.isNil { return (nils == .first ? 0 : .max, true) }
        let (payload, isExact) = payload(value)
        let number = UInt64(ValueOrder.rank(value)) << 60 | payload >> 4
        return (isDescending ? ~number : number, isExact)
    }

    /// 64 bits that order like the value, of which the lowest 4 are cut.
    private func payload(_ value: PredicateValue) -> (UInt64, isExact: Bool) {
        switch value {
        case .bool(let answer): return Self.payload(answer ? 1 : 0)
        // Larger ones are no doubles, or lose bits.
        case .integer(let number): return (Self.payload(Double(number)).0, number.magnitude < 1 << 48)
        case .float(let number): return Self.payload(Double(number))
        case .double(let number), .date(let number): return Self.payload(number)
        case .decimal(let number): return (Self.payload(Double(number.description) ?? .nan).0, false)
        case .string(let text):
            if options.contains(.localeSensitive) { return (0, false) }
            let text = options.contains(.normalized) ? text : StringFold.fold(text, options)
            return text.withBytes(Self.payload)
        case .data(let bytes): return bytes.withUnsafeBufferPointer(Self.payload)
        case .url(let text): return text.withBytes(Self.payload)
        case .uuid(let id): return (id.high, false)
        default: return (0, false)
        }
    }

    /// NaN is the smallest.
    private static func payload(_ number: Double) -> (UInt64, isExact: Bool) {
        if number.isNaN { return (0, true) }
        let bits = (number + 0).bitPattern
        return (bits >> 63 == 1 ? ~bits : bits | 1 << 63, bits & 15 == 0)
    }

    /// The first 7 bytes, then how many there are.
    private static func payload(_ bytes: UnsafeBufferPointer<UInt8>) -> (UInt64, isExact: Bool) {
        var bits: UInt64 = 0
        for index in 0..<7 { bits = bits << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0) }
        return (bits << 8 | UInt64(min(bytes.count, 8)) << 4, bytes.count < 8)
    }
}
