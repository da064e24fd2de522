// Comparisons of Foundation's predicates. Both sides must have the same type, which is checked when the tree is built.
import Foundation

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension FoundationTreeBuilder {
    /// Compares a value with a constant.
    func compare(
        _ left: any StandardPredicateExpression, _ operation: ComparisonOperator, _ value: PredicateValue
    ) throws(PredicateConversionError) -> BooleanExpression {
        if value.isNil, let result = FoundationPath.compareNil(left, operation) { return result }
        return try compare(left, operation) { type in type.operand(value) }
    }

    /// Compares two values.
    func compare(
        _ left: any StandardPredicateExpression, _ operation: ComparisonOperator,
        _ right: any StandardPredicateExpression
    ) throws(PredicateConversionError) -> BooleanExpression {
        try compare(left, operation) { _ in right }
    }

    private func compare(
        _ left: any StandardPredicateExpression, _ operation: ComparisonOperator,
        _ right: (any PredicateConstant.Type) -> (any StandardPredicateExpression)?
    ) throws(PredicateConversionError) -> BooleanExpression {
        let output = Self.output(left)
        if let type = output as? any PredicateConstant.Type, let right = right(type) {
            if let result = type.compare(left, operation, right) { return result }
        } else if let type = (output as? any OptionalObjectType.Type)?.wrapped as? any PredicateConstant.Type,
            let right = right(type), let result = type.compareOptional(left, operation, right)
        {
            return result
        }
        throw error("Foundation does not compare a \(output) this way")
    }

    static func output<Operand: StandardPredicateExpression>(_ operand: Operand) -> Any.Type { Operand.Output.self }

    /// Whether a list contains a constant; nil if the value is not a list.
    func contains(
        _ list: any StandardPredicateExpression, _ value: PredicateValue
    ) throws(PredicateConversionError) -> BooleanExpression? {
        guard let type = (Self.output(list) as? any ListType.Type)?.element as? any PredicateConstant.Type else {
            return nil
        }
        guard let result = type.contains(list, value) else { throw error("the constant is not a \(type)") }
        return result
    }
}

/// A list or a set.
protocol ListType {
    static var element: Any.Type { get }
}
extension Array: ListType {
    static var element: Any.Type { Element.self }
}
extension Set: ListType {
    static var element: Any.Type { Element.self }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateConstant {
    /// The constant as an expression of the type, or of its optional type if it is nil.
    fileprivate static func operand(_ value: PredicateValue) -> (any StandardPredicateExpression)? {
        if value.isNil { return PredicateExpressions.NilLiteral<Self>() }
        return read(value).map { PredicateExpressions.Value($0) }
    }

    fileprivate static func compare(
        _ left: any StandardPredicateExpression, _ operation: ComparisonOperator,
        _ right: any StandardPredicateExpression
    ) -> BooleanExpression? {
        guard let left = left as? any StandardPredicateExpression<Self> else { return nil }
        if right is PredicateExpressions.NilLiteral<Self> {
            // A value that is not optional is never nil.
            return [.equal: false, .notEqual: true][operation].map { PredicateExpressions.Value($0) }
        }
        guard let right = right as? any StandardPredicateExpression<Self> else { return nil }
        return equate(left, operation, right) ?? ordering?.order(left, operation, right)
    }

    private static var ordering: (any (PredicateConstant & Comparable).Type)? {
        self as? any (PredicateConstant & Comparable).Type
    }

    private static func equate<Value: Equatable>(
        _ left: some StandardPredicateExpression<Value>, _ operation: ComparisonOperator,
        _ right: some StandardPredicateExpression<Value>
    ) -> BooleanExpression? {
        switch operation {
        case .equal: PredicateExpressions.Equal(lhs: left, rhs: right)
        case .notEqual: PredicateExpressions.NotEqual(lhs: left, rhs: right)
        default: nil
        }
    }

    fileprivate static func compareOptional(
        _ left: any StandardPredicateExpression, _ operation: ComparisonOperator,
        _ right: any StandardPredicateExpression
    ) -> BooleanExpression? {
        guard let left = left as? any StandardPredicateExpression<Self?> else { return nil }
        if let right = right as? any StandardPredicateExpression<Self?> {
            return equate(left, operation, right)
        }
        guard let right = right as? PredicateExpressions.Value<Self> else { return nil }
        if operation == .equal || operation == .notEqual {
            return equate(left, operation, PredicateExpressions.Value(Optional(right.value)))
        }
        return ordering?.orderOptional(left, operation, right.value)
    }

    fileprivate static func contains(
        _ list: any StandardPredicateExpression, _ value: PredicateValue
    ) -> BooleanExpression? {
        guard let constant = read(value) else { return nil }
        return (list as? any StandardPredicateExpression<[Self]>).map { contains($0, constant) }
    }

    private static func contains(
        _ list: some StandardPredicateExpression<[Self]>, _ constant: Self
    ) -> BooleanExpression {
        PredicateExpressions.SequenceContains(sequence: list, element: PredicateExpressions.Value(constant))
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension ComparisonOperator {
    fileprivate var order: PredicateExpressions.ComparisonOperator? {
        switch self {
        case .lessThan: .lessThan
        case .lessThanOrEqual: .lessThanOrEqual
        case .greaterThan: .greaterThan
        case .greaterThanOrEqual: .greaterThanOrEqual
        default: nil
        }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
extension PredicateConstant where Self: Comparable {
    fileprivate static func order(
        _ left: any StandardPredicateExpression, _ operation: ComparisonOperator,
        _ right: any StandardPredicateExpression
    ) -> BooleanExpression? {
        guard let left = left as? any StandardPredicateExpression<Self>, let order = operation.order,
            let right = right as? any StandardPredicateExpression<Self>
        else { return nil }
        return ordered(left, order, right)
    }

    private static func ordered(
        _ left: some StandardPredicateExpression<Self>, _ order: PredicateExpressions.ComparisonOperator,
        _ right: some StandardPredicateExpression<Self>
    ) -> BooleanExpression { PredicateExpressions.Comparison(lhs: left, rhs: right, op: order) }

    fileprivate static func orderOptional(
        _ left: any StandardPredicateExpression, _ operation: ComparisonOperator, _ right: any PredicateConstant
    ) -> BooleanExpression? {
        guard let left = left as? any StandardPredicateExpression<Self?>, let order = operation.order,
            let right = right as? Self
        else { return nil }
        return orderedOptional(left, order, PredicateExpressions.Value(right))
    }

    /// nil is neither less nor greater than any value.
    private static func orderedOptional<Left: StandardPredicateExpression>(
        _ left: Left, _ order: PredicateExpressions.ComparisonOperator, _ right: PredicateExpressions.Value<Self>
    ) -> BooleanExpression where Left.Output == Self? {
        typealias Order = PredicateExpressions.Comparison<
            PredicateExpressions.Variable<Self>, PredicateExpressions.Value<Self>
        >
        let test = PredicateExpressions.OptionalFlatMap<Left, Self, Order, Bool>(left) {
            Order(lhs: $0, rhs: right, op: order)
        }
        return PredicateExpressions.NilCoalesce(lhs: test, rhs: PredicateExpressions.Value(false))
    }
}
