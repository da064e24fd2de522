// The reasons why the evaluation of a term may throw. A term cannot throw if an earlier term has already passed all of
// its risks.

/// A property of an object for which evaluation throws.
package enum Risk: Hashable, Sendable {
    /// Reading the expression throws.
    case read(ExpressionNode)
    /// The value of the expression is not nil and cannot be ordered against constants of a type.
    case order(ExpressionNode, ConstantKind)
    /// The value is not nil and not a text.
    case text(ExpressionNode)
    /// The value is not nil, not a text and not a collection.
    case container(ExpressionNode)
    /// Any other reason for which this comparison throws.
    case whole(PredicateNode)
}

/// Finds the risks of terms, with or without a schema.
package struct TermRisks: Sendable {
    /// The type checker; nil without a schema.
    package let checker: TypeChecker?
    package let functions: FunctionCatalog
    /// Whether all variables belong to SUBQUERYs, so that reading them cannot throw.
    let bindsVariables: Bool
    /// Whether constant texts may still be read as dates or other types, because they are typed texts.
    package let leavesTexts: Bool

    package init(
        checker: TypeChecker?, functions: FunctionCatalog, bindsVariables: Bool, leavesTexts: Bool = false
    ) {
        (self.checker, self.functions, self.bindsVariables) = (checker, functions, bindsVariables)
        self.leavesTexts = leavesTexts
    }

    /// Whether a constant text of the condition may still be read as another type.
    package func isOpen(_ condition: KeyCondition) -> Bool {
        leavesTexts && type(of: condition.key).kind != .string
            && condition.constants.contains { if case .string = $0 { true } else { false } }
    }

    /// All risks of a term and of its children.
    package func risks(of term: PredicateNode) -> [Risk] {
        if case .comparison(let comparison) = term.kind { return risks(of: comparison, term) }
        var found: [Risk] = []
        var open = [term]
        while let node = open.popLast() {
            switch node.kind {
            case .constant, .error: break
            case .comparison(let comparison): found += risks(of: comparison, node)
            case .and(let children), .or(let children): open += children
            case .not(let child): open.append(child)
            }
        }
        return found
    }

    /// The risks that a term has passed once it was evaluated: those of the comparison that is always evaluated first.
    package func passed(after term: PredicateNode) -> [Risk] {
        var node = term
        while true {
            switch node.kind {
            case .constant, .error: return []
            case .comparison(let comparison): return risks(of: comparison, node)
            case .not(let child): node = child
            case .and(let children), .or(let children):
                guard let first = children.first else { return [] }
                node = first
            }
        }
    }

    /// Whether reading an expression may throw.
    package func mayRaise(reading node: ExpressionNode) -> Bool { !reads(node).isEmpty }

    private func reads(_ node: ExpressionNode) -> [Risk] {
        switch node.kind {
        case .value, .selfObject: return []
        case .variable where bindsVariables: return []
        case .keyPath(let keys) where keys.count == 1 && !keys[0].hasPrefix("@"): return []
        case .keyPath where type(of: node).kind != .any: return []
        case .aggregate(let elements): return elements.flatMap { reads($0) }
        case .call(let name, _) where functions.function(named: name)?.asksClock ?? false: return []
        default: return [.read(node)]
        }
    }

    /// The type of a key path or a constant according to the schema; `any` if it is unknown.
    package func type(of node: ExpressionNode) -> ExpressionType {
        switch node.kind {
        case .value(let value): return ExpressionType(of: value)
        case .call(let name, _) where functions.function(named: name)?.asksClock ?? false: return ExpressionType(.date)
        case .keyPath:
            guard let checker else { return .any }
            let (type, diagnostics) = checker.check(node)
            return diagnostics.contains { $0.severity == .error } ? .any : type
        default: return .any
        }
    }

    private func risks(of comparison: ComparisonNode, _ node: PredicateNode) -> [Risk] {
        var found = reads(comparison.left) + reads(comparison.right)
        if let risk = operatorRisk(comparison, node) { found.append(risk) }
        return found
    }

    private func operatorRisk(_ comparison: ComparisonNode, _ node: PredicateNode) -> Risk? {
        let (left, right) = (type(of: comparison.left), type(of: comparison.right))
        guard comparison.modifier == .direct else {
            guard let element = left.element, left.kind != .any else { return .whole(node) }
            return typesFit(comparison, element, right) ? nil : .whole(node)
        }
        if typesFit(comparison, left, right) { return nil }
        switch comparison.operator {
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
            if let kind = kind(of: comparison.right) { return kind == .null ? nil : .order(comparison.left, kind) }
            if let kind = kind(of: comparison.left) { return kind == .null ? nil : .order(comparison.right, kind) }
        case .between:
            if case .range(let low, let high)? = KeyCondition(comparison)?.test, let kind = ConstantKind(low),
                kind == ConstantKind(high)
            {
                return .order(comparison.left, kind == .double ? .integer : kind)
            }
        case .beginsWith, .endsWith, .like:
            if case .value(.string) = comparison.right.kind { return .text(comparison.left) }
        case .contains:
            if case .value(.string) = comparison.right.kind { return .container(comparison.left) }
        default: break
        }
        return .whole(node)
    }

    /// The type of a constant for ordering; integers and doubles count as the same type.
    private func kind(of node: ExpressionNode) -> ConstantKind? {
        guard case .value(let value) = node.kind else { return nil }
        if value.isNumber { return .integer }
        return ConstantKind(value)
    }

    /// Whether an operator never throws for operands of these types.
    private func typesFit(_ comparison: ComparisonNode, _ left: ExpressionType, _ right: ExpressionType) -> Bool {
        let node = comparison.right
        switch comparison.operator {
        case .equal, .notEqual: return true
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual: return haveOrder(left, right)
        case .beginsWith, .endsWith: return left.kind == .string && right.kind == .string
        case .like:
            guard case .value(.string) = node.kind else { return false }
            return left.kind == .string
        case .in: return isList(node) || right.element != nil || left.kind == .string && right.kind == .string
        case .contains: return left.element != nil || left.kind == .string && right.kind == .string
        case .between:
            guard case .range(let low, _)? = KeyCondition(comparison)?.test else { return false }
            return haveOrder(left, ExpressionType(of: low))
        // MATCHES may run out of its budget, and an operator of the app may throw.
        default: return false
        }
    }

    private func haveOrder(_ left: ExpressionType, _ right: ExpressionType) -> Bool {
        if left.isNumber { return right.isNumber }
        switch left.kind {
        case .string, .date, .uuid: return left.kind == right.kind
        default: return false
        }
    }

    private func isList(_ node: ExpressionNode) -> Bool {
        switch node.kind {
        case .aggregate, .value(.array), .value(.set), .value(.dictionary): true
        default: false
        }
    }
}
