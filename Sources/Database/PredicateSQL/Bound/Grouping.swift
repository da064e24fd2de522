// Compares aggregates of to-many keys with one subquery over all groups, instead of one subquery for each row:
//
//     "t0"."id" IN (SELECT "t1"."person_id" FROM "orders" AS "t1" GROUP BY "t1"."person_id" HAVING COUNT(*) > 3)
//
// An aggregate may be compared with another key of the parent, or with another aggregate. For dialects with
// `joinsGroups` it is then read from a LEFT JOIN of the groups:
//
//     FROM "person" AS "t0" LEFT JOIN (SELECT … AS "key", SUM(…) AS "value" FROM … GROUP BY …) AS "t1" ON "t1"."key" = "t0"."id"
//     WHERE COALESCE("t1"."value", 0) > "t0"."credit"
//
// A parent without rows has no group. So if an empty collection does not fulfil the comparison, the result is IN; if it
// does, the result is NOT IN with the opposite comparison. This is the last pass before the SQL is written
// (Emitter.swift), for dialects with `groupsThresholds`.

struct Grouping {
    /// The aliases of the statement's own rows and their joins. Only their collections are grouped: a subquery reads
    /// few rows, so grouping does not pay off there.
    private let aliases: Set<Int>
    private let root: Scope
    private let joinsGroups: Bool
    /// For each aggregate, the column of the joined groups that has its value.
    private var joined: [Operand: Operand] = [:]

    init(_ root: Scope, joinsGroups: Bool) {
        aliases = root.aliases
        self.root = root
        self.joinsGroups = joinsGroups
    }

    mutating func grouped(_ condition: Condition) -> Condition {
        if joinsGroups { join(condition) }
        return rewritten(condition)
    }

    private func rewritten(_ condition: Condition) -> Condition {
        switch condition {
        case .leaf(let leaf, let negated)
        where !joined.isEmpty && leaf.operands.contains(where: readsJoined):
            return leaf.mapping(value).map { .leaf($0, negated: negated) } ?? condition
        case .all(let parts): return narrows(parts) ? condition : .every(merged(parts.map(rewritten)))
        case .any(let parts): return .some(parts.map(rewritten))
        case .leaf(.isNull(let operand), let negated): return emptiness(operand, negated) ?? condition
        case .leaf(.compare(let order, let left, let right), let negated):
            return group(order, left, right, negated) ?? condition
        case .count(let scope, let filter, let order, let number):
            let count = Operand(kind: .aggregate(.count, nil, scope, filter), type: .integer, isNullable: false)
            return group(order, count, .constant(.integer(number), .integer), false) ?? condition
        case .constant, .leaf, .exists, .partial, .bounded: return condition
        }
    }

    /// The test for an empty collection, for which a mean is NULL.
    private func emptiness(_ operand: Operand, _ negated: Bool) -> Condition? {
        guard case .aggregate(let aggregate, let element, let scope, let filter) = operand.kind else { return nil }
        switch aggregate {
        case .average, .excess: return .exists(scope, filter, negated: !negated)
        case .minimum, .maximum:
            return element.map { .exists(scope, .every([filter, .isNotNull($0)]), negated: !negated) }
        case .count, .sum: return nil
        }
    }

    /// nil if the comparison is not with a constant, or if the rows depend on more than the key of the outer row.
    private func group(_ order: Order, _ left: Operand, _ right: Operand, _ negated: Bool) -> Condition? {
        let (order, left, right) = left.constant == nil ? (order, left, right) : (order.mirrored, right, left)
        guard case .aggregate(let aggregate, let element, let scope, let filter) = left.kind,
            let constant = right.constant, let key = scope.groupKey, groups(scope, filter, element),
            let emptyReaches = aggregate.isNeverNull ? order.holds(zeroTo: constant.fixed()) : false
        else { return nil }
        // Look up the groups for which the result differs from that of an empty collection.
        if emptyReaches, !left.isTotal || right.isNullable { return nil }
        let isNegated = emptyReaches != negated
        // For a NULL key both IN and NOT IN are NULL.
        if isNegated, key.isNullable { return nil }
        let having = Condition.compare(emptyReaches ? order.complement : order, left, right)
        return .leaf(.group(key, scope, filter, having: having), negated: isNegated)
    }

    /// Whether the rows depend only on the key of a row of the statement.
    func groups(_ scope: Scope, _ filter: Condition, _ element: Operand?) -> Bool {
        guard let key = scope.groupKey, case .column(let alias, _) = key.kind else { return false }
        return aliases.contains(alias) && filter.reads(only: scope.aliases)
            && element?.reads(only: scope.aliases) ?? true
    }

