// Tables that refer to memory of another owner select the same rows as testing one by one, with nil, offsets and
// invalid bytes.
import PredicateEvaluation
import PredicateTestSupport
import Testing

/// Columns in the memory layout of a database driver. Their first values do not belong to any row.
private final class Batch {
    private var memory: [UnsafeMutableRawPointer] = []
    let count: Int
    let skipped: Int

    init(count: Int, skipped: Int) { (self.count, self.skipped) = (count, skipped) }

    deinit { for part in memory { part.deallocate() } }

    func place<Value: BitwiseCopyable>(_ values: [Value], at start: Int = 0) -> UnsafeRawPointer {
        let size = values.count * MemoryLayout<Value>.stride
        let part = UnsafeMutableRawPointer.allocate(byteCount: size + start + 1, alignment: 16)
        memory.append(part)
        values.withUnsafeBytes {
            if let base = $0.baseAddress { (part + start).copyMemory(from: base, byteCount: size) }
        }
        return UnsafeRawPointer(part + start)
    }

    func bits(_ flags: [Bool]) -> UnsafePointer<UInt8> {
        var bytes = [UInt8](repeating: 0, count: (flags.count + 7) / 8)
        for (index, flag) in flags.enumerated() where flag { bytes[index / 8] |= 1 << UInt8(index % 8) }
        return place(bytes).assumingMemoryBound(to: UInt8.self)
    }

    func column(
        _ form: BorrowedColumn.ElementType, _ values: UnsafeRawPointer, bytes: UnsafeRawPointer? = nil,
        known: [Bool]? = nil
    ) -> BorrowedColumn {
        BorrowedColumn(form, offset: skipped, validity: known.map(bits), values: values, bytes: bytes)
    }

    func texts(_ texts: [[UInt8]], known: [Bool]? = nil) -> BorrowedColumn {
        var offsets: [Int32] = [0]
        for text in texts { offsets.append((offsets.last ?? 0) + Int32(text.count)) }
        return column(.text, place(offsets), bytes: place(texts.flatMap(\.self)), known: known)
    }
}

@Suite struct BorrowedColumnsTests {
    private static let predicates = [
        "id > 3", "id == nil", "small BETWEEN {-5, 40}", "score >= 0.5 AND name != nil", "NOT (score < 0)",
        "born < CAST(0.5, 'NSDate')", "active == YES", "active == NO OR id IN {1, 2, 3}", "name BEGINSWITH[cd] 'e'",
        "name CONTAINS 'é'", "name MATCHES '[a-zé]*'", "name ==[c] 'ZOË'", "name LIKE '*o?'", "name.length > 3",
        "id + small > 10", "missing == nil", "name IN {'', 'zoë'}", "SELF.name ENDSWITH 'n'",
    ]

    @Test(arguments: [0, 3, 8]) func selectWhatTestingEachRowSelects(skipped: Int) throws {
        var random = SplitMix(UInt64(skipped) + 77)
        let count = 700
        let batch = Batch(count: count, skipped: skipped)
        let names = ["", "Zoë", "zoë", "étienne", "Ellen", "a fairly long name, longer than fifteen bytes", "bob", "e"]
        let length = skipped + count
        let ids = (0..<length).map { _ in Int64(random.below(12)) - 3 }
        let small = (0..<length).map { _ in Int32(random.below(100)) - 50 }
        let scores = (0..<length).map { _ in random.below(9) == 0 ? Double.nan : Double(random.below(40)) / 10 - 2 }
        let active = (0..<length).map { _ in random.below(2) == 0 }
        let texts = (0..<length).map { _ in random.pick(names) }
        let known = (0..<length).map { _ in random.below(5) > 0 }
        let columns: [(key: String, column: BorrowedColumn)] = [
            ("id", batch.column(.int64, batch.place(ids), known: known)),
            ("small", batch.column(.int32, batch.place(small))),
            ("score", batch.column(.double, batch.place(scores), known: known)),
            ("born", batch.column(.date, batch.place(scores))),
            ("active", batch.column(.boolean, UnsafeRawPointer(batch.bits(active)), known: known)),
            ("name", batch.texts(texts.map { Array($0.utf8) }, known: known)),
        ]
        let table = try #require(PredicateTable(borrowing: columns, count: count, owner: batch))
        var rows: [PredicateValue] = []
        for row in skipped..<length {
            func optional(_ value: PredicateValue) -> PredicateValue { known[row] ? value : .null }
            let pairs: [(String, PredicateValue)] = [
                ("id", optional(.integer(ids[row]))), ("small", .integer(Int64(small[row]))),
                ("score", optional(.double(scores[row]))), ("born", .date(scores[row])),
                ("active", optional(.bool(active[row]))), ("name", optional(.string(texts[row]))),
            ]
            rows.append(.dictionary(ValueDictionary(pairs)))
        }
        for text in Self.predicates {
            let predicate = try FormatPredicate(text: text)
            let matcher = try predicate.compiled(for: PredicateValue.self)
            let selected = try #require(table.selection(of: predicate), "\(text)")
            #expect(Array(selected) == rows.indices.filter { matcher.matches(rows[$0]) }, "\(text)")
        }
        for row in [0, count - 1] { #expect("\(table[row])" == "\(rows[row])") }
    }

    @Test func predicatesThatMayFailHaveNoSelection() throws {
        let batch = Batch(count: 3, skipped: 0)
        let table = try #require(
            PredicateTable(
                borrowing: [("id", batch.column(.int64, batch.place([Int64(1), 0, 2])))], count: 3, owner: batch))
        func selection(_ text: String) throws -> RowSelection? { table.selection(of: try FormatPredicate(text: text)) }
        #expect(try selection("id > 0").map { Array($0) } == [0, 2])
        #expect(try selection("modulus:by:(4, id) == 0") == nil)
        #expect(try selection("random() > id") == nil)
        #expect(try selection("id BEGINSWITH 'a'") == nil)
    }

    @Test func refuseMemoryThatPlansCannotRead() {
        let batch = Batch(count: 2, skipped: 0)
        func table(_ column: BorrowedColumn) -> PredicateTable? {
            PredicateTable(borrowing: [("key", column)], count: 2, owner: batch)
        }
        #expect(table(batch.column(.int64, batch.place([Int64(1), 2]))) != nil)
        #expect(table(batch.column(.int64, batch.place([Int64(1), 2], at: 1))) == nil)
        #expect(table(batch.texts([[0x41], [0xC3, 0xA9]])) != nil)
        #expect(table(batch.texts([[0xC3], [0xA9]])) == nil, "a letter divided between two texts")
        #expect(table(batch.texts([[0xFF], [0x41]])) == nil)
        let letters = batch.place([UInt8](repeating: 65, count: 5))
        #expect(table(batch.column(.text, batch.place([Int32(0), 5, 2]), bytes: letters)) == nil)
        #expect(table(batch.texts([[], []])) != nil)
    }
}
