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

    /// Documents with links and paths whose examples are not run here.
    static let others =
        (Project.files(under: "Sources", suffix: "/README.md") + [
            ".github/CONTRIBUTING.md", ".github/SECURITY.md", "Grammar/LANGUAGE.md", "Grammar/constructs.md",
            "Benchmarks/README.md",
        ]).compactMap { path in (try? Project.text(path)).map { Document(path: path, text: $0) } }

    var isArticle: Bool { path.contains(".docc/") }

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

    /// The text without code blocks and code spans, in which nothing is a link.
    var withoutCode: String {
        let lines = text.components(separatedBy: "\n")
        var isCode = false
        let prose = lines.filter { line in
            let isFence = line.hasPrefix("```")
            if isFence { isCode.toggle() }
            return !isCode && !isFence && !line.hasPrefix("    ")
        }
        return prose.joined(separator: "\n").replacing(/`+[^`]*`+/, with: "")
    }

    /// Whether a link leads to a file or folder, and to a heading in it if it has a fragment, as GitHub writes them.
    func leads(to target: String) -> Bool {
        let parts = target.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
        let folder = URL(fileURLWithPath: path, relativeTo: Project.root).deletingLastPathComponent()
        let file = parts[0].isEmpty ? path : folder.appendingPathComponent(parts[0]).standardizedFileURL.path
        guard parts.count > 1 else { return FileManager.default.fileExists(atPath: file) }
        guard let text = parts[0].isEmpty ? self.text : try? String(contentsOfFile: file, encoding: .utf8) else {
            return false
        }
        return text.components(separatedBy: "\n").contains { line in
            guard let title = line.firstMatch(of: /^#+ (.*)/)?.1 else { return false }
            let kept = title.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
            return kept.replacing(" ", with: "-") == parts[1]
        }
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
