// Reads the records of a file or of standard input one at a time. The framers in this folder read the formats; start
// with RecordFramer.

/// How records are read.
package struct ReaderOptions: Sendable {
    /// The format; nil chooses it by the file extension, else by the first bytes.
    package var format: RecordFormat?
    /// The field separator of CSV; nil means a comma, or a tab for files named `.tsv`.
    package var delimiter: String?
    /// The columns of CSV that has no header line; an empty list names them c1, c2 and so on. nil reads a header.
    package var columns: [String]?
    /// Texts that are nil in CSV, as an empty field is: exactly these, without quotation marks.
    package var nilTexts: [String] = []
    /// The key under which each record has the name of its file; nil adds none. Records then keep no text.
    package var fileKey: String?
    package var types = FieldTypes()
    /// The key path to the records in a document; empty if the document itself has the records. A last `*` takes the
    /// values of an object as the records.
    package var place: [String] = []
    /// The key under which such a record has its key in the object, unless it has a value for it; nil adds none.
    package var keyField: String?
    /// Whether to keep each record's text, so that a writer of the same format can write it unchanged.
    package var keepsText = true
    /// The number of bytes to read at once.
    package var chunkSize = 128 << 10
    /// The dictionary keys to read, each once; nil reads all. It makes reading batches (`RecordBatch`) faster: each
    /// value has exactly these keys, with nil for missing ones. Ignored if a type has a dotted field name.
    package var fields: [String]?
    /// Some of the fields, whose texts are numbered: see `BatchRecord.number`.
    package var keyFields: [String] = []
    /// Whether to infer the types of all CSV columns, not only of those in `fields`.
    package var decidesAllColumns = false
    /// The types of CSV columns, from `RecordReader.columnTypes()`; nil infers them from the start of the input.
    package var columnTypes: [CSVColumnType?]?
    /// The minimum size of a `RecordBatch` in bytes; the last batch may be smaller.
    package var batchSize = 256 << 10
    /// The maximum size of a record in bytes. Bounds memory for any input.
    package var recordLimit = 16 << 20
    /// The maximum size of a property list in bytes. Property lists must fit in memory.
    package var documentLimit = 64 << 20
    /// Whether values are returned as the file has them. CSV fields are texts. A keyed archive is one record with its
    /// list of objects. Of a damaged binary property list, the objects that can be read are returned and the others are
    /// `nsNull`.
    package var isVerbatim = false
    /// Whether JSON numbers keep digits that a double would lose.
    var keepsDecimals: Bool { isVerbatim || types.hasDecimals }

    package init() {}

    /// Converts the typed fields of a record, and adds the file's name. The framer has converted those of CSV.
    func converted(
        _ value: PredicateValue, from source: RecordInput, _ fileName: FileNameField?
    ) throws(FieldTypeProblem) -> PredicateValue {
        let value = types.isEmpty || source.format == .csv ? value : try types.convert(value, keepsDecimals: isVerbatim)
        return try fileName?.added(to: value) ?? value
    }

    /// The option for CSV alone that is set, as the user wrote it.
    fileprivate var optionOfCSV: String? {
        columns.map { $0.isEmpty ? "--no-header" : "--columns" } ?? (nilTexts.isEmpty ? nil : "--null")
    }
}

