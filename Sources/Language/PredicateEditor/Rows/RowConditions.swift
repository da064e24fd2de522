// Rows as predicates. RowReader.swift is the other direction: it tries rows, and compares their trees with the
// predicate.

extension EditorGroup {
    /// The predicate of the filter.
    ///
    /// It is made without muted rows and groups, rows with a problem, and groups without other rows. So a filter that
    /// is being built does not hide everything; an empty one is TRUEPREDICATE. Nested groups stay nested.
    ///
    /// Dates are relative to the clock and the time zone of each run: keep the predicate as long as the filter.
    /// - Complexity: linear in the rows; some microseconds for each.
    public func predicate(_ fields: EditorFields) -> FormatPredicate {
        let root = combined({ try? $0.condition(fields) }) { match, parts in
            (parts.count == 1 ? parts[0] : PredicateNode(match.isAnd ? .and(parts) : .or(parts)))
                .negated(match.isNegated)
        }
        return FormatPredicate(root ?? PredicateNode(.constant(true)), in: fields.environment)
    }

    /// The problems of the rows that are not muted, in their order.
    public func problems(_ fields: EditorFields) -> [EditorProblem] {
        combined({ row in row.problem(fields).map { [$0] } }) { $1.flatMap { $0 } } ?? []
    }
}

extension EditorRow {
    /// Why predicates are made without the row; nil if they are made with it.
    public func problem(_ fields: EditorFields) -> EditorProblem? {
        do throws(EditorProblem.Kind) {
            _ = try condition(fields)
            return nil
        } catch {
            return EditorProblem(id: id, title: fields[field]?.title ?? field, kind: error)
        }
    }

    /// The row's tree. It has no spans, because the row has no text. The variable is that of a SUBQUERY.
    package func condition(_ fields: EditorFields, variable: String = "x") throws(EditorProblem.Kind) -> PredicateNode {
        if `operator` == .predicate { return try parsed(in: fields.environment) }
        guard let field = fields[field] else { throw .unknownField }
        guard let form = `operator`.form else { throw .unknownOperator }
        let quantifier = quantifier ?? .any
        guard field.fits(`operator`), field.list != nil || self.quantifier == nil, quantifier.form.threshold ?? 0 >= 0
        else { throw .operatorDoesNotFit }
        let value = try operand(form, field, fields)
        let keys = field.keyPath.keyPathKeys
        let test = form.condition(ExpressionNode(.keyPath(keys)), value, `operator`.options)
        guard let list = field.list?.keyPathKeys else { return test }
        // With ANY and ALL if it is one comparison, else with a SUBQUERY.
        let (_, threshold, comparison) = quantifier.form
        if case .comparison(var node) = test.kind, threshold == nil {
            node.modifier = quantifier == .all ? .all : .any
            return PredicateNode(.comparison(node)).negated(quantifier == .none)
        }
        let element = keys.dropFirst(list.count).reduce(ExpressionNode(.variable(variable))) { $0.appending($1) }
        let inner = form.condition(element, value, `operator`.options).negated(quantifier == .all)
        let found = ExpressionNode(.subquery(ExpressionNode(.keyPath(list)), variable: variable, inner))
        let count = ExpressionNode(.value(.integer(Int64(threshold ?? 0))))
        let counted = ComparisonNode(found.appending(CollectionOperator.counter.name), comparison, count)
        return PredicateNode(.comparison(counted)).negated(quantifier == .none)
    }

    private func parsed(in environment: PredicateEnvironment) throws(EditorProblem.Kind) -> PredicateNode {
        guard case .string(let text) = value, !text.isEmpty else { throw .noValue }
        let parsed = FormatPredicate.parse(text, arguments: .none, in: environment)
        if let error = parsed.diagnostics.first(where: { $0.severity == .error }) { throw .invalidText(error.message) }
        return parsed.tree.movingSpans { _ in .none }
    }
}

extension PredicateNode {
    func negated(_ isNegated: Bool = true) -> PredicateNode { isNegated ? PredicateNode(.not(self)) : self }
}

extension ExpressionNode {
    /// The key of the value, as the parser reads it.
    func appending(_ key: String) -> ExpressionNode {
        switch kind {
        case .keyPath(let keys): ExpressionNode(.keyPath(keys + [key]))
        case .member(let base, let step): ExpressionNode(.member(base, step: step.appending(key)))
        default: ExpressionNode(.member(self, step: ExpressionNode(.keyPath([key]))))
        }
    }
}

