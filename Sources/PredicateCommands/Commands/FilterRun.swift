// One run of `predicate filter`. It compiles the predicate once and streams records from the readers to the writer;
// only sorting holds records in memory. Inputs that can be split into batches are tested by several threads
// (FilterWorker.swift).

import PredicateEvaluation
import PredicateModel
import PredicateRecords
import PredicateSyntax

final class FilterRun {
    private let invocation: Invocation
    private let report: Report
    private let clock = RunClock()
    private let predicate: PredicateText
    private let matcher: Matcher<PredicateValue>
    private var readerOptions: ReaderOptions
    private let threads: Int
    private let keys: [OutputKey]?
    /// The column names of `keys`.
    private let shape: ValueDictionary.Shape
    private let limit: Int?
    private let offset: Int
    private let skipsErrors: Bool
    private let readsWhole: Bool
    private var presence = KeyPresence()
    private var types: RecordTypes
    private var columns = OutputColumns()
    /// Whether there is one input.
    private var isSingle = false
    private var input: RecordReader?
    /// The state of the output before the current input, if the input is a CSV file.
    private var start: RecordWriter.Mark?
    /// Whether a note about the current input was printed.
    private var hasNotes = false
    private let order: SortOrder
    private var sorter: Sorter<Record>?
    private var writer: RecordWriter?
    /// The table for people, used instead of the writer.
    private var table: RowTable?
    private var progress = ProgressLine()
    private var selected = 0
    private var skipped = SkippedRecords()

