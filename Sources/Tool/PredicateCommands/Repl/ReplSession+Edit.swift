// The command `.edit`: opens a predicate in the user's editor.

import Foundation

extension ReplSession {
    func edit(_ line: CommandLine) throws {
        guard let terminal else { throw CommandEnd.usage("\(line.name) needs a terminal") }
        let environment = input.environment
        let editor = [environment["VISUAL"], environment["EDITOR"]].compactMap(\.self).first { !$0.isEmpty } ?? "vi"
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("predicate-\(UUID().uuidString).txt")
        defer { try? FileManager.default.removeItem(at: file) }
        let text = line.argument.isEmpty ? lastText ?? "" : line.argument
        try OutputPlace(file.path, input, isPrivate: true).write(Array((text + "\n").utf8))
        guard terminal.run(editor, file: file.path) == 0 else {
            throw CommandEnd.failure(.failed, "the editor '\(editor)' failed; nothing was run")
        }
        guard let edited = (try? Data(contentsOf: file)).flatMap({ String(validUTF8: $0) }) else {
            throw CommandEnd.failure(.failed, "the edited text is not UTF-8; nothing was run")
        }
        let input = edited.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !input.isEmpty else { return try note("the text is empty; nothing was run") }
        remember(input)
        try note(DisplayText.visible(input, limit: 1 << 16))
        try run(input)
    }
}
