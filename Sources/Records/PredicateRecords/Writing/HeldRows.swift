// CSV rows whose columns are not all known yet.

/// CSV rows that are held in memory until all columns are known.
///
/// A row is written with the columns known so far. A column that is added later is nil in the row, so only delimiters
/// have to be appended.
package struct HeldRows: Sendable {
    /// Rows with the same columns.
    private struct RowBlock: Sendable {
        var bytes: [UInt8] = []
        /// The end of each row, after its line feed.
        var ends: [Int] = []
        let width: Int
    }

    private static let limit = 64 << 20
    /// Blocks are small, so that growing never copies one.
    private static let blockLimit = 1 << 20

    private var blocks: [RowBlock] = []
    private var writer: CSVWriter?
    private var byteCount = 0
    /// The source of the first row.
    package private(set) var source: RecordInput?
    private let delimiter: String?

    /// - Parameter delimiter: the field separator; nil means that of the first row's file, else a comma.
    package init(delimiter: String?) { self.delimiter = delimiter }

    package var isEmpty: Bool { blocks.isEmpty }
    package var count: Int { blocks.reduce(0) { $0 + $1.ends.count } }

    /// Adds the row of a record.
    /// - Parameter columns: the columns so far: those of the previous row, and possibly more.
    /// - Returns: false if the record was not added, because there are too many rows or no column is known.
    package mutating func add(_ record: Record, columns: [String]) -> Bool {
        guard byteCount < Self.limit, !columns.isEmpty else { return false }
        source = source ?? record.source
        if writer == nil || writer?.columns.count != columns.count {
            let delimiter = CSVWriter.delimiter(delimiter, source)
            writer = CSVWriter(columns: columns, delimiter: delimiter, quotesEmptyRows: false)
        }
        if blocks.isEmpty || blocks[blocks.count - 1].width != columns.count
            || blocks[blocks.count - 1].bytes.count >= Self.blockLimit
        {
            blocks.append(RowBlock(width: columns.count))
        }
        let last = blocks.count - 1
        let start = blocks[last].bytes.count
        writer?.write(record.value, to: &blocks[last].bytes)
        blocks[last].ends.append(blocks[last].bytes.count)
        byteCount += blocks[last].bytes.count - start
        return true
    }

    /// Passes the rows with all columns to `body`, several rows at a time.
    func forEachBlock(of columns: [String], _ body: ([UInt8]) throws(OutputProblem) -> Void) throws(OutputProblem) {
        for block in blocks {
            // A row with one empty field is quoted, because a reader skips blank lines.
            if block.width == columns.count, block.width > 1 {
                try body(block.bytes)
                continue
            }
            var bytes: [UInt8] = []
            var start = 0
            for end in block.ends {
                bytes += block.bytes[start..<end - 1]
                if columns.count == 1, end - start == 1 { bytes += [0x22, 0x22] }
                for _ in block.width..<columns.count { bytes += writer?.delimiter ?? [] }
                bytes.append(0x0A)
                start = end
            }
            try body(bytes)
        }
    }
}
