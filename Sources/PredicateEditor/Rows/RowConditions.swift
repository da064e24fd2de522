// Rows as predicates. RowReader.swift is the other direction: it tries rows, and compares their trees with the
// predicate.
import PredicateEvaluation
public import PredicateModel
package import PredicateSyntax

extension EditorGroup {
    /// The predicate of the filter.
    ///
    /// It is made without muted rows and groups, rows with a problem, and groups without other rows. So a filter that
    /// is being built does not hide everything; an empty one is TRUEPREDICATE. Nested groups stay nested.
    ///
    /// Dates are relative to the clock and the time zone of each run: keep the predicate as long as the filter.
    /// - Complexity: linear in the rows; some microseconds for each.
    public func predicate(_ fields: EditorFields) -> FormatPredicate {
        FormatPredicate(node(fields) ?? PredicateNode(.constant(true)), in: fields.environment)
    }

    /// The problems of the rows that are not muted, in their order.
    public func problems(_ fields: EditorFields) -> [EditorProblem] {
        if isMuted { return [] }
        return items.flatMap { item in
            switch item {
            case .row(let row): row.isMuted ? [] : [row.problem(fields)].compactMap { $0 }
            case .group(let group): group.problems(fields)
            }
        }
    }

    /// nil if nothing is left.
    private func node(_ fields: EditorFields) -> PredicateNode? {
        if isMuted { return nil }
        let parts = items.compactMap { item in
            switch item {
            case .row(let row): row.isMuted ? nil : try? row.condition(fields)
            case .group(let group): group.node(fields)
            }
        }
        guard let first = parts.first else { return nil }
        let isAnd = match == .all || match == .notAll
        let whole = parts.count == 1 ? first : PredicateNode(isAnd ? .and(parts) : .or(parts))
        return match == .none || match == .notAll ? PredicateNode(.not(whole)) : whole
    }
}

extension EditorRow {
    /// Why predicates are made without the row; nil if they are made with it.
    public func problem(_ fields: EditorFields) -> EditorProblem? {
        do throws(EditorProblem) {
            _ = try condition(fields)
            return nil
        } catch {
            return error
        }
    }

    /// The row's tree. It has no spans, because the row has no text.
    package func condition(_ fields: EditorFields) throws(EditorProblem) -> PredicateNode {
        let found = fields[field]
        do throws(EditorProblem.Reason) {
            return try `operator` == .predicate ? parsed(in: fields.environment) : condition(found, fields)
        } catch {
            throw EditorProblem(id: id, title: found?.title ?? field, kind: error.kind)
        }
    }

    private func parsed(in environment: PredicateEnvironment) throws(EditorProblem.Reason) -> PredicateNode {
        guard case .string(let text) = value, !text.isEmpty else { throw .init(.noValue) }
        do throws(PredicateFailure) {
            return try FormatPredicate(text: text, in: environment).root.movingSpans { _ in .none }
        } catch {
            throw .init(.invalidText(error.diagnostics.first { $0.severity == .error }?.message ?? ""))
        }
    }

    private func condition(
        _ field: EditorField?, _ fields: EditorFields
    ) throws(EditorProblem.Reason) -> PredicateNode {
        guard let field else { throw .init(.unknownField) }
        guard `operator`.form != nil else { throw .init(.unknownOperator) }
        guard field.fits(`operator`), field.list != nil || quantifier == nil else { throw .init(.operatorDoesNotFit) }
        let test = try RowTest(self, field, fields)
        let key = ExpressionNode(.keyPath(field.keyPath.keyPathKeys))
        guard let list = field.list else { return test.node(key) }
        return try test.node(key, quantifier ?? .any, of: list)
    }
}

extension EditorProblem {
    /// A kind of problem as an error.
    struct Reason: Error {
        let kind: Kind
        init(_ kind: Kind) { self.kind = kind }
    }
}

/// An operator with its values, for any key.
struct RowTest {
    let form: EditorOperator.Form
    let options: ComparisonOptions
    let right: ExpressionNode
    /// The tree of a template, with the key `date`.
    let template: PredicateNode?

    init(_ row: EditorRow, _ field: EditorField, _ fields: EditorFields) throws(EditorProblem.Reason) {
        guard let form = row.operator.form else { throw .init(.unknownOperator) }
        self.form = form
        options = row.operator.options
        var period: EditorPeriod?
        if form.operands == .period {
            if row.value.isNil { throw .init(.noValue) }
            period = row.period
            guard let period, EditorPeriod.counts.contains(period.count) else { throw .init(.notPeriod) }
        }
        right = try form.template == nil ? row.operand(form, field, fields) : ExpressionNode(.value(.null))
        template = try form.template.map { (text) throws(EditorProblem.Reason) in
            let step = period.map { "\($0.unit.rawValue)(\($0.count))" } ?? ""
            let text = text.split(separator: "#", omittingEmptySubsequences: false).joined(separator: step)
            let parsed = FormatPredicate.parse(text, in: fields.environment)
            if parsed.hasErrors { throw .init(.invalidText(parsed.diagnostics[0].message)) }
            return parsed.tree.movingSpans { _ in .none }
        }
    }

    /// The condition for the value of an expression.
    func node(_ left: ExpressionNode) -> PredicateNode {
        if let template {
            return PredicateRewriter<Never>(expression: { node in
                guard case .keyPath(let keys) = node.kind, keys.first == "date" else { return node }
                return keys.dropFirst().reduce(left) { $0.appending($1) }
            }).rewrite(template)
        }
        let comparison = PredicateNode(.comparison(ComparisonNode(left, form.comparison, right, options: options)))
        return form.isNegated ? PredicateNode(.not(comparison)) : comparison
    }

