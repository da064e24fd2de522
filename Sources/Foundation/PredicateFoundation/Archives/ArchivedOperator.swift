// The operators of comparisons in the form of keyed archives.

/// An operator as a keyed archive stores it: a class name and a type number.
struct ArchivedOperator {
    /// The operators by type number, the raw values of `NSComparisonPredicate.Operator`.
    private static let types: [(type: Int, operator: ComparisonOperator)] = [
        (0, .lessThan), (1, .lessThanOrEqual), (2, .greaterThan), (3, .greaterThanOrEqual), (4, .equal), (5, .notEqual),
        (6, .matches), (7, .like), (8, .beginsWith), (9, .endsWith), (10, .in), (99, .contains), (100, .between),
    ]

    /// The operator with a type number; nil for any other number.
    static func known(_ type: Int) -> ComparisonOperator? { types.first { $0.type == type }?.operator }

    private let type: Int

    /// nil for an operator that archives cannot represent.
    init?(_ operation: ComparisonOperator) {
        guard let type = Self.types.first(where: { $0.operator == operation })?.type else { return nil }
        self.type = type
    }

    /// The class name, which differs between families of operators.
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

    /// The fields other than the modifier and the options.
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

    /// The field name of the options; nil for BETWEEN, which has no options.
    var optionsKey: String? { type == 100 ? nil : type < 6 ? "NSOptions" : "NSFlags" }
}
