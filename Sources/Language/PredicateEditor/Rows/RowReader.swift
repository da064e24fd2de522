// Predicates as rows. A row that is found is one only if its tree is the predicate's, so that nothing changes its
// meaning on the way through an editor. RowConditions.swift makes the trees.

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
        self.init()
        if predicate.root.kind == .constant(true) { return }
        switch EditorRowReader(fields: fields).item(predicate.root, depth: 1) {
        case .group(let group): self = group
        case .row(let row): append(row)
        }
    }
}

private struct EditorRowReader {
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
        guard var (comparison, isNegated) = node.comparison else { return row(node, node, [nil]) }
        if let (test, name, count) = comparison.countedTest {
            // ALL is NOT of none.
            if case .not(let child) = test.kind, let row = row(child, node, [.all], variable: name) { return row }
            return row(test, node, EditorQuantifier.cases(count), variable: name)
        }
        comparison = comparison.keyFirst
        if comparison.modifier == .direct, comparison.operator == .contains,
            case .keyPath(let keys) = comparison.left.kind, case let path = keys.joined(separator: "."),
            fields[path]?.list == path
        {
            // The elements of a list that are equal to a value.
            (comparison.operator, comparison.modifier, comparison.options) = (.equal, .any, [])
        }
        let opposites: [ComparisonOperator: ComparisonOperator] = [.equal: .notEqual, .notEqual: .equal]
        if comparison.modifier == .direct, isNegated, let opposite = opposites[comparison.operator] {
            (comparison.operator, isNegated) = (opposite, false)
        }
        let whole = PredicateNode(.comparison(comparison)).negated(isNegated)
        if comparison.modifier == .direct { return row(whole, whole, [nil]) }
        comparison.modifier = .direct
        return row(PredicateNode(.comparison(comparison)), whole, [.any, .all, EditorQuantifier.none])
    }

    /// A row whose condition for one element is the test, and whose whole condition is the node.
    private func row(
        _ test: PredicateNode, _ node: PredicateNode, _ quantifiers: [EditorQuantifier?], variable: String = "x"
    ) -> EditorRow? {
        let (keys, period) = test.keysAndPeriod
        // A condition may also test parts of a date, `added.year`.
        for path in [keys, keys.dropLast()] {
            guard let field = fields[path.joined(separator: ".")] else { continue }
            let node = node.canonical(field)
            for form in EditorOperator.forms where form.isLike(test) && form.kinds.contains(field.kind) {
                guard var row = row(form, field, test.comparison?.node, period) else { continue }
                for quantifier in quantifiers {
                    row.quantifier = quantifier
                    let built = try? row.condition(fields, variable: variable)
                    if built?.canonical(field) == node { return row }
                }
            }
        }
        return nil
    }

    /// nil if the condition has no value for the operator.
    private func row(
        _ form: EditorOperator.Form, _ field: EditorField, _ comparison: ComparisonNode?, _ period: EditorPeriod?
    ) -> EditorRow? {
        let name = form.base.ignoring(comparison?.options ?? [])
        if form.operands == .one, case .keyPath(let other)? = comparison?.right.kind {
            return EditorRow(field.keyPath, name, .string(other.joined(separator: ".")), comparesFields: true)
        }
        let value: PredicateValue? =
            switch form.operands {
            case .none: .null
            case .period: period?.value
            case .one, .list, .bounds: comparison?.right.constant
            }
        return value.map { EditorRow(field.keyPath, name, $0) }
    }
}

extension EditorOperator.Form {
    /// Whether its condition may be a node.
    fileprivate func isLike(_ node: PredicateNode) -> Bool {
        let (one, two) = (template.comparison, node.comparison)
        return one?.node.operator == two?.node.operator && one?.isNegated == two?.isNegated
    }
}

extension PredicateNode {
    /// The group that the node is; nil for comparisons and constants.
    fileprivate var group: (EditorGroup.Match, [PredicateNode])? {
        var (node, isNegated) = (self, false)
        if case .not(let child) = kind { (node, isNegated) = (child, true) }
        switch node.kind {
        case .and(let children) where !children.isEmpty: return (.init(isAnd: true, isNegated: isNegated), children)
        case .or(let children) where !children.isEmpty: return (.init(isAnd: false, isNegated: isNegated), children)
        case .not where isNegated: return (.none, [node])
        default: return nil
        }
    }

    /// The comparison under any number of NOTs, and whether it is negated.
    var comparison: (node: ComparisonNode, isNegated: Bool)? {
        switch kind {
        case .comparison(let comparison): (comparison, false)
        case .not(let child): child.comparison.map { ($0.node, !$0.isNegated) }
        default: nil
        }
    }

    /// The first key path, and the first step of a date.
    fileprivate var keysAndPeriod: (keys: ArraySlice<String>, period: EditorPeriod?) {
        var (found, period): ([String]?, EditorPeriod?)
        PredicateWalker(expression: { node in
            switch node.kind {
            case .keyPath(let keys): found = found ?? keys
            case .call(let name, let arguments):
                guard period == nil, case .value(.integer(let count))? = arguments.first?.kind,
                    let unit = EditorPeriod.Unit(rawValue: String(name.dropLast()))
                else { return }
                period = EditorPeriod(Int(clamping: count), unit)
            default: break
            }
        }).walk(self)
        return (found?[...] ?? [], period)
    }

    /// The tree with each constant in one form of those that are compared alike with values of the field.
    fileprivate func canonical(_ field: EditorField) -> PredicateNode {
        let rewriter = PredicateRewriter<Never>(predicate: { node in
            guard case .comparison(var comparison) = node.kind, let value = comparison.right.constant else {
                return node
            }
            comparison.right = ExpressionNode(.value(value.canonical(field)))
            return PredicateNode(.comparison(comparison))
        })
        return rewriter.rewrite(self)
    }
}

extension PredicateValue {
    fileprivate func canonical(_ field: EditorField) -> PredicateValue {
        switch self {
        case .array(let values), .set(let values): return .array(values.map { $0.canonical(field) })
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

    /// For a comparison of `SUBQUERY(…).@count` with a number: the test with whole key paths in place of the variable,
    /// the variable, and the number.
    fileprivate var countedTest: (test: PredicateNode, variable: String, count: Int)? {
        guard case .member(let base, let step) = left.kind, step.kind == .keyPath([CollectionOperator.counter.name]),
            case .subquery(let list, let variable, let test) = base.kind, case .keyPath(let keys) = list.kind,
            case .value(.integer(let number)) = right.kind, let count = Int(exactly: number)
        else { return nil }
        let rewriter = PredicateRewriter<Never>(expression: { node in
            switch node.kind {
            case .variable(variable): return list
            case .member(let base, let step):
                guard case .keyPath(keys) = base.kind, case .keyPath(let rest) = step.kind else { return node }
                return ExpressionNode(.keyPath(keys + rest))
            default: return node
            }
        })
        return (rewriter.rewrite(test), variable, count)
    }
}
