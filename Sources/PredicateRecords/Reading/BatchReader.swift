// Reads the records of a batch. A record that is as it should be is read by the selectors, which make values of the wanted
// fields only and check the rest; any other is left to the format's framer, so that there is one place that says what a
// record is and what is wrong with it.

public import PredicateSyntax

/// A record of a batch.
public struct BatchRecord {
    /// Its wanted fields, or the whole of it where it is no dictionary or no fields were named.
    public fileprivate(set) var value: Value
    /// As it stood, without the newline or comma behind it; valid until the next record is read.
    public let text: UnsafeBufferPointer<UInt8>
}

/// Reads the batches of one input. Each thread has a reader of its own, which keeps what it learns about the records.
///
///     let reader = BatchReader(batch.source, options: options)
///     reader.read(batch) { result in
///         if case .success(let record) = result { … }
///         return true
///     }
public final class BatchReader {
    private enum Selected {
        case blank
        case record(BatchRecord)
    }

    private let source: RecordSource
    private let options: ReaderOptions
    private let convertsFields: Bool
    private var json: JSONSelector?
    private var csv: CSVSelector?

    // Of the batch that is being read.
    private var bytes: [UInt8] = []
    private var view = InputBuffer(bytes: [])
    private var framer: (any RecordFramer)?
    private var base = TextPosition()
    /// Where the record begins that was read last.
    private var start = 0
    /// The line, where the framer has told it.
    private var framedLine: Int?
    /// The last place of which the line is known.
    private var known = TextPosition()
    private var index = 0

    /// - Parameter options: those of the `RecordReader` that cuts the batches.
    public init(_ source: RecordSource, options: ReaderOptions) {
        self.source = source
        self.options = options
        convertsFields = !options.types.isEmpty
        guard let fields = options.fields else { return }
        switch source.format {
        case .csv where source.delimiter.count == 1:
            csv = CSVSelector(
                columns: source.columns, delimiter: source.delimiter[0], types: options.types, fields: fields)
        case .json, .jsonl:
            // A dotted name may be that of a field or lead into one.
            guard !options.types.names.contains(where: { $0.contains(".") }) else { return }
            let others = Set(options.types.names).subtracting(fields)
            json = JSONSelector(fields: fields + others.sorted())
        case .csv, .plist, .binaryPlist: break
        }
    }

    /// Calls back for each record in turn, and for what is wrong with those that cannot be read, until told to stop by
    /// false. The indices of problems count from the batch's beginning.
    public func read(
        _ batch: RecordBatch, _ body: (Result<BatchRecord, RecordProblem>) throws -> Bool
    ) rethrows {
        bytes = batch.bytes
        base = batch.position
        known = base
        framer = nil
        index = 0
        // Whoever cuts batches may use the memory again.
        defer { bytes = [] }
        var at = 0
        try batch.bytes.withUnsafeBufferPointer { bytes in
            while at < bytes.count {
                start = at
                framedLine = nil
                switch select(bytes, &at) {
                case .blank: continue
                case .record(let record):
                    if try !body(.success(record)) { return }
                case nil:
                    at = start
                    guard let event = framed(&at) else { return }
                    if try !body(event) { return }
                }
                index += 1
            }
        }
    }

    /// The line that the record begins on which was read last.
    public var line: Int { framedLine ?? position(at: start).line }

    /// The record that was read last, to be kept.
    /// - Parameters:
    ///   - isWhole: with all its fields, which costs reading it once more.
    ///   - keepsText: with its text.
    public func record(_ record: BatchRecord, isWhole: Bool, keepsText: Bool) -> Record {
        let text = keepsText ? Array(record.text) : []
        var value = record.value
        var place = start
        if isWhole, json != nil || csv != nil, case .success(let whole)? = framed(&place) { value = whole.value }
        return Record(value: value, text: text, line: line, index: index, source: source)
    }

    // MARK: One record

    /// Nil where the framer is to be asked.
    private func select(_ bytes: UnsafeBufferPointer<UInt8>, _ at: inout Int) -> Selected? {
        csv != nil ? selectRow(bytes, &at) : json != nil ? selectObject(bytes, &at) : nil
    }

    private func selectRow(_ bytes: UnsafeBufferPointer<UInt8>, _ at: inout Int) -> Selected? {
        switch csv?.row(bytes, at: &at) {
        case .blank: return .blank
        case .fields(let value):
            let text = UnsafeBufferPointer(rebasing: bytes[start..<(at - 1)])
            return .record(BatchRecord(value: value, text: text))
        case nil: return nil
        }
    }

    private func selectObject(_ bytes: UnsafeBufferPointer<UInt8>, _ at: inout Int) -> Selected? {
        guard let base = bytes.baseAddress else { return nil }
        let isLine = source.format == .jsonl
        var place = JSONSkipper(base: base, count: bytes.count, at: at, crossesLines: !isLine)
        place.space()
        if isLine, place.take(UInt8(ascii: "\n")) {
            at = place.at
            return .blank
        }
        // A line keeps the spaces around its value, an element of an array does not.
        let first = isLine ? at : place.at
        guard let value = json?.object(at: &place) else { return nil }
        let end = place.at
        place.space()
        let last = place.at
        guard place.take(UInt8(ascii: isLine ? "\n" : ",")) else { return nil }
        var record = BatchRecord(
            value: value, text: UnsafeBufferPointer(rebasing: bytes[first..<(isLine ? last : end)]))
        if convertsFields {
            do throws(FieldTypeProblem) { record.value = try options.converted(value, from: source) } catch {
                return nil
            }
        }
        start = first
        at = place.at
        return .record(record)
    }

    /// Reads one record with the framer; nil where only blanks follow.
    private func framed(_ at: inout Int) -> Result<BatchRecord, RecordProblem>? {
        var framer = self.framer ?? makeFramer()
        defer { self.framer = framer }
        view.seek(to: at)
        framer.position = position(at: at)
        do throws(FrameFault) {
            let frame = try framer.next()
            at = framer.position.offset - base.offset
            guard let frame else { return nil }
            framedLine = frame.line
            do throws(FieldTypeProblem) {
                return .success(BatchRecord(value: try options.converted(frame.value, from: source), text: frame.raw))
            } catch {
                return .failure(problem(FrameFault(error, in: frame)))
            }
        } catch {
            at = error.endsInput ? bytes.count : framer.position.offset - base.offset
            return .failure(problem(error))
        }
    }

    private func problem(_ fault: FrameFault) -> RecordProblem { RecordProblem(fault, source, index: index) }

    private func makeFramer() -> any RecordFramer {
        view = InputBuffer(bytes: bytes)
        let limit = options.recordLimit
        switch source.format {
        case .csv:
            return CSVFramer(
                input: view, position: base, delimiter: source.delimiter, types: options.types, recordLimit: limit,
                columns: source.columns)
        case .json: return JSONFramer(input: view, position: base, recordLimit: limit, insideArray: true)
        case .jsonl, .plist, .binaryPlist: return JSONLinesFramer(input: view, position: base, recordLimit: limit)
        }
    }

    // MARK: Places

    private func position(at offset: Int) -> TextPosition {
        let from = known.offset - base.offset
        if offset < from { known = base }
        let begin = known.offset - base.offset
        bytes.withUnsafeBufferPointer { known.advance(over: UnsafeBufferPointer(rebasing: $0[begin..<offset])) }
        return known
    }
}
