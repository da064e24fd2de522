// Tests values of one byte, such as enums. The result of a comparison is computed once for each value that occurs.

extension FieldComparison {
    /// A node that reads the results from a table.
    func bytes<Value: QueryableValue>(_ type: Value.Type) -> BlockNode {
        let (offset, comparison, right) = (field.offset, comparison, right)
        let results = ByteResults { try? comparison.test($0.read(0, as: Value.self).queryValue, right) }
        // Equality never throws, so it can also be tested for the elements of a list.
        let mayRaise = ![.equal, .notEqual, .in].contains(comparison.operator)
        let test: BlockTest = { rows, live, run in
            guard mayRaise else { return rows.select(live) { results.holds($0 + offset) ?? false } }
            var found = RowMask.none
            live.forEach { row in
                switch results.holds(rows.object(row) + offset) {
                case true: found.insert(row)
                case false: break
                case nil: run.doubt(row)
                }
            }
            return found
        }
        let row = RowNode(
            test: { object, run in results.holds(object + offset) ?? run.doubt() }, cost: 2, mayRaise: mayRaise,
            runsCode: true)
        return .test(test, cost: 2, mayRaise: mayRaise, runsCode: true, row: row)
    }
}

/// The results of a test for all values of one byte.
private final class ByteResults: Sendable {
    /// Each word has the results of 16 values: whether it is known, and from bit 16 whether it is true.
    private let words = AtomicNumbers(count: 16)
    private let compute: @Sendable (UnsafeRawPointer) -> Bool?

    /// - Parameter compute: tests the value at an address; nil if the test throws.
    init(_ compute: @escaping @Sendable (UnsafeRawPointer) -> Bool?) { self.compute = compute }

    /// Whether the value at an address passes; nil if the test throws.
    @inline(__always) func holds(_ address: UnsafeRawPointer) -> Bool? {
        let byte = Int(address.load(as: UInt8.self))
        let bits = words.load(at: byte &>> 4) &>> (byte & 15)
        return bits & 1 != 0 ? bits &>> 16 & 1 != 0 : computed(address, byte)
    }

    @inline(never) private func computed(_ address: UnsafeRawPointer, _ byte: Int) -> Bool? {
        guard let answer = compute(address) else { return nil }
        // If two threads store results of the same word, one may be lost. It is computed again.
        let bits = (answer ? 1 << 16 | 1 : 1) << (byte & 15)
        words.store(words.load(at: byte >> 4) | bits, at: byte >> 4)
        return answer
    }
}
