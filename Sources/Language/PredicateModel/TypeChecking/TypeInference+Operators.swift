// Infers the types of computed expressions: arithmetic, bit and set operators, calls, casts, indices.

extension TypeInference {
    // MARK: Infix operators

    func binary(_ node: ExpressionNode) -> TypedNode {
        guard case .binary(let op, let left, let right) = node.kind else { return TypedNode(node, .any) }
        let isSum = op == .add || op == .subtract
        // infer is called from here, so that an operand in an operand needs little stack.
        let one = isSum && isStep(left) ? step(left) : infer(left)
        let other = isSum && isStep(right) ? step(right) : infer(right)
        return TypedNode(node, apply(op, one, other, in: node))
    }

    private func apply(
        _ op: BinaryOperator, _ left: TypedNode, _ right: TypedNode, in node: ExpressionNode
    ) -> ExpressionType {
        if op.isSetOperator { return combine(op, left, right) }
        let isOptional = left.type.isOptional || right.type.isOptional
        if op == .add, checker.environment.language.contains(.stringConcatenation) {
            if left.type.kind == .string, right.type.kind == .string {
                return ExpressionType(.string, isOptional: isOptional)
            }
            // If one side is unknown, both may be texts or both numbers.
            if left.type.kind.isAny, right.type.kind.isAny || right.type.kind == .string { return .any }
            if right.type.kind.isAny, left.type.kind == .string { return .any }
        }
        if let type = dates(op, left, right) { return type }
        let fits = requireNumber(left, op.spelling, in: node)
        guard requireNumber(right, op.spelling, in: node), fits else { return .any }
        if left.type.kind.isNil || right.type.kind.isNil { return .null }
        let kind = left.type.arithmetic(right.type)
        switch op {
        case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .shiftLeft, .shiftRight:
            return ExpressionType(.integer, isOptional: isOptional)
        case .power:
            return ExpressionType(.double, isOptional: isOptional)
        case .divide where kind == .integer || kind == .decimal:
            if right.constant?.exactInteger == 0 { report(.divisionByZero, at: right.span) }
        default: break
        }
        return ExpressionType(kind, isOptional: isOptional)
    }

    private func requireNumber(_ operand: TypedNode, _ name: String, in node: ExpressionNode) -> Bool {
        if operand.type.isNumber || operand.type.isOpen { return true }
        guard reportsTypes else { return false }
        let advised = SourceText(source).arithmetic(in: node, checker).first { $0.span == operand.span }
        let isSum = operand.type.kind == .date && (name == "+" || name == "-") && !hasDates
        var finding =
            advised
            ?? PredicateDiagnostic(
                .operandType, at: operand.span, name, operand.type.inWords, isSum ? LanguageOptions.advice("dates") : ""
            )
        finding.severity = .error
        report(finding)
        return false
    }

    /// UNION, INTERSECT and MINUS give a set (LANGUAGE 3.9).
    private func combine(_ op: BinaryOperator, _ left: TypedNode, _ right: TypedNode) -> ExpressionType {
        var fits = true
        for (operand, takesDictionary) in [(left, false), (right, true)] where !operand.type.isOpen {
            if operand.type.shape == nil || operand.type.isDictionary && !takesDictionary {
                report(.notACollection, at: operand.span, op.spelling, operand.type.inWords)
                fits = false
            }
        }
        if !fits { return .any }
        let one = left.type.element ?? .any
        let element = op == .union ? one.joined(right.type.element ?? .any) : one
        return ExpressionType(.collection(.set, of: element), isOptional: left.type.isOptional || right.type.isOptional)
    }

    func negation(_ node: ExpressionNode) -> TypedNode {
        guard case .negation(let inner) = node.kind else { return TypedNode(node, .any) }
        let operand = infer(inner)
        guard requireNumber(operand, "-", in: node) else { return TypedNode(node, .any) }
        switch operand.type.kind {
        case .boolean: return TypedNode(node, ExpressionType(.integer, isOptional: operand.type.isOptional))
        case .any: return TypedNode(node, ExpressionType(.number, isOptional: true))
        default: return TypedNode(node, operand.type)
        }
    }

    // MARK: Calls

    func call(_ node: ExpressionNode) -> TypedNode {
        guard case .call(_, let arguments) = node.kind else { return TypedNode(node, .any) }
        // The lookup is in a separate method, because functions are large and this frame is on the stack once per
        // level.
        if isElement(node) { return element(of: infer(arguments[0]), at: position(arguments[1]), node) }
        return called(node, infer(arguments))
    }

    /// nil if the catalogue does not have the function; `refuse` reports that.
    func function(of node: ExpressionNode) -> PredicateFunction? {
        guard case .call(let name, let arguments) = node.kind,
            let function = checker.environment.functions.function(named: name),
            function.arity == arguments.count
        else { return nil }
        return function
    }

