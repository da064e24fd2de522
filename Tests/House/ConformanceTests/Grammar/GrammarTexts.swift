// The texts for the tests of grammar, parser and highlighting.
import Foundation

enum GrammarTexts {
    /// The texts of all golden cases, the examples of constructs.md, and the border cases; valid and invalid.
    static func all() throws -> [String] {
        try golden() + Construct.all.get().flatMap { Construct.code($0.example) } + GrammarBorders.texts
    }

    /// The texts of the golden files, in the order of the file names.
    static func golden() throws -> [String] {
        let folder = GrammarLanguage.directory.deletingLastPathComponent().appendingPathComponent("Tests/Golden")
        guard let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) else { return [] }
        let paths = files.compactMap { ($0 as? URL)?.path }.filter { $0.hasSuffix(".golden") }.sorted()
        return try paths.flatMap { cases(try String(contentsOfFile: $0, encoding: .utf8)) }
    }

    /// A case is `===` and a title, the text, an optional line `args`, and outputs that begin with `---`.
    static func cases(_ file: String) -> [String] {
        var texts: [String] = []
        var text: [Substring]?
        for line in file.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("=== ") {
                text = []
            } else if line.hasPrefix("--- ") || line.hasPrefix("args ") {
                if let text { texts.append(text.joined(separator: "\n")) }
                text = nil
            } else {
                text?.append(line)
            }
        }
        return texts
    }
}
