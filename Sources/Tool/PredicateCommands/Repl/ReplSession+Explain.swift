// The commands `.explain`, `.tree`, `.format` and `.sql`: the tree and types of a predicate, its SQL, and the part tested in
// memory.

extension ReplSession {
    /// The dialect of the last `.sql`, else that of the source. A source's own dialect also knows its columns, so it is
    /// preferred to a general one of the same name.
    private var dialect: SQLDialect {
        guard let chosenDialect, chosenDialect.name != source.dialect?.name else { return source.dialect ?? .sqlite }
        return chosenDialect
    }

    func showSQL(_ line: CommandLine) throws {
        var rest = line
        if let word = line.words.first, let named = SQLDialect.named(word) {
            chosenDialect = named
            rest = CommandLine(line.name + " " + line.argument.dropFirst(word.count)) ?? line
            if rest.argument.isEmpty, lastText == nil { return try show("\(line.name) \(named.name)") }
        }
        let predicate = try predicateSubject(rest)
        let page: String
        do throws(PredicateFailure) {
            page = try query(predicate, dialect).page(width: width)
        } catch {
            worsen(.refused)
            return try show(error.diagnostics, source: predicate.source)
        }
        try show(page)
    }

    private func query(_ predicate: FormatPredicate, _ dialect: SQLDialect) throws(PredicateFailure) -> SQLQuery {
        let bound = try predicate.substituting(predicateVariables)
        return try bound.sql(dialect, entity: entity, in: source.schema, requireExact: false)
    }

    /// Explains the last predicate, or the predicate on the line, for one record.
    func why(_ line: CommandLine) throws {
        guard let word = line.words.first, let row = Int(word), row > 0 else {
            throw CommandEnd.usage("a row is required: 1 is the first record", hint: ".why 1")
        }
        let rest = CommandLine(line.name + " " + line.argument.dropFirst(word.count)) ?? line
        let predicate = try predicateSubject(rest)
        let records = try all()
        guard row <= records.count else {
            throw CommandEnd.usage("there is no row \(row)", hint: "the last row is \(records.count)")
        }
        let explanation = try interruptible { [predicateVariables, run] in
            try predicate.explanation(for: records[row - 1], variables: predicateVariables, run: run)
        }
        try source.checkFaults(records)
        try show(explanation.description)
    }

    func format(_ line: CommandLine) throws { try show(subject(line).pretty(width: width ?? 80)) }

    func showTree(_ line: CommandLine) throws { try show(subject(line).treeText) }

    func explain(_ line: CommandLine) throws {
        let read = try subject(line)
        var lines: [StyledText] = []
        func section(_ title: String, _ text: [String]) {
            if !lines.isEmpty { lines.append(StyledText()) }
            lines.append(StyledText(title, .bold))
            lines += text.map { StyledText("  " + DisplayText.visible($0, limit: 1 << 16)) }
        }
        section("canonical", [read.canonical])
        section("tree", read.treeText.split(separator: "\n").map(String.init))
        switch read.tree {
        case .expression(let expression):
            if let checker {
                let type = checker.check(expression.root, source: expression.source).type
                section("type", [type.inWords + (type.isOptional ? ", may be nil" : "")])
            }
        case .predicate(let predicate):
            let types = types(in: predicate)
            if !types.isEmpty { section("types", types) }
            // For the source's own dialect, the plan contains the SQL.
            if dialect.name != source.dialect?.name {
                section("sql (\(dialect.name))", sqlLines(predicate))
            }
            // A predicate with errors has no plan; its errors were shown above.
            if !read.hasErrors {
                section("plan", try source.plan(of: selection(predicate, limit: limit), width: indented))
            }
        }
        try show(lines)
    }

    /// The width of the lines of a section.
    private var indented: Int? { width.map { max(20, $0 - 2) } }

    private func sqlLines(_ predicate: FormatPredicate) -> [String] {
        do throws(PredicateFailure) {
            let page = try query(predicate, dialect).page(width: indented)
            return page.split(separator: "\n").map(String.init)
        } catch {
            return error.diagnostics.map { $0.message + ($0.label.map { ": " + $0 } ?? "") }
        }
    }

    /// Every key path of the predicate with its type.
    private func types(in predicate: FormatPredicate) -> [String] {
        guard let checker else { return [] }
        var paths: [String] = []
        PredicateWalker(expression: { node in
            if case .keyPath = node.kind, !paths.contains(node.description) { paths.append(node.description) }
        }).walk(predicate.root)
        let width = paths.map { DisplayText.columns($0) }.max() ?? 0
        return paths.map { path in
            let parsed = FormatExpression.parse(path, in: environment)
            let type = checker.check(parsed).type
            return path.padded(to: width) + "  " + type.inWords
                + (type.isOptional && type != .any ? ", may be nil" : "")
        }
    }
}
