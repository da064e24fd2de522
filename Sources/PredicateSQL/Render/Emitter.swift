// Renders conditions as SQL fragments. Parentheses follow the tree, so precedence cannot be wrong. A leaf that
// is not negated is written plainly, so that an index can serve it (SQL.md 2.1, 7.6).
import PredicateModel
import PredicateSyntax

struct Emitter {
    struct Column: Hashable {
        let alias: Int
        let name: String
    }

    private(set) var functions: Set<SQLFunction> = []
    /// The columns whose text order matters, if the engine may order differently. May have duplicates after the
    /// first few.
    private(set) var textColumns: [Column] = []
    /// Complete after `from` was called for every scope.
    private(set) var hasJoins = false
    private(set) var hasOuterJoins = false
    /// Whether timestamps are compared as points in time, which may depend on the session's zone.
    private(set) var comparesMoments = false
    /// For each alias, whether the SQL uses it.
    private var usedAliases: [Bool] = []
    /// The rows that HAVING is about; their aggregates are written without a subquery.
    var grouped: Scope?
    /// Maps aliases to tables. Lowering sort keys adds aliases.
    private let lowering: Lowering
    /// Kept here because each read of the dialect costs more than this test.
    private let hasNumericColumns: Bool

    init(_ lowering: Lowering) {
        self.lowering = lowering
        hasNumericColumns = !lowering.dialect.numericColumns.isEmpty
    }

    private var dialect: SQLDialect { _read { yield lowering.dialect } }

    mutating func emit(_ condition: Condition) -> SQLFragment { written(64) { $0.write(condition, &$1) } }

    mutating func emitted(_ operand: Operand) -> SQLFragment { written { $0.write(operand, &$1) } }

    /// An operand whose text is compared.
    mutating func compared(_ operand: Operand) -> SQLFragment { written { $0.write(compared: operand, &$1) } }

    /// The scope's table and those of its joins that are used. Call it after the other parts of the scope.
    mutating func from(_ scope: Scope) -> SQLFragment { written { $0.write(from: scope, &$1) } }

    /// - Parameter capacity: the approximate number of segments.
    mutating func written(
        _ capacity: Int = 4, _ write: (inout Emitter, inout SQLFragment) -> Void
    ) -> SQLFragment {
        var fragment = SQLFragment(capacity: capacity)
        write(&self, &fragment)
        return fragment
    }

    // MARK: Conditions

    mutating func write(_ condition: Condition, _ sql: inout SQLFragment) {
        switch condition {
        case .constant(let value): write(value, &sql)
        case .all(let parts): chain(parts, " AND ", &sql) { $0.write(grouped: $1, &$2) }
        case .any(let parts): chain(parts, " OR ", &sql) { $0.write($1, &$2) }
        case .leaf(let leaf, let negated): write(leaf, negated: negated, &sql)
        case .exists(let scope, let inner, let negated) where scope.isLambda:
            twoValued(negated, &sql) { $0.write(lambda: scope, inner, counts: false, &$1) }
        case .exists(let scope, let inner, let negated):
            if write(elementOf: scope, inner, negated, &sql) { return }
            sql += negated ? "NOT EXISTS (SELECT 1" : "EXISTS (SELECT 1"
            write(rowsOf: scope, inner, &sql)
            sql += ")"
        case .count(let scope, let inner, let order, let number):
            write(.count, nil, scope, inner, &sql)
            sql += order.infix
            sql.append(Constant(.integer(number)), .integer)
        // Bounds were taken before; the upper bound is always sound.
        case .bounded(let over, _, _): write(over, &sql)
        // Partial conditions were resolved before.
        case .partial(let whenTrue, _): write(whenTrue, &sql)
        }
    }

    func write(_ constant: Bool, _ sql: inout SQLFragment) {
        sql += constant ? dialect.alwaysTrue : dialect.alwaysFalse
    }

    private mutating func write(grouped condition: Condition, _ sql: inout SQLFragment) {
        guard case .any = condition else { return write(condition, &sql) }
        sql += "("
        write(condition, &sql)
        sql += ")"
    }

