// Runs the predicates and expressions typed at the prompt.

extension ReplSession {
    // MARK: Reading

    private var reader: TextReader {
        var reader = TextReader()
        reader.environment = environment
        reader.arguments = .bound(arguments?.values ?? [])
        reader.checker = checker
        reader.clock = clock
        return reader
    }

    var predicateVariables: PredicateVariables { PredicateVariables(variables.mapValues { $0.value }) }

    var run: PredicateRun {
        var run = PredicateRun(clock: clock.seconds)
        run.endWithTask()
        return run
    }

    /// Returns a reader for expressions.
    ///
    /// - Parameter overAll: whether the expressions refer to all records; then the type checker is not used.
    func expressionReader(overAll: Bool) -> TextReader {
        var reader = reader
        reader.kind = .expression
        if overAll { reader.checker = nil }
        return reader
    }

    /// The last input if it was a predicate, else one that every record matches.
    var lastPredicate: FormatPredicate {
        if let lastText, case .predicate(let last) = parsed(lastText).tree { return last }
        return .constant(true)
    }

    /// Parses the text as a predicate, else as an expression. If both fail, returns the errors of the predicate.
    func parsed(_ text: String) -> PredicateText { parsed(text, reader) }

    private func parsed(_ text: String, _ reader: TextReader) -> PredicateText {
        let predicate = reader.read(text)
        guard predicate.hasErrors else { return predicate }
        var reader = reader
        reader.kind = .expression
        let expression = reader.read(text)
        guard predicate.code == .syntax, expression.code != .syntax else { return predicate }
        return checkedOverAll(expression) ?? expression
    }

    /// Parses an expression that refers to all records, and reports keys that no record has. The type checker cannot do
    /// this, because it knows only the keys of one record. nil for other expressions.
    private func checkedOverAll(_ text: PredicateText) -> PredicateText? {
        guard case .expression(let expression) = text.tree, expression.root.isAboutAll else { return nil }
        var text = text.withoutFindings
        if checker != nil { text.add(expression.root.unknownKeys(of: entity, in: source.schema)) }
        return text
    }

    /// The diagnostics to show while typing. Missing arguments are not errors yet.
    func findings(in text: String) -> [PredicateDiagnostic] {
        var reader = reader
        if arguments == nil { reader.arguments = .unbound }
        return parsed(text, reader).diagnostics
    }

    /// The text for a command: its argument or the last query, whose warnings were shown before. Shows schema errors but
    /// returns the text anyway.
    func subject(_ line: CommandLine) throws -> PredicateText {
        guard let text = line.argument.isEmpty ? lastText : line.argument else {
            throw CommandEnd.usage("there is no last predicate", hint: "\(line.name) age > 21")
        }
        let read = parsed(text)
        worsen(read.code)
        let isNew = !line.argument.isEmpty
        try show(read.diagnostics.filter { isNew || $0.severity == .error }, source: text)
        if read.code == .syntax { throw CommandEnd.exit(read.code) }
        return read
    }

    /// The predicate for a command. Throws for an expression.
    func predicateSubject(_ line: CommandLine) throws -> FormatPredicate {
        let read = try subject(line)
        if read.hasErrors { throw CommandEnd.exit(read.code) }
        guard case .predicate(let predicate) = read.tree else {
            throw CommandEnd.usage("this is an expression; \(line.name) takes a predicate")
        }
        return predicate
    }

    // MARK: Running

    func query(_ text: String) throws {
        let read = parsed(text)
        // The types of a database come from its tables.
        var hint = TypeHint(option: ".types ")
        if let memory = source as? MemorySource, memory.isOfCSV(entity) {
            hint.domain = { [entity] in memory.domain(of: $0, in: entity) }
        }
        try show(source.dialect == nil ? hint.adding(to: read.diagnostics, of: read) : read.diagnostics, source: text)
        guard !read.hasErrors else { return worsen(read.code) }
        lastText = text
        switch read.tree {
        case .predicate(let predicate): try select(predicate)
        case .expression(let expression): try evaluate(expression, read)
        }
    }

    /// - Parameter isOrdered: false for all records in no order.
    func selection(_ predicate: FormatPredicate, limit: Int?, isOrdered: Bool = true) throws -> Selection {
        if isOrdered, let key = sort.order.readers.first(where: \.isAboutAll) {
            throw CommandEnd.usage(
                "the sort key '\(key.text)' is a value of several records; it orders the groups of .group",
                hint: ".sort none")
        }
        var selection = Selection(entity: entity, predicate: predicate)
        selection.variables = predicateVariables
        selection.run = run
        if isOrdered { selection.sort = sort.order }
        selection.limit = limit
        selection.isCancelled = { [unowned self] in isCancelled }
        selection.tellSlowness = { [unowned self] in try? note($0) }
        return selection
    }