    /// The condition for the elements of a list: with ANY and ALL if it is one comparison, else with a SUBQUERY.
    func node(
        _ key: ExpressionNode, _ quantifier: EditorQuantifier, of list: String
    ) throws(EditorProblem.Reason) -> PredicateNode {
        if case .comparison(var comparison) = node(key).kind, quantifier.threshold == nil {
            comparison.modifier = quantifier == .all ? .all : .any
            let node = PredicateNode(.comparison(comparison))
            return quantifier == .none ? PredicateNode(.not(node)) : node
        }
        guard case .keyPath(let keys) = key.kind, quantifier.threshold ?? 0 >= 0 else {
            throw .init(.operatorDoesNotFit)
        }
        let listKeys = list.keyPathKeys
        var test = node(
            keys.dropFirst(listKeys.count).reduce(ExpressionNode(.variable(Self.variable))) { $0.appending($1) })
        if quantifier == .all { test = PredicateNode(.not(test)) }
        let found = ExpressionNode(
            .subquery(ExpressionNode(.keyPath(listKeys)), variable: Self.variable, test)
        ).appending(CollectionOperator.counter.name)
        let (op, count): (ComparisonOperator, Int) =
            switch quantifier {
            case .any, .none: (.greaterThan, 0)
            case .all: (.equal, 0)
            case .atLeast(let count): (.greaterThanOrEqual, count)
            case .atMost(let count): (.lessThanOrEqual, count)
            case .exactly(let count): (.equal, count)
            }
        let right = ExpressionNode(.value(.integer(Int64(count))))
        let node = PredicateNode(.comparison(ComparisonNode(found, op, right)))
        return quantifier == .none ? PredicateNode(.not(node)) : node
    }

    static let variable = "x"
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
    /// The right side of the comparison.
    fileprivate func operand(
        _ form: EditorOperator.Form, _ field: EditorField, _ fields: EditorFields
    ) throws(EditorProblem.Reason) -> ExpressionNode {
        if comparesFields {
            guard case .string(let path) = value else { throw .init(.noValue) }
            guard let other = fields[path], other.list == nil, form.operands == .one,
                other.kind == field.kind || other.kind.isNumber && field.kind.isNumber
            else { throw .init(.otherField(path)) }
            return ExpressionNode(.keyPath(path.keyPathKeys))
        }
        switch form.operands {
        case .none, .period: return ExpressionNode(.value(.null))
        case .one: return ExpressionNode(.value(try field.typed(value)))
        case .list, .bounds:
            let entered = try entered(isList: form.operands == .list)
            var values: [ExpressionNode] = []
            for value in entered { values.append(ExpressionNode(.value(try field.typed(value)))) }
            return ExpressionNode(.aggregate(values))
        }
    }

    /// The values of a list or the two bounds. A text is a list with commas, as react-querybuilder writes it; `\,` is a
    /// comma in a value.
    func entered(isList: Bool) throws(EditorProblem.Reason) -> [PredicateValue] {
        var values: [PredicateValue]
        switch value {
        case .array(let elements): values = elements
        case .string(let text):
            var parts = [""]
            var isEscaped = false
            for character in text {
                if character == ",", !isEscaped { parts.append("") } else { parts[parts.count - 1].append(character) }
                isEscaped = character == "\\"
            }
            values = parts.map { part in
                let trimmed = part.split(separator: "\\,", omittingEmptySubsequences: false).joined(separator: ",")
                return .string(String(trimmed.trimmingSpaces))
            }
        default: values = [value]
        }
        let given = values.filter { !$0.isNil && $0 != "" }
        if given.isEmpty { throw .init(.noValue) }
        if isList { return given }
        if values.count != 2 { throw .init(values.count == 1 ? .noValue : .notBounds) }
        if given.count != 2 { throw .init(.noValue) }
        return values
    }
}

extension EditorField.Kind {
    var isNumber: Bool { self == .integer || self == .number || self == .decimal }
}

extension EditorField {
    /// The constant for an entered value.
    func typed(_ value: PredicateValue) throws(EditorProblem.Reason) -> PredicateValue {
        if value.isNil || value == "" { throw .init(.noValue) }
        guard let typed = constant(value) else {
            throw .init(.notOfKind(kind, value.stringValue ?? value.description))
        }
        return typed
    }

    private func constant(_ value: PredicateValue) -> PredicateValue? {
        switch (kind, value) {
        case (.text, .string): value
        case (.text, .integer), (.text, .double), (.text, .bool): .string(value.description)
        case (.integer, .integer), (.number, .integer), (.decimal, .integer), (.number, .double), (.decimal, .double):
            value
        case (.integer, .string(let text)): Int64(text.trimmingSpaces).map { .integer($0) }
        case (.number, .string(let text)):
            Int64(text.trimmingSpaces).map { .integer($0) }
                ?? Double(text.trimmingSpaces).flatMap { $0.isFinite ? .double($0) : nil }
        case (.decimal, .string(let text)): DecimalNumber(String(text.trimmingSpaces)).map { .decimal($0) }
        case (.boolean, .bool): value
        case (.boolean, .integer(let number)): number == 0 || number == 1 ? .bool(number == 1) : nil
        case (.boolean, .string(let text)): Self.answers[text.lowercased()].map { .bool($0) }
        case (.date, .string(let text)), (.dateTime, .string(let text)):
            // A day is read in the time zone of the run (LANGUAGE C 17 b).
            CalendarDate.seconds(iso8601: text).map { text.utf8.count == 10 ? value : .date($0) }
        case (.uuid, .string(let text)): UniversalID(text).map { .uuid($0) }
        case (.url, .string(let text)): .url(text)
        default: nil
        }
    }

    private static let answers = ["true": true, "yes": true, "1": true, "false": false, "no": false, "0": false]
}
