// The commands of the prompt as data. Help, completion, colours and suggestions read this list. The files
// ReplSession+….swift implement the commands.

import PredicateSyntax

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
    let run: @Sendable (ReplSession, CommandLine) throws -> Void

    init(
        _ name: String, _ usage: String = "", _ summary: String, _ argument: Argument = .none,
        run: @escaping @Sendable (ReplSession, CommandLine) throws -> Void
    ) {
        self.name = name
        self.usage = usage
        self.summary = summary
        self.argument = argument
        self.run = run
    }

    /// Words that are commands without a dot.
    static let bareWords: Set = ["help", "exit", "quit"]

    /// All commands in alphabetical order.
    static let all: [DotCommand] = [
        DotCommand(
            ".args", "[JSON]", "set the arguments for %@, %K …: an array, or none", .words(["none"]),
            run: { try $0.setArguments($1) }),
        DotCommand(
            ".columns", "[KEYS]", "choose the columns, keys or expressions; or all", .keys(["all"]),
            run: { try $0.setColumns($1) }),
        DotCommand(
            ".edit", "[PREDICATE]", "edit the last predicate in $EDITOR, then run it", .predicate,
            run: { try $0.edit($1) }),
        DotCommand(
            ".entity", "[NAME]", "choose the entity that predicates select", .entity, run: { try $0.setEntity($1) }),
        DotCommand(
            ".explain", "[PREDICATE]", "print tree, types, SQL, and what is tested in memory", .predicate,
            run: { try $0.explain($1) }),
        DotCommand(
            ".format", "[PREDICATE]", "print the canonical text over several lines", .predicate,
            run: { try $0.show($0.subject($1).pretty(width: $0.width ?? 80)) }),
        DotCommand(
            ".group", "KEYS", "count the matches of the last predicate by keys; .group city, @avg.age", .keys([]),
            run: { try $0.group($1) }),
        DotCommand(
            ".help", "[COMMAND|TOPIC]", "print this list, a command or a topic", .command,
            run: { try $0.help($1) }),
        DotCommand(
            ".history", "[N|clear]", "print the history", .words(["clear"]), run: { try $0.showHistory($1) }),
        DotCommand(
            ".keys", "[PATH]", "list the keys of the entity, or of the object at a path", .key,
            run: { try $0.showKeys($1) }),
        DotCommand(
            ".let", "[NAME = EXPRESSION]", "set the variable $NAME, or list all variables", .expression,
            run: { try $0.setVariable($1) }),
        DotCommand(".limit", "[N]", "limit the records shown; 0 for all", run: { try $0.setLimit($1) }),
        DotCommand(
            ".mode", "[MODE]",
            "choose how records are shown: " + OutputMode.allCases.map(\.rawValue).joined(separator: ", "),
            .words(OutputMode.allCases.map(\.rawValue)), run: { try $0.setMode($1) }),
        DotCommand(".open", "FILE…", "open other records", .files, run: { try $0.open($1) }),
        DotCommand(".quit", "", "leave, as do exit, quit and Ctrl-D", run: { session, _ in session.quit() }),
        DotCommand(".read", "FILE", "run the lines of a file", .files, run: { try $0.read($1) }),
        DotCommand(".sample", "[N]", "print the first records", run: { try $0.sample($1) }),
        DotCommand(
            ".save", "FILE", "write the matches of the last predicate: .json .jsonl .csv .plist", .files,
            run: { try $0.save($1) }),
        DotCommand(
            ".schema", "[ENTITY]", "print entities, keys, types and values", .entity, run: { try $0.showSchema($1) }),
        DotCommand(
            ".sort", "[KEYS]", "sort by keys and expressions: name[cd], -age; or none", .keys(["none"]),
            run: { try $0.setSort($1) }),
        DotCommand(
            ".sql", "[DIALECT] [PREDICATE]", "print the predicate as SQL", .dialect, run: { try $0.showSQL($1) }),
        DotCommand(
            ".stats", "[KEY…]", "print counts, minimum, maximum and mean of keys", .key,
            run: { try $0.showStatistics($1) }),
        DotCommand(".tables", "", "list the entities", run: { session, _ in try session.showTables() }),
        DotCommand(
            ".timer", "[on|off]", "print the time of each command", .words(["on", "off"]),
            run: { try $0.setTimer($1) }),
        DotCommand(
            ".tree", "[PREDICATE]", "print the tree of a predicate", .predicate,
            run: { try $0.show($0.subject($1).treeText) }
        ),
        DotCommand(
            ".types", "[KEY=TYPE,…]", "read fields as these types: born=date; or none", .keys(["none"]),
            run: { try $0.setTypes($1) }),
        DotCommand(
            ".why", "ROW [PREDICATE]", "print why a record matches or not, and what would change it", .predicate,
            run: { try $0.why($1) }),
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
