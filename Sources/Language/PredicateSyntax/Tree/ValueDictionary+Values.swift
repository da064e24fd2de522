// Dictionaries from Swift's values.

extension ValueDictionary {
    /// Creates a dictionary from Swift's values, in the order of their keys. nil becomes `.null`.
    ///
    ///     let fields: [String: Int] = ["b": 2, "a": 1]
    ///     ValueDictionary(fields).keys    // ["a", "b"]
    public init(_ values: [String: (any PredicateValueConvertible)?]) {
        self.init(sorting: values.map { ($0, $1?.predicateValue ?? .null) })
    }
}

extension ValueDictionary: ExpressibleByDictionaryLiteral {
    /// Creates a dictionary from Swift's values. nil becomes `.null`, and a repeated key keeps its last value.
    ///
    ///     try store.insert([["id": 1, "name": "pen", "bought": Date.now, "notes": nil]], into: "item")
    public init(dictionaryLiteral elements: (String, (any PredicateValueConvertible)?)...) {
        self.init(elements.lazy.map { ($0, $1?.predicateValue ?? .null) })
    }
}
