// Statements for values of rows, and for groups of rows:
//
//     SELECT … FROM (SELECT "t0"."city" AS "c0", COUNT(*) AS "c1" FROM "person" AS "t0" WHERE … GROUP BY "t0"."city") AS "t0"
//     WHERE "t0"."c1" > ? ORDER BY "t0"."c0" LIMIT ?
//
// The groups are the rows of an artificial entity, so HAVING, the order and the window are compiled like those of any
// other rows. SQL can group only if the predicate is exact and all keys and aggregates can be computed exactly.

/// The columns of records.
package struct SQLRecords: Sendable {
    /// A value of each row, the key of a group, or an aggregate.
    package struct Column: Sendable {
        let path: [String]
        let aggregate: CollectionOperator?
        let name: String

        /// - Parameters:
        ///   - path: the keys of the value; empty for a count.
        ///   - aggregate: nil for a value or a key of groups.
        ///   - name: the column's name in the result.
        package init(_ path: [String], aggregate: CollectionOperator? = nil, as name: String) {
            self.path = path
            self.aggregate = aggregate
            self.name = name
        }
    }

    package let columns: [Column]
    /// The entity of the groups, whose attributes are the columns with the same names, and a schema that contains this
    /// entity.
    package let groups: (entity: String, schema: PredicateSchema)?
    /// The condition on groups; its keys are these attributes.
    package let having: FormatPredicate

    package init(
        _ columns: [Column], groups: (entity: String, schema: PredicateSchema)? = nil,
        having: FormatPredicate = .constant(true)
    ) {
        self.columns = columns
        self.groups = groups
        self.having = having
    }
}

extension FormatPredicate {
    /// Compiles a statement for values of the matching rows, or for groups of them.
    ///
    /// - Parameters:
    ///   - records: the columns of the result.
    ///   - request: a selection with the order and the window; for groups they apply to the groups.
    /// - Returns: the statement. For groups, its query is that of HAVING, which may be a superset.
    /// - Throws: the errors of the type checker, including those of HAVING; `sql-inexact` if the records must be
    ///   computed in memory.
    package func sql(
        _ records: SQLRecords, _ request: SQLQuery.Request, _ dialect: SQLDialect, entity: String,
        in schema: PredicateSchema
    ) throws(PredicateFailure) -> SQLStatement {
        try typeCheck(entity, schema)
        let pushdown = try Pushdown(reading(entity, schema), dialect, schema, entity)
        guard let groups = records.groups else { return try pushdown.statement(request, records).statement.result }
        try records.having.typeCheck(groups.entity, groups.schema)
        let (rows, requires) = try pushdown.groups(records)
        let outer = try Pushdown(records.having, dialect, groups.schema, groups.entity)
        outer.lowering.rows = rows
        return try outer.statement(request).statement.result.requiring(requires, except: groups.entity)
    }
}

extension SQLStatement {
    /// The statement with the additional requirements of a subquery.
    ///
    /// - Parameter table: the name of the subquery; requirements about it are dropped.
    fileprivate func requiring(_ inner: [SQLRequirement], except table: String) -> SQLStatement {
        let own = requirements.filter { requirement in
            if case .binaryCollation(table, _) = requirement { return false }
            return !inner.contains(requirement)
        }
        var statement = self
        statement.requirements = inner + own
        return statement
    }
}

extension Lowering {
    /// A column of a record, without a name.
    func value(_ column: SQLRecords.Column, _ emitter: inout Emitter, isKey: Bool) throws(Unsupported) -> SQLFragment {
        if let aggregate = column.aggregate { return try self.aggregate(aggregate, column.path, &emitter) }
        let operand: Operand
        switch try computingYears(try target(ExpressionNode(.keyPath(column.path)))) {
        case .value(let found): operand = found
        case .opaque(let found) where !isKey: operand = found
        default: throw Unsupported("it is read in memory")
        }
        if !isKey { return try emitter.value(operand) }
        try requireSupport(operand)
        if emitter.numericColumn(operand) != nil { throw Unsupported("the database converts it", column: operand.name) }
        if operand.mayBeNaN, !dialect.numbers.nanIsGreatest { throw Unsupported("the database does not group NaN") }
        let value = try emitter.value(operand, isCompared: true)
        // An engine may group by bits, and so distinguish -0.0 from 0.0.
        return operand.hasTwoZeros ? "CASE WHEN \(value) = 0 THEN 0 ELSE \(value) END" : value
    }

    private func aggregate(
        _ operation: CollectionOperator, _ path: [String], _ emitter: inout Emitter
    ) throws(Unsupported) -> SQLFragment {
        var rows = Many(scope: root.scope, element: .row(root), owner: .constant(.integer(0), .integer))
        if !path.isEmpty { rows.element = try computingYears(try target(ExpressionNode(.keyPath(path)))) }
        if case .value(let element) = rows.element {
            try requireSupport(element)
            if emitter.numericColumn(element) != nil {
                throw Unsupported("the database converts it", column: element.name)
            }
        }
        let operand: Operand
        switch operation.kind {
        case .count: operand = try count(rows)
        case .sum: operand = try total(rows, operation.name, isSum: true)
        case .average: operand = try total(rows, operation.name, isSum: false)
        case .minimum, .maximum: operand = try extreme(rows, operation.kind == .maximum)
        case .union: throw Unsupported("lists of values are made in memory")
        }
        emitter.grouped = root.scope
        let value = try emitter.value(operand)
        emitter.grouped = nil
        guard case .aggregate(let aggregate, _, _, _) = operand.kind else { return value }
        switch aggregate {
        // As in memory, a sum beyond 64 bits is nil.
        case .sum(.wide):
            guard let held = dialect.template(.integers(.add)) else { throw Unsupported("the sum may overflow") }
            return held(value, "0")
        case .sum(.decimal) where dialect.numbers.checkedSum != nil || !dialect.decimals.areStored, .average(.decimal):
            throw Unsupported("the database computes decimals differently")
        default: return value
        }
    }
}
