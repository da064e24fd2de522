// Arithmetic of doubles as IEEE 754 has it. Some engines raise where a result is infinite, or nothing: there it is told
// beforehand, by computing in another scale, where the result is an ordinary double. Powers of two change no digit, so that
// both are rounded alike.
import PredicateSyntax

extension Dialect {
    /// Where the engine computes as memory does, NaN told from NULL by the engine or not.
    static func doubleArithmetic(_ operators: [BinaryOperator], isNaN: String? = nil) -> [Scalar: SQLTemplate] {
        var templates: [Scalar: SQLTemplate] = [:]
        for each in operators {
            let value = "({0} \(each.spelling) {1})"
            let number = isNaN.map { "CASE WHEN NOT \($0)(\(value)) THEN \(value) END" } ?? value
            templates[.doubles(each)] = SQLTemplate(stringLiteral: number)
        }
        return templates
    }

    /// A division where the engine has none by zero: an infinity, whose sign is that of both. NaN equals NaN there, and
    /// becomes NULL.
    static func doubleDivision(isMinusZero: String) -> SQLTemplate {
        let infinity = "CASE WHEN \(isMinusZero) THEN CAST('-Infinity' AS DOUBLE) ELSE CAST('Infinity' AS DOUBLE) END"
        let quotient = "CASE WHEN {1} <> 0 THEN {0} / {1} WHEN {1} = 0 THEN {0} * \(infinity) END"
        return SQLTemplate(stringLiteral: "NULLIF(\(quotient), CAST('NaN' AS DOUBLE))")
    }

    /// Where the engine raises for what is negative, and NaN is the greatest: it becomes NULL.
    static func squareRoot(_ type: String) -> SQLTemplate {
        SQLTemplate(stringLiteral: "CASE WHEN {0} BETWEEN 0 AND CAST('Infinity' AS \(type)) THEN sqrt({0}) END")
    }

    /// Where the engine rounds to integers. From 2^52 on every double is whole; a zero has the sign of what was rounded.
    static func rounding(
        floor: String, ceiling: String, truncate: String, double: String
    ) -> [Scalar: SQLTemplate] {
        [Scalar.floor: floor, .ceiling: ceiling, .truncate: truncate].mapValues { integer in
            SQLTemplate(
                stringLiteral: """
                    CASE WHEN abs({0}) < 4503599627370496 THEN CASE WHEN (\(integer)) = 0 THEN {0} * 0.0 \
                    ELSE CAST(\(integer) AS \(double)) END ELSE {0} END
                    """)
        }
    }

    /// Arithmetic where the engine raises for what is too large and what is too small, and knows infinities and NaN: PostgreSQL.
    /// Whatever is computed of the operands is computed once, and no constant before it is known whether it must be.
    static func raisingDoubleArithmetic() -> [Scalar: SQLTemplate] {
        func template(_ op: BinaryOperator, _ cases: [String]) -> SQLTemplate {
            let beyond = overflows(op, "x", "y").map {
                "WHEN \($0.test) THEN \($0.scaled) * CAST('Infinity' AS float8)"
            }
            return SQLTemplate(
                stringLiteral: """
                    (SELECT NULLIF(CASE \((cases + beyond).joined(separator: " ")) ELSE x \(op.spelling) y END, \
                    CAST('NaN' AS float8)) FROM (SELECT {0} AS x, {1} AS y OFFSET 0) AS v)
                    """)
        }
        // percentile_cont multiplies to interpolate, and lets what is too small be zero.
        let small = """
            WHEN x <> 0 AND y <> 0 AND abs(x) < 1 AND abs(y) < 1 AND (abs(x) < \(power(-500)) OR abs(y) < \(power(-500))) \
            THEN sign(x) * sign(y) * (SELECT percentile_cont(abs(x)) WITHIN GROUP (ORDER BY e) \
            FROM (VALUES (CAST(0 AS float8)), (abs(y))) AS u(e))
            """
        let byZero = """
            WHEN y = 0 THEN x * CASE WHEN \(isMinusZero("y")) THEN CAST('-Infinity' AS float8) \
            ELSE CAST('Infinity' AS float8) END
            """
        // 0 / y has its sign. The quotient is zero up to half of the least double, 2^-1075.
        let byMuch = """
            WHEN CASE WHEN abs(x) < \(power(-51)) THEN abs(x) * \(power(537)) * \(power(538)) <= abs(y) END THEN x * 0 / y
            """
        return [
            .doubles(.add): template(.add, []), .doubles(.subtract): template(.subtract, []),
            .doubles(.multiply): template(.multiply, [small]), .doubles(.divide): template(.divide, [byZero, byMuch]),
        ]
    }

