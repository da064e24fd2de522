// The numeric functions of LANGUAGE 4.2. Functions with an equivalent infix operator use that operator.

extension FunctionCatalog {
    static var numericFunctions: [PredicateFunction] {
        operatorFunctions + roundingFunctions + realFunctions + integerFunctions + volatileFunctions
    }

    /// `add:to:(a, b)` equals `a + b`.
    private static var operatorFunctions: [PredicateFunction] {
        BinaryOperator.allCases.compactMap { op -> PredicateFunction? in
            guard let name = op.selector else { return nil }
            let types = Signature(.number, .number, yields: .number)
            return PredicateFunction(name, "a, b", types, "a \(op.spelling) b", .binary(op)) {
                (arguments, context) throws(EvaluationFault) in
                try context.rules.apply(op, arguments[0], arguments[1])
            }
        }
    }

    private static var roundingFunctions: [PredicateFunction] {
        func rounding(
            _ name: String, _ rule: FloatingPointRoundingRule, _ summary: String,
            _ intrinsic: PredicateFunction.Intrinsic
        ) -> PredicateFunction {
            PredicateFunction(name, "number", .sameNumber, summary, intrinsic) {
                (arguments, _) throws(EvaluationFault) in
                switch arguments[0] {
                case .bool(let flag): .integer(flag ? 1 : 0)
                case .integer: arguments[0]
                case .decimal(let decimal): .decimal(try decimal.rounded(rule))
                default: .double(try arguments[0].number(for: name).rounded(rule))
                }
            }
        }
        return [
            rounding("floor:", .down, "rounded down", .floor),
            rounding("ceiling:", .up, "rounded up", .ceiling),
            rounding("trunc:", .towardZero, "the whole part", .truncate),
            PredicateFunction("abs:", "number", .sameNumber, "the absolute value", .magnitude) {
                (arguments, context) throws(EvaluationFault) in
                let value = arguments[0]
                if case .integer(.min) = value { throw EvaluationFault(.integerOverflow, "abs:") }
                if case .bool(let flag) = value { return .integer(flag ? 1 : 0) }
                let number = try value.number(for: "abs:")
                // Also converts -0.0 to 0.0.
                return number.sign == .minus ? try context.rules.negate(value) : value
            },
        ]
    }

    private static var realFunctions: [PredicateFunction] {
        func real(
            _ name: String, _ summary: String, _ intrinsic: PredicateFunction.Intrinsic? = nil,
            _ function: @escaping @Sendable (Double) -> Double
        ) -> PredicateFunction {
            PredicateFunction(name, "number", Signature(.number, yields: .double), summary, intrinsic) {
                (arguments, _) throws(EvaluationFault) in
                .double(function(try arguments[0].number(for: name)))
            }
        }
        return [
            real("sqrt:", "the square root", .squareRoot) { $0.squareRoot() },
            real("exp:", "e to this power", nil, Mathematics.exponential),
            real("ln:", "the natural logarithm", nil, Mathematics.naturalLogarithm),
            real("log:", "the logarithm to base 10", nil, Mathematics.decimalLogarithm),
        ]
    }

    private static var integerFunctions: [PredicateFunction] {
        // The arguments must be whole numbers, which only evaluation can check.
        [
            PredicateFunction(
                "modulus:by:", "a, b", Signature(.number, .number, yields: .integer),
                "the remainder of the integer division, with the sign of a", .modulus
            ) { (arguments, _) throws(EvaluationFault) in
                let a = try arguments[0].integer(for: "modulus:by:")
                let b = try arguments[1].integer(for: "modulus:by:", at: .argument(1))
                if b == 0 { throw EvaluationFault(.divisionByZero, at: .argument(1)) }
                return .integer(b == -1 ? 0 : a % b)
            },
            PredicateFunction(
                "onesComplement:", "a", Signature(.number, yields: .integer), "all 64 bits inverted", .onesComplement
            ) { (arguments, _) throws(EvaluationFault) in
                .integer(~(try arguments[0].integer(for: "onesComplement:")))
            },
        ]
    }

    private static var volatileFunctions: [PredicateFunction] {
        [
            PredicateFunction("now", "", Signature(yields: .date), "the date of the evaluation", .now, isVolatile: true)
            {
                (_, context) throws(EvaluationFault) in
                .date(context.now())
            },
            PredicateFunction("random", "", Signature(yields: .double), "a number in [0, 1)", isVolatile: true) {
                (_, context) throws(EvaluationFault) in
                // The upper 53 bits, which a double holds exactly.
                .double(Double(context.random() >> 11) / 9_007_199_254_740_992)
            },
            PredicateFunction(
                "randomn:", "n", Signature(.number, yields: .integer), "an integer in [0, n)", isVolatile: true
            ) { (arguments, context) throws(EvaluationFault) in
                let bound = try arguments[0].integer(for: "randomn:")
                guard bound > 0 else {
                    throw EvaluationFault(.operandType, "randomn:", "a bound below 1", at: .argument(0))
                }
                // The high half of the product. Its deviation from a uniform distribution is at most 2^-64
                // times the bound.
                return .integer(Int64(context.random().multipliedFullWidth(by: UInt64(bound)).high))
            },
        ]
    }
}
