// The numeric functions of LANGUAGE 4.2. Functions with an equivalent infix operator use that operator.
import PredicateSyntax

extension FunctionCatalog {
    static var numericFunctions: [PredicateFunction] {
        operatorFunctions + roundingFunctions + realFunctions + integerFunctions + volatileFunctions
    }

    /// `add:to:(a, b)` equals `a + b`.
    private static var operatorFunctions: [PredicateFunction] {
        BinaryOperator.allCases.compactMap { op -> PredicateFunction? in
            guard let name = op.selector else { return nil }
            return PredicateFunction(name, arity: 2, signature: name + "(a, b)", summary: "a \(op.spelling) b") {
                (arguments, context) throws(EvaluationFault) in
                try context.rules.apply(op, arguments[0], arguments[1])
            }
        }
    }

    private static var roundingFunctions: [PredicateFunction] {
        func rounding(_ name: String, _ rule: FloatingPointRoundingRule, _ summary: String) -> PredicateFunction {
            PredicateFunction(name, arity: 1, signature: name + "(number)", summary: summary) {
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
            rounding("floor:", .down, "the next whole number below"),
            rounding("ceiling:", .up, "the next whole number above"),
            rounding("trunc:", .towardZero, "the whole part"),
            PredicateFunction("abs:", arity: 1, signature: "abs:(number)", summary: "without its sign") {
                (arguments, context) throws(EvaluationFault) in
                let value = arguments[0]
                if case .integer(.min) = value { throw EvaluationFault(.integerOverflow, "abs:") }
                if case .bool(let flag) = value { return .integer(flag ? 1 : 0) }
                let number = try value.number(for: "abs:")
                // The sign of -0.0 is removed too.
                return number.sign == .minus ? try context.rules.negate(value) : value
            },
        ]
    }

    private static var realFunctions: [PredicateFunction] {
        func real(_ name: String, _ summary: String, _ function: @escaping @Sendable (Double) -> Double)
            -> PredicateFunction
        {
            PredicateFunction(name, arity: 1, signature: name + "(number)", summary: summary) {
                (arguments, _) throws(EvaluationFault) in
                .double(function(try arguments[0].number(for: name)))
            }
        }
        return [
            real("sqrt:", "the square root") { $0.squareRoot() },
            real("exp:", "e to this power", Mathematics.exponential),
            real("ln:", "the natural logarithm", Mathematics.naturalLogarithm),
            real("log:", "the logarithm to base 10", Mathematics.decimalLogarithm),
        ]
    }

    private static var integerFunctions: [PredicateFunction] {
        [
            PredicateFunction(
                "modulus:by:", arity: 2, signature: "modulus:by:(a, b)",
                summary: "the remainder of the integer division, with the sign of a"
            ) { (arguments, _) throws(EvaluationFault) in
                let a = try arguments[0].integer(for: "modulus:by:")
                let b = try arguments[1].integer(for: "modulus:by:", at: .argument(1))
                if b == 0 { throw EvaluationFault(.divisionByZero, at: .argument(1)) }
                return .integer(b == -1 ? 0 : a % b)
            },
            PredicateFunction(
                "onesComplement:", arity: 1, signature: "onesComplement:(a)", summary: "all 64 bits inverted"
            ) {
                (arguments, _) throws(EvaluationFault) in
                .integer(~(try arguments[0].integer(for: "onesComplement:")))
            },
        ]
    }

    private static var volatileFunctions: [PredicateFunction] {
        [
            PredicateFunction(
                "now", arity: 0, signature: "now()", summary: "the date of the evaluation", isVolatile: true
            ) {
                (_, context) throws(EvaluationFault) in
                .date(context.now())
            },
            PredicateFunction(
                "random", arity: 0, signature: "random()", summary: "a number in [0, 1)", isVolatile: true
            ) {
                (_, context) throws(EvaluationFault) in
                // The upper 53 bits, which a double holds exactly.
                .double(Double(context.random() >> 11) / 9_007_199_254_740_992)
            },
            PredicateFunction(
                "randomn:", arity: 1, signature: "randomn:(n)", summary: "an integer in [0, n)", isVolatile: true
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
