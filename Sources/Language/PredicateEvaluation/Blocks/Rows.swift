// The only file of this folder that reads objects from memory.
//
// Why this is safe: `start` points to a buffer of `count` initialised objects that the caller keeps alive while the
// block is in use (withContiguousStorageIfAvailable). So rows 0..<count exist and no code writes to them. Row i begins
// at i * stride, as in all contiguous storage of Swift. The offset of a field is `MemoryLayout.offset(of:)` of its key
// path, and the type read there is the key path's value type (Field.find). Loaded values and list elements are rows of
// their own type and exist equally long (FieldSteps.swift); `isWhole` is false if some rows have none. The values of a
// column are also rows, in memory that the column owns (PackedValues); rows of a table have a number instead of an
// object. Two assumptions are checked at run time: that an optional text is stored like a text, and the layout of texts
// and lists (StorageLayout.swift).

/// Up to 256 objects of one type, contiguous in memory, or rows of a table.
struct Rows {
    let start: UnsafeRawPointer
    let stride: Int
    /// The number of the first row, for rows of a table or of a column's elements.
    let first: Int
    /// The number of rows if every row has an object; its complement if only the live rows have one. One field for
    /// both, because a structure of more than four fields is passed in memory, which costs the loops a register.
    private let extent: Int

    init(start: UnsafeRawPointer, stride: Int, count: Int, isWhole: Bool = true, first: Int = 0) {
        self.start = start
        self.stride = stride
        self.first = first
        extent = isWhole ? count : ~count
    }

    var count: Int { isWhole ? extent : ~extent }
    /// Whether every row has an object, or only the live ones.
    var isWhole: Bool { extent >= 0 }

    /// Selects the live rows that pass a cheap test. It reads rows in memory order, which the processor prefetches.
    /// Each result is shifted in by one addition with carry, so the first row ends up in the highest bit.
    @inline(__always) func select(_ live: RowMask, _ test: (UnsafeRawPointer) -> Bool) -> RowMask {
        var selected = RowMask.none
        for word in 0..<4 {
            let bits = live.words[word]
            if bits == 0 { continue }
            let first = start + word &* 64 &* stride
            if isDense(bits, word &* 64) {
                var found: UInt64 = 0
                var row = first
                // Unrolled by four: counting rows takes as long as testing them.
                for _ in 0..<16 {
                    found = found &+ found &+ Self.bit(test(row))
                    found = found &+ found &+ Self.bit(test(row + stride))
                    found = found &+ found &+ Self.bit(test(row + 2 &* stride))
                    found = found &+ found &+ Self.bit(test(row + 3 &* stride))
                    row += 4 &* stride
                }
                selected.words[word] = bits & Self.reversed(found)
            } else {
                selected.words[word] = selectFew(bits, first, test)
            }
        }
        return selected
    }

    /// Selects the live rows by tests of 64 rows, or of one row where few are live.
    @inline(__always) func selectWords(
        _ live: RowMask, dense: (_ first: Int) -> UInt64, sparse: (_ row: Int) -> UInt64
    ) -> RowMask {
        var selected = RowMask.none
        for word in 0..<4 {
            let bits = live.words[word]
            if bits == 0 { continue }
            let first = word &* 64
            var found: UInt64 = 0
            if isDense(bits, first) {
                found = dense(first)
            } else {
                var rest = bits
                while rest != 0 {
                    let place = rest.trailingZeroBitCount
                    found |= sparse(first &+ place) &<< UInt64(truncatingIfNeeded: place)
                    rest &= rest &- 1
                }
            }
            selected.words[word] = bits & found
        }
        return selected
    }

    /// The live rows for which `bit` returns 1. If most rows of a word are live, evaluates all of its rows.
    @inline(__always) func selectBits(_ live: RowMask, _ bit: (_ row: Int) -> UInt64) -> RowMask {
        selectWords(
            live,
            dense: { first in
                // From last to first, so that each bit takes one addition with carry.
                var found: UInt64 = 0
                var row = first &+ 63
                for _ in 0..<64 {
                    found = found &+ found &+ bit(row)
                    row &-= 1
                }
                return found
            }, sparse: bit)
    }

