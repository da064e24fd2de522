// Finds the constant texts that the extension `typed-texts` reads (LANGUAGE C 17 b). TextReading.swift reads them.

extension TypeInference {
    /// Reads the texts of a comparison; its operands get the types of their values. Reports a text that cannot be read.
    /// - Returns: whether all texts could be read.
    func readTexts(_ typed: TypedComparison) -> Bool {
        guard checker.environment.language.contains(.typedTexts), checker.readsTexts else { return true }
        let count = findings.errors.count
        switch typed.comparison.operator {
        case .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
            if let term = term([typed.right], typed.left) {
                typed.right = read(typed.right, term, typed.left)
                typed.term = term
            } else if typed.comparison.modifier == .direct, var term = term([typed.left], typed.right) {
                typed.left = read(typed.left, term, typed.right)
                term.isLeft = true
                typed.term = term
            }
        case .in, .between: readList(typed)
        default: break
        }
        return findings.errors.count == count
    }

    private func readList(_ typed: TypedComparison) {
        let constants = typed.right.members == nil ? typed.right.constant?.elements : nil
        let operands =
            typed.right.members
            ?? constants?.map { TypedNode(typed.right.node, ExpressionType(of: $0), constant: $0) }
        guard let operands, typed.right.type.element != nil, var term = term(operands, typed.left) else { return }
        (term.isList, term.constants) = (true, constants)
        let list = TypedNode(typed.right.node, ExpressionType(.collection(.list, of: typed.left.type)))
        list.members = zip(operands, term.texts).map { $1 == nil ? $0 : TypedNode($0.node, typed.left.type) }
        typed.right = list
        typed.term = term
    }

    /// The readings of those operands that are texts; nil if none is one, or if the key has another type.
    private func term(_ operands: [TypedNode], _ key: TypedNode) -> TypedTerm? {
        guard Self.readsTexts(as: key.type.kind) else { return nil }
        var found: (text: TypedNode, isRead: Bool)?
        let texts = operands.map { operand in
            guard case .string(let text) = operand.constant else { return nil as TextReading? }
            let reading = TextReading(text, as: key.type.kind, in: checker.environment.zone)
            if reading == nil {
                let forms = Self.forms(of: key.type.kind)
                report(.unreadText, at: operand.span, "the text '\(text)'", key.type.inWords, "write " + forms)
            }
            found = found ?? (operand, true)
            return reading
        }
        guard let found else { return nil }
        let conflict = PredicateEnvironment.datesAsTexts
        if key.type.kind == .date, checker.environment.functions.conflicts.contains(conflict) {
            report(.conflictingDefinition, at: found.text.span, conflict)
        }
        if texts.contains(where: { $0 != nil }) { report(.typedText, at: found.text.span, key.type.inWords) }
        return TypedTerm(texts: texts)
    }

    /// Whether the extension reads texts that are compared with such values.
    static func readsTexts(as kind: ExpressionType.Kind) -> Bool {
        switch kind {
        case .date, .uuid, .url, .decimal, .integer, .double, .number: true
        default: false
        }
    }

    private func read(_ text: TypedNode, _ term: TypedTerm, _ key: TypedNode) -> TypedNode {
        let operand = TypedNode(text.node, ExpressionType(key.type.kind))
        if case .value(let value) = term.texts[0] { operand.constant = value }
        return operand
    }

    private static func forms(of kind: ExpressionType.Kind) -> String {
        switch kind {
        case .date: "2024-05-31, 2024-05-31T18:30 or 2024-05-31T18:30:00+02:00"
        case .uuid: "its 36 characters"
        default: "a number such as 12 or -1.5"
        }
    }
}

extension TypeChecker {
    /// The tree with the texts read that the extension `typed-texts` reads, and with days as ranges. It needs no types
    /// any more. `check` reports the texts that cannot be read.
    package func reading(_ tree: PredicateTree, source: String) -> PredicateTree {
        guard environment.language.contains(.typedTexts) else { return tree }
        var terms: [Int: TypedTerm] = [:]
        _ = check(tree, source) { $0.onRead = { terms[$0] = $1 } }
        if terms.isEmpty { return tree }
        // The checker and the rewriter both visit a comparison after those in its operands.
        var index = 0
        let rewriter = PredicateRewriter<Never>(predicate: { node in
            guard case .comparison = node.kind else { return node }
            defer { index += 1 }
            return terms[index]?.rewritten(node) ?? node
        })
        return switch tree {
        case .predicate(let root): .predicate(rewriter.rewrite(root))
        case .expression(let root): .expression(rewriter.rewrite(root))
        }
    }
}

extension FormatText {
    /// The predicate or expression with its typed texts read for the objects of a checker.
    package func reading(by checker: TypeChecker) -> Self {
        guard environment.language.contains(.typedTexts) else { return self }
        return Self.root(of: checker.reading(tree, source: source)).map { replacingRoot($0) } ?? self
    }

    /// The predicate or expression with its typed texts read for an entity.
    package func reading(_ entity: String, _ schema: PredicateSchema) -> Self {
        guard environment.language.contains(.typedTexts),
            let checker = try? TypeChecker(schema: schema, entity: entity, in: environment)
        else { return self }
        return reading(by: checker)
    }
}
