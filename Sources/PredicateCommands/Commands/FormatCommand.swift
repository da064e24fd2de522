// `predicate format`: the same predicate in its canonical spelling, over several lines, or as a tree.

import PredicateSyntax

extension OptionDescription {
    static let pretty = OptionDescription("--pretty", "over several lines, indented")
    static let tree = OptionDescription("--tree", "the tree instead of the text")
}

extension CommandDescription {
    static let format = CommandDescription(
        name: "format", summary: "prints predicates in their canonical spelling",
        operands: "[PREDICATE]", operandCount: 0...1,
        options: [.pretty, .tree, .files, .kind, .batch] + OptionDescription.common,
        details: """
            The canonical text is what NSPredicate's predicateFormat says. Without a predicate and without --file, standard
            input is read, one predicate a line.

            \(Batch.help)
            """,
        examples: [
            "predicate format 'name beginswith[dc] $x && !(done = yes)'",
            "predicate format --tree 'ANY tags IN {\"a\", \"b\"}'",
            "predicate format 'age > $limit' --variables '{\"limit\": 21}'",
        ]
    ) { invocation in
        guard !(invocation.has(.pretty) && invocation.has(.tree)) else {
            throw CommandEnd.usage("--pretty and --tree exclude each other")
        }
        if let name = invocation[.batch] { return try Batch(invocation).run(name) { Answer(checking: $0.read()) } }
        let reader = try invocation.reader()
        let report = Report(invocation)
        var code = ExitCode.success
        try invocation.forEachText { text, file, line in
            let read = reader.read(text)
            let answer = Answer(checking: read, id: file.map { _ in .integer(Int64(line)) })
            code = code.combined(with: answer.code)
            if report.form == .json { return try invocation.output.line(answer.json) }
            // A finding that is no error is `check`'s to tell; here it would stand between the lines.
            try report.show(read.diagnostics.filter { $0.severity == .error }, source: text, file: file, line: line)
            guard !read.hasErrors else { return }
            try invocation.output.line(
                invocation.has(.tree) ? read.treeText : invocation.has(.pretty) ? read.pretty : read.canonical)
        }
        return code
    }
}
