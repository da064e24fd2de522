// The order of two values (LANGUAGE 5.5).

extension PredicateValue {
    /// Returns -1, 0 or 1 if this value is before, equal to or after another; nil if NaN is involved.
    ///
    /// - Throws: `operand-type` for values without an order: values of different types, collections, nil.
    package func order(
        against other: PredicateValue, for operator: String, options: ComparisonOptions = [],
        in rules: OperatorRules = .standard
    ) throws(EvaluationFault) -> Int? {
        switch (self, other) {
        case (.integer(let a), .integer(let b)): return Self.sign(a, b)
        case (.string(let a), .string(let b)): return rules.compare(a, b, options)
        case (.date(let a), .date(let b)): return Self.partialSign(a, b)
        case (.uuid(let a), .uuid(let b)):
            return a.high == b.high ? Self.sign(a.low, b.low) : Self.sign(a.high, b.high)
        default: break
        }
        switch NumberPair(self, other) {
        case .integers(let a, let b): return Self.sign(a, b)
        case .doubles(let a, let b): return Self.partialSign(a, b)
        case .decimals(let a, let b): return a.order(against: b)
        case nil: throw EvaluationFault(.operandType, `operator`, Self.pairInWords(self, other))
        }
    }

    private static func sign<T: Comparable>(_ a: T, _ b: T) -> Int { a < b ? -1 : a == b ? 0 : 1 }

    private static func partialSign(_ a: Double, _ b: Double) -> Int? {
        a < b ? -1 : a == b ? 0 : a > b ? 1 : nil
    }
}
