// `predicate format`: prints a predicate in canonical form, over several lines, as a tree, or without its
// values.

extension CommandDescription {
    package static let format = CommandDescription(
        name: "format", summary: "prints predicates in their canonical spelling",
        operands: "[PREDICATE]", operandCount: 0...1,
        options: [
            .pretty, .width, .tree, .checkSpelling, .redact, .simplify, .know, .knowAs, .schema, .entity, .file,
            .kind, .batch, .words,
        ] + OptionDescription.common,
        details: """
            The canonical text is that of NSPredicate's predicateFormat. Without a predicate and --file, standard
            input is read, one predicate per line.

            --simplify and --know keep the answer and the failure for every object. A term that may fail keeps its
            position. With --schema fewer terms may fail, so more is simplified. --know replaces keys of the object.
            With --know-as user it replaces $user.tenant, and tenant stays the key of the object.

            --tree --output json prints the tree as JSON, with the position of each node. A JSON Schema describes this
            form: tree.schema.json, beside the grammar in the folder Grammar of the project.

            \(Batch.help)
            """,
        examples: [
            "predicate format 'name beginswith[dc] $x && !(done = yes)'",
            "predicate format --tree 'ANY tags IN {\"a\", \"b\"}'",
            "predicate format 'age > $limit' --variables '{\"limit\": 21}'",
            "predicate format --redact 'name == \"Ada\" AND age > 36'",
            "predicate format --simplify 'age IN {3, 1} OR age == 2'",
            "predicate format --know '{\"tenant\": 5}' 'tenant == owner OR public == YES'",
            "predicate format --check --file rules.txt --output github",
        ]
    ) { invocation in
        let shape = try FormatShape(invocation)
        let simplifies = [OptionDescription.simplify, .know].first { invocation.has($0) }
        guard !invocation.has(.batch) || shape == .canonical && simplifies == nil else {
            throw CommandEnd.usage("--batch prints only the canonical text")
        }
        if let simplifies, shape == .check {
            throw CommandEnd.usage("--check and \(simplifies.name) cannot be used together")
        }
        if let name = invocation[.batch] { return try Batch(invocation).run(name) { Answer(checking: $0.read()) } }
        if invocation.has(.knowAs), !invocation.has(.know) { throw CommandEnd.usage("--know-as needs --know") }
        var reader = try invocation.reader()
        reader.simplification = try invocation.simplification(reader.environment)
        reader.checker = try invocation.typeChecker(reader.environment)?.checker
        let report = Report(invocation)
        if shape == .words, invocation.program.inWords == nil {
            throw CommandEnd.usage("predicate-check has no words; predicate does")
        }
        var code = ExitCode.success
        if shape == .redacted { return try invocation.printRedacted(reader) }
        try invocation.forEachText { text, file, line in
            var read = reader.read(text)
            if shape == .check { read.compareSpelling() }
            var answer = Answer(checking: read, id: file.map { _ in .integer(Int64(line)) })
            if answer.canonical != nil { answer.canonical = read.canonical }
            if shape == .tree { answer.tree = read.treeValue }
            code = code.combined(with: answer.code)
            if report.format == .json { return try invocation.output.line(answer.json) }
            // Warnings are shown by `check`; here they would mix with the printed lines.
            let shown = read.diagnostics.filter {
                $0.severity == .error || $0.id == .notCanonical || $0.id == .knownKey
            }
            try report.show(shown, source: text, file: file, line: line)
            guard !read.hasErrors else { return }
            if shape == .words, case .predicate(let predicate) = read.tree, let inWords = invocation.program.inWords {
                return try invocation.output.line(inWords(predicate, reader.checker))
            }
            guard let printed = shape.print(read) else { return }
            try invocation.output.line(printed)
        }
        return code
    }
}

/// The output form.
private enum FormatShape: Equatable {
    case canonical, tree, check, redacted, words
    case pretty(width: Int)

    init(_ invocation: Invocation) throws {
        let chosen = [OptionDescription.pretty, .tree, .checkSpelling, .redact, .words].filter { invocation.has($0) }
        guard chosen.count <= 1 else {
            throw CommandEnd.usage("\(chosen[0].name) and \(chosen[1].name) cannot be used together")
        }
        guard !invocation.has(.width) || invocation.has(.pretty) else {
            throw CommandEnd.usage("--width needs --pretty")
        }
        switch chosen.first {
        case OptionDescription.pretty: self = .pretty(width: try invocation.count(.width) ?? 80)
        case OptionDescription.tree: self = .tree
        case OptionDescription.checkSpelling: self = .check
        case OptionDescription.redact: self = .redacted
        case OptionDescription.words: self = .words
        default: self = .canonical
        }
    }

    func print(_ text: PredicateText) -> String? {
        switch self {
        case .canonical, .words: text.canonical
        case .tree: text.treeText
        case .pretty(let width): text.pretty(width: width)
        case .redacted: text.redacted
        case .check: nil
        }
    }
}

extension Invocation {
    /// Prints the format of each text without its values. If a text cannot be parsed, prints only the line and the
    /// error ID, because the text and the message may contain data.
    fileprivate func printRedacted(_ reader: TextReader) throws -> ExitCode {
        var code = ExitCode.success
        try forEachText { text, file, line in
            let read = reader.read(text)
            code = code.combined(with: read.code)
            let first = read.diagnostics.first { $0.severity == .error }
            if Report(self).format == .json {
                let id: [(String, PredicateValue)] = file == nil ? [] : [("id", .integer(Int64(line)))]
                let answer: [(String, PredicateValue)] =
                    first.map { [("ok", .bool(false)), ("error", .string($0.id.rawValue))] }
                    ?? [("ok", .bool(true)), ("redacted", .string(read.redacted))]
                return try output.line(JSON.text(.object(id + answer)))
            }
            if let first {
                let place = file.map { "\($0):\(line):" } ?? ""
                return try output.note("\(place)\(first.span.start + 1): error[\(first.id.rawValue)]")
            }
            try output.line(read.redacted)
        }
        return code
    }
}
