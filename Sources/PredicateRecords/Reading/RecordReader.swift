// Reads the records of a file or of standard input one at a time. The framers beside this file read the
// formats; start with RecordFramer.

public import PredicateSyntax

/// How records are read.
public struct ReaderOptions: Sendable {
    /// The format; nil means: by the file extension, else by the first bytes.
    public var format: RecordFormat?
    /// The field separator of CSV; nil means a comma, or a tab for files named `.tsv`.
    public var delimiter: String?
    public var types = FieldTypes()
    /// Whether to keep each record's text, so that a writer of the same format can repeat it unchanged.
    public var keepsText = true
    /// How many bytes to read at once.
    public var chunkSize = 128 << 10
    /// The dictionary keys to read, each once; nil reads all. Makes reading batches (`RecordBatch`) faster:
    /// each value then has exactly these keys, with nil for missing ones. Ignored if a type has a dotted field
    /// name.
    public var fields: [String]?
    /// The minimum size of a `RecordBatch` in bytes, as far as the input has so many.
    public var batchSize = 256 << 10
    /// The largest record in bytes. Bounds memory for any input.
    public var recordLimit = 16 << 20
    /// The largest property list in bytes. Property lists must fit in memory.
    public var documentLimit = 64 << 20

    public init() {}

    /// Converts the typed fields of a record. For CSV the framer has converted them already.
    func converted(_ value: PredicateValue, from source: RecordSource) throws(FieldTypeProblem) -> PredicateValue {
        types.isEmpty || source.format == .csv ? value : try types.convert(value)
    }
}

/// Describes an input. All of its records share one.
public final class RecordSource: Sendable {
    /// The path, or `<stdin>`.
    public let name: String
    public let format: RecordFormat
    /// The columns of a CSV file.
    public let columns: [String]
    let header: [UInt8]
    let delimiter: [UInt8]

    init(name: String, format: RecordFormat, columns: [String] = [], header: [UInt8] = [], delimiter: [UInt8] = []) {
        self.name = name
        self.format = format
        self.columns = columns
        self.header = header
        self.delimiter = delimiter
    }
}

/// One record.
public struct Record: Sendable {
    public var value: PredicateValue
    /// Its unchanged bytes; empty for property lists and if `ReaderOptions.keepsText` is off.
    public let text: [UInt8]
    /// The line on which it begins, from 1; 0 for property lists.
    public let line: Int
    /// Its index in the input, from 0; invalid records count too.
    public let index: Int
    public let source: RecordSource
}

/// A record that cannot be read, or an input that cannot be read further.
public struct RecordProblem: Error, Sendable, Hashable, CustomStringConvertible {
    public let file: String
    /// From 1; 0 if there are no lines (binary property lists, files that cannot be opened).
    public let line: Int
    /// In Unicode scalars, from 1; 0 if `line` is 0.
    public let column: Int
    /// The offset in bytes, from 0.
    public let offset: Int
    /// The index of the record in the input, from 0.
    public let index: Int
    public let message: String
    /// Whether nothing of this input can be read after it. If false, the reader continues with the next record.
    public let endsInput: Bool

    init(_ fault: FrameFault, _ source: RecordSource, index: Int) {
        let hasLines = source.format != .binaryPlist
        file = source.name
        line = hasLines ? fault.position.line : 0
        column = hasLines ? fault.position.column : 0
        offset = fault.position.offset
        self.index = index
        message = fault.message
        endsInput = fault.endsInput
    }

    init(file: String, message: String) {
        self.file = file
        self.message = message
        (line, column, offset, index, endsInput) = (0, 0, 0, 0, true)
    }

    /// `orders.jsonl:17:5: unexpected ']' where a value is expected`
    public var description: String {
        line > 0 ? "\(file):\(line):\(column): \(message)" : "\(file): \(message)"
    }
}

/// A result of `RecordReader.next`.
public enum RecordEvent: Sendable {
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
public final class RecordReader {
    private let name: String
    let options: ReaderOptions
    let input: InputBuffer
    private let path: String?
    var framer: (any RecordFramer)?
    private var nextIndex = 0
    private var hasEnded = false
    /// A fault found by `nextBatch`; `next` reports it.
    var pending: FrameFault?
    var canBatch = true
    /// Memory of batches that were read, for reuse.
    var blocks: [[UInt8]] = []
    /// Describes the input. Its format and columns are final after the first call of `next`.
    public private(set) var source: RecordSource
    /// The size of a regular file, for progress; nil for pipes and terminals.
    public let totalBytes: Int?

    /// Opens a file; nil and `-` refer to standard input.
    /// - Parameter name: the name used in messages; the path by default.
    /// - Throws: `RecordProblem` if the file cannot be opened.
    public convenience init(
        path: String?, name: String? = nil, options: ReaderOptions = ReaderOptions()
    ) throws(RecordProblem) {
        guard let path, path != "-" else {
            self.init(descriptor: 0, name: "<stdin>", options: options)
            return
        }
        let name = name ?? path
        do throws(DocumentProblem) {
            let descriptor = try InputFile.open(path)
            let input = InputBuffer(descriptor: descriptor, closesDescriptor: true, chunkSize: options.chunkSize)
            self.init(input, name: name, path: path, totalBytes: InputFile.size(descriptor), options: options)
        } catch {
            throw RecordProblem(file: name, message: error.message)
        }
    }

