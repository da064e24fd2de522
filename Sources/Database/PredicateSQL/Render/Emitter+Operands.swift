// Renders operands: columns, constants, computed values. An operand whose text is compared gets its collation, and
// a column that SQLite would convert gets `+` (NumericColumns.swift).

extension Emitter {
    /// The value of an operand in a part of a statement that is no condition: an order, an assignment, a column. Throws if
    /// the dialect does not compute it, or not in this depth.
    ///
    /// - Parameter isCompared: whether its text is compared.
    mutating func value(_ operand: Operand, isCompared: Bool = false) throws(Unsupported) -> SQLFragment {
        if operand.isComputed { try lowering.requireSupport(operand) }
        if lowering.height(of: operand) + Lowering.heightOfStatement > dialect.limits.parserStack { throw .tooDeep }
        return isCompared ? compared(operand) : emitted(operand)
    }

    /// Returns how tightly the written text binds. It is always that of a value.
    @discardableResult mutating func writeOperand(_ operand: Operand) -> SQLPrecedence {
        guard lowering.step() else { return .whole }
        switch operand.kind {
        case .column(let alias, let name):
            use(alias)
            if !documents.isEmpty, let document = documents[name] {
                sql += dialect.value(document, of: alias)
            } else {
                sql.append(column: name, of: alias)
            }
        case .element(let alias): sql += .alias(alias)
        case .constant(let value): sql.append(value, operand.type)
        case .call(let scalar, let arguments):
            if let function = scalar.registered, dialect.hasRegisteredFunctions { functions.insert(function) }
            if scalar == .asMoment || scalar == .seconds(.timestampWithZone) { comparesMoments = true }
            guard let template = quickTemplate(scalar, arguments) ?? dialect.template(scalar) else {
                lowering.fail(Unsupported(scalar.absence))
                return .whole
            }
            var places: [SQLFragment] = []
            // In arithmetic with a double, every engine converts an integer itself.
            let casts = if case .plainDoubles = scalar { arguments.allSatisfy({ $0.isWhole }) } else { true }
            for argument in arguments { places.append(place(argument, casts: casts)) }
            if scalar.isOfIntegers64, let cast = dialect.bindings.integer64 {
                for (index, isCast) in dialect.castsToInteger64(arguments).enumerated() where isCast {
                    places[index] = cast(places[index])
                }
            }
            let bound = bound(template, arguments, places)
            sql += bound.text
            return bound.isSubquery ? .whole : template.precedence
        case .aggregate(let aggregate, let element, let scope, let condition):
            return writeAggregate(aggregate, element, scope, condition)
        }
        return .whole
    }

    /// Fills a template. Operands that the template repeats are computed once in a subquery, if the dialect supports
    /// this and they are not short: `(SELECT CASE WHEN v0 BETWEEN … THEN sqrt(v0) END FROM (SELECT … AS v0) AS v)`.
    private func bound(
        _ template: SQLTemplate, _ operands: [Operand], _ places: [SQLFragment]
    ) -> (text: SQLFragment, isSubquery: Bool) {
        // An aggregate of a group cannot be moved to another FROM.
        guard let binding = dialect.subqueries.operandBinding, grouped == nil else { return (template(places), false) }
        var names = places
        var columns = SQLFragment()
        for (index, operand) in operands.enumerated() where !operand.isShort && template.repeats(index) {
            names[index] = "v\(sql: String(index))"
            if !columns.segments.isEmpty { columns += ", " }
            columns += "\(places[index]) AS \(names[index])"
        }
        return columns.segments.isEmpty ? (template(places), false) : (binding(template(names), columns), true)
    }

    private func quickTemplate(_ scalar: Scalar, _ arguments: [Operand]) -> SQLTemplate? {
        guard scalar == .doubles(.multiply) || scalar == .doubles(.divide), let quick = dialect.quickScalars,
            arguments.allSatisfy({ $0.isShort })
        else { return nil }
        return arguments[0].isModerate ? quick.firstIsModerate[scalar] : quick.plain[scalar]
    }

    /// Writes an operand of a template.
    private mutating func place(_ operand: Operand, casts: Bool) -> SQLFragment {
        if !casts, operand.isWhole, case .call(_, let inner) = operand.kind { return place(inner[0], casts: true) }
        let place = fragment { $0.writeCompared(operand, atLeast: .whole) }
        // SQLite's arithmetic on integers gives integers, so convert the operand to a double.
        if !operand.isTextual, !(operand.encoding?.isText ?? false), numericColumn(operand) != nil {
            return dialect.numbers.integers.asDouble(place)
        }
        return place
    }

    /// Writes an operand of a comparison so that SQLite converts neither operand.
    mutating func writeSide(_ operand: Operand) {
        if operand.isTextual, numericColumn(operand) != nil { sql += "+" }
        writeCompared(operand, atLeast: .value)
    }

    /// Writes an operand whose text is compared. The only place that decides whether an operand is in parentheses.
    ///
    /// - Parameter precedence: how tightly the text must bind.
    mutating func writeCompared(_ operand: Operand, atLeast precedence: SQLPrecedence) {
        switch operand.kind {
        case .column, .element, .constant: writeOperand(operand)
        case .call, .aggregate:
            var found = SQLPrecedence.whole
            let text = fragment { found = $0.writeOperand(operand) }
            sql += found < precedence ? text.parenthesized : text
        }
        guard operand.isTextual, case .column(let alias, let name) = operand.kind else { return }
        if let collation = dialect.texts.binaryCollation, isCollated(operand) {
            sql.append(sql: " COLLATE " + collation)
        } else if operand.collation != .binary {
            noteTextColumn(name, of: alias)
        }
    }

    /// Whether it is a text column with a collation other than by code points.
    func isCollated(_ operand: Operand) -> Bool {
        if operand.collation == .other { return dialect.texts.binaryCollation != nil }
        guard !dialect.stored.collated.isEmpty, operand.isTextual, let column = column(operand) else { return false }
        return dialect.stored.collated.contains(column)
    }

    func numericColumn(_ operand: Operand) -> NumericColumn? {
        dialect.stored.numeric.isEmpty ? nil : column(operand).flatMap { dialect.stored.numeric[$0] }
    }

    private func column(_ operand: Operand) -> SQLColumn? {
        guard case .column(let alias, let name) = operand.kind, let table = lowering.tables[alias] else { return nil }
        return SQLColumn(table: table, column: name)
    }

    mutating func use(_ alias: Int) {
        while usedAliases.count <= alias { usedAliases.append(false) }
        usedAliases[alias] = true
    }

    /// Records that the order of a column's texts matters.
    mutating func noteTextColumn(_ name: String, of alias: Int) {
        // The collation of a value inside JSON is in its expression.
        if dialect.texts.comparesByCodePoint || documents[name] != nil { return }
        let column = Column(alias: alias, name: name)
        // Duplicates are removed later, because searching a long list here would be quadratic.
        if textColumns.count > 16 || !textColumns.contains(column) { textColumns.append(column) }
    }
}
