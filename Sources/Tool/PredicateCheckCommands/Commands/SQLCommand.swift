// `predicate sql`: translates a predicate to an engine's SQL and shows the residual.

extension CommandDescription {
    package static let sql = CommandDescription(
        name: "sql", summary: "translates predicates to SQL",
        operands: "PREDICATE", operandCount: 0...1,
        options: [.dialect] + OptionDescription.schemas + OptionDescription.databases + [
            .exact, .sort, .offset, .limit, .countRows, .boundRows, .updateRows, .deleteRows, .allowConstants,
            .clock, .file, .batch, .advise,
        ] + OptionDescription.common,
        details: """
            Prints the statement, the values of its parameters, and whether it selects exactly the matching rows. If
            it selects more, test the residual on each row in memory; the reasons are listed. In that case limit and
            offset are applied in memory too, and --count, --update and --delete are errors; --bounds gives a lower
            and an upper bound of the count. A selection with --sort, --limit or --offset may have a last column
            "__sure"; rows in which it is true need no residual. --update and --delete refuse a condition that does not
            depend on the row.

            --advise needs a database, as --schema or --database. It prints the engine's plan, and the columns and
            indexes that would make the query faster. --output json adds "advice": […] and "plan": […].

            A batch is JSON Lines. A request: {"id"?, "format", "arguments"?: […], "entity"?, "dialect"?}. Its answer:
            {"id", "ok", "canonical", "sql", "from", "statement", "bindings", "exactness", "residual"?, "reasons"?:
            [{"construct", "sentence", "column"?, "start", "end"}], "requires"?: […], "diagnostics"?: […]}. The
            residual is {"format", "arguments"}, with every constant as an argument; eval --batch accepts it.
            """,
        examples: [
            "predicate sql 'age >= 21' --dialect postgresql --schema shop.json --entity Person",
            "predicate sql 'customer == 5 AND total > 200' --schema shop.sqlite --entity orders --advise",
            "predicate sql --batch requests.jsonl --dialect sqlite --schema shop.json --entity Person",
        ]
    ) { invocation in
        let translator = try SQLTranslator(invocation)
        if let name = invocation[.batch] { return try Batch(invocation).run(name, translator.answer) }
        let text = try invocation.text()
        var reader = try invocation.textReader(unbound: false)
        reader.substitutions = try invocation.variables(reader.environment)
        let report = Report(invocation)
        let read = reader.read(text)
        var answer = try translator.answer(read, dialect: nil, entity: nil)
        let found = answer.query == nil ? nil : try translator.plan(read)
        if let found {
            for (name, lines) in [("advice", found.advice), ("plan", found.plan)] {
                answer.members.append((name, JSON.text(.array(lines.map { .string($0) }))))
            }
        }
        if report.format == .json {
            try invocation.output.line(answer.json)
        } else {
            try report.show(answer.diagnostics, source: answer.source, file: invocation[.file])
            let width = invocation.output.isTerminal ? invocation.output.width : nil
            if let query = answer.query { try invocation.output.put(query.page(answer.statement, width: width)) }
            for line in found.map({ KnownDatabase.lines($0.advice, $0.plan) }) ?? [] {
                try invocation.output.line(DisplayText.visible(line))
            }
        }
        return answer.code
    }
}

/// The options of `sql`.
private struct SQLTranslator {
    private let schema: SchemaOption
    private let dialect: SQLDialect?
    private let isExact: Bool
    private let request: SQLQuery.Request?
    private let clock: PredicateClock
    private let allowsConstants: Bool
    private let advises: Bool