    /// Writes a long chain as a tree, because parsers recurse over chains.
    private mutating func chain(
        _ parts: [Condition], _ word: String, _ sql: inout SQLFragment,
        _ write: (inout Emitter, Condition, inout SQLFragment) -> Void
    ) {
        var size = 1
        while parts.count > size * dialect.chainLimit { size *= dialect.chainLimit }
        chain(parts[...], size, word, &sql, write)
    }

    /// Writes groups of `size` parts.
    private mutating func chain(
        _ parts: ArraySlice<Condition>, _ size: Int, _ word: String, _ sql: inout SQLFragment,
        _ write: (inout Emitter, Condition, inout SQLFragment) -> Void
    ) {
        for start in stride(from: parts.startIndex, to: parts.endIndex, by: size) {
            if start > parts.startIndex { sql += word }
            if size == 1 {
                write(&self, parts[start], &sql)
            } else {
                sql += "("
                let group = parts[start..<min(start + size, parts.endIndex)]
                chain(group, size / dialect.chainLimit, word, &sql, write)
                sql += ")"
            }
        }
    }

    // MARK: Subqueries

    /// Writes `$1 = ANY ("t0"."tags")`, or `"t0"."tags" && ARRAY[$1, $2]`, if the engine has that and the condition
    /// only compares the elements with constants. Returns whether it did.
    private mutating func write(
        elementOf scope: Scope, _ condition: Condition, _ negated: Bool, _ sql: inout SQLFragment
    ) -> Bool {
        guard let membership = dialect.membership, case .elements(let list, _) = scope.link,
            case .leaf(let leaf, negated: false) = condition, case .column(scope.alias, _)? = leaf.operands.first?.kind
        else { return false }
        switch leaf {
        case .compare(.equal, _, let sought):
            guard case .constant = sought.kind else { return false }
            twoValued(negated, &sql) { $1 += membership.one($0.emitted(list), $0.emitted(sought)) }
        case .list(let element, let values):
            twoValued(negated, &sql) { emitter, sql in
                var array = SQLFragment()
                for (index, value) in values.enumerated() {
                    if index > 0 { array += ", " }
                    array.append(value, element.boundType(emitter.dialect))
                }
                sql += membership.some(emitter.emitted(list), array)
            }
        default: return false
        }
        if case .text? = leaf.operands.first?.type, case .column(let owner, let name) = list.kind {
            note(textColumn: name, of: owner)
        }
        return true
    }

    /// Writes `"t0"."id" IN (SELECT "t0"."id" FROM … WHERE … UNION ALL SELECT …)`.
    private mutating func write(
        _ key: Operand, in inner: Operand, unionOf scope: Scope, _ conditions: [Condition], negated: Bool,
        _ sql: inout SQLFragment
    ) {
        if negated { sql += "(" }
        write(key, &sql)
        sql += " IN ("
        let outside = usedAliases
        for (index, condition) in conditions.enumerated() {
            // Each query joins what it uses.
            usedAliases = []
            if index > 0 { sql += " UNION ALL " }
            sql += "SELECT "
            write(inner, &sql)
            write(rowsOf: scope, condition, isLinked: false, &sql)
        }
        usedAliases = outside
        sql += negated ? ")) IS NOT TRUE" : ")"
    }

    /// Writes FROM and WHERE after the selected columns.
    ///
    /// - Parameter isLinked: whether they are those of one row outside, not of all.
    mutating func write(
        rowsOf scope: Scope, _ condition: Condition, isLinked: Bool = true, _ sql: inout SQLFragment
    ) {
        // Write the condition first, because it determines the needed joins.
        var test = SQLFragment()
        let isTested = if case .constant(true) = condition { false } else { true }
        if isTested { write(grouped: condition, &test) }
        sql += " FROM "
        write(from: scope, &sql)
        var hasConditions = isLinked && write(linkOf: scope, &sql)
        if case .pairs(_, let alias, _, let to, _, _) = scope.link, !isUsed(scope.alias) {
            // Instead of the join: a pair without a key has no row.
            for column in to {
                sql += hasConditions ? " AND " : " WHERE "
                sql.append(column: column, of: alias)
                sql += " IS NOT NULL"
                hasConditions = true
            }
        }
        guard isTested else { return }
        sql += hasConditions ? " AND " : " WHERE "
        sql += test
    }

