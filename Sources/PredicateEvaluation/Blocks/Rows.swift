// The only file of this folder that reads objects from memory.
//
// Why that is safe. `start` comes from a buffer of `count` initialised objects that the caller holds for as long as the
// block is in use (withContiguousStorageIfAvailable), so rows 0..<count are alive and nobody writes to them. Row i
// begins at i * stride, which is how Swift lays out contiguous storage. A field's offset is MemoryLayout.offset(of:)'s
// for the key path of the table, and the type it is read as is that key path's own value type (Field.find): memory is
// only ever read as what is stored there. The one exception is `withText` of an optional, checked before it is used.

/// Up to 256 objects of one type, one after the other in memory.
struct Rows {
    let start: UnsafeRawPointer
    let stride: Int
    let count: Int

    /// Those of the live rows whose objects pass.
    @inline(__always) func select(_ live: RowMask, _ test: (UnsafeRawPointer) -> Bool) -> RowMask {
        var selected = RowMask.none
        for word in 0..<4 {
            let bits = live.words[word]
            if bits == 0 { continue }
            let first = start + word &* 64 &* stride
            // Where most rows are live it is cheaper to test all 64 than to look for the live ones.
            if bits.nonzeroBitCount >= 16, word &* 64 &+ 64 <= count {
                var found: UInt64 = 0
                var row = first + 63 &* stride
                for _ in 0..<64 {
                    found = found &+ found &+ Self.bit(test(row))
                    row -= stride
                }
                selected.words[word] = bits & found
            } else {
                selected.words[word] = selectFew(bits, first, test)
            }
        }
        return selected
    }

    /// The same for tests that cost more than looking for the live rows.
    @inline(__always) func selectSparsely(_ live: RowMask, _ test: (UnsafeRawPointer) -> Bool) -> RowMask {
        var selected = RowMask.none
        for word in 0..<4 where live.words[word] != 0 {
            selected.words[word] = selectFew(live.words[word], start + word &* 64 &* stride, test)
        }
        return selected
    }

    @inline(__always) private func selectFew(
        _ live: UInt64, _ first: UnsafeRawPointer, _ test: (UnsafeRawPointer) -> Bool
    ) -> UInt64 {
        var rest = live
        var found: UInt64 = 0
        while rest != 0 {
            let row = rest.trailingZeroBitCount
            found |= Self.bit(test(first + row &* stride)) &<< UInt64(row)
            rest &= rest &- 1
        }
        return found
    }

    /// 1 or 0 without a branch: a conditional expression sometimes becomes one, which random answers mispredict.
    @inline(__always) private static func bit(_ answer: Bool) -> UInt64 {
        UInt64(unsafeBitCast(answer, to: UInt8.self))
    }

    /// The row's object.
    @inline(__always) func object(_ row: Int) -> UnsafeRawPointer { start + row &* stride }

    /// The row of an object.
    func row(of object: UnsafeRawPointer) -> Int { stride == 0 ? 0 : (object - start) / stride }
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
    @inline(__always) func withText(_ offset: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
        let text = (self + offset).assumingMemoryBound(to: String.self)
        if let answer = text.pointee.utf8.withContiguousStorageIfAvailable(body) { return answer }
        return Array(text.pointee.utf8).withUnsafeBufferPointer(body)
    }

    /// Whether the text that is stored here passes. The glance comes first and apart: it calls nothing, so that the
    /// compiler need not hold the text for it.
    @inline(__always) func test<Rule: TextRule>(_ offset: Int, _ rule: Rule) -> Bool {
        if Rule.glances {
            let text = (self + offset).assumingMemoryBound(to: String.self)
            let glance = text.pointee.utf8.withContiguousStorageIfAvailable { rule.glance($0) }
            if case .some(.some(let answer)) = glance { return answer }
        }
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

    /// Whether some text of the list that is stored here, or of the optional one, passes or, where that is not wanted,
    /// does not; of nil there is none. `isLong` is called where the list has more texts than `most`.
    ///
    /// As with one text, the glances come first and apart, so that the list need not be held for them.
    @inline(__always) func anyText<Rule: TextRule>(
        _ offset: Int, isOptional: Bool, _ rule: Rule, wanted: Bool, most: Int, isLong: () -> Void
    ) -> Bool {
        if Rule.glances, !isOptional {
            let list = (self + offset).assumingMemoryBound(to: [String].self)
            let answer: Bool? = list.pointee.withUnsafeBufferPointer { texts in
                guard texts.count <= most else { return nil }
                for text in 0..<texts.count {
                    let glance = texts[text].utf8.withContiguousStorageIfAvailable { rule.glance($0) }
                    guard case .some(.some(let answer)) = glance else { return nil }
                    if answer == wanted { return true }
                }
                return false
            }
            if let answer { return answer }
        }
        let list = isOptional ? read(offset, as: [String]?.self) : read(offset, as: [String].self)
        guard let list else { return false }
        if list.count > most { isLong() }
        return list.withUnsafeBufferPointer { texts in
            guard let first = texts.baseAddress else { return false }
            for text in 0..<texts.count where UnsafeRawPointer(first + text).test(0, rule) == wanted { return true }
            return false
        }
    }
}