    /// Reads the options and compiles the predicate. Throws for any error in them.
    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        report = Report(invocation)
        var reader = try invocation.textReader(unbound: false)
        reader.clock = clock
        predicate = reader.read(try invocation.text(otherOperands: true))
        var readerOptions = try invocation.readerOptions()
        let variables = try invocation.variables(reader.language)
        keys = try invocation.outputKeys(reader, variables)
        order = try invocation.sortOrder(reader, variables)
        for key in (keys ?? []) + order.readers where !key.findings.isEmpty {
            try report.show(key.findings, source: key.path.name)
            throw CommandEnd.exit(ExitCode(checking: key.findings))
        }
        shape = ValueDictionary.Shape((keys ?? []).map(\.heading))
        let limit = try invocation.count(.limit)
        let offset = try invocation.count(.offset) ?? 0
        self.limit = limit
        self.offset = offset
        skipsErrors = invocation[.onError] == "skip"
        threads = try invocation.threads()
        if !order.keys.isEmpty {
            let wanted = limit.map { $0.addingReportingOverflow(offset) }
            sorter = Sorter(
                keys: order.keys, limit: wanted.flatMap { $0.overflow ? nil : $0.partialValue },
                rules: predicate.options.rules)
        }
        matcher = try invocation.compile(predicate, variables: variables, report)
        types = RecordTypes([RecordCheck(predicate, file: invocation[.file])])
        // A dotted name may be a field name or a path into a field, so whole records are needed.
        let readers = order.readers + (keys ?? [])
        readsWhole = readers.contains { $0.path.name.contains(".") || $0.reads == nil }
        let read = readers.reduce(into: Set(readers.map(\.path.name))) { $0.formUnion($1.reads ?? []) }
        readerOptions.fields = matcher.rootKeys.map { $0.union(read).sorted() }
        self.readerOptions = readerOptions
        expectKeys()
    }

    private func expectKeys() {
        for key in matcher.rootKeys?.sorted() ?? [] { presence.expect([[key]]) }
        for key in order.readers { presence.expect([[key.path.name], key.reads ?? []], by: .sort) }
        for name in readerOptions.types.names { presence.expect(path: name, by: .types) }
        for key in keys ?? [] { presence.expect([[key.path.name], key.reads ?? []], by: .keys) }
    }

    func run() throws -> ExitCode {
        let code = try filterInputs()
        for line in skipped.summary("record") { try note(line) }
        return code
    }

    private func filterInputs() throws -> ExitCode {
        let names = try invocation.inputNames()
        isSingle = names.count == 1
        readerOptions.decidesAllColumns = decidesAllColumns(names)
        columns = try invocation.outputColumns(names, readerOptions, threads: threads)
        var source: RecordSource?
        var failed = false
        // With --limit 0 the first input is read too, to determine the output format.
        for name in names where !failed && (!isFull || source == nil) {
            failed = try !filter(name, &source)
        }
        let isWhole = !failed && !isFull
        progress.clear()
        if invocation.has(.countOnly) {
            try invocation.output.line(String(emitted))
        } else {
            if columns.collected != nil, table == nil, !failed || !columns.held.isEmpty {
                try settleColumns(isWhole: isWhole)
            }
            for record in sorter?.finish().dropFirst(offset) ?? [] where !failed { failed = try !write(record) }
            // Finish the output even if nothing was selected: an empty array is a valid result. If an input failed
            // before its first record, there is no output.
            if table != nil {
                try table?.flush()
            } else {
                try (failed ? writer : writer(for: source))?.finish(source)
            }
        }
        if failed { return .failed }
        if try tellTypes() { return .refused }
        if isWhole, try tellMissingKeys() { return .refused }
        return emitted > 0 ? .success : .negative
    }

    /// Whether the output shows typed values of all fields, not only of those that the predicate reads.
    private func decidesAllColumns(_ names: [String]) -> Bool {
        guard keys == nil, !invocation.has(.countOnly) else { return readsWhole }
        return names.count > 1 || invocation.output.isTerminal || invocation[.to].map { $0 != "csv" } ?? false
    }

    /// Reports comparisons that met no value of a comparable type. Returns whether they are errors.
    private func tellTypes() throws -> Bool {
        progress.clear()
        return try types.show(in: report) && invocation.has(.strict)
    }

    /// Reports keys that no record has. Returns whether one of them is an error.
    private func tellMissingKeys() throws -> Bool {
        if invocation.has(.lenient) { return false }
        var isError = false
        for (option, key, message) in presence.missing() {
            let fails = option == .keys || option == .sort || invocation.has(.strict)
            let reader = fails ? ((keys ?? []) + order.readers).first { $0.path.name == key } : nil
            if let reader, !reader.problems.isEmpty {
                progress.clear()
                try report.show(reader.problems, source: key)
            } else {
                try note((fails ? "error: " : "warning: ") + message)
            }
            isError = isError || fails
        }
        return isError
    }

    /// The number of records written: those selected, after offset and limit.
    private var emitted: Int { min(max(0, selected - offset), limit ?? .max) }

    /// Whether no further record can be written.
    private var isFull: Bool {
        guard sorter == nil, let limit else { return false }
        return emitted >= limit
    }

    /// Thrown if a field does not fit the type of its column, and the file can be read again.
    private struct ColumnMisfit: Error {}

    /// Filters one input. Returns false if an error ends the run.
    ///
    /// The types of CSV columns are inferred from the start of the file. If a later field does not fit, and nothing has
    /// been written yet, the types are inferred from the whole file, and it is filtered again.
    private func filter(_ name: String, _ source: inout RecordSource?) throws -> Bool {
        let place = name == "-" ? invocation.input.descriptor.flatMap(SystemFile.place) : nil
        func open(_ options: ReaderOptions) throws -> RecordReader {
            if let place, let descriptor = invocation.input.descriptor { SystemFile.move(descriptor, to: place) }
            let reader = try columns.opened.removeValue(forKey: name) ?? invocation.open(name, options)
            reader.beforeWaiting = { [self] in try? writer?.flush() }
            return reader
        }
        let before = (sorter, selected, skipped, table, columns, types)
        start = name != "-" && RecordFormat(path: name) == .csv ? writer?.mark() : nil
        hasNotes = false
        do {
            let reader = try open(readerOptions)
            defer { source = source ?? reader.source }
            return try filter(reader)
        } catch is ColumnMisfit {
            (sorter, selected, skipped, table, columns, types) = before
            columns.opened[name] = nil
            if let start { writer?.goBack(to: start) }
            let known = readerOptions.columnTypes
            defer { readerOptions.columnTypes = known }
            readerOptions.columnTypes = try open(readerOptions).columnTypes()
            return try filter(open(readerOptions))
        }
    }

    /// Whether the current input can be filtered again, because no output of it has been written.
    private var canRestart: Bool {
        guard let input, input.totalBytes != nil, readerOptions.columnTypes == nil, !hasNotes, table?.hasPrinted != true
        else { return false }
        return start.map { writer?.canGoBack(to: $0) ?? true } ?? true
    }

    private func filter(_ reader: RecordReader) throws -> Bool {
        input = reader
        if table == nil, !invocation.has(.countOnly), writer == nil {
            // A table needs all rows, and a stream may never end.
            table = invocation.outputMode(.to, isFinite: reader.totalBytes != nil)
                .map { RowTable($0, invocation.output) }
        }
        defer {
            presence.note(reader.source)
            noteColumns(of: reader.source)
        }
        if isFull { _ = reader.next() }
        if !isFull, try !filterBatches(reader) { return false }
        var run = MatcherRun(matcher)
        while !isFull, let event = reader.next() {
            progress.advance(reader)
            switch event {
            case .problem(let problem):
                if try !take(problem) { return false }
            case .record(let record):
                presence.note(record.value)
                if !types.open.isEmpty { types.add(record) }
                columns.collected?.add(record.value)
                // In a stream, `now()` must advance; see FilterWorker.
                if reader.totalBytes == nil {
                    clock.advance()
                    run = MatcherRun(matcher)
                }
                do throws(PredicateFailure) {
                    if try !run.test(record.value) { continue }
                } catch {
                    if try !take(error, record.source, line: record.line, index: record.index) { return false }
                    continue
                }
                if try !take(record) { return false }
            }
        }
        return true
    }

    /// Filters the part of the input that can be split into batches. Returns false if an error ends the run.
    private func filterBatches(_ reader: RecordReader) throws -> Bool {
        let isStream = reader.totalBytes == nil
        var isGood = true
        let isSmall = reader.totalBytes.map { $0 < 2 * readerOptions.batchSize } ?? false
        try OrderedThreads.run(
            threads: isSmall ? 1 : threads,
            next: { [self] waits -> NextWork<FilterWork> in
                if waits, isStream { try writer?.flush() }
                switch reader.nextBatch(waits: waits) {
                case .wouldWait: return .wouldWait
                case .rest: return .end
                case .batch(let batch):
                    if isStream { clock.advance() }
                    presence.note(batch)
                    noteColumns(of: batch.source)
                    return .work(
                        FilterWork(batch: batch, goal: goal(for: batch.source), checks: types.open))
                }
            },
            worker: {
                [matcher, readerOptions, skipsErrors, unseen = presence.unseen, collects = columns.collected != nil] in
                let worker = FilterWorker(
                    matcher, readerOptions, unseen: unseen, skipsErrors: skipsErrors, isStream: isStream,
                    collectsKeys: collects)
                return { worker.filter($0) }
            },
            finish: { [self] (findings: FilterFindings) in
                progress.advance(reader, by: findings.recordCount)
                presence.note(seen: findings.seen, unclear: findings.unclear)
                types.add(findings.types)
                columns.collected?.add(findings.keys)
                isGood = try take(findings)
                reader.reuse(findings.batch)
                if isStream { try writer?.flush() }
                return isGood && !isFull
            })
        return isGood
    }

    /// What to collect from the batches of a source.
    private func goal(for source: RecordSource) -> FilterWork.Goal {
        if invocation.has(.countOnly) { return .count }
        if table != nil { return .records(isWhole: readsWhole || keys == nil, keepsText: false) }
        if columns.collected != nil { return .records(isWhole: true, keepsText: false) }
        let repeatsText =
            writer?.repeatsText(of: source) ?? writerOptions(for: source)?.repeatsText(of: source) ?? false
        if repeatsText, sorter == nil { return .texts }
        return .records(isWhole: readsWhole || keys == nil && !repeatsText, keepsText: repeatsText)
    }

    // MARK: Findings

    private func take(_ findings: FilterFindings) throws -> Bool {
        for item in findings.items where !isFull {
            switch item {
            case .count(let count): selected += count
            case .record(let record):
                if try !take(record) { return false }
            case .texts(let range): try take(range, of: findings)
            case .problem(let problem):
                if try !take(problem) { return false }
            case .failure(let failure, let line):
                if try !take(failure, findings.batch.source, line: line, index: 0) { return false }
            }
        }
        return true
    }

    private func take(_ range: Range<Int>, of findings: FilterFindings) throws {
        let left = limit.map { $0 - emitted } ?? .max
        let first = range.lowerBound + min(range.count, max(0, offset - selected))
        selected += range.count
        let last = first + min(left, range.upperBound - first)
        try writer(for: findings.batch.source)?.write(findings.texts, first..<last, from: findings.batch.source)
    }

    private func take(_ record: Record) throws -> Bool {
        selected += 1
        if invocation.has(.countOnly) { return true }
        if sorter != nil {
            do throws(PredicateFailure) {
                sorter?.add(record, fields: try order.values(in: record.value))
            } catch {
                selected -= 1
                return try take(error, record.source, line: record.line, index: record.index)
            }
        } else if selected > offset {
            return try write(record)
        }
        return true
    }

    private func take(_ problem: RecordProblem) throws -> Bool {
        if problem.misfit != nil, canRestart { throw ColumnMisfit() }
        return try skipped.take(problem, skips: skipsErrors, note)
    }

    /// Reports an evaluation error with the position of the record. Returns whether to continue.
    private func take(_ failure: PredicateFailure, _ source: RecordSource, line: Int, index: Int) throws -> Bool {
        if skipsErrors, !skipped.add(failure) { return true }
        let place = line > 0 ? ":\(line)" : ", record \(index + 1)"
        let isKey = failure.source != predicate.source
        let isSort = order.readers.contains { $0.path.name == failure.source }
        let subject = !isKey ? "predicate" : "expression of " + (isSort ? "--sort" : "--keys")
        try note("\(source.name)\(place): the \(subject) cannot be evaluated")
        let hint = TypeHint(option: "--types ")
        try report.show(
            isKey ? failure.diagnostics : hint.adding(to: failure.diagnostics, of: predicate), source: failure.source)
        return skipsErrors
    }

    // MARK: Output

    /// Records the columns of a CSV file. If there is only one input, they are the columns of the output.
    private func noteColumns(of source: RecordSource) {
        guard columns.collected != nil, !source.columns.isEmpty else { return }
        columns.collected?.add(source.columns)
        if isSingle, columns.held.isEmpty { _ = columns.settle(source.columns) }
    }

    /// Fixes the output columns and writes the rows that were held. If all records were read, their keys have been
    /// collected; otherwise the files are read again to collect them.
    private func settleColumns(isWhole: Bool) throws {
        let names =
            try isWhole
            ? columns.collected?.names ?? []
            : invocation.surveyedKeys(
                invocation.inputNames(), readerOptions, threads: threads, from: columns.inputPlace)
        // The output now contains records of earlier inputs.
        hasNotes = true
        let rows = columns.settle(names)
        if !rows.isEmpty { try writer(for: rows.source)?.write(rows) }
    }

    /// Writes a record. Returns false if an expression of `--keys` fails and ends the run.
    private func write(_ record: Record) throws -> Bool {
        var record = record
        if let keys, table != nil || keys.contains(where: \.needsEvaluation) {
            do throws(PredicateFailure) {
                var values: [PredicateValue] = []
                for key in keys { values.append(try key.value(in: record.value)) }
                record.value = .dictionary(ValueDictionary(shape: shape, values: values))
            } catch {
                return try take(error, record.source, line: record.line, index: record.index)
            }
        }
        if table != nil {
            try table?.add(record.value)
        } else if columns.collected == nil || !columns.hold(record) {
            if columns.collected != nil { try settleColumns(isWhole: false) }
            try writer(for: record.source)?.write(record)
        }
        return true
    }

    /// The writer, for the format of the first input; nil if no input has been read.
    private func writer(for source: RecordSource?) -> RecordWriter? {
        if let writer { return writer }
        guard let options = writerOptions(for: source) else { return nil }
        writer = invocation.output.recordWriter(options)
        if source?.format == .csv, input?.totalBytes != nil { start = writer?.mark() }
        return writer
    }

    private func writerOptions(for source: RecordSource?) -> WriterOptions? {
        guard let format = invocation[.to].flatMap(RecordFormat.init(rawValue:)) ?? source?.format else { return nil }
        var options = WriterOptions(format: format)
        options.keys = keys?.map { $0.needsEvaluation ? FieldPath($0.heading) : $0.path }
        options.columns = columns.columns
        options.delimiter = readerOptions.delimiter
        return options
    }

    private func note(_ text: String) throws {
        progress.clear()
        hasNotes = true
        try writer?.flush()
        try invocation.output.note(DisplayText.visible(text))
    }
}