    private func isUsed(_ alias: Int) -> Bool { alias < usedAliases.count && usedAliases[alias] }

    /// Writes the link to the enclosing query. Returns whether there is one.
    private mutating func write(linkOf scope: Scope, _ sql: inout SQLFragment) -> Bool {
        switch scope.link {
        case .foreignKey(let columns, let outer):
            sql += " WHERE "
            write(columns, of: scope.alias, equal: outer, &sql)
        case .pairs(_, let alias, let from, _, _, let outer):
            sql += " WHERE "
            write(from, of: alias, equal: outer, &sql)
        case .elements, .lambda, nil: return false
        }
        return true
    }

    /// Writes `"t1"."tenant" = "t0"."tenant" AND "t1"."id" = "t0"."parent"`.
    private mutating func write(
        _ columns: [String], of alias: Int, equal operands: [Operand], _ sql: inout SQLFragment
    ) {
        for (index, (column, operand)) in zip(columns, operands).enumerated() {
            if index > 0 { sql += " AND " }
            use(alias)
            sql.append(column: column, of: alias)
            sql += " = "
            write(operand, &sql)
        }
    }

    private mutating func write(from scope: Scope, _ sql: inout SQLFragment) {
        var used: [Scope.Join] = []
        // A join may depend on an earlier join.
        for join in scope.joins.reversed() where isUsed(join.alias) {
            use(join.base)
            used.append(join)
        }
        if case .elements(let list, let type) = scope.link {
            let alias = SQLFragment.alias(scope.alias)
            if type == .text, case .column(let owner, let name) = list.kind { note(textColumn: name, of: owner) }
            if case .rows(let template)? = dialect.elements[type] {
                sql += template(emitted(list), alias)
            } else {
                sql += alias
            }
        } else if case .pairs(let table, let alias, _, let to, let key, _) = scope.link {
            sql.append(table: table, as: alias)
            // Each pair has its row.
            guard isUsed(scope.alias) else { return }
            sql += " JOIN "
            sql.append(table: scope.table, as: scope.alias)
            sql += " ON "
            write(key, of: scope.alias, equal: to.map { .key($0, of: alias) }, &sql)
        } else {
            sql.append(table: scope.table, as: scope.alias)
        }
        for join in used.reversed() {
            hasJoins = true
            hasOuterJoins = hasOuterJoins || !join.isRequired
            sql += join.isRequired ? " JOIN " : " LEFT JOIN "
            if scope.link != nil, dialect.fencesJoinsInside {
                sql += "(SELECT * FROM "
                sql += .identifier(join.table)
                sql += " OFFSET 0) AS "
                sql += .alias(join.alias)
            } else {
                sql.append(table: join.table, as: join.alias)
            }
            sql += " ON "
            write(join.key, of: join.alias, equal: join.columns.map { .key($0, of: join.base) }, &sql)
            if case .constant(true) = join.kind { continue }
            sql += " AND "
            write(join.kind, &sql)
        }
    }

    private mutating func write(
        _ aggregate: Aggregate, _ element: Operand?, _ scope: Scope, _ condition: Condition, _ sql: inout SQLFragment
    ) {
        if scope.isLambda { return write(lambda: scope, condition, counts: true, &sql) }
        if scope == grouped { return write(aggregate, element, &sql) }
        let isNeverNull = aggregate.isNeverNull && dialect.countOfNothingIsNull
        sql += isNeverNull ? "COALESCE((SELECT " : "(SELECT "
        write(aggregate, element, &sql)
        write(rowsOf: scope, condition, &sql)
        sql += isNeverNull ? "), 0)" : ")"
    }

