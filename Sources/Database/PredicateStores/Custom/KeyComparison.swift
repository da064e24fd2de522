// What a request asks of single keys, for back ends that do not read predicates.

/// A comparison of a key with a constant: `key operator value`.
public struct KeyComparison: Sendable, Hashable {
    /// A key, or a dotted path.
    public let key: String
    public let `operator`: ComparisonOperator
    /// The constant; for `in` an array of values, for `between` an array of the lower and the upper bound. An object is
    /// replaced by its primary key.
    public let value: PredicateValue

    /// nil for other conditions than a comparison without options.
    fileprivate init?(_ node: PredicateNode) {
        guard let condition = KeyCondition(node), condition.quantifier == .direct, condition.options.isEmpty,
            case .keyPath(let keys) = condition.key.kind, case .comparison(let comparison) = condition.node().kind,
            let (_, op, constant) = comparison.keyed()
        else { return nil }
        key = keys.joined(separator: ".")
        self.operator = op
        value = constant.elements.map { .array($0.map(\.orKey)) } ?? constant.orKey
    }
}

extension StoreRequest {
    /// The values that keys must be equal to, one of them for each key: those of the comparisons `==` and `IN` that the
    /// predicate joins by AND.
    ///
    ///     StoreRequest("City", where: try FormatPredicate("id == 3 AND country IN {'FR', 'DE'}")).equalities
    ///     // ["id": [3], "country": ["FR", "DE"]]
    ///
    /// Other parts of the predicate are not in it; `comparisons` has them. If a key has no values, no object matches.
    public var equalities: [String: [PredicateValue]] {
        var found: [String: [PredicateValue]] = [:]
        for comparison in terms.compactMap({ KeyComparison($0) }) {
            var values = [comparison.value]
            switch comparison.operator {
            case .equal: break
            case .in:
                // A text is no list of values.
                guard let elements = comparison.value.elements else { continue }
                values = elements
            default: continue
            }
            let members = Set(values.map { EqualityKey($0) })
            found[comparison.key] = found[comparison.key]?.filter { members.contains(EqualityKey($0)) } ?? values
        }
        return found
    }

    /// The predicate as comparisons of keys with constants that are joined by AND; empty for TRUEPREDICATE. nil if it has
    /// other parts, such as OR, NOT or functions.
    ///
    ///     var query: [String: PredicateValue] = [:]
    ///     for comparison in request.comparisons ?? [] {
    ///         switch comparison.operator {
    ///         case .greaterThanOrEqual: query["from"] = comparison.value
    ///         default: query[comparison.key] = comparison.value
    ///         }
    ///     }
    public var comparisons: [KeyComparison]? {
        let found = terms.compactMap { KeyComparison($0) }
        return found.count == terms.count ? found : nil
    }

    /// Whether the form of the predicate shows that no object matches.
    var selectsNothing: Bool {
        terms.contains { $0.kind == .constant(false) } || equalities.values.contains(where: \.isEmpty)
    }

    /// The terms of the predicate that AND joins.
    var terms: [PredicateNode] { predicate.root.terms(isAnd: true).filter { $0.kind != .constant(true) } }
}

extension PredicateValue {
    /// The primary key of a stored object; other values as they are.
    fileprivate var orKey: PredicateValue { self.as(StoredObject.self)?.primaryKey.asKey ?? self }
}
