// Checks Grammar/LANGUAGE.md: its examples have the stated results, and every section that a comment or another page names
// exists.
import Foundation
import PredicateEvaluation
import PredicateTestSupport
import Testing

@Suite struct LanguageTests {
    private static let page = "Grammar/LANGUAGE.md"

    /// The sections by number: `5`, `5.6`, `C 10`, `C 11a`.
    private static func sections() throws -> Set<String> {
        let headings = try Project.text(page).split(separator: "\n").filter { $0.hasPrefix("##") }
        return Set(
            headings.compactMap { heading in
                heading.drop { $0 == "#" || $0 == " " }.firstMatch(of: /^(?:[0-9]+(?:\.[0-9]+)?|[BC](?: [0-9]+a?)?)/)
                    .map { String($0.0) }
            })
    }

    @Test(.inCI) func namedSectionsExist() throws {
        let sections = try Self.sections()
        #expect(sections.count > 90)
        var count = 0
        for folder in ["Sources", "Tests", "Benchmarks", "Grammar"] {
            for suffix in [".swift", ".golden", ".md", ".abnf", ".py", ".txt"] {
                for path in Project.files(under: folder, suffix: suffix) where !path.contains("/.build/") {
                    for section in try Self.named(path) {
                        count += 1
                        #expect(sections.contains(section), "\(path) names section \(section)")
                    }
                }
            }
        }
        #expect(count > 150)
    }

    /// The sections that a file names: `LANGUAGE 5.6, C 11`, or `C 10` alone on the page of constructs.
    private static func named(_ path: String) throws -> [String] {
        // A golden file may contain bytes that are no text.
        let bytes = try Data(contentsOf: Project.root.appendingPathComponent(path))
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        let text = lines.map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " /#")) }.joined(separator: " ")
        let number = "(?:[0-9]+(?:\\.[0-9]+)?|[BC] [0-9]+a?)"
        let pattern =
            path == "Grammar/constructs.md"
            ? "\\b[BC] [0-9]+a?\\b" : "LANGUAGE \(number)(?:(?:,| to| and) \(number))*"
        let section = try Regex<Substring>(number)
        return try text.matches(of: Regex<Substring>(pattern)).flatMap { citation in
            citation.output.matches(of: section).map { String($0.output) }
        }
    }

    /// An example is code followed by "is true", "is false" or "fails".
    @Test(.cases) func examplesHaveTheirResults() throws {
        let text = try Project.text(Self.page).replacingOccurrences(of: "\n", with: " ")
        let examples = text.matches(of: /`([^`]+)` (is true|is false|fails)\b/)
        #expect(examples.count > 20)
        forEachCase(examples.map { (String($0.1), String($0.2)) }) { example, result in
            let object = PredicateValue.dictionary(ValueDictionary([]))
            if result == "fails" {
                #expect(throws: PredicateFailure.self) { try FormatPredicate(example).evaluate(object) }
            } else {
                let holds = try FormatPredicate(example).evaluate(object)
                #expect(holds == (result == "is true"))
            }
        }
    }
}
