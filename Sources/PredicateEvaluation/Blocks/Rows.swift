// The only file of this folder that reads objects from memory.
//
// Why that is safe. `start` comes from a buffer of `count` initialised objects that the caller holds for as long as the
// block is in use (withContiguousStorageIfAvailable), so rows 0..<count are alive and nobody writes to them. Row i
// begins at i * stride, which is how Swift lays out contiguous storage. A field's offset is MemoryLayout.offset(of:)'s
// for the key path of the table, and the type it is read as is that key path's own value type (Field.find): memory is
// only ever read as what is stored there. Values that a loader read, and elements of lists, are rows of their own kind,
// alive as long (FieldSteps.swift); where not every row has one, `isWhole` says so. Two things are checked before they
// are relied on: that an optional text is stored as a text is, and how texts and lists lie (StorageLayout.swift).

/// Up to 256 objects of one type, one after the other in memory.
struct Rows {
    let start: UnsafeRawPointer
    let stride: Int
    let count: Int
    /// Whether there is an object in each row, or only in the live ones.
    var isWhole = true

    /// The same for a test of a few instructions: from the last row of a word to its first, so that each answer is one
    /// addition with carry. Texts lie elsewhere and are better met in the order of memory.
    @inline(__always) func selectQuickly(_ live: RowMask, _ test: (UnsafeRawPointer) -> Bool) -> RowMask {
        var selected = RowMask.none
        for word in 0..<4 {
            let bits = live.words[word]
            if bits == 0 { continue }
            let first = start + word &* 64 &* stride
            if Self.isDense(bits, isWhole, word &* 64, count) {
                var found: UInt64 = 0
                var row = first + 63 &* stride
                // Four at a time: counting rows takes as long as testing them.
                for _ in 0..<16 {
                    found = found &+ found &+ Self.bit(test(row))
                    found = found &+ found &+ Self.bit(test(row - stride))
                    found = found &+ found &+ Self.bit(test(row - 2 &* stride))
                    found = found &+ found &+ Self.bit(test(row - 3 &* stride))
                    row -= 4 &* stride
                }
                selected.words[word] = bits & found
            } else {
                selected.words[word] = selectFew(bits, first, test)
            }
        }
        return selected
    }

    /// The same for what the words of texts tell about them; about nil, nothing.
    /// - Returns: which rows pass, and which are left to look at.
    func selectQuickly(_ live: RowMask, _ offset: Int, _ quick: QuickText?) -> (selected: RowMask, rest: RowMask) {
        guard let quick else { return (.none, live) }
        return quick.lowers
            ? selectWords(live, offset, quick.holdsLowered, quick.isUnknownLowered)
            : selectWords(live, offset, quick.holds, quick.isUnknown)
    }

    @inline(__always) private func selectWords(
        _ live: RowMask, _ offset: Int, _ holds: (TextWords) -> UInt64, _ isUnknown: (TextWords) -> UInt64
    ) -> (selected: RowMask, rest: RowMask) {
        var (selected, rest) = (RowMask.none, live)
        for word in 0..<4 {
            let bits = live.words[word]
            // Below that looking at the live ones costs less, though more for each.
            if bits.nonzeroBitCount < 32 || !Self.isDense(bits, isWhole, word &* 64, count) { continue }
            var (found, unknown): (UInt64, UInt64) = (0, 0)
            var row = start + (word &* 64 &+ 63) &* stride + offset
            for _ in 0..<64 {
                let words = TextWords(at: row)
                found = found &+ found &+ holds(words)
                unknown = unknown &+ unknown &+ isUnknown(words)
                row -= stride
            }
            selected.words[word] = bits & found & ~unknown
            rest.words[word] = bits & unknown
        }
        return (selected, rest)
    }

    /// Those of the live rows whose objects pass.
    @inline(__always) func select(_ live: RowMask, _ test: (UnsafeRawPointer) -> Bool) -> RowMask {
        var selected = RowMask.none
        for word in 0..<4 {
            let bits = live.words[word]
            if bits == 0 { continue }
            let first = start + word &* 64 &* stride
            // Where most rows are live it is cheaper to test all 64 than to look for the live ones. In the order of
            // memory, which is fetched ahead; so the first row ends in the highest bit.
            if Self.isDense(bits, isWhole, word &* 64, count) {
                var found: UInt64 = 0
                var row = first
                for _ in 0..<64 {
                    found = found &+ found &+ Self.bit(test(row))
                    row += stride
                }
                selected.words[word] = bits & Self.reversed(found)
            } else {
                selected.words[word] = selectFew(bits, first, test)
            }
        }
        return selected
    }

    @inline(__always) private static func reversed(_ word: UInt64) -> UInt64 {
        var word = word.byteSwapped
        word = (word &>> 4) & 0x0F0F_0F0F_0F0F_0F0F | (word & 0x0F0F_0F0F_0F0F_0F0F) &<< 4
        word = (word &>> 2) & 0x3333_3333_3333_3333 | (word & 0x3333_3333_3333_3333) &<< 2
        return (word &>> 1) & 0x5555_5555_5555_5555 | (word & 0x5555_5555_5555_5555) &<< 1
    }

