// Compiles complete statements around a predicate's condition. If the predicate is not exact, SQL may select too many
// rows, but it never counts, changes, deletes or limits them (SQL of each construct: Bounds).

extension Pushdown {
    /// A statement, and the query of its predicate.
    typealias Statement = (statement: Compiled<SQLStatement>, query: Compiled<SQLQuery>)

    private var entity: String { lowering.root.entity }
    private var primaryKey: [String] { lowering.schema.primaryKey(of: entity) }

    /// - Parameters:
    ///   - records: the columns to select instead of the entity's. The predicate must then be exact.
    ///   - refusesAll: whether a change of every row is an error, unless it is written as TRUEPREDICATE. SQL may know it
    ///     where the type checker does not: no integer column is beyond 64 bits.
    func statement(
        _ request: SQLQuery.Request, _ records: SQLRecords? = nil, refusesAll: Bool = false
    ) throws(PredicateFailure) -> Statement {
        let pushed = try pushed()
        if refusesAll, case .constant(true) = pushed.whole, pushed.residual.isEmpty, predicate.root.comparesValues {
            throw PredicateFailure(predicate.root.changesEveryRow, source: predicate.source)
        }
        if request.needsExactness || records != nil { try requireExact(pushed) }
        let written = try WrittenRequest(
            request, entity, dialect, lowering.schema, first: record?.facts.isFixed.count ?? 0)
        switch request {
        case .select(let sort, _, _): return try select(pushed, sort, written, records)
        case .count:
            var emitter = pushed.emitter
            let from = emitter.from(lowering.root.scope)
            return try finish("SELECT COUNT(*) FROM \(from) WHERE \(pushed.condition)", pushed, emitter)
        case .bounds: return try bounds(pushed)
        case .update, .delete: return try change(pushed, written.assignments)
        }
    }

    // MARK: Selecting

    private func select(
        _ pushed: Pushed, _ sort: [PredicateSortKey], _ written: WrittenRequest, _ records: SQLRecords?
    ) throws(PredicateFailure) -> Statement {
        var emitter = pushed.emitter
        var terms: [SQLFragment] = []
        var collations: [SQLCollation] = []
        var reasons: [SQLReason] = []
        for key in sort {
            do throws(Unsupported) {
                terms += try order(key, &emitter, &collations)
            } catch {
                reasons.append(
                    SQLReason(
                        construct: "the order by \(key)", span: .none, column: error.column, sentence: error.sentence))
            }
        }
        if records != nil, !reasons.isEmpty {
            throw PredicateFailure(reasons.map { $0.diagnostic }, source: predicate.source)
        }
        var columns =
            try records.map { (records) throws(PredicateFailure) in
                try self.columns(records, &emitter, areKeys: false).list
            } ?? self.columns
        let certain = text(of: certainMatches(pushed, subqueries: false), beside: pushed, &emitter)
        if let certain { columns += ", (\(certain)) IS TRUE AS \(name: SQLStatement.sureColumn)" }
        let isSorted = reasons.isEmpty
        let isLimited = isSorted && pushed.reasons.isEmpty
        let cuts = written.limit != nil || written.offset != nil
        if isSorted, !sort.isEmpty || cuts {
            let columns = primaryKey.map { SQLFragment.column(0, $0) }
            terms += columns.filter { !terms.contains($0) && !terms.contains($0 + " DESC") }
        }
        let from = emitter.from(lowering.root.scope)
        var statement: SQLFragment = "SELECT \(columns) FROM \(from) WHERE \(pushed.condition)"
        if isSorted, !terms.isEmpty { statement += " ORDER BY \(terms)" }
        if isLimited, cuts { statement += limits(written.limit, written.offset) }
        return try finish(
            statement, pushed, emitter, isSorted: isSorted, isLimited: isLimited || !cuts, hasCertain: certain != nil,
            reasons,
            collations)
    }

    /// The columns of records as a list for SELECT, and the columns that are keys of groups.
    private func columns(
        _ records: SQLRecords, _ emitter: inout Emitter, areKeys: Bool
    ) throws(PredicateFailure) -> (list: SQLFragment, keys: [SQLFragment]) {
        var (list, keys) = (SQLFragment(), [SQLFragment]())
        for column in records.columns {
            do throws(Unsupported) {
                let value = try lowering.value(column, &emitter, isKey: areKeys)
                if !list.segments.isEmpty { list += ", " }
                list += "\(value) AS \(name: column.name)"
                if column.aggregate == nil { keys.append(value) }
            } catch {
                throw refused("\(column.path.joined(separator: ".")): \(error.sentence)")
            }
        }
        return (list, keys)
    }

