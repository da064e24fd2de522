// The value of a key (LANGUAGE 5.3), without reflection. An object has its published keys. A scalar has the catalogue's
// methods without arguments (`length`, `description`). A key of a collection is read from its elements.

extension EvaluationContext {
    /// The maximum nesting of collections for one key. Each level is a recursive call.
    static let mappingDepth = 32

    /// The value of a key that does not begin with `@`.
    mutating func value(
        of value: PredicateValue, forKey key: String, depth: Int = 0
    ) throws(EvaluationFault) -> PredicateValue {
        switch value {
        case .null, .nsNull: return .null
        case .dictionary(let dictionary): return dictionary[key] ?? (key == "self" ? value : .null)
        case .object(let reference):
            if let value = try reference.object.read(key) { return value }
            if key == "self" { return value }
            // A KeyedObject may publish a key and have no value for it.
            let nearest = Suggestions.nearest(to: key, in: reference.object.publishedKeys.filter { $0 != key })
            throw Self.unknown(key, in: value, suggestion: nearest)
        case .array(let elements): return .array(try map(elements, key, depth, keepingNil: true))
        case .set(let elements):
            return .set(try DistinctValues(map(elements, key, depth, keepingNil: false)).values)
        default:
            guard let property = functions.rules.environment.functions.property(named: key) else {
                if case .date = value { throw FunctionCatalog.fault(ofDateKey: key, value.typeDescription) }
                let isText = if case .string = value { true } else { false }
                throw Self.unknown(key, in: value, suggestion: isText ? FunctionCatalog.textProperty(key) : nil)
            }
            return try property.call([value], &functions)
        }
    }

    /// Reads a key from each element. An array keeps its length, with `NSNull` for nil; a set drops nil.
    private mutating func map(
        _ elements: [PredicateValue], _ key: String, _ depth: Int, keepingNil: Bool
    ) throws(EvaluationFault) -> [PredicateValue] {
        guard depth < Self.mappingDepth else { throw Self.tooDeep }
        var result: [PredicateValue] = []
        result.reserveCapacity(elements.count)
        for element in elements {
            let value: PredicateValue
            do throws(EvaluationFault) {
                value = try self.value(of: element, forKey: key, depth: depth + 1)
            } catch {
                throw error.suggestingOperator(for: key)
            }
            if !value.isNil {
                result.append(value)
            } else if keepingNil {
                result.append(.nsNull)
            }
        }
        return result
    }

    static var tooDeep: EvaluationFault {
        EvaluationFault(.limitExceeded, "a key reaches through too many nested collections", "\(mappingDepth)")
    }

    static func unknown(_ key: String, in value: PredicateValue, suggestion: String?) -> EvaluationFault {
        let name: String =
            if case .object(let reference) = value { reference.object.typeName } else { value.typeDescription }
        var fault = EvaluationFault(.unknownKey, name, key)
        // As a key, SELF is written in small letters.
        fault.suggestion = suggestion ?? (key == Keyword.selfObject.rawValue ? "self" : nil)
        return fault
    }
}

extension EvaluationFault {
    /// The fault for a key that the elements lack, with the operator that was probably meant: `@count` for
    /// `tags.count`.
    fileprivate func suggestingOperator(for key: String) -> EvaluationFault {
        guard id == .unknownKey, let meant = CollectionOperator.named(meantByKey: key) else {
            return self
        }
        var fault = self
        fault.suggestion = meant.name
        return fault
    }
}
