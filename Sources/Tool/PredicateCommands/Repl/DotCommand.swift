// The commands of the prompt as data. Help, completion, colours and suggestions read this list. The files
// ReplSession+….swift implement the commands.

/// A command such as `.mode csv`.
struct DotCommand: Sendable {
    /// The kind of its argument, for completion.
    enum Argument: Sendable {
        case none, files, predicate, key, entity, command, dialect, expression
        case words([String])
        /// Keys and expressions separated by commas, or one of the given words.
        case keys([String])
    }

    let name: String
    /// The argument as shown in the help.
    let usage: String
    let summary: String
    let argument: Argument
    let run: @Sendable (ReplSession) -> (CommandLine) throws -> Void

    init(
        _ name: String, _ usage: String, _ summary: String, _ argument: Argument,
        _ run: @escaping @Sendable (ReplSession) -> (CommandLine) throws -> Void
    ) {
        (self.name, self.usage, self.summary) = (name, usage, summary)
        (self.argument, self.run) = (argument, run)
    }

    /// Words that are commands without a dot.
    static let bareWords: Set = ["help", "exit", "quit"]

    /// All commands in alphabetical order.
    static let all: [DotCommand] = [
        .init(
            ".args", "[JSON]", "set the arguments for %@, %K …: an array, or none", .words(["none"]),
            ReplSession.setArguments),
        .init(
            ".columns", "[KEYS]", "choose the columns, keys or expressions; or all", .keys(["all"]),
            ReplSession.setColumns),
        .init(".edit", "[PREDICATE]", "edit the last predicate in $EDITOR, then run it", .predicate, ReplSession.edit),
        .init(".entity", "[NAME]", "choose the entity that predicates select", .entity, ReplSession.setEntity),
        .init(
            ".explain", "[PREDICATE]", "print tree, types, SQL, and what is tested in memory", .predicate,
            ReplSession.explain),
        .init(".format", "[PREDICATE]", "print the canonical text over several lines", .predicate, ReplSession.format),
        .init(
            ".group", "KEYS", "count the matches of the last predicate by keys; .group city, @avg.age", .keys([]),
            ReplSession.group),
        .init(".help", "[COMMAND|TOPIC]", "print this list, a command or a topic", .command, ReplSession.help),
        .init(".history", "[N|clear]", "print the history", .words(["clear"]), ReplSession.showHistory),
        .init(".keys", "[PATH]", "list the keys of an entity, or of the object at a path", .key, ReplSession.showKeys),
        .init(
            ".let", "[NAME = EXPRESSION]", "set the variable $NAME, or list all variables", .expression,
            ReplSession.setVariable),
        .init(".limit", "[N]", "limit the records shown; 0 for all", .none, ReplSession.setLimit),
        .init(
            ".mode", "[MODE]",
            "choose how records are shown: " + OutputMode.allCases.map(\.rawValue).joined(separator: ", "),
            .words(OutputMode.allCases.map(\.rawValue)), ReplSession.setMode),
        .init(".open", "FILE…", "open other records; takes --at, --null … of predicate repl", .files, ReplSession.open),
        .init(".quit", "", "leave, as do exit, quit and Ctrl-D", .none, ReplSession.quit),
        .init(".read", "FILE", "run the lines of a file", .files, ReplSession.read),
        .init(".sample", "[N]", "print the first records", .none, ReplSession.sample),
        .init(
            ".save", "FILE", "write the matches of the last predicate: .json .jsonl .csv .plist", .files,
            ReplSession.save),
        .init(".schema", "[ENTITY]", "print entities, keys, types and values", .entity, ReplSession.showSchema),
        .init(
            ".sort", "[KEYS]", "sort by keys and expressions: name[cd], -age; or none", .keys(["none"]),
            ReplSession.setSort),
        .init(".sql", "[DIALECT] [PREDICATE]", "print the predicate as SQL", .dialect, ReplSession.showSQL),
        .init(".stats", "[KEY…]", "print counts, minimum, maximum and mean of keys", .key, ReplSession.showStatistics),
        .init(".tables", "", "list the entities and count their records", .none, ReplSession.showTables),
        .init(".timer", "[on|off]", "print the time of each command", .words(["on", "off"]), ReplSession.setTimer),
        .init(".tree", "[PREDICATE]", "print the tree of a predicate", .predicate, ReplSession.showTree),
        .init(
            ".types", "[KEY=TYPE,…]", "read fields as these types: born=date; or none", .keys(["none"]),
            ReplSession.setTypes),
        .init(
            ".why", "ROW [PREDICATE]", "print why a record matches or not, and what would change it", .predicate,
            ReplSession.why),
    ]

    static func named(_ name: String) -> DotCommand? { all.first { $0.name == name } }

    /// The names and summaries of commands for the help.
    static func help(_ commands: [DotCommand]) -> [(String, String)] {
        commands.map { ($0.name + ($0.usage.isEmpty ? "" : " " + $0.usage), $0.summary) }
    }

    /// The second part of the help: what a predicate and an expression print, and the keyboard shortcuts.
    static let keysHelp = """
        A predicate prints the records that match, an expression prints its value:
        age * 2 for each record, @avg.age for all of them, 2 + 3 alone. An input
        continues on the next line while a bracket or a quote is open.

        Tab completes      Ctrl-R searches the history    Alt-Enter breaks the line
        Ctrl-C clears      Ctrl-D leaves                  .help operators

        Topics of .help: \(HelpText.topics)
        """
}
