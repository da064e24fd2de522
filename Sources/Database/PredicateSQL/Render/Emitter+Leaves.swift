// Renders comparisons and tests. If the column's index cannot serve a comparison, a weaker condition that the index can
// serve is written before it.

extension Emitter {
    mutating func writeLeaf(_ leaf: Leaf, negated: Bool) {
        switch leaf {
        case .isNull(let operand):
            writeOperand(operand)
            sql += negated ? " IS NOT NULL" : " IS NULL"
        case .compare(let order, let left, let right):
            if !negated { writeIndexedBound(order, left, right) }
            writeTwoValued(negated) { emitter in
                emitter.writeSide(left)
                emitter.sql.append(sql: order.infix)
                emitter.writeSide(right)
            }
        case .same(let left, let right):
            let sides = [left, right].map { side in fragment { $0.writeSide(side) } }
            sql += (negated ? dialect.sameness.different : dialect.sameness.equal)(sides)
        case .find(let place, let text, let needle):
            let template = dialect.texts.tests[place]
            writeTwoValued(negated) { $0.sql += template($0.compared(text), $0.compared(needle)) }
        case .list(let operand, let values): writeList(operand, values, negated)
        case .json(let operand, let json):
            let type = operand.boundType(dialect)
            let absence = negated ? dialect.lists.jsonAbsences[type] : nil
            guard let template = absence ?? dialect.lists.jsonLists[type] else { return lowering.fail(.noTest) }
            writeTwoValued(negated) { emitter in
                emitter.sql += template(emitter.compared(operand), .binding(json, .text))
            }
        case .regex(let operand, let pattern, let heads, let shortcut):
            if !negated { writeRanges(ofPrefixes: heads, of: operand) }
            guard let shortcut else { return writeMatch(operand, pattern, dialect.texts.regex?.test, negated) }
            writeTwoValued(negated) { $0.writeMatch(operand, pattern, shortcut) }
        case .glob(let operand, let pattern): writeMatch(operand, pattern, dialect.texts.glob?.test, negated)
        case .caselessGlob(let operand, let pattern):
            writeMatch(operand, pattern, dialect.texts.caselessGlob?.test, negated)
        case .group(let key, let scope, let filter, let having):
            writeGroup(key, of: scope, filter, having: having, negated: negated)
        case .union(let key, let inner, let scope, let conditions):
            writeUnion(key, in: inner, of: scope, conditions, negated: negated)
        case .function(let function, let left, let right, let options, let order):
            functions.insert(function)
            writeTwoValued(negated) { emitter in
                let sides = [emitter.emitted(left), emitter.emitted(right)]
                emitter.sql += "\(sql: function.rawValue)(\(sides), '\(sql: options)')"
                if let order { emitter.sql.append(sql: order.infix + "0") }
            }
        }
    }

    /// Writes a condition that follows from a comparison with a constant and can use the column's index. The comparison
    /// itself cannot use that index.
    private mutating func writeIndexedBound(_ order: Order, _ left: Operand, _ right: Operand) {
        guard left.isTextual, let constant = right.constant, hasOtherIndex(left) else { return }
        var bound = constant
        switch order {
        // Texts with the same code points are equal in every collation.
        case .equal: break
        case .different: return
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            guard !isCollated(left), let beside = constant.deriving(order.isUpper ? .above : .below) else { return }
            bound = beside
        }
        writeOperand(left)
        sql.append(sql: order.infix)
        sql.append(bound, right.type)
        sql += " AND "
    }

    /// Writes `("t0"."code" >= $1 AND "t0"."code" < $2 OR …) AND `, for an index.
    private mutating func writeRanges(ofPrefixes heads: [String], of text: Operand) {
        if heads.isEmpty || isCollated(text) { return }
        writeGrouped(.some(heads.map { Lowering.range(text, Constant(.string($0)), dialect) }))
        sql += " AND "
    }

    /// Whether the comparison cannot use the column's index, because of its collation or because `+` prevents a
    /// conversion.
    private func hasOtherIndex(_ operand: Operand) -> Bool {
        switch numericColumn(operand) {
        case .ofTable?: true
        case .ofView?: false
        case nil: dialect.texts.indexesInCollations && isCollated(operand)
        }
    }

    /// Writes `CASE WHEN octet_length("t0"."code") = length("t0"."code") THEN … ELSE "t0"."code" ~ $2 END`.
    private mutating func writeMatch(_ operand: Operand, _ pattern: String, _ shortcut: RegexShortcut) {
        sql += "CASE WHEN "
        switch shortcut {
        case .ascii(let glob):
            writeCondition(Lowering.bytes(.equal, operand))
            sql += " THEN "
            writeMatch(operand, glob, dialect.texts.caselessGlob?.test, false)
        case .below(let end):
            writeCondition(.compare(.less, operand, .constant(.string(end), .text)))
            sql += " THEN TRUE"
        }
        sql += " ELSE "
        writeMatch(operand, pattern, dialect.texts.regex?.test, false)
        sql += " END"
    }

    private mutating func writeMatch(_ operand: Operand, _ pattern: String, _ test: SQLTemplate?, _ negated: Bool) {
        guard let test else { return lowering.fail(.noTest) }
        writeTwoValued(negated) { $0.sql += test($0.compared(operand), .binding(.string(pattern), .text)) }
    }

    private mutating func writeList(_ operand: Operand, _ values: [Constant], _ negated: Bool) {
        if !negated, operand.isTextual, hasOtherIndex(operand) {
            // Without a collation, so that the column's own index can be used, as with `=`.
            writeOperand(operand)
            sql += " IN "
            writeValues(values, operand.type)
            sql += " AND "
        }
        // A computed NaN is NULL.
        let mayBeNull = negated && (operand.isNullable || operand.mayBeNaN && !operand.showsNaN)
        if mayBeNull { sql += "(" }
        writeSide(operand)
        sql += negated ? " NOT IN " : " IN "
        writeValues(values, operand.boundType(dialect))
        guard mayBeNull else { return }
        sql += " OR "
        writeOperand(operand)
        sql += " IS NULL)"
    }

    private mutating func writeValues(_ values: [Constant], _ type: SQLType) {
        sql += "("
        for (index, value) in values.enumerated() {
            if index > 0 { sql += ", " }
            sql.append(value, type)
        }
        sql += ")"
    }
}
