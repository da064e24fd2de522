// Converts a predicate to Foundation's Predicate, for APIs that take one, such as SwiftData. FoundationPath.swift
// builds key paths, FoundationComparisons.swift builds comparisons.
public import Foundation
public import PredicateEvaluation
public import PredicateModel
import PredicateSyntax

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
                return try FoundationTreeBuilder(object).condition(root)
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
struct FoundationTreeBuilder {
    private let object: any StandardPredicateExpression
    private var place: [String] = []

    init(_ object: any StandardPredicateExpression) { self.object = object }

    func at(_ step: String) -> FoundationTreeBuilder {
        var inner = self
        inner.place.append(step)
        return inner
    }

    func error(_ reason: String) -> PredicateConversionError { PredicateConversionError(place, reason) }

    /// The builder for another object, at the same position.
    func with(_ object: any StandardPredicateExpression) -> FoundationTreeBuilder {
        var inner = FoundationTreeBuilder(object)
        inner.place = place
        return inner
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
        _ parts: [PredicateNode], _ name: String, _ ofNothing: Bool,
        _ join: (BooleanExpression, BooleanExpression) -> BooleanExpression
    ) throws(PredicateConversionError) -> BooleanExpression {
        var conditions: [BooleanExpression] = []
        for (index, part) in parts.enumerated() {
            conditions.append(try at("\(name), part \(index + 1)").condition(part))
        }
        return Self.joined(conditions[...], join) ?? PredicateExpressions.Value(ofNothing)
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
        guard node.modifier == .direct else { return try inner.quantified(node) }
        // A constant on the left changes sides.
        if Self.constant(node.left) != nil, let swapped = node.swapped { return try inner.direct(swapped) }
        return try inner.direct(node)
    }

    private func direct(_ node: ComparisonNode) throws(PredicateConversionError) -> BooleanExpression {
        let left = try value(node.left)
        switch node.operator {
        case .between:
            let bounds = try constants(node.right)
            guard bounds.count == 2 else { throw error("BETWEEN needs two bounds") }
            guard let (lower, upper) = try ordered(bounds[0], bounds[1]) else {
                return PredicateExpressions.Value(false)
            }
            return Self.conjunction(
                try compare(left, .greaterThanOrEqual, lower), try compare(left, .lessThanOrEqual, upper))
        case .in:
            var matches: [BooleanExpression] = []
            // nil is in no list.
            for constant in try constants(node.right) where !constant.isNil {
                matches.append(try compare(left, .equal, constant))
            }
            return Self.joined(matches[...]) { Self.disjunction($0, $1) } ?? PredicateExpressions.Value(false)
        case .contains, .beginsWith: return try search(left, node)
        default:
            if let constant = Self.constant(node.right) { return try compare(left, node.operator, constant) }
            return try compare(left, node.operator, try value(node.right))
        }
    }

    /// The lower and the upper bound: reversed bounds are exchanged. nil if nothing is between them, because one is nil
    /// or not a number.
    private func ordered(
        _ one: PredicateValue, _ other: PredicateValue
    ) throws(PredicateConversionError) -> (PredicateValue, PredicateValue)? {
        func isOrdered(_ one: PredicateValue, _ other: PredicateValue) throws(PredicateConversionError) -> Bool {
            do throws(PredicateFailure) {
                return try FormatPredicate.comparison(.value(one), .lessThanOrEqual, .value(other)).evaluate(one)
            } catch {
                throw self.error("its bounds have different types")
            }
        }
        if one.isNil || other.isNil { return nil }
        return try isOrdered(one, other) ? (one, other) : isOrdered(other, one) ? (other, one) : nil
    }

    private func search(
        _ left: any StandardPredicateExpression, _ node: ComparisonNode
    ) throws(PredicateConversionError) -> BooleanExpression {
        guard case .value(let constant) = node.right.kind else { throw error("its right side is not a constant") }
        if node.operator == .contains, let found = try contains(left, constant) { return found }
        guard case .string(let needle) = constant else { throw error("its right side is not a text") }
        if let text = left as? any StandardPredicateExpression<String> {
            return Self.search(text, needle, node.operator == .contains)
        }
        if let text = left as? any StandardPredicateExpression<String?> {
            return Self.searchOptional(text, needle, node.operator == .contains)
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

    /// The value of a constant or of a constant CAST, as a user writes a date; nil for other expressions.
    private static func constant(_ node: ExpressionNode) -> PredicateValue? {
        switch node.kind {
        case .value(let value): value
        case .cast(let inner, _) where inner.constant != nil:
            try? FormatExpression(node).evaluate(PredicateValue.null)
        default: nil
        }
    }

    private func constants(_ node: ExpressionNode) throws(PredicateConversionError) -> [PredicateValue] {
        if case .aggregate(let elements) = node.kind {
            let values = elements.compactMap { Self.constant($0) }
            guard values.count == elements.count else { throw error("an element is not a constant") }
            return values
        }
        switch node.constant {
        case .array(let values), .set(let values): return values
        default:
            throw error("its right side is not a list of constants")
        }
    }

    // MARK: Values

    /// The value of a key path of the object.
    func value(_ node: ExpressionNode) throws(PredicateConversionError) -> any StandardPredicateExpression {
        switch node.kind {
        case .selfObject: return object
        case .keyPath(let keys): return try FoundationPath(self).value(keys, of: object)
        default: throw error("Foundation's counterpart of \(node) is not supported")
        }
    }

    private func quantified(_ node: ComparisonNode) throws(PredicateConversionError) -> BooleanExpression {
        guard case .keyPath(let keys) = node.left.kind else { throw error("\(node.left) is not a key path") }
        let path = FoundationPath(self)
        let (list, rest) = try path.collection(keys, of: object)
        let inner = PredicateNode(
            .comparison(
                ComparisonNode(
                    rest.isEmpty ? ExpressionNode(.selfObject) : ExpressionNode(.keyPath(rest)), node.operator,
                    node.right)))
        return try path.test(list, inner, isAll: node.modifier == .all)
    }
}

extension ComparisonNode {
    /// The same comparison with its sides exchanged; nil if no operator expresses it.
    fileprivate var swapped: ComparisonNode? {
        let mirrored = self.operator == .in ? .contains : Order(self.operator)?.mirrored.comparison
        return mirrored.map { ComparisonNode(right, $0, left) }
    }
}