    private func select(_ predicate: FormatPredicate) throws {
        let clock = ContinuousClock()
        let start = clock.now
        let answer = try source.select(selection(predicate, limit: limit))
        let time = clock.now - start
        try show(records: answer.records)
        try source.checkFaults(answer.records)
        if answer.wasCancelled { throw CancellationError() }
        try tellFailures(answer)
        try note(answer, time)
    }

    /// Prints how many records could not be tested, and the first failure.
    private func tellFailures(_ answer: SelectedRecords) throws {
        guard let (index, failure) = answer.firstFailure else { return }
        worsen(.failed)
        let count = DisplayText.count(answer.failed, "record")
        try note("\(count) cannot be tested" + (index.map { "; the first is record \($0 + 1)" } ?? ""), .error)
        try show(failure.diagnostics, source: failure.source)
    }

    /// Prints `12 of 25 records` if the session is interactive or some records are not shown.
    private func note(_ answer: SelectedRecords, _ time: Duration) throws {
        let isCut = answer.records.count < answer.count
        guard isInteractive || showsTime || isCut else { return }
        guard let total = try source.count(of: entity, isCancelled: { isCancelled }) else { throw CancellationError() }
        var text = "\(answer.count) of \(DisplayText.count(total, "record"))"
        if isCut { text += ", the first \(answer.records.count) shown (.limit 0 shows all)" }
        if showsTime { text += ", \(Self.text(time))" }
        try note(text)
    }

    /// The time as text: `0.004 s`.
    static func text(_ time: Duration) -> String {
        let micros = time.components.seconds * 1_000_000 + time.components.attoseconds / 1_000_000_000_000
        let digits = String(micros % 1_000_000 / 100)
        return "\(micros / 1_000_000)." + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + " s"
    }

    /// Prints the value of an expression. An expression without keys has one value. An aggregate such as `@avg.age` has
    /// one value for all records. Any other expression has one value for each record.
    private func evaluate(_ expression: FormatExpression, _ read: PredicateText) throws {
        let checker = expression.root.isAboutAll ? reader.checker?.ofLists : reader.checker
        let compiled = try CompiledExpression(
            checker.map { expression.reading(by: $0) } ?? expression, variables: predicateVariables, run: run)
        func value(_ object: PredicateValue) throws -> PredicateValue {
            try interruptible { try compiled.value(of: object) }
        }
        if !read.syntaxTree.readsRecords { return try show(value: value(.null)) }
        if expression.root.isAboutAll {
            let records = try all(keys: expression.root.keysOfRecord(isAggregate: true))
            let value = try value(.array(records))
            try source.checkFaults(records)
            return try show(value: value)
        }
        let answer = try selected(selection(.constant(true), limit: limit))
        let name = DisplayText.visible(read.source, limit: 60)
        try show(rows: rows(of: answer.records, [OutputKey(heading: name, compiled)]), as: mode)
        if answer.records.count < answer.count { try note(answer, .zero) }
    }

    /// Selects every record.
    /// - Parameter keys: the keys that will be read; nil means all.
    func all(keys: Set<String>? = nil) throws -> [PredicateValue] {
        var selection = try selection(.constant(true), limit: nil, isOrdered: false)
        selection.keys = keys
        return try selected(selection).records
    }

    /// Selects records. Throws `CancellationError` if the user presses Ctrl-C.
    func selected(_ selection: Selection) throws -> SelectedRecords {
        let answer = try source.select(selection)
        if answer.wasCancelled { throw CancellationError() }
        return answer
    }

    /// Shows one value: a list of objects as records, a date in ISO 8601, any other value as JSON.
    private func show(value: PredicateValue) throws {
        let value = value.withoutObjects
        if case .array(let elements) = value, !elements.isEmpty, !Columns.names(of: elements).isEmpty {
            return try show(rows: elements, as: mode)
        }
        var text = value.isNil ? "nil" : JSON.text(value)
        if case .date(let seconds) = value { text = CalendarDate.iso8601(seconds) ?? text }
        try show([StyledText(DisplayText.visible(text, limit: 1 << 20))])
    }
}
