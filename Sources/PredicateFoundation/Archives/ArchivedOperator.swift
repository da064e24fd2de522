// The operators of comparisons as keyed archives have them.
import PredicateSyntax

/// An operator as a keyed archive stores it: the name of a class, and the number of a type.
struct ArchivedOperator {
    /// The operators by their types, which are those of `NSComparisonPredicate.Operator`.
    private static let types: [(type: Int, operator: ComparisonOperator)] = [
        (0, .lessThan), (1, .lessThanOrEqual), (2, .greaterThan), (3, .greaterThanOrEqual), (4, .equal), (5, .notEqual),
        (6, .matches), (7, .like), (8, .beginsWith), (9, .endsWith), (10, .in), (99, .contains), (100, .between),
    ]

    /// The operator of a type; nil for another type.
    static func known(_ type: Int) -> ComparisonOperator? { types.first { $0.type == type }?.operator }

    private let type: Int

    /// nil for an operator that archives do not have.
    init?(_ operation: ComparisonOperator) {
        guard let type = Self.types.first(where: { $0.operator == operation })?.type else { return nil }
        self.type = type
    }

    /// Families of operators have classes of their own.
    var className: String {
        switch type {
        case 0...3: "NSComparisonPredicateOperator"
        case 4, 5: "NSEqualityPredicateOperator"
        case 6: "NSMatchingPredicateOperator"
        case 7: "NSLikePredicateOperator"
        case 8, 9: "NSSubstringPredicateOperator"
        case 100: "NSBetweenPredicateOperator"
        default: "NSInPredicateOperator"
        }
    }

    var superclasses: [String] {
        (6...9).contains(type) ? ["NSStringPredicateOperator", "NSPredicateOperator"] : ["NSPredicateOperator"]
    }

    /// The fields but for the modifier and the options.
    var fields: [(String, PredicateValue)] {
        var fields: [(String, PredicateValue)] = [("NSOperatorType", .integer(Int64(type)))]
        switch type {
        case 0...3: fields.append(("NSVariant", .integer(Int64(type))))
        case 4, 5: fields.append(("NSNegate", .bool(type == 5)))
        case 8, 9: fields.append(("NSPosition", .integer(Int64(type - 8))))
        default: break
        }
        return fields
    }

    /// The name of the options; nil for BETWEEN, which has none.
    var optionsKey: String? { type == 100 ? nil : type < 6 ? "NSOptions" : "NSFlags" }
}
