// Converts `[String: Any]`, as JSONSerialization and property lists return it, to values of the language.
// Foundation's reference types are in ReferenceValues.swift.

extension PredicateValue {
    /// Converts a value of any supported type: Swift's numbers, texts, optionals and collections, Foundation's
    /// values and their reference types, published types.
    ///
    /// - Throws: `argument-type`, with the key and the type, for any other type; `limit-exceeded` for
    ///   collections nested more than 200 deep.
    /// - Complexity: linear; some tens of nanoseconds per entry.
    public init(converting any: Any) throws(PredicateFailure) {
        do throws(EvaluationFault) {
            self = try Self.convert(any, "SELF", 0)
        } catch {
            throw PredicateFailure(error.diagnostic)
        }
    }

    /// Converts a value of any type. A value that the language does not support becomes an object without keys.
    package init(known any: Any) { self = (try? Self.convert(any, "SELF", 0)) ?? Self.opaque(any) }

    /// Converts a list element by element, with any types of elements.
    private static func opaque(_ any: Any) -> PredicateValue {
        switch any {
        case let elements as [Any]: .array(elements.map { (try? convert($0, "SELF", 1)) ?? object($0) })
        default: object(any)
        }
    }

    private static func object(_ any: Any) -> PredicateValue {
        .object(ObjectReference(confining: OpaqueObject(any)))
    }

    /// Converts the entry of a dictionary.
    @inline(__always) static func convert(_ any: Any, forKey key: String) throws(EvaluationFault) -> PredicateValue {
        // Test the most frequent types by identity, because that is faster than casting.
        let type = Swift.type(of: any)
        if type == String.self, let text = any as? String { return .string(text) }
        if type == Int.self, let number = any as? Int { return .integer(Int64(number)) }
        if type == Double.self, let number = any as? Double { return .double(number) }
        if type == Bool.self, let answer = any as? Bool { return .bool(answer) }
        return try convert(any, key, 1)
    }

    private static func convert(_ any: Any, _ path: String, _ depth: Int) throws(EvaluationFault) -> PredicateValue {
        switch any {
        case let value as String: return .string(value)
        // Before other casts, which look through optionals.
        case let value as any OptionalValue where Swift.type(of: any) is any OptionalValue.Type:
            return try value.wrapped.map { (any) throws(EvaluationFault) in try convert(any, path, depth) } ?? .null
        case _ where isForeignList(any): break
        case let value as any QueryableValue: return value.queryValue
        case let value as any PredicateValueConvertible: return value.predicateValue
        default: break
        }
        if let value = number(any) { return value }
        switch any {
        case let value as any RawRepresentable: return try convert(value.rawValue, path, depth)
        default: return try collection(any, path, depth)
        }
    }

    private static func collection(_ any: Any, _ path: String, _ depth: Int) throws(EvaluationFault) -> PredicateValue {
        guard depth < PredicateLimits.standard.nesting else {
            throw EvaluationFault(
                .limitExceeded, "the object nests collections too deep", "\(PredicateLimits.standard.nesting)")
        }
        switch any {
        case let dictionary as [String: Any]:
            var pairs: [(String, PredicateValue)] = []
            pairs.reserveCapacity(dictionary.count)
            for (key, value) in dictionary {
                pairs.append((key, try convert(value, path == "SELF" ? key : path + "." + key, depth + 1)))
            }
            return .dictionary(ValueDictionary(pairs))
        case let elements as [Any]:
            return .array(
                try elements.map { (element) throws(EvaluationFault) in try convert(element, path, depth + 1) })
        case let elements as Set<AnyHashable>:
            return .set(
                try elements.map { (element) throws(EvaluationFault) in try convert(element.base, path, depth + 1) })
        case let dictionary as [AnyHashable: Any]:
            var pairs: [(String, PredicateValue)] = []
            for (key, value) in dictionary {
                let name = "\(key.base)"
                pairs.append((name, try convert(value, name, depth + 1)))
            }
            return .dictionary(ValueDictionary(sorting: pairs))
        default:
            if let value = reference(any) { return value }
            throw EvaluationFault(
                .argumentType, path, "a value of the type \(Swift.type(of: any))", "publish it: Queryable")
        }
    }
}

/// An optional stored in an `Any`.
private protocol OptionalValue {
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    var wrapped: Any? { map { $0 as Any } }
}
