// Implements the line editor's InputAssistant for the REPL: colours, diagnostics, completeness, completions.

final class ReplAssistant: InputAssistant {
    /// The maximum length of a text that is coloured and checked while the user types.
    private static let liveLimit = 16 << 10

    private unowned let session: ReplSession

    init(_ session: ReplSession) { self.session = session }

    func prompt(line: Int, before: Substring) -> StyledText {
        let name = DisplayText.visible(session.entity, limit: 20)
        guard line > 0 else { return StyledText(name + "> ", .prompt) }
        let open = InputShape(environment: session.environment).open(in: before).last.map(String.init) ?? "…"
        let space = String(repeating: " ", count: max(0, DisplayText.columns(name) - 1))
        return StyledText(space + open + "> ", .prompt)
    }

    func appearance(of text: String, cursor: Int) -> (spans: [StyleSpan], note: StyledText) {
        guard text.utf8.count <= Self.liveLimit, !text.isEmpty else { return ([], StyledText()) }
        if let command = CommandLine(text) { return appearance(of: command, cursor: cursor) }
        var spans = Highlighter(environment: session.environment).spans(of: text, cursor: cursor)
        if DotCommand.bareWords.contains(text) {
            return ([StyleSpan(0..<text.utf8.count, .keyword)], StyledText())
        }
        let findings = session.findings(in: text).filter { Self.isShown($0, text, cursor) }
        for finding in findings {
            spans.append(StyleSpan(finding.span.range, finding.severity == .error ? .error : nil, underlined: true))
        }
        guard cursor >= 0, let first = findings.first(where: { $0.severity == .error }) ?? findings.first else {
            return (spans, StyledText())
        }
        let words = first.message + (first.label.map { ": " + $0 } ?? "")
        return (spans, StyledText("  " + DisplayText.visible(words), first.severity == .error ? .error : .warning))
    }

    /// Whether to show a diagnostic while the user types. Hides diagnostics at the word before the cursor, and those
    /// about open brackets, open quotes and missing text at the end.
    private static func isShown(_ finding: PredicateDiagnostic, _ text: String, _ cursor: Int) -> Bool {
        if [.unclosedBracket, .unterminatedString].contains(finding.id) { return false }
        let span = finding.span
        if cursor < 0 { return !span.isEmpty }
        return !span.isEmpty && span.start < text.utf8.count && !(span.start <= cursor && cursor <= span.end)
    }

    private func appearance(of command: CommandLine, cursor: Int) -> (spans: [StyleSpan], note: StyledText) {
        let known = DotCommand.named(command.name)
        let name = command.start..<(command.start + command.name.utf8.count)
        guard let known else {
            let isTyping = cursor >= name.lowerBound && cursor <= name.upperBound
            let isPrefix = isTyping && DotCommand.all.contains { $0.name.hasPrefix(command.name) }
            return ([StyleSpan(name, isPrefix ? .keyword : .error)], StyledText())
        }
        var spans = [StyleSpan(name, .keyword)]
        if case .predicate = known.argument {
            let inner = Highlighter(environment: session.environment).spans(
                of: command.argument, cursor: cursor - command.argumentStart)
            spans += inner.map {
                let range =
                    ($0.range.lowerBound + command.argumentStart)..<($0.range.upperBound + command.argumentStart)
                return StyleSpan(range, $0.style, underlined: $0.isUnderlined)
            }
        }
        return (spans, StyledText())
    }

    func isWhole(_ text: String) -> Bool { session.isWhole(text) }

    func completions(of text: String, cursor: Int) -> PredicateCompletions {
        session.completions(of: text, cursor: cursor)
    }
}

/// A command line of the prompt: `.mode csv`.
struct CommandLine {
    let name: String
    /// The offsets of the name, with its dot, and of the argument.
    let start: Int
    let argument: String
    let argumentStart: Int

    /// nil if the text is not a command. No predicate begins with a dot.
    init?(_ text: String) {
        let body = text.drop { $0.isWhitespace }
        guard body.first == "." else { return nil }
        start = text.utf8.distance(from: text.startIndex, to: body.startIndex)
        let name = body.prefix { !$0.isWhitespace }
        self.name = String(name)
        let rest = body[name.endIndex...].drop { $0.isWhitespace }
        argumentStart = text.utf8.distance(from: text.startIndex, to: rest.startIndex)
        argument = rest.trimmingSpaces
    }

    /// The number that the argument is; nil without an argument.
    func number(least: Int, _ description: String, hint: String? = nil) throws -> Int? {
        guard let word = words.first else { return nil }
        if let number = Int(word), number >= least { return number }
        throw CommandEnd.usage("\(name) takes \(description), not '\(word)'", hint: hint)
    }

    /// The words of the argument. A quoted part is one word.
    var words: [String] {
        var words: [String] = []
        var current: String?
        var quote: Character?
        for character in argument {
            if let open = quote {
                if character == open { quote = nil } else { current?.append(character) }
            } else if character == "\"" || character == "'" {
                quote = character
                current = current ?? ""
            } else if character.isWhitespace {
                if let word = current { words.append(word) }
                current = nil
            } else {
                current = (current ?? "") + String(character)
            }
        }
        return words + (current.map { [$0] } ?? [])
    }
}
