// Reads the records of `filter` and `match`: in batches on several threads where the input can be split, the others one
// by one. A command has a consumer of records and a tester of batches; everything else is here.

/// What a tester collects from consecutive records of a batch, up to one that cannot be read.
protocol BatchOutput: Sendable {
    init(_ batch: RecordBatch)
    var problem: RecordProblem? { get set }
}

/// What a tester finds in a batch.
struct BatchFindings<Output: BatchOutput>: Sendable {
    let batch: RecordBatch
    /// In the order of the records.
    private(set) var outputs: [Output]
    /// The number of all records in the batch, including invalid ones.
    fileprivate(set) var recordCount = 0
    /// The JSON keys that occur in the batch and in no earlier batch of this thread.
    fileprivate(set) var seen: Set<String> = []
    /// Such keys that may be keys of nested objects, because no record has a value for them.
    fileprivate(set) var unclear: Set<String> = []
    /// The types of the records, if there are checks that need them.
    fileprivate(set) var types = FieldShape()
    /// All keys of the batch in order of first appearance, if keys are collected.
    fileprivate(set) var keys: [String] = []

    fileprivate init(_ batch: RecordBatch) {
        self.batch = batch
        outputs = [Output(batch)]
    }

    /// Changes the last output.
    @inline(__always) mutating func update<Failure>(
        _ body: (inout Output) throws(Failure) -> Void
    ) throws(Failure) { try body(&outputs[outputs.count - 1]) }

    mutating func end(_ body: (inout Output) -> Void) {
        update(body)
        outputs.append(Output(batch))
    }
}

/// Tests the records of batches on one thread.
protocol RecordTester: SendableMetatype {
    /// What to collect from a batch.
    associatedtype Goal: Sendable
    associatedtype Output: BatchOutput
    /// Tests one record. Returns whether to continue with the next one.
    mutating func test(
        _ record: BatchRecord, _ reader: BatchReader, _ goal: Goal, _ findings: inout BatchFindings<Output>
    ) -> Bool
}

/// Takes the records of a run, and what testers find, in the order of the input.
protocol RecordConsumer: AnyObject {
    associatedtype Tester: RecordTester
    /// Makes the tester of a thread.
    var tester: @Sendable () -> Tester { get }
    /// Whether nothing more is needed.
    var isFull: Bool { get }
    /// Whether the keys of all records are needed.
    var collectsKeys: Bool { get }
    /// What to collect from the next batch. Its source has the columns and the format of the input.
    func goal(for source: RecordInput) -> Tester.Goal
    // Each of these returns false if an error ends the run.
    func take(_ output: Tester.Output, of findings: BatchFindings<Tester.Output>) throws -> Bool
    func take(_ record: Record, ofStream: Bool) throws -> Bool
    func take(_ problem: RecordProblem) throws -> Bool
}

/// Reads the inputs of one command, and collects what is reported besides its result.
final class RecordRun {
    let invocation: Invocation
    let report: Report
    /// The clock of `now()`. It advances while a stream is read.
    let clock = RunClock()
    let skipsErrors: Bool
    let threads: Int
    var options: ReaderOptions
    /// Keys that no record has, types that never fit, and records that are skipped.
    var findings: (presence: KeyPresence, types: RecordTypes, skipped: SkippedRecords)
    /// Writes the output so far, before a note and before waiting for input.
    var flush: () throws -> Void
    /// The number of notes so far.
    private(set) var noteCount = 0
    private var progress = ProgressLine()
    private var hasNotedQuotes = false

    /// - Parameter wantsValues: whether a key whose value is nil in all records counts as missing.
    init(_ invocation: Invocation, wantsValues: Bool = false) throws {
        self.invocation = invocation
        report = Report(invocation)
        skipsErrors = invocation[.onError] == "skip"
        threads = try invocation.threads()
        options = try invocation.readerOptions()
        findings = (KeyPresence(wantsValues: wantsValues), RecordTypes([]), SkippedRecords())
        flush = invocation.output.flush
    }

    /// Prints a note below the output so far.
    func note(_ text: String) throws {
        progress.clear()
        noteCount += 1
        try flush()
        try invocation.output.note(DisplayText.visible(text))
    }

    /// Prints how many records were skipped.
    func showSkipped() throws {
        for line in findings.skipped.summary("record") { try note(line) }
    }

    // MARK: Reading

