// For every operator that orders values, the numbers that fulfil a comparison with a constant are an interval. Blocks,
// columns and SQL compare with its bounds, so that the constant is not converted for each row.

/// An operator that orders values.
package enum Order: Hashable, Sendable, CaseIterable {
    case equal, different, less, lessOrEqual, greater, greaterOrEqual

    /// nil for operators without an order.
    package init?(_ comparison: ComparisonOperator) {
        guard let order = Self.allCases.first(where: { $0.comparison == comparison }) else { return nil }
        self = order
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

    /// The order after the two sides are exchanged.
    package var mirrored: Order {
        switch self {
        case .equal, .different: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }

    /// The order for the negated comparison. Valid only without NaN.
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

/// The numbers in an interval, or with `isNegated` all other numbers.
package struct Interval<Number: Comparable & Sendable>: Sendable {
    /// The bounds; nil if the interval is empty.
    package let range: ClosedRange<Number>?
    package let isNegated: Bool

    /// Empty if the lower bound is nil or greater than the upper one.
    package init(_ lower: Number?, _ upper: Number?, isNegated: Bool = false) {
        self.isNegated = isNegated
        if let lower, let upper, lower <= upper { range = lower...upper } else { range = nil }
    }
}

/// The integers next to a number: the smallest that is not less, and the greatest that is not greater, if they exist.
package struct IntegerSpan: Sendable {
    package let first: Int64?
    package let last: Int64?

    /// Finds these integers by binary search with the rules of comparisons. nil for NaN.
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

    /// The smallest integer for which the test holds. It must also hold for all larger ones.
    private static func first(
        where holds: (Int64) throws(EvaluationFault) -> Bool
    ) throws(EvaluationFault) -> Int64? {
        try holds(.max) ? try (Int64.min..<Int64.max).first(fromWhich: holds) : nil
    }

    /// The integers that have the given order to the number.
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
    /// The doubles that have the given order to a number. A strict bound becomes the neighbouring double.
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
