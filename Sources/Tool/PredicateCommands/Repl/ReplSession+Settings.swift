// The commands that change or show settings.

extension ReplSession {
    func help(_ line: CommandLine) throws {
        guard let name = line.words.first else {
            let keys = "\n\(DotCommand.keysHelp)".split(separator: "\n", omittingEmptySubsequences: false)
            return try show(Self.table(DotCommand.help(DotCommand.all)) + keys.map { StyledText(String($0)) })
        }
        let topic = HelpTopic.named(name)
        let command = DotCommand.named(name.hasPrefix(".") ? name : "." + name)
        // A name such as `keys` may be both a topic and a command.
        if let command { try show(Self.table(DotCommand.help([command]))) }
        if let topic { return try show((command == nil ? "" : "\n") + topic.page) }
        guard command != nil else {
            let names = HelpTopic.all.map(\.name) + DotCommand.all.map(\.name)
            throw CommandEnd.usage(
                "there is no command and no topic '\(name)'",
                hint: OptionParser.didYouMean(name, names) ?? OptionParser.didYouMean("." + name, names))
        }
    }

    /// A table of names and explanations.
    private static func table(_ rows: [(String, String)]) -> [StyledText] {
        let width = rows.map { DisplayText.columns($0.0) }.max() ?? 0
        return rows.map { name, text in
            var row = StyledText(name, .keyword)
            row.append(String(repeating: " ", count: width - DisplayText.columns(name)) + "  " + text)
            return row
        }
    }

    /// Returns the word that the user chose. Without an argument, prints the current one and returns nil.
    private func choose(_ line: CommandLine, _ present: String, _ choices: [String]) throws -> String? {
        guard let word = line.words.first else {
            try show("\(line.name) \(present)")
            return nil
        }
        guard choices.contains(word) else {
            throw CommandEnd.unknown("\(line.name) cannot be", word, among: choices)
        }
        return word
    }

    func setMode(_ line: CommandLine) throws {
        if let word = try choose(line, mode.rawValue, OutputMode.allCases.map(\.rawValue)) {
            mode = OutputMode(rawValue: word) ?? mode
            try answer("mode: \(word)")
        }
    }

    func setTimer(_ line: CommandLine) throws {
        if let word = try choose(line, showsTime ? "on" : "off", ["on", "off"]) {
            showsTime = word == "on"
            try answer("timer: \(word)")
        }
    }

    func setEntity(_ line: CommandLine) throws {
        if let word = try choose(line, entity, source.entities) {
            select(entity: word)
            try answer("entity: \(word)")
        }
    }

    func setLimit(_ line: CommandLine) throws {
        func text() -> String { limit.map(String.init) ?? "0 (all)" }
        guard let number = try line.number(least: 0, "a whole number", hint: "0 for all") else {
            return try show(".limit " + text())
        }
        limit = number == 0 ? nil : number
        try answer("limit: " + text())
    }

    func setArguments(_ line: CommandLine) throws {
        switch line.argument {
        case "": try show(arguments?.text ?? "there are no arguments")
        case "none":
            arguments = nil
            try answer("there are no arguments")
        default:
            do {
                let values = try TaggedReader(JSON.parse(line.argument)).arguments(environment)
                arguments = (line.argument, values)
                try answer("arguments: \(line.argument)")
            } catch let problem as RequestProblem {
                throw CommandEnd.usage(problem.message, hint: ".args [21, \"é\"]")
            } catch let problem as JSONProblem {
                throw CommandEnd.usage("this is not JSON: \(problem)", hint: ".args [21, \"é\"]")
            }
        }
    }

    func setVariable(_ line: CommandLine) throws {
        guard !line.argument.isEmpty else {
            return try show(
                variables.isEmpty
                    ? "there are no variables"
                    : variables.sorted { $0.key < $1.key }.map { "$\($0.key) = \($0.value.text)" }
                        .joined(separator: "\n"))
        }
        let parts = line.argument.split(separator: "=", maxSplits: 1).map(\.trimmingSpaces)
        let name = String(parts[0].drop { $0 == "$" })
        let tokens = Lexer.tokens(of: "$" + name).map(\.kind)
        guard tokens == [.variable, .end] else {
            throw CommandEnd.usage("'\(name)' is not the name of a variable", hint: ".let limit = 21")
        }
        guard parts.count > 1 else {
            guard let variable = variables[name] else { throw CommandEnd.usage("there is no variable $\(name)") }
            return try show("$\(name) = \(variable.text)")
        }
        let parsed = FormatExpression.parse(parts[1], arguments: .bound(arguments?.values ?? []), in: environment)
        do throws(PredicateFailure) {
            let expression = try FormatExpression(parsed, in: environment)
            let value = try expression.evaluate(PredicateValue.null, variables: predicateVariables, run: run)
            variables[name] = (parts[1], value)
        } catch {
            worsen(ExitCode(evaluating: error))
            return try show(error.diagnostics, source: error.source)
        }
        try answer("$\(name) = \(parts[1])")
    }

    func showHistory(_ line: CommandLine) throws {
        if line.words.first == "clear" {
            history.clear()
            historyFile?.clear()
            return try answer("the history is empty")
        }
        let count = try line.number(least: 0, "a whole number or 'clear'") ?? history.entries.count
        let first = max(0, history.entries.count - count)
        let width = String(history.entries.count).count
        try show(
            history.entries[first...].enumerated().flatMap { index, entry in
                let number = String(first + index + 1)
                let space = String(repeating: " ", count: width - number.count)
                return entry.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { part, text in
                    var row = StyledText(
                        part == 0 ? space + number + "  " : String(repeating: " ", count: width + 2), .dim)
                    row.append(DisplayText.visible(String(text), limit: 4_000))
                    return row
                }
            })
    }
}