    /// `SUM("t1"."total")`
    private mutating func write(_ aggregate: Aggregate, _ element: Operand?, _ sql: inout SQLFragment) {
        let value = element.map { emitted($0) } ?? SQLFragment("*")
        switch aggregate {
        case .count: sql += "COUNT(*)"
        case .sum(let width): sql += dialect.sum(value, width)
        // nil counts as 0 and an empty set has no average; SQL's AVG does neither.
        case .average(let width):
            sql += dialect.sum(value, width, asDouble: true) + SQLFragment(" / NULLIF(COUNT(*), 0)")
        case .excess(let bound):
            // A group has rows.
            let isGroup = grouped != nil
            let isPlain = isGroup && !(element?.isNullable ?? true) && dialect.checkedSum == nil
            sql += isPlain ? SQLFragment("SUM(") + value + SQLFragment(")") : dialect.sum(value, .decimal)
            sql += " - "
            write(bound, &sql)
            sql += isGroup ? " * COUNT(*)" : " * NULLIF(COUNT(*), 0)"
        // The greatest text depends on the collation.
        case .minimum: sql += SQLFragment("MIN(") + (element.map { compared($0) } ?? value) + SQLFragment(")")
        case .maximum: sql += SQLFragment("MAX(") + (element.map { compared($0) } ?? value) + SQLFragment(")")
        }
    }

    /// Writes a list function: whether the condition holds for an element, or the number of such elements.
    private mutating func write(
        lambda scope: Scope, _ condition: Condition, counts: Bool, _ sql: inout SQLFragment
    ) {
        guard case .lambda(let list, let type) = scope.link,
            case .lambda(let exists, let count, let size)? = dialect.elements[type]
        else { return write(true, &sql) }
        if case .constant(true) = condition {
            sql += size(emitted(list))
            if !counts { sql += " > 0" }
        } else {
            let function = counts ? count : exists
            sql += function(emitted(list), .alias(scope.alias), emit(condition))
        }
    }

    // MARK: Operands

    mutating func write(_ operand: Operand, _ sql: inout SQLFragment) {
        switch operand.kind {
        case .column(let alias, let name):
            use(alias)
            sql.append(column: name, of: alias)
        case .element(let alias): sql += .alias(alias)
        case .constant(let value): sql.append(value, operand.type)
        case .call(let scalar, let arguments):
            if let function = scalar.registered, dialect.hasRegisteredFunctions { functions.insert(function) }
            if scalar == .asMoment { comparesMoments = true }
            guard let template = quickTemplate(scalar, arguments) ?? dialect.template(scalar) else {
                return write(true, &sql)
            }
            var places: [SQLFragment] = []
            // Next to a double every engine converts an integer itself.
            let casts = if case .plainDoubles = scalar { arguments.allSatisfy(\.isWhole) } else { true }
            for argument in arguments { places.append(place(argument, casts: casts)) }
            if scalar.isOfIntegers64, let cast = dialect.integer64 {
                for (index, isCast) in dialect.castsToInteger64(arguments).enumerated() where isCast {
                    places[index] = cast(places[index])
                }
            }
            sql += bound(template, arguments, places)
        case .aggregate(let aggregate, let element, let scope, let condition):
            write(aggregate, element, scope, condition, &sql)
        }
    }

    /// Fills a template. Operands that it repeats are computed once, in a subquery, if the dialect has one for that and
    /// they are not short: `(SELECT CASE WHEN v0 BETWEEN … THEN sqrt(v0) END FROM (SELECT … AS v0) AS v)`.
    private func bound(_ template: SQLTemplate, _ operands: [Operand], _ places: [SQLFragment]) -> SQLFragment {
        // An aggregate of a group cannot be moved to another FROM.
        guard let binding = dialect.operandBinding, grouped == nil else { return template(places) }
        var names = places
        var columns = SQLFragment()
        for (index, operand) in operands.enumerated() where !operand.isShort && template.repeats(index) {
            names[index] = SQLFragment("v\(index)")
            if !columns.segments.isEmpty { columns += ", " }
            columns += places[index]
            columns += " AS v\(index)"
        }
        return columns.segments.isEmpty ? template(places) : binding(template(names), columns)
    }

    private func quickTemplate(_ scalar: Scalar, _ arguments: [Operand]) -> SQLTemplate? {
        switch scalar {
        case .doubles(.multiply), .doubles(.divide): break
        default: return nil
        }
        guard let quick = dialect.quickScalars, arguments.allSatisfy(\.isShort) else { return nil }
        return arguments[0].isModerate ? quick.firstIsModerate[scalar] : quick.plain[scalar]
    }

