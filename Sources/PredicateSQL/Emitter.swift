// Conditions as fragments. Parentheses follow from the tree, so that no precedence can be wrong; a positive leaf is plain,
// so that an index can serve it (SQL.md 2.1, 7.6).
import PredicateModel
import PredicateSyntax

struct Emitter {
    struct Column: Hashable {
        let alias: Int
        let name: String
    }

    private let dialect: Dialect
    private(set) var functions: Set<SQLFunction> = []
    /// The columns whose order of texts matters.
    private(set) var textColumns: Set<Column> = []
    /// Known when `from` was called for every scope.
    private(set) var hasOuterJoins = false
    private var usedAliases: Set<Int> = []

    /// The table behind each alias.
    private let tables: [Int: String]

    init(_ dialect: Dialect, _ tables: [Int: String]) {
        self.dialect = dialect
        self.tables = tables
    }

    mutating func emit(_ condition: Condition) -> SQLFragment {
        switch condition {
        case .constant(let value): return constant(value)
        case .all(let parts): return chain(parts.map { grouped($0) }, " AND ")
        case .any(let parts): return chain(parts.map { emit($0) }, " OR ")
        case .leaf(let leaf, let negated): return emit(leaf, negated: negated)
        case .exists(let scope, let inner, let negated):
            return SQLFragment(negated ? "NOT EXISTS (" : "EXISTS (") + select(SQLFragment("1"), scope, inner)
                + SQLFragment(")")
        case .count(let scope, let inner, let order, let number):
            return aggregate(.count, nil, scope, inner) + SQLFragment(" \(order.spelling) ")
                + .binding(.integer(number), .integer)
        // Bounds are taken before anything is emitted; the upper one is always sound.
        case .bounded(let over, _, _): return emit(over)
        // Nor is anything partial left.
        case .partial(let whenTrue, _): return emit(whenTrue)
        }
    }

    private func constant(_ value: Bool) -> SQLFragment {
        SQLFragment(value ? dialect.alwaysTrue : dialect.alwaysFalse)
    }

    private mutating func grouped(_ condition: Condition) -> SQLFragment {
        let fragment = emit(condition)
        if case .any = condition { return fragment.parenthesized }
        return fragment
    }

    /// A chain that is long becomes a tree: parsers recurse over chains.
    private func chain(_ parts: [SQLFragment], _ word: String) -> SQLFragment {
        var parts = parts
        while parts.count > dialect.chainLimit {
            parts = stride(from: 0, to: parts.count, by: dialect.chainLimit).map { start in
                let end = min(start + dialect.chainLimit, parts.count)
                return SQLFragment.joined(Array(parts[start..<end]), word).parenthesized
            }
        }
        return .joined(parts, word)
    }

    // MARK: Subqueries

    private mutating func select(_ result: SQLFragment, _ scope: Scope, _ condition: Condition) -> SQLFragment {
        var conditions: [SQLFragment] = []
        if case .constant(true) = condition {} else { conditions.append(grouped(condition)) }
        let from = from(scope)
        if let link = link(scope) { conditions.insert(link, at: 0) }
        var fragment = SQLFragment("SELECT ") + result + SQLFragment(" FROM ") + from
        if !conditions.isEmpty { fragment += SQLFragment(" WHERE ") + chain(conditions, " AND ") }
        return fragment
    }

    private mutating func link(_ scope: Scope) -> SQLFragment? {
        switch scope.link {
        case .foreignKey(let column, let outer):
            SQLFragment.column(scope.alias, column) + SQLFragment(" = ") + emit(outer)
        case .pairs(_, let alias, let from, _, _, let outer):
            SQLFragment.column(alias, from) + SQLFragment(" = ") + emit(outer)
        case .elements, nil: nil
        }
    }

    /// The scope's table and those of its joins that something speaks of. Call it when all else of the scope is emitted.
    mutating func from(_ scope: Scope) -> SQLFragment {
        var used: [Scope.Join] = []
        // A join may lead on from an earlier one.
        for join in scope.joins.reversed() where usedAliases.contains(join.alias) {
            usedAliases.insert(join.base)
            used.insert(join, at: 0)
        }
        var fragment = SQLFragment()
        if case .elements(let list, let type) = scope.link {
            let alias = SQLFragment.identifier("t\(scope.alias)")
            if type == .text, case .column(let owner, let name) = list.kind {
                textColumns.insert(Column(alias: owner, name: name))
            }
            fragment += dialect.elements[type]?(emit(list), alias) ?? alias
        } else if case .pairs(let table, let alias, _, let to, let key, _) = scope.link {
            fragment += Self.table(table, alias) + SQLFragment(" JOIN ") + Self.table(scope.table, scope.alias)
            fragment += SQLFragment(" ON ") + .column(scope.alias, key) + SQLFragment(" = ") + .column(alias, to)
        } else {
            fragment += Self.table(scope.table, scope.alias)
        }
        for join in used {
            hasOuterJoins = true
            fragment += SQLFragment(" LEFT JOIN ") + Self.table(join.table, join.alias) + SQLFragment(" ON ")
            fragment += .column(join.alias, join.key) + SQLFragment(" = ") + .column(join.base, join.column)
        }
        return fragment
    }

