// Tests columns of lists: tests all elements of a block at once, as rows of their own column, then counts the
// matches of each list.
import PredicateModel
import PredicateSyntax

enum ListTests {
    /// Tests `ANY list …` or `ALL list …`. A nil list has no elements (LANGUAGE 5.9).
    /// - Parameter takesSteps: whether each element counts as a step, of which there is a limit.
    static func quantified(
        _ lists: ListColumn, _ node: ColumnNode, isAll: Bool, takesSteps: Bool = true
    ) -> ColumnNode {
        .test(
            { span, mask, run in
                run.countHits(lists, span, mask, node, takesSteps: takesSteps) { row, hits, count in
                    if isAll ? hits != count : hits == 0 { mask.remove(row) }
                }
            }, cost: 6 + 3 * node.cost, takesSteps: takesSteps)
    }

    /// Tests `SUBQUERY(list, $x, …).@count > 1`; nil if the comparison throws.
    static func subquery(
        _ lists: ListColumn, _ nils: Bits?, _ node: ColumnNode, _ prepared: PreparedComparison
    ) -> ColumnNode? {
        guard let counts = CountAnswers(prepared) else { return nil }
        return .test(
            { span, mask, run in
                run.countHits(lists, span, mask, node, takesSteps: true) { row, hits, _ in
                    if let nils, nils[span.start &+ row] {
                        if !counts.ifNil { mask.remove(row) }
                    } else if !counts.answer(hits) {
                        mask.remove(row)
                    }
                }
            }, cost: 6 + 3 * node.cost, takesSteps: true)
    }

    /// Tests `list.@count > 1`; nil if the comparison throws.
    static func count(_ lists: ListColumn, _ nils: Bits?, _ prepared: PreparedComparison) -> ColumnNode? {
        guard let counts = CountAnswers(prepared) else { return nil }
        let absent = Absent(nils: nils, answer: counts.ifNil)
        let offsets = lists.offsets
        return .test(
            { span, mask, _ in
                offsets.withUnsafeBufferPointer { offsets in
                    mask.narrowSparsely(span, absent) { counts.answer(offsets[$0 &+ 1] &- offsets[$0]) }
                }
            }, cost: 3)
    }
}

/// The results of a comparison for counts. The results for small counts are computed once with the scalar
/// rules.
private struct CountAnswers: Sendable {
    let ifNil: Bool
    private let prepared: PreparedComparison
    private let few: UInt64

    init?(_ prepared: PreparedComparison) {
        if case .custom = prepared.comparison.operator { return nil }
        guard let ifNil = try? prepared.comparison.test(.null, prepared.right) else { return nil }
        var few: UInt64 = 0
        for count in 0..<64 {
            guard let answer = try? prepared.comparison.test(.integer(Int64(count)), prepared.right) else { return nil }
            if answer { few |= 1 << UInt64(count) }
        }
        self.ifNil = ifNil
        self.prepared = prepared
        self.few = few
    }

    @inline(__always) func answer(_ count: Int) -> Bool {
        count < 64 ? few &>> UInt64(truncatingIfNeeded: count) & 1 != 0 : many(count)
    }

    private func many(_ count: Int) -> Bool {
        (try? prepared.comparison.test(.integer(Int64(count)), prepared.right)) ?? false
    }
}

extension ColumnRun {
    /// Tests the elements of the selected rows' lists. Calls `body` for each row with the number of matches and
    /// of elements.
    @inline(__always) func countHits(
        _ lists: ListColumn, _ span: RowSpan, _ mask: BlockMask, _ node: ColumnNode, takesSteps: Bool,
        _ body: (_ row: Int, _ hits: Int, _ count: Int) -> Void
    ) {
        lists.offsets.withUnsafeBufferPointer { offsets in
            let start = offsets[span.start]
            test(elements: start..<offsets[span.start &+ span.count], node)
            let share = takesSteps ? stepShare : .max
            hits.withUnsafeBufferPointer { hits in
                mask.forEachRow { row in
                    let first = offsets[span.start &+ row]
                    let count = offsets[span.start &+ row &+ 1] &- first
                    body(row, Self.population(hits, first &- start, count), count)
                    if count > share { doubt(row) }
                }
            }
        }
    }

    /// Tests the elements and fills `hits`, a bit per element.
    private func test(elements: Range<Int>, _ node: ColumnNode) {
        let blocks = (elements.count + BlockMask.capacity - 1) / BlockMask.capacity
        // One extra word, because bits may be read across two words.
        let needed = blocks * BlockMask.wordCount + 1
        if hits.count < needed { hits = [UInt64](repeating: 0, count: needed * 2) }
        withMask { mask in
            for block in 0..<blocks {
                let first = elements.lowerBound + block * BlockMask.capacity
                let span = RowSpan(start: first, count: min(BlockMask.capacity, elements.upperBound - first))
                mask.fill(span.count)
                node.narrow(span, mask, self)
                for word in 0..<BlockMask.wordCount { hits[block * BlockMask.wordCount + word] = mask.words[word] }
            }
        }
    }

    /// The number of set bits among `count` bits from `place` on.
    @inline(__always) private static func population(
        _ words: UnsafeBufferPointer<UInt64>, _ place: Int, _ count: Int
    ) -> Int {
        var (place, left, sum) = (place, count, 0)
        while left > 0 {
            let taken = min(left, 63)
            let shift = UInt64(truncatingIfNeeded: place & 63)
            let low = words[place >> 6] &>> shift
            // Two shifts, because a shift by 64 would be a shift by 0.
            let bits = low | (words[(place >> 6) &+ 1] &<< (63 &- shift)) &<< 1
            let ones: UInt64 = (1 &<< UInt64(truncatingIfNeeded: taken)) &- 1
            sum &+= (bits & ones).nonzeroBitCount
            place &+= taken
            left &-= taken
        }
        return sum
    }
}
