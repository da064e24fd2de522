// What a command line may hold, as data: the parser, the help, the suggestions and shell completions all read it.

/// An option of a command: `--output FORMAT`, `-f FILE`, `--pretty`.
struct OptionDescription: Sendable, Equatable {
    /// With its dashes.
    let name: String
    var short: String?
    /// What stands for its value in the help; nil for a switch.
    var value: String?
    /// The only values allowed, where they are few.
    var choices: [String] = []
    let summary: String

    init(_ name: String, short: String? = nil, value: String? = nil, choices: [String] = [], _ summary: String) {
        self.name = name
        self.short = short
        self.value = value ?? (choices.isEmpty ? nil : choices.joined(separator: "|"))
        self.choices = choices
        self.summary = summary
    }
}

/// One sub-command.
struct CommandDescription: Sendable {
    let name: String
    let summary: String
    /// The operands as the usage line shows them: `PREDICATE [FILE…]`.
    let operands: String
    /// How many operands there may be.
    let operandCount: ClosedRange<Int>
    let options: [OptionDescription]
    /// Paragraphs under the options.
    var details = ""
    let examples: [String]
    let run: @Sendable (Invocation) throws -> ExitCode

    /// Whether an argument too many is probably a predicate without quotes.
    var takesPredicate: Bool { operands.contains("PREDICATE") }

    func option(named name: String) -> OptionDescription? {
        options.first { $0.name == name || $0.short == name }
    }
}

/// A command line that was understood, and the world in which it runs.
struct Invocation {
    let command: CommandDescription
    let operands: [String]
    let values: [String: [String]]
    let input: CommandInput
    let output: CommandOutput

    /// The last value that was given for an option.
    subscript(_ option: OptionDescription) -> String? { values[option.name]?.last }

    func has(_ option: OptionDescription) -> Bool { values[option.name] != nil }

    /// The value of an option that takes a count.
    func count(_ option: OptionDescription) throws -> Int? {
        guard let text = self[option] else { return nil }
        guard let number = Int(text), number >= 0 else {
            throw CommandEnd.usage("\(option.name) takes a whole number, not '\(text)'")
        }
        return number
    }

    /// The words of an option that takes a list: `--keys a,b`.
    func list(_ option: OptionDescription) -> [String] {
        (values[option.name] ?? []).flatMap { $0.split(separator: ",").map(String.init) }
    }
}
