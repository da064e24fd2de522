// Renders conditions on the groups of a to-many key (Grouping.swift): one subquery over all groups instead of one for each
// row.

import PredicateModel

extension Emitter {
    /// `"t0"."id" IN (SELECT "t1"."person_id" FROM … GROUP BY "t1"."person_id" HAVING COUNT(*) > ?)`
    mutating func writeGroup(
        _ key: Operand, of scope: Scope, _ filter: Condition, having: Condition, negated: Bool
    ) {
        guard let (alias, name) = scope.groupColumn else { return writeConstant(true) }
        use(alias)
        let column = Operand.key(name, of: alias, isNullable: true)
        // NULL among the keys would make NOT IN NULL.
        let filter = negated ? Condition.every([.isNotNull(column), filter]) : filter
        // The condition is written first, because FROM joins only the tables that it uses.
        grouped = scope
        let test = fragment { $0.writeCondition(having) }
        grouped = nil
        writeOperand(key)
        sql += negated ? " NOT IN (SELECT " : " IN (SELECT "
        writeOperand(column)
        writeRows(of: scope, filter, isLinked: false)
        sql += " GROUP BY "
        writeOperand(column)
        sql += " HAVING "
        sql += test
        sql += ")"
    }

    /// `EXISTS (SELECT 1 FROM (SELECT "t1"."item_id" AS "key", SUM(…) AS "value" FROM …) AS "t1" WHERE …)`
    mutating func writeGroupValue(
        _ key: Operand, of scope: Scope, _ filter: Condition, _ value: Operand, _ order: Order, _ other: Operand
    ) {
        guard let (alias, name) = scope.groupColumn else { return writeConstant(true) }
        use(alias)
        let column = SQLFragment.column(alias, name)
        grouped = scope
        let aggregate = emitted(value)
        grouped = nil
        let groups: SQLTemplate = "EXISTS (SELECT 1 FROM (SELECT {0} AS {1}, {2} AS {3}{4} GROUP BY {0}) AS {5}"
        let rows = fragment { $0.writeRows(of: scope, filter, isLinked: false) }
        sql += groups(column, .identifier("key"), aggregate, .identifier("value"), rows, .alias(scope.alias))
        let test: SQLTemplate = " WHERE {0} = {1} AND {2}{3}{4})"
        let side = fragment { $0.writeSide(other) }
        sql += test(
            .column(scope.alias, "key"), emitted(key), .column(scope.alias, "value"), SQLFragment(order.infix), side)
    }
}
