// The operators of comparisons in the form of keyed archives.

enum ArchivedOperator {
    /// The operators by type number, the raw values of `NSComparisonPredicate.Operator`.
    private static let types: [(type: Int, operator: ComparisonOperator)] = [
        (0, .lessThan), (1, .lessThanOrEqual), (2, .greaterThan), (3, .greaterThanOrEqual), (4, .equal), (5, .notEqual),
        (6, .matches), (7, .like), (8, .beginsWith), (9, .endsWith), (10, .in), (99, .contains), (100, .between),
    ]

    /// The operator with a type number; nil for any other number.
    static func known(_ type: Int) -> ComparisonOperator? { types.first { $0.type == type }?.operator }
}
