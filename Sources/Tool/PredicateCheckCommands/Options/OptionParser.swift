// Parses a command line according to the description of its command. Accepts `--name value`, `--name=value`, `-f value`
// and `-fvalue`; `--` ends the options.

package struct OptionParser {
    let command: CommandDescription

    /// Returns the operands and the values of each option, in the given order. Throws `CommandEnd.usage` with a
    /// suggestion for an unknown option.
    func parse(_ arguments: [String]) throws -> (operands: [String], values: [String: [String]]) {
        var operands: [String] = []
        var values: [String: [String]] = [:]
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" {
                operands += rest
                break
            }
            guard Self.looksLikeOption(argument) else {
                operands.append(argument)
                continue
            }
            let parts = parts(of: argument)
            let name = parts[0]
            guard let option = command.option(named: name) else { throw unknown(name) }
            guard let placeholder = option.value else {
                if parts.count > 1 { throw CommandEnd.usage("\(name) takes no value") }
                values[option.name, default: []].append("")
                continue
            }
            guard let value = parts.count > 1 ? parts[1] : rest.popFirst() else {
                throw CommandEnd.usage("\(name) needs a value: \(name) \(placeholder)")
            }
            if !option.choices.isEmpty, !option.choices.contains(value) {
                throw CommandEnd.unknown(
                    "\(name) cannot be", value, among: option.choices,
                    else: "it is one of " + option.choices.joined(separator: ", "))
            }
            values[option.name, default: []].append(value)
        }
        try check(operands)
        return (operands, values)
    }

    /// Whether an argument is an option. A predicate may begin with a minus sign, but option names do not begin with a
    /// digit and contain no spaces.
    private static func looksLikeOption(_ argument: String) -> Bool {
        guard argument.hasPrefix("-"), argument.count > 1 else { return false }
        let name = argument.prefix { $0 != "=" }
        return !name.contains(where: \.isWhitespace) && name.dropFirst().first?.isNumber == false
    }

    /// The option's name, followed by its value if the same argument contains it.
    private func parts(of argument: String) -> [String] {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let short = String(argument.prefix(2))
        guard command.option(named: parts[0]) == nil, command.option(named: short)?.value != nil else { return parts }
        return [short, String(argument.dropFirst(2))]
    }

    private func unknown(_ name: String) -> CommandEnd {
        let isLong = name.hasPrefix("--")
        let advice =
            !isLong && command.takesPredicate
            ? "put -- before a predicate that begins with a minus sign"
            : "'predicate help \(command.name)' lists the options"
        if command.takesPredicate, OptionDescription.reading.contains(where: { $0.name == name }) {
            return .usage("unknown option '\(name)'", hint: "it is for files of records: predicate filter reads them")
        }
        // No suggestions for single letters, because all of them are similar.
        let suggestion = isLong ? Self.didYouMean(name, command.options.map(\.name)) : nil
        return .usage("unknown option '\(name)'", hint: suggestion ?? advice)
    }

    /// What to do instead of giving a file of records to a command that reads none.
    package static func recordsAdvice(_ predicate: String, _ file: String, takesDatabase: Bool) -> String {
        let filter = "predicate filter '\(predicate)' \(file)"
        if !takesDatabase { return filter }
        return filter + ", or predicate import \(file) --into new.sqlite, which makes a database of it"
    }

    package static func didYouMean(_ word: String, _ candidates: [String]) -> String? {
        Suggestions.nearest(to: word, in: candidates).map { "did you mean \($0)?" }
    }

    private func check(_ operands: [String]) throws {
        guard operands.count > command.operandCount.upperBound else { return }
        guard command.takesPredicate else {
            throw CommandEnd.usage("'\(operands[command.operandCount.upperBound])' is an extra argument")
        }
        if let file = operands.dropFirst().first(where: RecordFormat.isNamed) {
            throw CommandEnd.usage(
                "\(command.name) does not read '\(file)', a file of records",
                hint: Self.recordsAdvice(
                    operands[0], file, takesDatabase: command.option(named: OptionDescription.database.name) != nil))
        }
        throw CommandEnd.usage(
            "more than one argument: quote the predicate",
            hint: "predicate \(command.name) '\(operands.joined(separator: " "))'")
    }
}
