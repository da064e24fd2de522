// The whole command line as one function, so that tests can run it in their own process. Commands/ has the
// sub-commands; the other files in this folder are shared by them.

/// What commands need of a database. A program without stores has none.
package struct KnownDatabase {
    let schema: PredicateSchema
    let dialect: SQLDialect
    /// What would make a query faster, and the engine's plan of it.
    let plan: (FormatPredicate, _ entity: String, PredicateClock) throws -> (advice: [String], plan: [String])

    package init(
        schema: PredicateSchema, dialect: SQLDialect,
        plan: @escaping (FormatPredicate, String, PredicateClock) throws -> (advice: [String], plan: [String])
    ) {
        (self.schema, self.dialect, self.plan) = (schema, dialect, plan)
    }

    /// Advice and a plan for people.
    package static func lines(_ advice: [String], _ plan: [String]) -> [String] {
        let lines = advice.flatMap { $0.split(separator: "\n").map { "  " + $0 } }
        return (lines.isEmpty ? [] : ["advice:"] + lines) + ["plan:"] + plan.map { "  " + $0 }
    }
}

/// A program of sub-commands: `predicate`, or `predicate-check`, which has fewer. Both print `predicate` as their name.
package struct PredicateCommand: Sendable {
    /// The version printed by `predicate version`.
    package static let version = "0.1.0"

    /// The sub-commands, in the order of the help.
    let commands: [CommandDescription]
    package var commandNames: [String] { commands.map(\.name) }
    /// Reads the database of `--schema NAME`, else of `--database NAME`. Returns nil for another file.
    let database: @Sendable (Invocation, _ name: String) throws -> KnownDatabase?
    let decompressing: CompressedInput.Reading?
    /// Says a predicate in words, with the keys of a schema; nil for a program without `format --words`.
    let inWords: (@Sendable (FormatPredicate, TypeChecker?) -> String)?

    /// The program `predicate-check`, without stores, prompt and decompression.
    package static let check = PredicateCommand(
        commands: [
            .check, .lint, .format, .compare, .eval, .match, .test, .filter, .sql, .lsp, .answer, .explain, .help,
            .version,
        ],
        database: { invocation, name in
            guard !invocation.has(.schema) || invocation.has(.advise) || invocation.input.isDatabase(name) else {
                return nil
            }
            let problem = invocation.has(.advise) ? "--advise needs a database" : "cannot read '\(name)'"
            throw CommandEnd.failure(.failed, "\(problem): predicate-check reads no databases; predicate does")
        }, decompressing: nil, inWords: nil)

    package init(
        commands: [CommandDescription],
        database: @escaping @Sendable (Invocation, String) throws -> KnownDatabase?,
        decompressing: CompressedInput.Reading?, inWords: (@Sendable (FormatPredicate, TypeChecker?) -> String)?
    ) {
        self.commands = commands
        self.database = database
        self.decompressing = decompressing
        self.inWords = inWords
    }

    /// Runs a command line and returns the exit code: 0 success or true, 1 false or no rows, 2 invalid usage, 3
    /// syntax error, 4 refused, 5 failed at run time.
    ///
    ///     PredicateCommand.check.run(["check", "age > 21"], input: .standard, output: .standard)
    ///
    /// - Parameter arguments: the arguments without the program's name.
    package func run(_ arguments: [String], input: CommandInput, output: CommandOutput) -> Int32 {
        do {
            var input = input
            input.decompressing = decompressing
            let code = try dispatch(arguments, input, output)
            try output.flush()
            return code.rawValue
        } catch CommandEnd.outputClosed, OutputProblem.closed {
            return ExitCode.success.rawValue
        } catch CommandEnd.failure(let code, let reason) {
            try? output.note("predicate: \(DisplayText.visible(reason))")
            return code.rawValue
        } catch {
            try? output.note("predicate: \(error)")
            return ExitCode.failed.rawValue
        }
    }

    private func dispatch(
        _ arguments: [String], _ input: CommandInput, _ output: CommandOutput
    ) throws -> ExitCode {
        guard let name = arguments.first else {
            try output.note(HelpText.overview(commands))
            return .usage
        }
        switch name {
        case "--help", "-h": return try dispatch(["help"] + arguments.dropFirst(), input, output)
        case "--version", "-V": return try dispatch(["version"], input, output)
        default: break
        }
        guard let command = commands.first(where: { $0.name == name }) else {
            let kind = name.hasPrefix("-") ? "option" : "command"
            try output.note("predicate: unknown \(kind) '\(DisplayText.visible(name))'")
            try output.note(hint(forCommand: name))
            return .usage
        }
        func failed(_ code: ExitCode, _ reason: String) throws -> ExitCode {
            try output.note("predicate \(name): \(DisplayText.visible(reason))")
            return code
        }
        do {
            let arguments = Array(arguments.dropFirst())
            let options = arguments.prefix { $0 != "--" }
            if options.contains("--help") || options.contains("-h") {
                try output.line(HelpText.page(command))
                return .success
            }
            return try command.run(invocation(of: command, arguments, input, output))
        } catch CommandEnd.usage(let reason, let hint) {
            try output.note("predicate \(name): \(DisplayText.visible(reason))")
            if let hint { try output.note("  " + DisplayText.visible(hint)) }
            try output.note(HelpText.usage(command))
            return .usage
        } catch CommandEnd.failure(let code, let reason) {
            return try failed(code, reason)
        } catch OutputProblem.failed(let reason) {
            return try failed(.failed, reason)
        } catch let problem as RecordProblem {
            return try failed(.failed, problem.description)
        } catch CommandEnd.exit(let code) {
            return code
        }
    }

    /// The parsed arguments of a command. Throws `CommandEnd.usage`.
    package func invocation(
        of command: CommandDescription, _ arguments: [String], _ input: CommandInput, _ output: CommandOutput
    ) throws -> Invocation {
        let (operands, values) = try OptionParser(command: command).parse(arguments)
        return Invocation(
            program: self, command: command, operands: operands, values: values, input: input, output: output)
    }

    private func hint(forCommand name: String) -> String {
        if name.contains(where: \.isWhitespace) { return "  to check a predicate: predicate check '…'" }
        let candidates = name.hasPrefix("-") ? ["--help", "--version"] : commands.map(\.name)
        let suggestion = name.count > 2 ? OptionParser.didYouMean(name, candidates) : nil
        return "  " + (suggestion ?? "'predicate help' lists the commands")
    }
}
