// Renders subqueries: FROM with its joins, the link to the enclosing query, aggregates and groups, and the functions
// that replace subqueries over the elements of a list.

extension Emitter {
    /// Writes `$1 = ANY ("t0"."tags")` or `"t0"."tags" && ARRAY[$1, $2]`, if the engine supports it and the condition
    /// only compares the elements with constants. Returns whether it was written.
    mutating func writeMembership(_ scope: Scope, _ condition: Condition, _ negated: Bool) -> Bool {
        guard let membership = dialect.lists.membership, case .elements(let list, _) = scope.link,
            case .leaf(let leaf, negated: false) = condition, document(of: list) == nil,
            case .column(scope.alias, _)? = leaf.operands.first?.kind
        else { return false }
        switch leaf {
        case .compare(.equal, _, let sought):
            guard case .constant = sought.kind else { return false }
            writeTwoValued(negated) { $0.sql += membership.one($0.emitted(list), $0.emitted(sought)) }
        case .list(let element, let values):
            let type = element.boundType(dialect)
            let array = SQLFragment.joined(values.map { .binding($0, type) }, ", ")
            writeTwoValued(negated) { $0.sql += membership.some($0.emitted(list), array) }
        default: return false
        }
        if case .text? = leaf.operands.first?.type, case .column(let owner, let name) = list.kind {
            noteTextColumn(name, of: owner)
        }
        return true
    }

    private func document(of list: Operand) -> JSONColumn? { list.name.flatMap { documents[$0] } }

    /// Writes `"t0"."id" IN (SELECT "t1"."person_id" FROM "orders" AS "t1" WHERE …)` if no index serves the foreign key,
    /// and the rows depend only on it. The engine then reads the table once, and not once for each outer row. Returns
    /// whether it was written.
    mutating func writeUnindexed(_ scope: Scope, _ condition: Condition, _ negated: Bool) -> Bool {
        guard let (table, columns) = scope.foreignKey, dialect.stored.unindexedKeys[table]?.contains(columns) ?? false,
            let key = scope.groupKey, let (alias, name) = scope.groupColumn, condition.reads(only: scope.aliases)
        else { return false }
        // For a NULL key both IN and NOT IN are NULL.
        if negated, key.isNullable { return false }
        lowering.advise(table, key: columns)
        use(alias)
        let column = Operand.key(name, of: alias, isNullable: true)
        writeOperand(key)
        sql += negated ? " NOT IN (SELECT " : " IN (SELECT "
        writeOperand(column)
        writeRows(of: scope, negated ? .every([.isNotNull(column), condition]) : condition, isLinked: false)
        sql += ")"
        return true
    }

    /// Writes `"t0"."id" IN (SELECT "t0"."id" FROM … WHERE … UNION ALL SELECT …)`.
    mutating func writeUnion(
        _ key: Operand, in inner: Operand, of scope: Scope, _ conditions: [Condition], negated: Bool
    ) {
        if negated { sql += "(" }
        writeOperand(key)
        sql += " IN ("
        let outside = usedAliases
        for (index, condition) in conditions.enumerated() {
            // Each query joins only the tables that it uses.
            usedAliases = []
            if index > 0 { sql += " UNION ALL " }
            sql += "SELECT "
            writeOperand(inner)
            writeRows(of: scope, condition, isLinked: false)
        }
        usedAliases = outside
        sql += negated ? ")) IS NOT TRUE" : ")"
    }

    /// Writes FROM and WHERE after the selected columns.
    ///
    /// - Parameter isLinked: whether only the rows that belong to one outer row are selected.
    mutating func writeRows(of scope: Scope, _ condition: Condition, isLinked: Bool = true) {
        // Write the condition first, because it determines the needed joins.
        let isTested = if case .constant(true) = condition { false } else { true }
        let test = isTested ? fragment { $0.writeGrouped(condition) } : SQLFragment()
        sql += " FROM "
        // Only pairs that refer to a row meet the condition.
        let found = scope.joins.first { join in
            join.base == scope.alias && !scope.filled.isEmpty && join.columns == scope.filled
                && condition.compares { alias, _ in alias == join.alias }
        }
        writeTables(of: scope, inner: found?.alias)
        var hasConditions = isLinked && writeLink(of: scope)
        for column in scope.filled
        where found == nil && !condition.compares({ $0 == scope.alias && $1 == column }) {
            sql += hasConditions ? " AND " : " WHERE "
            sql.append(column: column, of: scope.alias)
            sql += " IS NOT NULL"
            hasConditions = true
        }
        guard isTested else { return }
        sql += hasConditions ? " AND " : " WHERE "
        sql += test
    }

    private func isUsed(_ alias: Int) -> Bool { alias < usedAliases.count && usedAliases[alias] }

    /// Writes the link to the enclosing query. Returns whether there is one.
    private mutating func writeLink(of scope: Scope) -> Bool {
        guard let (table, columns) = scope.foreignKey else { return false }
        lowering.advise(table, key: columns)
        sql += " WHERE "
        writeKeys(columns, of: scope.alias, equal: scope.outer)
        return true
    }

