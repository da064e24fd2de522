// The constants whose comparisons are merged, and their order in lists.
import PredicateEvaluation
import PredicateModel
import PredicateSyntax

/// The types of constants for which one comparison with a value implies another: `v > 5` implies `v > 3`.
///
/// Comparing an integer with a double rounds the integer, and decimals have more digits than doubles. So integers must
/// be below 2^53, where nothing is rounded, and decimals, NaN and infinite numbers are excluded.
enum ConstantKind: Int, Hashable {
    case null, integer, double, text, date

    init?(_ value: PredicateValue) {
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

extension [PredicateValue] {
    /// The distinct values; `1` and `1.0` are two.
    func distinct() -> [PredicateValue] {
        var seen = Set<PredicateValue>()
        return filter { seen.insert($0).inserted }
    }

    /// The distinct constants, sorted by type, then by value.
    func distinctInOrder() -> [PredicateValue] {
        let ranked = distinct().map { (rank: ConstantKind($0)?.rawValue ?? .max, value: $0) }
        let sorted = ranked.ordered { one, other in
            if one.rank != other.rank { return one.rank < other.rank }
            return (try? one.value.order(against: other.value, for: "")) ?? 0 < 0
        }
        return sorted.map { $0.value }
    }
}
