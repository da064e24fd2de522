// `lint --rules --since`: the rules of a revision of Git.

#if os(Linux) || os(macOS)
    import Foundation
    import PredicateTestSupport
    import Testing

    @testable import PredicateCheckCommands
    @testable import PredicateCommands

    @Suite struct RuleLintTests {
        private static let hasGit = SystemCommand.output(of: ["git", "--version"]) != nil

        @Test(.enabled(if: hasGit)) func rulesAreComparedWithARevision() throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rules \(UUID())'s")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appendingPathComponent("my rules.json")
            func git(_ words: String...) -> Bool {
                let names = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
                return SystemCommand.output(of: ["git", "-C", folder.path] + names + words) != nil
            }
            try #"{"adult": "age > 18", "same": "a == 1"}"#.write(to: file, atomically: true, encoding: .utf8)
            #expect(git("init", "-q") && git("add", ".") && git("commit", "-qm", "first"))
            try #"{"adult": "age >= 18", "same": "1 == a"}"#.write(to: file, atomically: true, encoding: .utf8)

            func lint(_ revision: String) -> (code: Int32, output: String) {
                let run = Run(["lint", "--rules", file.path, "--since", revision])
                return (run.code, run.out)
            }
            let (code, output) = lint("HEAD")
            #expect(code == 0)
            #expect(output.contains("rule adult selects objects that it did not select before: {\"age\":18}"))
            #expect(!output.contains("rule same"))
            #expect(lint("no-such-revision").code == 5)
        }
    }
#endif