    /// A SELECT of groups, with its requirements.
    func groups(_ records: SQLRecords) throws(PredicateFailure) -> (rows: SQLFragment, requires: [SQLRequirement]) {
        let pushed = try pushed()
        try requireExact(pushed)
        var emitter = pushed.emitter
        let (list, keys) = try columns(records, &emitter, areKeys: true)
        if list.segments.isEmpty { throw refused("the groups have no columns") }
        let from = emitter.from(lowering.root.scope)
        var rows: SQLFragment = "SELECT \(list) FROM \(from) WHERE \(pushed.condition)"
        if !keys.isEmpty { rows += " GROUP BY \(keys)" }
        return (rows, requirements(emitter, rows.bindings.map { $0.type }))
    }

    /// nil for a constant condition, or if its values exceed the parameter limit.
    private func text(of condition: Condition, beside pushed: Pushed, _ emitter: inout Emitter) -> SQLFragment? {
        if case .constant = condition { return nil }
        var other = emitter
        let text = other.emit(condition)
        guard text.bindingCount + pushed.condition.bindingCount <= dialect.limits.parameters else { return nil }
        emitter = other
        return text
    }

    /// Compiles the lower and upper bounds of a count.
    private func bounds(_ pushed: Pushed) throws(PredicateFailure) -> Statement {
        var emitter = pushed.emitter
        let scope = lowering.root.scope
        let upper: SQLFragment = "\(emitter.from(scope)) WHERE \(pushed.condition)"
        if pushed.residual.isEmpty {
            let statement: SQLFragment =
                "SELECT \(name: "n"), \(name: "n") FROM (SELECT COUNT(*) AS \(name: "n") FROM \(upper)) AS \(name: "rows")"
            return try finish(statement, pushed, emitter)
        }
        let certain = Condition.every([pushed.whole, certainMatches(pushed, subqueries: true)])
        guard let lower = text(of: certain, beside: pushed, &emitter) else {
            return try finish("SELECT 0, COUNT(*) FROM \(upper)", pushed, emitter)
        }
        let statement: SQLFragment = """
            SELECT (SELECT COUNT(*) FROM \(emitter.from(scope)) WHERE \(lower)), (SELECT COUNT(*) FROM \(upper))
            """
        return try finish(statement, pushed, emitter)
    }

    private func limits(_ limit: SQLFragment.Binding?, _ offset: SQLFragment.Binding?) -> SQLFragment {
        let all = dialect.selection.limitOfAll.map { " LIMIT \(sql: $0)" as SQLFragment }
        let limit = limit.map { " LIMIT \(SQLFragment.binding($0))" } ?? all ?? ""
        return limit + (offset.map { " OFFSET \(SQLFragment.binding($0))" } ?? "")
    }

    /// A sort key as terms of ORDER BY.
    private func order(
        _ key: PredicateSortKey, _ emitter: inout Emitter, _ collations: inout [SQLCollation]
    ) throws(Unsupported) -> [SQLFragment] {
        let target = try lowering.target(ExpressionNode(.keyPath(keys(of: key))))
        guard case .value(var operand) = try lowering.computingYears(target) else {
            throw Unsupported("SQL can order only single values")
        }
        // Decimals that are stored as integers of one scale have the right order.
        if operand.type == .decimal, !dialect.decimals.areStored, operand.encoding == nil {
            throw Unsupported("the database has no decimals", column: operand.name)
        }
        let relation = Relation(.lessThan, key.options)
        if operand.type == .text { try relation.refuseLocale() }
        var options = relation.options
        if operand.type == .text,
            let (plain, sides) = try lowering.unfolded(.init(.lessThan, options), [operand])
        {
            // Sort by the stored folded texts, compared by code points (LANGUAGE 5.6).
            (options, operand) = (plain.options, sides[0])
        }
        var term = try emitter.value(operand, isCompared: true)
        if operand.type == .text, !options.isEmpty {
            guard dialect.hasRegisteredFunctions, let collation = SQLCollation(options) else {
                throw Unsupported("the database does not fold texts as evaluation does", column: operand.name)
            }
            if !collations.contains(collation) { collations.append(collation) }
            term = "\(emitter.emitted(operand)) COLLATE \(sql: collation.rawValue)"
        }
        if operand.type != .text, !operand.isNullable, !operand.mayBeNaN {
            return [key.isDescending ? term + " DESC" : term]
        }
        let direction: SQLFragment = key.isDescending ? " DESC" : ""
        if operand.isNullable, !dialect.selection.ordersNulls {
            let test: SQLFragment = key.nils == .first ? " IS NOT NULL" : " IS NULL"
            return ["(\(emitter.emitted(operand))\(test))", term + direction]
        }
        let nils: SQLFragment = !operand.isNullable ? "" : key.nils == .first ? " NULLS FIRST" : " NULLS LAST"
        guard operand.mayBeNaN else { return [term + direction + nils] }
        // NaN sorts first in memory, so sort by "is a number" first.
        let isNumber =
            dialect.numbers.nanIsGreatest
            ? Condition.compare(.lessOrEqual, operand, .constant(.double(.infinity), .double))
            : .compare(.equal, operand, operand)
        return [emitter.emit(isNumber).parenthesized + direction + nils, term + direction + nils]
    }

