// Records from a file or from standard input, one at a time. This file is the interface; what a format is like is in
// the framers beside it.

public import PredicateSyntax

/// How records are read.
public struct ReaderOptions: Sendable {
    /// nil: by the file's extension, else by its first bytes.
    public var format: RecordFormat?
    /// What separates the fields of CSV; nil is a comma, in a file named `.tsv` a tab.
    public var delimiter: String?
    public var types = FieldTypes()
    /// Keeps every record's text, so that the writer of the same format can repeat it unchanged.
    public var keepsText = true
    /// Bytes read at once.
    public var chunkSize = 128 << 10
    /// The keys of dictionaries that are wanted, each once; nil is all. `RecordBatch`es are read faster for it: a value
    /// then has just these, nil for those that the record lacks. Where some field has a dotted type, it is not heeded.
    public var fields: [String]?
    /// Bytes that a `RecordBatch` has at least, where there are so many.
    public var batchSize = 256 << 10
    /// Bytes of one record, so that memory stays bounded whatever the input.
    public var recordLimit = 16 << 20
    /// Bytes of a property list, which has to be in memory as a whole.
    public var documentLimit = 64 << 20

    public init() {}

    /// The record with its typed fields converted, which for CSV the framer has done.
    func converted(_ value: Value, from source: RecordSource) throws(FieldTypeProblem) -> Value {
        types.isEmpty || source.format == .csv ? value : try types.convert(value)
    }
}

/// Where records come from, shared by all of one input.
public final class RecordSource: Sendable {
    /// The path, or `<stdin>`.
    public let name: String
    public let format: RecordFormat
    /// The columns of CSV.
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
    public var value: Value
    /// Its text as it stood; empty for property lists and where `ReaderOptions.keepsText` is off.
    public let text: [UInt8]
    /// The line that it begins on, from 1; in a property list 0.
    public let line: Int
    /// Its place in the input, from 0, bad records counted.
    public let index: Int
    public let source: RecordSource
}

/// A record that cannot be read, or an input that cannot be read on.
public struct RecordProblem: Error, Sendable, Hashable, CustomStringConvertible {
    public let file: String
    /// From 1; 0 where there are no lines (binary property lists, files that do not open).
    public let line: Int
    /// In Unicode scalars, from 1; 0 as `line`.
    public let column: Int
    /// In bytes, from 0.
    public let offset: Int
    /// The record's place in the input, from 0.
    public let index: Int
    public let message: String
    /// Nothing of this input can be read after it. Where false, the next record can be asked for.
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

/// What `RecordReader.next` finds.
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
    /// What `nextBatch` found wrong, for `next` to tell.
    var pending: FrameFault?
    var canBatch = true
    /// The memory of batches that have been read.
    var blocks: [[UInt8]] = []
    /// What is known about the input; the format and columns are final once `next` has been called.
    public private(set) var source: RecordSource
    /// The size of a regular file, for progress.
    public let totalBytes: Int?

    /// Opens a file; nil and `-` are standard input.
    /// - Parameter name: what messages call it; the path unless told.
    /// - Throws: `RecordProblem` if it does not open.
    public convenience init(
        path: String?, name: String? = nil, options: ReaderOptions = ReaderOptions()
    ) throws(RecordProblem) {
        guard let path, path != "-" else {
            self.init(descriptor: 0, name: "<stdin>", options: options)
            return
        }
        let name = name ?? path
        do throws(TextFault) {
            let descriptor = try InputFile.open(path)
            let input = InputBuffer(descriptor: descriptor, closesDescriptor: true, chunkSize: options.chunkSize)
            self.init(input, name: name, path: path, totalBytes: InputFile.size(descriptor), options: options)
        } catch {
            throw RecordProblem(file: name, message: error.message)
        }
    }

    /// Reads an open descriptor, which stays the caller's to close.
    public convenience init(descriptor: Int32, name: String, options: ReaderOptions = ReaderOptions()) {
        let input = InputBuffer(descriptor: descriptor, closesDescriptor: false, chunkSize: options.chunkSize)
        self.init(input, name: name, path: nil, totalBytes: InputFile.size(descriptor), options: options)
    }

    /// Reads bytes that are in memory; the name's extension tells the format.
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

    /// Bytes read so far, for progress.
    public var bytesRead: Int { input.bytesRead }

    /// Called before a read that waits for a pipe or a terminal: the moment to flush what has been selected.
    public var beforeWaiting: (() -> Void)? {
        get { input.beforeWaiting }
        set { input.beforeWaiting = newValue }
    }

    /// The next record, or what is wrong with it; nil at the end.
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
        let value: Value
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

    /// Looks at the first line, or at the first 64 KB of a longer one.
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
