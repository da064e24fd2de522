// Remembers valid comparisons. The predicates of a large set have few signatures, so most need no complete check.

/// The comparisons of keys with constants that were found to be valid.
///
/// Whether such a comparison is valid depends on its key, its operator and the type of its constant, not on the value.
struct ValidComparisons: Sendable {
    private var signatures: [[String]: [Signature]] = [:]
    /// The environment of the comparisons: that of the latest predicate.
    private var environment = PredicateEnvironment.standard

    /// Whether a predicate is certainly valid. A predicate with warnings, or one that was built in code, always needs a
    /// complete check.
    func contains(_ predicate: FormatPredicate) -> Bool {
        !predicate.source.isEmpty && predicate.warnings.isEmpty
            && predicate.environment === environment
            && environment.limits.exceeded(by: predicate.root.height) == nil && contains(predicate.root)
    }

    private func contains(_ node: PredicateNode) -> Bool {
        switch node.kind {
        case .constant: return true
        case .error: return false
        case .not(let child): return contains(child)
        case .and(let children), .or(let children): return children.allSatisfy(contains)
        case .comparison(let comparison):
            guard let (keys, signature) = Self.signature(of: comparison) else { return false }
            return signatures[keys]?.contains(signature) ?? false
        }
    }

    /// Adds the comparisons of a valid predicate.
    mutating func insert(_ predicate: FormatPredicate) {
        if predicate.environment !== environment { (signatures, environment) = ([:], predicate.environment) }
        insert(predicate.root)
    }

    private mutating func insert(_ node: PredicateNode) {
        switch node.kind {
        case .constant, .error: break
        case .not(let child): insert(child)
        case .and(let children), .or(let children): for child in children { insert(child) }
        case .comparison(let comparison):
            guard let (keys, signature) = Self.signature(of: comparison), signatures[keys]?.contains(signature) != true
            else { return }
            signatures[keys, default: []].append(signature)
        }
    }

    private struct Signature: Sendable, Equatable {
        let op: ComparisonOperator
        let modifier: ComparisonModifier
        let options: ComparisonOptions
        let isConstantFirst: Bool
        let types: ConstantTypes
    }

    private struct ConstantTypes: OptionSet {
        let rawValue: UInt32

        static let list = Self(rawValue: 1 << 16)
        /// A list of two elements, as BETWEEN needs it.
        static let pair = Self(rawValue: 3 << 16)

        /// nil for types that are not remembered.
        init?(_ node: ExpressionNode) {
            switch node.kind {
            case .value(.array(let values)):
                self.init(listOf: values.count) { Self(scalar: values[$0]) }
            case .value(let value): self.init(scalar: value)
            case .aggregate(let elements):
                self.init(listOf: elements.count) { index in
                    if case .value(let value) = elements[index].kind { Self(scalar: value) } else { nil }
                }
            default: return nil
            }
        }

        private init?(listOf count: Int, _ types: (Int) -> Self?) {
            self = count == 2 ? .pair : .list
            for index in 0..<count {
                guard let one = types(index) else { return nil }
                formUnion(one)
            }
        }

        private init?(scalar value: PredicateValue) {
            switch value {
            case .null, .nsNull: self.init(rawValue: 1)
            case .bool: self.init(rawValue: 1 << 1)
            case .integer: self.init(rawValue: 1 << 2)
            case .float, .double: self.init(rawValue: 1 << 3)
            case .decimal: self.init(rawValue: 1 << 4)
            case .string: self.init(rawValue: 1 << 5)
            case .date: self.init(rawValue: 1 << 6)
            case .data: self.init(rawValue: 1 << 7)
            case .uuid: self.init(rawValue: 1 << 8)
            case .url: self.init(rawValue: 1 << 9)
            case .array, .set, .dictionary, .type, .object: return nil
            }
        }

        init(rawValue: UInt32) { self.rawValue = rawValue }
    }

    /// nil for other comparisons than those of a key with a constant.
    private static func signature(of comparison: ComparisonNode) -> (keys: [String], Signature)? {
        let left = keys(comparison.left)
        guard let keys = left ?? keys(comparison.right),
            let types = ConstantTypes(left == nil ? comparison.left : comparison.right)
        else { return nil }
        let signature = Signature(
            op: comparison.operator, modifier: comparison.modifier, options: comparison.options,
            isConstantFirst: left == nil, types: types)
        return (keys, signature)
    }

    private static func keys(_ node: ExpressionNode) -> [String]? {
        switch node.kind {
        case .selfObject: []
        case .keyPath(let keys): keys
        default: nil
        }
    }
}