    /// Reads an input. Returns false if an error ends the run.
    func read(_ reader: RecordReader, for consumer: some RecordConsumer) throws -> Bool {
        reader.beforeWaiting = { [self] in try? flush() }
        defer {
            findings.presence.note(reader.source)
            // The key is in no file.
            if let key = options.fileKey { findings.presence.note(seen: [key], unclear: []) }
            progress.clear()
        }
        if !consumer.isFull, try !readBatches(reader, consumer) { return false }
        let isStream = reader.totalBytes == nil
        while !consumer.isFull, let event = reader.next() {
            progress.advance(reader)
            switch event {
            case .problem(let problem): if try !consumer.take(problem) { return false }
            case .record(let record):
                findings.presence.note(record.value)
                findings.types.add(record)
                if isStream { clock.advance() }
                if try !consumer.take(record, ofStream: isStream) { return false }
            }
        }
        if !hasNotedQuotes, let text = reader.source.noteOfQuotes(options) {
            hasNotedQuotes = true
            try note(text)
        }
        return true
    }

    /// Reads the part of an input that can be split into batches.
    private func readBatches<Consumer: RecordConsumer>(_ reader: RecordReader, _ consumer: Consumer) throws -> Bool {
        let isStream = reader.totalBytes == nil
        let isSmall = reader.totalBytes.map { $0 < 2 * options.batchSize } ?? false
        var isGood = true
        try OrderedThreads.run(
            threads: isSmall ? 1 : threads,
            next: { [self] waits -> NextWork<BatchWorker<Consumer.Tester>.Work> in
                if waits, isStream { try flush() }
                switch reader.nextBatch(waits: waits) {
                case .wouldWait: return .wouldWait
                case .rest: return .end
                case .batch(let batch):
                    if isStream { clock.advance() }
                    findings.presence.note(batch)
                    return .work((batch, findings.types.open, consumer.goal(for: batch.source)))
                }
            },
            worker: {
                [
                    makeTester = consumer.tester, options, unseen = findings.presence.unseenInBatches, skipsErrors,
                    collectsKeys = consumer.collectsKeys
                ] in
                var worker = BatchWorker(
                    makeTester: makeTester, options: options, skipsErrors: skipsErrors, isStream: isStream,
                    collectsKeys: collectsKeys, unseen: unseen)
                return { worker.findings(in: $0) }
            },
            finish: { [self] (found: BatchFindings<Consumer.Tester.Output>) in
                progress.advance(reader, by: found.recordCount)
                findings.presence.note(seen: found.seen, unclear: found.unclear)
                findings.types.add(found.types)
                for output in found.outputs where isGood && !consumer.isFull {
                    isGood = try consumer.take(output, of: found)
                }
                reader.reuse(found.batch)
                if isStream { try flush() }
                return isGood && !consumer.isFull
            })
        return isGood
    }

    /// Reports a record that cannot be read. Returns whether to continue.
    func take(_ problem: RecordProblem) throws -> Bool {
        try findings.skipped.take(problem, skips: skipsErrors, note)
    }
}

/// Reads and tests batches on its own thread. All of them come from one source.
private struct BatchWorker<Tester: RecordTester> {
    /// A batch, the checks that need its types, and what to collect from it.
    typealias Work = (batch: RecordBatch, checks: [RecordCheck], goal: Tester.Goal)

    let makeTester: () -> Tester
    let options: ReaderOptions
    let skipsErrors: Bool
    let isStream: Bool
    let collectsKeys: Bool
    /// The keys that no record has had so far.
    var unseen: Set<String>
    /// The tester of the previous batch, with its caches.
    var tester: Tester?
    var reader: BatchReader?

    mutating func findings(in work: Work) -> BatchFindings<Tester.Output> {
        let source = work.batch.source
        let reader = reader ?? BatchReader(source, options: options, collectsKeys: collectsKeys)
        self.reader = reader
        // A stream may run for hours, so each batch gets a new tester with a new `now()`.
        var tester = tester.take() ?? makeTester()
        defer { if !isStream { self.tester = tester } }
        var findings = BatchFindings<Tester.Output>(work.batch)
        if !unseen.isEmpty, source.columns.isEmpty {
            findings.seen = unseen.filter { work.batch.mayHave(key: $0) }
            // Only a nested object may have the key. Of a field that is read, a value proves that a record has it.
            findings.unclear = findings.seen.filter { options.fields?.contains($0) ?? true }
            findings.seen.subtract(findings.unclear)
        }
        var types = BatchTypes(work.checks, of: source.format)
        reader.read(work.batch) { result in
            findings.recordCount += 1
            switch result {
            case .failure(let problem):
                findings.end { $0.problem = problem }
                return skipsErrors && !problem.endsInput
            case .success(let record):
                if !findings.unclear.isEmpty { findings.note(record.value) }
                types.add(record.value)
                return tester.test(record, reader, work.goal, &findings)
            }
        }
        findings.keys = reader.takeKeys()
        findings.types = types.shape
        unseen.subtract(findings.seen)
        return findings
    }
}

extension BatchFindings {
    /// Notes which unclear keys the record has.
    fileprivate mutating func note(_ record: PredicateValue) {
        guard case .dictionary(let fields) = record else { return }
        for key in unclear where fields[key]?.isNil == false {
            unclear.remove(key)
            seen.insert(key)
        }
    }
}