    /// Reads an open descriptor. The caller closes it.
    public convenience init(descriptor: Int32, name: String, options: ReaderOptions = ReaderOptions()) {
        let input = InputBuffer(descriptor: descriptor, closesDescriptor: false, chunkSize: options.chunkSize)
        self.init(input, name: name, path: nil, totalBytes: InputFile.size(descriptor), options: options)
    }

    /// Reads bytes in memory. The extension of the name selects the format.
    public convenience init(bytes: [UInt8], name: String, options: ReaderOptions = ReaderOptions()) {
        self.init(
            InputBuffer(bytes: bytes), name: name, path: name, totalBytes: bytes.count, options: options)
    }

    private init(_ input: InputBuffer, name: String, path: String?, totalBytes: Int?, options: ReaderOptions) {
        self.name = name
        self.path = path
        self.options = options
        self.input = input
        self.totalBytes = totalBytes
        source = RecordSource(name: name, format: .json)
    }

    /// The number of bytes read so far, for progress.
    public var bytesRead: Int { input.bytesRead }

    /// Called before a read that waits for a pipe or a terminal. Flush output here.
    public var beforeWaiting: (() -> Void)? {
        get { input.beforeWaiting }
        set { input.beforeWaiting = newValue }
    }

    /// Reads the next record. Returns the record or its problem; nil at the end.
    public func next() -> RecordEvent? {
        if hasEnded { return nil }
        do throws(FrameFault) {
            if let fault = pending { throw fault }
            if framer == nil { framer = try makeFramer() }
            guard let frame = try framer?.next() else {
                hasEnded = true
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
        do throws(FieldTypeProblem) { value = try options.converted(frame.value, from: source) } catch {
            return .problem(problem(FrameFault(error, in: frame)))
        }
        let text = options.keepsText ? Array(frame.raw) : []
        defer { nextIndex += 1 }
        return .record(Record(value: value, text: text, line: frame.line, index: nextIndex, source: source))
    }

    private func problem(_ fault: FrameFault) -> RecordProblem {
        defer { nextIndex += 1 }
        return RecordProblem(fault, source, index: nextIndex)
    }

    // MARK: Formats

    func makeFramer() throws(FrameFault) -> any RecordFramer {
        var position = TextPosition()
        try require(8, position)
        if input.bytes.starts(with: [0xFF, 0xFE]) || input.bytes.starts(with: [0xFE, 0xFF]) {
            throw FrameFault(
                position: position, message: "the text is UTF-16; records are read as UTF-8", endsInput: true)
        }
        let known = options.format ?? path.flatMap(RecordFormat.init(path:))
        let format = if let known { known } else { try sniff(position) }
        source = RecordSource(name: name, format: format)
        if input.bytes.starts(with: byteOrderMark) {
            input.consume(byteOrderMark.count)
            position.offset = byteOrderMark.count
        }
        switch format {
        case .json: return JSONFramer(input: input, position: position, recordLimit: options.recordLimit)
        case .jsonl: return JSONLinesFramer(input: input, position: position, recordLimit: options.recordLimit)
        case .csv: return try makeCSVFramer(position)
        case .plist, .binaryPlist:
            let isBinary = input.bytes.starts(with: BinaryPropertyList.magic)
            source = RecordSource(name: name, format: isBinary ? .binaryPlist : .plist)
            return try PropertyListFramer(input: input, documentLimit: options.documentLimit)
        }
    }

    private func makeCSVFramer(_ position: TextPosition) throws(FrameFault) -> any RecordFramer {
        let isTabbed = path.map { RecordFormat.fileExtension($0) == "tsv" } ?? false
        let delimiter = Array((options.delimiter ?? (isTabbed ? "\t" : ",")).utf8)
        guard !delimiter.isEmpty, !delimiter.contains(where: { [0x22, 0x0A, 0x0D].contains($0) }) else {
            throw FrameFault(
                position: position, message: "a delimiter cannot be empty or hold quotation marks or newlines",
                endsInput: true)
        }
        let framer = try CSVFramer(
            input: input, position: position, delimiter: delimiter, types: options.types,
            recordLimit: options.recordLimit)
        source = RecordSource(
            name: name, format: .csv, columns: framer.columns, header: framer.header, delimiter: delimiter)
        return framer
    }

    /// Guesses the format from the first line, or from the first 64 KB of a longer line.
    private func sniff(_ position: TextPosition) throws(FrameFault) -> RecordFormat {
        while input.count < 64 << 10, input.offset(of: UInt8(ascii: "\n"), from: 0) == nil {
            if try !input.fill(at: position) { break }
        }
        return RecordFormat.sniff(input.bytes)
    }

    private func require(_ count: Int, _ position: TextPosition) throws(FrameFault) {
        while input.count < count {
            if try !input.fill(at: position) { return }
        }
    }
}
