// Writes the selected records of `filter`: their number, a table for people, or records of a format. Only CSV whose columns
// are not known yet, and sorting of pipes, hold records in memory. To sort a file, memory holds the values of the sort keys
// and the places of the records.

/// The output of one run. A value, so that an input can be filtered again.
struct FilterOutput {
    /// A record that is sorted.
    enum Waiting {
        case place(RecordPlace, input: Int)
        indirect case record(Record)
    }

    let keys: [OutputKey]?
    let order: RecordOrder
    /// The groups of `--group`, which are written at the end.
    private(set) var groups: RecordGroups?
    var columns = OutputColumns()
    /// The source of the first input.
    private(set) var source: RecordInput?
    private let invocation: Invocation
    /// The column names of `keys`.
    private let shape: ValueDictionary.Shape
    private let limit: Int?
    private let offset: Int
    private var sorter: Sorter<Waiting>?
    /// The inputs whose records are read a second time after sorting. Each is an open file.
    private var inputs: [RecordReader] = []
    private static let inputLimit = 100
    /// The bytes of inputs that are held in memory for a second reading.
    private static let heldBytes = 1 << 27
    /// For these inputs whether records are read as a whole; nil repeats their texts.
    private var parts: [Int: Bool?] = [:]
    /// Whether the records of the current input can be read a second time.
    private var readsAgain = false
    private var writer: RecordWriter?
    /// The table for people, used instead of the writer.
    private var table: RowTable?
    private var selected = 0
    /// The state of the writer before the current input, if the input is a CSV file.
    private var start: RecordWriter.Mark?
    /// Whether the current input is a file, or something else that ends.
    private var isFinite = false
    /// Whether rows of earlier inputs were written since the current input began.
    private var hasSettled = false

    init(
        _ invocation: Invocation, _ reader: TextReader, _ variables: PredicateVariables
    ) throws {
        self.invocation = invocation
        let chosen = try invocation.outputKeys(reader, variables)
        let columns = try chosen ?? invocation.groupColumns(reader, variables)
        order = try invocation.sortOrder(of: columns, reader, variables)
        groups = try invocation.recordGroups(showing: chosen, order, reader, variables)
        keys = groups == nil ? chosen : nil
        shape = ValueDictionary.Shape((keys ?? []).map(\.heading))
        limit = try invocation.count(.limit)
        offset = try invocation.count(.offset) ?? 0
        for key in readers where !key.findings.isEmpty {
            try Report(invocation).show(key.findings, source: key.path.name)
            throw CommandEnd.exit(ExitCode(checking: key.findings))
        }
        guard !order.keys.isEmpty, groups == nil else { return }
        let wanted = limit.map { $0.addingReportingOverflow(offset) }
        sorter = Sorter<Waiting>(
            keys: order.keys, limit: wanted.flatMap { $0.overflow ? nil : $0.partialValue },
            rules: order.keys.rules)
    }

    /// The readers of the keys of records.
    var readers: [OutputKey] { groups?.readers ?? (keys ?? []) + order.readers }

    /// Whether records are needed as a whole. A dotted name may be a field name or a path into a field.
    var readsWhole: Bool {
        readers.contains { groups == nil && !$0.isAboutAll && $0.path.name.contains(".") || $0.reads == nil }
    }

    /// The number of records written: those selected, after offset and limit.
    var emitted: Int { min(max(0, selected - offset), limit ?? .max) }

    /// Whether groups or sorted records are written after the last record was read.
    var writesAtEnd: Bool { sorter != nil || groups != nil }

    /// Whether no further record can be written.
    var isFull: Bool { !writesAtEnd && limit.map { emitted >= $0 } ?? false }

    // MARK: Inputs

    /// Begins an input. The output of a CSV file can be dropped, as long as nothing of it is written.
    mutating func begin(_ reader: RecordReader, isCSV: Bool) {
        hasSettled = false
        isFinite = reader.totalBytes != nil
        readsAgain = sorter != nil && reader.canReadAgain && inputs.count < Self.inputLimit
        if readsAgain { inputs.append(reader) }
        start = isCSV ? writer?.mark() : nil
        // A table needs all rows, and a stream may never end.
        if table == nil, writer == nil, !invocation.has(.countOnly) {
            table = invocation.outputMode(.to, isFinite: isFinite).map { RowTable($0, invocation.output) }
        }
    }

