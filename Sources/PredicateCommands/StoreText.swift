// Text output for stores: objects as records, plans as lines.

import Foundation
import PredicateModel
import PredicateRecords
import PredicateSQL
import PredicateStores
import PredicateSyntax

extension PredicateValue {
    /// Converts objects to dictionaries of their attributes. Without relationships, which could nest without
    /// end.
    var withoutObjects: PredicateValue {
        switch self {
        case .object(let reference): (reference.object as? StoredObject).map { .dictionary($0.attributes) } ?? .null
        case .array(let elements): .array(elements.map(\.withoutObjects))
        default: self
        }
    }
}

extension SQLStatement {
    static let sureNote = "rows whose \(sureColumn) is true need no residual"
}

extension SQLiteStore {
    /// Opens a database read-only and without waiting for what is not a file.
    /// - Throws: `CommandEnd` with a message.
    convenience init(_ name: String, _ input: CommandInput, schema: PredicateSchema? = nil) throws {
        let path = input.path(name)
        let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let type = try? FileManager.default.attributesOfItem(atPath: file)[.type] as? FileAttributeType
        if let type, type != .typeRegular {
            let what = type == .typeDirectory ? "a directory" : "not a file"
            throw CommandEnd.failure(.failed, "cannot open '\(name)': it is \(what)")
        }
        _ = try input.source(name)  // throws the usual error for a missing file
        do throws(StoreFailure) {
            try self.init(path: path, schema: schema)
        } catch {
            if case .cannotOpen(_, let reason) = error {
                throw CommandEnd.failure(.failed, "cannot open '\(name)': \(reason)")
            }
            throw CommandEnd.failure(.failed, error.description)
        }
    }

    /// A warning for each table and view of the database that its schema leaves out.
    func warningsOfUnreadableTables() -> [String] {
        let sql = """
            SELECT name FROM sqlite_master
            WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name
            """
        let known = Set(schema.entities.map { schema.table(of: $0.name) })
        let names = ((try? rows(sql)) ?? []).compactMap { row in
            if case .string(let name)? = row.first, !known.contains(name) { name } else { nil as String? }
        }
        return names.map { name in
            var reason = "it cannot be read"
            do throws(StoreFailure) {
                _ = try rows("SELECT * FROM \"\(name.replacingOccurrences(of: "\"", with: "\"\""))\" LIMIT 0")
            } catch {
                if case .engine(_, let message, _) = error { reason = message }
            }
            return "warning: '\(name)' is left out: \(reason)"
        }
    }

    /// The SQL with its values, the parts tested in memory with reasons, and the engine's plan.
    /// - Parameter width: the width of the terminal, in which the statement is laid out; nil for a program.
    func explanation(of request: FetchRequest, width: Int? = nil) throws(StoreFailure) -> [String] {
        let plan = try plan(request)
        let steps = try explain(request)
        let statement = plan.statement.text
        var lines =
            width.map { SQLLayout.text(statement, width: $0).split(separator: "\n").map(String.init) } ?? [statement]
        if !plan.statement.bindings.isEmpty {
            lines.append("bindings: " + plan.statement.bindings.map(TaggedJSON.text).joined(separator: ", "))
        }
        if let residual = plan.residual { lines.append("residual: \(residual)") }
        lines.append(plan.reasons.isEmpty ? "in memory: nothing" : "in memory:")
        lines += plan.reasons.map { "  " + $0 }
        if plan.statement.hasSure { lines.append("  " + SQLStatement.sureNote) }
        if !plan.advice.isEmpty { lines.append("advice:") }
        for advice in plan.advice { lines += advice.description.split(separator: "\n").map { "  " + $0 } }
        return lines + ["plan:"] + steps.map { "  " + $0 }
    }
}