    /// Writes `"t1"."tenant" = "t0"."tenant" AND "t1"."id" = "t0"."parent"`.
    private mutating func writeKeys(_ columns: [String], of alias: Int, equal operands: [Operand]) {
        for (index, (column, operand)) in zip(columns, operands).enumerated() {
            if index > 0 { sql += " AND " }
            use(alias)
            sql.append(column: column, of: alias)
            sql += " = "
            writeOperand(operand)
        }
    }

    /// - Parameter inner: the alias of a joined row without which the condition does not hold.
    mutating func writeTables(of scope: Scope, inner: Int? = nil) {
        var used: [Scope.Join] = []
        // A join may depend on an earlier join.
        for join in scope.joins.reversed() where isUsed(join.alias) {
            use(join.base)
            used.append(join)
        }
        if case .elements(let list, let type) = scope.link {
            let alias = SQLFragment.alias(scope.alias)
            if type == .text, case .column(let owner, let name) = list.kind { noteTextColumn(name, of: owner) }
            if document(of: list) != nil, let rows = dialect.json?.rows {
                sql += rows(emitted(list), alias)
            } else if case .rows(let template)? = dialect.lists.elements[type] {
                sql += template(emitted(list), alias)
            } else {
                sql += alias
            }
        } else if scope === lowering.root.scope, let rows = lowering.rows {
            sql += "(\(rows)) AS \(.alias(scope.alias))"
        } else {
            sql.append(table: scope.table, as: scope.alias)
        }
        for join in used.reversed() {
            let isInner = join.alias == inner
            hasJoins = hasJoins || !isInner
            sql += isInner ? " JOIN " : " LEFT JOIN "
            if let value = join.value {
                writeGroups(of: value)
            } else if scope.link != nil, !isInner, dialect.subqueries.fencesJoins {
                sql += "(SELECT * FROM \(name: join.table) OFFSET 0) AS \(.alias(join.alias))"
            } else {
                sql.append(table: join.table, as: join.alias)
            }
            sql += " ON "
            writeKeys(join.key, of: join.alias, equal: join.columns.map { .key($0, of: join.base) })
            if case .constant(true) = join.kind { continue }
            sql += " AND "
            writeGrouped(join.kind)
        }
    }

    /// Returns how tightly the written text binds.
    @discardableResult mutating func writeAggregate(
        _ aggregate: Aggregate, _ element: Operand?, _ scope: Scope, _ condition: Condition
    ) -> SQLPrecedence {
        if scope.isLambda {
            writeListFunction(scope, condition, counts: true)
            return .whole
        }
        if scope == grouped { return writeCall(of: aggregate, element) }
        let isNeverNull = aggregate.isNeverNull && dialect.subqueries.countOfNoRowsIsNull
        sql += isNeverNull ? "COALESCE((SELECT " : "(SELECT "
        writeCall(of: aggregate, element)
        writeRows(of: scope, condition)
        sql += isNeverNull ? "), 0)" : ")"
        return .whole
    }

    /// `SUM("t1"."total")`
    @discardableResult private mutating func writeCall(of aggregate: Aggregate, _ element: Operand?) -> SQLPrecedence {
        let value = element.map { compared($0) } ?? "*"
        switch aggregate {
        case .count: sql += "COUNT(*)"
        case .sum(let width): sql += dialect.sum(value, width)
        // nil counts as 0 and an empty set has no average; SQL's AVG does neither.
        case .average(let width):
            sql += "\(dialect.sum(value, width, asDouble: true)) / NULLIF(COUNT(*), 0)"
            return .value
        case .excess(let bound):
            // A group is never empty.
            let isGroup = grouped != nil
            let isPlain = isGroup && !(element?.isNullable ?? true) && dialect.numbers.checkedSum == nil
            let sum = isPlain ? "SUM(\(value))" : dialect.sum(value, .decimal)
            sql += "\(sum) - \(compared(bound))\(sql: isGroup ? " * COUNT(*)" : " * NULLIF(COUNT(*), 0)")"
            return .value
        // The greatest text depends on the collation.
        case .minimum: sql += "MIN(\(value))"
        case .maximum: sql += "MAX(\(value))"
        }
        return .whole
    }

    /// Writes a list function: whether the condition holds for an element, or the number of such elements.
    mutating func writeListFunction(_ scope: Scope, _ condition: Condition, counts: Bool) {
        guard case .lambda(let list, let type) = scope.link,
            case .lambda(let exists, let count, let size)? = dialect.lists.elements[type]
        else { return lowering.fail(Unsupported("the database has no functions of lists")) }
        if case .constant(true) = condition {
            sql += size(emitted(list))
            if !counts { sql += " > 0" }
        } else {
            let function = counts ? count : exists
            sql += function(emitted(list), .alias(scope.alias), emit(condition))
        }
    }
}
