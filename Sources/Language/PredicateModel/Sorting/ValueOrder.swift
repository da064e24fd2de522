// A total order of all values, so that values of mixed types are always sorted in the same way, in files and stores.
// For the types that a column can have, it is the order of SQL's ORDER BY.

/// A total order of values, only for sorting: nil, then numbers and Booleans by value (NaN first), texts by
/// code points, dates, UUIDs, data, arrays element by element, then all others by their text.
package enum ValueOrder {
    /// Returns a negative number, zero or a positive number if the left value is before, equal to or after the
    /// right one.
    package static func compare(_ left: PredicateValue, _ right: PredicateValue) -> Int {
        let ranks = (rank(left), rank(right))
        if ranks.0 != ranks.1 { return ranks.0 - ranks.1 }
        switch (left, right) {
        case (.string(let a), .string(let b)): return compare(a, b)
        case (.date(let a), .date(let b)): return compare(a, b)
        case (.uuid(let a), .uuid(let b)): return a.high == b.high ? compare(a.low, b.low) : compare(a.high, b.high)
        case (.data(let a), .data(let b)): return compare(a, b)
        case (.array(let a), .array(let b)):
            for (x, y) in zip(a, b) {
                let order = compare(x, y)
                if order != 0 { return order }
            }
            return compare(a.count, b.count)
        default:
            if ranks.0 == 0 { return 0 }
            if ranks.0 == 1 { return compareNumbers(left, right) }
            if case .url(let a) = left, case .url(let b) = right { return compare(a, b) }
            return compare(ExpressionNode(.value(left)).description, ExpressionNode(.value(right)).description)
        }
    }

    static func rank(_ value: PredicateValue) -> Int {
        switch value {
        case .null, .nsNull: 0
        case .bool, .integer, .float, .double, .decimal: 1
        case .string: 2
        case .date: 3
        case .uuid: 4
        case .data: 5
        case .url: 6
        case .array: 7
        case .set: 8
        case .dictionary: 9
        case .type: 10
        case .object: 11
        }
    }

    private static func compare<T: Comparable>(_ left: T, _ right: T) -> Int {
        left < right ? -1 : left > right ? 1 : 0
    }

    private static func compare(_ left: Double, _ right: Double) -> Int {
        if left.isNaN || right.isNaN { return (left.isNaN ? 0 : 1) - (right.isNaN ? 0 : 1) }
        return left < right ? -1 : left > right ? 1 : 0
    }

    /// UTF-8 bytes have the order of code points.
    private static func compare(_ left: String, _ right: String) -> Int {
        left.withBytes { left in
            right.withBytes { right in
                for index in 0..<min(left.count, right.count) where left[index] != right[index] {
                    return left[index] < right[index] ? -1 : 1
                }
                return left.count - right.count
            }
        }
    }

    private static func compare(_ left: [UInt8], _ right: [UInt8]) -> Int {
        left.lexicographicallyPrecedes(right) ? -1 : right.lexicographicallyPrecedes(left) ? 1 : 0
    }

    /// Compares by the nearest double, then by the rounding error. Comparing two integers by a different rule
    /// than an integer and a double would not be a consistent order.
    private static func compareNumbers(_ left: PredicateValue, _ right: PredicateValue) -> Int {
        if case .integer(let a) = left, case .integer(let b) = right { return compare(a, b) }
        let (a, b) = (parts(left), parts(right))
        let order = compare(a.nearest, b.nearest)
        return order != 0 ? order : compare(a.rest, b.rest)
    }

    private static func parts(_ value: PredicateValue) -> (nearest: Double, rest: WideInteger) {
        switch value {
        case .bool(let flag): return (flag ? 1 : 0, 0)
        case .integer(let number): return (Double(number), WideInteger(number) - WideInteger(Double(number)))
        case .float(let number): return (Double(number), 0)
        case .double(let number): return (number, 0)
        case .decimal(let number):
            let nearest = Double(number.description) ?? .nan
            guard abs(nearest) < 1e30, number.exponent >= 0 else { return (nearest, 0) }
            var whole = number.coefficient
            for _ in 0..<number.exponent { whole = whole.multipliedReportingOverflow(by: 10).partialValue }
            return (nearest, whole - WideInteger(nearest))
        default: return (.nan, 0)
        }
    }
}