// MARK: - Values

extension EditorRow {
    /// What stands for `value` in the condition of the operator.
    private func operand(
        _ form: EditorOperator.Form, _ field: EditorField, _ fields: EditorFields
    ) throws(EditorProblem.Kind) -> ExpressionNode {
        if comparesFields {
            guard case .string(let path) = value else { throw .noValue }
            guard let other = fields[path], other.list == nil, form.operands == .one,
                other.kind == field.kind || other.kind.isNumber && field.kind.isNumber
            else { throw .otherField(path) }
            return ExpressionNode(.keyPath(path.keyPathKeys))
        }
        switch form.operands {
        case .none: return ExpressionNode(.value(.null))
        case .one: return ExpressionNode(.value(try field.typed(value)))
        case .list, .bounds:
            var values: [ExpressionNode] = []
            for value in try entered(isList: form.operands == .list) {
                values.append(ExpressionNode(.value(try field.typed(value))))
            }
            return ExpressionNode(.aggregate(values))
        case .period:
            if value.isNil { throw .noValue }
            guard let period, EditorPeriod.counts.contains(period.count) else { throw .notPeriod }
            let count = ExpressionNode(.value(.integer(Int64(period.count))))
            return ExpressionNode(.call(period.unit.rawValue + ":", [count]))
        }
    }

    /// The values of a list or the two bounds. A text is a list with commas, as react-querybuilder writes it; `\,` is a
    /// comma in a value.
    func entered(isList: Bool) throws(EditorProblem.Kind) -> [PredicateValue] {
        var values = [value]
        if case .array(let elements) = value { values = elements }
        if case .string(let text) = value {
            var parts: [String] = []
            for part in text.split(separator: ",", omittingEmptySubsequences: false) {
                if let last = parts.last, last.hasSuffix("\\") {
                    parts[parts.count - 1] = last.dropLast() + "," + part
                } else {
                    parts.append(String(part))
                }
            }
            values = parts.map { .string(String($0.trimmingSpaces)) }
        }
        let given = values.filter { !$0.isNil && $0 != "" }
        if given.isEmpty || values.count == 1 && !isList { throw .noValue }
        if isList { return given }
        if values.count != 2 { throw .notBounds }
        if given.count != 2 { throw .noValue }
        return values
    }
}

extension EditorField.Kind {
    var isNumber: Bool { self == .integer || self == .number || self == .decimal }
}

extension EditorField {
    /// The constant for an entered value.
    func typed(_ value: PredicateValue) throws(EditorProblem.Kind) -> PredicateValue {
        if value.isNil || value == "" { throw .noValue }
        guard let typed = constant(value) else { throw .notOfKind(kind, value.text) }
        return typed
    }

    private func constant(_ value: PredicateValue) -> PredicateValue? {
        switch (kind, value) {
        case (.text, .string), (.boolean, .bool): value
        case (.integer, .integer), (.number, .integer), (.decimal, .integer), (.number, .double), (.decimal, .double):
            value
        case (.text, .integer), (.text, .double), (.text, .bool): .string(value.description)
        case (.integer, .string(let text)): Int64(text.trimmingSpaces).map { .integer($0) }
        case (.number, .string(let text)):
            Int64(text.trimmingSpaces).map { .integer($0) }
                ?? Double(text.trimmingSpaces).flatMap { $0.isFinite ? .double($0) : nil }
        case (.decimal, .string(let text)): DecimalNumber(String(text.trimmingSpaces)).map { .decimal($0) }
        case (.boolean, .integer(let number)): number == 0 || number == 1 ? .bool(number == 1) : nil
        case (.boolean, .string(let text)): Self.answers[text.lowercased()].map { .bool($0) }
        case (.date, .string(let text)), (.dateTime, .string(let text)):
            // A text without a time zone is read in that of the run (LANGUAGE C 17 b).
            CalendarDate.read(iso8601: text).map { $0.hasZone ? .date($0.seconds) : value }
        case (.uuid, .string(let text)): UniversalID(text).map { .uuid($0) }
        case (.url, .string(let text)): .url(text)
        default: nil
        }
    }

    private static let answers = ["true": true, "yes": true, "1": true, "false": false, "no": false, "0": false]
}
