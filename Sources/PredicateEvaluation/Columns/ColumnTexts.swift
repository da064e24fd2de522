// Compiles comparisons of columns of texts without codes. Texts are tested in place, as UTF-8: the language
// compares code points, whose order and equality are those of UTF-8 bytes.
import PredicateModel
import PredicateSyntax

extension ColumnComparison {
    func texts(_ column: TextColumn) -> ColumnNode? {
        let options = comparison.options
        switch (comparison.operator, prepared.form, right) {
        case (.equal, .needle(let needle), _): return test(column, cost: 5) { needle.equals($0) }
        case (.notEqual, .needle(let needle), _):
            return test(column, cost: 5, negated: true) { needle.equals($0) }
        case (.beginsWith, .needle(let needle), _): return test(column, cost: 6) { needle.isPrefix(of: $0) }
        case (.endsWith, .needle(let needle), _): return test(column, cost: 6) { needle.isSuffix(of: $0) }
        case (.contains, .needle(let needle), _):
            return needle.isEmpty ? nilTest(otherwise: false) : contains(column, needle)
        case (.lessThan, _, .string(let text)), (.lessThanOrEqual, _, .string(let text)),
            (.greaterThan, _, .string(let text)), (.greaterThanOrEqual, _, .string(let text)):
            return options.isEmpty ? ordered(column, Array(text.utf8)) : nil
        case (.in, _, _):
            guard let members = listElements.map({ TextSet($0) }) else { return nil }
            return test(column, cost: 10) { members.contains($0) }
        // A pattern that only ICU matches may exceed its budget and throw, so columns do not evaluate it.
        case (_, .pattern(let pattern, let place), _):
            return pattern.isRegular ? self.pattern(column, pattern, place) : nil
        default: return nil
        }
    }

    private func ordered(_ column: TextColumn, _ constant: [UInt8]) -> ColumnNode? {
        switch comparison.operator {
        case .lessThan: test(column, cost: 6) { $0.lexicographicallyPrecedes(constant) }
        case .greaterThanOrEqual: test(column, cost: 6) { !$0.lexicographicallyPrecedes(constant) }
        case .lessThanOrEqual: test(column, cost: 6) { !constant.lexicographicallyPrecedes($0) }
        default: test(column, cost: 6) { constant.lexicographicallyPrecedes($0) }
        }
    }

    @inline(__always) private func test(
        _ column: TextColumn, cost: Int, negated: Bool = false,
        _ holds: @escaping @Sendable (UnsafeBufferPointer<UInt8>) -> Bool
    ) -> ColumnNode {
        let inner = Absent(nils: self.column.nils, answer: ifNil != negated)
        let test: ColumnTest = { span, mask, _ in
            column.withAll { texts in mask.narrowSparsely(span, inner) { holds(texts[$0]) } }
        }
        return negated ? .not(.test(test, cost: cost)) : .test(test, cost: cost)
    }

    /// The matcher caches what it learns, so each run has its own.
    private func pattern(_ column: TextColumn, _ pattern: TextTest, _ place: Int) -> ColumnNode {
        let absent = absent
        return .test(
            { span, mask, run in
                guard let matcher = run.context.matcher(at: place, pattern).regular else { return mask.clear() }
                column.withAll { texts in mask.narrowSparsely(span, absent) { matcher.matches(texts[$0]) } }
            }, cost: 60)
    }

    /// Searches all texts of a block as one, if most rows are selected and texts are not folded.
    private func contains(_ column: TextColumn, _ needle: Needle) -> ColumnNode {
        let absent = absent
        return .test(
            { span, mask, run in
                column.withAll { texts in
                    if needle.isLiteral, mask.count &* 2 > span.count {
                        run.withMask { hits in
                            texts.find(needle, in: span, hits)
                            mask.narrowSparsely(span, absent) { hits.contains($0 &- span.start) }
                        }
                    } else {
                        mask.narrowSparsely(span, absent) { needle.isContained(in: texts[$0]) }
                    }
                }
            }, cost: 40)
    }
}

/// The texts of a column in memory, valid for the duration of a call.
struct TextsInPlace {
    let offsets: UnsafeBufferPointer<Int>
    let bytes: UnsafeBufferPointer<UInt8>

    @inline(__always) subscript(row: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[offsets[row]..<offsets[row &+ 1]])
    }

    /// How many bytes to search at once. The search may fall back to a slower method; the limit bounds that.
    private static let stretch = 8192

    /// Marks the texts of a span that contain a needle, by searching their common buffer.
    func find(_ needle: Needle, in span: RowSpan, _ hits: BlockMask) {
        hits.clear()
        var (row, place) = (span.start, offsets[span.start])
        let end = offsets[span.start &+ span.count]
        while place < end {
            let stop = min(end, place &+ Self.stretch &+ needle.byteCount)
            let found = needle.place(in: UnsafeBufferPointer(rebasing: bytes[place..<stop]))
            if found < 0 {
                place = stop == end ? end : stop &- needle.byteCount &+ 1
                continue
            }
            while offsets[row &+ 1] <= place &+ found { row &+= 1 }
            // A match that extends into the next text is no match. Neither is any later one that begins in this
            // text.
            if place &+ found &+ needle.byteCount <= offsets[row &+ 1] { hits.insert(row &- span.start) }
            place = offsets[row &+ 1]
        }
    }
}

extension TextColumn {
    @inline(__always) func withAll(_ body: (TextsInPlace) -> Void) {
        offsets.withUnsafeBufferPointer { offsets in
            bytes.withUnsafeBufferPointer { body(TextsInPlace(offsets: offsets, bytes: $0)) }
        }
    }
}
