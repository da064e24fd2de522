// The commands of the REPL as data. Help, completion, colours and suggestions read this list. The files
// ReplSession+….swift implement the commands.

import PredicateSyntax

/// A command such as `.mode csv`.
struct DotCommand: Sendable {
    /// The kind of its argument, for completion.
    enum Argument: Sendable {
        case none, files, predicate, key, entity, command, dialect, expression
        case words([String])
    }

    let name: String
    /// The argument in the help.
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
            ".args", "[JSON]", "the arguments for %@, %K …: an array; 'none' takes them away", .words(["none"]),
            run: { try $0.setArguments($1) }),
        DotCommand(".entity", "[NAME]", "which entity predicates are about", .entity, run: { try $0.setEntity($1) }),
        DotCommand(
            ".explain", "[PREDICATE]", "tree, types, SQL, and what stays in memory", .predicate,
            run: { try $0.explain($1) }),
        DotCommand(
            ".format", "[PREDICATE]", "the canonical text, over several lines", .predicate,
            run: { try $0.show($0.subject($1).pretty(width: $0.width ?? 80)) }),
        DotCommand(
            ".help", "[COMMAND|TOPIC]", "this list, one command, or a page about the language", .command,
            run: { try $0.help($1) }),
        DotCommand(
            ".history", "[N|clear]", "what was typed before", .words(["clear"]), run: { try $0.showHistory($1) }),
        DotCommand(
            ".keys", "[PATH]", "the keys of the entity, or of what a path leads to", .key, run: { try $0.showKeys($1) }),
        DotCommand(
            ".let", "[NAME = EXPRESSION]", "a variable, $NAME in predicates; alone, all of them", .expression,
            run: { try $0.setVariable($1) }),
        DotCommand(".limit", "[N]", "records shown at most; 0 is all", run: { try $0.setLimit($1) }),
        DotCommand(
            ".mode", "[MODE]", "how records are shown: " + OutputMode.allCases.map(\.rawValue).joined(separator: ", "),
            .words(OutputMode.allCases.map(\.rawValue)), run: { try $0.setMode($1) }),
        DotCommand(".open", "FILE…", "other records", .files, run: { try $0.open($1) }),
        DotCommand(".quit", "", "leave; so do exit, quit and Ctrl-D", run: { session, _ in session.quit() }),
        DotCommand(".read", "FILE", "run the lines of a file", .files, run: { try $0.read($1) }),
        DotCommand(".sample", "[N]", "the first records", run: { try $0.sample($1) }),
        DotCommand(
            ".save", "FILE", "write what the last predicate selects: .json .jsonl .csv .plist", .files,
            run: { try $0.save($1) }),
        DotCommand(".schema", "[ENTITY]", "entities, keys, types and values", .entity, run: { try $0.showSchema($1) }),
        DotCommand(
            ".sql", "[DIALECT] [PREDICATE]", "the predicate in an engine's SQL", .dialect, run: { try $0.showSQL($1) }),
        DotCommand(
            ".stats", "[KEY…]", "how many, how few, least, greatest, mean", .key, run: { try $0.showStatistics($1) }),
        DotCommand(
            ".timer", "[on|off]", "whether to tell how long it took", .words(["on", "off"]),
            run: { try $0.setTimer($1) }),
        DotCommand(
            ".tree", "[PREDICATE]", "the tree of a predicate", .predicate, run: { try $0.show($0.subject($1).treeText) }
        ),
    ]

    static func named(_ name: String) -> DotCommand? { all.first { $0.name == name } }

    /// The names and summaries of commands, for the help.
    static func help(_ commands: [DotCommand]) -> [(String, String)] {
        commands.map { ($0.name + ($0.usage.isEmpty ? "" : " " + $0.usage), $0.summary) }
    }

    /// The part of the help that is not about commands.
    static let keysHelp = """
        A predicate shows the records for which it is true, an expression its value:
        age * 2 for each record, @avg.age for all of them, 2 + 3 by itself. An input
        goes on in the next line while something is open.

        Tab completes      Ctrl-R searches the history    Alt-Enter breaks the line
        Ctrl-C clears      Ctrl-D leaves                  .help operators

        Topics of .help: \(HelpText.topics)
        """
}
