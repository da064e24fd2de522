// IEEE 754 arithmetic of doubles in SQL. Some engines raise an error for a result that is infinite or too
// small. For those, the result is first computed in another scale, where it is an ordinary double. Scaling by
// powers of two changes no digits, so rounding is the same.

extension SQLDialect {
    /// Arithmetic for engines that follow IEEE 754. NaN becomes NULL, with `isNaN` or because the engine itself
    /// does that.
    static func doubleArithmetic(_ operators: [BinaryOperator], isNaN: String? = nil) -> [Scalar: SQLTemplate] {
        var templates: [Scalar: SQLTemplate] = [:]
        for each in operators {
            let value = "({0} \(each.spelling) {1})"
            let number = isNaN.map { "CASE WHEN NOT \($0)(\(value)) THEN \(value) END" } ?? value
            templates[.doubles(each)] = SQLTemplate(stringLiteral: number)
        }
        return templates
    }

    /// Division for engines that cannot divide by zero. Division by zero gives an infinity with the sign of
    /// both operands. For engines where NaN equals NaN; it becomes NULL.
    static func doubleDivision(isMinusZero: String) -> SQLTemplate {
        let infinity = "CASE WHEN \(isMinusZero) THEN CAST('-Infinity' AS DOUBLE) ELSE CAST('Infinity' AS DOUBLE) END"
        let quotient = "CASE WHEN {1} <> 0 THEN {0} / {1} WHEN {1} = 0 THEN {0} * \(infinity) END"
        return "NULLIF(\(quotient), CAST('NaN' AS DOUBLE))"
    }

    /// Square root for engines that fail for negative numbers and treat NaN as the greatest value. NaN becomes
    /// NULL.
    static func squareRoot(_ type: String) -> SQLTemplate {
        "CASE WHEN {0} BETWEEN 0 AND CAST('Infinity' AS \(type)) THEN sqrt({0}) END"
    }

    /// Rounding for engines that round to integers. From 2^52 on every double is whole; a zero keeps the sign
    /// of the operand.
    static func rounding(
        floor: String, ceiling: String, truncate: String, double: String
    ) -> [Scalar: SQLTemplate] {
        [Scalar.floor: floor, .ceiling: ceiling, .truncate: truncate].mapValues { integer in
            """
            CASE WHEN abs({0}) < 4503599627370496 THEN CASE WHEN (\(integer)) = 0 THEN {0} * 0.0 \
            ELSE CAST(\(integer) AS \(double)) END ELSE {0} END
            """
        }
    }

    /// Arithmetic for an engine that fails on overflow and underflow but has infinities and NaN: PostgreSQL.
    /// Evaluates each operand once, and evaluates constants only if they are needed.
    ///
    /// - Parameter operands: those to test first. If they are of ordinary size, no subquery is needed: the product and
    ///   the quotient are neither too large nor too small. Operands are then evaluated several times.
    static func raisingDoubleArithmetic(testing operands: [String] = []) -> [Scalar: SQLTemplate] {
        func template(_ op: BinaryOperator, _ cases: [String]) -> SQLTemplate {
            let beyond = overflows(op, "x", "y").map {
                "WHEN \($0.test) THEN \($0.scaled) * CAST('Infinity' AS float8)"
            }
            let guarded = """
                (SELECT NULLIF(CASE \((cases + beyond).joined(separator: " ")) ELSE x \(op.spelling) y END, \
                CAST('NaN' AS float8)) FROM (SELECT {0} AS x, {1} AS y OFFSET 0) AS v)
                """
            if operands.isEmpty { return SQLTemplate(stringLiteral: guarded) }
            let isOrdinary = operands.map { "abs(\($0)) BETWEEN 1e-100 AND 1e100" }.joined(separator: " AND ")
            return """
                CASE WHEN \(isOrdinary) THEN {0} \(op.spelling) {1} WHEN NOT (\(isOrdinary)) THEN \(guarded) END
                """
        }
        // percentile_cont multiplies to interpolate, and underflow gives zero there.
        let small = """
            WHEN x <> 0 AND y <> 0 AND abs(x) < 1 AND abs(y) < 1 AND (abs(x) < \(power(-500)) OR abs(y) < \(power(-500))) \
            THEN sign(x) * sign(y) * (SELECT percentile_cont(abs(x)) WITHIN GROUP (ORDER BY e) \
            FROM (VALUES (CAST(0 AS float8)), (abs(y))) AS u(e))
            """
        let byZero = """
            WHEN y = 0 THEN x * CASE WHEN \(isMinusZero("y")) THEN CAST('-Infinity' AS float8) \
            ELSE CAST('Infinity' AS float8) END
            """
        // 0 / y has the right sign. The quotient is zero up to half of the smallest double, 2^-1075.
        let byMuch = """
            WHEN CASE WHEN abs(x) < \(power(-51)) THEN abs(x) * \(power(537)) * \(power(538)) <= abs(y) END THEN x * 0 / y
            """
        return [
            .doubles(.add): template(.add, []), .doubles(.subtract): template(.subtract, []),
            .doubles(.multiply): template(.multiply, [small]), .doubles(.divide): template(.divide, [byZero, byMuch]),
        ]
    }

    /// Arithmetic for an engine without infinities, which fails instead: MariaDB. The greatest double replaces
    /// infinity; `infinity` gives the sign of an infinite result, or 0.
    static func finiteDoubleArithmetic() -> [Scalar: SQLTemplate] {
        let (x, y) = ("{0}", "{1}")
        var templates: [Scalar: SQLTemplate] = [:]
        for op in [BinaryOperator.add, .subtract, .multiply, .divide] {
            func template(_ nothing: String, times factor: String, else number: String) -> SQLTemplate {
                // 0 / 0 is not infinite.
                let sign = "NULLIF(SIGN(\(x)), 0) * CASE WHEN \(isMinusZero(y)) THEN -1 ELSE 1 END"
                let byZero = op == .divide ? "WHEN \(y) = 0 THEN \(sign)\(factor) " : ""
                let beyond = overflows(op, x, y).map { "WHEN \($0.test) THEN SIGN(\($0.scaled))\(factor) " }
                return "CASE \(nothing)\(byZero)\(beyond.joined())ELSE \(number) END"
            }
            templates[.doubles(op)] = template(
                "", times: " * \(Double.greatestFiniteMagnitude)", else: "\(x) \(op.spelling) \(y)")
            templates[.infinity(op)] = template("WHEN \(x) IS NULL OR \(y) IS NULL THEN NULL ", times: "", else: "0")
            let operand = op == .divide ? "CASE WHEN abs(\(y)) >= {2} THEN \(y) END" : y
            templates[.moderate(op)] = "(\(x) \(op.spelling) \(operand))"
        }
        templates[.held] = "GREATEST(LEAST({0}, {1}), - {1})"
        return templates
    }

    /// The tests for a result beyond all doubles, and its value in another scale. They do not overflow or
    /// underflow themselves; a divisor must not be zero.
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