    /// Like `select`, for numbers without gaps between them.
    @inline(__always) func selectPacked<Number>(_ live: RowMask, _ test: (Number) -> Bool) -> RowMask {
        let numbers = start.assumingMemoryBound(to: Number.self)
        return selectWords(
            live,
            dense: { first in
                // Cache lines in ascending order, because the processor prefetches them. Eight short chains of
                // additions are faster than one long chain.
                var found: UInt64 = 0
                for line in 0..<8 {
                    var bits: UInt64 = 0
                    var row = first &+ line &* 8 &+ 7
                    for _ in 0..<8 {
                        bits = bits &+ bits &+ Self.bit(test(numbers[row]))
                        row &-= 1
                    }
                    found |= bits &<< UInt64(truncatingIfNeeded: line &* 8)
                }
                return found
            }, sparse: { Self.bit(test(numbers[$0])) })
    }

    /// Selects the live rows whose byte is in an interval, 16 rows at a time.
    @inline(__always) func selectBytes(_ live: RowMask, from lower: UInt8, width: UInt8) -> RowMask {
        selectWords(
            live,
            dense: { first in
                var found: UInt64 = 0
                for part in 0..<4 {
                    let bytes = start.loadUnaligned(fromByteOffset: first &+ part &* 16, as: SIMD16<UInt8>.self)
                    // The type is explicit, because the generic comparison of vectors would be compiled to a loop.
                    let holds: SIMDMask<SIMD16<Int8>> = (bytes &- SIMD16(repeating: lower)) .<= SIMD16(repeating: width)
                    let lanes = unsafeBitCast(holds, to: SIMD2<UInt64>.self)
                    let bits = Self.bits(lanes.x) | Self.bits(lanes.y) &<< 8
                    found |= bits &<< UInt64(truncatingIfNeeded: part &* 16)
                }
                return found
            },
            sparse: { Self.bit(start.load(fromByteOffset: $0, as: UInt8.self) &- lower <= width) })
    }

    /// Reduces eight bytes, each all ones or all zeros, to a bit each. The product adds the bits up in the
    /// highest byte.
    @inline(__always) private static func bits(_ lanes: UInt64) -> UInt64 {
        ((lanes.littleEndian & 0x8040_2010_0804_0201) &* 0x0101_0101_0101_0101) &>> 56
    }

