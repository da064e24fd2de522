// Arithmetic, bit and set operators, with edge cases.
import PredicateTestSupport
import Testing

private func decimal(_ text: String) -> PredicateValue { DecimalNumber(text).map(PredicateValue.decimal) ?? .null }
private func set(_ values: Int64...) -> PredicateValue { .set(values.map(PredicateValue.integer)) }
private func list(_ values: Int64...) -> PredicateValue { .array(values.map(PredicateValue.integer)) }

struct ArithmeticTests {
    @Test(.cases) func arithmeticHasItsResult() {
        let cases: [(PredicateValue, BinaryOperator, PredicateValue, PredicateValue)] = [
            (PredicateValue.integer(2), BinaryOperator.add, PredicateValue.integer(3), PredicateValue.integer(5)),
            (.integer(5), .divide, .integer(2), .integer(2)), (.integer(-5), .divide, .integer(2), .integer(-2)),
            (.double(5), .divide, .integer(2), .double(2.5)), (.integer(5), .multiply, .double(0.5), .double(2.5)),
            (.bool(true), .add, .bool(true), .integer(2)), (.integer(1), .subtract, .integer(3), .integer(-2)),
            (.integer(6), .power, .integer(2), .double(36)), (.integer(2), .power, .integer(-1), .double(0.5)),
            (.float(1.5), .add, .integer(1), .double(2.5)), (decimal("0.1"), .add, decimal("0.2"), decimal("0.3")),
            (decimal("0.1"), .add, .integer(1), decimal("1.1")), (decimal("0.5"), .add, .double(1), .double(1.5)),
            (decimal("1"), .divide, .integer(8), decimal("0.125")),
            (.double(1), .divide, .integer(0), .double(.infinity)),
            (.integer(6), .bitwiseAnd, .integer(3), .integer(2)), (.integer(6), .bitwiseOr, .integer(3), .integer(7)),
            (.integer(6), .bitwiseXor, .integer(3), .integer(5)), (.integer(1), .shiftLeft, .integer(3), .integer(8)),
            (.integer(-8), .shiftRight, .integer(1), .integer(-4)),
            (.integer(1), .shiftLeft, .integer(64), .integer(0)),
            (.integer(-1), .shiftRight, .integer(1000), .integer(-1)),
            (.integer(8), .shiftLeft, .integer(-2), .integer(2)),
            (.integer(1), .shiftLeft, .integer(.min), .integer(0)),
            (.double(6), .bitwiseAnd, decimal("3"), .integer(2)), (.null, .add, .integer(1), .null),
            (.integer(1), .divide, .nsNull, .null), (.null, .add, .string("a"), .null), (.null, .union, list(1), .null),
            (.integer(1), .bitwiseOr, .null, .null),
        ]
        forEachCase(cases) { (a, op, b, expected) throws in
            #expect(try OperatorRules.standard.apply(op, a, b) == expected)
        }
    }

    @Test(.cases) func invalidArithmeticThrows() {
        let cases: [(PredicateValue, BinaryOperator, PredicateValue, DiagnosticID)] = [
            (PredicateValue.integer(.max), BinaryOperator.add, PredicateValue.integer(1), DiagnosticID.integerOverflow),
            (.integer(.min), .subtract, .integer(1), .integerOverflow),
            (.integer(.max), .multiply, .integer(2), .integerOverflow),
            (.integer(.min), .divide, .integer(-1), .integerOverflow),
            (.integer(1), .divide, .integer(0), .divisionByZero), (decimal("1"), .divide, .integer(0), .divisionByZero),
            (.bool(true), .divide, .bool(false), .divisionByZero),
            (.string("x"), .multiply, .string("y"), .operandType), (.string("x"), .add, .string("y"), .operandType),
            (.integer(1), .add, .string("1"), .operandType), (.date(0), .add, .integer(1), .operandType),
            (.double(1.5), .bitwiseAnd, .integer(1), .operandType),
            (.double(.infinity), .shiftLeft, .integer(1), .operandType), (.array([]), .add, .array([]), .operandType),
            (decimal("9e9999"), .multiply, decimal("9e9999"), .integerOverflow),
        ]
        forEachCase(cases) { (a, op, b, id) throws in
            let fault = #expect(throws: EvaluationFault.self) { try OperatorRules.standard.apply(op, a, b) }
            #expect(fault?.id == id)
        }
    }

    @Test func negationOfEveryType() throws {
        let rules = OperatorRules.standard
        #expect(try rules.negate(.integer(5)) == .integer(-5))
        #expect(try rules.negate(.bool(true)) == .integer(-1))
        #expect(try rules.negate(decimal("1.5")) == decimal("-1.5"))
        #expect(try rules.negate(.null) == .null)
        #expect(#expect(throws: EvaluationFault.self) { try rules.negate(.integer(.min)) }?.id == .integerOverflow)
        let text = #expect(throws: EvaluationFault.self) { try rules.negate(.string("1")) }
        #expect(text?.diagnostic.message == "- cannot take a text")
    }

    @Test func concatenationNeedsTheExtension() throws {
        let rules = OperatorRules(in: PredicateEnvironment(language: .stringConcatenation))
        #expect(try rules.apply(.add, .string("a"), .string("b")) == .string("ab"))
        #expect(throws: EvaluationFault.self) { try rules.apply(.add, .string("a"), .integer(1)) }
        #expect(throws: EvaluationFault.self) { try rules.apply(.subtract, .string("a"), .string("b")) }
    }
}

struct SetOperatorTests {
    @Test(.cases) func setOperationsHaveTheirResult() {
        let cases: [(PredicateValue, BinaryOperator, PredicateValue, PredicateValue)] = [
            (list(1, 2, 2), BinaryOperator.union, list(3, 2), set(1, 2, 3)),
            (set(1, 2), .intersect, list(2, 3), set(2)),
            (list(1, 2, 3), .minus, set(2), set(1, 3)), (list(), .union, list(), set()),
            (list(1), .union, .dictionary(ValueDictionary([("a", .integer(7))])), set(1, 7)),
            (.array([.integer(1), .double(1)]), .intersect, .array([.bool(true)]), set(1)),
        ]
        forEachCase(cases) { (a, op, b, expected) throws in
            #expect(try OperatorRules.standard.apply(op, a, b) == expected)
        }
    }

    @Test func operandsMustBeCollections() {
        let left = #expect(throws: EvaluationFault.self) {
            try OperatorRules.standard.apply(.minus, .integer(1), list())
        }
        #expect(left?.diagnostic.message == "MINUS needs a collection, not an integer")
        #expect(left?.place == .left)
        let right = #expect(throws: EvaluationFault.self) {
            try OperatorRules.standard.apply(.union, list(), .string("a"))
        }
        #expect(right?.place == .right)
        let dictionary = PredicateValue.dictionary(ValueDictionary([]))
        #expect(throws: EvaluationFault.self) { try OperatorRules.standard.apply(.union, dictionary, list()) }
    }

    @Test func elementsAreLimited() {
        var limits = PredicateLimits()
        limits.elements = 3
        let rules = OperatorRules(in: PredicateEnvironment(limits: limits))
        let fault = #expect(throws: EvaluationFault.self) { try rules.apply(.union, list(1, 2), list(3, 4)) }
        #expect(fault?.id == .limitExceeded)
        // A result with exactly as many elements as the limit is allowed.
        #expect(throws: Never.self) { try rules.apply(.union, list(1, 2), list(3)) }
    }
}
