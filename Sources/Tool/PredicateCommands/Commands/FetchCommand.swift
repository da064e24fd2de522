// `predicate fetch`: selects the rows of a database that match a predicate.

extension CommandDescription {
    static let fetch = CommandDescription(
        name: "fetch", summary: "selects the rows of a database",
        operands: "PREDICATE", operandCount: 0...1,
        options: OptionDescription.databases + [
            .table, .databaseSchema, .columnTypes, .keys, .group, .having, .distinct, .sort, .offset, .limit,
            .countOnly, .rowsTo, .onError, .explainPlan, .whyRow, .verify, .clock, .file, .noExtensions,
        ] + OptionDescription.common,
        details: """
            The database evaluates what SQL can express exactly; the rest is tested in memory on the rows that SQL returns.
            The result is that of `predicate filter` on the same objects. Foreign keys are relationships: if the table
            orders has a column person_id, each order has the key person, and each person has the to-many key orders.

            Other databases than SQLite are opened over a driver of ADBC, a shared library of your system: duckdb:FILE
            over libduckdb, postgresql://… over libadbc_driver_postgresql, sc://… over libadbc_driver_spark. --driver
            names another library, and --option sets its options. The tables are those of the current schema.

            Details in a schema file that the tables do not state are assumed to be true. --verify needs no predicate
            but a SQLite database; it reads all rows and prints each difference: missing tables and columns, values of
            another type or out of range, values in another form than the schema requires, keys that refer to no row or
            to several. The exit code is 1 if a difference changes results; a collation does not.

            --sort takes keys and expressions, and name[cd] to ignore case and accents, :nils-first and :nils-last. The
            exit code is 1 if no row is selected. As in `predicate filter`, a row for which the predicate cannot be
            evaluated in memory ends the run, and --on-error skip counts such rows; rows for which SQL cannot evaluate
            it are not selected.

            --group counts rows by keys, as in `predicate filter`; the database does it if all is exact in SQL. --having
            and --distinct are those of `predicate filter` too.

            --why explains one row as `predicate why` explains an object, and says whether the SQL returns the row and
            what is tested in memory. Its exit code is that of `predicate why`, and 1 if there is no such row.
            """,
        examples: [
            "predicate fetch 'age >= 21' --database shop.sqlite --entity person --sort name --limit 10",
            "predicate fetch 'ANY orders.total > 100' --database shop.sqlite --entity person --to csv",
            "predicate fetch 'name CONTAINS[cd] \"e\"' --database shop.sqlite --entity person --explain",
            "predicate fetch 'age >= 21' --database shop.sqlite --entity person --why 3",
            "predicate fetch 'age >= 21' --database postgresql://localhost/shop --entity person",
        ]
    ) { invocation in
        invocation.has(.verify) ? try verify(invocation) : try FetchRun(invocation).run()
    }
}

/// The option `--verify`: prints one line for each violation.
private func verify(_ invocation: Invocation) throws -> ExitCode {
    guard let store = try FetchRun.open(invocation, invocation.textReader(unbound: false).environment) as? SQLiteStore
    else { throw CommandEnd.usage("--verify reads SQLite databases only") }
    let violations = try CommandEnd.failed { () throws(StoreFailure) in try store.violations(sample: nil) }
    if violations.isEmpty { try invocation.output.note("no differences") }
    let isJSON = Report(invocation).format == .json
    for violation in violations {
        try invocation.output.line(
            isJSON ? JSON.text(violation.fields) : DisplayText.visible(violation.description, limit: 1 << 20))
    }
    return violations.contains { $0.changesResults } ? .negative : .success
}

extension StoreViolation {
    fileprivate var fields: PredicateValue {
        var fields: [(String, PredicateValue)] = [("kind", .string(kind.rawValue)), ("table", .string(table))]
        if let column { fields.append(("column", .string(column))) }
        fields.append(("message", .string(description)))
        if let rows { fields.append(("rows", .integer(Int64(rows)))) }
        if let firstRow { fields.append(("firstRow", .integer(firstRow))) }
        return .object(fields)
    }
}

