// The numbers for which a comparison with a constant holds are an interval, for every operator that has an order.
// Blocks, columns and SQL compare with its bounds, so that no constant is converted while rows are tested.
package import PredicateSyntax

/// An operator that orders values.
package enum Order: Hashable, Sendable {
    case equal, different, less, lessOrEqual, greater, greaterOrEqual

    /// nil for operators without an order.
    package init?(_ comparison: ComparisonOperator) {
        switch comparison {
        case .equal: self = .equal
        case .notEqual: self = .different
        case .lessThan: self = .less
        case .lessThanOrEqual: self = .lessOrEqual
        case .greaterThan: self = .greater
        case .greaterThanOrEqual: self = .greaterOrEqual
        default: return nil
        }
    }

    package var comparison: ComparisonOperator {
        switch self {
        case .equal: .equal
        case .different: .notEqual
        case .less: .lessThan
        case .lessOrEqual: .lessThanOrEqual
        case .greater: .greaterThan
        case .greaterOrEqual: .greaterThanOrEqual
        }
    }

    /// The order for exchanged sides.
    package var mirrored: Order {
        switch self {
        case .equal, .different: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }

    /// The negated order, for comparable values, which are never NaN.
    package var complement: Order {
        switch self {
        case .equal: .different
        case .different: .equal
        case .less: .greaterOrEqual
        case .lessOrEqual: .greater
        case .greater: .lessOrEqual
        case .greaterOrEqual: .less
        }
    }

    package func holds<Number: Comparable>(_ left: Number, _ right: Number) -> Bool {
        switch self {
        case .equal: left == right
        case .different: left != right
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        case .greaterOrEqual: left >= right
        }
    }
}

/// The numbers of an interval, or with `isNegated` all others.
package struct Interval<Number: Comparable & Sendable>: Sendable {
    /// nil: the interval is empty.
    package let range: ClosedRange<Number>?
    package let isNegated: Bool

    /// Empty if the lower bound is nil or greater than the upper one.
    package init(_ lower: Number?, _ upper: Number?, isNegated: Bool = false) {
        self.isNegated = isNegated
        if let lower, let upper, lower <= upper { range = lower...upper } else { range = nil }
    }
}

/// The integers next to a number: the first not less and the last not greater, if there are any.
package struct IntegerSpan: Sendable {
    package let first: Int64?
    package let last: Int64?

    /// Finds the integers by binary search with the scalar rules. nil for NaN, which has no order.
    ///
    /// - Parameters:
    ///   - constant: the number.
    ///   - isUnsigned: whether the integers are those of `UInt64`, each with its highest bit flipped.
    /// - Throws: `operand-type` if the constant is not a number.
    package init?(
        of constant: PredicateValue, in rules: OperatorRules = .standard, isUnsigned: Bool = false
    ) throws(EvaluationFault) {
        if case .integer(let number) = constant, !isUnsigned || number >= 0 {
            first = isUnsigned ? number ^ .min : number
            last = first
            return
        }
        func order(_ number: Int64) throws(EvaluationFault) -> Int? {
            let value = isUnsigned ? UInt64(bitPattern: number ^ .min).predicateValue : .integer(number)
            return try value.order(against: constant, for: "<", in: rules)
        }
        guard try order(0) != nil else { return nil }
        first = try Self.first { (number) throws(EvaluationFault) in try order(number) ?? -1 >= 0 }
        let next = try Self.first { (number) throws(EvaluationFault) in try order(number) ?? -1 > 0 }
        last = next.map { $0 == .min ? nil : $0 - 1 } ?? .max
    }

    /// The smallest integer from which on a test holds.
    private static func first(
        where holds: (Int64) throws(EvaluationFault) -> Bool
    ) throws(EvaluationFault) -> Int64? {
        guard try holds(.max) else { return nil }
        var (low, high) = (Int64.min, Int64.max)
        while low < high {
            // The mean rounded down, also for negative numbers, without overflow.
            let middle = (low >> 1) + (high >> 1) + (low & high & 1)
            if try holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The integers with an order to the number.
    package func interval(_ order: Order) -> Interval<Int64> {
        switch order {
        case .equal, .different: Interval(first, last, isNegated: order == .different)
        case .less: Interval(.min, first.map { $0 == .min ? nil : $0 - 1 } ?? .max)
        case .lessOrEqual: Interval(.min, last)
        case .greater: Interval(last.map { $0 == .max ? nil : $0 + 1 } ?? .min, .max)
        case .greaterOrEqual: Interval(first, .max)
        }
    }
}

extension Interval<Double> {
    /// The doubles with an order to a number. Strict bounds are the neighbouring doubles.
    package init(_ order: Order, _ number: Double) {
        let infinity = Double.infinity
        switch order {
        case .equal, .different: self.init(number, number, isNegated: order == .different)
        case .less: self.init(-infinity, number == -infinity ? nil : number.nextDown)
        case .lessOrEqual: self.init(-infinity, number)
        case .greater: self.init(number == infinity ? nil : number.nextUp, infinity)
        case .greaterOrEqual: self.init(number, infinity)
        }
    }
}
