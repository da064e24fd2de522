// Shortcuts for the most common requests.

extension StoreRequest {
    /// Requests the objects whose keys have the given values. The value nil matches objects whose key is nil.
    ///
    ///     StoreRequest("person", matching: ["city": "Bonn", "employer.title": "Engines"])
    ///     StoreRequest("person", matching: ["name": .string(name), "nick": .string(name)], any: true)
    ///
    /// With `any`, one of the values is enough. Without values it selects every object, and none with `any`.
    public init(_ entity: String, matching values: [String: PredicateValue], any: Bool = false) {
        let comparisons = values.sorted { $0.key < $1.key }.map { key, value in
            PredicateNode(
                .comparison(
                    ComparisonNode(
                        ExpressionNode(.keyPath(key.split(separator: ".").map(String.init))), .equal,
                        ExpressionNode(.value(value)))))
        }
        let root: PredicateNode.Kind =
            comparisons.isEmpty ? .constant(!any) : any ? .or(comparisons) : .and(comparisons)
        self.init(entity, where: FormatPredicate(comparisons.count == 1 ? comparisons[0] : PredicateNode(root)))
    }

    /// The request for one object: a second one shows that there are several.
    var forOne: StoreRequest {
        var request = self
        request.limit = min(limit ?? 2, 2)
        return request
    }
}

extension PredicateStore {
    /// Returns the object that a request selects; nil if there is none.
    ///
    ///     let ada = try store.one(StoreRequest("person", matching: ["id": 7]))
    ///
    /// - Throws: `notUnique` if there are several.
    public func one(_ request: StoreRequest) throws(StoreFailure) -> StoredObject? {
        let found = try fetch(request.forOne)
        if found.count > 1 { throw .notUnique(entity: request.entity) }
        return found.first
    }
}