    /// Tests texts by their two words alone. Never decides nil.
    /// - Returns: the rows that pass, and the rows that are still undecided.
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
            // If fewer rows are live, testing only those is cheaper.
            if bits.nonzeroBitCount < 32 || !isDense(bits, word &* 64) { continue }
            var (found, unknown): (UInt64, UInt64) = (0, 0)
            var row = start + word &* 64 &* stride + offset
            for _ in 0..<64 {
                let words = TextWords(at: row)
                found = found &+ found &+ holds(words)
                unknown = unknown &+ unknown &+ isUnknown(words)
                row += stride
            }
            selected.words[word] = bits & Self.reversed(found & ~unknown)
            rest.words[word] = bits & Self.reversed(unknown)
        }
        return (selected, rest)
    }

    @inline(__always) private static func reversed(_ word: UInt64) -> UInt64 {
        var word = word.byteSwapped
        word = (word &>> 4) & 0x0F0F_0F0F_0F0F_0F0F | (word & 0x0F0F_0F0F_0F0F_0F0F) &<< 4
        word = (word &>> 2) & 0x3333_3333_3333_3333 | (word & 0x3333_3333_3333_3333) &<< 2
        return (word &>> 1) & 0x5555_5555_5555_5555 | (word & 0x5555_5555_5555_5555) &<< 1
    }

    /// Selects the live rows that pass an expensive test, which is called only for these.
    @inline(__always) func selectSparsely(_ live: RowMask, _ test: (UnsafeRawPointer) -> Bool) -> RowMask {
        var selected = RowMask.none
        for word in 0..<4 where live.words[word] != 0 {
            selected.words[word] = selectFew(live.words[word], start + word &* 64 &* stride, test)
        }
        return selected
    }

    /// Prefetch: reads a byte of each long text, so that the processor fetches their memory in parallel.
    @inline(__always) func readAhead(_ live: RowMask, _ offset: Int, _ sum: inout UInt8) {
        live.forEach { row in
            let words = TextWords(at: object(row) + offset)
            // For nil this word is zero.
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

    /// 1 or 0 without a branch. A conditional expression may compile to a branch, which is mispredicted for random
    /// values.
    @inline(__always) static func bit(_ answer: Bool) -> UInt64 {
        UInt64(unsafeBitCast(answer, to: UInt8.self))
    }

    /// Whether testing all 64 rows of a mask word is cheaper than finding the live ones.
    @inline(__always) func isDense(_ live: UInt64, _ first: Int) -> Bool {
        first &+ 64 <= extent && (live == .max || live.nonzeroBitCount >= 16)
    }

    /// The values at an offset in each row; only live rows may be read.
    func part(at offset: Int) -> Rows {
        Rows(start: start + offset, stride: stride, count: count, isWhole: false)
    }

    /// The address of a row's object.
    @inline(__always) func object(_ row: Int) -> UnsafeRawPointer { start + row &* stride }
}

extension UnsafeRawPointer {
    /// Reads the stored value.
    @inline(__always) func read<T>(_ offset: Int, as type: T.Type) -> T {
        (self + offset).assumingMemoryBound(to: T.self).pointee
    }

    /// Whether the stored optional is nil, without copying the wrapped value.
    @inline(__always) func isNil<T>(_ offset: Int, _ type: T.Type) -> Bool {
        if case .none = (self + offset).assumingMemoryBound(to: T?.self).pointee { true } else { false }
    }

    /// Calls `body` with the UTF-8 bytes of the stored text, or of an optional text that is not nil if
    /// `StorageLayout.optionalTextIsText`.
    @inline(__always) func withText<Result>(
        _ offset: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        let text = (self + offset).assumingMemoryBound(to: String.self)
        if let answer = text.pointee.utf8.withContiguousStorageIfAvailable(body) { return answer }
        return Array(text.pointee.utf8).withUnsafeBufferPointer(body)
    }

    /// Calls `body` with the UTF-8 bytes of the text at this address. Counts no references.
    package func withStoredText(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        if StorageLayout.hasKnownTexts {
            let words = TextWords(at: self)
            if words.isSmall {
                return body(UnsafeBufferPointer(start: assumingMemoryBound(to: UInt8.self), count: words.smallCount))
            }
            if words.isPlain { return body(words.plainBytes) }
        }
        withText(0, body)
    }

    /// Calls `body` with each text of the list at this address (`StoredPlace.Kind.texts`).
    package func forEachStoredText(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        guard let list = UnsafeRawPointer(bitPattern: load(as: UInt.self)) else { return }
        let texts = list + StorageLayout.listStart
        for index in 0..<list.load(fromByteOffset: StorageLayout.listCount, as: Int.self) {
            (texts + index &* MemoryLayout<String>.stride).withStoredText(body)
        }
    }

    /// Whether the stored text passes a rule.
    /// - Parameter isKnown: `StorageLayout.hasKnownTexts`, read once per loop.
    @inline(__always) func test<Rule: TextRule>(_ offset: Int, _ rule: Rule, isKnown: Bool) -> Bool {
        guard isKnown else { return testAny(offset, rule) }
        let words = TextWords(at: self + offset)
        if Rule.glances, let answer = rule.glance(words) { return answer }
        guard words.isSmall || words.isPlain else { return testAny(offset, rule) }
        // One call for both cases, because each call is compiled into the loops of each rule.
        let small = UnsafeBufferPointer(
            start: (self + offset).assumingMemoryBound(to: UInt8.self), count: words.smallCount)
        return rule.holds(words.isSmall ? small : words.plainBytes)
    }

    /// Tests a text of any layout. Not inlined, because texts of other layouts are rare.
    @inline(never) private func testAny<Rule: TextRule>(_ offset: Int, _ rule: Rule) -> Bool {
        withText(offset) { rule.holds($0) }
    }
}