    /// The same for tests that cost more than looking for the live rows.
    @inline(__always) func selectSparsely(_ live: RowMask, _ test: (UnsafeRawPointer) -> Bool) -> RowMask {
        var selected = RowMask.none
        for word in 0..<4 where live.words[word] != 0 {
            selected.words[word] = selectFew(live.words[word], start + word &* 64 &* stride, test)
        }
        return selected
    }

    /// Reads a byte of each long text, so that their memory is fetched together and not one after the other.
    @inline(__always) func readAhead(_ live: RowMask, _ offset: Int, _ sum: inout UInt8) {
        live.forEach { row in
            let words = TextWords(at: object(row) + offset)
            // Nil is zero there.
            if words.high != 0, !words.isSmall, words.isPlain, let byte = words.plainBytes.first { sum &+= byte }
        }
    }

    @inline(__always) private func selectFew(
        _ live: UInt64, _ first: UnsafeRawPointer, _ test: (UnsafeRawPointer) -> Bool
    ) -> UInt64 {
        var rest = live
        var found: UInt64 = 0
        if live == .max {
            var object = first
            for row: UInt64 in 0..<64 {
                found |= Self.bit(test(object)) &<< row
                object += stride
            }
            return found
        }
        while rest != 0 {
            let row = rest.trailingZeroBitCount
            found |= Self.bit(test(first + row &* stride)) &<< UInt64(row)
            rest &= rest &- 1
        }
        return found
    }

    /// 1 or 0 without a branch: a conditional expression sometimes becomes one, which random answers mispredict.
    @inline(__always) static func bit(_ answer: Bool) -> UInt64 {
        UInt64(unsafeBitCast(answer, to: UInt8.self))
    }

    /// Whether it is cheaper to do something for all 64 rows of a word of a mask than to look for the live ones.
    @inline(__always) static func isDense(_ live: UInt64, _ isWhole: Bool, _ first: Int, _ count: Int) -> Bool {
        isWhole && live.nonzeroBitCount >= 16 && first &+ 64 <= count
    }

    /// What lies at a distance in the live ones.
    func part(at offset: Int) -> Rows {
        Rows(start: start + offset, stride: stride, count: count, isWhole: false)
    }

    /// The row's object.
    @inline(__always) func object(_ row: Int) -> UnsafeRawPointer { start + row &* stride }

}

extension UnsafeRawPointer {
    /// The value that is stored here.
    @inline(__always) func read<T>(_ offset: Int, as type: T.Type) -> T {
        (self + offset).assumingMemoryBound(to: T.self).pointee
    }

    /// Whether the optional that is stored here is nil, without copying what it wraps.
    @inline(__always) func isNil<T>(_ offset: Int, _ type: T.Type) -> Bool {
        if case .none = (self + offset).assumingMemoryBound(to: T?.self).pointee { true } else { false }
    }

    /// Calls back with the UTF-8 of the text that is stored here, or of the optional one that is known not to be nil,
    /// where `optionalTextIsText`.
    @inline(__always) func withText<Result>(
        _ offset: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        let text = (self + offset).assumingMemoryBound(to: String.self)
        if let answer = text.pointee.utf8.withContiguousStorageIfAvailable(body) { return answer }
        return Array(text.pointee.utf8).withUnsafeBufferPointer(body)
    }

    /// Whether the text that is stored here passes.
    /// - Parameter isKnown: `StorageLayout.knowsTexts`, which a loop asks once.
    @inline(__always) func test<Rule: TextRule>(_ offset: Int, _ rule: Rule, isKnown: Bool) -> Bool {
        guard isKnown else { return withText(offset) { rule.holds($0) } }
        let words = TextWords(at: self + offset)
        if Rule.glances, let answer = rule.glance(words) { return answer }
        if words.isSmall {
            return rule.holds(
                UnsafeBufferPointer(start: (self + offset).assumingMemoryBound(to: UInt8.self), count: words.smallCount)
            )
        }
        if words.isPlain { return rule.holds(words.plainBytes) }
        return withText(offset) { rule.holds($0) }
    }

    /// Whether an optional text that is not nil is stored as that text is, byte for byte: found out, not assumed. Else
    /// optional texts have no field.
    static let optionalTextIsText: Bool = {
        guard MemoryLayout<String?>.size == MemoryLayout<String>.size else { return false }
        let samples = ["", "a", "fifteen bytes !", "more than fifteen bytes", "é", String(repeating: "é", count: 40)]
        return samples.allSatisfy { sample in
            withUnsafeBytes(of: sample) { text in
                withUnsafeBytes(of: Optional(sample)) { text.elementsEqual($0) }
            }
        }
    }()
}
