// `predicate complete`: prints the completions at a position in a predicate, for editors and shells.

extension CommandDescription {
    static let complete = CommandDescription(
        name: "complete", summary: "lists the completions at a position in a predicate",
        operands: "PREDICATE [FILE…]", operandCount: 0...Int.max,
        options: [.cursor, .schema, .entity] + OptionDescription.reading + [.asEntity, .extensions, .output, .help],
        details: """
            Lists keys, operators for the type of the key, options, functions and values. Keys, types and values come
            from a schema, from files of records or from a database; without one, only operators and functions
            are listed. Each line is a candidate: text, kind and meaning, separated by tabs. The JSON form is
            {"start", "end", "candidates": [{"text", "kind", "detail"?, "suffix"?}]}; a candidate replaces the bytes
            from start to end, and the suffix is the text that usually follows.
            """,
        examples: [
            "predicate complete 'age BE' --schema schema.json --entity Person",
            "predicate complete 'city == ' people.json --output json",
        ]
    ) { invocation in
        guard let text = invocation.operands.first else {
            throw CommandEnd.usage("a predicate is required", hint: "predicate complete 'age '")
        }
        let cursor = try invocation.count(.cursor) ?? text.utf8.count
        guard cursor <= text.utf8.count else {
            throw CommandEnd.usage("--cursor is past the end of the text, which has \(text.utf8.count) bytes")
        }
        let completer = try invocation.completer()
        let found = completer.candidates(for: text, at: cursor)
        if invocation[.output] == "json" {
            try invocation.output.line(JSON.text(found.json))
        } else {
            for candidate in found.items { try invocation.output.line(candidate.line) }
        }
        return found.items.isEmpty ? .negative : .success
    }
}

extension Invocation {
    fileprivate func completer() throws -> Completer {
        var completer = Completer()
        completer.environment = try environment()
        let files = Array(operands.dropFirst())
        if !files.isEmpty {
            guard !has(.schema) else { throw CommandEnd.usage("give --schema or files of records, not both") }
            let source = try DataSources.open(files, input, try readerOptions(), as: self[.asEntity])
            let entity = self[.entity] ?? source.entities.first ?? ""
            guard source.schema.entity(entity) != nil else {
                throw CommandEnd.unknown("there is no entity", entity, among: source.entities)
            }
            completer.schema = source.schema
            completer.entity = entity
            completer.domain = { source.domain(of: $0, in: entity) }
        } else if let schema = try schemaOption(completer.environment) {
            completer.schema = schema.schema
            do throws(NoEntity) { completer.entity = try schema.entityName() } catch { throw error.end }
        }
        return completer
    }
}

extension PredicateCompletion {
    /// The candidate as a line of text, for people and shells.
    fileprivate var line: String {
        DisplayText.visible(text) + "\t" + kind.rawValue + (detail.isEmpty ? "" : "\t" + DisplayText.visible(detail))
    }
}