/// One run of the command.
struct FetchRun {
    let invocation: Invocation
    let report: Report
    private let text: PredicateText
    private let checker: TypeChecker?
    private let predicate: FormatPredicate
    let store: any DatabaseStore
    let request: StoreRequest
    private let keys: [OutputKey]?
    private let groups: RecordGroups?
    let skipsErrors: Bool

    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        report = Report(invocation)
        var reader = try invocation.textReader(unbound: false)
        reader.substitutions = try invocation.variables(reader.environment)
        reader.clock = RunClock()
        let text = reader.read(try invocation.text())
        // A name that AS gives to a column is its expression.
        let named = try (invocation.outputKeys(reader, [:]) ?? invocation.groupColumns(reader, [:]))
            .filter { $0.heading != $0.text }
        let sort = try (invocation.sortKeys() ?? []).map { key in
            var key = key
            key.path = named.first { $0.heading == key.path }?.path.name ?? key.path
            return key.substituting(reader)
        }
        let isGrouped = invocation.isGrouped
        if let key = sort.first(where: { $0.path.hasPrefix("@") }), !isGrouped {
            throw CommandEnd.usage("'\(key.path)' is a value of all rows; --sort takes values of each row")
        }
        let limit = try invocation.count(.limit)
        let offset = try invocation.count(.offset) ?? 0
        guard case .predicate(let predicate) = text.tree, !text.hasErrors else {
            try report.show(text.diagnostics, source: text.source, file: invocation[.file])
            throw CommandEnd.exit(text.code)
        }
        self.predicate = predicate
        let opened = try Self.open(invocation, reader.environment)
        let entity = try Self.entity(invocation, opened)
        store = try invocation.typed(opened, entity).map { try invocation.database()?.open($0) ?? opened } ?? opened
        request = StoreRequest(
            entity, where: predicate, sort: isGrouped ? [] : sort, limit: isGrouped ? nil : limit,
            offset: isGrouped ? 0 : offset, clock: try invocation.clock())
        reader.checker = try? TypeChecker(schema: store.schema, entity: request.entity, in: reader.environment)
        checker = reader.checker
        self.text = text.warned(by: checker)
        let shown = try invocation.outputKeys(reader, reader.substitutions)
        let order = try RecordOrder(isGrouped ? sort : []) { try OutputKey($0, reader, reader.substitutions) }
        groups = try invocation.recordGroups(showing: shown, order, reader, reader.substitutions)
        keys = isGrouped ? nil : shown
        skipsErrors = invocation[.onError] == "skip"
    }

    fileprivate static func open(_ invocation: Invocation, _ environment: PredicateEnvironment) throws
        -> any DatabaseStore
    {
        guard let database = try invocation.database() else {
            throw CommandEnd.usage("a database is required", hint: "--database FILE.sqlite")
        }
        if let name = invocation[.database], !invocation.has(.driver), RecordFormat.isNamed(name) {
            throw CommandEnd.usage(
                "'\(name)' is a file of records, not a database",
                hint: OptionParser.recordsAdvice(invocation.operands.first ?? "…", name, takesDatabase: true))
        }
        let schema = invocation.has(.schema) ? try invocation.schemaOption(environment)?.schema : nil
        let store = try database.open(schema)
        for warning in schema == nil ? store.warningsOfUnreadableTables() : [] {
            try invocation.output.note(DisplayText.visible(warning))
        }
        return store
    }

    static func entity(_ invocation: Invocation, _ store: any DatabaseStore) throws -> String {
        if let name = invocation[.table] ?? store.schema.defaultEntity { return name }
        let names = store.schema.entityNames
        throw CommandEnd.usage(
            names.isEmpty ? "the database has no tables" : "the database has several tables; name one",
            hint: names.isEmpty ? nil : "--entity NAME, one of " + names.joined(separator: ", "))
    }

    func run() throws -> ExitCode {
        do {
            if invocation.has(.explainPlan) { return try explain() }
            if let key = invocation[.whyRow] { return try explain(rowWithKey: key) }
            if invocation.has(.countOnly) { return try writeCount() }
            return try groups.map(writeGroups) ?? write()
        } catch let failure as StoreFailure {
            if case .request(let findings) = failure {
                // Errors of options have no position in the predicate's text. A warning that became an error is shown
                // once.
                let isAboutText = findings.source == text.source
                if !isAboutText { try showWarnings() }
                let shown = isAboutText ? text.diagnostics(after: findings, checker) : findings.diagnostics
                try report.show(shown, source: findings.source, file: invocation[.file])
                return .refused
            }
            throw CommandEnd.failure(.failed, failure.description)
        }
    }

    func showWarnings() throws {
        try report.show(text.diagnostics, source: text.source, file: invocation[.file])
    }

    // MARK: Rows

    private func writeCount() throws -> ExitCode {
        var skipped = SkippedRecords()
        var count = 0
        let plan = try store.plan(request)
        let slow = slowNotice(plan)
        if plan.residual == nil {
            count = try slow.wait { () throws(StoreFailure) in try store.count(request) }
        } else {
            let cursor = try slow.wait { () throws(StoreFailure) in try store.cursor(plan) }
            while canGoOn(cursor), try slow.wait({ () throws(StoreFailure) in try cursor.next() }) != nil { count += 1 }
            guard try tell(cursor.failures, &skipped) else { return .failed }
        }
        try showWarnings()
        try invocation.output.line(String(count))
        for line in skipped.summary("row") { try invocation.output.note(line) }
        return count > 0 ? .success : .negative
    }

    private func write() throws -> ExitCode {
        let plan = try store.plan(request)
        let slow = slowNotice(plan)
        let cursor = try slow.wait { () throws(StoreFailure) in try store.cursor(plan) }
        let names = keys?.map(\.heading) ?? store.schema.attributeNames(of: request.entity)
        try checkKeys()
        try showWarnings()
        var options = WriterOptions(format: invocation[.rowsTo].flatMap(RecordFormat.init(rawValue:)) ?? .json)
        options.keys = names.map { FieldPath($0) }
        let output = invocation.output
        let writer = output.recordWriter(options)
        var table = invocation.outputMode(.rowsTo, isFinite: true).map { RowTable($0, output) }
        let shape = ValueDictionary.Shape(names)
        var skipped = SkippedRecords()
        var isGood = true
        var count = 0
        while isGood, canGoOn(cursor), let object = try slow.wait({ () throws(StoreFailure) in try cursor.next() }) {
            var values: [PredicateValue] = []
            do throws(PredicateFailure) {
                let record = PredicateValue.object(ObjectReference(object))
                values =
                    try keys?.map { (key) throws(PredicateFailure) in try key.value(in: record) }
                    ?? names.map { object.value(at: $0).withoutObjects }
            } catch {
                if let failure = error.storeFailure { throw failure }
                isGood = skipsErrors
                if !skipsErrors || skipped.add(error) {
                    try writer.flush()
                    try output.note("an expression of --keys cannot be evaluated for a row")
                    try report.show(error.diagnostics, source: error.source)
                }
                continue
            }
            try object.checkFaults()
            let row = PredicateValue.dictionary(ValueDictionary(shape: shape, values: values))
            count += 1
            if table == nil { try writer.write(row) } else { try table?.add(row) }
        }
        if table == nil { try writer.finish() } else { try table?.flush() }
        isGood = try tell(cursor.failures, &skipped) && isGood
        for line in skipped.summary("row") { try output.note(line) }
        return !isGood ? .failed : count > 0 ? .success : .negative
    }

    func slowNotice(_ plan: FetchPlan) -> SlowNotice {
        let output = invocation.output
        guard let text = plan.slowness else { return SlowNotice(tell: nil) }
        return SlowNotice {
            for line in text.split(separator: "\n") { try? output.note(DisplayText.visible(String(line))) }
        }
    }

    func canGoOn(_ cursor: FetchCursor) -> Bool { skipsErrors || cursor.failures.count == 0 }

    /// Reports the rows that could not be tested. Returns whether the command succeeds: there are no such rows, or they
    /// are skipped.
    func tell(
        _ failures: (count: Int, first: PredicateFailure?), _ skipped: inout SkippedRecords
    ) throws -> Bool {
        guard let first = failures.first else { return true }
        try invocation.output.note("the predicate cannot be evaluated for a row")
        let shown = first.source == text.source ? text.advising(first.diagnostics, by: checker) : first.diagnostics
        try report.show(shown, source: first.source)
        return skipsErrors && skipped.add(first, count: failures.count)
    }

    /// Reports unknown keys of `--keys` as errors instead of writing nil for them.
    func checkKeys() throws {
        guard let keys = groups?.readers ?? keys else { return }
        for key in keys where !(key.findings + key.problems).isEmpty {
            throw StoreFailure.request(PredicateFailure(key.findings + key.problems, source: key.path.name))
        }
        var findings = try keys.filter { !$0.isExpression }.compactMap {
            try store.schema.finding(key: PredicateSortKey($0.path.name, in: $0.environment), of: request.entity)
        }
        for key in keys where key.isAboutAll {
            findings += key.root?.unknownKeys(of: request.entity, in: store.schema) ?? []
        }
        if !findings.isEmpty { throw StoreFailure.request(PredicateFailure(findings, source: "")) }
    }

    // MARK: Explaining

    private func explain() throws -> ExitCode {
        guard report.format == .json else {
            let lines = try store.explanation(
                of: request, width: invocation.output.isTerminal ? invocation.output.width : nil)
            try showWarnings()
            if predicate.asksTimeZone || text.diagnostics.contains(where: { $0.id == .typedText }) {
                try invocation.output.line("time zone: \(predicate.environment.zone)")
            }
            try invocation.output.put(lines.map { DisplayText.visible($0, limit: 1 << 20) + "\n" }.joined())
            return .success
        }
        let plan = try store.plan(request)
        let steps = try store.steps(of: plan.statement)
        try showWarnings()
        func list(_ texts: [String]) -> String { JSON.text(.array(texts.map { .string($0) })) }
        var fields = ["\"statement\":" + JSON.text(.string(plan.statement.text))]
        fields.append("\"bindings\":[" + plan.statement.bindings.map(TaggedJSON.text).joined(separator: ",") + "]")
        if let residual = plan.residual {
            fields.append("\"residual\":" + TaggedJSON.text(ExactForm(residual.root)))
        }
        let advice = try store.advice(of: plan, request, steps)
        if !advice.isEmpty { fields.append("\"advice\":" + list(advice)) }
        fields.append("\"memory\":" + list(plan.reasons) + ",\"plan\":" + list(steps))
        try invocation.output.line("{" + fields.joined(separator: ",") + "}")
        return .success
    }
}

extension PredicateSchema {
    fileprivate func attributeNames(of entity: String) -> [String] {
        lineage(of: entity).flatMap { $0.attributes.map(\.name) }
    }
}
