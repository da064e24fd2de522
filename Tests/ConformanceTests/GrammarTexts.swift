// The predicates of the golden files, as texts: what the tests of the grammar and of the highlighting read.
import Foundation

enum GoldenTexts {
    /// The predicate or expression of every case, in the order of the files' names.
    static func all() throws -> [String] {
        let golden = GrammarLanguage.directory.deletingLastPathComponent().appendingPathComponent("Tests/Golden")
        guard let files = FileManager.default.enumerator(at: golden, includingPropertiesForKeys: nil) else { return [] }
        let paths = files.compactMap { ($0 as? URL)?.path }.filter { $0.hasSuffix(".golden") }.sorted()
        return try paths.flatMap { cases(try String(contentsOfFile: $0, encoding: .utf8)) }
    }

    /// A case is `===` and a title, the text, perhaps a line `args`, and outputs that `---` begins.
    static func cases(_ file: String) -> [String] {
        var texts: [String] = []
        var text: [Substring]?
        for line in file.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("=== ") {
                text = []
            } else if line.hasPrefix("--- ") || line.hasPrefix("args ") || line.hasPrefix("args\t") {
                if let text { texts.append(text.joined(separator: "\n")) }
                text = nil
            } else {
                text?.append(line)
            }
        }
        return texts
    }
}