    /// Arithmetic where the engine has no infinities, and raises instead: MariaDB. The greatest double stands for the infinity;
    /// which one it is, or none, is a number of its own.
    static func finiteDoubleArithmetic() -> [Scalar: SQLTemplate] {
        let (x, y) = ("{0}", "{1}")
        var templates: [Scalar: SQLTemplate] = [:]
        for op in [BinaryOperator.add, .subtract, .multiply, .divide] {
            func template(_ nothing: String, times factor: String, else number: String) -> SQLTemplate {
                // 0 / 0 is no infinity.
                let sign = "NULLIF(SIGN(\(x)), 0) * CASE WHEN \(isMinusZero(y)) THEN -1 ELSE 1 END"
                let byZero = op == .divide ? "WHEN \(y) = 0 THEN \(sign)\(factor) " : ""
                let beyond = overflows(op, x, y).map { "WHEN \($0.test) THEN SIGN(\($0.scaled))\(factor) " }
                return SQLTemplate(stringLiteral: "CASE \(nothing)\(byZero)\(beyond.joined())ELSE \(number) END")
            }
            templates[.doubles(op)] = template(
                "", times: " * \(Double.greatestFiniteMagnitude)", else: "\(x) \(op.spelling) \(y)")
            templates[.infinity(op)] = template("WHEN \(x) IS NULL OR \(y) IS NULL THEN NULL ", times: "", else: "0")
            let operand = op == .divide ? "CASE WHEN abs(\(y)) >= {2} THEN \(y) END" : y
            templates[.moderate(op)] = SQLTemplate(stringLiteral: "(\(x) \(op.spelling) \(operand))")
        }
        templates[.held] = "GREATEST(LEAST({0}, {1}), - {1})"
        return templates
    }

    /// When a result is beyond all doubles, and what it is in another scale then. None of it overflows or vanishes; a divisor
    /// is not zero.
    private static func overflows(
        _ op: BinaryOperator, _ x: String, _ y: String
    ) -> [(test: String, scaled: String)] {
        func overflow(_ candidates: String, _ scaled: String, from exponent: Int) -> (test: String, scaled: String) {
            ("CASE WHEN \(candidates) THEN abs(\(scaled)) >= \(power(exponent)) END", scaled)
        }
        switch op {
        case .add, .subtract:
            let half = "(\(x) * 0.5 \(op.spelling) \(y) * 0.5)"
            return [overflow("abs(\(x)) > 1 AND abs(\(y)) > 1", half, from: 1023)]
        case .multiply:
            let small = "(\(x) * \(power(-512)) * (\(y) * \(power(-512))))"
            return [overflow("abs(\(x)) > 1 AND abs(\(y)) > 1", small, from: 0)]
        default:
            let small = "(\(x) * \(power(-537)) / (\(y) * \(power(537))))"
            let divided = "(\(x) / (\(y) * \(power(512))))"
            return [
                overflow("abs(\(x)) >= 1 AND abs(\(y)) < 1", small, from: -50),
                overflow("abs(\(x)) < 1 AND abs(\(y)) < \(power(-512))", divided, from: 512),
            ]
        }
    }

    private static func isMinusZero(_ y: String) -> String { "atan2(0, \(y)) > 1" }

    /// A power of two.
    private static func power(_ exponent: Int) -> String {
        "\(Double(sign: .plus, exponent: exponent, significand: 1))"
    }
}
