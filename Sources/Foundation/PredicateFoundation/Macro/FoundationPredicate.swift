// Converts a predicate to Foundation's Predicate, for APIs that take one, such as SwiftData. FoundationPath.swift
// builds key paths, FoundationComparisons.swift builds comparisons.
public import Foundation

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension FormatPredicate {
    /// Converts a predicate to Foundation's `Predicate`, the type that `#Predicate` creates.
    ///
    ///     let stored = try FormatPredicate("price < 10 AND ANY tags == 'new'")
    ///     let predicate = try stored.foundationPredicate(for: Book.self)
    ///
    /// The key table provides the key paths. Supported are constants and comparisons, `AND`, `OR`, `NOT`, `BETWEEN`,
    /// `IN`, `ANY`, `ALL`, `@count`, and `CONTAINS` and `BEGINSWITH` without options.
    ///
    /// - Throws: `PredicateConversionError`, with the position, for anything else, for unknown keys, and for a constant
    ///   of another type than its key.
    /// - Complexity: linear in the predicate.
    public func foundationPredicate<Root: Queryable>(
        for type: Root.Type = Root.self
    ) throws(PredicateConversionError) -> Foundation.Predicate<Root> {
        var failure: PredicateConversionError?
        let predicate = Foundation.Predicate<Root> { object in
            do throws(PredicateConversionError) {
                return try FoundationTreeBuilder(object: object).condition(root)
            } catch {
                failure = error
                return PredicateExpressions.Value(false)
            }
        }
        if let failure { throw failure }
        return predicate
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
typealias BooleanExpression = any StandardPredicateExpression<Bool>

/// Builds the tree of a predicate about one object: the root, or an element of a collection.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
struct FoundationTreeBuilder: PartConverter {
    let object: any StandardPredicateExpression
    var path: [String] = []

    /// The builder for another object, at the same position.
    func with(_ object: any StandardPredicateExpression) -> FoundationTreeBuilder {
        FoundationTreeBuilder(object: object, path: path)
    }

    // MARK: Conditions

    func condition(_ node: PredicateNode) throws(PredicateConversionError) -> BooleanExpression {
        switch node.kind {
        case .constant(let value): return PredicateExpressions.Value(value)
        case .and(let parts): return try compound(parts, "AND", true) { Self.conjunction($0, $1) }
        case .or(let parts): return try compound(parts, "OR", false) { Self.disjunction($0, $1) }
        case .not(let part): return Self.negation(try at("NOT").condition(part))
        case .comparison(let comparison): return try self.comparison(comparison)
        case .error: throw error("it has an error")
        }
    }

    private func compound(
        _ parts: [PredicateNode], _ name: String, _ valueIfEmpty: Bool,
        _ join: (BooleanExpression, BooleanExpression) -> BooleanExpression
    ) throws(PredicateConversionError) -> BooleanExpression {
        var conditions: [BooleanExpression] = []
        for (index, part) in parts.enumerated() {
            conditions.append(try at("\(name), part \(index + 1)").condition(part))
        }
        return Self.joined(conditions[...], join) ?? PredicateExpressions.Value(valueIfEmpty)
    }

    /// Joins expressions to a balanced tree. A chain of thousands would be as deep as it is long, and each part would
    /// have its own type.
    private static func joined(
        _ parts: ArraySlice<BooleanExpression>, _ join: (BooleanExpression, BooleanExpression) -> BooleanExpression
    ) -> BooleanExpression? {
        guard parts.count > 1 else { return parts.first }
        let middle = parts.startIndex + parts.count / 2
        guard let left = joined(parts[..<middle], join), let right = joined(parts[middle...], join) else { return nil }
        return join(left, right)
    }

    static func conjunction(
        _ left: some StandardPredicateExpression<Bool>, _ right: some StandardPredicateExpression<Bool>
    ) -> BooleanExpression { PredicateExpressions.Conjunction(lhs: left, rhs: right) }

    static func disjunction(
        _ left: some StandardPredicateExpression<Bool>, _ right: some StandardPredicateExpression<Bool>
    ) -> BooleanExpression { PredicateExpressions.Disjunction(lhs: left, rhs: right) }

    static func negation(_ part: some StandardPredicateExpression<Bool>) -> BooleanExpression {
        PredicateExpressions.Negation(part)
    }

    private func comparison(_ node: ComparisonNode) throws(PredicateConversionError) -> BooleanExpression {
        let inner = at("\(PredicateNode(.comparison(node)))")
        guard node.options.isEmpty else { throw inner.error("Foundation has no option \(node.options.spelling)") }
        if let condition = KeyCondition(node, constant: Self.constant) {
            return try condition.quantifier == .direct ? inner.direct(condition) : inner.quantified(condition)
        }
        guard node.modifier == .direct else { throw inner.error("its right side is not a constant") }
        return try inner.compare(inner.value(node.left), node.operator, inner.value(node.right))
    }

    private func direct(_ condition: KeyCondition) throws(PredicateConversionError) -> BooleanExpression {
        let left = try value(condition.key)
        let equality: ComparisonOperator = condition.isNegated ? .notEqual : .equal
        switch condition.test {
        case .isNil: return try compare(left, equality, .null)
        case .members(let list) where list.count == 1: return try compare(left, equality, list[0])
        case .members(let list):
            let matches = try list.map { (constant) throws(PredicateConversionError) -> BooleanExpression in
                try compare(left, .equal, constant)
            }
            let found = Self.joined(matches[...]) { Self.disjunction($0, $1) } ?? PredicateExpressions.Value(false)
            return condition.isNegated ? Self.negation(found) : found
        case .order(let order, let bound): return try compare(left, order.comparison, bound)
        case .range(let lower, let upper):
            return Self.conjunction(
                try compare(left, .greaterThanOrEqual, lower), try compare(left, .lessThanOrEqual, upper))
        case .text(let text, .prefix): return try search(left, .string(text), anywhere: false)
        case .contains(let constant):
            if let found = try contains(left, constant) { return found }
            return try search(left, constant, anywhere: true)
        case .text, .part, .pattern: throw error("Foundation does not compare a \(Self.output(left)) this way")
        }
    }

    private func search(
        _ left: any StandardPredicateExpression, _ constant: PredicateValue, anywhere: Bool
    ) throws(PredicateConversionError) -> BooleanExpression {
        guard case .string(let needle) = constant else { throw error("its right side is not a text") }
        if let text = left as? any StandardPredicateExpression<String> { return Self.search(text, needle, anywhere) }
        if let text = left as? any StandardPredicateExpression<String?> {
            return Self.searchOptional(text, needle, anywhere)
        }
        throw error("its left side is not a text")
    }

    private static func search(
        _ text: some StandardPredicateExpression<String>, _ needle: String, _ anywhere: Bool
    ) -> BooleanExpression {
        // In Swift every text contains the empty text, in the language none does.
        guard !needle.isEmpty else { return PredicateExpressions.Value(false) }
        let needle = PredicateExpressions.Value(needle)
        if anywhere { return PredicateExpressions.CollectionContainsCollection(base: text, other: needle) }
        return PredicateExpressions.SequenceStartsWith(base: text, prefix: needle)
    }

    private static func searchOptional(
        _ text: some StandardPredicateExpression<String?>, _ needle: String, _ anywhere: Bool
    ) -> BooleanExpression {
        search(PredicateExpressions.NilCoalesce(lhs: text, rhs: PredicateExpressions.Value("")), needle, anywhere)
    }

    /// The value of a constant, of a constant CAST, as a user writes a date, or of a list of them; nil for other
    /// expressions.
    private static func constant(_ node: ExpressionNode) -> PredicateValue? {
        switch node.kind {
        case .aggregate(let elements):
            let values = elements.compactMap { constant($0) }
            return values.count == elements.count ? .array(values) : nil
        case .cast(let inner, _) where inner.constant != nil:
            return try? FormatExpression(node).evaluate(PredicateValue.null)
        default: return node.constant
        }
    }

    // MARK: Values

    /// The value of a key path of the object.
    func value(_ node: ExpressionNode) throws(PredicateConversionError) -> any StandardPredicateExpression {
        switch node.kind {
        case .selfObject: return object
        case .keyPath(let keys): return try FoundationPath(builder: self).value(keys, of: object)
        default: throw error("Foundation's counterpart of \(node) is not supported")
        }
    }

    private func quantified(_ condition: KeyCondition) throws(PredicateConversionError) -> BooleanExpression {
        guard case .keyPath(let keys) = condition.key.kind else { throw error("\(condition.key) is not a key path") }
        let path = FoundationPath(builder: self)
        let (list, rest) = try path.collection(keys, of: object)
        let key = ExpressionNode(rest.isEmpty ? .selfObject : .keyPath(rest))
        let element = KeyCondition(key, condition.test, isNegated: condition.isNegated)
        return try path.test(list, element.node(), isAll: condition.quantifier == .all)
    }
}
