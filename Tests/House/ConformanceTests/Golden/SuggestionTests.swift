// Applies every correction that a golden case of Tests/Golden/diagnostics offers. The result must parse without the
// mistake, have no other, and mean what the text meant. A case whose correction changes a word says so by `changes`, with
// the reason, and lists the corrected text.

import GoldenCases
import PredicateCheckCommands
import PredicateTestSupport
import Testing

@testable import PredicateSyntax

@Suite struct SuggestionTests {
    static let files = Project.files(under: "Tests/Golden/diagnostics", suffix: ".golden")

    @Test(.cases) func correctionsKeepTheMeaning() {
        var count = 0
        forEachCase(Self.files) { path in
            let file = try GoldenFile(Project.text(path))
            let world = try file.schema.map(GoldenWorld.init(named:))
            for golden in TestDepth.some(file.cases, every: 1) { count += try Self.check(golden, world, path) }
        }
        #expect(count > TestDepth.least(250), "\(count) corrections")
    }

    /// Conditions for programs: those with a planted mistake, and those of the sessions.
    @Test(.cases) func correctionsForProgramsKeepTheMeaning() throws {
        var cases = try Project.text("Tests/House/Data/planted-mistakes.txt").split(separator: "\n").filter {
            !$0.hasPrefix("#") && !$0.hasPrefix("+")
        }.map { line in line.split(separator: ":", maxSplits: 1).map { String($0.drop { $0 == " " }) } }
        for path in SessionTests.files {
            for step in Session(try Project.text(path)).steps where step.command.contains(" check --profile ") {
                let words = try ShellPipeline(step.command).commands.last?.words ?? []
                if words.count == 5, words[2] == "--profile" { cases.append(Array(words[3...])) }
            }
        }
        var count = 0
        forEachCase(cases) { words in
            let profile = try #require(try ProfileLibrary.profile(named: words[0]))
            let (found, problems) = Self.corrections([CorrectedText(words[1], profile)])
            #expect(problems.isEmpty)
            count += found
        }
        #expect(count > 40, "\(count) corrections")
    }

    /// The number of corrections of a text, and those that are wrong.
    private static func corrections(_ texts: [CorrectedText]) -> (count: Int, problems: [String]) {
        var count = 0
        var problems: [String] = []
        for text in texts {
            for diagnostic in text.findings(text.text) {
                let results = text.results(of: diagnostic)
                if results.isEmpty { continue }
                count += 1
                let found = results.map { ($0, text.problems(of: $0, for: diagnostic)) }
                guard !found.contains(where: { $0.1.isEmpty }), let best = found.min(by: { $0.1.count < $1.1.count })
                else { continue }
                problems.append("\(diagnostic.id.rawValue): \(best.0): \(best.1.joined(separator: ", "))")
            }
        }
        return (count, problems)
    }

    /// Checks the corrections of a case, and returns their number.
    private static func check(_ golden: GoldenCase, _ world: GoldenWorld?, _ path: String) throws -> Int {
        let subject = try GoldenSubject(golden)
        var texts = [CorrectedText(subject)]
        if let world, golden.outputs.contains(where: { $0.label == "check" }) {
            texts.append(CorrectedText(subject, world.checker))
        }
        let (count, problems) = corrections(texts)
        if golden.directives["changes"] != nil {
            #expect(!problems.isEmpty, "\(path): '\(golden.title)' changes no word")
            #expect(golden.outputs.contains { $0.label == "corrected" }, "\(path): '\(golden.title)' lacks 'corrected'")
        } else if !problems.isEmpty {
            Issue.record("\(path): '\(golden.title)': \(golden.format)\n  \(problems.joined(separator: "\n  "))")
        }
        return count
    }

    /// Corrections that were once made, and are wrong.
    @Test(.cases) func wrongCorrectionsAreFound() {
        forEachCase([
            ("code IN {'Jobcode1', 'Jobcode2’}", "'Jobcode2’", "'Jobcode2’'"), ("a == 250+10%", "10%", "10"),
            ("a == $6650", "$6650", "6650"), ("foo == $0", "$0", "SELF"),
            ("d > CAST('2020-01-01', Foo)", "Foo", "\"Foo\""),
            ("first-name == 'x'", "first", "#first"), ("a === 5", "===", "!="), ("a BEGINWITH 'x'", "BEGINWITH", "NOT"),
            ("a BEGINWITH 'x'", "BEGINWITH 'x'", "BEGINSWITH 'y'"), ("a = = 1", "= = 1", "== 1 AND b == 1"),
            ("name == Ann Lee", "Ann Lee", "\"Ann\""), ("a IS NULL", "IS NULL", "!= nil"),
        ]) { (text, old, new) in
            let source = CorrectedText(text)
            let range = text.utf8.firstRange(of: old.utf8)
            let start = range.map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) } ?? 0
            let found = source.findings(text)[0]
            let wrong = PredicateDiagnostic(
                found.id, at: found.span, details: found.details,
                fixIts: [.init(SourceSpan(start, start + old.utf8.count), new)])
            let problems = source.results(of: wrong).flatMap { source.problems(of: $0, for: wrong) }
            #expect(!problems.isEmpty)
        }
    }
}
