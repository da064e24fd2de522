// Failures that were found earlier, as lines of Tests/House/Engines/regressions.jsonl. All engines run all of them.

import Foundation
import PredicateModel
import PredicateSyntax

struct Regression: Codable, Sendable {
    let name: String
    /// What was wrong.
    let why: String
    let schema: String
    let entity: String
    let predicate: FormatPredicate
    /// By table, then by column. A missing column is nil, or an empty list if it must be a list.
    let rows: [String: [[String: String]]]
    /// The new values for the selected rows, if an update was wrong.
    var set: [String: Int64]?

    static func all() throws -> [Regression] {
        try String(contentsOf: Run.file("regressions.jsonl"), encoding: .utf8).split(separator: "\n")
            .map { try JSONDecoder().decode(Regression.self, from: Data($0.utf8)) }
    }

    init(_ name: String, _ why: String, _ one: Case, _ data: DataSet) {
        self.name = name
        self.why = why
        schema = data.named.name
        entity = one.entity
        predicate = one.predicate
        var rows: [String: [[String: String]]] = [:]
        for table in data.tables where !table.rows.isEmpty {
            rows[table.name] = table.rows.map { row in
                var texts: [String: String] = [:]
                for (column, value) in zip(table.columns, row) { texts[column.name] = WireValue.text(value) }
                return texts
            }
        }
        self.rows = rows
    }

    /// The rows, with values that the engine can store.
    func data(_ schemas: [NamedSchema], for engine: Engine) throws -> DataSet {
        guard let named = schemas.first(where: { $0.name == schema }) else {
            throw EngineFailure("\(name): there is no schema '\(schema)'")
        }
        return try DataSet(named, rows: rows, storing: engine)
    }

    var line: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "\(predicate)"
    }
}
