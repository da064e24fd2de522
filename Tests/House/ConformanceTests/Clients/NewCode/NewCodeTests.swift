// Runs the clients of this folder, and compiles them as apps are compiled: in both language modes, and with MainActor
// as the default isolation.

import Foundation
import PredicateFoundation
import PredicateTestSupport
import Testing

@Suite struct NewCodeTests {
    @Test @MainActor func publishing() throws {
        let found = try PublishingClient.run()
        #expect(found == Array(repeating: "true", count: 9) + ["argument-type", "1", "1", "1"])
    }

    @Test func filtering() async throws {
        let expected = [
            #"["apple"]"#, #"["fig"]"#, "[2, 3]", "1", "[1]", "1", #"[["a": 5]]"#,
            "BEGINSWITH needs texts, not an integer", "[3, 4]", "[1, 2] 5", "[3, 4]", "3", "4",
        ]
        #expect(try await FilteringClient.run() == expected)
    }

    @Test func sorting() throws {
        let (a, b) = ("a rather long name, a", "a rather long name, b")
        let expected = [
            "\(["Part 9", a, b, "part 1", "part 10"])", "\([a, b, "part 1", "Part 9", "part 10"])",
            "\(["Part 9", a, "part 1", b, "part 10"])", "\([b, "part 10", "part 1", a, "Part 9"])",
            #"["a", "b"] [1, 3]"#, #"[Optional("b"), Optional("a")]"#, "[{n=3}, {n=2}, {n=1}]", "true", "Part 9",
        ]
        #expect(try SortingClient.run() == expected)
    }

    @Test func searching() throws {
        func words(_ text: String) -> String { "title CONTAINS[cd] \(text) OR notes CONTAINS[cd] \(text)" }
        let expected = [
            "TRUEPREDICATE", #"(\#(words(#""blue""#))) AND (NOT (\#(words(#""live""#))))"#,
            #"year BETWEEN {1959, 1965} AND (\#(words(#""two words""#)))"#, "year > 3 AND year <= 1000.0",
            "TRUEPREDICATE", words(#""year:abc""#),
            #"due >= CAST(0.000000, "NSDate") AND due < CAST(86400.000000, "NSDate")"#,
            #"due >= CAST(730944000.000000, "NSDate") AND (NOT (\#(words(#""due:2024-02-30""#))))"#, "done == 1",
            #"NOT (\#(words(#""-:'%@\\""#)))"#, #"title CONTAINS[cd] "x" AND (\#(words(#""🎷""#)))"#,
        ]
        #expect(try SearchingClient.run() == expected)
        for predicate in expected { _ = try FormatPredicate(text: predicate) }
    }

    @Test func screens() {
        let expected = [
            "'🎷' cannot be written as a key. 'BEGINWITH' is not an operator.",
            "Quote a text; a key is SELF.\"🎷\" or %K.", "BEGINWITH", "{16, 9}",
            "'🎷' cannot be written as a key | 'BEGINWITH' is not an operator",
        ]
        #expect(ScreensClient.run() == expected)
    }

    @Test func values() throws {
        let expected = [
            "true", #"{"a\"b", nil, 1}"#, "3 true", "true true", "true true", "true [1.0]", "x 1.5", "true", "true",
            "true true", "true false",
        ]
        #expect(try ValuesClient.run() == expected)
    }

    @Test func sending() throws {
        let refusal =
            "ClientCounter, which may not be Sendable and was sent to another thread, has no key 'count'"
        #expect(try SendingClient.run() == ["true true", refusal, "true", refusal])
    }

    /// Statements for other packages. The client has stubs of their types.
    @Test func databaseClients() async throws {
        let clients = try DatabaseClientsClient()
        #expect(try clients.sqlite() == [["1", "Ada", "36"], ["2", "Madeleine", "40"]])
        let postgreSQL = try await clients.postgreSQL()
        #expect(postgreSQL[0].contains("$1") && postgreSQL.dropFirst().contains("21"))
        #expect(try await clients.mySQL().dropFirst().contains { $0.contains("21") })
        #expect(try await clients.sqlKit() == ["\(postgreSQL.count - 1) of \(postgreSQL[0])"])
    }

    /// Compiles in the other modes. The package's own mode, Swift 6 without default isolation, is already compiled.
    @Test(arguments: [["5"], ["5", "-default-isolation", "MainActor"], ["6", "-default-isolation", "MainActor"]])
    func everyClientCompiles(mode: [String]) throws {
        let folder = URL(fileURLWithPath: "Tests/House/ConformanceTests/Clients/NewCode", relativeTo: Project.root)
        let clients = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { !$0.lastPathComponent.hasSuffix("Tests.swift") }
        #expect(clients.count >= 9)
        let build = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        let modules = build.appendingPathComponent("Modules").path
        try #require(FileManager.default.fileExists(atPath: modules), "no modules at \(modules)")
        let maps = ["CArrow", "CAtomics"].flatMap { name in
            ["-Xcc", "-fmodule-map-file=" + build.appendingPathComponent("\(name).build/module.modulemap").path]
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["swiftc", "-typecheck", "-warnings-as-errors", "-I", modules] + maps + ["-swift-version"] + mode
            + clients.map(\.path)
        let output = Pipe()
        process.standardError = output
        try process.run()
        let messages = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(messages)")
    }
}
