// The commands that only print information: `explain`, `help`, `version`.

extension CommandDescription {
    package static let explain = CommandDescription(
        name: "explain", summary: "explains a diagnostic", operands: "[ID]", operandCount: 0...1,
        options: [.help], details: "Without an ID, all of them are listed.",
        examples: ["predicate explain unknown-operator"]
    ) { invocation in
        guard let name = invocation.operands.first else {
            let width = DiagnosticID.allCases.map(\.rawValue.count).max() ?? 0
            for id in DiagnosticID.allCases.sorted(by: { $0.rawValue < $1.rawValue }) {
                let space = String(repeating: " ", count: width - id.rawValue.count)
                try invocation.output.line("\(id.rawValue)\(space)  \(id.sentence)")
            }
            return .success
        }
        guard let id = DiagnosticID(rawValue: name) else {
            throw CommandEnd.unknown(
                "there is no diagnostic", name, among: DiagnosticID.allCases.map(\.rawValue),
                else: "'predicate explain' lists all of them")
        }
        try invocation.output.line("\(id.texts.severity.rawValue)[\(id.rawValue)]: \(id.sentence)\n")
        let explanation = HelpText.wrapped(id.texts.explanation, to: min(80, invocation.output.width))
        try invocation.output.line(explanation.joined(separator: "\n"))
        return .success
    }

    package static let help = CommandDescription(
        name: "help", summary: "explains a command or a topic", operands: "[COMMAND|TOPIC]",
        operandCount: 0...1, options: [], examples: ["predicate help filter", "predicate help keys"]
    ) { invocation in
        let commands = invocation.program.commands
        guard let name = invocation.operands.first else {
            try invocation.output.line(HelpText.overview(commands))
            return .success
        }
        if let command = commands.first(where: { $0.name == name }) {
            try invocation.output.line(HelpText.page(command))
            return .success
        }
        guard let topic = HelpTopic.named(name) else {
            let names = commands.map(\.name) + HelpTopic.all.map(\.name)
            throw CommandEnd.unknown(
                "there is no command and no topic", name, among: names, else: "'predicate help' lists them")
        }
        try invocation.output.line(topic.page)
        return .success
    }

    package static let version = CommandDescription(
        name: "version", summary: "prints the version", operands: "", operandCount: 0...0, options: [],
        examples: []
    ) { invocation in
        try invocation.output.line("predicate \(PredicateCommand.version)")
        return .success
    }
}
