// What two conditions on one key mean for each other: whether one proves or excludes the other.

/// What is known about two conditions on one key, for all values for which both have a result. Empty if nothing is.
package struct ConditionRelation: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// No value fulfils both: `a > 5` and `a < 3`.
    package static let disjoint = ConditionRelation(rawValue: 1)
    /// Each value that fulfils the first fulfils the second: `a > 5` and `a > 3`.
    package static let implies = ConditionRelation(rawValue: 2)
    /// Each value that fulfils the second fulfils the first.
    package static let impliedBy = ConditionRelation(rawValue: 4)
    /// Each value, and nil, fulfils at least one: `a != 1` and `a != 2`.
    package static let exhaustive = ConditionRelation(rawValue: 8)

    /// The relation of the second condition to the first.
    fileprivate var mirrored: ConditionRelation { swapping((.implies, .impliedBy)) }
    /// The relation of the negation of the first condition to the second.
    fileprivate var negatingFirst: ConditionRelation { swapping((.disjoint, .impliedBy), (.implies, .exhaustive)) }
    /// The relation of the first condition to the negation of the second.
    fileprivate var negatingSecond: ConditionRelation { swapping((.disjoint, .implies), (.impliedBy, .exhaustive)) }

    private func swapping(_ pairs: (ConditionRelation, ConditionRelation)...) -> ConditionRelation {
        var result = self
        for (one, other) in pairs where contains(one) != contains(other) {
            result.formSymmetricDifference([one, other])
        }
        return result
    }
}

extension KeyCondition {
    /// The relation of two conditions. Empty for different keys; the key must have the same value in both.
    /// - Complexity: linear in the lengths of their lists.
    package func relation(to other: KeyCondition) -> ConditionRelation {
        guard key == other.key else { return [] }
        var relation = testRelation(to: other)
        if isNegated { relation = relation.negatingFirst }
        if other.isNegated { relation = relation.negatingSecond }
        switch (quantifier, other.quantifier) {
        case (.direct, .direct): return relation
        // Both fulfil the tests for the same elements. An empty collection fulfils ALL, whatever the test is.
        case (.any, .any), (.all, .all): return relation.intersection([.implies, .impliedBy])
        // If all elements fulfil one test, none fulfils a test that excludes it. If no element fulfils the one, all
        // fulfil a test that holds for the rest.
        case (.any, .all), (.all, .any): return relation.intersection([.disjoint, .exhaustive])
        default: return []
        }
    }

    /// The relation of the tests, without negation.
    private func testRelation(to other: KeyCondition) -> ConditionRelation {
        switch (test, other.test) {
        case (.members(let list), .members(let others)):
            return other.relation(ofAll: list, options).union(relation(ofAll: others, other.options).mirrored)
        case (.members(let list), _): return other.relation(ofAll: list, options)
        case (_, .members(let list)): return relation(ofAll: list, other.options).mirrored
        case (.isNil, .isNil): return [.implies, .impliedBy]
        // No other test holds for nil.
        case (.isNil, _), (_, .isNil): return .disjoint
        default: break
        }
        guard options == other.options, !options.contains(.localeSensitive) else { return [] }
        if test == other.test { return [.implies, .impliedBy] }
        if case .text(let text, let place) = test, case .text(let second, place) = other.test {
            // A text that begins with `abc` begins with `ab`, and no text begins with both `ab` and `ac`.
            let (isLonger, isShorter) = (other.decide(.string(text), []), decide(.string(second), []))
            return isLonger == true ? .implies : isShorter == true ? .impliedBy : .disjoint
        }
        guard let bounds, let others = other.bounds else { return [] }
        return bounds.relation(to: others, options)
    }

    /// The relation of the values that are equal to constants to the values that fulfil the test.
    private func relation(ofAll list: [PredicateValue], _ options: ComparisonOptions) -> ConditionRelation {
        let decide = testDecision(options)
        var relation: ConditionRelation = [.implies, .disjoint]
        for value in list where !relation.isEmpty {
            let answer = decide(value)
            if answer != true { relation.remove(.implies) }
            if answer != false { relation.remove(.disjoint) }
        }
        return relation
    }

    // MARK: Values that equal a constant

    /// Returns a function of a constant: whether each value that equals the constant fulfils the condition. Its result
    /// is nil if that depends on the value, is not known, or if the test throws.
    ///
    /// One constant equals several values: an integer and a double with 2^53 equal each other, but not the same
    /// decimals.
    package func decision() -> (PredicateValue) -> Bool? {
        let decide = testDecision([])
        return isNegated ? { constant in decide(constant).map { !$0 } } : decide
    }

    /// - Parameter equality: the options with which values equal the constant.
    private func testDecision(_ equality: ComparisonOptions) -> (PredicateValue) -> Bool? {
        guard case .members(let list) = test, list.count > 8 else { return { decide($0, equality) } }
        let (exact, numbers) = (Set(list), Set(list.compactMap { $0.doubleValue }))
        return { constant in
            guard constant.isScalar, equality.isEmpty else { return nil }
            if exact.contains(constant) { return true }
            return constant.doubleValue.map(numbers.contains) ?? false ? nil : false
        }
    }

