// Converts byte offsets to lines and columns. All renderers use it, so their positions agree. An offset past
// the end or inside a character is moved to a valid place.

/// The lines of a text. A line ends with LF or CRLF, which is not part of it.
///
/// Cost: linear when created; each lookup is a binary search.
package struct SourceLines {
    let bytes: [UInt8]
    /// The offset of each line; never empty.
    private let starts: [Int]

    package init(_ source: String) {
        bytes = Array(source.utf8)
        var starts = [0]
        for (offset, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") { starts.append(offset + 1) }
        self.starts = starts
    }

    /// The index of the line that contains an offset, from 0; the last line for an offset past the end.
    func line(at offset: Int) -> Int {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }

    /// The range of a line without its line end.
    func range(ofLine line: Int) -> Range<Int> {
        let start = starts[line]
        guard line + 1 < starts.count else { return start..<bytes.count }
        let end = starts[line + 1] - 1
        return start..<(end > start && bytes[end - 1] == UInt8(ascii: "\r") ? end - 1 : end)
    }

    /// Moves an offset into the text, and to the start of its scalar.
    func clamped(_ offset: Int) -> Int {
        var offset = min(max(0, offset), bytes.count)
        while offset > 0, offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
        return offset
    }

    /// The line and column of an offset, both from 1. Columns count Unicode scalars.
    package func position(of offset: Int) -> (line: Int, column: Int) {
        let offset = clamped(offset)
        let line = line(at: offset)
        let before = bytes[range(ofLine: line).lowerBound..<offset]
        return (line + 1, before.reduce(1) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 })
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}
