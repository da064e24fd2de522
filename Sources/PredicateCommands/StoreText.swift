// Text output for stores: objects as records, plans as lines.

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
    /// The SQL with its values, the parts tested in memory with reasons, and the engine's plan.
    func explanation(of request: FetchRequest) throws(StoreFailure) -> [String] {
        let plan = try plan(request)
        let steps = try explain(request)
        var lines = [plan.statement.text]
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
