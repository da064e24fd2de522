// The blocks of the article "SQL of each construct" are golden cases: a block's first line is the predicate, the others
// are its outputs in all dialects. `UPDATE_GOLDEN=1` rewrites them. Comments that name a section of the article are
// checked, too.

import Foundation
import GoldenCases
import PredicateTestSupport
import Testing

@Suite struct ConstructBlocksTests {
    private static let path = "Sources/Database/PredicateSQL/PredicateSQL.docc/SQL-of-each-construct.md"

    /// The lines of `--- dialects` by predicate.
    private static func golden() throws -> [String: [String]] {
        var found: [String: [String]] = [:]
        for path in GoldenTests.files where path.contains("sql/dialects") {
            for golden in try GoldenFile(Project.text(path)).cases {
                found[golden.format] = golden.outputs.first { $0.label == "dialects" }?.lines
            }
        }
        return found
    }

    @Test func blocksAreGoldenCases() throws {
        let golden = try Self.golden()
        let text = try Project.text(Self.path)
        var count = 0
        let blocks = text.components(separatedBy: "```text\n")
        let rewritten = try blocks.enumerated().map { index, part in
            guard index > 0 else { return part }
            count += 1
            let pieces = part.components(separatedBy: "\n```")
            let predicate = pieces[0].components(separatedBy: "\n")[0]
            let lines = try #require(golden[predicate], "no golden case has the dialects of \(predicate)")
            let block = ([predicate] + lines.map { "  " + $0 }).joined(separator: "\n")
            return ([block] + pieces.dropFirst()).joined(separator: "\n```")
        }.joined(separator: "```text\n")
        #expect(count > 20)
        if Expectation.isUpdating {
            try Expectation.update(Self.path, from: text, to: rewritten)
        } else {
            #expect(rewritten == text, "UPDATE_GOLDEN=1 rewrites the blocks")
        }
    }

    @Test func namedSectionsExist() throws {
        let headings = try Project.text(Self.path).split(separator: "\n").filter { $0.hasPrefix("## ") }
            .map { $0.dropFirst(3) }
        var count = 0
        for path in Project.files(under: "Sources", suffix: ".swift") + Project.files(under: "Tests", suffix: ".swift")
        {
            let lines = try Project.text(path).split(separator: "\n")
            let text = lines.map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " /")) }.joined(separator: " ")
            for reference in text.matches(of: /SQL of each construct: ([A-Za-z][^;)]*)/) {
                count += 1
                #expect(headings.contains(reference.1), "\(path) names the section \(reference.1)")
            }
        }
        #expect(count > 10)
    }
}
