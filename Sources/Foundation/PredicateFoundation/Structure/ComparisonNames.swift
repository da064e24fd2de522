// Converts the operators, modifiers and options of NSComparisonPredicate to those of the tree and back.
import Foundation

extension ComparisonOperator {
    private static let pairs: [(ComparisonKind, ComparisonOperator)] = [
        (.lessThan, .lessThan), (.lessThanOrEqualTo, .lessThanOrEqual), (.greaterThan, .greaterThan),
        (.greaterThanOrEqualTo, .greaterThanOrEqual), (.equalTo, .equal), (.notEqualTo, .notEqual),
        (.matches, .matches), (.like, .like), (.beginsWith, .beginsWith), (.endsWith, .endsWith), (.in, .in),
        (.contains, .contains), (.between, .between),
    ]

    /// The operator of a comparison object.
    init(_ kind: ComparisonKind) { self = Self.pairs.first { $0.0 == kind }?.1 ?? .custom("") }

    /// The type in a comparison object; nil for operators without one.
    var kind: ComparisonKind? { Self.pairs.first { $0.1 == self }?.0 }
}

extension ComparisonModifier {
    init(_ scope: ComparisonScope) {
        self =
            switch scope {
            case .all: .all
            case .any: .any
            default: .direct
            }
    }

    var scope: ComparisonScope {
        switch self {
        case .direct: .direct
        case .all: .all
        case .any: .any
        }
    }
}

extension ComparisonOptions {
    /// Both types use the same bits.
    init(_ flags: ComparisonFlags) { self.init(rawValue: UInt8(truncatingIfNeeded: flags.rawValue)) }
}
