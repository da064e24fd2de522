// Arithmetic, bit operations, set operations and string concatenation (LANGUAGE 3.9, 4.2, 4.3, C 4, C 13). A
// nil operand gives nil; overflow is an error and never wraps or traps.

extension OperatorRules {
    /// Evaluates a binary operator of expressions.
    ///
    ///     try OperatorRules.standard.apply(.divide, .integer(5), .integer(2))    // 2
    ///
    /// - Throws: `integer-overflow`, `division-by-zero`, `operand-type`; `not-a-collection` for set operators.
    package func apply(
        _ operator: BinaryOperator, _ left: PredicateValue, _ right: PredicateValue
    ) throws(EvaluationFault) -> PredicateValue {
        if left.isNil || right.isNil { return .null }
        if `operator`.isSetOperator { return try combine(`operator`, left, right) }
        if `operator` == .add, environment.language.contains(.stringConcatenation),
            case .string(let a) = left, case .string(let b) = right
        {
            return .string(a + b)
        }
        switch `operator` {
        case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .shiftLeft, .shiftRight:
            guard let a = left.exactInteger, let b = right.exactInteger else {
                throw mismatch(`operator`, left, right)
            }
            return .integer(Self.bits(`operator`, a, b))
        default: break
        }
        switch NumberPair(left, right) {
        case .integers(let a, let b): return try Self.integers(`operator`, a, b)
        case .doubles(let a, let b): return .double(Self.doubles(`operator`, a, b))
        case .decimals(let a, let b): return try Self.decimals(`operator`, a, b)
        case nil:
            if let result = try dates(`operator`, left, right) { return result }
            throw mismatch(`operator`, left, right)
        }
    }

    /// Evaluates `-value`.
    package func negate(_ value: PredicateValue) throws(EvaluationFault) -> PredicateValue {
        switch value {
        case .null, .nsNull: return .null
        case .bool, .integer: return try apply(.subtract, .integer(0), value)
        case .float(let number): return .float(-number)
        case .double(let number): return .double(-number)
        case .decimal(let number): return .decimal(-number)
        default: throw EvaluationFault(.operandType, "-", value.typeDescription)
        }
    }

    private func mismatch(_ operator: BinaryOperator, _ left: PredicateValue, _ right: PredicateValue)
        -> EvaluationFault
    {
        let place: EvaluationFault.Place = left.isNumber ? .right : .left
        let words = PredicateValue.pairInWords(left, right)
        guard case .date = left, right.isNumber else {
            return EvaluationFault(.operandType, `operator`.spelling, words, at: place)
        }
        return EvaluationFault(
            .operandType, `operator`.spelling, words,
            "write CAST(CAST(date, \"NSNumber\") \(`operator`.spelling) seconds, \"NSDate\")"
                + LanguageOptions.or("dates"),
            at: place)
    }

    private static func integers(_ operator: BinaryOperator, _ a: Int64, _ b: Int64) throws(EvaluationFault)
        -> PredicateValue
    {
        let (result, overflow): (Int64, Bool)
        switch `operator` {
        case .add: (result, overflow) = a.addingReportingOverflow(b)
        case .subtract: (result, overflow) = a.subtractingReportingOverflow(b)
        case .multiply: (result, overflow) = a.multipliedReportingOverflow(by: b)
        case .divide:
            if b == 0 { throw EvaluationFault(.divisionByZero, at: .right) }
            (result, overflow) = a.dividedReportingOverflow(by: b)
        default: return .double(Mathematics.power(Double(a), Double(b)))
        }
        if overflow { throw EvaluationFault(.integerOverflow, `operator`.spelling) }
        return .integer(result)
    }

    private static func doubles(_ operator: BinaryOperator, _ a: Double, _ b: Double) -> Double {
        switch `operator` {
        case .add: a + b
        case .subtract: a - b
        case .multiply: a * b
        case .divide: a / b
        default: Mathematics.power(a, b)
        }
    }

    private static func decimals(
        _ operator: BinaryOperator, _ a: DecimalNumber, _ b: DecimalNumber
    ) throws(EvaluationFault) -> PredicateValue {
        switch `operator` {
        case .add: return .decimal(try a.adding(b))
        case .subtract: return .decimal(try a.adding(-b))
        case .multiply: return .decimal(try a.multiplied(by: b))
        case .divide: return .decimal(try a.divided(by: b))
        default: return .double(Mathematics.power(a.doubleValue, b.doubleValue))
        }
    }

    /// Bit operations on 64-bit integers. A shift by 64 or more gives 0 (or the sign), a negative shift goes in
    /// the other direction.
    private static func bits(_ operator: BinaryOperator, _ a: Int64, _ b: Int64) -> Int64 {
        switch `operator` {
        case .bitwiseAnd: a & b
        case .bitwiseOr: a | b
        case .bitwiseXor: a ^ b
        case .shiftLeft: a << b
        default: a >> b
        }
    }

    /// Evaluates UNION, INTERSECT and MINUS. The left side is an array or a set; the right side may also be a
    /// dictionary, for its values. The result is a set (LANGUAGE 3.9).
    private func combine(_ operator: BinaryOperator, _ left: PredicateValue, _ right: PredicateValue)
        throws(EvaluationFault) -> PredicateValue
    {
        let one: [PredicateValue]
        switch left {
        case .array(let elements), .set(let elements): one = elements
        default: throw EvaluationFault(.notACollection, `operator`.spelling, left.typeDescription, at: .left)
        }
        guard let other = right.elements else {
            throw EvaluationFault(.notACollection, `operator`.spelling, right.typeDescription, at: .right)
        }
        if one.count + other.count > limits.elements { throw .tooManyElements(limits) }
        if `operator` == .union { return .set(try DistinctValues(one + other).values) }
        let members = try DistinctValues(other)
        let kept = `operator` == .intersect
        var found = DistinctValues()
        for element in one where try members.contains(element) == kept { _ = try found.insert(element) }
        return .set(found.values)
    }
}

extension EvaluationFault {
    /// The error for more than `PredicateLimits.elements` elements in one expression.
    package static func tooManyElements(_ limits: PredicateLimits) -> EvaluationFault {
        EvaluationFault(.limitExceeded, "one expression makes too many elements", "\(limits.elements)")
    }

    /// The error for more than `PredicateLimits.steps` steps in one evaluation.
    package static func tooManySteps(_ limits: PredicateLimits) -> EvaluationFault {
        EvaluationFault(.limitExceeded, "the evaluation takes too many steps", "\(limits.steps)")
    }

    /// The error for a run that is not complete at its deadline.
    package static var pastDeadline: EvaluationFault {
        EvaluationFault(
            .limitExceeded, "the evaluation ended before it was complete", "its deadline, or the end of its task")
    }

    /// The error for an evaluation that takes longer than `PredicateLimits.time`.
    package static func tooSlow(_ limits: PredicateLimits) -> EvaluationFault {
        EvaluationFault(.limitExceeded, "the evaluation of one object takes too long", "\(limits.time)")
    }
}
