// Commands and options as data. The parser, the help, the suggestions and shell completions read these
// descriptions.

/// An option of a command: `--output FORMAT`, `-f FILE`, `--pretty`.
package struct OptionDescription: Sendable {
    /// The name with its dashes.
    package let name: String
    package var short: String?
    /// The placeholder for its value in the help; nil for a switch without a value.
    package var value: String?
    /// The allowed values; empty if any value is allowed.
    package var choices: [String] = []
    /// Computed only for the help, because a list of dialects, for example, takes longer than many commands.
    package var summary: String { makeSummary() }
    private let makeSummary: @Sendable () -> String

    init(
        _ name: String, short: String? = nil, value: String? = nil, choices: [String] = [],
        _ summary: @autoclosure @escaping @Sendable () -> String
    ) {
        self.name = name
        self.short = short
        self.value = value ?? (choices.isEmpty ? nil : choices.joined(separator: "|"))
        self.choices = choices
        makeSummary = summary
    }
}

extension OptionDescription: Equatable {
    package static func == (left: OptionDescription, right: OptionDescription) -> Bool { left.name == right.name }
}

/// A sub-command.
package struct CommandDescription: Sendable {
    package let name: String
    package let summary: String
    /// The operands in the usage line: `PREDICATE [FILE…]`.
    package let operands: String
    /// The allowed number of operands.
    let operandCount: ClosedRange<Int>
    package let options: [OptionDescription]
    /// Help paragraphs after the options.
    package let details: String
    let examples: [String]
    let run: @Sendable (Invocation) throws -> ExitCode

    package init(
        name: String, summary: String, operands: String, operandCount: ClosedRange<Int>, options: [OptionDescription],
        details: String = "", examples: [String], run: @escaping @Sendable (Invocation) throws -> ExitCode
    ) {
        (self.name, self.summary, self.operands, self.operandCount) = (name, summary, operands, operandCount)
        (self.options, self.details, self.examples, self.run) = (options, details, examples, run)
    }

    /// Whether an extra operand is probably part of a predicate without quotation marks.
    var takesPredicate: Bool { operands.contains("PREDICATE") }

    func option(named name: String) -> OptionDescription? {
        options.first { $0.name == name || $0.short == name }
    }
}

/// A parsed command line with the input and output of the command.
package struct Invocation {
    let program: PredicateCommand
    let command: CommandDescription
    package let operands: [String]
    package let values: [String: [String]]
    package let input: CommandInput
    package let output: CommandOutput

    /// The same command with another input, and other values of options.
    func reading(_ input: CommandInput, _ values: [String: [String]]? = nil) -> Invocation {
        Invocation(
            program: program, command: command, operands: operands, values: values ?? self.values, input: input,
            output: output)
    }

    /// The last value given for an option.
    package subscript(_ option: OptionDescription) -> String? { values[option.name]?.last }

    package func has(_ option: OptionDescription) -> Bool { values[option.name] != nil }

    /// The value of an option that takes a count. Throws a usage error for any other text.
    package func count(_ option: OptionDescription) throws -> Int? {
        guard let text = self[option] else { return nil }
        guard let number = Int(text), number >= 0 else {
            throw CommandEnd.usage("\(option.name) takes a whole number, not '\(text)'")
        }
        return number
    }

    /// The number of threads that the command uses.
    func threads() throws -> Int {
        min(max(1, try count(.threads) ?? OrderedThreads.available), OrderedThreads.maximum)
    }

    /// The values of an option that takes a list: `--keys a,b`.
    package func list(_ option: OptionDescription) -> [String] {
        (values[option.name] ?? []).flatMap { $0.split(separator: ",").map(String.init) }
    }
}
