// The type of a CSV column depends on the whole file, even if a late field decides it. Output to a terminal and the
// records in memory are limited.

import Foundation
import PredicateTestSupport
import Testing

@testable import PredicateCheckCommands
@testable import PredicateCommands

@Suite struct ColumnTypeTests {
    /// 3,500 records, 0.7 MB. The last one has a text in a column of numbers.
    static let late: String = {
        let note = String(repeating: "x", count: 180)
        let lines = (0..<3_500).map { "\($0),\($0 + 100_000),\($0 % 90),\(note)" }
        return "id,serial,age,note\n" + lines.joined(separator: "\n") + "\n3500,007A,30,\n"
    }()

    @Test(.cases) func aLateTextMakesTheWholeColumnText() {
        forEachCase(TestDepth.some(["4", "1"], every: 1)) { threads in
            let path = try temporaryFile(Self.late, "late.csv")
            defer { try? FileManager.default.removeItem(atPath: path) }
            let first = Run(["filter", "serial == '100005'", path, "--keys", "id,serial,age", "--threads", threads])
            #expect(first.out == "id,serial,age\n5,\"100005\",5\n" && first.code == 0)
            let last = Run([
                "filter", "serial == '007A' OR id == 3", path, "--to", "jsonl", "--keys", "id,serial", "--threads",
                threads,
            ])
            #expect(
                last.out == """
                    {"id":3,"serial":"100003"}
                    {"id":3500,"serial":"007A"}

                    """)
            // A column that the predicate does not read also has its final type in the first records.
            let other = Run(["filter", "id < 2 OR id > 3498", path, "--to", "jsonl", "--threads", threads])
            #expect(
                other.out.split(separator: "\n").first?.hasPrefix("{\"id\":0,\"serial\":\"100000\",\"age\":0,") == true)
            #expect(other.out.split(separator: "\n").count == 4 && other.err.isEmpty)
            let sorted = Run(["filter", "age == 30", path, "--sort", "-serial", "--limit", "1", "--keys", "serial"])
            #expect(sorted.out == "serial\n\"103450\"\n")
        }
    }

    /// If more output is written than the buffer holds, a field of another type is an error with advice.
    @Test func lateTextAfterMuchOutputIsAnError() throws {
        let note = String(repeating: "x", count: 500)
        let rows = (0..<10_000).map { "\($0),\($0 + 100_000),\(note)" }.joined(separator: "\n")
        let path = try temporaryFile("id,serial,note\n\(rows)\n1,007A,x\n", "late.csv")
        defer { try? FileManager.default.removeItem(atPath: path) }
        let run = Run(["filter", "serial > 5", path])
        #expect(run.code == 5 && run.err.contains("--types serial=string"))
    }

    /// The columns are the keys of all records, in order of first appearance. This is the same if the first rows are
    /// buffered, and if the file is read a second time because its first record has no keys.
    @Test(.cases) func columnsAreTheKeysOfTheWholeFile() {
        forEachCase(["1", "4"]) { (threads) throws in
            let early = #"{"id":null}"# + "\n" + #"{"id":"x\ny"}"# + "\n" + #"{"id":null,"note":2}"#
            let late = #"{"late":"a,b","id":1}"#
            func output(_ inputs: [String]) throws -> String {
                let paths = try inputs.map { try temporaryFile($0, "late.jsonl") }
                defer { for path in paths { try? FileManager.default.removeItem(atPath: path) } }
                let run = Run(["filter", "TRUEPREDICATE"] + paths + ["--to", "csv", "--threads", threads])
                #expect(run.code == 0 && run.err.isEmpty)
                return run.out
            }
            let rows = "id,note,late\n,,\n\"x\ny\",,\n,2,\n1,,\"a,b\"\n"
            #expect(try output([early + "\n" + late]) == rows)
            #expect(try output([early, late]) == rows)
            #expect(
                try output(["{}\n" + early, late]) == rows.replacing("late\n", with: "late\n,,\n", maxReplacements: 1))
            #expect(try output([#"{"id":null}"# + "\n" + #"{"id":1}"#]) == "id\n\"\"\n1\n")
        }
    }

    @Test func controlCharactersAreReplacedOnATerminal() {
        let raw = Array("a\u{1B}]52;c;eA==\u{7}\tb\r\n\u{9B}é\u{7F}".utf8)
        let safe = String(decoding: TerminalText.safe(raw), as: UTF8.self)
        #expect(safe.hasPrefix("a␛]52;c;eA==␇\tb␍\n") && safe.contains("é"))
        let controls = safe.unicodeScalars.filter { $0.properties.generalCategory == .control }
        #expect(controls.allSatisfy { $0 == "\t" || $0 == "\n" })
        #expect(TerminalText.safe(Array("é\tx\n".utf8)) == Array("é\tx\n".utf8))
        for (raw, shown) in [
            ("a\u{202E}b", "a<U+202E>b"), ("\u{2066}x\u{2069}", "<U+2066>x<U+2069>"), ("a\u{2028}b", "a<U+2028>b"),
            ("\u{2029}\u{61C}\u{200F}", "<U+2029><U+061C><U+200F>"), ("👩\u{200D}🚀", "👩\u{200D}🚀"),
        ] {
            #expect(String(decoding: TerminalText.safe(Array(raw.utf8)), as: UTF8.self) == shown)
        }
    }

    @Test func linesAreBounded() {
        var reader = LineReader { [UInt8](repeating: 0x20, count: 1 << 20) }
        #expect(throws: CommandEnd.self) { try reader.line() }
    }
}