    /// Whether the output of the current input can be dropped.
    var canGoBack: Bool {
        !hasSettled && table?.hasPrinted != true && start.map { writer?.canGoBack(to: $0) ?? true } ?? true
    }

    /// Drops the output of the current input.
    /// - Parameters:
    ///   - earlier: the output after the input began.
    ///   - reader: reads the input again.
    mutating func goBack(to earlier: FilterOutput, _ reader: RecordReader) {
        // A writer that was made since then has written nothing.
        self = earlier
        if readsAgain { inputs[inputs.count - 1] = reader }
        if let start { writer?.goBack(to: start) }
    }

    mutating func note(_ source: RecordInput) {
        self.source = self.source ?? source
        columns.note(source)
    }

    /// What to collect from the batches of a source.
    func form(for source: RecordInput) -> FilterTester.Form {
        if invocation.has(.countOnly) { return .count }
        if groups != nil { return .groups(isWhole: readsWhole) }
        if readsAgain { return .sorted(isWhole: order.readers.contains { $0.reads == nil }) }
        let repeatsText = repeatsText(of: source)
        if repeatsText, sorter == nil { return .texts }
        return .records(isWhole: readsWhole || keys == nil && !repeatsText, keepsText: repeatsText)
    }

    /// Sorted records that do not precede it are not needed.
    var bound: SortBound? { sorter?.bound }

    private func repeatsText(of source: RecordInput) -> Bool {
        if table != nil || columns.collected != nil { return false }
        return writer?.repeatsText(of: source) ?? options(for: source)?.repeatsText(of: source) ?? false
    }

    // MARK: Records

    /// Counts selected records.
    mutating func add(count: Int) { selected += count }

    /// Adds selected records to the groups.
    mutating func add(_ batch: GroupBatch) throws { try groups?.add(batch) }

    /// Adds selected records to those that are sorted.
    mutating func add(_ places: [RecordPlace], fields: [PredicateValue]) {
        let input = inputs.count - 1
        sorter?.add(contentsOf: places.map { .place($0, input: input) }, fields: fields)
    }

    /// Writes the texts of selected records.
    mutating func write(_ texts: RecordTexts, from source: RecordInput) throws {
        let left = limit.map { $0 - emitted } ?? .max
        let first = min(texts.count, max(0, offset - selected))
        selected += texts.count
        try writer(for: source)?.write(texts, first..<first + min(left, texts.count - first), from: source)
    }

    /// Writes a selected record, or holds it to sort it.
    /// - Throws: `PredicateFailure` if an expression of `--sort` or `--keys` fails.
    mutating func add(_ record: Record) throws {
        if invocation.has(.countOnly) { return add(count: 1) }
        if groups != nil {
            try groups?.add(record.value)
            return
        }
        if sorter != nil {
            let fields = try order.values(in: record.value)
            sorter?.add(.record(record), fields: fields)
        }
        selected += 1
        if sorter == nil, selected > offset { try write(record) }
    }

    /// Writes a record.
    /// - Throws: `PredicateFailure` if an expression of `--keys` fails.
    mutating func write(_ record: Record) throws {
        var record = record
        if let keys, table != nil || keys.contains(where: \.needsEvaluation) {
            let values = try keys.map { try $0.value(in: record.value) }
            record.value = .dictionary(ValueDictionary(shape: shape, values: values))
        }
        if table != nil {
            try table?.add(record.value)
        } else if columns.collected == nil || !columns.hold(record) {
            try settle(isWhole: false)
            try writer(for: record.source)?.write(record)
        }
    }

