// Generates the help texts from the descriptions of the commands.

package enum HelpText {
    /// The list of all commands, on one screen.
    static func overview(_ commands: [CommandDescription]) -> String {
        """
        predicate: checks, prints and evaluates the predicates of NSPredicate's format language

        usage: predicate COMMAND [OPTIONS] …

        \(table(commands.map { ($0.name, $0.summary) }))

        For more: 'predicate help COMMAND', or 'predicate help TOPIC' with
        \(topics).

        Exit codes: 0 success or true, 1 false or no rows, 2 wrong usage,
        3 syntax error, 4 type error or refused construct, 5 failed while running.
        """
    }

    /// The names of all help topics, wrapped to lines.
    package static var topics: String {
        wrapped(HelpTopic.all.map(\.name).joined(separator: ", "), to: 72).joined(separator: "\n")
    }

    /// Splits a text at blanks into lines. A longer word is a line of its own.
    static func wrapped(_ text: String, to width: Int) -> [String] {
        var lines = [""]
        for word in text.split(whereSeparator: \.isWhitespace) {
            let last = lines[lines.count - 1]
            if !last.isEmpty, last.count + 1 + word.count > width { lines.append("") }
            lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
        }
        return lines
    }

    static func usage(_ command: CommandDescription) -> String {
        let options = command.options.isEmpty ? "" : " [OPTIONS]"
        return "usage: predicate \(command.name)\(options)\(command.operands.isEmpty ? "" : " " + command.operands)"
    }

    /// The help of one command.
    package static func page(_ command: CommandDescription) -> String {
        var parts = ["predicate \(command.name): \(command.summary)", usage(command)]
        if !command.options.isEmpty {
            let rows = command.options.map { option in
                let names = (option.short.map { $0 + ", " } ?? "") + option.name
                return (names + (option.value.map { " " + $0 } ?? ""), option.summary)
            }
            parts.append(table(rows))
        }
        if !command.details.isEmpty { parts.append(command.details) }
        if !command.examples.isEmpty {
            parts.append("examples:\n" + command.examples.map { "  " + $0 }.joined(separator: "\n"))
        }
        return parts.joined(separator: "\n\n")
    }

    /// A table with two columns, at most 120 characters wide. A text that is too wide for the first column is on a line
    /// of its own; the second column is wrapped.
    package static func table(_ rows: [(String, String)]) -> String {
        let width = min(26, rows.map(\.0.count).max() ?? 0)
        let margin = String(repeating: " ", count: width + 4)
        return rows.map { left, right in
            if right.isEmpty { return "  \(left)" }
            let lines = wrapped(right, to: 120 - margin.count).joined(separator: "\n" + margin)
            return left.count <= width
                ? "  \(left)\(String(repeating: " ", count: width - left.count))  \(lines)"
                : "  \(left)\n\(margin)\(lines)"
        }.joined(separator: "\n")
    }
}