    // MARK: Joins

    /// Joins the groups whose aggregates are not compared with a constant. Other comparisons of these aggregates then
    /// read the join, too.
    private mutating func join(_ condition: Condition) {
        switch condition {
        case .all(let parts) where narrows(parts): return
        case .all(let parts), .any(let parts): for part in parts { join(part) }
        case .leaf(.compare(_, let left, let right), _), .leaf(.same(let left, let right), _):
            if left.constant != nil || right.constant != nil, !left.isComputed, !right.isComputed { return }
            join(left)
            join(right)
        default: return
        }
    }

    private mutating func join(_ operand: Operand) {
        if case .call(_, let arguments) = operand.kind { for argument in arguments { join(argument) } }
        guard case .aggregate(let aggregate, let element, let scope, let filter) = operand.kind,
            case .column(let base, let name)? = scope.groupKey?.kind, groups(scope, filter, element),
            aggregate != .sum(.checked), !operand.isTextual, !root.joins.contains(where: { $0.alias == scope.alias })
        else { return }
        root.joins.append(
            Scope.Join(
                alias: scope.alias, entity: "", table: scope.table, key: ["key"], base: base, columns: [name],
                kind: .constant(true), hasKey: false, value: operand))
        let value = Operand(operand, kind: .column(alias: scope.alias, name: "value"))
        joined[operand] = aggregate.isNeverNull ? Operand(operand, kind: .call(.orZero, [value])) : value
    }

    private func readsJoined(_ operand: Operand) -> Bool { operand.contains { joined[$0] != nil } }

    /// The operand with its aggregates replaced by the values of joined groups.
    private func value(_ operand: Operand) -> Operand {
        guard case .call(let scalar, let arguments) = operand.kind else { return joined[operand] ?? operand }
        return Operand(operand, kind: .call(scalar, arguments.map(value)))
    }

    // MARK: Disjunctions

    /// Writes an OR of selective conditions on different tables as a UNION of queries.
    func split(_ condition: Condition, _ key: Operand, _ scope: Scope) -> Condition {
        switch condition {
        case .any(let parts):
            let isSplit = parts.allSatisfy { narrows($0.terms) } && !parts.allSatisfy { $0.reads(only: [scope.alias]) }
            if !isSplit { return condition }
            // If all conditions are about one joined row and its own joins, only the key of that row is looked up. Each
            // condition contains a comparison, which is false without that row.
            for join in scope.joins
            where join.value == nil && join.base == scope.alias && join.key.count == 1 && join.columns.count == 1 {
                let inner = Scope(table: join.table, alias: join.alias)
                for other in scope.joins where inner.aliases.contains(other.base) { inner.joins.append(other) }
                // Replace the key of the joined row by the foreign key.
                let own = parts.map {
                    $0.replacing(column: join.columns[0], of: join.base, by: join.key[0], of: join.alias)
                }
                guard case .constant(true) = join.kind, own.allSatisfy({ $0.reads(only: inner.aliases) })
                else { continue }
                let reference = Operand.key(join.columns[0], of: join.base, isNullable: !join.hasKey)
                return .leaf(.union(reference, .key(join.key[0], of: join.alias), inner, own))
            }
            return .leaf(.union(key, key, scope, parts))
        case .all(let parts): return narrows(parts) ? condition : .every(parts.map { split($0, key, scope) })
        default: return condition
        }
    }

    /// Merges several conditions on the same groups, one of which selects groups, into one. A row that is in one of the
    /// groups has rows.
    private func merged(_ parts: [Condition]) -> [Condition] {
        var kept: [Condition] = []
        for part in parts {
            guard case .leaf(.group(let key, let scope, let filter, let having), let negated) = part,
                let place = kept.firstIndex(where: { $0.isGroup(of: scope, filter) }),
                case .leaf(.group(_, _, _, let other), let otherNegated) = kept[place], !(negated && otherNegated),
                let one = negated ? having.opposite : having, let two = otherNegated ? other.opposite : other
            else {
                kept.append(part)
                continue
            }
            kept[place] = .leaf(.group(key, scope, filter, having: .every([two, one])), negated: false)
        }
        return kept
    }