    /// Writes an operand of a template.
    private mutating func place(_ operand: Operand, casts: Bool) -> SQLFragment {
        if !casts, operand.isWhole, case .call(_, let inner) = operand.kind { return place(inner[0], casts: true) }
        let place = compared(operand)
        // SQLite's arithmetic on integers gives integers, so convert the operand to a double.
        if hasNumericColumns, !operand.isTextual, numericColumn(operand) != nil {
            return dialect.integerAsDouble(place)
        }
        if case .call(let scalar, _) = operand.kind, scalar.isInfix { return place.parenthesized }
        return place
    }

    /// Writes an operand of a comparison so that SQLite converts neither operand.
    mutating func write(side operand: Operand, _ sql: inout SQLFragment) {
        if hasNumericColumns, operand.isTextual, numericColumn(operand) != nil { sql += "+" }
        write(compared: operand, &sql)
    }

    private mutating func write(compared operand: Operand, _ sql: inout SQLFragment) {
        write(operand, &sql)
        guard operand.isTextual, case .column(let alias, let name) = operand.kind else { return }
        if let collation = dialect.binaryCollation, isCollated(operand) {
            sql += " COLLATE "
            sql += collation
        } else if operand.collation != .binary {
            note(textColumn: name, of: alias)
        }
    }

    /// Whether it is a text column with a collation other than by code points.
    private func isCollated(_ operand: Operand) -> Bool {
        if operand.collation == .other { return dialect.binaryCollation != nil }
        guard !dialect.collatedColumns.isEmpty, operand.isTextual, let column = column(operand) else { return false }
        return dialect.collatedColumns.contains(column)
    }

    private func numericColumn(_ operand: Operand) -> NumericColumn? {
        guard hasNumericColumns else { return nil }
        return column(operand).flatMap { dialect.numericColumns[$0] }
    }

    private func column(_ operand: Operand) -> SQLColumn? {
        guard case .column(let alias, let name) = operand.kind, let table = lowering.tables[alias] else { return nil }
        return SQLColumn(table: table, column: name)
    }

    mutating func use(_ alias: Int) {
        while usedAliases.count <= alias { usedAliases.append(false) }
        usedAliases[alias] = true
    }

    private mutating func note(textColumn name: String, of alias: Int) {
        if dialect.comparesTextByCodePoint { return }
        let column = Column(alias: alias, name: name)
        // Duplicates are removed later, because searching a long list here would be quadratic.
        if textColumns.count > 16 || !textColumns.contains(column) { textColumns.append(column) }
    }

    // MARK: Leaves

    private mutating func write(_ leaf: Leaf, negated: Bool, _ sql: inout SQLFragment) {
        switch leaf {
        case .isNull(let operand):
            write(operand, &sql)
            sql += negated ? " IS NOT NULL" : " IS NULL"
        case .compare(let order, let left, let right):
            if !negated { write(indexed: order, left, right, &sql) }
            twoValued(negated, &sql) { emitter, sql in
                emitter.write(side: left, &sql)
                sql += order.infix
                emitter.write(side: right, &sql)
            }
        case .same(let left, let right):
            let sides = [left, right].map { side in written { $0.write(side: side, &$1) } }
            sql += (negated ? dialect.notSame : dialect.sameOrBothNull)(sides)
        case .find(let place, let text, let needle):
            let template =
                switch place {
                case .prefix: dialect.beginsWith
                case .suffix: dialect.endsWith
                case .anywhere: dialect.contains
                }
            twoValued(negated, &sql) { emitter, sql in
                sql += template(emitter.compared(text), emitter.compared(needle))
            }
        case .list(let operand, let values): list(operand, values, negated, &sql)
        case .json(let operand, let json):
            let type = operand.boundType(dialect)
            let absence = negated ? dialect.jsonAbsences[type] : nil
            guard let template = absence ?? dialect.jsonLists[type] else { return write(true, &sql) }
            twoValued(negated, &sql) { emitter, sql in
                let side = emitter.written { $0.write(side: operand, &$1) }
                sql += template(side, .binding(json, .text))
            }
        case .regex(let operand, let pattern, let heads):
            if !negated { write(heads, of: operand, &sql) }
            match(operand, pattern, dialect.regex?.test, negated, &sql)
        case .glob(let operand, let pattern): match(operand, pattern, dialect.glob?.test, negated, &sql)
        case .caselessGlob(let operand, let pattern):
            match(operand, pattern, dialect.caselessGlob?.test, negated, &sql)
        case .group(let key, let scope, let filter, let having):
            write(key, groupOf: scope, filter, having: having, negated: negated, &sql)
        case .groupValue(let key, let scope, let filter, let order, let value, let other):
            twoValued(negated, &sql) { $0.write(key, groupOf: scope, filter, value, order, other, &$1) }
        case .union(let key, let inner, let scope, let conditions):
            write(key, in: inner, unionOf: scope, conditions, negated: negated, &sql)
        case .function(let function, let left, let right, let options, let order):
            functions.insert(function)
            twoValued(negated, &sql) { emitter, sql in
                sql += function.rawValue
                sql += "("
                emitter.write(left, &sql)
                sql += ", "
                emitter.write(right, &sql)
                sql += ", '\(options)')"
                if let order {
                    sql += order.infix
                    sql += "0"
                }
            }
        }
    }

