// `predicate repl`: an interactive prompt for querying records.

extension CommandDescription {
    static let repl = CommandDescription(
        name: "repl", summary: "runs predicates on records at a prompt",
        operands: "[FILE…]", operandCount: 0...Int.max,
        options: [.firstEntity] + OptionDescription.databases + OptionDescription.reading + [
            .asEntity, .example, .extensions, .noExtensions, .timeZone, .noHistory, .noColor, .help,
        ],
        details: """
            Reads JSON, JSON Lines, CSV and property lists; each file is an entity, and --as makes one of all. Folders
            and the options of the input are those of predicate filter. Without a file it reads the sample data. Keys
            and their types come from the records. It also reads a database, such as a SQLite file or an address as in
            fetch; each table is an entity. A predicate prints the records that match, an expression prints its value;
            .help lists the commands. If standard input is not a terminal, its lines are run without prompt and colours.
            """,
        examples: [
            "predicate repl people.json",
            "predicate repl shop.sqlite --entity person",
            "predicate repl logs --as events --file-key day",
            "echo 'age > 30' | predicate repl people.csv",
        ]
    ) { invocation in
        try ReplRun(invocation).run()
    }
}

/// One run of the command: the loop around a session.
private struct ReplRun {
    let invocation: Invocation
    let session: ReplSession

    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        let input = invocation.input
        let isDumb = input.environment["TERM"] == "dumb"
        let terminal = input.isTerminal && !isDumb ? input.terminal() : nil
        let options = try invocation.readerOptions(keepsText: false)
        let inputs = invocation.operands + [invocation[.database]].compactMap(\.self)
        if invocation.has(.example), !inputs.isEmpty {
            throw CommandEnd.usage("--example and files cannot be used together")
        }
        session = try ReplSession(
            names: inputs, example: Example.named(invocation[.example]), input: input,
            output: invocation.output, terminal: terminal,
            colored: !invocation.has(.noColor) && input.environment["NO_COLOR"]?.isEmpty ?? true,
            environment: try invocation.environment(), readerOptions: options,
            historyFile: terminal == nil || invocation.has(.noHistory) ? nil : HistoryFile.standard(input),
            joined: invocation[.asEntity], driver: try invocation.driverOptions())
        session.types = invocation[.types]
        guard let name = invocation[.firstEntity] else { return }
        let names = session.source.entities
        guard names.contains(name) else {
            throw CommandEnd.unknown("there is no entity", name, among: names)
        }
        session.select(entity: name)
    }

    func run() throws -> ExitCode {
        guard let terminal = session.terminal else {
            try session.greet()
            var lines = LineReader {
                try invocation.output.flush()
                return try invocation.input.read()
            }
            let assistant = ReplAssistant(session)
            // A terminal that cannot move its cursor also gets a prompt.
            try session.run { pending in
                if session.isInteractive {
                    let line = pending.isEmpty ? 0 : 1
                    try invocation.output.put(assistant.prompt(line: line, before: pending[...]).uncolored)
                }
                // The terminal echoes the newline that the user types.
                defer { invocation.output.endsLine = true }
                return try lines.line()
            }
            if session.isInteractive, !session.isOver { try invocation.output.line("") }
            return session.isInteractive ? .success : session.code
        }
        defer { terminal.leaveRawMode() }
        try session.note("predicate \(PredicateCommand.version) · \(session.source.name) · .help")
        try session.greet()
        session.history = session.historyFile?.load() ?? History()
        let prompt = Prompt(terminal: terminal, assistant: ReplAssistant(session), colored: session.isColored)
        session.prompt = prompt
        while !session.isOver {
            switch prompt.read(history: session.history) {
            case .input(let text):
                session.remember(text)
                try session.run(text)
            case .interrupted: continue
            case .ended: return .success
            }
        }
        return .success
    }
}
