// One run of `predicate filter 'age > 30' people.csv`. In: the options, the predicate and the inputs. Out: the records
// that match, and the exit code. If people.csv has the lines `name,age`, `Ada,36` and `Bo,20`, the output is `name,age`
// and `Ada,36`, and the code is 0.
//
// RecordRun reads the inputs, of which the predicate needs only the field `age`; a FilterTester on each thread tests
// batches of records; FilterRun takes what the testers found, in the order of the input; FilterOutput writes it.

final class FilterRun: RecordConsumer {
    private let invocation: Invocation
    private let run: RecordRun
    private let predicate: PredicateText
    private let matcher: PredicateMatcher<PredicateValue>
    private var output: FilterOutput
    /// Tests the records that are not in batches.
    private var singleTester: FilterTester
    /// The types of the CSV columns of the files, if there are several.
    private var columnTypes: [String: [CSVColumnType?]] = [:]
    /// Whether the current input can be read again.
    private var isFile = false
    /// Whether the types of a CSV file are inferred from its start. Those of several files are known before.
    private var infersFromStart = false
    /// The number of notes before the current input.
    private var earlierNotes = 0

    /// Reads the options and compiles the predicate. Throws for any error in them.
    init(_ invocation: Invocation) throws {
        let invocation = try invocation.readingDates()
        self.invocation = invocation
        run = try RecordRun(invocation)
        var reader = try invocation.textReader(unbound: false)
        reader.clock = run.clock
        predicate = reader.read(try invocation.text(otherOperands: true))
        let variables = try invocation.variables(reader.environment)
        output = try FilterOutput(invocation, reader, variables)
        matcher = try invocation.compile(predicate, variables: variables, run.report)
        singleTester = FilterTester(matcher, nil, RecordOrder(), skipsErrors: run.skipsErrors)
        run.findings.types = RecordTypes([RecordCheck(predicate, file: invocation[.file])])
        let readers = output.readers
        let read = readers.reduce(into: Set(readers.map(\.path.name))) { $0.formUnion($1.reads ?? []) }
        run.options.fields = matcher.rootKeys.map { $0.union(read).sorted() }
        // An expression may have another value for the same texts: random().
        if let keys = output.groups?.keys, !keys.contains(where: \.isExpression) {
            run.options.keyFields = keys.flatMap { [$0.path.name] + ($0.reads ?? []).sorted() }
        }
        // Unowned, because this object owns the run, which is the only one that calls the closure.
        run.flush = { [unowned self] in try output.flush() }
        expectKeys()
    }

    private func expectKeys() {
        for key in matcher.rootKeys?.sorted() ?? [] { run.findings.presence.expect([[key]]) }
        let sorted = output.groups == nil ? output.order.readers : []
        for key in sorted { run.findings.presence.expect([[key.path.name], key.reads ?? []], by: .sort) }
        for name in run.options.types.names { run.findings.presence.expect(path: name, by: .types) }
        for key in output.groups?.readers ?? output.keys ?? [] {
            run.findings.presence.expect([[key.path.name], key.reads ?? []], by: .keys)
        }
    }

    func filter() throws -> ExitCode {
        let code = try filterInputs()
        try run.showSkipped()
        return code
    }

    private func filterInputs() throws -> ExitCode {
        let names = try invocation.inputNames()
        run.options.decidesAllColumns = decidesAllColumns(names)
        columnTypes = try invocation.columnTypes(of: names, run.options)
        infersFromStart = names.filter(invocation.input.isFile).count < 2
        output.columns = try OutputColumns(invocation, names, run.options, threads: run.threads)
        var failed = false
        // With --limit 0 the first input is read too, to determine the output format.
        for name in names where !failed && (!isFull || output.source == nil) { failed = try !filter(name) }
        return try finish(hasFailed: failed)
    }

    /// Writes what waited for the end of the inputs, and returns the exit code.
    private func finish(hasFailed: Bool) throws -> ExitCode {
        var failed = hasFailed
        let isWhole = !failed && !isFull
        if isWhole, output.writesAtEnd, try reportMissingKeys() {
            try output.finish(hasFailed: true)
            return .refused
        }
        if invocation.has(.countOnly) {
            try invocation.output.line(String(output.emitted))
        } else {
            if !failed || !output.columns.holdsNothing { try output.settle(isWhole: isWhole) }
            var sorted = output.sorted()[...]
            while !failed, let waiting = sorted.first {
                let count = try output.writeTexts(of: sorted)
                sorted = sorted.dropFirst(max(1, count))
                if count > 0 { continue }
                let record = try output.read(waiting)
                failed = try !attempt(record) { try output.write(record) }
            }
            if !failed, try !output.writeGroups() { failed = true }
            try output.finish(hasFailed: failed)
        }
        if failed { return .failed }
        if try run.findings.types.show(in: run.report), invocation.has(.strict) { return .refused }
        if isWhole, !output.writesAtEnd, try reportMissingKeys() { return .refused }
        return output.emitted > 0 ? .success : .negative
    }