    init(_ invocation: Invocation) throws {
        guard let schema = try invocation.schemaOption(try invocation.environment()) else {
            throw CommandEnd.usage("a schema is required", hint: "--schema FILE names the entities and their tables")
        }
        self.schema = schema
        let named = try invocation[.dialect].map { name in
            guard let dialect = SQLDialect.named(name) else {
                let names = SQLDialect.all.map(\.name)
                throw CommandEnd.unknown(
                    "unknown dialect", name, among: names, else: "the dialects are " + names.joined(separator: ", "))
            }
            return dialect
        }
        dialect = named ?? schema.database?.dialect
        isExact = invocation.has(.exact)
        request = try invocation.sqlRequest()
        clock = try invocation.clock()
        allowsConstants = invocation.has(.allowConstants)
        advises = invocation.has(.advise)
        if advises {
            guard let database = schema.database else {
                throw CommandEnd.usage("--advise needs a database", hint: "--schema FILE.sqlite or --database DB")
            }
            guard !invocation.has(.batch) else { throw CommandEnd.usage("--advise takes one predicate, not --batch") }
            guard dialect?.name == database.dialect.name else {
                throw CommandEnd.usage("--advise is about the dialect of the database, \(database.dialect.name)")
            }
        }
        guard !invocation.has(.batch) else { return }
        guard dialect != nil else { throw CommandEnd.usage("a dialect is required", hint: "--dialect sqlite") }
        do throws(NoEntity) { _ = try schema.entityName() } catch { throw error.end }
    }

    /// The engine's plan, and what would make the query faster; nil without `--advise`.
    func plan(_ text: PredicateText) throws -> (advice: [String], plan: [String])? {
        guard advises, let database = schema.database, case .predicate(let predicate) = text.tree else { return nil }
        return try database.plan(predicate, schema.entityName(), clock)
    }

    /// Answers one request of a batch.
    func answer(_ request: Request) throws -> Answer {
        let fields = RequestFields(request.fields)
        let named = try fields.text("dialect").map { name in
            guard let dialect = SQLDialect.named(name) else { throw RequestProblem("unknown dialect '\(name)'") }
            return dialect
        }
        return try answer(request.read(), dialect: named, entity: try fields.text("entity"))
    }

    func answer(_ text: PredicateText, dialect named: SQLDialect?, entity name: String?) throws -> Answer {
        guard !text.hasErrors else { return Answer(checking: text) }
        guard case .predicate(let predicate) = text.tree else {
            throw RequestProblem("sql takes a predicate, not an expression")
        }
        guard let dialect = named ?? dialect else { throw RequestProblem("\"dialect\" or --dialect is required") }
        let entity: String
        do throws(NoEntity) {
            entity = try schema.entityName(name)
        } catch {
            throw RequestProblem(error.message)
        }
        return Answer(
            translating: predicate, text.warned(by: try? schema.checker(entity: entity)), dialect, entity,
            schema.schema, request, clock, requireExact: isExact,
            allowingConstantComparisons: allowsConstants, option: OptionDescription.allowConstants.name)
    }
}

extension SQLQuery {
    /// The text form for people.
    /// - Parameter width: the width of the terminal, for laying out the statement; nil prints it on one line.
    package func page(_ request: SQLStatement? = nil, width: Int? = nil) -> String {
        var lines = [request?.text ?? statement]
        let bindings = request?.bindings ?? bindings
        let requires = request?.requires ?? requires
        if !bindings.isEmpty { lines.append("bindings: " + bindings.map(TaggedJSON.text).joined(separator: ", ")) }
        lines.append("exactness: " + exactness)
        if let residual { lines.append("residual: \(residual)") }
        lines += reasons.map { "  \($0)" }
        lines += request?.sortReasons.map(\.description) ?? []
        if request?.hasCertain == true { lines.append(SQLStatement.sureNote) }
        if let request, !request.isLimited { lines.append("limit and offset are kept in memory") }
        lines += requires.map { "requires: \($0)" }
        let statement = width.map { SQLLayout.text(lines[0], width: $0) } ?? lines[0]
        return statement + "\n" + lines.dropFirst().map { DisplayText.visible($0, limit: 1 << 20) + "\n" }.joined()
    }
}

extension SQLStatement {
    package static let sureNote = "rows whose \(sureColumn) is true need no residual"
}
