// Divides a request into the part that a back end executes and the part that is done in memory. RecordStore.swift uses
// it.
public import PredicateModel
public import PredicateSyntax

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
    /// Whether the back end applies limit and offset. Without sort keys it does so in the order of the primary key.
    public var limits: Bool

    public init(
        operators: [String: Set<ComparisonOperator>] = [:], combinesOr: Bool = false, negates: Bool = false,
        sortKeys: Set<String> = [], limits: Bool = false, comparesNil: Bool = true
    ) {
        self.comparesNil = comparesNil
        self.operators = operators
        self.combinesOr = combinesOr
        self.negates = negates
        self.sortKeys = sortKeys
        self.limits = limits
    }
}

/// A back end of a store: its entities, and what it can do. `RecordSource` and `IncrementalSource` add how it is read.
public protocol StoreSource: Sendable {
    /// The entities of the records.
    var schema: PredicateSchema { get }
    /// The parts of a request that the back end executes.
    var capabilities: StoreCapabilities { get }
}

/// A request, divided by the capabilities of a back end.
///
///     let split = CapabilitySplit(request, StoreCapabilities(operators: ["city": [.equal]]))
///     split.request.predicate     // city == "Bonn"
///     split.residual              // name MATCHES "A.*"
public struct CapabilitySplit: Sendable {
    /// The request for the back end. Its predicate is an upper bound: every object that the whole request selects
    /// matches it.
    public let request: FetchRequest
    /// The predicate to test in memory on each returned record; nil if there is none.
    public let residual: FormatPredicate?
    /// The sort keys to apply in memory; empty if the back end sorts.
    public let sort: [SortKey]
    /// Whether limit and offset are applied in memory.
    public let limitsInMemory: Bool

    public init(_ request: FetchRequest, _ capabilities: StoreCapabilities) {
        let (pushed, residual) = capabilities.divide(request.predicate.root)
        self.residual = residual.map { FormatPredicate($0, source: request.predicate.source) }
        let sorts = request.sort.allSatisfy(capabilities.sorts)
        sort = sorts ? [] : request.sort
        let isCut = request.limit != nil || request.offset > 0
        limitsInMemory = isCut && !(capabilities.limits && residual == nil && sorts)
        var divided = request
        divided.predicate = pushed.map { FormatPredicate($0) } ?? .constant(true)
        if !sorts { divided.sort = [] }
        divided.prefetch = []
        if limitsInMemory { (divided.limit, divided.offset) = (nil, 0) }
        self.request = divided
    }
}

extension StoreCapabilities {
    fileprivate func sorts(_ key: SortKey) -> Bool {
        key.options == [] && key.nils == SortKey(key.path, descending: key.isDescending).nils
            && sortKeys.contains(key.path)
    }

    /// Returns an upper bound of `node` that the back end can test, and the predicate that is still to be tested in
    /// memory. Each is nil if there is none.
    fileprivate func divide(_ node: PredicateNode) -> (pushed: PredicateNode?, residual: PredicateNode?) {
        switch node.kind {
        case .constant: return (node, nil)
        case .comparison(let comparison): return takes(comparison) ? (node, nil) : (nil, node)
        case .and(let children):
            let parts = children.map(divide)
            return (
                Self.joined(parts.compactMap(\.pushed), PredicateNode.Kind.and),
                Self.joined(parts.compactMap(\.residual), PredicateNode.Kind.and)
            )
        case .or(let children):
            let parts = children.map(divide)
            let pushed = parts.compactMap(\.pushed)
            // A term without an upper bound leaves the OR without one.
            guard combinesOr, pushed.count == children.count else { return (nil, node) }
            return (PredicateNode(.or(pushed)), parts.allSatisfy { $0.residual == nil } ? nil : node)
        case .not(let child):
            // The negation of an upper bound is no upper bound.
            return negates && divide(child).residual == nil ? (node, nil) : (nil, node)
        case .error: return (nil, node)
        }
    }

    private static func joined(
        _ nodes: [PredicateNode], _ kind: ([PredicateNode]) -> PredicateNode.Kind
    ) -> PredicateNode? {
        nodes.count > 1 ? PredicateNode(kind(nodes)) : nodes.first
    }

    private func takes(_ comparison: ComparisonNode) -> Bool {
        guard comparison.modifier == .direct, comparison.options == [], case .keyPath(let keys) = comparison.left.kind,
            operators[keys.joined(separator: ".")]?.contains(comparison.operator) ?? false
        else { return false }
        switch comparison.right.kind {
        case .value(let value): return comparesNil || !value.isNil
        case .aggregate(let elements):
            return elements.allSatisfy { element in
                if case .value(let value) = element.kind { comparesNil || !value.isNil } else { false }
            }
        default: return false
        }
    }
}
