// Reads the records of a batch. Selectors (JSONSelector, CSVSelector) read the wanted fields of valid records. All
// other records are read by the format's framer, which defines what a record is and reports errors.

package struct BatchRecord {
    /// A dictionary of the wanted fields. The whole value if no fields are named or the record is not a dictionary.
    package fileprivate(set) var value: PredicateValue
    /// The place of its text in the bytes of the batch; see `RecordBatch.text(of:)`.
    let place: Range<Int>
    /// Records of one reader with the same number have the same values in `ReaderOptions.keyFields`. Not all have one.
    package var number: Int?
}

/// Reads the batches of one input. Use one reader per thread, because it caches facts about the records.
///
///     let reader = BatchReader(batch.source, options: options)
///     reader.read(batch) { result in
///         if case .success(let record) = result { … }
///         return true
///     }
package final class BatchReader {
    private enum Selected {
        case blank
        case record(BatchRecord)
    }

    let source: RecordInput
    private let options: ReaderOptions
    private let convertsFields: Bool
    private let fileName: FileNameField?
    private var json: JSONSelector?
    private var csv: CSVSelector?
    /// The keys of the objects, if they are collected.
    private(set) var keys: KeyList?
    private var takenKeys = 0

    // The state of the current batch.
    private var bytes: [UInt8] = []
    private let view = InputBuffer(bytes: [])
    private var framer: AnyFramer?
    private(set) var base = TextPosition()
    /// The offset of the current record.
    private var start = 0
    /// The line of the current record, if the framer read it.
    private var framedLine: Int?
    /// The last position with a known line.
    private var known = TextPosition()
    private var index = 0

    /// - Parameter options: the options of the `RecordReader` that splits the input.
    /// - Parameter collectsKeys: whether to collect the keys of all records, including fields that are not read.
    package init(_ source: RecordInput, options: ReaderOptions, collectsKeys: Bool = false) {
        self.source = source
        self.options = options
        convertsFields = !options.types.isEmpty
        fileName = FileNameField(source)
        if collectsKeys { keys = KeyList() }
        // The selectors add no key.
        guard let fields = options.fields, fileName == nil else { return }
        switch source.format {
        case .csv where source.delimiter.count == 1:
            csv = CSVSelector(
                columns: source.columns, delimiter: source.delimiter[0], types: options.types,
                columnTypes: source.columnTypes, nilTexts: options.nilTexts, fields: fields,
                keyFields: options.keyFields)
        case .json, .jsonl:
            // A dotted name may be the name of a field or a path into one, so the framer reads these records.
            guard !options.types.names.contains(where: { $0.contains(".") }) else { return }
            let others = Set(options.types.names).subtracting(fields)
            json = JSONSelector(
                fields: fields + others.sorted(), keyFields: options.keyFields, keepsDecimals: options.keepsDecimals)
            json?.collectsKeys = collectsKeys
        case .csv, .plist: break
        }
    }

    /// A reader that reads no fields, and collects the keys of all records.
    convenience init(keysOf source: RecordInput) {
        var options = ReaderOptions()
        options.fields = []
        self.init(source, options: options, collectsKeys: true)
    }

    /// The keys that were collected since the last call, in order of first appearance.
    package func takeKeys() -> [String] {
        guard let names = keys?.names, names.count > takenKeys else { return [] }
        defer { takenKeys = names.count }
        return Array(names[takenKeys...])
    }

    /// Calls `body` with each record or its problem, until `body` returns false. The indices of problems count
    /// from the start of the batch.
    package func read(
        _ batch: RecordBatch, _ body: (Result<BatchRecord, RecordProblem>) throws -> Bool
    ) rethrows {
        bytes = batch.bytes
        base = batch.position
        known = base
        framer = nil
        index = 0
        // Releases the bytes, so that the reader that creates batches can reuse their memory.
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

    /// The line on which the current record begins.
    package var line: Int { framedLine ?? position(at: start).line }

    /// Returns the current record in a form that can be stored.
    /// - Parameters:
    ///   - isWhole: whether to return all fields, which reads the record again.
    ///   - keepsText: whether to include the record's text.
    package func record(_ record: BatchRecord, isWhole: Bool, keepsText: Bool) -> Record {
        let text = keepsText ? Array(bytes[record.place]) : []
        var value = record.value
        var place = start
        if isWhole, json != nil || csv != nil, case .success(let whole)? = framed(&place) { value = whole.value }
        return Record(value: value, text: text, line: line, index: index, source: source)
    }

    // MARK: One record

    /// Reads a record with a selector. Returns nil if the framer must read it.
    private func select(_ bytes: UnsafeBufferPointer<UInt8>, _ at: inout Int) -> Selected? {
        guard json != nil else { return csv != nil ? selectRow(bytes, &at) : nil }
        let selected = selectObject(bytes, &at)
        if keys != nil, let new = json?.takeKeys(isGood: selected != nil), !new.isEmpty { keys?.add(new) }
        return selected
    }

    private func selectRow(_ bytes: UnsafeBufferPointer<UInt8>, _ at: inout Int) -> Selected? {
        switch csv?.row(bytes, at: &at) {
        case .blank: return .blank
        case .fields(let value, let number):
            return .record(BatchRecord(value: value, place: start..<(at - 1), number: number))
        case nil: return nil
        }
    }

    private func selectObject(_ bytes: UnsafeBufferPointer<UInt8>, _ at: inout Int) -> Selected? {
        let isLine = source.format == .jsonl
        var cursor = JSONCursor(bytes)
        cursor.at = at
        cursor.crossesLines = !isLine
        cursor.space()
        if isLine, cursor.take(UInt8(ascii: "\n")) {
            at = cursor.at
            return .blank
        }
        // A line includes the spaces around its value; an element of an array does not.
        let first = isLine ? at : cursor.at
        guard var value = try? json?.object(at: &cursor) else { return nil }
        let end = cursor.at
        cursor.space()
        let last = cursor.at
        guard cursor.take(UInt8(ascii: isLine ? "\n" : ",")) else { return nil }
        if convertsFields {
            guard let converted = try? options.converted(value, from: source, nil) else { return nil }
            value = converted
        }
        start = first
        at = cursor.at
        return .record(BatchRecord(value: value, place: first..<(isLine ? last : end), number: json?.number))
    }

    /// Reads one record with the framer. Returns nil if only white space follows.
    private func framed(_ at: inout Int) -> Result<BatchRecord, RecordProblem>? {
        let framer = self.framer ?? makeFramer()
        self.framer = framer
        view.seek(to: at)
        framer.position = position(at: at)
        do throws(FrameFault) {
            let frame = try framer.next()
            at = framer.position.offset - base.offset
            guard let frame else { return nil }
            framedLine = frame.line
            keys?.add(frame.value)
            if let fileName { keys?.add([fileName.key]) }
            do throws(FieldTypeProblem) {
                let value = try options.converted(frame.value, from: source, fileName)
                return .success(BatchRecord(value: value, place: view.place(of: frame.raw)))
            } catch {
                return .failure(problem(FrameFault(error, in: frame)))
            }
        } catch {
            at = error.endsInput ? bytes.count : framer.position.offset - base.offset
            return .failure(problem(error))
        }
    }

    private func problem(_ fault: FrameFault) -> RecordProblem { RecordProblem(fault, source, index: index) }

    private func makeFramer() -> AnyFramer {
        view.load(bytes)
        return switch source.format {
        case .csv:
            Framer(
                CSVFramer(
                    view, base, options, delimiter: source.delimiter, columns: source.ownColumns,
                    columnTypes: source.columnTypes))
        case .json: Framer(JSONFramer(view, base, options, insideArray: true))
        case .jsonl, .plist: Framer(JSONLinesFramer(view, base, options))
        }
    }

    // MARK: Places

    private func position(at offset: Int) -> TextPosition {
        let from = known.offset - base.offset
        if offset < from { known = base }
        let begin = known.offset - base.offset
        bytes.withUnsafeBufferPointer { known.advance(over: $0[begin..<offset]) }
        return known
    }
}

extension RecordReader {
    /// Calls `body` with each record's value, only with the fields of `ReaderOptions.fields`. Leaves out those that cannot
    /// be read.
    package func eachValue(_ body: (PredicateValue) throws -> Void) rethrows {
        var known: BatchReader?
        while case .batch(let batch) = nextBatch() {
            let reader = known ?? BatchReader(batch.source, options: options)
            known = reader
            try reader.read(batch) { result in
                if case .success(let record) = result { try body(record.value) }
                return true
            }
            reuse(batch)
        }
        while let event = next() {
            if case .record(let record) = event { try body(record.value) }
        }
    }
}
