// Renders conditions on the groups of a to-many key (Grouping.swift): one subquery over all groups instead of one for
// each row.

extension Emitter {
    /// `"t0"."id" IN (SELECT "t1"."person_id" FROM … GROUP BY "t1"."person_id" HAVING COUNT(*) > ?)`
    mutating func writeGroup(
        _ key: Operand, of scope: Scope, _ filter: Condition, having: Condition, negated: Bool
    ) {
        guard let (alias, name) = scope.groupColumn else { return lowering.fail(.noTest) }
        use(alias)
        let column = Operand.key(name, of: alias, isNullable: true)
        // A NULL among the keys would make NOT IN NULL.
        let filter = negated ? Condition.every([.isNotNull(column), filter]) : filter
        // The condition is written first, because FROM joins only the tables that it uses.
        grouped = scope
        let test = fragment { $0.writeCondition(having) }
        grouped = nil
        writeOperand(key)
        sql += negated ? " NOT IN (SELECT " : " IN (SELECT "
        writeOperand(column)
        writeRows(of: scope, filter, isLinked: false)
        sql += " GROUP BY \(emitted(column)) HAVING \(test))"
    }

    /// `(SELECT "t1"."item_id" AS "key", SUM(…) AS "value" FROM … GROUP BY "t1"."item_id") AS "t1"`
    mutating func writeGroups(of value: Operand) {
        guard case .aggregate(_, _, let scope, let filter) = value.kind, let (alias, name) = scope.groupColumn
        else { return }
        // Its FROM joins only the tables that it uses.
        let outside = usedAliases
        usedAliases = []
        use(alias)
        grouped = scope
        let aggregate = emitted(value)
        grouped = nil
        let rows = fragment { $0.writeRows(of: scope, filter, isLinked: false) }
        usedAliases = outside
        let key = SQLFragment.column(alias, name)
        sql += """
            (SELECT \(key) AS \(name: "key"), \(aggregate) AS \(name: "value")\(rows) GROUP BY \(key)) \
            AS \(.alias(scope.alias))
            """
    }
}