    /// Whether one of the terms selects few rows by an index: an equality, a list, or a range with two bounds. Then a
    /// subquery for each of these rows is cheaper than computing all groups.
    private func narrows(_ terms: [Condition]) -> Bool {
        var bounded: Set<Operand> = []
        for case .leaf(let leaf, negated: false) in terms {
            switch leaf {
            case .compare(.equal, let column, let other):
                if column.isSelective, case .constant = other.kind { return true }
            case .compare(.greater, let column, let other), .compare(.greaterOrEqual, let column, let other),
                .compare(.less, let column, let other), .compare(.lessOrEqual, let column, let other):
                guard column.isSelective, case .constant = other.kind else { continue }
                if !bounded.insert(column).inserted { return true }
            case .list(let column, _), .json(let column, _): if column.isSelective { return true }
            default: continue
            }
        }
        return false
    }
}

extension Order {
    fileprivate func holds(zeroTo value: PredicateValue) -> Bool? {
        try? Comparison(comparison).test(.integer(0), value)
    }
}

extension Operand {
    /// Whether the operand is a column with many different values.
    fileprivate var isSelective: Bool {
        guard case .column = kind, type != .boolean else { return false }
        return range.map { $0.upperBound.subtractingReportingOverflow($0.lowerBound).partialValue.magnitude > 100 }
            ?? true
    }

    /// Whether the operand is an aggregate that is never NULL.
    fileprivate var isTotal: Bool {
        guard case .aggregate(let aggregate, _, _, _) = kind else { return false }
        return aggregate.isNeverNull && aggregate != .sum(.checked)
    }

    /// Whether all its columns belong to these tables or to tables of its own subqueries.
    fileprivate func reads(only aliases: Set<Int>) -> Bool {
        switch kind {
        case .constant: true
        case .column(let alias, _), .element(let alias): aliases.contains(alias)
        case .call(_, let arguments): arguments.allSatisfy { $0.reads(only: aliases) }
        case .aggregate(_, let element, let scope, let filter):
            scope.outer.allSatisfy { $0.reads(only: aliases) } && filter.reads(only: aliases.union(scope.aliases))
                && element?.reads(only: aliases.union(scope.aliases)) ?? true
        }
    }
}

extension Condition {
    fileprivate var terms: [Condition] { if case .all(let parts) = self { parts } else { [self] } }

    /// The condition with a column replaced by another one, if it compares the column with constants; otherwise the
    /// unchanged condition.
    fileprivate func replacing(column name: String, of alias: Int, by other: String, of row: Int) -> Condition {
        guard case .leaf(let leaf, negated: false) = self, let left = leaf.operands.first,
            left.kind == .column(alias: alias, name: name)
        else { return self }
        let column = Operand(
            kind: .column(alias: row, name: other), type: left.type, isNullable: left.isNullable, range: left.range)
        switch leaf {
        case .compare(let order, _, let right) where right.constant != nil: return .compare(order, column, right)
        case .list(_, let values): return .leaf(.list(column, values))
        case .json(_, let values): return .leaf(.json(column, values))
        default: return self
        }
    }

    fileprivate func isGroup(of scope: Scope, _ filter: Condition) -> Bool {
        guard case .leaf(.group(_, let other, let otherFilter, _), _) = self else { return false }
        return other == scope && otherFilter == filter
    }

    /// The opposite of a comparison that is never NULL; nil for other conditions.
    fileprivate var opposite: Condition? {
        guard case .leaf(.compare(let order, let left, let right), negated: false) = self, left.isTotal
        else { return nil }
        return .compare(order.complement, left, right)
    }

    /// Whether all columns that it reads belong to these tables or to tables of its own subqueries.
    func reads(only aliases: Set<Int>) -> Bool {
        switch self {
        case .constant: true
        case .leaf(let leaf, _): leaf.operands.allSatisfy { $0.reads(only: aliases) }
        case .all(let parts), .any(let parts): parts.allSatisfy { $0.reads(only: aliases) }
        case .exists(let scope, let inner, _), .count(let scope, let inner, _, _):
            scope.outer.allSatisfy { $0.reads(only: aliases) } && inner.reads(only: aliases.union(scope.aliases))
        case .partial, .bounded: false
        }
    }
}

extension Scope {
    /// The table and the columns that contain the key of the outer row; nil for the elements of a list.
    var foreignKey: (table: String, columns: [String])? {
        if case .foreignKey(let columns, _)? = link { (table, columns) } else { nil }
    }

    /// The key of the outer row by which the rows are grouped; nil if it has several columns.
    var groupKey: Operand? { foreignKey != nil && outer.count == 1 ? outer[0] : nil }

    /// The column that contains that key.
    var groupColumn: (alias: Int, name: String)? { (foreignKey?.columns.first).map { (alias, $0) } }
}
