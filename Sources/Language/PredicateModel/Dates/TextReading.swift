// The extension `typed-texts` (LANGUAGE C 17 b): how a constant text is read as a date, a UUID, a URL or a number, and
// the comparison that it becomes. TypeInference+TypedTexts.swift finds the texts.

/// A text that was read.
enum TextReading {
    case value(PredicateValue)
    /// A date without a time: the first instant of the day, and of the next one.
    case day(Double, Double)

    /// The instant at which it begins.
    var lower: PredicateValue {
        switch self {
        case .value(let value): value
        case .day(let start, _): .date(start)
        }
    }

    /// - Returns: nil for a text that is not one of the forms, or for a type that no text is read as.
    init?(_ text: String, as kind: ExpressionType.Kind, in zone: PredicateTimeZone) {
        switch kind {
        case .date:
            guard let date = CalendarDate.read(iso8601: text) else { return nil }
            if date.hasZone {
                self = .value(.date(date.seconds))
            } else if date.hasTime {
                self = .value(.date(zone.instant(local: date.seconds)))
            } else {
                self = .day(zone.instant(local: date.seconds), zone.instant(local: date.seconds + 86_400))
            }
        case .uuid:
            guard text.utf8.count == 36, let id = UniversalID(text) else { return nil }
            self = .value(.uuid(id))
        case .url: self = .value(.url(text))
        default:
            guard case .value(let number) = FormatParser.expression(text).valid?.kind, number.isNumber,
                !number.isBool
            else { return nil }
            self = .value(kind == .decimal ? DecimalNumber(text).map(PredicateValue.decimal) ?? number : number)
        }
    }
}

extension FormatParser.Parsed<ExpressionNode> {
    fileprivate var valid: ExpressionNode? { hasErrors ? nil : tree }
}

extension PredicateValue {
    package var isBool: Bool { if case .bool = self { true } else { false } }
}

/// The readings of the texts on one side of a comparison.
struct TypedTerm {
    /// Whether the text is on the left.
    var isLeft = false
    /// The reading of the whole side, or of each element of its list; nil for an element that stays.
    var texts: [TextReading?]
    /// The elements of a list in the order of `texts`, if the list is a constant.
    var constants: [PredicateValue]?
    var isList = false

    /// The comparison, or what it becomes if its text is a day.
    func rewritten(_ node: PredicateNode) -> PredicateNode {
        guard case .comparison(let comparison) = node.kind else { return node }
        let (left, right) = (comparison.left, comparison.right)
        let term = Rewriting(
            comparison: comparison, key: isLeft ? right : left, text: isLeft ? left : right, span: node.span)
        guard isList else { return texts[0].map { term.single($0, isLeft: isLeft) } ?? node }
        return comparison.operator == .between
            ? term.range(elements(of: term.text)) : term.members(elements(of: term.text))
    }

    private func elements(of list: ExpressionNode) -> [(node: ExpressionNode, reading: TextReading?)] {
        var nodes = (constants ?? []).map { ExpressionNode(.value($0), span: list.span) }
        if case .aggregate(let elements) = list.kind { nodes = elements }
        return zip(nodes, texts).map { ($0, $1) }
    }
}

private struct Rewriting {
    let comparison: ComparisonNode
    /// The side that is compared with the text.
    let key: ExpressionNode
    let text: ExpressionNode
    let span: SourceSpan

    private func value(_ value: PredicateValue, _ place: ExpressionNode? = nil) -> ExpressionNode {
        ExpressionNode(.value(value), span: (place ?? text).span)
    }

    private func compare(
        _ operator: ComparisonOperator, _ right: ExpressionNode, _ modifier: ComparisonModifier? = nil
    ) -> PredicateNode {
        let compared = ComparisonNode(
            key, `operator`, right, modifier: modifier ?? comparison.modifier, operatorSpan: comparison.operatorSpan)
        return PredicateNode(.comparison(compared), span: span)
    }

    /// Whether the key can be written twice: it is not computed.
    private var isPlain: Bool {
        guard comparison.modifier == .direct else { return false }
        return switch key.kind {
        case .keyPath, .selfObject, .variable: true
        default: false
        }
    }

