// The matrix in the output of `predicate fetch`: for each row of a SQLite database, an expression of `--keys` and of
// `--group` has the value that memory computes from a plain dictionary. A row for which evaluation fails is skipped.

import Foundation
import PredicateRecords
import PredicateStores
import PredicateTestSupport
import Testing

@testable import PredicateCheckCommands
@testable import PredicateCommands

@Suite struct OutputMatrixTests {
    /// The objects of the matrix in a database, with the file of their schema.
    private struct Folder {
        let url: URL
        let graphs: [PredicateValue]

        init(isHostile: Bool) throws {
            url = FileManager.default.temporaryDirectory.appendingPathComponent("matrix-\(UUID())")
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            let (schema, objects) = (try Matrix.schema(), Matrix.objects(isHostile: isHostile))
            graphs = Matrix.graphs(objects)
            let store = try SQLiteStore(
                path: url.appendingPathComponent("t.sqlite").path, schema: schema, mode: .create)
            try store.create(schema)
            try store.insert(objects, into: "Thing")
            let text = SchemaText.text(schema, isDatabase: true)
            try Data(text.utf8).write(to: url.appendingPathComponent("schema.json"))
        }

        /// The lines that `fetch` writes for all rows.
        func fetch(_ options: String...) -> (lines: [String], errors: String) {
            let run = Run(
                ["fetch", "TRUEPREDICATE", "--database", "t.sqlite", "--schema", "schema.json"] + options
                    + ["--time-zone", "UTC", "--on-error", "skip", "--to", "jsonl"],
                text: "", directory: url.path)
            return (run.out.split(separator: "\n").map(String.init), run.err)
        }

        func remove() { try? FileManager.default.removeItem(at: url) }
    }

    @Test(arguments: [false, true]) func valuesAreThoseOfMemory(_ isHostile: Bool) throws {
        let folder = try Folder(isHostile: isHostile)
        defer { folder.remove() }
        var random = SplitMix(state: 23)
        var (values, refusals) = (0, 0)
        for one in TestDepth.some(Matrix.expressions().shuffled(using: &random), every: 24, inCI: 4) {
            let meaning = try FormatExpression(one.meaning ?? one.text, arguments: [], in: Matrix.environment)
            let computed = folder.graphs.compactMap { try? meaning.evaluate($0) }
            let shown = computed.map { JSON.text(.object([("v", $0)])) }
            let (lines, errors) = folder.fetch("--keys", "\(one.text) AS v")
            if lines.isEmpty, errors.contains("error") {
                refusals += computed.isEmpty ? 0 : 1
                continue
            }
            values += 1
            #expect(lines == shown, "--keys \(one.text)\n\(errors)")
            var counts: [EqualityKey: Int] = [:]
            // All NaN are one group.
            func key(_ value: PredicateValue) -> EqualityKey { EqualityKey(value.isNaN ? "NaN" : value) }
            for value in computed { counts[key(value), default: 0] += 1 }
            let groups = folder.fetch("--group", "\(one.text) AS v, @count AS n").lines
            let expected = Set(
                computed.map { value in
                    JSON.text(.object([("v", value), ("n", .integer(Int64(counts[key(value)] ?? 0)))]))
                })
            #expect(groups.count == counts.count && expected.isSuperset(of: groups), "--group \(one.text): \(groups)")
        }
        #expect(values > TestDepth.least(40) && refusals * 10 < values, "\(refusals) of \(values)")
    }
}