    /// Whether the output shows typed values of all fields, not only of those that the predicate reads.
    private func decidesAllColumns(_ names: [String]) -> Bool {
        guard output.keys == nil, output.groups == nil, !invocation.has(.countOnly) else { return output.readsWhole }
        return names.count > 1 || invocation.output.isTerminal || invocation[.to].map { $0 != "csv" } ?? false
    }

    /// Reports keys that no record has. Returns whether one of them is an error.
    private func reportMissingKeys() throws -> Bool {
        if invocation.has(.lenient) { return false }
        var isError = false
        for (option, key, message) in run.findings.presence.missing() {
            let fails = option == .keys || option == .sort || invocation.has(.strict)
            let reader = fails ? output.readers.first { $0.path.name == key } : nil
            if let reader, !reader.problems.isEmpty {
                try run.report.show(reader.problems, source: key)
            } else {
                try run.note((fails ? "error: " : "warning: ") + message)
            }
            isError = isError || fails
        }
        return isError
    }

    // MARK: Inputs

    /// Thrown if a field does not fit the type of its column, and the file can be read again.
    private struct ColumnMisfit: Error {}

    /// Filters one input. Returns false if an error ends the run.
    ///
    /// The types of CSV columns are inferred from the start of the file. If a later field does not fit, and nothing has
    /// been written yet, the types are inferred from the whole file, and it is filtered again.
    private func filter(_ name: String) throws -> Bool {
        let place = name == "-" ? invocation.input.descriptor.flatMap(SystemFile.place) : nil
        func open() throws -> RecordReader {
            invocation.input.move(to: place)
            return try invocation.open(name, run.options)
        }
        run.options.columnTypes = columnTypes[name]
        let reader = try output.columns.takeReader(name) ?? open()
        output.begin(reader, isCSV: name != "-" && RecordFormat(path: name) == .csv)
        isFile = reader.totalBytes != nil
        earlierNotes = run.noteCount
        // Copied at the next change, with all groups and sorted records, so it is kept only if it may be needed.
        let earlier = infersFromStart ? (output: output, findings: run.findings) : nil
        do {
            return try filter(reader)
        } catch let misfit as ColumnMisfit {
            guard let earlier else { throw misfit }
            let known = run.options.columnTypes
            defer { run.options.columnTypes = known }
            run.options.columnTypes = try open().columnTypes()
            let again = try open()
            output.goBack(to: earlier.output, again)
            run.findings = earlier.findings
            return try filter(again)
        }
    }

    private func filter(_ reader: RecordReader) throws -> Bool {
        defer { output.note(reader.source) }
        if isFull { _ = reader.next() }
        return try run.read(reader, for: self)
    }

    /// Whether the current input can be filtered again, because no output of it has been written.
    private var canRestart: Bool {
        infersFromStart && isFile && run.options.columnTypes == nil && run.noteCount == earlierNotes && output.canGoBack
    }

    // MARK: Records

    var tester: @Sendable () -> FilterTester {
        { [matcher, skipsErrors = run.skipsErrors, makeReader = output.groups?.makeReader, order = output.order] in
            FilterTester(matcher, makeReader?(), order, skipsErrors: skipsErrors)
        }
    }

    var isFull: Bool { output.isFull }
    var collectsKeys: Bool { output.columns.collected != nil }

    func goal(for source: RecordInput) -> FilterTester.Goal {
        output.columns.note(source)
        return FilterTester.Goal(form: output.form(for: source), bound: output.bound)
    }

    func take(_ part: FilteredRecords, of findings: BatchFindings<FilteredRecords>) throws -> Bool {
        let source = findings.batch.source
        output.columns.add(findings.keys)
        output.add(count: part.count)
        if part.groups.count > 0 { try output.add(part.groups) }
        if !part.places.isEmpty { output.add(part.places, fields: part.sortFields) }
        if part.texts.count > 0 { try output.write(part.texts, from: source) }
        for record in part.records where !isFull {
            if try !attempt(record, { try output.add(record) }) { return false }
        }
        if isFull { return true }
        if let problem = part.problem { return try take(problem) }
        return try part.failure.map { try report($0.failure, source, line: $0.line, index: 0) } ?? true
    }

    func take(_ record: Record, ofStream: Bool) throws -> Bool {
        output.columns.add(record.value)
        if ofStream { singleTester = tester() }
        return try attempt(record) { if try singleTester.test(record.value) { try output.add(record) } }
    }

    /// Tests or writes a record. Returns false if that fails and ends the run.
    private func attempt(_ record: Record, _ body: () throws -> Void) throws -> Bool {
        do {
            try body()
            return true
        } catch let failure as PredicateFailure {
            return try report(failure, record.source, line: record.line, index: record.index)
        }
    }

    func take(_ problem: RecordProblem) throws -> Bool {
        if problem.misfit != nil, canRestart { throw ColumnMisfit() }
        return try run.take(problem)
    }

