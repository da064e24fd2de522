// Renders conditions as SQL fragments. Parentheses of conditions follow the tree, those of operands the precedence of what
// was written (SQLTemplate.swift). A leaf that is not
// negated is written without a wrapper, so that an index can serve it (SQL of each construct: Truth; SQL of each
// construct: Indexes). The `write` methods append to
// `sql`; the others return fragments. Emitter+Leaves.swift has comparisons, Emitter+Operands.swift their operands,
// Emitter+Subqueries.swift everything that reads other rows.

struct Emitter {
    struct Column: Hashable {
        let alias: Int
        let name: String
    }

    /// The functions that must be registered with the connection.
    var functions: Set<SQLFunction> = []
    /// The columns whose text order matters, if the engine may order differently. May have duplicates after the
    /// first few.
    var textColumns: [Column] = []
    /// Complete after `from` was called for every scope.
    var hasJoins = false
    /// Whether timestamps are compared as points in time, which may depend on the session's zone.
    var comparesMoments = false
    /// For each alias, whether the SQL uses it.
    var usedAliases: [Bool] = []
    /// The group whose HAVING is being written; its aggregates are written without a subquery.
    var grouped: Scope?
    /// The fragment being written.
    var sql = SQLFragment()
    /// Maps aliases to tables. Lowering sort keys adds aliases.
    let lowering: Lowering
    let dialect: SQLDialect
    /// The schema's attributes inside JSON columns.
    let documents: [String: JSONColumn]

    init(_ lowering: Lowering) {
        self.lowering = lowering
        dialect = lowering.dialect
        documents = lowering.schema.documents
    }

    mutating func emit(_ condition: Condition) -> SQLFragment { fragment(64) { $0.writeCondition(condition) } }

    mutating func emitted(_ operand: Operand) -> SQLFragment { fragment { $0.writeOperand(operand) } }

    /// An operand whose text is compared, as a part of any SQL.
    mutating func compared(_ operand: Operand) -> SQLFragment {
        fragment { $0.writeCompared(operand, atLeast: .whole) }
    }

    /// The scope's table and the joins that are used. Call this after all other parts of the scope are written.
    mutating func from(_ scope: Scope) -> SQLFragment { fragment { $0.writeTables(of: scope) } }

    /// Returns what `write` appends, as a separate fragment.
    ///
    /// - Parameter capacity: the approximate number of segments.
    mutating func fragment(_ capacity: Int = 4, _ write: (inout Emitter) -> Void) -> SQLFragment {
        var fragment = SQLFragment(capacity: capacity)
        swap(&sql, &fragment)
        write(&self)
        swap(&sql, &fragment)
        return fragment
    }

    // MARK: Conditions

    mutating func writeCondition(_ condition: Condition) {
        guard lowering.step() else { return }
        switch condition {
        case .constant(let value): writeConstant(value)
        case .all(let parts): writeChain(parts, " AND ") { $0.writeGrouped($1) }
        case .any(let parts): writeChain(parts, " OR ") { $0.writeCondition($1) }
        case .leaf(let leaf, let negated): writeLeaf(leaf, negated: negated)
        case .exists(let scope, let inner, let negated) where scope.isLambda:
            writeTwoValued(negated) { $0.writeListFunction(scope, inner, counts: false) }
        case .exists(let scope, let inner, let negated):
            if writeMembership(scope, inner, negated) || writeUnindexed(scope, inner, negated) { return }
            sql += negated ? "NOT EXISTS (SELECT 1" : "EXISTS (SELECT 1"
            writeRows(of: scope, inner)
            sql += ")"
        case .count(let scope, let inner, let order, let number):
            writeAggregate(.count, nil, scope, inner)
            sql.append(sql: order.infix)
            sql.append(Constant(.integer(number)), .integer)
        // Bounds were applied before; the upper bound is always valid.
        case .bounded(let over, _, _): writeCondition(over)
        // Partial conditions were resolved before.
        case .partial(let whenTrue, _): writeCondition(whenTrue)
        }
    }

    mutating func writeConstant(_ value: Bool) {
        sql.append(sql: value ? dialect.constants.true : dialect.constants.false)
    }

    /// Writes a term of AND: an OR in parentheses.
    mutating func writeGrouped(_ condition: Condition) {
        guard case .any = condition else { return writeCondition(condition) }
        sql += "("
        writeCondition(condition)
        sql += ")"
    }

    /// Writes a condition that may be NULL, or its negation, which is never NULL.
    mutating func writeTwoValued(_ negated: Bool, _ write: (inout Emitter) -> Void) {
        if negated { sql += "(" }
        write(&self)
        if negated { sql += ") IS NOT TRUE" }
    }

    /// Writes a long chain as a tree, because parsers recurse over chains.
    private mutating func writeChain(
        _ parts: [Condition], _ word: String, _ write: (inout Emitter, Condition) -> Void
    ) {
        var size = 1
        while parts.count > size * dialect.limits.chain { size *= dialect.limits.chain }
        writeChain(parts[...], size, word, write)
    }

    /// Writes groups of `size` parts.
    private mutating func writeChain(
        _ parts: ArraySlice<Condition>, _ size: Int, _ word: String, _ write: (inout Emitter, Condition) -> Void
    ) {
        for start in stride(from: parts.startIndex, to: parts.endIndex, by: size) {
            if start > parts.startIndex { sql.append(sql: word) }
            if size == 1 {
                write(&self, parts[start])
            } else {
                sql += "("
                let group = parts[start..<min(start + size, parts.endIndex)]
                writeChain(group, size / dialect.limits.chain, word, write)
                sql += ")"
            }
        }
    }
}