    private static func table(_ name: String, _ alias: Int) -> SQLFragment {
        .identifier(name) + SQLFragment(" AS ") + .identifier("t\(alias)")
    }

    // MARK: Leaves

    mutating func emitted(_ operand: Operand) -> SQLFragment { emit(operand) }

    private mutating func emit(_ operand: Operand) -> SQLFragment {
        switch operand.kind {
        case .column(let alias, let name):
            usedAliases.insert(alias)
            return .column(alias, name)
        case .constant(let value): return .binding(value, operand.type)
        case .call(let scalar, let arguments):
            if let function = scalar.registered, dialect.hasRegisteredFunctions { functions.insert(function) }
            var places: [SQLFragment] = []
            for argument in arguments { places.append(compared(argument)) }
            return dialect.template(scalar)?(places) ?? constant(true)
        case .aggregate(let aggregate, let element, let scope, let condition):
            return self.aggregate(aggregate, element, scope, condition)
        }
    }

    private mutating func aggregate(
        _ aggregate: Aggregate, _ element: Operand?, _ scope: Scope, _ condition: Condition
    ) -> SQLFragment {
        let value = element.map { emit($0) } ?? SQLFragment("*")
        let sum = SQLFragment("COALESCE(SUM(") + value + SQLFragment("), 0)")
        let result =
            switch aggregate {
            case .count: SQLFragment("COUNT(*)")
            case .sum: sum
            // nil counts as 0, of nothing there is none: AVG says neither.
            case .average: dialect.integerAsDouble(sum) + SQLFragment(" / NULLIF(COUNT(*), 0)")
            case .minimum: SQLFragment("MIN(") + value + SQLFragment(")")
            case .maximum: SQLFragment("MAX(") + value + SQLFragment(")")
            }
        let query = select(result, scope, condition).parenthesized
        let isNeverNull = (aggregate == .sum || aggregate == .count) && dialect.countOfNothingIsNull
        return isNeverNull ? SQLFragment("COALESCE(") + query + SQLFragment(", 0)") : query
    }

    /// An operand whose text is compared.
    mutating func compared(_ operand: Operand) -> SQLFragment {
        if operand.type == .text || operand.type == .url, case .column(let alias, let name) = operand.kind {
            textColumns.insert(Column(alias: alias, name: name))
            if !dialect.collatedColumns.isEmpty, let table = tables[alias],
                dialect.collatedColumns.contains(SQLColumn(table: table, column: name))
            {
                return emit(operand) + SQLFragment(" COLLATE BINARY")
            }
        }
        return emit(operand)
    }

    private mutating func emit(_ leaf: Leaf, negated: Bool) -> SQLFragment {
        switch leaf {
        case .isNull(let operand): return emit(operand) + SQLFragment(negated ? " IS NOT NULL" : " IS NULL")
        case .compare(let order, let left, let right):
            return twoValued(compared(left) + SQLFragment(" \(order.spelling) ") + compared(right), negated)
        case .same(let left, let right):
            return (negated ? dialect.notSame : dialect.sameOrBothNull)(compared(left), compared(right))
        case .find(let place, let text, let needle):
            let template =
                switch place {
                case .prefix: dialect.beginsWith
                case .suffix: dialect.endsWith
                case .anywhere: dialect.contains
                }
            return twoValued(template(compared(text), compared(needle)), negated)
        case .list(let operand, let values): return list(operand, values, negated)
        case .json(let operand, let json):
            guard let template = dialect.jsonLists[operand.type] else { return constant(true) }
            return twoValued(template(compared(operand), .binding(.string(json), .text)), negated)
        case .regex(let operand, let pattern):
            guard let regex = dialect.regex else { return constant(true) }
            return twoValued(regex.test(compared(operand), .binding(.string(pattern), .text)), negated)
        case .function(let function, let left, let right, let options, let order):
            functions.insert(function)
            var call = SQLFragment(function.rawValue + "(") + emit(left) + SQLFragment(", ") + emit(right)
            call += ", '\(options)')"
            if let order { call += " \(order.spelling) 0" }
            return twoValued(call, negated)
        }
    }

    private func twoValued(_ leaf: SQLFragment, _ negated: Bool) -> SQLFragment {
        negated ? leaf.parenthesized + SQLFragment(" IS NOT TRUE") : leaf
    }

    private mutating func list(_ operand: Operand, _ values: [Value], _ negated: Bool) -> SQLFragment {
        let places = SQLFragment.joined(values.map { .binding($0, operand.type) }, ", ")
        let list = compared(operand) + SQLFragment(negated ? " NOT IN (" : " IN (") + places + SQLFragment(")")
        guard negated, operand.isNullable else { return list }
        return (list + SQLFragment(" OR ") + emit(operand) + SQLFragment(" IS NULL")).parenthesized
    }
}