    private func decide(_ constant: PredicateValue, _ equality: ComparisonOptions) -> Bool? {
        guard constant.isScalar else { return nil }
        switch test {
        case .isNil: return constant.isNil
        case .members(let list):
            let answers = list.map { decide(.equal, constant, $0, equality) }
            return answers.contains(true) ? true : answers.contains(nil) ? nil : false
        case .order(let order, let bound): return decide(order, constant, bound, equality)
        case .range(let low, let high):
            let answers = [
                decide(.greaterOrEqual, constant, low, equality), decide(.lessOrEqual, constant, high, equality),
            ]
            return answers.contains(false) ? false : answers.contains(nil) ? nil : true
        case .text, .contains, .part, .pattern:
            guard equality.isEmpty, !options.contains(.localeSensitive), let result = try? holds(constant) else {
                return nil
            }
            return result != isNegated
        }
    }

    /// Whether each value that equals a constant has an order to another constant.
    private func decide(
        _ order: Order, _ constant: PredicateValue, _ other: PredicateValue, _ equality: ComparisonOptions
    ) -> Bool? {
        if constant.isNumber, other.isNumber { return constant.orderOfEquals(to: other, []).map { order.holds($0, 0) } }
        // A text with options stands for all texts with the same folded form.
        guard equality.isEmpty || equality == options, !options.contains(.localeSensitive) else { return nil }
        return try? Comparison(order.comparison, options).test(constant, other)
    }

    // MARK: Bounds

    /// The bounds of the values that fulfil an order or a range, without negation; nil for other tests.
    package var bounds: ConditionBounds? {
        switch test {
        case .order(.less, let bound): ConditionBounds(upper: .init(value: bound, isIncluded: false))
        case .order(.lessOrEqual, let bound): ConditionBounds(upper: .init(value: bound, isIncluded: true))
        case .order(.greater, let bound): ConditionBounds(lower: .init(value: bound, isIncluded: false))
        case .order(.greaterOrEqual, let bound): ConditionBounds(lower: .init(value: bound, isIncluded: true))
        case .range(let low, let high):
            ConditionBounds(lower: .init(value: low, isIncluded: true), upper: .init(value: high, isIncluded: true))
        default: nil
        }
    }
}

/// The bounds of an interval of values. At least one is not nil.
package struct ConditionBounds: Sendable {
    package struct Bound: Sendable {
        package let value: PredicateValue
        package let isIncluded: Bool
    }

    package var lower: Bound?
    package var upper: Bound?

    fileprivate func relation(to other: ConditionBounds, _ options: ComparisonOptions) -> ConditionRelation {
        /// The order of two bounds; nil if one does not exist or if it is unknown.
        func order(_ one: Bound?, _ other: Bound?) -> Int? {
            guard let one, let other else { return nil }
            return one.value.orderOfEquals(to: other.value, options)
        }
        /// Whether the values beyond a bound are among those beyond another.
        func isWithin(_ inner: Bound?, _ outer: Bound?, sign: Int) -> Bool {
            guard let outer else { return true }
            guard let inner, let order = order(inner, outer) else { return false }
            return order == sign || order == 0 && (outer.isIncluded || !inner.isIncluded)
        }
        func isWithin(_ inner: ConditionBounds, _ outer: ConditionBounds) -> Bool {
            isWithin(inner.lower, outer.lower, sign: 1) && isWithin(inner.upper, outer.upper, sign: -1)
        }
        func areApart(_ lower: Bound?, _ upper: Bound?) -> Bool {
            guard let lower, let upper, let order = order(lower, upper) else { return false }
            return order > 0 || order == 0 && !(lower.isIncluded && upper.isIncluded)
        }
        var relation: ConditionRelation = []
        if isWithin(self, other) { relation.insert(.implies) }
        if isWithin(other, self) { relation.insert(.impliedBy) }
        if areApart(lower, other.upper) || areApart(other.lower, upper) { relation.insert(.disjoint) }
        return relation
    }
}

extension PredicateValue {
    /// Whether it is neither a collection nor an object, so that few values equal it.
    fileprivate var isScalar: Bool {
        switch self {
        case .array, .set, .dictionary, .object: false
        default: true
        }
    }

    /// The order of two constants for all values that are compared with both: -1 if each value that is not greater than
    /// this constant is less than the other, 0 if both have the same order to each value. nil if that depends on the
    /// value, or if they have no order.
    fileprivate func orderOfEquals(to other: PredicateValue, _ options: ComparisonOptions) -> Int? {
        guard isNumber, other.isNumber else {
            if options.contains(.localeSensitive) { return nil }
            return try? order(against: other, for: "", options: options)
        }
        // A value is compared with a double after rounding it to a double, which keeps the order of numbers. A decimal
        // may equal only one of 5 and 5.0, and a double may equal several integers and decimals.
        guard let one = doubleValue, let two = other.doubleValue, !one.isNaN, !two.isNaN else { return nil }
        if one != two { return one < two ? -1 : 1 }
        return isDouble == other.isDouble && isEqual(to: other) ? 0 : nil
    }

    private var isDouble: Bool {
        switch self {
        case .float, .double: true
        default: false
        }
    }
}