    /// Writes a condition that follows from a comparison with a constant. The column's index can be used for
    /// it, but not for the comparison itself.
    private mutating func write(indexed order: Order, _ left: Operand, _ right: Operand, _ sql: inout SQLFragment) {
        guard left.isTextual, let constant = right.constant, hasOtherIndex(left) else { return }
        var bound = constant
        switch order {
        // Texts with the same code points are equal in every collation.
        case .equal: break
        case .different: return
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            let isUpper = order == .less || order == .lessOrEqual
            guard !isCollated(left), let beside = constant.deriving(isUpper ? .above : .below) else { return }
            bound = beside
        }
        write(left, &sql)
        sql += order.infix
        sql.append(bound, right.type)
        sql += " AND "
    }

    /// Writes `("t0"."code" >= $1 AND "t0"."code" < $2 OR …) AND `, for an index.
    private mutating func write(_ heads: [String], of text: Operand, _ sql: inout SQLFragment) {
        if heads.isEmpty || isCollated(text) { return }
        let ranges = heads.map { head in
            Condition.every(Lowering.range(text, Constant(.string(head)), dialect).map { .leaf($0) })
        }
        write(grouped: .some(ranges), &sql)
        sql += " AND "
    }

    /// Whether the comparison cannot use the column's index, because of its collation or because `+` prevents a
    /// conversion.
    private func hasOtherIndex(_ operand: Operand) -> Bool {
        switch numericColumn(operand) {
        case .ofTable?: true
        case .ofView?: false
        case nil: dialect.indexesInCollations && isCollated(operand)
        }
    }

    private mutating func match(
        _ operand: Operand, _ pattern: String, _ test: SQLTemplate?, _ negated: Bool, _ sql: inout SQLFragment
    ) {
        guard let test else { return write(true, &sql) }
        twoValued(negated, &sql) { $1 += test($0.compared(operand), .binding(.string(pattern), .text)) }
    }

    private mutating func twoValued(
        _ negated: Bool, _ sql: inout SQLFragment, _ write: (inout Emitter, inout SQLFragment) -> Void
    ) {
        if negated { sql += "(" }
        write(&self, &sql)
        if negated { sql += ") IS NOT TRUE" }
    }

    private mutating func list(
        _ operand: Operand, _ values: [Constant], _ negated: Bool, _ sql: inout SQLFragment
    ) {
        if !negated, operand.isTextual, hasOtherIndex(operand) {
            // For the column's own index, as with `=`.
            write(operand, &sql)
            sql += " IN "
            write(values, operand.type, &sql)
            sql += " AND "
        }
        // NaN is NULL if it is computed.
        let mayBeNull = negated && (operand.isNullable || operand.mayBeNaN && !operand.showsNaN)
        if mayBeNull { sql += "(" }
        write(side: operand, &sql)
        sql += negated ? " NOT IN " : " IN "
        write(values, operand.boundType(dialect), &sql)
        guard mayBeNull else { return }
        sql += " OR "
        write(operand, &sql)
        sql += " IS NULL)"
    }

    private func write(_ values: [Constant], _ type: SQLType, _ sql: inout SQLFragment) {
        sql += "("
        for (index, value) in values.enumerated() {
            if index > 0 { sql += ", " }
            sql.append(value, type)
        }
        sql += ")"
    }
}
