// Renders conditions on the groups of a to-many key (Grouping.swift): one subquery over all groups instead of one for each
// row.

import PredicateModel

extension Emitter {
    /// `"t0"."id" IN (SELECT "t1"."person_id" FROM … GROUP BY "t1"."person_id" HAVING COUNT(*) > ?)`
    mutating func write(
        _ key: Operand, groupOf scope: Scope, _ filter: Condition, having: Condition, negated: Bool,
        _ sql: inout SQLFragment
    ) {
        guard let (alias, name) = scope.groupColumn else { return write(true, &sql) }
        use(alias)
        let column = Operand.key(name, of: alias, isNullable: true)
        // NULL among the keys would make NOT IN NULL.
        let filter = negated ? Condition.every([.isNotNull(column), filter]) : filter
        // The condition is written first, because FROM joins only the tables that it uses.
        var test = SQLFragment()
        grouped = scope
        write(having, &test)
        grouped = nil
        write(key, &sql)
        sql += negated ? " NOT IN (SELECT " : " IN (SELECT "
        write(column, &sql)
        write(rowsOf: scope, filter, isLinked: false, &sql)
        sql += " GROUP BY "
        write(column, &sql)
        sql += " HAVING "
        sql += test
        sql += ")"
    }

    /// `EXISTS (SELECT 1 FROM (SELECT "t1"."item_id" AS "key", SUM(…) AS "value" FROM …) AS "t1" WHERE …)`
    mutating func write(
        _ key: Operand, groupOf scope: Scope, _ filter: Condition, _ value: Operand, _ order: Order, _ other: Operand,
        _ sql: inout SQLFragment
    ) {
        guard let (alias, name) = scope.groupColumn else { return write(true, &sql) }
        use(alias)
        let column = SQLFragment.column(alias, name)
        grouped = scope
        let aggregate = emitted(value)
        grouped = nil
        let groups: SQLTemplate = "EXISTS (SELECT 1 FROM (SELECT {0} AS {1}, {2} AS {3}{4} GROUP BY {0}) AS {5}"
        sql += groups(
            column, .identifier("key"), aggregate, .identifier("value"),
            written { $0.write(rowsOf: scope, filter, isLinked: false, &$1) }, .alias(scope.alias))
        let test: SQLTemplate = " WHERE {0} = {1} AND {2}{3}{4})"
        sql += test(
            .column(scope.alias, "key"), emitted(key), .column(scope.alias, "value"), SQLFragment(order.infix),
            written { $0.write(side: other, &$1) })
    }
}
