// `predicate check`: checks predicates and shows their errors.

/// The maximum number of lines that are tried as one predicate.
private let onePredicateLines = 100

extension CommandDescription {
    package static let check = CommandDescription(
        name: "check", summary: "checks predicates and shows their errors",
        operands: "[PREDICATE]", operandCount: 0...1,
        options: OptionDescription.schemas + OptionDescription.databases
            + [.profile, .file, .kind, .batch] + OptionDescription.common,
        details: """
            Arguments are optional: without them %@ is any value. Without a predicate and --file, standard input is
            read, one predicate a line. A line that begins with a space goes on with the one before; blank lines and
            lines that begin with // or # and a space are skipped.

            With a schema, keys and types are checked too, and refused constructs are errors. A schema file:
              { "entities": { "Person": { "attributes": { "name": "string", "age": "integer" },
                                          "relationships": { "pets": {"to": "Pet", "many": true} } }, … } }
            Types: boolean integer double decimal string date data uuid url list any. A nullable attribute is written
            {"type": "string", "optional": true}. With "entity": "Person" beside "entities", --entity is optional.

            \(Batch.help)
            """,
        examples: [
            "predicate check 'age >= 21 AND name BEGINSWITH[cd] \"é\"'",
            "predicate check --file rules.txt --output github",
            "predicate check --schema schema.json --entity Person 'ANY pets.name == \"Rex\"'",
        ]
    ) { invocation in
        if let name = invocation[.batch] { return try Batch(invocation).run(name) { Answer(checking: $0.read()) } }
        var reader = try invocation.reader()
        if let checkers = try invocation.typeChecker(reader.environment) {
            (reader.checker, reader.otherVersions) = checkers
        }
        let report = Report(invocation, isResult: true)
        var code = ExitCode.success
        var checked = 0
        var wrong = 0
        var warnings = 0
        // The lines of a file, while they may be one predicate.
        var lines: [String] = []
        try invocation.forEachText { text, file, line in
            if file != nil, lines.count <= onePredicateLines { lines.append(text) }
            let read = reader.read(text)
            let answer = Answer(checking: read, id: file.map { _ in .integer(Int64(line)) })
            if report.format == .json {
                try invocation.output.line(answer.json)
            } else {
                try report.show(read.diagnostics, source: text, file: file, line: line)
            }
            code = code.combined(with: answer.code)
            checked += 1
            wrong += read.hasErrors ? 1 : 0
            warnings += read.diagnostics.count { $0.severity == .warning }
            if report.format == .text, file == nil, !read.hasErrors { try invocation.output.line("ok") }
        }
        if report.format == .text, checked != 1 || invocation.operands.isEmpty {
            let result = Report.summary(wrong: wrong, warnings: warnings)
            try invocation.output.line(
                checked == 0 ? "no predicates" : "\(DisplayText.count(checked, "predicate")), \(result)")
            if wrong > 0, 2...onePredicateLines ~= lines.count,
                !reader.read(lines.joined(separator: "\n")).hasErrors
            {
                try invocation.output.note(
                    "together these lines are one predicate: begin each but the first with a space")
            }
        }
        return code
    }
}

extension Invocation {
    /// A reader that allows unbound arguments and replaces variables.
    package func reader() throws -> TextReader {
        var reader = try textReader(unbound: true)
        reader.substitutions = try variables(reader.environment)
        return reader
    }

    /// Calls `body` for each text: either the operand, or each line of a file or of standard input.
    func forEachText(_ body: (_ text: String, _ file: String?, _ line: Int) throws -> Void) throws {
        if let operand = operands.first {
            guard !has(.file) else { throw CommandEnd.usage("give a predicate or --file, not both") }
            return try body(operand, nil, 1)
        }
        guard let name = self[.file] ?? (input.isTerminal ? nil : "-") else {
            throw CommandEnd.usage("a predicate is required", hint: "predicate \(command.name) 'age > 21'")
        }
        try forEachLine(of: name, body)
    }

    /// Calls `body` for each predicate of a file.
    package func forEachLine(of name: String, _ body: (_ text: String, _ file: String?, _ line: Int) throws -> Void)
        throws
    {
        let shown = name == "-" ? "<stdin>" : name
        var lines = LineReader(try input.source(name))
        try lines.forEachPredicate(of: shown) { try body($0, shown, $1.lowerBound) }
    }
}
