// README and the articles of the documentation, and the code blocks in them.

import Foundation

/// A Markdown document of the project.
struct Document: CustomStringConvertible {
    /// The path from the project's folder.
    let path: String
    let text: String

    /// README.md and every article of every catalogue.
    static let all: [Document] = paths.compactMap { path in
        (try? Project.text(path)).map { Document(path: path, text: $0) }
    }

    private static let paths =
        ["README.md"]
        + Project.files(under: "Sources", suffix: ".md").filter { $0.contains(".docc/") }

    /// The file's name without `.md`; the examples of the tests use it.
    var name: String { String(URL(fileURLWithPath: path).lastPathComponent.dropLast(3)) }
    var description: String { path }

    struct Block {
        /// The word after the opening fence; empty without one.
        let language: String
        let text: String
    }

    /// The fenced code blocks, in order.
    var blocks: [Block] {
        var blocks: [Block] = []
        var open: (language: String, lines: [String])?
        for line in text.components(separatedBy: "\n") {
            if line.hasPrefix("```") {
                if let (language, lines) = open {
                    blocks.append(Block(language: language, text: lines.joined(separator: "\n")))
                    open = nil
                } else {
                    open = (String(line.dropFirst(3)), [])
                }
            } else {
                open?.lines.append(line)
            }
        }
        return blocks
    }

    func blocks(_ language: String) -> [String] { blocks.filter { $0.language == language }.map(\.text) }

    /// The rows of a table without its header, each as its cells; empty if the document has no such table.
    func table(_ header: String) -> [[String]] {
        let lines = text.components(separatedBy: "\n")
        guard let start = lines.firstIndex(of: header) else { return [] }
        return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { row in
            row.dropFirst(2).dropLast(2).components(separatedBy: " | ")
        }
    }
}
