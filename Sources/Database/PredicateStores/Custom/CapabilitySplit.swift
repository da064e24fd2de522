// Divides a request into the part that a back end executes and the part that is done in memory. RecordStore.swift uses
// it.

/// What a back end can do with the same results as the evaluator in memory.
///
///     StoreCapabilities(operators: ["city": [.equal], "age": [.equal, .lessThan]], sortKeys: ["age"], limits: true)
public struct StoreCapabilities: Sendable {
    /// By key: the operators of the comparisons `key operator constant` that the back end supports, without options
    /// such as `[c]`.
    public var operators: [String: Set<ComparisonOperator>]
    /// Whether these operators also accept nil as the constant.
    public var comparesNil: Bool
    /// Whether the back end supports OR and NOT. AND is always required.
    public var combinesOr: Bool
    public var negates: Bool
    /// The keys by which the back end can sort, in both directions. nil sorts before all values, and records with equal
    /// keys sort by primary key.
    public var sortKeys: Set<String>
    /// Whether the back end sorts by at most one of them in a request.
    public var sortsByOneKey = false
    /// Whether the back end applies limit and offset. Without sort keys it does so in the order of the primary key.
    public var limits: Bool
    /// Whether the back end first returns the keys of matching records (`RecordSource.keys`), and later the records. Each
    /// entity then has a primary key.
    public var findsKeys: Bool

    public init(
        operators: [String: Set<ComparisonOperator>] = [:], combinesOr: Bool = false, negates: Bool = false,
        sortKeys: Set<String> = [], limits: Bool = false, comparesNil: Bool = true, findsKeys: Bool = false
    ) {
        self.comparesNil = comparesNil
        self.operators = operators
        self.combinesOr = combinesOr
        self.negates = negates
        self.sortKeys = sortKeys
        self.limits = limits
        self.findsKeys = findsKeys
    }

    /// A back end that tests the equality of some keys with values, not with nil, and sorts by at most one key.
    ///
    ///     var capabilities = StoreCapabilities(equalityOf: ["id", "country"], sortKeys: ["name"], limits: true)
    ///     capabilities.operators["id"] = [.equal, .in]    // and by lists of values
    public init(equalityOf keys: Set<String>, sortKeys: Set<String> = [], limits: Bool = false) {
        self.init(
            operators: Dictionary(uniqueKeysWithValues: keys.map { ($0, [.equal]) }), sortKeys: sortKeys,
            limits: limits, comparesNil: false)
        sortsByOneKey = true
    }
}

/// A request, divided by the capabilities of a back end.
///
///     let split = service.split(request)    // the back end tests only the equality of `city`
///     split.request.predicate     // city == "Bonn"
///     split.residual              // name MATCHES "A.*"
public struct CapabilitySplit: Sendable {
    /// The request for the back end. Its predicate is an upper bound: every object that the whole request selects
    /// matches it.
    public let request: StoreRequest
    /// The predicate to test in memory on each returned record; nil if there is none.
    public var residual: FormatPredicate? { inMemory.residual }
    /// The sort keys to apply in memory; empty if the back end sorts.
    public var sort: [PredicateSortKey] { inMemory.sort }
    /// Whether limit and offset are applied in memory.
    public var limitsInMemory: Bool { inMemory.limits }
    let inMemory: MemoryPart

    /// - Parameter schema: the types that constants get; nil leaves them as they are.
    package init(_ request: StoreRequest, _ capabilities: StoreCapabilities, in schema: PredicateSchema? = nil) {
        let (pushed, residual) = request.predicate.root.upperBound(
            combinesOr: capabilities.combinesOr, negates: capabilities.negates
        ) { capabilities.tested($0, request.entity, schema) }
        let sorts =
            request.sort.allSatisfy(capabilities.sorts) && (request.sort.count < 2 || !capabilities.sortsByOneKey)
        inMemory = MemoryPart(
            residual: residual.map(request.predicate.replacingRoot), after: request.after,
            sort: sorts ? [] : request.sort,
            limits: request.isCut
                && !(capabilities.limits && residual == nil && sorts && request.after == nil))
        var divided = request
        divided.predicate = pushed.map { FormatPredicate($0, in: request.predicate.environment) } ?? .constant(true)
        if !sorts { divided.sort = [] }
        divided.prefetch = []
        divided.after = nil
        if inMemory.limits { (divided.limit, divided.offset) = (nil, 0) }
        self.request = divided
    }
}

extension StoreCapabilities {
    fileprivate func sorts(_ key: PredicateSortKey) -> Bool {
        key.options == [] && key.nils == PredicateSortKey(key.path, descending: key.isDescending).nils
            && sortKeys.contains(key.path)
    }

    /// The comparison as `key operator constant` with constants of the key's type, if the back end supports it; a
    /// constant condition if no value of the type matches.
    fileprivate func tested(
        _ comparison: ComparisonNode, _ entity: String, _ schema: PredicateSchema?
    ) -> PredicateNode? {
        guard comparison.modifier == .direct, comparison.options == [], let (key, op, _) = comparison.keyed(),
            case .keyPath(let keys) = key.kind
        else { return nil }
        let path = keys.joined(separator: ".")
        let known = operators[path] ?? []
        guard let plain = KeyCondition(comparison) else {
            switch op {
            case .custom, .utiEquals, .utiConformsTo:
                return known.contains(op) ? PredicateNode(.comparison(comparison)) : nil
            default: return nil
            }
        }
        let type = schema?.attribute(at: PredicateSortKey(path), of: entity)?.attribute.type ?? .any
        guard let condition = plain.typed(type) else { return nil }
        if condition.isNever { return PredicateNode(.constant(condition.isNegated)) }
        guard comparesNil || condition.test != .isNil, case .comparison(var asked) = condition.node().kind
        else { return nil }
        // A relationship is compared with objects and nil only.
        if case .relationship? = schema?.key(path, of: entity),
            !condition.constants.allSatisfy({ $0.as(StoredObject.self) != nil })
        {
            return nil
        }
        if asked.operator == .equal, condition.test != .isNil, !known.contains(.equal) {
            (asked.operator, asked.right) = (.in, ExpressionNode(.aggregate([asked.right])))
        }
        asked.operatorSpan = comparison.operatorSpan
        return known.contains(asked.operator) ? PredicateNode(.comparison(asked)) : nil
    }
}
