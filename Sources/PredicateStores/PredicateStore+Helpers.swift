// Shortcuts for the most common requests.
import PredicateModel
public import PredicateSyntax

/// How the comparisons of several keys are combined.
public enum KeyJunction: Sendable, Hashable {
    case and
    case or
}

extension FetchRequest {
    /// Requests the objects whose keys have the given values. The value nil matches objects whose key is nil.
    ///
    ///     FetchRequest("person", matching: ["city": "Bonn", "employer.title": "Engines"])
    ///     FetchRequest("person", matching: ["name": .string(name), "nick": .string(name)], joined: .or)
    ///
    /// Without values it selects every object if joined by `.and`, and none if joined by `.or`.
    public init(_ entity: String, matching values: [String: PredicateValue], joined: KeyJunction = .and) {
        let comparisons = values.sorted { $0.key < $1.key }.map { key, value in
            PredicateNode(
                .comparison(
                    ComparisonNode(
                        ExpressionNode(.keyPath(key.split(separator: ".").map(String.init))), .equal,
                        ExpressionNode(.value(value)))))
        }
        let root: PredicateNode =
            switch (comparisons.count, joined) {
            case (0, .and): PredicateNode(.constant(true))
            case (0, .or): PredicateNode(.constant(false))
            case (1, _): comparisons[0]
            case (_, .and): PredicateNode(.and(comparisons))
            case (_, .or): PredicateNode(.or(comparisons))
            }
        self.init(entity, where: FormatPredicate(root))
    }
}

extension PredicateStore {
    /// Returns the object that a request selects; nil if there is none.
    ///
    ///     let ada = try store.one(FetchRequest("person", matching: ["id": 7]))
    ///
    /// - Throws: `notUnique` if there are several.
    public func one(_ request: FetchRequest) throws(StoreFailure) -> StoredObject? {
        var request = request
        request.limit = min(request.limit ?? 2, 2)
        let found = try fetch(request)
        if found.count > 1 { throw .notUnique(entity: request.entity) }
        return found.first
    }
}
