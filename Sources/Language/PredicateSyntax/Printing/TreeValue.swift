// The JSON form of a tree, for `predicate format --tree --output json`. Grammar/tree.schema.json describes it.

extension PredicateTree {
    /// The tree as a dictionary. Each node has its kind and its span; constants have the tagged form of `TaggedValue`.
    ///
    ///     {"kind": "comparison", "start": 0, "end": 7, "operator": ">",
    ///      "left": {"kind": "keypath", "start": 0, "end": 3, "keys": ["age"]},
    ///      "right": {"kind": "value", "start": 6, "end": 7, "value": 5}}
    package var value: PredicateValue {
        switch self {
        case .predicate(let node): node.value
        case .expression(let node): node.value
        }
    }
}

/// A node with further members.
private func node(_ kind: String, _ span: SourceSpan, _ members: [(String, PredicateValue)] = []) -> PredicateValue {
    let first: [(String, PredicateValue)] = [
        ("kind", .string(kind)), ("start", .integer(Int64(span.start))), ("end", .integer(Int64(span.end))),
    ]
    return .dictionary(ValueDictionary(first + members))
}

private func list(_ nodes: [ExpressionNode]) -> PredicateValue { .array(nodes.map { $0.value }) }

extension PredicateNode {
    fileprivate var value: PredicateValue {
        switch kind {
        case .constant(let value): return node("constant", span, [("value", .bool(value))])
        case .comparison(let comparison):
            var members: [(String, PredicateValue)] = [("operator", .string(comparison.operator.spelling))]
            if comparison.modifier != .direct { members.append(("modifier", .string(comparison.modifier.spelling))) }
            let letters = ComparisonOptions.letters.filter { comparison.options.contains($0.option) }.map { $0.letter }
            if !letters.isEmpty { members.append(("options", .string(String(letters)))) }
            return node(
                "comparison", span, members + [("left", comparison.left.value), ("right", comparison.right.value)])
        case .and(let children): return node("and", span, [("children", .array(children.map { $0.value }))])
        case .or(let children): return node("or", span, [("children", .array(children.map { $0.value }))])
        case .not(let child): return node("not", span, [("child", child.value)])
        case .error: return node("error", span)
        }
    }
}

extension ExpressionNode {
    fileprivate var value: PredicateValue {
        switch kind {
        case .value(let value): node("value", span, [("value", TaggedValue.encode(value, for: .json))])
        case .selfObject: node("self", span)
        case .anyKey: node("anykey", span)
        case .variable(let name): node("variable", span, [("name", .string(name))])
        case .keyPath(let keys): node("keypath", span, [("keys", .array(keys.map(PredicateValue.string)))])
        case .member(let base, let step): node("member", span, [("base", base.value), ("step", step.value)])
        case .index(let base, let index): node("index", span, [("base", base.value), ("index", index.value)])
        case .indexSymbol(let symbol): node("symbol", span, [("symbol", .string(symbol.rawValue))])
        case .binary(let binary, let left, let right):
            node(
                "operator", span,
                [("operator", .string(binary.spelling)), ("left", left.value), ("right", right.value)])
        case .negation(let operand): node("negation", span, [("operand", operand.value)])
        case .call(let name, let arguments):
            node("function", span, [("name", .string(name)), ("arguments", list(arguments))])
        case .method(let target, let selector, let arguments):
            node(
                "method", span,
                [("target", target.value), ("selector", .string(selector)), ("arguments", list(arguments))])
        case .cast(let operand, let type): node("cast", span, [("operand", operand.value), ("type", .string(type))])
        case .aggregate(let elements): node("aggregate", span, [("elements", list(elements))])
        case .ternary(let condition, let first, let second):
            node("ternary", span, [("condition", condition.value), ("then", first.value), ("else", second.value)])
        case .subquery(let collection, let variable, let condition):
            node(
                "subquery", span,
                [("collection", collection.value), ("variable", .string(variable)), ("condition", condition.value)])
        case .assignment(let variable, let value):
            node("assignment", span, [("variable", .string(variable)), ("value", value.value)])
        case .fetch(let arguments): node("fetch", span, [("arguments", list(arguments))])
        case .term(let name, let argument):
            node("term", span, [("name", .string(name)), ("argument", .string(argument))])
        case .argument(let conversion):
            node(
                "argument", span,
                [
                    ("conversion", .string(conversion.spelling)), ("position", .integer(Int64(conversion.position))),
                ])
        case .error: node("error", span)
        }
    }
}