    /// Writes the rows of the groups. Returns false if a value could not be computed.
    mutating func writeGroups() throws -> Bool {
        let writer = table == nil && groups != nil ? writer(for: source) : nil
        guard var rows = groups.take() else { return true }
        let count = try rows.forEachRow(offset: offset, limit: limit) { row in
            if table == nil { try writer?.write(row) } else { try table?.add(row) }
        }
        selected = offset + count
        groups = rows
        return try invocation.tellNotes(of: rows)
    }

    /// The records that are sorted, in their order.
    mutating func sorted() -> [Waiting] {
        let (elements, order) = sorter?.finishOrder() ?? ([], [])
        // In one loop, because the processor waits for several elements at the same time.
        let sorted = order.dropFirst(offset).map { elements[$0] }
        // To read a record by itself takes about as long as to read 4 KB of a whole input.
        let bytes = inputs.reduce(0) { $0 + $1.bytesRead }
        if bytes <= min(Self.heldBytes, sorted.count << 12) { for input in inputs { input.hold() } }
        return sorted
    }

    /// Reads a sorted record.
    mutating func read(_ waiting: Waiting) throws -> Record {
        switch waiting {
        case .record(let record): return record
        case .place(let place, let input):
            let reader = inputs[input]
            let isWhole = parts[input] ?? (repeatsText(of: reader.source) ? nil : readsWhole || keys == nil)
            // The first record may decide the form of the others.
            if writer != nil || table != nil { parts[input] = .some(isWhole) }
            if let record = reader.record(at: place, isWhole: isWhole) { return record }
            throw CommandEnd.failure(.failed, "\(reader.source.name) has changed since its records were sorted")
        }
    }

    /// Writes the first records of a sorted list, if their texts are repeated. Returns how many it wrote: 0 if `read` must
    /// read the first record, or if a file has changed, which `read` reports.
    func writeTexts(of sorted: ArraySlice<Waiting>) throws -> Int {
        var records: [(reader: RecordReader, place: RecordPlace)] = []
        var bytes = 0
        // Many at a time, so that the processor loads several texts at once. Few if they are long, to bound the memory.
        for waiting in sorted.prefix(512) {
            guard bytes < 1 << 16, case .place(let place, let input) = waiting, parts[input] == .some(nil) else {
                break
            }
            records.append((inputs[input], place))
            bytes += place.count
        }
        guard let writer, let first = records.first, let texts = RecordTexts(records) else { return 0 }
        try writer.write(texts, 0..<texts.count, from: first.reader.source)
        return texts.count
    }

    /// Writes the rows that are held until all keys are known.
    /// - Parameter isWhole: whether all records were read, so that their keys have been collected. If not, the files are
    ///   read again to collect them.
    mutating func settle(isWhole: Bool) throws {
        guard let collected = columns.collected, table == nil else { return }
        hasSettled = true
        let rows = columns.settle(try isWhole ? collected.names : columns.surveyed(invocation))
        if !rows.isEmpty { try writer(for: rows.source)?.write(rows) }
    }

    func flush() throws { try writer?.flush() }

    /// Ends the output, even if nothing was selected: an empty array is a valid result.
    /// - Parameter hasFailed: whether the run failed. If it did before its first record, there is no output.
    mutating func finish(hasFailed: Bool) throws {
        if table != nil {
            try table?.flush()
        } else {
            try (hasFailed ? writer : writer(for: source))?.finish(source)
        }
    }

    /// The writer, for the format of the first input; nil if no input has been read.
    private mutating func writer(for source: RecordInput?) -> RecordWriter? {
        if let writer { return writer }
        guard let options = options(for: source) else { return nil }
        writer = invocation.output.recordWriter(options)
        if source?.format == .csv, isFinite { start = writer?.mark() }
        return writer
    }

    private func options(for source: RecordInput?) -> WriterOptions? {
        guard let format = invocation[.to].flatMap(RecordFormat.init(rawValue:)) ?? source?.format else { return nil }
        var options = WriterOptions(format: format)
        options.keys =
            groups?.columns.map { FieldPath($0) } ?? keys?.map { $0.needsEvaluation ? FieldPath($0.heading) : $0.path }
        options.columns = columns.columns
        options.delimiter = columns.options.delimiter
        return options
    }
}
