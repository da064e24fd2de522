// Generates manual pages in roff (man macros) from the descriptions of the commands: `predicate help --man`.

enum ManualPage {
    /// The page of a command, or of the program.
    static func text(of name: String?, in commands: [CommandDescription]) throws -> String {
        guard let name else { return program(commands) }
        guard let command = commands.first(where: { $0.name == name }) else {
            throw CommandEnd.usage(
                "there is no command '\(name)'",
                hint: OptionParser.didYouMean(name, commands.map(\.name)))
        }
        return page(of: command)
    }

    private static func program(_ commands: [CommandDescription]) -> String {
        var lines = head("predicate", "checks, prints and evaluates the predicates of NSPredicate's format language")
        lines += [".B predicate", ".I COMMAND", "[OPTIONS] ..."]
        lines.append(".SH COMMANDS")
        for command in commands { lines += item("predicate \(command.name)", command.summary) }
        for topic in HelpTopic.all {
            lines += [".SH " + escaped(topic.name.uppercased())]
            lines += topic.page.split(separator: "\n\n").dropFirst().flatMap { paragraph(String($0)) }
        }
        lines += end
        lines += [".SH SEE ALSO"] + paragraph(commands.map { "predicate-\($0.name)(1)" }.joined(separator: ", "))
        return lines.joined(separator: "\n") + "\n"
    }

    private static func page(of command: CommandDescription) -> String {
        var lines = head("predicate-\(command.name)", command.summary)
        lines.append(".B predicate \(escaped(command.name))")
        if !command.options.isEmpty { lines.append("[OPTIONS]") }
        if !command.operands.isEmpty { lines.append(".I " + escaped(command.operands)) }
        if !command.details.isEmpty {
            lines.append(".SH DESCRIPTION")
            lines += command.details.split(separator: "\n\n").flatMap { paragraph(String($0)) }
        }
        if !command.options.isEmpty { lines.append(".SH OPTIONS") }
        for option in command.options {
            let names = [option.short, option.name].compactMap(\.self).joined(separator: ", ")
            lines += item(names + (option.value.map { " " + $0 } ?? ""), option.summary)
        }
        if !command.examples.isEmpty { lines += [".SH EXAMPLES"] + example(command.examples) }
        lines += end
        lines += [".SH SEE ALSO", ".BR predicate (1)"]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func head(_ name: String, _ summary: String) -> [String] {
        [
            ".TH \(escaped(name.uppercased())) 1 \"\" \"predicate \(PredicateCommand.version)\" \"User Commands\"",
            ".SH NAME", escaped(name) + " \\- " + escaped(summary), ".SH SYNOPSIS",
        ]
    }

    /// The sections that are the same for every command.
    private static var end: [String] {
        var lines = [".SH EXIT STATUS"]
        for (code, meaning) in HelpTopic.named("exit-codes")?.rows ?? [] { lines += item(code, meaning) }
        lines.append(".SH ENVIRONMENT")
        lines += item("NO_COLOR, TERM", "no colours if NO_COLOR is not empty; no escape sequences if TERM is dumb")
        lines += item("VISUAL, EDITOR", "the editor of the prompt's command .edit")
        lines += item("XDG_STATE_HOME, HOME", "where the prompt keeps its history: predicate/history")
        return lines
    }

    private static func item(_ name: String, _ text: String) -> [String] {
        [".TP", ".B " + escaped(name), escaped(text)]
    }

    /// A paragraph of a help text. A paragraph with indented lines keeps its line breaks.
    private static func paragraph(_ text: String) -> [String] {
        let lines = text.split(separator: "\n").map(String.init)
        guard lines.contains(where: { $0.hasPrefix("  ") }) else { return [".PP"] + lines.map(escaped) }
        return example(lines)
    }

    private static func example(_ lines: [String]) -> [String] {
        [".PP", ".nf"] + lines.map(escaped) + [".fi"]
    }

    /// The line with roff's special characters escaped.
    private static func escaped(_ text: String) -> String {
        let line = text.reduce(into: "") { line, character in
            switch character {
            case "\\": line += "\\e"
            case "-": line += "\\-"
            case "'": line += "\\(aq"
            case "^": line += "\\(ha"
            case "~": line += "\\(ti"
            case "`": line += "\\(ga"
            default: line.append(character)
            }
        }
        return line.hasPrefix(".") ? "\\&" + line : line
    }
}
