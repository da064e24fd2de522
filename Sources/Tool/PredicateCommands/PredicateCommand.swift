// The program `predicate`, with all sub-commands. Commands/ has those that need stores or the prompt, and
// PredicateCheckCommands the others.
import PredicateEditor

extension PredicateCommand {
    /// All sub-commands, in the order of the help.
    static let commands: [CommandDescription] = [
        .check, .lint, .format, .compare, .eval, .why, .filter, .match, .test, .sql, .fetch, .schema, .migrate,
        .importRecords, .repl, .complete, .lsp, .answer, .explain, .completions, .help, .version,
    ]

    /// The program `predicate`.
    package static let predicate = PredicateCommand(
        commands: commands,
        database: { invocation, name in
            let address =
                invocation.has(.schema)
                ? name == "-" ? nil : DatabaseAddress(name, invocation.input) : try invocation.database()
            return try address.map { try DatabaseSource(name, $0).known }
        }, decompressing: Decompressor.reader,
        inWords: { predicate, checker in
            predicate.sentence(fields: checker.flatMap { try? EditorFields($0.schema, entity: $0.entity) })
        })

    /// Runs a command line of `predicate`.
    package static func run(_ arguments: [String], input: CommandInput, output: CommandOutput) -> Int32 {
        predicate.run(arguments, input: input, output: output)
    }
}
