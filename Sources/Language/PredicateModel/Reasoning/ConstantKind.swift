// The constants whose comparisons are merged.

/// The types of constants for which one comparison with a value implies another: `v > 5` implies `v > 3`.
///
/// Comparing an integer with a double rounds the integer, and decimals have more digits than doubles. So integers must
/// be below 2^53, where nothing is rounded, and decimals, NaN and infinite numbers are excluded.
package enum ConstantKind: Int, Hashable, Sendable {
    case null, integer, double, text, date

    package init?(_ value: PredicateValue) {
        switch value {
        case .null, .nsNull: self = .null
        case .bool: self = .integer
        case .integer(let number):
            guard number.magnitude < 1 << 53 else { return nil }
            self = .integer
        case .float(let number):
            guard number.isFinite else { return nil }
            self = .double
        case .double(let number):
            guard number.isFinite else { return nil }
            self = .double
        case .string: self = .text
        case .date(let seconds):
            guard seconds.isFinite else { return nil }
            self = .date
        default: return nil
        }
    }
}
