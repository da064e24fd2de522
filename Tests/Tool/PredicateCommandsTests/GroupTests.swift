// Groups of files are those of SQLite, and depend neither on threads nor on how the input is read.

import Foundation
import PredicateTestSupport
import Testing

@testable import PredicateCheckCommands
@testable import PredicateCommands

@Suite struct GroupTests {
    /// A folder with the same random rows in t.csv and in t.sqlite.
    private struct Folder {
        let url: URL

        init(_ rows: [String]) throws {
            url = FileManager.default.temporaryDirectory.appendingPathComponent("groups-\(UUID())")
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            // The first row decides that no column is empty.
            let text = "id,k,l,x,n\n0,first,0,0.5,0\n" + rows.joined()
            try Data(text.utf8).write(to: url.appendingPathComponent("t.csv"))
            #expect(run("import", "t.csv", "--into", "t.sqlite").code == 0)
        }

        func run(_ words: String...) -> (code: Int32, out: String) { run(words) }

        func run(_ words: [String]) -> (code: Int32, out: String) {
            let run = Run(words, text: "", directory: url.path)
            return (run.code, run.out)
        }

        func remove() { try? FileManager.default.removeItem(at: url) }
    }

    /// A row with a text, two integers and a number, of which some are nil. Sums of quarters are exact in any order.
    private static func row(_ number: Int, _ random: inout SplitMix) -> String {
        func orNil(_ text: String) -> String { random.chance(12) ? "" : text }
        let texts = ["a", "b", "é", "e\u{301}", "\"x,y\"", "long text with more than fifteen bytes"]
        let cells = [
            orNil(random.pick(texts)), orNil("\(random.below(5) - 2)"),
            orNil("\(Double(random.below(4000) - 2000) / 4)"), orNil("\(random.below(1000))"),
        ]
        return "\(number + 1)," + cells.joined(separator: ",") + "\n"
    }

    private static func options(_ random: inout SplitMix) -> [String] {
        let keys = [
            ["k"], ["l"], ["k", "l"], ["l AS level"], ["l * 2 AS double"], ["k", "TERNARY(n > 500, 1, 0) AS big"],
        ]
        let values = ["@sum.x", "@avg.x", "@min.n", "@max.x", "@sum.n", "@avg.n", "@min.k", "@max.n - @min.n AS range"]
        let chosen = random.pick(keys)
        if random.chance(15) {
            return ["--distinct", "--keys", chosen.joined(separator: ",")]
                + (random.chance(50) ? ["--limit", "3"] : [])
        }
        let computed = values.filter { _ in random.chance(35) }
        var options = ["--group", (chosen + computed).joined(separator: ",")]
        if random.chance(40) {
            options += [
                "--having", random.pick(["@count > 20", "@avg.x > 0", "@sum.n > 900 OR @count < 9", "@min.x < 0"]),
            ]
        }
        if random.chance(50) { options.append("--sort=" + random.pick(["-@count", "@sum.n", "-@max.x", "@avg.n"])) }
        if random.chance(30) { options += ["--limit", "\(random.below(9))", "--offset", "\(random.below(3))"] }
        return options
    }

    @Test func groupsAreThoseOfSQLite() throws {
        var random = SplitMix(0x6007)
        var count = 0
        let turns = TestDepth.count(1200)
        while count < turns {
            let folder = try Folder((0..<1 + random.below(400)).map { Self.row($0, &random) })
            defer { folder.remove() }
            for _ in 0..<min(20, turns - count) {
                count += 1
                let options = Self.options(&random) + ["--to", "csv"]
                let condition = random.pick(["TRUEPREDICATE", "n > 300", "k != nil"])
                let file = folder.run(["filter", condition, "t.csv", "--threads", "2"] + options)
                let database = folder.run(["fetch", condition, "--database", "t.sqlite"] + options)
                #expect(file.out == database.out && file.code == database.code, "\(condition) \(options)")
            }
        }
    }

    /// The last digits of a sum of doubles depend on its order.
    @Test func groupsDoNotDependOnThreads() throws {
        var random = SplitMix(0x6008)
        let folder = try Folder(
            (0..<TestDepth.size(40_000)).map {
                "\($0 + 1),key \(random.below(7)),\(random.below(3)),\(random.below(1 << 30)).1,1\n"
            })
        defer { folder.remove() }
        let options = ["--group", "k, l, @sum.x, @avg.x, @max.x", "--to", "csv"]
        let one = folder.run(["filter", "TRUEPREDICATE", "t.csv", "--threads", "1"] + options)
        #expect(one.out.split(separator: "\n").count == 23)
        for threads in ["2", "8"] {
            #expect(folder.run(["filter", "TRUEPREDICATE", "t.csv", "--threads", threads] + options) == one)
        }
    }
}