/// Describes an input. All records of the input share one instance.
package final class RecordInput: Sendable {
    /// The path, or `<stdin>`.
    package let name: String
    package let format: RecordFormat
    /// Whether it has no lines: a binary property list.
    let isBinary: Bool
    /// The columns of a CSV file, and the key of the file's name.
    package let columns: [String]
    /// The columns that the file itself has.
    let ownColumns: [String]
    /// The types of these columns; nil for columns that are not read.
    let columnTypes: [CSVColumnType?]
    /// Whether every field of the file has quotation marks.
    package var isQuoted: Bool { columnTypes.contains { $0?.isQuoted == true } }
    /// The header line; empty if it does not have the columns.
    let header: [UInt8]
    let delimiter: [UInt8]
    let fileKey: String?

    /// The note about columns that are read as numbers or Booleans, although every field has quotation marks; nil
    /// without such a column among those that are read.
    package func noteOfQuotes(_ options: ReaderOptions) -> String? {
        let typed = options.types.names
        let names = zip(ownColumns, columnTypes).filter { name, type in
            type?.readsQuoted == true && !typed.contains(name)
                && (options.decidesAllColumns || options.fields?.contains(name) != false)
        }.map { $0.0 }
        guard let first = names.first else { return nil }
        let list = names.joined(separator: ", ")
        return "\(name): every field has quotation marks; \(list): read as numbers or Booleans; "
            + "--types \(first)=string reads a text"
    }

    /// - Parameter table: reads the input if it is a CSV file; its header was already read.
    init(name: String, format: RecordFormat, isBinary: Bool = false, fileKey: String?, table: CSVFramer? = nil) {
        (self.name, self.format, self.isBinary, self.fileKey) = (name, format, isBinary, fileKey)
        ownColumns = table?.columns ?? []
        columns = ownColumns + (table != nil ? [fileKey].compactMap { $0 } : [])
        columnTypes = table?.columnTypes ?? []
        header = fileKey == nil ? table?.header ?? [] : []
        delimiter = table?.delimiter ?? []
    }
}

package struct Record: Sendable {
    package var value: PredicateValue
    /// Its unchanged bytes; empty for property lists and if `ReaderOptions.keepsText` is off.
    package let text: [UInt8]
    /// The line on which it begins, from 1; 0 for property lists.
    package let line: Int
    /// Its index in the input, from 0; invalid records count too.
    package let index: Int
    package let source: RecordInput
}

/// A record that cannot be read, or an input that cannot be read further.
package struct RecordProblem: Error, Sendable, Hashable, CustomStringConvertible {
    package let file: String
    /// From 1; 0 if there are no lines (binary property lists, files that cannot be opened).
    package let line: Int
    /// In Unicode scalars, from 1; 0 if `line` is 0.
    package let column: Int
    /// The offset in bytes, from 0.
    package let offset: Int
    /// The index of the record in the input, from 0.
    package let index: Int
    package let message: String
    /// Whether nothing of this input can be read after it. If false, the reader continues with the next record.
    package let endsInput: Bool
    /// The name of the CSV column whose type was inferred earlier and does not fit this record.
    package let misfit: String?

    init(_ fault: FrameFault, _ source: RecordInput, index: Int) {
        file = source.name
        line = source.isBinary ? 0 : fault.position.line
        column = source.isBinary ? 0 : fault.position.column
        offset = fault.position.offset
        self.index = index
        message = fault.message == DocumentProblem.notUTF8 ? fault.message + Self.conversion(source) : fault.message
        endsInput = fault.endsInput
        misfit = fault.column
    }

    /// What to do about bytes that are not UTF-8. Such a file usually comes from a spreadsheet.
    private static func conversion(_ source: RecordInput) -> String {
        "; records are read as UTF-8: iconv -f WINDOWS-1252 -t UTF-8 \(ForeignFormat.fileArgument(source.name)) "
            + "| predicate …"
    }

    package init(file: String, message: String) {
        self.file = file
        self.message = message
        (line, column, offset, index, endsInput, misfit) = (0, 0, 0, 0, true, nil)
    }

    /// Example: `orders.jsonl:17:5: unexpected ']' where a value is expected`
    package var description: String {
        line > 0 ? "\(file):\(line):\(column): \(message)" : "\(file): \(message)"
    }
}

/// A result of `RecordReader.next`.
package enum RecordEvent: Sendable {
    case record(Record)
    case problem(RecordProblem)
}

