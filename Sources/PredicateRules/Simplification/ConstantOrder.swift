// Derives facts about a value from two constants that it is compared with.
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

    /// Whether it is an integer or a double. Numbers can be ordered; a number and a text cannot.
    var isNumber: Bool { self == .integer || self == .double }

    func hasOrder(with other: ConstantKind) -> Bool { self == other && self != .null || isNumber && other.isNumber }
}

/// A constant of a supported type.
struct SimpleConstant: Hashable {
    let value: PredicateValue
    let kind: ConstantKind

    init?(_ value: PredicateValue) {
        guard let kind = ConstantKind(value) else { return nil }
        self.value = value
        self.kind = kind
    }

    /// The relation between two constants, with respect to every value that is compared with both.
    enum Relation {
        case less, equal, greater
        /// No value equals both constants.
        case apart
    }

    /// nil if it is unknown: for an integer and a double of the same value, because a decimal may equal only one of
    /// them.
    func relation(to other: SimpleConstant) -> Relation? {
        guard kind.hasOrder(with: other.kind) else { return kind == other.kind ? .equal : .apart }
        guard let order = try? value.order(against: other.value, for: "") else { return nil }
        if order == 0 { return kind == other.kind ? .equal : nil }
        return order < 0 ? .less : .greater
    }

    /// Whether a value that equals this constant fulfils a comparison; nil if this is unknown or the comparison throws.
    func fulfils(_ order: Order, _ other: SimpleConstant) -> Bool? {
        let number: Int
        switch relation(to: other) {
        case nil: return nil
        case .apart:
            if order == .equal || order == .different { return order == .different }
            return kind == .null || other.kind == .null ? false : nil
        case .less: number = -1
        case .equal: number = 0
        case .greater: number = 1
        }
        if kind == .null { return order == .equal || order == .lessOrEqual || order == .greaterOrEqual }
        return order.holds(number, 0)
    }

    /// A total order for sorting lists: by type, then by value.
    static func precedes(_ left: SimpleConstant, _ right: SimpleConstant) -> Bool {
        if left.kind != right.kind { return left.kind.rawValue < right.kind.rawValue }
        return (try? left.value.order(against: right.value, for: "")).flatMap { $0 } ?? 0 < 0
    }

    /// The distinct constants, sorted.
    static func sorted(_ constants: [SimpleConstant]) -> [SimpleConstant] {
        var seen: Set<SimpleConstant> = []
        return constants.filter { seen.insert($0).inserted }.sorted(by: precedes)
    }
}
