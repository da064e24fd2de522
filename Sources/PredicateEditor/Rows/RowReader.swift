// Predicates as rows. A row that is found is one only if its tree is the predicate's, so that nothing changes its
// meaning on the way through an editor. RowConditions.swift makes the trees.
import PredicateEvaluation
public import PredicateModel
import PredicateSyntax

extension EditorGroup {
    /// Reads a predicate as a filter. Each part that no row can show is a row with the operator `predicate` and the
    /// text of the part.
    ///
    ///     let saved = try FormatPredicate("title CONTAINS[cd] 'swift' AND price * 2 < 5")
    ///     EditorGroup(saved, fields: fields).items.count    // 2: a row for the title, and a row with "price * 2 < 5"
    ///
    /// The predicate of the filter selects the same objects. For a filter that was made from rows, the result is equal
    /// to it, apart from what predicates do not have: muted and incomplete rows, groups of one row, and values that
    /// were entered as texts of numbers. A part `a >= 1 AND a <= 2` stays two rows.
    /// - Complexity: linear in the predicate.
    public init(_ predicate: FormatPredicate, fields: EditorFields) {
        let reader = RowReader(fields: fields)
        switch predicate.root.kind {
        case .constant(true): self.init()
        default:
            switch reader.item(predicate.root, depth: 1) {
            case .group(let group): self = group
            case .row(let row): self.init(.all, [.row(row)])
            }
        }
    }
}

struct RowReader {
    let fields: EditorFields

    func item(_ node: PredicateNode, depth: Int) -> EditorItem {
        if let row = row(node) { return .row(row) }
        if case .not(let child) = node.kind, let row = row(child) { return .group(EditorGroup(.none, [.row(row)])) }
        if depth < EditorGroup.depthLimit, let (match, children) = node.group {
            return .group(EditorGroup(match, children.map { item($0, depth: depth + 1) }))
        }
        return .row(EditorRow("", .predicate, .string(node.exactDescription)))
    }

    /// nil if no row has this tree.
    private func row(_ node: PredicateNode) -> EditorRow? {
        if let (test, isNegated) = node.comparison {
            if let row = row(counting: test, isNegated, node) { return row }
            if let row = row(comparing: test, isNegated) { return row }
        }
        return relative(node, isMember: false)
    }

    /// A row whose condition is `NOT` (if negated) `key operator value`.
    private func row(comparing comparison: ComparisonNode, _ isNegated: Bool) -> EditorRow? {
        var (comparison, isNegated) = (comparison.keyFirst, isNegated)
        guard case .keyPath(let keys) = comparison.left.kind, let field = fields[keys.joined(separator: ".")] else {
            return nil
        }
        if field.list == field.keyPath, comparison.operator == .contains, comparison.modifier == .direct {
            // The elements of a list that are equal to a value.
            (comparison.operator, comparison.modifier, comparison.options) = (.equal, .any, [])
        }
        var quantifier: EditorQuantifier?
        switch comparison.modifier {
        case .direct: if field.list != nil { return nil }
        case .all: quantifier = .all
        case .any: quantifier = isNegated ? EditorQuantifier.none : .any
        }
        guard field.list != nil || quantifier == nil else { return nil }
        if quantifier == nil, isNegated, comparison.operator == .equal || comparison.operator == .notEqual {
            comparison.operator = comparison.operator == .equal ? .notEqual : .equal
            isNegated = false
        }
        // NOT of ANY is in the quantifier.
        let isOfOperator = isNegated && comparison.modifier != .any
        for form in EditorOperator.forms where form.comparison == comparison.operator && form.isNegated == isOfOperator
        {
            guard form.template == nil, var row = row(form, field, comparison) else { continue }
            row.quantifier = quantifier
            let expected =
                isNegated ? PredicateNode(.not(.init(.comparison(comparison)))) : .init(.comparison(comparison))
            if let built = try? row.condition(fields), built.isSame(expected, field) { return row }
        }
        return nil
    }

    private func row(_ form: EditorOperator.Form, _ field: EditorField, _ comparison: ComparisonNode) -> EditorRow? {
        let name = form.base.ignoring(comparison.options)
        if case .keyPath(let other) = comparison.right.kind {
            return form.operands == .one
                ? EditorRow(field.keyPath, name, .string(other.joined(separator: ".")), comparesFields: true) : nil
        }
        guard let constant = comparison.right.constant, constant.isNil == (form.operands == .none) else { return nil }
        return EditorRow(field.keyPath, name, constant)
    }

    /// A row with a date relative to the clock. The key is that of a field, or for an element of a list the variable.
    private func relative(_ node: PredicateNode, isMember: Bool) -> EditorRow? {
        guard let (keys, period) = node.relativeDate else { return nil }
        // A template also has parts of the date, `added.year`.
        for path in [keys, Array(keys.dropLast())] {
            guard let field = fields[path.joined(separator: ".")], field.list == nil || isMember else { continue }
            for form in EditorOperator.forms where form.template != nil && field.fits(form.base) {
                let value = form.operands == .period ? period?.value ?? .null : .null
                let row = EditorRow(field.keyPath, form.base, value)
                if let test = try? RowTest(row, field, fields), test.node(ExpressionNode(.keyPath(path))) == node {
                    return row
                }
            }
        }
        return nil
    }

