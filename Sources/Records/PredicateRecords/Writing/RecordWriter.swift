// Writes records in all formats that can be read. A record written in the format of its source keeps its text.

/// How records are written.
package struct WriterOptions: Sendable {
    package var format: RecordFormat
    /// The fields to write, in this order, each under its dotted name; a missing field is nil. nil writes all
    /// fields.
    package var keys: [FieldPath]?
    /// The CSV columns if `keys` is nil; nil means the fields of the first record. A record with another field is an
    /// error.
    package var columns: [String]?
    /// The field separator of CSV; nil means that of the first record's file, else a comma.
    package var delimiter: String?

    package init(format: RecordFormat) { self.format = format }

    /// Whether records of the source are written with their unchanged text.
    package func repeatsText(of source: RecordInput) -> Bool {
        guard keys == nil, source.format == format, source.fileKey == nil else { return false }
        switch format {
        case .json, .jsonl: return true
        case .csv:
            return (delimiter.map { Array($0.utf8) == source.delimiter } ?? true)
                && (columns.map { $0 == source.columns } ?? true)
        case .plist: return false
        }
    }
}

/// Writes records through a buffer.
///
///     let writer = RecordWriter(options: WriterOptions(format: .jsonl)) { try OutputFile.write($0, to: 1) }
///     try writer.write(record)
///     try writer.finish()
///
/// JSON and property lists are written as one array; CSV begins with a header line. A value that the format lacks is
/// written in the nearest form: see `JSON.text` for JSON and CSV; property lists leave nil members out.
package final class RecordWriter {
    private let options: WriterOptions
    private var output: OutputBuffer
    private var csv: CSVWriter?
    private let projection: ValueDictionary.Shape?
    /// The keys of the previous JSON dictionary, and the texts that precede its values.
    private var lastShape: ValueDictionary.Shape?
    private var heads: [[UInt8]]?
    private var isFinished = false
    /// The number of records written so far.
    package private(set) var count = 0

    /// Passes bytes to `write` when the buffer is full, and in `flush` and `finish`.
    package init(options: WriterOptions, write: @escaping ([UInt8]) throws(OutputProblem) -> Void) {
        self.options = options
        output = OutputBuffer(write)
        projection = options.keys.map { ValueDictionary.Shape($0.map { $0.name }) }
    }

    /// A saved state of a writer, for `goBack`.
    package struct Mark {
        fileprivate let bytes: Int
        fileprivate let writes: Int
        fileprivate let count: Int
        fileprivate let csv: CSVWriter?
    }

    /// Saves the state. Bytes written from now on are held, up to 4 MB, so that `goBack` can drop them.
    package func mark() -> Mark {
        output.hold(4 << 20)
        return Mark(bytes: output.bytes.count, writes: output.writes, count: count, csv: csv)
    }

    /// Whether all bytes written since the mark are still in the buffer.
    package func canGoBack(to mark: Mark) -> Bool { output.writes == mark.writes }

    /// Drops everything that was written since the mark. Requires `canGoBack`.
    package func goBack(to mark: Mark) {
        output.bytes.removeLast(output.bytes.count - mark.bytes)
        count = mark.count
        csv = mark.csv
    }

    /// Writes one record: its unchanged text if possible, otherwise its value.
    package func write(_ record: Record) throws(OutputProblem) { try write(record.value, record) }

    /// Whether records of the source are written with their unchanged text.
    package func repeatsText(of source: RecordInput) -> Bool {
        guard options.repeatsText(of: source) else { return false }
        return csv.map { $0.columns == source.columns && $0.delimiter == source.delimiter } ?? true
    }

    /// Writes a range of the texts. Requires `repeatsText(of: source)`.
    package func write(_ texts: RecordTexts, _ range: Range<Int>, from source: RecordInput) throws(OutputProblem) {
        guard !range.isEmpty else { return }
        if options.format == .json {
            for index in range {
                output.append(count == 0 ? "[\n" : ",\n")
                output.bytes += texts.text(index)
                count += 1
            }
            return try output.flushIfFull()
        }
        if csv == nil, options.format == .csv { begin(source.columns, source) }
        count += range.count
        try texts.forEachPart(of: range) { (part) throws(OutputProblem) in
            output.bytes += part
            output.append("\n")
            try output.flushIfFull()
        }
    }

    /// Writes CSV rows that were held until `WriterOptions.columns` were known.
    package func write(_ rows: HeldRows) throws(OutputProblem) {
        guard !rows.isEmpty, let columns = options.columns else { return }
        if csv == nil { begin(columns, rows.source) }
        count += rows.count
        try rows.forEachBlock(of: columns) { (part) throws(OutputProblem) in
            output.bytes += part
            try output.flushIfFull()
        }
    }

    /// Writes a value that was not read from a file.
    package func write(_ value: PredicateValue) throws(OutputProblem) { try write(value, nil) }

    private func write(_ value: PredicateValue, _ record: Record?) throws(OutputProblem) {
        defer { count += 1 }
        let value = projected(value)
        let text = record.flatMap { keepsText($0) ? $0.text : nil }
        switch options.format {
        case .json:
            output.append(count == 0 ? "[\n" : ",\n")
            if let text { output.bytes += text } else { writeJSON(value) }
        case .jsonl:
            if let text { output.bytes += text } else { writeJSON(value) }
            output.append("\n")
        case .csv:
            if csv == nil { begin(value, record) }
            let keepsRow =
                text != nil && csv?.columns == record?.source.columns && csv?.delimiter == record?.source.delimiter
            if options.columns != nil, options.keys == nil, !keepsRow, let key = csv?.unknownKey(value) {
                throw .failed(
                    "the key '\(key)' came after the header of the CSV was written; --keys names the columns, "
                        + "and so does a file instead of a pipe")
            }
            if let text, keepsRow {
                output.bytes += text
                output.append("\n")
            } else {
                csv?.write(value, to: &output.bytes)
            }
        case .plist:
            if count == 0 { XMLPropertyListWriter.begin(&output.bytes) }
            let start = output.bytes.count
            do { try XMLPropertyListWriter.write(value, to: &output.bytes, indent: 1) } catch {
                output.bytes.removeLast(output.bytes.count - start)
                throw error
            }
        }
        try output.flushIfFull()
    }

    private func writeJSON(_ value: PredicateValue) {
        guard case .dictionary(let dictionary) = value else { return JSONWriter.write(value, to: &output.bytes) }
        if lastShape !== dictionary.shape {
            lastShape = dictionary.shape
            heads = JSONWriter.heads(of: dictionary.keys)
        }
        guard let heads else { return JSONWriter.write(value, to: &output.bytes) }
        JSONWriter.write(dictionary, heads: heads, to: &output.bytes)
    }

    /// Writes the buffered bytes.
    package func flush() throws(OutputProblem) { try output.flush() }

    /// Ends the document and writes it. Call it after an error too, so that the output is well-formed.
    /// - Parameter source: the last input. If no record was written, CSV takes the header from it.
    package func finish(_ source: RecordInput? = nil) throws(OutputProblem) {
        guard !isFinished else { return }
        isFinished = true
        switch options.format {
        case .json: output.append(count == 0 ? "[]\n" : "\n]\n")
        case .jsonl: break
        case .csv:
            if csv == nil, let columns = projection?.keys ?? options.columns ?? source?.columns, !columns.isEmpty {
                begin(columns, source)
            }
        case .plist:
            if count == 0 { XMLPropertyListWriter.begin(&output.bytes) }
            XMLPropertyListWriter.end(&output.bytes)
        }
        try output.flush()
    }

    private func keepsText(_ record: Record) -> Bool {
        options.keys == nil && record.source.format == options.format && !record.text.isEmpty
    }

    private func projected(_ value: PredicateValue) -> PredicateValue {
        guard let keys = options.keys, let projection else { return value }
        if case .dictionary(let dictionary) = value, dictionary.keys == projection.keys { return value }
        return .dictionary(ValueDictionary(shape: projection, values: keys.map { $0.value(in: value) }))
    }

    private func begin(_ value: PredicateValue, _ record: Record?) {
        if options.keys == nil, let columns = options.columns { return begin(columns, record?.source) }
        if let record, record.source.format == .csv, options.keys == nil {
            return begin(record.source.columns, record.source)
        }
        if case .dictionary(let dictionary) = value { return begin(dictionary.keys, record?.source) }
        begin(nil, record?.source)
    }

    private func begin(_ columns: [String]?, _ source: RecordInput?) {
        let delimiter = CSVWriter.delimiter(options.delimiter, source)
        let writer = CSVWriter(columns: columns, delimiter: delimiter)
        if let source, source.format == .csv, source.columns == columns, source.delimiter == delimiter,
            !source.header.isEmpty
        {
            output.bytes += source.header + [0x0A]
        } else {
            writer.writeHeader(to: &output.bytes)
        }
        csv = writer
    }
}