/// Reads the records of one input, in bounded memory.
///
///     let reader = try RecordReader(path: "orders.jsonl")
///     while let event = reader.next() {
///         switch event {
///         case .record(let record): print(record.line, record.value)
///         case .problem(let problem): print(problem)
///         }
///     }
package final class RecordReader {
    let name: String
    let options: ReaderOptions
    let input: InputBuffer
    let path: String?
    var framer: AnyFramer?
    private var nextIndex = 0
    private var hasEnded = false
    /// A fault found by `nextBatch`; the next call of `next` returns it.
    var pending: FrameFault?
    var canBatch = true
    /// Memory of batches that were read, for reuse.
    var blocks: [[UInt8]] = []
    /// Reads records a second time (RecordPlace.swift).
    var secondReader: BatchReader?
    /// Describes the input. Its format and columns are final after the first call of `next`.
    package private(set) var source: RecordInput
    private let fileName: FileNameField?
    /// An object to keep alive as long as the reader, such as the process whose output it reads.
    package var owner: AnyObject?
    /// The size of a regular file, for progress; nil for pipes and terminals.
    package let totalBytes: Int?

    /// Opens a file; nil and `-` refer to standard input.
    /// - Parameter name: the name used in messages; the path by default.
    /// - Throws: `RecordProblem` if the file cannot be opened.
    package convenience init(
        path: String?, name: String? = nil, options: ReaderOptions = ReaderOptions()
    ) throws(RecordProblem) {
        guard let path, path != "-" else {
            self.init(descriptor: 0, name: "<stdin>", options: options)
            return
        }
        let name = name ?? path
        let descriptor = SystemFile.open(path)
        guard descriptor >= 0 else {
            throw RecordProblem(file: name, message: "cannot open: \(SystemFile.problem)")
        }
        if case .folder = SystemFile.type(of: descriptor) {
            SystemFile.close(descriptor)
            throw RecordProblem(file: name, message: "cannot open: \(SystemFile.isFolder)")
        }
        let input = InputBuffer(descriptor: descriptor, closesDescriptor: true, chunkSize: options.chunkSize)
        self.init(input, name: name, path: path, totalBytes: SystemFile.size(descriptor), options: options)
    }

    /// Reads an open descriptor. The caller closes it.
    /// - Parameter start: bytes that were already read from the descriptor.
    package convenience init(
        descriptor: Int32, name: String, options: ReaderOptions = ReaderOptions(), start: [UInt8] = []
    ) {
        let input = InputBuffer(
            descriptor: descriptor, closesDescriptor: false, chunkSize: options.chunkSize, start: start)
        self.init(input, name: name, path: nil, totalBytes: SystemFile.size(descriptor), options: options)
    }

    /// Reads bytes in memory. The extension of the name selects the format.
    package convenience init(bytes: [UInt8], name: String, options: ReaderOptions = ReaderOptions()) {
        self.init(InputBuffer(bytes: bytes), name: name, path: name, totalBytes: bytes.count, options: options)
    }

    private init(_ input: InputBuffer, name: String, path: String?, totalBytes: Int?, options: ReaderOptions) {
        self.name = name
        self.path = path
        self.options = options
        self.input = input
        self.totalBytes = totalBytes
        source = RecordInput(name: name, format: .json, fileKey: options.fileKey)
        fileName = FileNameField(source)
    }

    /// The number of bytes read so far, for progress.
    package var bytesRead: Int { input.bytesRead }

    /// Called before a read that waits for a pipe or a terminal. Flush output here.
    package var beforeWaiting: (() -> Void)? {
        get { input.beforeWaiting }
        set { input.beforeWaiting = newValue }
    }

    /// Called at the end of the input. Returns why the input is not whole, which is then the last problem.
    package var atEnd: (() -> String?)? {
        get { input.atEnd }
        set { input.atEnd = newValue }
    }

    /// Reads the next record. Returns the record or its problem; nil at the end.
    package func next() -> RecordEvent? {
        if hasEnded { return nil }
        do throws(FrameFault) {
            if let fault = pending { throw fault }
            if framer == nil { framer = try makeFramer() }
            guard let frame = try framer?.next() else {
                hasEnded = true
                blocks = []
                return nil
            }
            return event(frame)
        } catch {
            hasEnded = error.endsInput || pending != nil
            return .problem(problem(error))
        }
    }

    private func event(_ frame: RecordFrame) -> RecordEvent {
        let value: PredicateValue
        do throws(FieldTypeProblem) { value = try options.converted(frame.value, from: source, fileName) } catch {
            return .problem(problem(FrameFault(error, in: frame)))
        }
        let text = options.keepsText && fileName == nil ? Array(frame.raw) : []
        defer { nextIndex += 1 }
        return .record(Record(value: value, text: text, line: frame.line, index: nextIndex, source: source))
    }

    private func problem(_ fault: FrameFault) -> RecordProblem {
        defer { nextIndex += 1 }
        return RecordProblem(fault, source, index: nextIndex)
    }

    // MARK: Formats

    func makeFramer() throws(FrameFault) -> AnyFramer {
        var position = TextPosition()
        try require(8, position)
        // Wait for more bytes only if they can change the result.
        if input.bytes.starts(with: "SQLite f".utf8) { try require(16, position) }
        if let other = ForeignFormat(input.bytes) {
            throw FrameFault(other.message(name), endsAt: position)
        }
        var known = options.format ?? path.flatMap(RecordFormat.init(path:))
        if input.bytes.starts(with: BinaryPropertyList.magic) { known = .plist }
        if known == nil, isYAML {
            try readYAML(position)
            known = .json
        }
        if known == nil { try fillLine(position) }
        var format = known ?? RecordFormat.sniff(input.bytes)
        // A document may fit on its first line, and then looks like JSON Lines.
        if known == nil, !options.place.isEmpty, format == .jsonl { format = .json }
        source = RecordInput(name: name, format: format, fileKey: options.fileKey)
        if input.bytes.starts(with: byteOrderMark) {
            input.consume(byteOrderMark.count)
            position.offset = byteOrderMark.count
        }
        if !options.place.isEmpty, format == .jsonl || format == .csv {
            throw FrameFault(
                "--at is for JSON documents and property lists, not for \(format.rawValue)", endsAt: position)
        }
        if format != .csv, let option = options.optionOfCSV {
            throw FrameFault("\(option) is for CSV, not for \(format.rawValue)", endsAt: position)
        }
        switch format {
        case .json:
            var descent = JSONDescent(input: input, position: position)
            if !options.place.isEmpty { try descent.move(to: options.place.filter { $0 != "*" }) }
            if options.place.last == "*" { try listValues(descent.position) }
            return Framer(JSONFramer(input, descent.position, options, isPart: !options.place.isEmpty))
        case .jsonl: return Framer(JSONLinesFramer(input, position, options))
        case .csv: return try makeCSVFramer(position)
        case .plist:
            let isBinary = input.bytes.starts(with: BinaryPropertyList.magic)
            source = RecordInput(name: name, format: .plist, isBinary: isBinary, fileKey: options.fileKey)
            return Framer(try PropertyListFramer(input, options))
        }
    }

    private var isYAML: Bool {
        let name = RecordFormat.fileExtension(path ?? "")
        return name == "yaml" || name == "yml" || input.bytes.starts(with: "---".utf8)
            || input.bytes.starts(with: "%YAML".utf8)
    }

    /// Replaces a YAML document by JSON, with each record on its line.
    private func readYAML(_ position: TextPosition) throws(FrameFault) {
        try input.fillWhole(limit: options.documentLimit, "the document", at: position)
        do throws(DocumentProblem) {
            let document = try DataNode.yaml(Array(input.bytes))
            guard case .array = document.value else { return input.load(Array(JSON.text(document.value).utf8)) }
            var (text, line) = ("[", 1)
            for (index, element) in document.elements.enumerated() {
                let place = element.place().line
                text += (index > 0 ? "," : "") + String(repeating: "\n", count: max(0, place - line))
                text += JSON.text(element.value)
                line = max(line, place)
            }
            input.load(Array((text + "]").utf8))
        } catch {
            throw FrameFault(error.message, endsAt: position.advanced(over: input.bytes.prefix(error.offset)))
        }
    }

    /// Replaces the object at the start of the input by the list of its values, with the same lines.
    private func listValues(_ position: TextPosition) throws(FrameFault) {
        try input.fillWhole(limit: options.documentLimit, "the document", at: position)
        let bytes = input.bytes
        var list = [UInt8(ascii: "[")]
        do throws(DocumentProblem) {
            var cursor = JSONCursor(bytes)
            guard case .object = try cursor.start(depth: 0) else {
                throw DocumentProblem(offset: 0, message: "--at '*' takes the values of an object, and this is a list")
            }
            var (isFirst, end) = (true, cursor.at)
            while try cursor.item(isFirst: isFirst, close: UInt8(ascii: "}")) {
                if !isFirst { list.append(UInt8(ascii: ",")) }
                let key = cursor.at...(try cursor.key().range.upperBound)
                list += bytes[end..<cursor.at].filter { $0 == UInt8(ascii: "\n") }
                var start = cursor.at
                try cursor.skip(depth: 1)
                if let field = options.keyField, bytes[start] == UInt8(ascii: "{") {
                    list += Array("{\(JSON.text(.string(field))):".utf8) + bytes[key]
                    start += 1
                    let isEmpty = bytes[start..<cursor.at].first { !$0.isSpace } == UInt8(ascii: "}")
                    if !isEmpty { list.append(UInt8(ascii: ",")) }
                }
                list += bytes[start..<cursor.at]
                (isFirst, end) = (false, cursor.at)
            }
        } catch {
            throw FrameFault(error.message, endsAt: position.advanced(over: bytes.prefix(error.offset)))
        }
        input.load(list + [UInt8(ascii: "]")])
    }

    private func makeCSVFramer(_ position: TextPosition) throws(FrameFault) -> AnyFramer {
        let isTabbed = path.map { RecordFormat.fileExtension($0) == "tsv" } ?? false
        let delimiter = Array((options.delimiter ?? (isTabbed ? "\t" : ",")).utf8)
        guard !delimiter.isEmpty, !delimiter.contains(where: { [0x22, 0x0A, 0x0D].contains($0) }) else {
            throw FrameFault("a delimiter cannot be empty or hold quotation marks or newlines", endsAt: position)
        }
        if try hasLoneReturns(position) {
            throw FrameFault(
                "the lines end in carriage returns; records are read with newlines: "
                    + "tr '\\r' '\\n' < \(ForeignFormat.fileArgument(name)) | predicate …", endsAt: position)
        }
        var framer = CSVFramer(input, position, options, delimiter: delimiter)
        try framer.readHeader()
        if options.delimiter == nil, let other = try otherDelimiter(framer) {
            throw FrameFault(
                "the \(options.columns == nil ? "header" : "first line") has one column, and '\(other)' in it: "
                    + "if it separates the fields, add --delimiter '\(other == "\t" ? "\\t" : other)'; "
                    + "if not, add --delimiter ','", endsAt: position)
        }
        try decideTypes(&framer)
        if options.isVerbatim {
            let isQuoted = framer.columnTypes.contains { $0?.isQuoted == true }
            framer.columnTypes = framer.columns.map { _ in isQuoted ? .quotedText : .text }
        }
        source = RecordInput(name: name, format: .csv, fileKey: options.fileKey, table: framer)
        return Framer(framer)
    }

    /// The likely delimiter if the header has only one column: a character that occurs equally often in the header and
    /// in the next line.
    private func otherDelimiter(_ framer: CSVFramer) throws(FrameFault) -> String? {
        let first = framer.firstLine
        guard framer.fieldCount == 1, !first.contains(UInt8(ascii: "\"")) else { return nil }
        try fillLine(framer.position)
        // Without a header, the first line is still to be read.
        let rest = input.bytes.dropFirst(options.columns == nil ? 0 : first.count + 1)
        let next = rest.prefix { $0 != UInt8(ascii: "\n") }
        return [";", "\t", "|", ","].first { delimiter in
            let count = first.count { delimiter.utf8.first == $0 }
            return count > 0 && (next.isEmpty || next.count { delimiter.utf8.first == $0 } == count)
        }
    }

    /// Whether lines end in carriage returns without newlines, as in files of old spreadsheets: there is no newline in
    /// the first 64 KB, and text follows a carriage return that is not quoted.
    private func hasLoneReturns(_ position: TextPosition) throws(FrameFault) -> Bool {
        try fillLine(position)
        if input.offset(of: UInt8(ascii: "\n"), from: 0) != nil { return false }
        var isQuoted = false
        var follows = false
        for byte in input.bytes.prefix(64 << 10) {
            if follows { return true }
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            follows = byte == UInt8(ascii: "\r") && !isQuoted
        }
        return false
    }

    /// Reads the first line, or the first 64 KB of a longer line.
    private func fillLine(_ position: TextPosition) throws(FrameFault) {
        while input.count < 64 << 10, input.offset(of: UInt8(ascii: "\n"), from: 0) == nil {
            if try !input.fill(at: position) { break }
        }
    }

    private func require(_ count: Int, _ position: TextPosition) throws(FrameFault) {
        while input.count < count {
            if try !input.fill(at: position) { return }
        }
    }
}
