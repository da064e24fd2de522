// The collection operators of key-value coding, such as `items.@count` and `items.@sum.price` (LANGUAGE 5.12). Every
// operator except @count is applied to the rest of the path, read from each element.

/// A key path of a plan. Its keys have consecutive caches in the context; `cache` is the index of the first.
package struct DottedPath: Sendable {
    package let keys: [String]
    package let cache: Int

    package init(keys: [String], cache: Int) {
        self.keys = keys
        self.cache = cache
    }

    /// Whether the path is `@count`.
    var isCount: Bool { keys.count == 1 && CollectionOperator.isCount(keys[0]) }
}

extension EvaluationContext {
    /// The value of a path, starting at its key with index `start`. nil if any value on the way is nil.
    package mutating func value(
        of value: PredicateValue, at path: DottedPath, from start: Int = 0, depth: Int = 0
    ) throws(EvaluationFault) -> PredicateValue {
        var value = value
        for index in start..<path.keys.count {
            if value.isNil { return .null }
            let key = path.keys[index]
            if key.utf8.first == UInt8(ascii: "@") {
                guard let next = try step(key, of: value) else {
                    return try operate(value, path, index, depth)
                }
                value = next
            } else if case .dictionary(let dictionary) = value, key != "self" {
                value = look(up: key, in: dictionary, cache: path.cache + index)
            } else {
                value = try self.value(of: value, forKey: key)
            }
        }
        if case .nsNull = value { return .null }
        return value
    }

    /// The value of an `@` key without an operand: an entry with that name in a dictionary, `@count`, and `@allKeys`
    /// and `@allValues` of a dictionary. nil for operators with an operand.
    private func step(_ key: String, of value: PredicateValue) throws(EvaluationFault) -> PredicateValue? {
        if case .dictionary(let dictionary) = value {
            if let own = dictionary[key] { return own }
            if key == DictionaryKey.allKeys { return .array(dictionary.keys.map(PredicateValue.string)) }
            if key == DictionaryKey.allValues { return .array(dictionary.values) }
            if CollectionOperator.isCount(key) { return .integer(Int64(dictionary.count)) }
        }
        guard let operation = CollectionOperator.named(key) else {
            throw EvaluationFault(.unknownCollectionOperator, key)
        }
        guard value.isList else { throw EvaluationFault(.notACollection, key, value.typeDescription) }
        return operation.takesKey ? nil : .integer(Int64(value.elements?.count ?? 0))
    }

    private mutating func operate(
        _ value: PredicateValue, _ path: DottedPath, _ index: Int, _ depth: Int
    ) throws(EvaluationFault) -> PredicateValue {
        guard depth < Self.mappingDepth else { throw Self.tooDeep }
        let name = path.keys[index]
        guard let operation = CollectionOperator.named(name), let elements = value.elements else { return .null }
        guard index + 1 < path.keys.count else {
            throw EvaluationFault(.functionArguments, name, "a key after it", "none")
        }
        var operands: [PredicateValue] = []
        for element in elements {
            let operand = try self.value(of: element, at: path, from: index + 1, depth: depth + 1)
            if !operation.flattens {
                operands.append(operand)
            } else if !operand.isNil {
                guard operand.isList, let members = operand.elements else {
                    throw EvaluationFault(.notACollection, name + " of an element", operand.typeDescription)
                }
                operands.append(contentsOf: members)
                try check(elements: operands.count)
            }
        }
        return try operation.result(operands, in: functions.rules)
    }
}

extension PredicateValue {
    /// Whether the value is an array or a set, on which collection operators work.
    var isList: Bool {
        switch self {
        case .array, .set: true
        default: false
        }
    }
}
