// A constant side of a text comparison: folded once, then compared with many texts in place.

/// A constant text, folded with the options of its comparison. With options, a match must begin and end at the
/// boundaries of letters (LANGUAGE C 10).
///
/// ```swift
/// let needle = Needle("Straße", options: .caseInsensitive)
/// needle.equals("STRASSE")        // true
/// needle.isContained(in: "Hauptstrasse 1")
/// ```
/// Each test is linear in the text and allocates no memory, except `isContained` with options and a needle of more than
/// 256 bytes.
package struct Needle: Sendable {
    private let table: FoldTable?
    private let search: ByteSearch
    private let isASCII: Bool
    private let lowersASCII: Bool
    /// Whether a match must end at the end of a letter.
    private let endsLetters: Bool
    /// Whether the needle begins with an extending scalar. Then a match must begin at the beginning of the text.
    private let beginsTexts: Bool

    /// - Parameter findsParts: whether a match may begin or end inside a letter. A pattern may require a part of a
    ///   letter.
    package init(_ text: String, options: ComparisonOptions, findsParts: Bool = false) {
        let table = FoldTable.table(options)
        self.table = table
        isLiteral = table == nil
        endsLetters = table != nil && !findsParts
        let foldedText = StringFold.fold(text, options)
        let folded = Array(foldedText.utf8)
        beginsTexts = endsLetters && foldedText.unicodeScalars.first.map { table?.extends($0.value) ?? false } ?? false
        search = ByteSearch(folded)
        lowersASCII = table?.lowersASCII ?? false
        isASCII = folded.allSatisfy { $0 < 0x80 }
    }

    /// Whether the folded needle is empty. It then equals texts that fold to the empty text, and is never a
    /// prefix, suffix or part.
    package var isEmpty: Bool { search.needle.isEmpty }
    package var folded: String { String(decoding: search.needle, as: UTF8.self) }

    /// `text ==[options] needle`.
    package func equals(_ text: String) -> Bool { text.withBytes { equals($0) } }

    /// `text ==[options] needle`, for UTF-8 bytes.
    package func equals(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        if isLiteral { return text.count == search.needle.count && startsLiterally(text, at: 0) }
        return starts(text, whole: true)
    }

    /// `text BEGINSWITH[options] needle`; false for an empty needle.
    package func isPrefix(of text: String) -> Bool { text.withBytes { isPrefix(of: $0) } }

    /// `text BEGINSWITH[options] needle`, for UTF-8 bytes.
    package func isPrefix(of text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !isEmpty else { return false }
        return isLiteral ? startsLiterally(text, at: 0) : starts(text, whole: false)
    }

    /// `text ENDSWITH[options] needle`; false for an empty needle.
    package func isSuffix(of text: String) -> Bool { text.withBytes { isSuffix(of: $0) } }

    /// `text ENDSWITH[options] needle`, for UTF-8 bytes.
    package func isSuffix(of text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !isEmpty else { return false }
        if isLiteral { return startsLiterally(text, at: text.count - search.needle.count) }
        return beginsTexts ? equals(text) : ends(text)
    }

    /// Whether texts are compared without folding.
    package let isLiteral: Bool
    /// The length of the folded needle in UTF-8 bytes.
    package var byteCount: Int { search.needle.count }

    /// The offset of the first match of a literal, non-empty needle; -1 if there is none.
    package func place(in text: UnsafeBufferPointer<UInt8>) -> Int { search.place(in: text, from: 0) }

    /// `text CONTAINS[options] needle`; false for an empty needle.
    package func isContained(in text: String) -> Bool { text.withBytes { isContained(in: $0) } }

    /// `text CONTAINS[options] needle`, for UTF-8 bytes.
    package func isContained(in text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !isEmpty else { return false }
        if isLiteral { return search.isFound(in: text) }
        if isASCII {
            // ASCII characters fold byte by byte, independent of their neighbours.
            if search.isFound(in: text, withoutCase: lowersASCII, isEnd: { endsLetter(text, at: $0) }) { return true }
            if isAllASCII(text) { return false }
        }
        return beginsTexts ? isPrefix(of: text) : isContainedFolded(in: text)
    }

    /// Whether a match may end at an index. ASCII always begins a letter.
    @inline(__always) private func endsLetter(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        index >= text.count || text[index] < 0x80 || endsFoldedLetter(text, at: index)
    }

    /// A separate function, because reading the table counts references.
    @inline(never) private func endsFoldedLetter(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        !endsLetters || table?.endsLetter(text, at: index) ?? true
    }

    /// A separate function, because reading the table counts references.
    @inline(never) private func isContainedFolded(in text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let table else { return false }
        return isContained(in: text, table)
    }

    /// Folds the text piece by piece into a buffer of about a kilobyte on the stack.
    private func isContained(in text: UnsafeBufferPointer<UInt8>, _ table: FoldTable) -> Bool {
        let piece = 256
        let overlap = search.needle.count
        let capacity = overlap < piece ? piece &* FoldTable.growth + piece : text.count &* FoldTable.growth
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { scratch in
            var (index, kept) = (0, 0)
            while index < text.count {
                var end = overlap < piece ? min(index + piece, text.count) : text.count
                while end < text.count, text[end] & 0xC0 == 0x80 { end -= 1 }
                let rest = UnsafeMutableBufferPointer(rebasing: scratch[kept...])
                let length = kept + table.write(UnsafeBufferPointer(rebasing: text[index..<end]), into: rest)
                let folded = UnsafeBufferPointer(rebasing: scratch[..<length])
                let isFound = search.isFound(in: folded, withoutCase: false) { place in
                    if !endsLetters { return true }
                    // The scalar that follows a match at the end is in the next piece, where the match is found again.
                    if place == length { return end == text.count }
                    var place = place
                    return !table.extends(decodeScalar(folded, &place))
                }
                if isFound { return true }
                // A match may begin in this piece and end in the next.
                kept = min(overlap, length)
                for place in 0..<kept { scratch[place] = scratch[length - kept + place] }
                index = end
            }
            return false
        }
    }

    private func startsLiterally(_ text: UnsafeBufferPointer<UInt8>, at offset: Int) -> Bool {
        guard offset >= 0, text.count - offset >= search.needle.count else { return false }
        return search.needle.withUnsafeBufferPointer {
            bytesEqual(UnsafeRawBufferPointer(text), offset, UnsafeRawBufferPointer($0))
        }
    }

    private func starts(_ text: UnsafeBufferPointer<UInt8>, whole: Bool) -> Bool {
        // The common ASCII prefix decides most texts without the table. Reading the table counts references, and
        // threads would compete for the counter.
        let same = search.needle.withUnsafeBufferPointer { needle in
            var index = 0
            while index < text.count, index < needle.count, text[index] < 0x80 {
                let byte = lowersASCII ? text[index].lowercase : text[index]
                if byte != needle[index] { return -1 }
                index &+= 1
            }
            return index
        }
        if same < 0 { return false }
        if same == search.needle.count, !whole { return endsLetter(text, at: same) }
        return same == text.count ? same == search.needle.count : starts(text, from: same, whole: whole)
    }

    /// Continues at `start`; all bytes before it are equal and ASCII.
    @inline(never) private func starts(
        _ text: UnsafeBufferPointer<UInt8>, from start: Int, whole: Bool
    ) -> Bool {
        guard let table else { return false }
        return search.needle.withUnsafeBufferPointer { needle in
            var index = start
            var position = start
            while index < text.count {
                if !whole, position == needle.count { return endsFoldedLetter(text, at: index) }
                let byte = text[index]
                if byte < 0x80 {
                    guard position < needle.count, needle[position] == table.foldASCII(byte) else { return false }
                    index &+= 1
                    position &+= 1
                    continue
                }
                let scalar = decodeScalar(text, &index)
                switch table.image(scalar) {
                case .one(let folded):
                    guard position < needle.count, decodeScalar(needle, &position) == folded else { return false }
                case .several, .hangul:
                    for folded in table.fold(scalar) {
                        // The needle may end inside the fold of a scalar, but not inside a letter.
                        if position == needle.count { return !whole && !(endsLetters && table.extends(folded)) }
                        guard decodeScalar(needle, &position) == folded else { return false }
                    }
                }
            }
            return position == needle.count
        }
    }

    private func ends(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        // Like `starts`, from the end.
        let same = search.needle.withUnsafeBufferPointer { needle in
            var count = 0
            while count < text.count, count < needle.count, text[text.count &- 1 &- count] < 0x80 {
                let last = text[text.count &- 1 &- count]
                let byte = lowersASCII ? last.lowercase : last
                if byte != needle[needle.count &- 1 &- count] { return -1 }
                count &+= 1
            }
            return count
        }
        return same == search.needle.count || same >= 0 && same < text.count && ends(text, from: same)
    }

    /// Continues before the last `end` bytes, which are equal and ASCII.
    @inline(never) private func ends(_ text: UnsafeBufferPointer<UInt8>, from end: Int) -> Bool {
        guard let table else { return false }
        return search.needle.withUnsafeBufferPointer { needle in
            var index = text.count - end
            var position = needle.count - end
            while index > 0 {
                if position == 0 { return true }
                let scalar = decodeScalarBackward(text, &index)
                switch table.image(scalar) {
                case .one(let folded):
                    guard decodeScalarBackward(needle, &position) == folded else { return false }
                case .several, .hangul:
                    for folded in table.fold(scalar).reversed() {
                        if position == 0 { return true }
                        guard decodeScalarBackward(needle, &position) == folded else { return false }
                    }
                }
            }
            return position == 0
        }
    }
}

/// Whether all bytes are ASCII.
func isAllASCII(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let raw = UnsafeRawBufferPointer(text)
    var seen: UInt64 = 0
    var index = 0
    while index &+ 8 <= raw.count {
        seen |= raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        index &+= 8
    }
    while index < raw.count {
        seen |= UInt64(raw[index])
        index &+= 1
    }
    return seen & 0x8080_8080_8080_8080 == 0
}
