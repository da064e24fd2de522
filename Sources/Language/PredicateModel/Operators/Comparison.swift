// The reference meaning of the comparison operators on two values (LANGUAGE 5). Constant folding and the SQL compiler
// use it directly; the fast plans are tested against it.

/// A comparison operator with its options and rules.
///
///     try Comparison(.beginsWith, [.caseInsensitive]).test(.string("Élan"), .string("él"))  // true
package struct Comparison: Sendable {
    package let `operator`: ComparisonOperator
    package let options: ComparisonOptions
    /// The rules and limits for locales, patterns and custom operators.
    package let rules: OperatorRules

    package init(
        _ operator: ComparisonOperator, _ options: ComparisonOptions = [], rules: OperatorRules = .standard
    ) {
        self.operator = `operator`
        self.options = options
        self.rules = rules
    }

    /// Compares two values.
    /// - Throws: an error for operands of the wrong type, a malformed pattern or a refused operator.
    package func test(_ left: PredicateValue, _ right: PredicateValue) throws(EvaluationFault) -> Bool {
        switch `operator` {
        case .equal: return try equal(left, right)
        case .notEqual: return try !equal(left, right)
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual: return try ordered(left, right)
        case .beginsWith: return try find(right, in: left, at: .prefix)
        case .endsWith: return try find(right, in: left, at: .suffix)
        case .contains: return try member(right, of: left, container: .left)
        case .in: return try member(left, of: right, container: .right)
        case .between: return try between(left, right)
        case .like, .matches: return try pattern(left, right)
        case .utiEquals, .utiConformsTo: return try typeIdentifier(left, right)
        case .tokenMatches: throw EvaluationFault(.tokenMatches)
        case .custom(let selector):
            guard let custom = rules.environment.functions.operators[selector] else {
                throw EvaluationFault(.refusedOperator, selector)
            }
            return try custom.test(left, right)
        }
    }

    /// Evaluates `==` with the options, which apply only to texts.
    package func equal(_ left: PredicateValue, _ right: PredicateValue) throws(EvaluationFault) -> Bool {
        if !options.isEmpty, case .string(let a) = left, case .string(let b) = right {
            return rules.equal(a, b, options)
        }
        return try left.equals(right)
    }

    private func ordered(_ left: PredicateValue, _ right: PredicateValue) throws(EvaluationFault) -> Bool {
        // nil equals nil, and is neither less nor greater than any value (LANGUAGE 5.2).
        if left.isNil || right.isNil {
            let isInclusive = `operator` == .lessThanOrEqual || `operator` == .greaterThanOrEqual
            return isInclusive && left.isNil && right.isNil
        }
        guard let order = try left.order(against: right, for: `operator`.spelling, options: options, in: rules) else {
            return false
        }
        return switch `operator` {
        case .lessThan: order < 0
        case .lessThanOrEqual: order <= 0
        case .greaterThan: order > 0
        default: order >= 0
        }
    }

    private func find(_ needle: PredicateValue, in text: PredicateValue, at place: TextPlace) throws(EvaluationFault)
        -> Bool
    {
        guard let (text, needle) = try texts(text, needle) else { return false }
        return rules.find(needle, in: text, at: place, options)
    }

    /// Both operands as texts; nil if one of them is nil, which never matches.
    private func texts(_ left: PredicateValue, _ right: PredicateValue) throws(EvaluationFault) -> (String, String)? {
        if left.isNil || right.isNil { return nil }
        guard case .string(let a) = left else {
            let advice =
                switch left {
                case .array, .set: "write ANY for its elements"
                default: ""
                }
            throw EvaluationFault(.stringOperand, `operator`.spelling, left.typeDescription, advice, at: .left)
        }
        guard case .string(let b) = right else {
            throw EvaluationFault(.stringOperand, `operator`.spelling, right.typeDescription, at: .right)
        }
        return (a, b)
    }

    /// IN and CONTAINS (LANGUAGE 5.7): substring search in a text, else membership, which ignores the options.
    private func member(
        _ object: PredicateValue, of container: PredicateValue, container place: EvaluationFault.Place
    ) throws(EvaluationFault) -> Bool {
        if object.isNil || container.isNil { return false }
        if case .string(let text) = container {
            guard case .string(let needle) = object else {
                let other: EvaluationFault.Place = place == .left ? .right : .left
                throw EvaluationFault(.stringOperand, `operator`.spelling, object.typeDescription, at: other)
            }
            return rules.find(needle, in: text, at: .anywhere, options)
        }
        guard let elements = container.elements else {
            throw EvaluationFault(.notACollection, `operator`.spelling, container.typeDescription, at: place)
        }
        for element in elements where try element.equals(object) { return true }
        return false
    }

    /// BETWEEN includes both bounds and swaps reversed ones. A nil bound matches nothing (LANGUAGE 5.8).
    private func between(_ value: PredicateValue, _ range: PredicateValue) throws(EvaluationFault) -> Bool {
        if value.isNil || range.isNil { return false }
        guard case .array(let bounds) = range, bounds.count == 2 else {
            throw EvaluationFault(.betweenOperand, at: .right)
        }
        if bounds[0].isNil || bounds[1].isNil { return false }
        let name = `operator`.spelling
        guard let swapped = try bounds[0].order(against: bounds[1], for: name, in: rules) else { return false }
        let (lower, upper) = swapped > 0 ? (bounds[1], bounds[0]) : (bounds[0], bounds[1])
        guard let low = try value.order(against: lower, for: name, in: rules),
            let high = try value.order(against: upper, for: name, in: rules)
        else { return false }
        return low >= 0 && high <= 0
    }

    private func pattern(_ left: PredicateValue, _ right: PredicateValue) throws(EvaluationFault) -> Bool {
        guard let (text, pattern) = try texts(left, right) else { return false }
        return try TextTest(`operator`, pattern, options, rules: rules).matcher().test(text)
    }

    private func typeIdentifier(_ left: PredicateValue, _ right: PredicateValue) throws(EvaluationFault) -> Bool {
        guard let (a, b) = try texts(left, right) else { return false }
        return `operator` == .utiEquals
            ? StringFold.equal(a, b, options: .caseInsensitive) : rules.environment.typeIdentifiers.conforms(a, to: b)
    }
}
