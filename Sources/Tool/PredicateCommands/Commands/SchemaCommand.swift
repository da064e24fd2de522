// `predicate schema`: writes the schema of records or of a database, for `--schema`.

extension CommandDescription {
    static let schema = CommandDescription(
        name: "schema", summary: "writes the schema of records or of a database",
        operands: "[FILE…]", operandCount: 0...Int.max,
        options: OptionDescription.databases + OptionDescription.reading + [.asEntity, .help],
        details: """
            Reads all records of JSON, JSON Lines, CSV or property lists, or the tables of a database, and prints their
            keys and types as a schema file. check, sql, lint and fetch take it by --schema. Each file is an entity;
            --as makes one of all. Folders and the options of the input are those of predicate filter.
            """,
        examples: [
            "predicate schema people.json > people-schema.json", "predicate schema shop.sqlite",
            "predicate schema postgresql://localhost/shop",
        ]
    ) { invocation in
        let names = invocation.operands + [invocation[.database]].compactMap(\.self)
        guard !names.isEmpty else {
            throw CommandEnd.usage("a file is required", hint: "predicate schema people.json")
        }
        let options = try invocation.readerOptions(keepsText: false)
        let source = try DataSources.open(
            names, invocation.input, options, as: invocation[.asEntity], driver: try invocation.driverOptions())
        if let problem = (source as? MemorySource)?.problems.first {
            throw CommandEnd.failure(.failed, problem.description)
        }
        for warning in (source as? DatabaseSource)?.warnings ?? [] {
            try invocation.output.note(DisplayText.visible(warning))
        }
        try invocation.output.line(SchemaText.text(source.schema, isDatabase: source.dialect != nil))
        return .success
    }
}
