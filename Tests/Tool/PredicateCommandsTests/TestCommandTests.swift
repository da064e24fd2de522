// `predicate test`: every wrong expectation fails, and test files of any content end with words and an exit code.

import Foundation
import PredicateRecords
import PredicateTestSupport
import Testing

@testable import PredicateCheckCommands
@testable import PredicateCommands

@Suite struct TestCommandTests {
    private func inFolder(_ body: (_ folder: String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.path + "/test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder + "/below", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    private func write(_ text: String, _ path: String) throws {
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// A case without its expectation, the right one, and wrong ones.
    private static let expectations: [(String, right: [String], wrong: [String])] = [
        (#""object": {"a": 1}"#, [#""expect": true"#], [#""expect": false"#, #""expect": "error""#, #""error": "x""#]),
        (#""object": {"a": 2}"#, [#""expect": false"#], [#""expect": true"#, #""expect": "error""#]),
        (
            #""object": {"a": "x"}"#,
            [#""expect": "error""#, #""error": "operand-type""#, #""expect": "error", "error": "a text""#],
            [#""expect": true"#, #""expect": false"#, #""error": "division-by-zero""#]
        ),
        (
            #""objects": [{"id": 1, "a": 1}, {"id": 2, "a": 5}, {"id": 3, "a": 0}]"#,
            [#""expect": [1, 3]"#, #""expect": [3, 1]"#, #""key": "a", "expect": [1, 0]"#],
            [
                #""expect": [1]"#, #""expect": [1, 2, 3]"#, #""expect": [1, 3, 4]"#, #""expect": []"#,
                #""expect": ["1", "3"]"#, #""expect": true"#, #""expect": false"#, #""key": "b", "expect": [1, 3]"#,
            ]
        ),
        (#""objects": [{"a": 1}, {"a": 0}]"#, [#""expect": true"#], [#""expect": false"#, #""expect": []"#]),
        (#""objects": [{"id": 1, "a": "x"}]"#, [#""error": "operand-type""#], [#""expect": []"#, #""expect": [1]"#]),
        (#""objects": []"#, [], [#""expect": true"#, #""expect": []"#, #""expect": "error""#]),
        (#""data": "none.csv""#, [], [#""expect": true"#, #""expect": []"#, #""expect": "error""#]),
    ]

    @Test(.cases) func wrongExpectationsFail() {
        forEachCase(Self.expectations) { object, right, wrong in
            for (expectation, codes) in right.map({ ($0, [0]) }) + wrong.map({ ($0, [1, 5]) }) {
                let text = #"{"rule": "a + 0 < 2", "cases": [{\#(object), \#(expectation)}]}"#
                for format in ["text", "json", "junit", "github"] {
                    let run = Run(["test", "-", "--output", format], text: text)
                    #expect(codes.contains(Int(run.code)), "\(text) ends with \(run.code): \(run.out)\(run.err)")
                }
            }
        }
    }

    /// `random()` draws the same numbers in each run.
    @Test func runsAreRepeatable() {
        let codes = (0..<10).map { index in
            let text = #"{"rule": "random() < 0.5", "cases": [{"object": 1, "expect": \#(index.isMultiple(of: 2))}]}"#
            return Run(["test", "-"], text: text).code
        }
        #expect(
            Set(codes) == [0, 1]
                && codes == Array([codes.prefix(2)].flatMap { Array(repeating: $0, count: 5) }.joined()))
    }

    @Test func theSameInEachFormat() throws {
        let json = Run(
            ["test", "-"],
            text: #"{"rule": "a == %@", "arguments": [1], "cases": [{"object": {"a": 1}, "expect": true}]}"#)
        #expect(json.out == "1 case of 1 test in 1 file, all passed\n" && json.code == 0)
        try inFolder { folder in
            let yaml = """
                # A comment
                rule: "a == %@"   # with an argument
                arguments: [1]
                cases:
                  - name: one
                    object:
                      a: 1
                      b: '2'
                      c: |
                        two
                        lines
                    expect: true
                """
            try write(yaml, folder + "/a.test.yaml")
            try write(
                "{\"rule\": \"a == 1\"}\n\n{\"object\": {\"a\": 1}, \"expect\": true}\n", folder + "/below/b.test.jsonl"
            )
            try write("{\"rule\": \"a == 1\"}", folder + "/no-test.json")
            let run = Run(["test", folder])
            #expect(run.out == "2 cases of 2 tests in 2 files, all passed\n" && run.code == 0, "\(run.err)")
            let failing = yaml.replacing("a: 1", with: "a: 2")
            try write(failing, folder + "/a.test.yaml")
            #expect(Run(["test", folder]).out.hasPrefix("\(folder)/a.test.yaml:5: a == %@, one: expected true, but"))
        }
    }

    /// Names with all that XML and annotations escape.
    @Test func resultsAreEscaped() throws {
        let name = "<a href=\"x\">&amp; ]]> \u{1}\u{1B}\u{FFFF}\n\r\té'%0A::error::,"
        let json = JSON.text(.string(name))
        let text =
            "{\"name\": \(json), \"rule\": \"a == \\\"<&>\\\"\", \"cases\": [{\"name\": \(json), \"object\": {\"a\": \"<&\"}, \"expect\": true}]}"
        let junit = Run(["test", "-", "--output", "junit"], text: text)
        let root = try MarkupElement.parse(Array(junit.out.utf8))
        #expect(root.name == "testsuites" && root["tests"] == "1" && root["failures"] == "1")
        let one = try #require(root.children.first?.children.first)
        #expect(one["name"] == "<a href=\"x\">&amp; ]]> \u{FFFD}\u{FFFD}\u{FFFD}\n\r\té'%0A::error::,")
        #expect(one.children[0].text.text.contains("a == \"<&>\""))
        let github = Run(["test", "-", "--output", "github"], text: text)
        #expect(
            github.out.split(separator: "\n").count == 1 && github.out.hasPrefix("::error file=<stdin>,line=1,title="))
        let shown = Run(["test", "-"], text: text)
        #expect(!shown.out.contains("\u{1B}"))
        let line = try JSON.parse(Run(["test", "-", "--output", "json"], text: text).out)
        guard case .dictionary(let fields) = line else { return #expect(Bool(false)) }
        #expect(fields["name"] == .string(name))
    }

    /// Deep, long and damaged files, and the parts of a valid file.
    @Test func hostileFilesAreRefused() throws {
        let valid = #"""
            [{"name": "é", "ruleFile": "a.txt", "ruleID": "b", "cases": [{"object": {"a": [1, {"$date": "2026-02-27"}]},
            "expect": true}, {"data": "b.csv", "key": "c", "expect": [1]}]}, {"rule": "due <= now() AND a != %@",
            "arguments": [true], "variables": {"me": "Ada"}, "clock": "2026-03-01T12:00:00Z", "types": {"due": "date"},
            "extensions": ["dates"], "timeZone": "+02:00", "cases": [{"objects": [1, 2], "error": "x"}]}]
            """#
        let deep = String(repeating: "[", count: 100_000)
        let deepObject =
            "{\"rule\": \"a == 1\", \"cases\": [{\"object\": " + String(repeating: "{\"a\":", count: 500) + "1"
        var texts = [
            "", " ", "\u{0}", "null", "5", "\"a\"", "[]", "{}", "[[]]", "[null]", deep, deepObject, "{\"rule\": 5}",
            "{\"rule\": \"a == 1\"}", "{\"rule\": \"a == 1\", \"cases\": {}}", "- - - -", "a: b: c", "rule: *x", "? x",
            "rule: a\n\tcases: []", "{rule: a", "rule: \"a", "---\n---\nrule: a\n---\nrule: b",
            "rule: a == 1\ncases:\n-",
            String(repeating: "- ", count: 10_000), String(repeating: " ", count: 10_000) + "a: b",
            String(repeating: "{\"rule\": \"a == 1\", \"cases\": [7]}\n", count: 1_000),
            "{\"rule\": \"" + String(repeating: "(", count: 100_000)
                + "\", \"cases\": [{\"object\": 1, \"expect\": true}]}",
        ]
        texts += (0..<TestDepth.count(60)).map { String(valid.prefix($0 * 37 % valid.count)) }
        try inFolder { folder in
            for text in texts {
                for name in ["a.test.json", "a.test.jsonl", "a.test.yaml"] {
                    try write(text, folder + "/" + name)
                    let run = Run(["test", folder + "/" + name])
                    #expect([2, 3, 5].contains(run.code), "\(name) ends with \(run.code): \(text.prefix(200))")
                    #expect(!(run.out + run.err).isEmpty && run.err.utf8.count < 100_000, "\(text.prefix(200))")
                }
            }
        }
    }

    /// What YAML's readers skip is an error in a test file.
    @Test(.cases) func strictYAML() {
        forEachCase([
            ("a: 1\n  b: 2", "this line cannot be read"), ("a: &x 1", "anchors and tags"),
            ("a: !!str 1", "anchors and tags"), ("a: *x", "aliases"), ("a: 1\n---\nb: 2", "one document"),
            ("a: 1\n\tb: 2", "a tab"), ("a: [1] 2", "unexpected text"), ("a: 1\na: 2", "occurs twice"),
            ("a: {1}", "a value without a key"), ("a: |2\n   x", "indentation"), ("a: 1\nb", "cannot be read"),
        ]) { (text, message) throws in
            let error = try #require(throws: DocumentProblem.self, "\(text)") { try DataNode.yaml(Array(text.utf8)) }
            #expect(error.message.contains(message), "\(text)")
        }
        forEachCase([
            ("---\n# c\n\"a\": 1 # one\n\n", #"{"a":1}"#),
            (
                "a: [1, -2.5, 1e3, .5, 0x1F, 0o17, ~, null, true, False]",
                #"{"a":[1,-2.5,1000.0,0.5,31,15,null,null,true,false]}"#
            ),
            (
                "a:\nb: \"1\"\nc: '1'\nd: 2026-03-01\ne: yes\nf: 1e\ng: 99999999999999999999",
                #"{"a":null,"b":"1","c":"1","d":"2026-03-01","e":"yes","f":"1e","g":1e+20}"#
            ),
            ("- {a: [x, 'y'], b: {c: d}}\n- >-\n  x\n  y\n- |\n  1", #"[{"a":["x","y"],"b":{"c":"d"}},"x y","1"]"#),
            ("5", "5"), ("", "[]"),
        ]) { text, json in
            let read = try DataNode.yaml(Array(text.utf8))
            #expect(JSON.text(read.value) == json)
        }
    }

    @Test func placesOfValues() throws {
        let json = try DataNode.json(Array("{\"a\": [\n  {\"b\": 1},\n {\"b\": [2,\n3]}]}".utf8))
        let list = try #require(json["a"]).elements
        #expect(list.map { $0.place().line } == [2, 3] && list.map { $0.place(of: "b").column } == [9, 8])
        #expect(list[1]["b"]?.elements.map { $0.place().line } == [3, 4])
        let yaml = try DataNode.yaml(Array("a:\n- b: 1\n- c:\n    - 2\n    - 3".utf8))
        #expect(yaml["a"]?.elements[1]["c"]?.elements.map { $0.place().line } == [4, 5])
        #expect(yaml.place(of: "a").line == 2 && yaml.place(of: "none").line == 1)
    }
}
