// How plans read columns: the values of a column are rows of one field (Field.swift), reached by a step from the rows
// of the table that skips nil.

extension Field {
    /// The field for a key path of a column's values; nil if plans cannot read it. A key of nil is nil.
    static func find(_ keys: ArraySlice<String>, in base: Column) -> Field? {
        var column = base
        for (index, key) in zip(keys.indices, keys) {
            switch column.storage {
            case .none: return Field(column)
            case .records(let records) where !key.hasPrefix("@") && key != "self":
                column = records.positions[key].map { records.columns[$0] } ?? Column(.none, nils: nil)
            case .lists(let lists) where keys.last.map(CollectionOperator.isCount) ?? false:
                // Mapping a key over a list keeps its count.
                let mapped = keys[index...].dropLast()
                guard !mapped.contains(where: { $0.hasPrefix("@") }), find(mapped, in: lists.elements) != nil else {
                    return nil
                }
                return Field(steps: [.column(column), .listCount(lists)], Int.self)
            default: return nil
            }
        }
        return Field(column)
    }

    private convenience init?(_ column: Column) {
        let steps = [Step.column(column)]
        switch column.storage {
        case .integers(let integers): self.init(steps: steps, integers.type, column: column)
        case .doubles: self.init(steps: steps, Double.self, column: column)
        case .booleans: self.init(steps: steps, Bool.self, column: column)
        case .dates: self.init(steps: steps, StoredDate.self, column: column)
        case .texts, .codes: self.init(steps: steps, String.self, column: column)
        case .lists: self.init(steps: steps, kind: .list, column: column)
        case .records: self.init(steps: steps, kind: .object, column: column)
        case .none: self.init(steps: steps, kind: .nothing, column: column)
        case .values: return nil
        }
    }
}

extension IntegerColumn {
    fileprivate var type: any StoredType.Type {
        switch width {
        case .int8: Int8.self
        case .int16: Int16.self
        case .int32: Int32.self
        case .int64: Int64.self
        }
    }
}

extension Column {
    /// The memory of its numbers or codes; nil for other columns, which are read by row number.
    private var packed: PackedValues? {
        switch storage {
        case .integers(let column): column.values
        case .doubles(let values, _), .dates(let values): values
        case .codes(let codes, _): codes.values
        case .none, .booleans, .texts, .lists, .records, .values: nil
        }
    }

    /// Converts a node for the values to a node for the rows of the table.
    func node(_ node: BlockNode, ifNil: Bool) -> BlockNode {
        if case .constant(let answer) = node {
            guard let nils, answer != ifNil else { return node }
            return .test(
                { rows, live, _ in
                    let absent = nils.mask(at: rows.first)
                    return ifNil ? live.intersection(absent) : live.subtracting(absent)
                }, cost: 1)
        }
        let values = test(node.block)
        guard let nils else { return .test(values, cost: node.cost, mayRaise: node.mayRaise) }
        let test: BlockTest = { rows, live, run in
            let absent = nils.mask(at: rows.first)
            let selected = values(rows, live.subtracting(absent), &run)
            return ifNil ? selected.union(live.intersection(absent)) : selected
        }
        return .test(test, cost: node.cost, mayRaise: node.mayRaise)
    }

    private func test(_ test: @escaping BlockTest) -> BlockTest {
        guard let packed else { return test }
        return { rows, live, run in test(packed.rows(rows), live, &run) }
    }
}

extension ListColumn {
    /// Converts a node for the counts of the lists to a node for the rows of the table.
    func counted(_ node: BlockNode) -> BlockNode {
        if case .constant = node { return node }
        let (offsets, test) = (offsets, node.block)
        return .test(
            { rows, live, run in
                run.withCounts(rows, live, test) { counts, _ in
                    offsets.withUnsafeBufferPointer { offsets in
                        for row in 0..<rows.count {
                            counts[row] = offsets[rows.first &+ row &+ 1] &- offsets[rows.first &+ row]
                        }
                    }
                }
            }, cost: node.cost + 2)
    }
}

extension FieldComparison {
    /// Compares each distinct text once, at compile time; nil if the comparison throws.
    func coded(_ codes: CodeColumn, _ texts: TextColumn) -> BlockNode? {
        var answers = [ifNil]
        let matcher: TextMatcher? = if case .pattern(let test, _) = prepared.form { test.matcher() } else { nil }
        for index in 0..<texts.count {
            let text = mapping?.mapped(texts.text(at: index)) ?? texts.text(at: index)
            guard let answer = try? matcher?.test(text) ?? prepared.test(.string(text)) else { return nil }
            answers.append(answer)
        }
        return codes.isNarrow ? coded(UInt8.self, answers) : coded(UInt16.self, answers)
    }
}

/// Iterates over a column of lists. It tests all elements of a block at once, as rows of their own column, then counts
/// the matches in each list.
struct ColumnWalk: ElementWalk {
    let lists: ListColumn
    let countsSteps: Bool

    func some(_ inner: BlockNode) -> BlockTest {
        let inner = inner.block
        return { rows, live, run in
            var selected = RowMask.none
            walk(rows, live, inner, &run) { hits, run in selected = live.filter { hits.count(of: $0, &run) > 0 } }
            return selected
        }
    }

    func counts(_ inner: BlockNode, _ test: BlockNode, ifNil: Bool) -> BlockTest {
        let (inner, test) = (inner.block, test.block)
        return { rows, live, run in
            run.withCounts(rows, live, test) { counts, run in
                walk(rows, live, inner, &run) { hits, run in live.forEach { counts[$0] = hits.count(of: $0, &run) } }
            }
        }
    }

