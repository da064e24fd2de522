// One run of `predicate filter`. Compiles the predicate once and streams records from readers to the writer;
// only sorting holds records in memory. Inputs that can be cut into batches are tested by several threads
// (FilterWorker.swift).

import PredicateEvaluation
import PredicateModel
import PredicateRecords
import PredicateSyntax

final class FilterRun {
    private let invocation: Invocation
    private let report: Report
    private let predicate: PredicateText
    private let matcher: Matcher<PredicateValue>
    private let readerOptions: ReaderOptions
    private let threads: Int
    private let keys: [FieldPath]?
    private let limit: Int?
    private let offset: Int
    private let skipsErrors: Bool
    private let readsWhole: Bool
    private var sorter: RecordSorter?
    private var writer: RecordWriter?
    private var progress = ProgressLine()
    private var selected = 0
    private var skipped = 0

    /// Reads the options and compiles the predicate. Throws for any error in them.
    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        report = Report(invocation)
        let reader = try invocation.textReader(unbound: false)
        predicate = reader.read(try invocation.text(otherOperands: true))
        var readerOptions = try invocation.readerOptions()
        keys = try invocation.fieldPaths(.keys)
        let limit = try invocation.count(.limit)
        let offset = try invocation.count(.offset) ?? 0
        self.limit = limit
        self.offset = offset
        skipsErrors = invocation[.onError] == "skip"
        threads = min(max(1, try invocation.count(.threads) ?? OrderedThreads.available), OrderedThreads.maximum)
        let order = try invocation.sortKeys()
        if let order {
            let wanted = limit.map { $0.addingReportingOverflow(offset) }
            sorter = RecordSorter(
                keys: order, limit: wanted.flatMap { $0.overflow ? nil : $0.partialValue },
                rules: predicate.options.rules)
        }
        matcher = try invocation.compile(predicate, variables: invocation.variables(reader.language), report)
        // A dotted name may be a field name or a path into a field, so whole records are needed.
        let named = (order ?? []).map(\.path) + (keys ?? []).map(\.name)
        readsWhole = named.contains { $0.contains(".") }
        readerOptions.fields = matcher.rootKeys.map { $0.union(named).sorted() }
        self.readerOptions = readerOptions
    }

    func run() throws -> ExitCode {
        do {
            let code = try filterInputs()
            if skipped > 0 { try note("\(skipped) \(skipped == 1 ? "record" : "records") skipped") }
            return code
        } catch OutputProblem.closed {
            throw CommandEnd.outputClosed
        } catch OutputProblem.failed(let reason) {
            throw CommandEnd.failure(.failed, reason)
        } catch let problem as RecordProblem {
            throw CommandEnd.failure(.failed, problem.description)
        }
    }

    private func filterInputs() throws -> ExitCode {
        var source: RecordSource?
        var failed = false
        // With --limit 0 the first input is read too, to determine the output format.
        for name in try invocation.inputNames() where !failed && (!isFull || source == nil) {
            let reader = try invocation.open(name, readerOptions)
            reader.beforeWaiting = { [self] in try? writer?.flush() }
            failed = try !filter(reader)
            source = reader.source
        }
        progress.clear()
        if invocation.has(.countOnly) {
            try invocation.output.line(String(emitted))
        } else {
            for record in sorter?.finish().dropFirst(offset) ?? [] { try write(record) }
            // Also finish if nothing was selected: an empty array is a valid answer. An input that failed
            // before its first record has no answer.
            try (failed ? writer : writer(for: source))?.finish(source)
        }
        return failed ? .failed : emitted > 0 ? .success : .negative
    }

    /// The number of records written: those selected, after offset and limit.
    private var emitted: Int { min(max(0, selected - offset), limit ?? .max) }

    /// Whether no further record can be written.
    private var isFull: Bool {
        guard sorter == nil, let limit else { return false }
        return emitted >= limit
    }

    /// Filters one input. Returns false if a problem ends the run.
    private func filter(_ reader: RecordReader) throws -> Bool {
        if isFull { _ = reader.next() }
        if !isFull, try !filterBatches(reader) { return false }
        var run = MatcherRun(matcher)
        while !isFull, let event = reader.next() {
            progress.advance(reader)
            switch event {
            case .problem(let problem):
                if try !take(problem) { return false }
            case .record(let record):
                // In a stream, `now()` must advance; see FilterWorker.
                if reader.totalBytes == nil { run = MatcherRun(matcher) }
                do throws(PredicateFailure) {
                    if try !run.test(record.value) { continue }
                } catch {
                    if try !take(error, record.source, line: record.line, index: record.index) { return false }
                    continue
                }
                try take(record)
            }
        }
        return true
    }

    /// Filters the part of the input that can be cut into batches. Returns false if a problem ends the run.
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
                case .batch(let batch): return .work(FilterWork(batch: batch, goal: goal(for: batch.source)))
                }
            },
            worker: { [matcher, readerOptions, skipsErrors] in
                let worker = FilterWorker(matcher, readerOptions, skipsErrors: skipsErrors, isStream: isStream)
                return { worker.filter($0) }
            },
            finish: { [self] (findings: FilterFindings) in
                progress.advance(reader, by: findings.recordCount)
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
            case .record(let record): try take(record)
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

    private func take(_ record: Record) throws {
        selected += 1
        if invocation.has(.countOnly) { return }
        if sorter != nil {
            sorter?.add(record)
        } else if selected > offset {
            try write(record)
        }
    }

    private func take(_ problem: RecordProblem) throws -> Bool {
        try note(problem.description)
        if !skipsErrors || problem.endsInput { return false }
        skipped += 1
        return true
    }

    /// Reports an evaluation error with the place of the record. Returns whether to continue.
    private func take(_ failure: PredicateFailure, _ source: RecordSource, line: Int, index: Int) throws -> Bool {
        let place = line > 0 ? ":\(line)" : ", record \(index + 1)"
        try note("\(source.name)\(place): the predicate cannot be evaluated")
        try report.show(failure.diagnostics, source: predicate.source)
        if !skipsErrors { return false }
        skipped += 1
        return true
    }

    // MARK: Output

    private func write(_ record: Record) throws {
        try writer(for: record.source)?.write(record)
    }

    /// The writer, in the format of the first input; nil if no input has been read.
    private func writer(for source: RecordSource?) -> RecordWriter? {
        if let writer { return writer }
        guard let options = writerOptions(for: source) else { return nil }
        writer = invocation.output.recordWriter(options)
        return writer
    }

    private func writerOptions(for source: RecordSource?) -> WriterOptions? {
        guard let format = invocation[.to].flatMap(RecordFormat.init(rawValue:)) ?? source?.format else { return nil }
        var options = WriterOptions(format: format)
        options.keys = keys
        options.delimiter = readerOptions.delimiter
        return options
    }

    private func note(_ text: String) throws {
        progress.clear()
        try writer?.flush()
        try invocation.output.note(DisplayText.visible(text))
    }
}