    /// The key is in a range without its upper bound.
    private func between(
        _ lower: ExpressionNode, _ end: Double, _ modifier: ComparisonModifier? = nil, at place: ExpressionNode? = nil
    ) -> PredicateNode {
        guard isPlain else {
            return compare(.between, ExpressionNode(.aggregate([lower, value(.date(end.nextDown), place)])), modifier)
        }
        return PredicateNode(
            .and([compare(.greaterThanOrEqual, lower), compare(.lessThan, value(.date(end), place))]), span: span)
    }

    func single(_ reading: TextReading, isLeft: Bool) -> PredicateNode {
        guard case .day(let start, let end) = reading else {
            var compared = comparison
            if isLeft { compared.left = value(reading.lower) } else { compared.right = value(reading.lower) }
            return PredicateNode(.comparison(compared), span: span)
        }
        let mirrored = isLeft ? comparison.operator.mirrored(.date(start)) : nil
        let op = mirrored ?? comparison.operator
        switch op {
        case .lessThan: return compare(op, value(.date(start)))
        case .lessThanOrEqual: return compare(.lessThan, value(.date(end)))
        case .greaterThan: return compare(.greaterThanOrEqual, value(.date(end)))
        case .greaterThanOrEqual: return compare(op, value(.date(start)))
        case .notEqual:
            // Some element is outside of the day if not all are inside, and the reverse.
            let opposite: ComparisonModifier =
                switch comparison.modifier {
                case .direct: .direct
                case .any: .all
                case .all: .any
                }
            return PredicateNode(.not(between(value(.date(start)), end, opposite)), span: span)
        default: return between(value(.date(start)), end)
        }
    }

    func range(_ bounds: [(node: ExpressionNode, reading: TextReading?)]) -> PredicateNode {
        guard bounds.count == 2 else { return PredicateNode(.comparison(comparison), span: span) }
        let lower = bounds[0].reading.map { value($0.lower, bounds[0].node) } ?? bounds[0].node
        if case .day(_, let end) = bounds[1].reading { return between(lower, end, at: bounds[1].node) }
        let upper = bounds[1].reading.map { value($0.lower, bounds[1].node) } ?? bounds[1].node
        return compare(.between, ExpressionNode(.aggregate([lower, upper]), span: text.span))
    }

    func members(_ elements: [(node: ExpressionNode, reading: TextReading?)]) -> PredicateNode {
        var list: [ExpressionNode] = []
        var days: [PredicateNode] = []
        for (node, reading) in elements {
            if case .day(let start, let end) = reading {
                days.append(between(value(.date(start), node), end, at: node))
            } else {
                list.append(reading.map { value($0.lower, node) } ?? node)
            }
        }
        let rest = compare(.in, ExpressionNode(.aggregate(list), span: text.span))
        if days.isEmpty { return rest }
        let parts = list.isEmpty ? days : [rest] + days
        if parts.count == 1 { return parts[0] }
        return comparison.modifier == .all ? each(elements) : PredicateNode(.or(parts), span: span)
    }

    /// Whether each element of the key is in the list, as no element is in none of its days and not among the rest.
    private func each(_ elements: [(node: ExpressionNode, reading: TextReading?)]) -> PredicateNode {
        // No variable of a predicate has such a name.
        let name = "element of ALL"
        let element = ExpressionNode(.variable(name), span: key.span)
        let test = ComparisonNode(element, .in, text)
        let member = Rewriting(comparison: test, key: element, text: text, span: span).members(elements)
        let others = ExpressionNode(
            .subquery(key, variable: name, PredicateNode(.not(member), span: span)), span: key.span)
        let step = ExpressionNode(.keyPath([CollectionOperator.counter.name]), span: key.span)
        let count = ExpressionNode(.member(others, step: step), span: key.span)
        let some = ComparisonNode(count, .greaterThan, value(.integer(0)))
        return PredicateNode(.not(PredicateNode(.comparison(some), span: span)), span: span)
    }
}
