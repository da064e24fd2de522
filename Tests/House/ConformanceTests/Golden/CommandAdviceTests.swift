// What `check` advises about a predicate, the commands that run it and `lint` advise, too. The golden cases of
// Tests/Golden/diagnostics are texts alone; the cases below are about records, whose types say what a schema says.

import Foundation
import GoldenCases
import PredicateCheckCommands
import PredicateCommands
import PredicateTestSupport
import Testing

@Suite struct CommandAdviceTests {
    /// A predicate about the records below, and an advice that each command gives.
    private static let cases = [
        ("agee > 5", "did you mean age?"), ("pets.count > 0", "did you mean @count?"),
        ("pets.first.name == 'Rex'", "did you mean pets[FIRST].name?"),
        ("ANY pets.toys.price == 3", "flatten them: @unionOfArrays, or use SUBQUERY"),
        ("id CONTAINS '5'", "write CAST(id, \"NSString\") CONTAINS …"), ("ANY age > 5", "remove ANY"),
        ("NONE name == 'Ada'", "write NOT"), ("name == 5", "write a text: \"5\""),
        ("age == '36'", "write a number: 36, or use --extensions typed-texts"),
        ("age < '40'", "write a number: 40, or use --extensions typed-texts"),
        ("age.integerValue <= '40'", "write a number: 40"),
        ("age BEGINSWITH '3'", "write CAST(age, \"NSString\") BEGINSWITH …"),
        ("tags BEGINSWITH 'm'", "use ANY, ALL, NONE or SUBQUERY"), ("pets.age > 1", "use ANY, ALL, NONE or SUBQUERY"),
        ("pets.age.@max > 3", "write pets.@max.age"), ("pets.@size > 0", "did you mean @count?"),
        ("name == @YES", "a key has no @: write YES, or quote the text"),
        ("1 == 1", "name a key, or write TRUEPREDICATE"), ("name == Kyle", "if Kyle is text, quote it"),
        ("name BEGINSWITH {'A', 'B'}", "join a comparison with each by OR"), ("name BEGINSWITH 10", "fix: \"10\""),
        ("name == {'A', 'B'}", "write name IN {'A', 'B'}"), ("age BETWEEN 5", "write {lower, upper}"),
        ("name + ' ' + nickname == 'Ada A'", "build the text first, and pass it for %@"),
        ("SUBQUERY(pets, $p, $p.age > 1).@count > $p", "only the condition of its SUBQUERY has it"),
        ("pets.name CONTAINS 'Re'", "for a part of a text write ANY pets.name CONTAINS \"Re\""),
        ("pets.name CONTAINS[c] 're'", "write ANY pets.name CONTAINS[c] \"re\""),
        ("FUNCTION(name, 'REGEXP_LIKE', 'A') == 1", "write a comparison with MATCHES"),
        ("FUNCTION(name, 'hasPrefx:', 'A') == 1", "did you mean \"hasPrefix:\"?"),
        ("name LIKE 'A%'", "use *"), ("name == '*da'", "write LIKE"), ("pets.nam == 'Rex'", "did you mean name?"),
        ("name.lenght > 2", "did you mean length?"), ("name MATCHES 'a[0-10]'", "write the numbers joined by |"),
        ("name MATCHES '^(?=.*A)'", "add .* at its end"), ("age = 3 and and", "remove both"),
    ]
    private static let schema = """
        {"entities": {
          "Person": {"primaryKey": "id", "attributes": {"id": "integer", "name": "string", "age": "integer",
            "nickname": {"type": "string", "optional": true}, "tags": {"type": "list", "of": "string"}},
            "relationships": {"pets": {"to": "Pet", "many": true, "foreignKey": "owner"}}},
          "Pet": {"primaryKey": "id", "attributes": {"id": "integer", "name": "string", "age": "integer"},
            "relationships": {"toys": {"to": "Toy", "many": true, "foreignKey": "pet"}}},
          "Toy": {"primaryKey": "id", "attributes": {"id": "integer", "price": "integer"}}}}
        """
    private static let record = """
        {"id": 5, "name": "Ada", "nickname": "A", "age": 36, "tags": ["math"],
          "pets": [{"id": 1, "name": "Rex", "age": 3, "toys": [{"id": 7, "price": 3}]}]}
        """

    @Test(.cases) func advisedByTypes() throws {
        try inFolder { folder in
            try Self.write(Self.schema, "s.json", folder)
            try Self.write(Self.record, "r.json", folder)
            let types = ["--schema", "s.json", "--entity", "Person"]
            let made = Self.run(["import", "r.json", "--into", "r.sqlite"] + types, in: folder)
            #expect(made.hasPrefix("made r.sqlite"), "\(made)")
            forEachCase(Self.cases) { text, advice in
                try Self.write(text + "\n", "t.predicate", folder)
                for command in [
                    ["check"] + types + [text], ["lint", "t.predicate"] + types,
                    ["eval", text, "--object", Self.record], ["eval", text, "r.json"],
                    ["filter", text, "r.json", "--no-extensions"],
                    ["fetch", text, "--database", "r.sqlite", "--no-extensions"] + types,
                ] {
                    let output = Self.run(command, in: folder)
                    #expect(output.contains(advice), "\(command[0]): \(output)")
                }
            }
        }
    }

    @Test(.cases) func advisedOfTheText() throws {
        var count = 0
        try inFolder { folder in
            try Self.write("{}", "r.json", folder)
            for path in SuggestionTests.files {
                let file = try GoldenFile(Project.text(path))
                // `lint` reads `//` as a comment of a file of predicates.
                let texts = file.cases.filter { $0.directives.isEmpty && file.schema == nil }.map(\.format).filter {
                    !$0.isEmpty && !$0.contains("\n") && !$0.hasPrefix("//")
                }
                forEachCase(TestDepth.some(texts, every: 2)) { text in
                    try Self.write(text + "\n", "t.predicate", folder)
                    let advice = Self.advice(Self.run(["check", "--", text], in: folder))
                    for command in [
                        ["lint", "t.predicate"], ["eval", "--object", "{}", "--", text],
                        ["eval", "--", text, "r.json"],
                        ["filter", "--no-extensions", "--", text, "r.json"],
                    ] {
                        let output = Self.run(command, in: folder)
                        for line in advice { #expect(output.contains(line), "\(command[0]): \(output)") }
                    }
                    count += advice.count
                }
            }
        }
        #expect(count > TestDepth.least(90))
    }

    /// The labels under the carets, and the fix-its.
    private static func advice(_ output: String) -> [String] {
        output.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 2)
            guard parts.count == 3, parts[0] == "|" && parts[1].allSatisfy({ $0 == "^" }) || parts[0] == "=" else {
                return nil
            }
            return String(parts[2])
        }
    }

    private static func write(_ text: String, _ name: String, _ folder: URL) throws {
        try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }

    private static func run(_ arguments: [String], in folder: URL) -> String {
        var text = ""
        let output = CommandOutput(
            isTerminal: false, errorIsTerminal: false, write: { text += String(decoding: $0, as: UTF8.self) },
            writeError: { text += String(decoding: $0, as: UTF8.self) })
        _ = PredicateCommand.run(
            arguments, input: CommandInput(text: nil, environment: [:], directory: folder.path), output: output)
        return text
    }

    private func inFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("advice-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }
}