    /// The key path of a sort key.
    private func keys(of key: PredicateSortKey) throws(Unsupported) -> [String] {
        if lowering.schema.key(key.path, of: entity) != nil { return [key.path] }
        guard case .keyPath(let keys)? = (try? key.expression())?.root.kind else {
            throw Unsupported("the order by an expression is made in memory")
        }
        return keys
    }

    // MARK: Changing

    private func change(
        _ pushed: Pushed, _ assignments: SQLFragment?
    ) throws(PredicateFailure) -> Statement {
        if let reason = dialect.changes.refusal { throw refused(reason) }
        let table = lowering.root.scope.table
        var emitter = pushed.emitter
        let from = emitter.from(lowering.root.scope)
        let seesItsChanges = dialect.changes.seesItsChanges && lowering.tables.dropFirst().contains(table)
        let isDirect = !emitter.hasJoins && !seesItsChanges && (assignments != nil || dialect.changes.aliasesDeleted)
        // Computed values name the columns by the alias.
        let target: SQLFragment =
            isDirect || assignments?.readsColumns ?? false
            ? "\(name: table) AS \(.alias(0))" : "\(name: table)"
        let change: SQLFragment = assignments.map { "UPDATE \(target) SET \($0)" } ?? "DELETE FROM \(target)"
        if isDirect { return try finish("\(change) WHERE \(pushed.condition)", pushed, emitter) }
        guard !primaryKey.isEmpty else { throw refused("the rows have no primary key") }
        // IN does not find NULL.
        let mayBeNull = lowering.schema.lineage(of: entity).contains { entity in
            entity.attributes.contains { $0.isOptional && primaryKey.contains($0.column) }
        }
        if mayBeNull { throw refused("the primary key of a row may be NULL") }
        // Two levels of nesting, because MySQL cannot read the table that it changes, but can read a derived table.
        let key: SQLFragment = "\(names: primaryKey)"
        let own = primaryKey.map { SQLFragment.column(0, $0) }
        let statement: SQLFragment = """
            \(change) WHERE \(primaryKey.count == 1 ? key : key.parenthesized) IN (SELECT \(key) \
            FROM (SELECT \(own) FROM \(from) WHERE \(pushed.condition)) AS \(name: "keys"))
            """
        return try finish(statement, pushed, emitter)
    }

    private func refused(_ sentence: String) -> PredicateFailure {
        PredicateFailure(
            .sqlInexact, at: predicate.root.span, predicate.root.description, sentence, source: predicate.source)
    }

    private func requireExact(_ pushed: Pushed) throws(PredicateFailure) {
        guard !pushed.reasons.isEmpty else { return }
        throw PredicateFailure(pushed.reasons.map { $0.diagnostic }, source: predicate.source)
    }

    // MARK: Finishing

    private func finish(
        _ statement: SQLFragment, _ pushed: Pushed, _ emitter: Emitter, isSorted: Bool = true,
        isLimited: Bool = true, hasCertain: Bool = false, _ sortReasons: [SQLReason] = [],
        _ collations: [SQLCollation] = []
    ) throws(PredicateFailure) -> Statement {
        try requireNames(statement)
        var bindings: [PredicateValue] = []
        var types: [SQLType] = []
        statement.collectBindings(&bindings, &types)
        let query = try query(pushed)
        let finished = SQLStatement(
            text: statement.text(in: dialect), bindings: bindings, bindingTypes: types, query: query.result,
            isSorted: isSorted, isLimited: isLimited, hasCertain: hasCertain,
            sortReasons: sortReasons,
            requirements: requirements(emitter, types) + collations.map { .collation($0.rawValue) })
        return (Compiled(result: finished, fragments: [statement]), query)
    }
}
