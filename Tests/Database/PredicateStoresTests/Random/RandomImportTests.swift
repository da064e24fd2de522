// Random imports: the rows are those that the generator knows, and the losses are those of the import that writes each
// record by itself. Some values do not fit, some keys occur twice or exist, and some batches end in the middle.

import Foundation
import PredicateModel
@testable import PredicateStores
import PredicateSyntax
import PredicateTestSupport
import Testing

@Suite struct RandomImportTests {
    /// A value in a file: its text, and what its column then has; nil if it does not fit.
    private struct Cell {
        let text: String
        let stored: PredicateValue?
    }

    private struct Column {
        let name: String
        let kind: ExpressionType.Kind
        let isOptional: Bool

        func cell(_ random: inout SplitMix, isCSV: Bool) -> Cell {
            if isOptional, random.chance(15) { return Cell(text: isCSV ? "" : "null", stored: .null) }
            if random.chance(1) {
                return Cell(text: isCSV ? "no!" : "[]", stored: kind == .string && isCSV ? "no!" : nil)
            }
            func quoted(_ text: String) -> String { "\"" + text + "\"" }
            switch kind {
            case .integer:
                let number = random.chance(5) ? Int64.max - Int64(random.below(9)) : Int64(random.below(2000)) - 1000
                return Cell(text: "\(number)", stored: .integer(number))
            case .double:
                let number = Double(random.below(1_000_000) - 500_000) / random.pick([1, 8, 1000, 1e9, 1e-9])
                return Cell(text: "\(number)", stored: .double(number))
            case .boolean:
                let flag = random.chance(50)
                return Cell(text: "\(flag)", stored: .integer(flag ? 1 : 0))
            case .decimal:
                let text = random.pick(["12.50", "0.1", "9007199254740993.1", "-3", "123456789012345678901.25"])
                return Cell(text: isCSV ? text : quoted(text), stored: DecimalNumber(text).map { .string("\($0)") })
            case .date:
                let days = random.below(9000)
                let text = CalendarDate.iso8601(Double(days) * 86400) ?? ""
                return Cell(text: isCSV ? text : quoted(text), stored: .double(Double(days) * 86400))
            default:
                let text = random.pick(["a", "007", "x, y", "é", "a text of more than fifteen bytes", "1.50", ""])
                return Cell(text: quoted(text), stored: .string(text))
            }
        }
    }

    private static func columns(_ random: inout SplitMix) -> [Column] {
        let kinds: [ExpressionType.Kind] = [.integer, .double, .boolean, .decimal, .date, .string]
        return (0..<1 + random.below(6)).map {
            Column(name: "c\($0)", kind: random.pick(kinds), isOptional: random.chance(60))
        }
    }

    private static func run(
        _ path: String, _ schema: PredicateSchema, _ existing: [Int64], _ options: ImportOptions, rowByRow: Bool
    ) throws -> (ImportReport, [[PredicateValue]]) {
        let store = try SQLiteStore(path: ":memory:", mode: .create)
        try store.create(schema)
        let target = try store.refreshed(schema: schema)
        let columns = schema.entity("t")?.attributes.filter { $0.name != "id" && !$0.isOptional } ?? []
        for key in existing {
            let fields = [("id", PredicateValue.integer(key))] + columns.map { ($0.name, Self.filler($0.type)) }
            try target.insert([ValueDictionary(fields)], into: "t")
        }
        let report = try ImportOptions.$isRowByRow.withValue(rowByRow) {
            try target.importFiles([path], into: "t", options: options)
        }
        return (report, try target.rows("SELECT * FROM t ORDER BY id"))
    }

    private static func filler(_ kind: ExpressionType.Kind) -> PredicateValue {
        switch kind {
        case .string: "old"
        case .boolean: .bool(true)
        case .date: .date(0)
        case .double: .double(0)
        default: .integer(0)
        }
    }

    private static func stored(_ kind: ExpressionType.Kind) -> PredicateValue {
        switch filler(kind) {
        case .bool: .integer(1)
        case .date(let seconds): .double(seconds)
        case .integer where kind == .decimal: "0"
        case let value: value
        }
    }

    @Test func theRowsAreThoseOfTheFile() throws {
        var random = SplitMix(0xB6)
        for turn in 0..<TestDepth.count(1200) {
            let columns = Self.columns(&random)
            let isCSV = random.chance(50)
            let hasKeys = random.chance(70)
            var options = ImportOptions()
            options.keepsGoing = true
            options.updates = hasKeys && random.chance(30)
            let schema = try PredicateSchema([
                .init(
                    "t", primaryKey: ["id"],
                    attributes: [.init("id", .integer)]
                        + columns.map { .init($0.name, $0.kind, isOptional: $0.isOptional) })
            ])
            let existing: [Int64] = random.chance(30) ? [3, 40] : []
            var rows = Dictionary(
                uniqueKeysWithValues: existing.map { key in
                    (key, [.integer(key)] + columns.map { $0.isOptional ? .null : Self.stored($0.kind) })
                })
            var lines = isCSV ? [((hasKeys ? ["id"] : []) + columns.map(\.name)).joined(separator: ",")] : []
            var losses = 0
            var imported: Set<Int64> = []
            var next = (existing.max() ?? 0) + 1
            for number in 0..<random.pick([1, 30, 255, 256, 257, 600]) {
                let cells = columns.map { $0.cell(&random, isCSV: isCSV) }
                var key = Int64(random.chance(95) ? number + 1 : random.below(number + 2))
                if random.chance(2) { key += 10_000 }
                if !hasKeys { key = next }
                var texts = cells.map(\.text)
                if hasKeys { texts.insert("\(key)", at: 0) }
                let names = (hasKeys ? ["id"] : []) + columns.map(\.name)
                lines.append(
                    isCSV
                        ? texts.joined(separator: ",")
                        : "{" + zip(names, texts).map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}")
                // A single empty field is an empty line, which is no record.
                if isCSV, texts == [""] { continue }
                // A key is made for a record that is then lost.
                if !hasKeys { next += 1 }
                let stored = cells.compactMap(\.stored)
                if stored.count < cells.count || rows[key] != nil && !options.updates {
                    losses += 1
                    continue
                }
                rows[key] = [.integer(key)] + stored
                imported.insert(key)
            }
            let path = FileManager.default.temporaryDirectory
                .appendingPathComponent("\(UUID()).\(isCSV ? "csv" : "jsonl")").path
            defer { try? FileManager.default.removeItem(atPath: path) }
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: path))
            let (report, found) = try Self.run(path, schema, existing, options, rowByRow: false)
            let (slow, same) = try Self.run(path, schema, existing, options, rowByRow: true)
            #expect(found == rows.sorted { $0.key < $1.key }.map(\.value), "turn \(turn)")
            #expect(report.lossCount == losses && report.rows["t"] ?? 0 == imported.count, "turn \(turn)")
            #expect(found == same && report.losses == slow.losses && report.rows == slow.rows, "turn \(turn)")
        }
    }
}
