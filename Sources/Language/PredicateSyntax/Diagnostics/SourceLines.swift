// Converts byte offsets to lines and columns. All renderers use it, so their positions agree. An offset after the end
// or inside a character is moved to a valid position.

/// The lines of a text. A line ends with LF or CRLF, which is not part of it.
///
/// Cost: linear when created; each lookup is a binary search, on a line of any length.
package struct SourceLines {
    package let bytes: [UInt8]
    /// The offset of each line; never empty.
    private let starts: [Int]
    /// The characters before each block of bytes.
    private let blocks: [Count]
    private static let block = 256

    package init(_ source: String, endsAtReturns: Bool = false) {
        self.init(Array(source.utf8), endsAtReturns: endsAtReturns)
    }

    /// - Parameter endsAtReturns: whether a carriage return without a newline also ends a line, as for editors.
    package init(_ bytes: [UInt8], endsAtReturns: Bool = false) {
        self.bytes = bytes
        var starts = [0]
        var blocks = [Count()]
        blocks.reserveCapacity(bytes.count / Self.block + 1)
        var count = Count()
        bytes.withUnsafeBufferPointer { bytes in
            for (offset, byte) in bytes.enumerated() {
                if offset % Self.block == 0, offset > 0 { blocks.append(count) }
                count.add(byte)
                let isReturn = endsAtReturns && byte == UInt8(ascii: "\r")
                let isEnd = isReturn && (offset + 1 == bytes.count || bytes[offset + 1] != UInt8(ascii: "\n"))
                if byte == UInt8(ascii: "\n") || isEnd { starts.append(offset + 1) }
            }
        }
        self.starts = starts
        self.blocks = blocks
    }

    /// The number of Unicode scalars and of UTF-16 code units.
    private struct Count {
        var scalars = 0
        var units = 0

        mutating func add(_ byte: UInt8) {
            if byte & 0xC0 == 0x80 { return }
            scalars += 1
            units += byte >= 0xF0 ? 2 : 1
        }
    }

    /// The number of lines.
    package var count: Int { starts.count }

    /// The bytes before an offset that are not in a counted block. Only these are read to count characters, so that the
    /// cost of a position does not depend on the length of its line.
    package func uncounted(before offset: Int) -> Range<Int> {
        min(offset / Self.block, blocks.count - 1) * Self.block..<offset
    }

    private func characters(before offset: Int) -> Count {
        let rest = uncounted(before: offset)
        return bytes[rest].reduce(into: blocks[rest.lowerBound / Self.block]) { $0.add($1) }
    }

    /// The number of UTF-16 code units from the start of its line to an offset.
    package func units(before offset: Int) -> Int {
        characters(before: offset).units - characters(before: starts[line(at: offset)]).units
    }

    /// The number of UTF-16 code units before an offset.
    package func units(upTo offset: Int) -> Int { characters(before: offset).units }

    /// The index of the line that contains an offset, from 0; the last line for an offset past the end.
    package func line(at offset: Int) -> Int {
        (1..<starts.count).first(fromWhich: { starts[$0] > offset }) - 1
    }

    /// The range of a line without its line end.
    package func range(ofLine line: Int) -> Range<Int> {
        let start = starts[line]
        guard line + 1 < starts.count else { return start..<bytes.count }
        let end = starts[line + 1] - 1
        let isPair = end > start && bytes[end] == UInt8(ascii: "\n") && bytes[end - 1] == UInt8(ascii: "\r")
        return start..<(isPair ? end - 1 : end)
    }

    /// Moves an offset into the text, and to the start of its scalar.
    package func clamped(_ offset: Int) -> Int {
        var offset = min(max(0, offset), bytes.count)
        while offset > 0, offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
        return offset
    }

    /// The line and column of an offset, both from 1. Columns count Unicode scalars.
    package func position(of offset: Int) -> (line: Int, column: Int) {
        let offset = clamped(offset)
        let line = line(at: offset)
        return (line + 1, 1 + characters(before: offset).scalars - characters(before: starts[line]).scalars)
    }

    package func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}