    /// Reports an evaluation error with the position of the record. Returns whether to continue.
    private func report(_ failure: PredicateFailure, _ source: RecordInput, line: Int, index: Int) throws -> Bool {
        if run.skipsErrors, !run.findings.skipped.add(failure) { return true }
        let place = line > 0 ? ":\(line)" : ", record \(index + 1)"
        let isKey = failure.source != predicate.source
        let isSort = output.order.readers.contains { $0.path.name == failure.source }
        let option = invocation.has(.group) ? "--group" : isSort ? "--sort" : "--keys"
        let subject = isKey ? "expression of \(option)" : "predicate"
        try run.note("\(source.name)\(place): the \(subject) cannot be evaluated")
        let advised =
            isKey
            ? TypeHint(option: "--types ").adding(to: failure.diagnostics, ofKey: failure.source)
            : run.findings.types.advising(failure.diagnostics, of: predicate)
        try run.report.show(advised, source: failure.source)
        return run.skipsErrors
    }
}

/// Selected records of a batch, up to one that cannot be read or tested.
struct FilteredRecords: BatchOutput {
    var count = 0
    /// The unchanged texts of the records.
    var texts: RecordTexts
    var records: [Record] = []
    /// For `--group`, the keys and values of the records.
    var groups = GroupBatch()
    /// For `--sort`, the places of the records, and the values of the sort keys of all of them.
    var places: [RecordPlace] = []
    var sortFields: [PredicateValue] = []
    var failure: (failure: PredicateFailure, line: Int)?
    var problem: RecordProblem?

    init(_ batch: RecordBatch) { texts = RecordTexts(batch) }
}

struct FilterTester: RecordTester {
    /// A struct, because testing a form with a bound in it would count references for each record.
    struct Goal: Sendable {
        let form: Form
        /// Sorted records that do not precede it are dropped.
        let bound: SortBound?
    }

    enum Form: Sendable {
        /// The number of records that match.
        case count
        /// The unchanged texts of records that match.
        case texts
        /// The values of records that match, with the wanted fields or all fields.
        case records(isWhole: Bool, keepsText: Bool)
        /// The keys and values of records that match, for groups.
        case groups(isWhole: Bool)
        /// The places of records that match, to sort them.
        case sorted(isWhole: Bool)

        var isFolded: Bool {
            switch self {
            case .groups, .sorted: true
            case .count, .texts, .records: false
            }
        }
    }

    private var run: PlanRun
    private var groups: GroupReader?
    private var order: [ColumnReader]
    /// The values of the sort keys of the last record.
    private var fields: [PredicateValue]
    private let skipsErrors: Bool

    init(
        _ matcher: PredicateMatcher<PredicateValue>, _ groups: GroupReader?, _ order: RecordOrder, skipsErrors: Bool
    ) {
        run = PlanRun(matcher)
        self.groups = groups
        self.order = order.readers.map(\.reader)
        fields = order.readers.map { _ in .null }
        self.skipsErrors = skipsErrors
    }

    mutating func test(
        _ record: BatchRecord, _ reader: BatchReader, _ goal: Goal, _ findings: inout BatchFindings<FilteredRecords>
    ) -> Bool {
        do throws(PredicateFailure) {
            guard try test(record.value) else { return true }
            if goal.form.isFolded {
                try fold(record, reader, goal, &findings)
                return true
            }
        } catch {
            findings.end { $0.failure = (error, reader.line) }
            return skipsErrors
        }
        findings.update { part in
            switch goal.form {
            case .count: part.count += 1
            case .texts: part.texts.append(record)
            case .records(let isWhole, let keepsText):
                part.records.append(reader.record(record, isWhole: isWhole, keepsText: keepsText))
            case .groups, .sorted: break
            }
        }
        return true
    }

    /// Adds a record to groups, or keeps its place and its sort keys. Not inlined: in its caller, it would
    /// make a copy of every record.
    @inline(never)
    private mutating func fold(
        _ record: BatchRecord, _ reader: BatchReader, _ goal: Goal, _ findings: inout BatchFindings<FilteredRecords>
    ) throws(PredicateFailure) {
        func value(_ isWhole: Bool) -> PredicateValue {
            isWhole ? reader.record(record, isWhole: true, keepsText: false).value : record.value
        }
        switch goal.form {
        case .groups(let isWhole):
            let value = value(isWhole)
            try findings.update { (part) throws(PredicateFailure) in
                try groups?.add(value, number: record.number, to: &part.groups)
            }
        case .sorted(let isWhole):
            let value = value(isWhole)
            for index in order.indices { fields[index] = try order[index].value(in: value) }
            findings.update { part in
                part.count += 1
                if goal.bound?.admits(fields) ?? true {
                    part.places.append(reader.place(of: record))
                    part.sortFields += fields
                }
            }
        case .count, .texts, .records: break
        }
    }

    mutating func test(_ record: PredicateValue) throws(PredicateFailure) -> Bool { try run.test(record) }
}
