// Writes explanations as JSON. The names and the order of the keys are API.

extension PredicateExplanation {
    /// The explanation as JSON.
    package var json: String { JSON.text(.object(fields)) }

    /// The fields of the explanation as JSON.
    package var fields: [(String, PredicateValue)] {
        let sets = changes.map { set in
            PredicateValue.array(
                set.map { one in
                    .object([
                        ("key", .string(one.key)), ("from", .string(one.from)), ("to", .string(one.to)),
                        ("value", .string(one.value)),
                    ])
                })
        }
        return [
            ("text", .string(text)), ("outcome", .string(outcome.rawValue)), ("root", root.json),
            ("changes", .array(sets)),
        ]
    }
}

extension PredicateExplanation.Part {
    fileprivate var json: PredicateValue {
        var fields: [(String, PredicateValue)] = [
            ("text", .string(text)), ("start", .integer(Int64(start))), ("end", .integer(Int64(end))),
            ("outcome", .string(outcome.rawValue)), ("decides", .bool(decides)),
        ]
        if let element { fields.append(("element", .integer(Int64(element)))) }
        if let message { fields.append(("message", .string(message))) }
        let operands = operands.map { operand in
            PredicateValue.object([("text", .string(operand.text)), ("value", .string(operand.value))])
        }
        fields += [("operands", .array(operands)), ("parts", .array(parts.map { $0.json }))]
        return .object(fields)
    }
}
