// CSV rows whose columns are not all known yet.

import PredicateSyntax

/// CSV rows that are held in memory until all columns are known.
///
/// A row is written with the columns known so far. A column that is added later is nil in the row, so only delimiters
/// have to be appended.
package struct HeldRows: Sendable {
    /// Rows with the same columns.
    private struct Part: Sendable {
        var bytes: [UInt8] = []
        /// The end of each row, after its line feed.
        var ends: [Int] = []
        let width: Int
    }

    private static let limit = 64 << 20
    /// Parts are small, so that growing never copies one.
    private static let partLimit = 1 << 20

    private var parts: [Part] = []
    private var writer: CSVWriter?
    private var byteCount = 0
    /// The source of the first row.
    package private(set) var source: RecordSource?
    private let delimiter: String?

    /// - Parameter delimiter: the field separator; nil means that of the first row's file, else a comma.
    package init(delimiter: String?) { self.delimiter = delimiter }

    package var isEmpty: Bool { parts.isEmpty }
    package var count: Int { parts.reduce(0) { $0 + $1.ends.count } }

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
        if parts.isEmpty || parts[parts.count - 1].width != columns.count
            || parts[parts.count - 1].bytes.count >= Self.partLimit
        {
            parts.append(Part(width: columns.count))
        }
        let last = parts.count - 1
        let start = parts[last].bytes.count
        writer?.write(record.value, to: &parts[last].bytes)
        parts[last].ends.append(parts[last].bytes.count)
        byteCount += parts[last].bytes.count - start
        return true
    }

    /// Passes the rows with all columns to `body`, several rows at a time.
    func forEachPart(of columns: [String], _ body: ([UInt8]) throws(OutputProblem) -> Void) throws(OutputProblem) {
        for part in parts {
            // A row with one empty field is quoted, because a reader skips blank lines.
            if part.width == columns.count, part.width > 1 {
                try body(part.bytes)
                continue
            }
            var bytes: [UInt8] = []
            var start = 0
            for end in part.ends {
                bytes += part.bytes[start..<end - 1]
                if columns.count == 1, end - start == 1 { bytes += [0x22, 0x22] }
                for _ in part.width..<columns.count { bytes += writer?.delimiter ?? [] }
                bytes.append(0x0A)
                start = end
            }
            try body(bytes)
        }
    }
}
