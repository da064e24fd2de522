// `predicate schema`: writes the schema of records or of a database, for `--schema`.

import PredicateModel
import PredicateRecords
import PredicateSyntax

extension CommandDescription {
    static let schema = CommandDescription(
        name: "schema", summary: "writes the schema of records or of a database",
        operands: "FILE…", operandCount: 1...Int.max,
        options: [.from, .at, .delimiter, .types, .help],
        details: """
            Reads all records of JSON, JSON Lines, CSV or property lists, or the tables of a SQLite database, and prints
            their keys and types as a schema file. check, sql, lint and fetch take it by --schema.
            """,
        examples: ["predicate schema people.json > people-schema.json", "predicate schema shop.sqlite"]
    ) { invocation in
        guard !invocation.operands.isEmpty else {
            throw CommandEnd.usage("a file is required", hint: "predicate schema people.json")
        }
        var options = try invocation.readerOptions()
        options.keepsText = false
        let source = try DataSources.open(invocation.operands, invocation.input, options)
        if let problem = (source as? MemorySource)?.problems.first {
            throw CommandEnd.failure(.failed, problem.description)
        }
        for warning in (source as? SQLiteSource)?.warnings ?? [] {
            try invocation.output.note(DisplayText.visible(warning))
        }
        try invocation.output.line(SchemaText.text(source.schema, isDatabase: source.dialect != nil))
        return .success
    }
}