    private func isElement(_ node: ExpressionNode) -> Bool { function(of: node)?.intrinsic == .element }

    private func called(_ node: ExpressionNode, _ operands: [TypedNode]) -> TypedNode {
        guard let function = function(of: node) else { return TypedNode(node, .any) }
        switch function.intrinsic {
        case .step: return refuse(step: node)
        case .binary(let op): return TypedNode(node, apply(op, operands[0], operands[1], in: node))
        case .cast:
            guard case .string(let type) = operands[1].constant else { return TypedNode(node, .any) }
            return TypedNode(node, cast(operands[0], type))
        default: return result(function, operands, node)
        }
    }

    func method(_ node: ExpressionNode) -> TypedNode {
        guard case .method(let target, let selector, let arguments) = node.kind else { return TypedNode(node, .any) }
        let operands = infer([target] + arguments)
        guard let method = checker.environment.functions.method(named: selector) else { return TypedNode(node, .any) }
        return result(method, operands, node)
    }

    /// The result type of a call; `any` for a function of the app.
    private func result(_ function: PredicateFunction, _ operands: [TypedNode], _ node: ExpressionNode) -> TypedNode {
        guard let signature = function.types, signature.parameters.count == operands.count else {
            return TypedNode(node, .any)
        }
        var fits = true
        for (parameter, operand) in zip(signature.parameters, operands) {
            guard let finding = parameter.refuses(operand.type) else { continue }
            report(finding, at: operand.span, function.name, operand.type.inWords)
            fits = false
        }
        guard fits else { return TypedNode(node, .any) }
        let types = operands.map { $0.type }
        let result = TypedNode(node, signature.result(types).optional(types.contains { $0.isOptional }))
        result.isCount = signature.isCount
        return result
    }

    // MARK: CAST

    func cast(_ node: ExpressionNode) -> TypedNode {
        guard case .cast(let inner, let type) = node.kind else { return TypedNode(node, .any) }
        return TypedNode(node, cast(infer(inner), type))
    }

    /// Infers the type of CAST (LANGUAGE 4.5). `refuse` reports a refused class.
    private func cast(_ operand: TypedNode, _ name: String) -> ExpressionType {
        let type = operand.type
        guard let cast = CastType(rawValue: name) else { return .any }
        if let constant = operand.constant {
            do throws(EvaluationFault) {
                return ExpressionType(of: try Conversions.cast(constant, to: name))
            } catch {
                report(PredicateDiagnostic(error.id, at: operand.span, details: error.details))
                return .any
            }
        }
        if type.kind.isNil { return .null }
        guard let result = cast.result(of: type) else {
            report(.castFailed, at: operand.span, type.inWords, name)
            return .any
        }
        return ExpressionType(result, isOptional: type.isOptional)
    }

    // MARK: Indices

    func index(_ node: ExpressionNode) -> TypedNode {
        guard case .index(let collection, let index) = node.kind else { return TypedNode(node, .any) }
        let base = infer(collection)
        return element(of: base, at: position(index), node)
    }

    /// The index between brackets: an expression, or FIRST, LAST or SIZE.
    private func position(_ index: ExpressionNode) -> TypedNode {
        if case .indexSymbol = index.kind { TypedNode(index, .any) } else { infer(index) }
    }

    /// Infers an index expression (LANGUAGE 5.11).
    private func element(of base: TypedNode, at position: TypedNode, _ node: ExpressionNode) -> TypedNode {
        let isOptional = base.type.isOptional || position.type.isOptional
        var symbol: IndexSymbol?
        if case .indexSymbol(let found) = position.node.kind { symbol = found }
        guard case .collection(let shape, let element) = base.type.kind else {
            if !base.type.isOpen {
                let name = symbol.map { "[\($0.rawValue)]" } ?? "an index"
                report(.notACollection, at: base.span, name, base.type.inWords)
            }
            return TypedNode(node, .any)
        }
        switch (symbol, shape) {
        case (.size, _):
            let size = TypedNode(node, ExpressionType(.integer, isOptional: base.type.isOptional))
            size.isCount = true
            return size
        case (.first, .dictionary), (.last, .dictionary), (.first, .record), (.last, .record):
            report(.operandType, at: base.span, "[\(symbol?.rawValue ?? "")]", "a dictionary, which has no order")
        case (.first, _), (.last, _): return TypedNode(node, element.optional())
        case (nil, .dictionary), (nil, .record): return TypedNode(node, element.optional())
        case (nil, .set): report(.operandType, at: base.span, "an index", "a set, which has no order")
        case (nil, _):
            if position.type.isNumber || position.type.isOpen { return TypedNode(node, element.optional(isOptional)) }
            report(.operandType, at: position.span, "an index of an array", position.type.inWords)
        }
        return TypedNode(node, .any)
    }
}
