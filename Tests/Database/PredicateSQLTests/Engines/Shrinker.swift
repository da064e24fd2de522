// Makes a failing case smaller: fewer terms, simpler constants, fewer rows, more nil, while it still fails.

import PredicateModel
import PredicateSyntax

struct Shrinker {
    let oracle: Oracle
    /// The number of checks that are left.
    private var budget = 400

    init(_ oracle: Oracle) { self.oracle = oracle }

    /// The smallest failing case that was found, and what is wrong with it.
    mutating func shrink(_ one: Case, _ data: DataSet, _ complaint: String) async -> (Case, DataSet, String) {
        var best = (one, data, complaint)
        var isShrinking = true
        while isShrinking, budget > 0 {
            isShrinking = false
            for node in Self.smaller(best.0.predicate.root) where budget > 0 {
                let candidate = Case(
                    entity: one.entity, predicate: FormatPredicate(node), isMetamorphic: one.isMetamorphic)
                guard let complaint = await check(candidate, best.1) else { continue }
                best = (candidate, best.1, complaint)
                isShrinking = true
                break
            }
            for smaller in best.1.smaller() where budget > 0 {
                guard let complaint = await check(best.0, smaller) else { continue }
                best = (best.0, smaller, complaint)
                isShrinking = true
                break
            }
        }
        return best
    }

    private mutating func check(_ one: Case, _ data: DataSet) async -> String? {
        budget -= 1
        return (try? await oracle.complaint(one, data)) ?? nil
    }

    // MARK: Predicates

    static func smaller(_ node: PredicateNode) -> [PredicateNode] {
        switch node.kind {
        case .constant, .error: return []
        case .not(let inner): return [inner] + smaller(inner).map { PredicateNode(.not($0)) }
        case .and(let parts): return shorter(parts) { PredicateNode(.and($0)) }
        case .or(let parts): return shorter(parts) { PredicateNode(.or($0)) }
        case .comparison(let comparison):
            var found: [PredicateNode] = []
            func add(_ change: (inout ComparisonNode) -> Void) {
                var changed = comparison
                change(&changed)
                found.append(PredicateNode(.comparison(changed)))
            }
            if !comparison.options.isEmpty { add { $0.options = [] } }
            for left in smaller(comparison.left) { add { $0.left = left } }
            for right in smaller(comparison.right) { add { $0.right = right } }
            return found
        }
    }

    private static func shorter(
        _ parts: [PredicateNode], _ make: ([PredicateNode]) -> PredicateNode
    ) -> [PredicateNode] {
        var found = parts
        for index in parts.indices {
            if parts.count > 2 {
                var fewer = parts
                fewer.remove(at: index)
                found.append(make(fewer))
            }
            for part in smaller(parts[index]) {
                var changed = parts
                changed[index] = part
                found.append(make(changed))
            }
        }
        return found
    }

    private static func smaller(_ node: ExpressionNode) -> [ExpressionNode] {
        switch node.kind {
        case .value(let value): return smaller(value).map { ExpressionNode(.value($0)) }
        case .aggregate(let nodes):
            return nodes.indices.map { index in
                var fewer = nodes
                fewer.remove(at: index)
                return ExpressionNode(.aggregate(fewer))
            }
        case .subquery(let collection, let variable, let predicate):
            return ([PredicateNode(.constant(true))] + smaller(predicate)).map {
                ExpressionNode(.subquery(collection, variable: variable, $0))
            }
        case .binary(_, let left, let right): return [left, right]
        default: return []
        }
    }

    static func smaller(_ value: PredicateValue) -> [PredicateValue] {
        switch value {
        case .string(let text):
            let scalars = Array(text.unicodeScalars)
            if scalars.count < 2 { return text == "a" || text.isEmpty ? [] : [.string("a")] }
            let half = scalars.count / 2
            return [scalars[..<half], scalars[half...], scalars[1...], scalars.dropLast()].map { piece in
                var view = String.UnicodeScalarView()
                view.append(contentsOf: piece)
                return .string(String(view))
            }
        case .array(let values):
            return values.indices.map { index in
                var fewer = values
                fewer.remove(at: index)
                return .array(fewer)
            }
        case .integer(let number): return number == 0 || number == 1 ? [] : [.integer(0), .integer(1)]
        case .double(let number): return number == 0 || number == 1 ? [] : [.double(0), .double(1)]
        default: return []
        }
    }
}

extension DataSet {
    /// Data sets with one row less, or with one simpler value.
    func smaller() -> [DataSet] {
        var found: [DataSet] = []
        for (index, table) in tables.enumerated() {
            for row in table.rows.indices {
                var fewer = self
                fewer.remove(row, from: index)
                found.append(fewer)
            }
        }
        for (index, table) in tables.enumerated() {
            for row in table.rows.indices {
                for (position, column) in table.columns.enumerated() where !table.keys.contains(column.name) {
                    let value = table.rows[row][position]
                    if value.isNil { continue }
                    let plainer =
                        column.isOptional ? [PredicateValue.null] : column.target == nil ? Shrinker.smaller(value) : []
                    for plain in plainer {
                        var changed = self
                        changed.tables[index].rows[row][position] = plain
                        found.append(changed)
                    }
                }
            }
        }
        return found
    }

    /// Removes a row and every row that requires it, so that each foreign key refers to a row.
    private mutating func remove(_ row: Int, from table: Int) {
        let key = tables[table].number(tables[table].rows[row])
        let entity = schema.entities.first { $0.table == tables[table].name }?.name
        tables[table].rows.remove(at: row)
        guard let entity else { return }
        for index in tables.indices {
            for (position, column) in tables[index].columns.enumerated() where column.target == entity {
                let parts = tables[index].columns.filter { $0.foreignKey == column.foreignKey }.map(\.name)
                for row in tables[index].rows.indices.reversed() {
                    let other = KeyNumber.of(tables[index].values(parts, tables[index].rows[row]))
                    if other == nil || other != key { continue }
                    if column.isOptional {
                        tables[index].rows[row][position] = .null
                    } else {
                        remove(row, from: index)
                    }
                }
            }
        }
    }
}
