// Names for the parts of a comparison, in extensions of the nested types of NSComparisonPredicate.
import Foundation

protocol Symbolic { var symbol: String { get } }

extension NSComparisonPredicate.Operator: Symbolic {
    var symbol: String {
        switch self {
        case .lessThan: "<"
        case .equalTo: "="
        case .beginsWith: "^"
        default: "?"
        }
    }

    static let ordered: [NSComparisonPredicate.Operator] = [.lessThan, .lessThanOrEqualTo, .greaterThan]
}

extension NSComparisonPredicate.Modifier: Symbolic {
    var symbol: String { self == .any ? "any " : self == .all ? "all " : "" }
}

extension NSComparisonPredicate.Options: Symbolic {
    static let folded: NSComparisonPredicate.Options = [.caseInsensitive, .diacriticInsensitive]
    var symbol: String { (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "") }
}

extension NSCompoundPredicate.LogicalType: Symbolic {
    var symbol: String { [.and: "&", .or: "|", .not: "!"][self] ?? "" }
}

func operatorSymbols() -> [String] {
    var parts: [any Symbolic] = NSComparisonPredicate.Operator.ordered
    parts += [NSComparisonPredicate.Operator.equalTo, NSComparisonPredicate.Operator.beginsWith]
    parts += [NSComparisonPredicate.Modifier.direct, NSComparisonPredicate.Modifier.any]
    parts += [NSComparisonPredicate.Options.folded, NSComparisonPredicate.Options.normalized]
    parts += [NSCompoundPredicate.LogicalType.and, NSCompoundPredicate.LogicalType.not]
    let (operation, modifier) = (NSComparisonPredicate.Operator.beginsWith, NSComparisonPredicate.Modifier.any)
    let numbers = "\(operation.rawValue) \(modifier.rawValue) \(NSComparisonPredicate.Options.folded.rawValue)"
    return parts.map(\.symbol) + [numbers]
}
