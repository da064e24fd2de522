// The part of a shell that sessions need: quoted words, pipes, `< file`, and `NAME=value` before a command.

import Foundation

struct ShellPipeline {
    struct Command {
        var environment: [String: String] = [:]
        var words: [String] = []
        var inputFile: String?
    }

    struct Malformed: Error, CustomStringConvertible {
        let description: String
    }

    var commands: [Command] = []

    init(_ line: String) throws {
        var command = Command()
        var words = try Self.words(line)[...]
        while let word = words.popFirst() {
            switch word {
            case .pipe:
                commands.append(command)
                command = Command()
            case .less:
                guard case .text(let name, _)? = words.popFirst() else {
                    throw Malformed(description: "no file behind <: \(line)")
                }
                command.inputFile = name
            case .text(let text, let quoted):
                let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
                if command.words.isEmpty, !quoted, parts.count == 2, parts[0].allSatisfy({ $0.isLetter || $0 == "_" }) {
                    command.environment[parts[0]] = parts[1]
                } else {
                    command.words.append(text)
                }
            }
        }
        commands.append(command)
        if commands.contains(where: \.words.isEmpty) { throw Malformed(description: "an empty command: \(line)") }
    }

    enum Word: Equatable {
        case text(String, quoted: Bool)
        case pipe
        case less
    }

    /// Single quotes keep all characters. In double quotes a backslash escapes `"`, `\`, `$` and a backquote.
    static func words(_ line: String) throws -> [Word] {
        var words: [Word] = []
        var current: String?
        var quoted = false
        var quote: Character?
        var rest = Array(line)[...]
        func end() {
            if let text = current { words.append(.text(text, quoted: quoted)) }
            current = nil
            quoted = false
        }
        while let character = rest.popFirst() {
            switch (character, quote) {
            case ("'", nil), ("\"", nil):
                quote = character
                quoted = true
                current = current ?? ""
            case (_, let open?) where character == open: quote = nil
            case ("\\", nil):
                if let next = rest.popFirst() { current = (current ?? "") + String(next) }
            case ("\\", "\""?):
                if let next = rest.first, "\"\\$`".contains(next) {
                    rest.removeFirst()
                    current?.append(next)
                } else {
                    current?.append("\\")
                }
            case ("$", nil) where rest.first != "?", ("$", "\""?): throw Malformed(description: "no variables: \(line)")
            case (" ", nil): end()
            case ("|", nil), ("<", nil):
                end()
                words.append(character == "|" ? .pipe : .less)
            default: current = (current ?? "") + String(character)
            }
        }
        guard quote == nil else { throw Malformed(description: "an open quote: \(line)") }
        end()
        return words
    }
}
