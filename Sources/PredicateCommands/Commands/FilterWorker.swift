// Tests the records of batches on its own thread. It writes no output; it collects findings, which FilterRun handles in
// the order of the input.

import PredicateEvaluation
import PredicateModel
import PredicateRecords
import PredicateSyntax

/// A batch and what to collect from it.
struct FilterWork: Sendable {
    enum Goal: Sendable {
        /// The number of records that match.
        case count
        /// The unchanged texts of records that match.
        case texts
        /// The values of records that match, with the wanted fields or all fields.
        case records(isWhole: Bool, keepsText: Bool)
    }

    let batch: RecordBatch
    let goal: Goal
    /// The predicate, if its comparisons have met no value of a comparable type so far.
    let checks: [RecordCheck]
}

/// The findings of a batch, in order.
struct FilterFindings: Sendable {
    enum Item: Sendable {
        case count(Int)
        /// A range of `texts`.
        case texts(Range<Int>)
        case record(Record)
        case problem(RecordProblem)
        case failure(PredicateFailure, line: Int)
    }

    let batch: RecordBatch
    private(set) var items: [Item] = []
    private(set) var texts: RecordTexts
    /// The number of all records in the batch, including invalid ones.
    var recordCount = 0
    /// The JSON keys that occur in the batch and in no earlier batch of this worker.
    var seen: Set<String> = []
    /// Such keys that may be keys of nested objects, because no record has a value for them.
    var unclear: Set<String> = []
    /// The types of the records, if they are collected.
    var types: FieldShape?
    /// All keys of the batch in order of first appearance, if keys are collected.
    var keys: [String] = []

    init(_ batch: RecordBatch) {
        self.batch = batch
        texts = RecordTexts(batch)
    }

    mutating func add(_ item: Item) { items.append(item) }

    /// Notes which unclear keys the record has.
    mutating func note(_ record: PredicateValue) {
        guard case .dictionary(let fields) = record else { return }
        for key in unclear where fields[key]?.isNil == false {
            unclear.remove(key)
            seen.insert(key)
        }
    }

    mutating func addCount() {
        if case .count(let count)? = items.last {
            items[items.count - 1] = .count(count + 1)
        } else {
            items.append(.count(1))
        }
    }

    mutating func add(text record: BatchRecord) {
        texts.append(record)
        if case .texts(let range)? = items.last {
            items[items.count - 1] = .texts(range.lowerBound..<texts.count)
        } else {
            items.append(.texts((texts.count - 1)..<texts.count))
        }
    }
}

final class FilterWorker {
    private let matcher: Matcher<PredicateValue>
    private let options: ReaderOptions
    private let skipsErrors: Bool
    /// Whether the input is a stream. A stream may run for hours, so each batch gets a new `now()`.
    private let isStream: Bool
    /// The run of the previous batch, with its learned order of terms.
    private var run: MatcherRun?
    private var reader: BatchReader?
    /// The keys that no record has had so far.
    private var unseen: Set<String>
    private let collectsKeys: Bool

    init(
        _ matcher: Matcher<PredicateValue>, _ options: ReaderOptions, unseen: Set<String>, skipsErrors: Bool,
        isStream: Bool, collectsKeys: Bool = false
    ) {
        self.collectsKeys = collectsKeys
        self.unseen = unseen
        self.matcher = matcher
        self.options = options
        self.skipsErrors = skipsErrors
        self.isStream = isStream
    }

    /// Tests the records of a batch. All batches of a worker must come from one source.
    func filter(_ work: FilterWork) -> FilterFindings {
        let reader = reader ?? BatchReader(work.batch.source, options: options, collectsKeys: collectsKeys)
        self.reader = reader
        // Use a local variable, because Swift checks exclusive access to a class property for every record.
        var run = run.take() ?? MatcherRun(matcher)
        defer { if !isStream { self.run = run } }
        var findings = FilterFindings(work.batch)
        if !unseen.isEmpty, work.batch.source.columns.isEmpty {
            findings.seen = unseen.filter { work.batch.mayHave(key: $0) }
            // Only a nested object may have the key. Of a field that is read, a value proves that a record has it.
            findings.unclear = findings.seen.filter { options.fields?.contains($0) ?? true }
            findings.seen.subtract(findings.unclear)
        }
        defer { unseen.subtract(findings.seen) }
        var types = work.checks.isEmpty ? nil : BatchTypes(work.checks, of: work.batch.source.format)
        reader.read(work.batch) { result in
            findings.recordCount += 1
            if !findings.unclear.isEmpty, case .success(let record) = result { findings.note(record.value) }
            switch result {
            case .failure(let problem):
                findings.add(.problem(problem))
                return skipsErrors && !problem.endsInput
            case .success(let record):
                types?.add(record.value)
                do throws(PredicateFailure) {
                    if try run.test(record.value) { add(record, to: &findings, work.goal, reader) }
                } catch {
                    findings.add(.failure(error, line: reader.line))
                    return skipsErrors
                }
                return true
            }
        }
        findings.keys = reader.takeKeys()
        findings.types = types?.shape
        return findings
    }

    private func add(
        _ record: BatchRecord, to findings: inout FilterFindings, _ goal: FilterWork.Goal, _ reader: BatchReader
    ) {
        switch goal {
        case .count: findings.addCount()
        case .texts: findings.add(text: record)
        case .records(let isWhole, let keepsText):
            findings.add(.record(reader.record(record, isWhole: isWhole, keepsText: keepsText)))
        }
    }
}
