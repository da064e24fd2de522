// Assignments whose values the engine computes from the row: `total = total * 2`. Assignments.swift has those of
// constants. What SQL cannot compute exactly is computed in memory (PredicateStores/SQL/SQLStore+Changes.swift).

extension PredicateSchema {
    /// `"total" = …`, computed from the values of the row before the statement. The alias of its table is 0.
    ///
    /// - Throws: the errors of the type checker; `sql-inexact` if the value must be computed in memory.
    func computed(
        _ assignment: KeyAssignment, of entity: String, _ dialect: SQLDialect
    ) throws(PredicateFailure) -> SQLFragment {
        try check(assignment, of: entity)
        let expression = assignment.expression.reading(entity, self)
        do throws(Unsupported) {
            guard case .attribute(let attribute)? = key(assignment.key, of: entity), Encoding(attribute) == nil,
                attribute.json == nil, attribute.range == nil, attribute.folds.isEmpty, attribute.swiftValues == nil,
                attribute.cases.isEmpty
            else { throw Unsupported("the value is converted in memory") }
            guard let failure = dialect.changes.failure, dialect.stored.numeric.isEmpty else {
                throw Unsupported("the database does not report what it cannot compute")
            }
            if let condition = try condition(expression, attribute, entity, dialect) {
                return "\(name: attribute.column) = \(condition)"
            }
            let value = try operand(expression, attribute, entity, dialect, failure)
            return "\(name: attribute.column) = \(value)"
        } catch {
            let reason = PredicateDiagnostic(
                .sqlInexact, at: expression.root.span, expression.description, error.sentence)
            throw PredicateFailure(reason, source: expression.source)
        }
    }

    /// Throws the errors of the type checker.
    package func check(_ assignment: KeyAssignment, of entity: String) throws(PredicateFailure) {
        let expression = assignment.expression
        let checker = try TypeChecker(schema: self, entity: entity, in: expression.environment)
        let found = checker.check(expression.root, source: expression.source)
        if found.diagnostics.contains(where: { $0.severity == .error }) {
            throw PredicateFailure(found.diagnostics, source: expression.source)
        }
    }

    /// Whether the row matches a predicate; nil for other expressions.
    private func condition(
        _ expression: FormatExpression, _ attribute: Attribute, _ entity: String, _ dialect: SQLDialect
    ) throws(Unsupported) -> SQLFragment? {
        guard attribute.type == .boolean, let predicate = expression.predicate else { return nil }
        guard let pushdown = try? Pushdown(predicate, dialect, self, entity) else { return nil }
        guard let pushed = try? pushdown.pushed() else { throw .tooDeep }
        guard pushed.reasons.isEmpty else { throw Unsupported(pushed.reasons[0].sentence) }
        try requireOwnColumns(pushdown.lowering, pushed.emitter)
        let (yes, no) = (SQLFragment.binding(.bool(true), .boolean), SQLFragment.binding(.bool(false), .boolean))
        return "CASE WHEN \(pushed.condition) THEN \(yes) ELSE \(no) END"
    }

    /// The value of an expression of the attribute's type.
    private func operand(
        _ expression: FormatExpression, _ attribute: Attribute, _ entity: String, _ dialect: SQLDialect,
        _ failure: SQLTemplate
    ) throws(Unsupported) -> SQLFragment {
        guard let lowering = try? Lowering(self, entity, dialect, in: expression.environment) else {
            throw Unsupported("the table is not known")
        }
        guard case .value(let found) = try lowering.computingYears(try lowering.target(expression.root)) else {
            throw Unsupported("the value is computed in memory")
        }
        let operand = try lowering.computed(found)
        guard operand.encoding == nil, operand.type == SQLType(attribute.type), !operand.hasSubqueries,
            !operand.isComputed || operand.type == .integer || operand.type == .double
        else { throw Unsupported("the value is computed in memory") }
        if operand.mayBeNil, operand.isComputed || !attribute.isOptional {
            throw Unsupported("the value may be nil")
        }
        if operand.mayBeNaN, !operand.isComputed, !attribute.allowsNaN { throw Unsupported("the value may be NaN") }
        var emitter = Emitter(lowering)
        let value = try emitter.value(operand)
        try requireOwnColumns(lowering, emitter)
        // NULL where evaluation fails, and for NaN.
        guard operand.mayFail || operand.mayBeNaN, operand.isComputed else { return value }
        guard let column = operand.firstColumn else { throw Unsupported("the value is computed in memory") }
        return "COALESCE(\(value), \(failure(emitter.compared(column))))"
    }

    /// UPDATE has no joins, and other columns need what the statement cannot promise.
    private func requireOwnColumns(_ lowering: Lowering, _ emitter: Emitter) throws(Unsupported) {
        if lowering.tables.count > 1 { throw Unsupported("the value reads other rows") }
        if !emitter.functions.isEmpty || !emitter.textColumns.isEmpty || emitter.comparesMoments {
            throw Unsupported("the value depends on settings of the database")
        }
    }
}

extension FormatExpression {
    /// The predicate whose result the expression is.
    fileprivate var predicate: FormatPredicate? {
        guard case .ternary(let predicate, let yes, let no) = root.kind, case .value(.bool(true)) = yes.kind,
            case .value(.bool(false)) = no.kind
        else { return nil }
        return FormatPredicate(predicate, source: source, in: environment)
    }
}

extension Operand {
    /// Whether a column in it may be NULL, so that NULL does not mean that evaluation fails.
    fileprivate var mayBeNil: Bool {
        guard case .call(_, let arguments) = kind else { return isNullable }
        return mayLackValue || arguments.contains { $0.mayBeNil }
    }

    fileprivate var firstColumn: Operand? {
        switch kind {
        case .column: self
        case .call(_, let arguments): arguments.lazy.compactMap { $0.firstColumn }.first
        default: nil
        }
    }
}
