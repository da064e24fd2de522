// Converts byte offsets to lines and columns. All renderers use it, so their positions agree. An offset after the end
// or inside a character is moved to a valid position.

/// The lines of a text. A line ends with LF or CRLF, which is not part of it.
///
/// Cost: linear when created; each lookup is a binary search, on a line of any length.
package struct SourceLines {
    package let bytes: [UInt8]
    /// The offset of each line; never empty.
    private let starts: [Int]
    /// The number of scalars before each block of bytes.
    private let scalars: [Int]
    private static let block = 256

    package init(_ source: String) { self.init(Array(source.utf8)) }

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var starts = [0]
        var scalars: [Int] = []
        var count = 0
        for (offset, byte) in bytes.enumerated() {
            if offset % Self.block == 0 { scalars.append(count) }
            if byte & 0xC0 != 0x80 { count += 1 }
            if byte == UInt8(ascii: "\n") { starts.append(offset + 1) }
        }
        self.starts = starts
        self.scalars = scalars
    }

    /// The number of lines.
    package var count: Int { starts.count }

    /// The number of scalars before an offset.
    private func scalars(before offset: Int) -> Int {
        let block = min(offset / Self.block, scalars.count - 1)
        guard block >= 0 else { return 0 }
        return bytes[(block * Self.block)..<offset].reduce(scalars[block]) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
    }

    /// The index of the line that contains an offset, from 0; the last line for an offset past the end.
    package func line(at offset: Int) -> Int {
        (1..<starts.count).first(fromWhich: { starts[$0] > offset }) - 1
    }

    /// The range of a line without its line end.
    package func range(ofLine line: Int) -> Range<Int> {
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
        return (line + 1, 1 + scalars(before: offset) - scalars(before: starts[line]))
    }

    package func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}