    /// Tests the elements of all live rows and calls `body` with those that pass.
    @inline(__always) private func walk(
        _ rows: Rows, _ live: RowMask, _ inner: BlockTest, _ run: inout BlockRun, _ body: (Hits, inout BlockRun) -> Void
    ) {
        if live.isEmpty { return }
        lists.offsets.withUnsafeBufferPointer { offsets in
            let start = offsets[rows.first]
            let words = Self.hits(in: start..<offsets[rows.first &+ rows.count], rows, inner, &run)
            words.withUnsafeBufferPointer { words in
                let offsets = UnsafeBufferPointer(rebasing: offsets[rows.first...])
                body(Hits(words: words, offsets: offsets, most: countsSteps ? run.stepShare : .max), &run)
            }
            run.hits.append(words)
        }
    }

    /// The elements that pass, one bit per element, in memory that the run reuses.
    private static func hits(
        in elements: Range<Int>, _ rows: Rows, _ inner: BlockTest, _ run: inout BlockRun
    ) -> [UInt64] {
        var hits = run.hits.popLast() ?? []
        // One extra word, because bits are read across two words.
        let needed = (elements.count + RowMask.capacity - 1) / RowMask.capacity * 4 + 1
        if hits.count < needed { hits = [UInt64](repeating: 0, count: needed * 2) }
        var word = 0
        for first in stride(from: elements.lowerBound, to: elements.upperBound, by: RowMask.capacity) {
            let count = min(RowMask.capacity, elements.upperBound - first)
            let block = Rows(start: rows.start, stride: 0, count: count, first: first)
            let found = inner(block, RowMask(first: count), &run)
            for part in 0..<4 { hits[word + part] = found.words[part] }
            word += 4
        }
        return hits
    }
}

/// The elements of a block's lists that pass, one bit per element.
private struct Hits {
    let words: UnsafeBufferPointer<UInt64>
    /// The first element of each row.
    let offsets: UnsafeBufferPointer<Int>
    /// The maximum number of elements of a row; a row with more is doubtful.
    let most: Int

    /// The number of elements of a row that pass.
    @inline(__always) func count(of row: Int, _ run: inout BlockRun) -> Int {
        var place = offsets[row] &- offsets[0]
        var left = offsets[row &+ 1] &- offsets[row]
        if left > most { run.doubt(row) }
        var sum = 0
        while left > 0 {
            let taken = min(left, 63)
            let shift = UInt64(truncatingIfNeeded: place & 63)
            let low = words[place >> 6] &>> shift
            // Two shifts, because a shift by 64 would act like a shift by 0.
            let bits = low | (words[(place >> 6) &+ 1] &<< (63 &- shift)) &<< 1
            let ones: UInt64 = (1 &<< UInt64(truncatingIfNeeded: taken)) &- 1
            sum &+= (bits & ones).nonzeroBitCount
            place &+= taken
            left &-= taken
        }
        return sum
    }
}

extension TextColumn {
    /// Selects the live rows whose text passes.
    @inline(__always) func select(
        _ rows: Rows, _ live: RowMask, _ holds: (UnsafeBufferPointer<UInt8>) -> Bool
    ) -> RowMask {
        withAll { texts in live.filter { holds(texts[rows.first &+ $0]) } }
    }

    /// A node for CONTAINS. If most rows are live, it searches all texts of a block as one text.
    /// - Parameter needle: a text that is neither empty nor folded.
    func contains(_ needle: Needle) -> BlockNode {
        .test(
            { rows, live, _ in
                if live.count &* 2 <= rows.count { return select(rows, live) { needle.isContained(in: $0) } }
                return withAll { live.intersection($0.find(needle, in: rows)) }
            }, cost: ContainsRule.cost)
    }

    @inline(__always) private func withAll(_ body: (TextsInPlace) -> RowMask) -> RowMask {
        offsets.withUnsafeBufferPointer { offsets in
            withBytes { body(TextsInPlace(offsets: offsets, bytes: $0)) }
        }
    }
}

/// The texts of a column in place. Valid only during a call.
private struct TextsInPlace {
    let offsets: UnsafeBufferPointer<Int>
    let bytes: UnsafeBufferPointer<UInt8>

    @inline(__always) subscript(row: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[offsets[row]..<offsets[row &+ 1]])
    }

    /// The number of bytes to search at once. The search may switch to a slower method, and this bounds how long it is
    /// used.
    private static let stretch = 8192

    /// The texts of a block that contain a needle, found by searching their common buffer.
    func find(_ needle: Needle, in rows: Rows) -> RowMask {
        var hits = RowMask.none
        var (row, place) = (rows.first, offsets[rows.first])
        let end = offsets[rows.first &+ rows.count]
        while place < end {
            let stop = min(end, place &+ Self.stretch &+ needle.byteCount)
            let found = needle.place(in: UnsafeBufferPointer(rebasing: bytes[place..<stop]))
            if found < 0 {
                place = stop == end ? end : stop &- needle.byteCount &+ 1
                continue
            }
            while offsets[row &+ 1] <= place &+ found { row &+= 1 }
            // A match that extends into the next text does not count, and neither does a later match that begins in
            // this text.
            if place &+ found &+ needle.byteCount <= offsets[row &+ 1] { hits.insert(row &- rows.first) }
            place = offsets[row &+ 1]
        }
        return hits
    }
}