    /// A row on a list whose condition is a SUBQUERY, or NONE and ANY over what is no comparison with a constant.
    private func row(counting comparison: ComparisonNode, _ isNegated: Bool, _ node: PredicateNode) -> EditorRow? {
        guard case .member(let base, let step) = comparison.left.kind,
            step.kind == .keyPath([CollectionOperator.counter.name]),
            case .subquery(let list, let variable, let inner) = base.kind, case .keyPath(let listKeys) = list.kind,
            case .value(.integer(let number)) = comparison.right.kind, let count = Int(exactly: number)
        else { return nil }
        // With whole key paths in place of the variable, the test is like that of a row without a quantifier.
        let asKeys = PredicateRewriter<Never>(expression: { node in
            switch node.kind {
            case .variable(variable): return ExpressionNode(.keyPath(listKeys))
            case .member(let base, let step):
                guard case .keyPath(listKeys) = base.kind, case .keyPath(let keys) = step.kind else { return node }
                return ExpressionNode(.keyPath(listKeys + keys))
            default: return node
            }
        }).rewrite(inner)
        let quantifiers: [EditorQuantifier] =
            switch comparison.operator {
            case .greaterThan where count == 0: [isNegated ? .none : .any]
            case .equal: count == 0 ? [.all, .exactly(0)] : [.exactly(count)]
            case .greaterThanOrEqual: [.atLeast(count)]
            case .lessThanOrEqual: [.atMost(count)]
            default: []
            }
        guard isNegated == (quantifiers == [.none]) else { return nil }
        for quantifier in quantifiers {
            var test = asKeys
            if quantifier == .all { if case .not(let child) = asKeys.kind { test = child } else { continue } }
            guard var row = element(test) else { continue }
            row.quantifier = quantifier
            if let built = try? row.condition(fields), built.isSame(node, variable) { return row }
        }
        return nil
    }

    /// A row for the test of one element. Its quantifier is still missing.
    private func element(_ node: PredicateNode) -> EditorRow? {
        guard let (comparison, isNegated) = node.comparison, case .keyPath(let keys) = comparison.left.kind,
            let field = fields[keys.joined(separator: ".")], comparison.modifier == .direct
        else { return relative(node, isMember: true) }
        for form in EditorOperator.forms where form.comparison == comparison.operator && form.isNegated == isNegated {
            guard form.template == nil, let row = row(form, field, comparison) else { continue }
            if let test = try? RowTest(row, field, fields), test.node(comparison.left).isSame(node, field) {
                return row
            }
        }
        return relative(node, isMember: true)
    }
}

extension PredicateNode {
    /// The group that the node is; nil for comparisons and constants.
    fileprivate var group: (EditorGroup.Match, [PredicateNode])? {
        switch kind {
        case .and(let children) where !children.isEmpty: (.all, children)
        case .or(let children) where !children.isEmpty: (.any, children)
        case .not(let child):
            switch child.kind {
            case .and(let children) where !children.isEmpty: (.notAll, children)
            case .or(let children) where !children.isEmpty: (.none, children)
            case .not: (.none, [child])
            default: nil
            }
        default: nil
        }
    }

    /// The comparison under any number of NOTs, and whether it is negated.
    fileprivate var comparison: (ComparisonNode, Bool)? {
        switch kind {
        case .comparison(let comparison): (comparison, false)
        case .not(let child): child.comparison.map { ($0, !$1) }
        default: nil
        }
    }

    /// The first key path in a tree that calls a function, and its first step.
    fileprivate var relativeDate: (keys: [String], period: EditorPeriod?)? {
        var (keys, period): ([String]?, EditorPeriod?)
        var calls = false
        PredicateWalker(expression: { node in
            switch node.kind {
            case .keyPath(let path) where keys == nil: keys = path
            case .call(let name, let arguments):
                calls = true
                guard period == nil, let first = arguments.first, case .value(.integer(let count)) = first.kind,
                    let unit = EditorPeriod.Unit(rawValue: name.filter { $0 != ":" })
                else { return }
                period = EditorPeriod(Int(clamping: count), unit)
            default: break
            }
        }).walk(self)
        guard calls, let keys else { return nil }
        return (keys, period)
    }

    /// Whether a row's tree is the same: constants may be written in another way that equals the same values.
    fileprivate func isSame(_ other: PredicateNode, _ field: EditorField) -> Bool {
        if self == other { return true }
        guard let (one, isNegated) = comparison, let (two, isOtherNegated) = other.comparison,
            isNegated == isOtherNegated,
            let value = one.right.constant, let otherValue = two.right.constant, one.left == two.left,
            one.operator == two.operator, one.modifier == two.modifier, one.options == two.options
        else { return false }
        return value.inOneForm(field) == otherValue.inOneForm(field)
    }

    /// The same for the variable of a SUBQUERY, whose name has no meaning.
    fileprivate func isSame(_ other: PredicateNode, _ variable: String) -> Bool {
        let renamed = PredicateRewriter<Never>(expression: { node in
            switch node.kind {
            case .variable(variable): ExpressionNode(.variable(RowTest.variable))
            case .subquery(let list, variable, let inner):
                ExpressionNode(.subquery(list, variable: RowTest.variable, inner))
            default: node
            }
        }).rewrite(other)
        return self == renamed
    }
}

extension PredicateValue {
    /// The value in one form of those that compare alike with values of the field.
    fileprivate func inOneForm(_ field: EditorField) -> PredicateValue {
        switch self {
        case .array(let values), .set(let values): return .array(values.map { $0.inOneForm(field) })
        case .double, .float:
            // A decimal is compared with 2 and with 2.0 in different ways.
            return field.kind == .decimal ? self : EditorRow.plain(self)
        default: return self
        }
    }
}

extension ComparisonNode {
    /// With the key at the left, and a list of constants as one constant list.
    fileprivate var keyFirst: ComparisonNode {
        guard let (key, op, constant) = keyed() else { return self }
        return ComparisonNode(key, op, ExpressionNode(.value(constant)), modifier: modifier, options: options)
    }
}
