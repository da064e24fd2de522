// Infers the types of the extension `dates` (LANGUAGE C 17 a), and names the extension where a predicate needs it.

extension TypeInference {
    var hasDates: Bool { checker.environment.language.contains(.dates) }

    /// Infers a step such as `days(7)`, which is valid only beside `+` or `-`.
    func step(_ node: ExpressionNode) -> TypedNode {
        guard case .call(_, let arguments) = node.kind else { return TypedNode(node, .any) }
        let count = infer(arguments[0])
        let isKnown = count.constant?.exactInteger != nil || count.constant == nil && count.isGivenLater
        if !isKnown, !(count.constant?.isNil ?? false) {
            refuse(.operandType, at: count.span, stepName(node), "this: it takes a constant integer")
        }
        let step = TypedNode(node, .any)
        step.role = .step
        return step
    }

    /// Whether the node is a step of the calendar.
    func isStep(_ node: ExpressionNode) -> Bool {
        if hasDates, case .step = function(of: node)?.intrinsic { true } else { false }
    }

    /// Reports a step that is not beside `+` or `-` of a date.
    func refuse(step node: ExpressionNode) -> TypedNode {
        let name = stepName(node)
        refuse(.operandType, at: node.span, "a step", "this place", "write date + \(name)(n) or date - \(name)(n)")
        return TypedNode(node, .any)
    }

    private func stepName(_ node: ExpressionNode) -> String {
        guard case .call(let name, _) = node.kind else { return "" }
        return PredicateFunction.shown(name)
    }

    /// The type of `+` or `-` if a side is a date, or may be one; nil if the operands must be numbers.
    func dates(_ op: BinaryOperator, _ left: TypedNode, _ right: TypedNode) -> ExpressionType? {
        guard hasDates, op == .add || op == .subtract else { return nil }
        let isOptional = left.type.isOptional || right.type.isOptional
        if left.role == .step || right.role == .step {
            let (step, date) = left.role == .step ? (left, right) : (right, left)
            guard date.role != .step, date.type.kind == .date || date.type.isOpen,
                op == .add || right.role == .step
            else {
                let found = date.role == .step || date.type.kind == .date ? "a step" : date.type.inWords
                refuse(.operandType, at: date.span, stepName(step.node), found, "it stands beside a date")
                return .any
            }
            // A step may lead beyond the years of a date.
            return ExpressionType(.date, isOptional: true)
        }
        let (a, b) = (left.type, right.type)
        if a.kind.isNil || b.kind.isNil, a.kind == .date || b.kind == .date { return .null }
        switch (a.kind, b.kind) {
        case (.date, .date): return op == .add ? nil : ExpressionType(.double, isOptional: isOptional)
        case (.date, .any): return op == .add ? ExpressionType(.date, isOptional: true) : .any
        case (.any, .date): return ExpressionType(op == .add ? .date : .double, isOptional: true)
        case (.date, _) where b.isNumber: return ExpressionType(.date, isOptional: isOptional)
        case (_, .date) where a.isNumber && op == .add: return ExpressionType(.date, isOptional: isOptional)
        // Both may be dates, or the first one.
        case (.any, _) where b.isOpen || b.isNumber: return .any
        case (_, .any) where a.isNumber && op == .add: return .any
        default: return nil
        }
    }
}

extension TypedNode {
    /// Whether it is an argument or a variable without a value.
    fileprivate var isGivenLater: Bool { if case .argument = node.kind { true } else { isVariable } }
}
