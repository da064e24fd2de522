// Runs every golden file. `UPDATE_GOLDEN=1 swift test --filter GoldenTests` rewrites them.

import GoldenCases
import PredicateTestSupport
import Testing

@Suite struct GoldenTests {
    static let files = Project.files(under: "Tests/Golden", suffix: ".golden")

    @Test(.cases) func outputsAreThoseOfTheGoldenFile() {
        forEachCase(Self.files) { path in
            let text = try Project.text(path)
            var file = try GoldenFile(text)
            #expect(!file.cases.isEmpty, "\(path) has no cases")
            let runner = try GoldenRunner(path: path, schema: file.schema)
            for index in file.cases.indices { file.cases[index] = try runner.run(file.cases[index]) }
            if Expectation.isUpdating {
                try Expectation.update(path, from: text, to: file.text)
            } else {
                #expect(file.text == text, "\(path) is not laid out as the runner would write it")
            }
        }
    }

    /// Without any case the other tests would pass.
    @Test func casesAreFound() throws {
        let count = try Self.files.reduce(0) { try $0 + GoldenFile(Project.text($1)).cases.count }
        #expect(count >= 15)
    }

    @Test func everyTokenIsMutated() {
        let mutants = Invariants.mutants(of: "age == 'é'")
        let expected = [
            " == 'é'", "age age == 'é'", "age  'é'", "age == == 'é'", "== age 'é'", "age == é'", "age == 'é",
        ]
        for mutant in expected { #expect(mutants.contains(mutant), "\(mutant)") }
    }

    @Test(.cases) func malformedGoldenFilesThrow() {
        let cases: [String] = [
            "x == 1\n=== a\n", "=== a\nb\n", "=== a\nb\nargs 1\nmore\n--- canonical\n",
            "=== a\nb\n--- canonical\n=== a\nb\n--- canonical\n",
        ]
        forEachCase(cases) { (text) throws in #expect(throws: GoldenFile.Malformed.self) { try GoldenFile(text) } }
    }
}
