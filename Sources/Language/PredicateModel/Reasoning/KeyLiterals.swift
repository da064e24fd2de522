// In: comparisons of one key, each with the results that it must have, and what is known about the key. Out: whether some
// value may give these results. "No" is a proof, which BranchSearch.swift uses; "yes" may be wrong. For an integer `age`,
// no value makes all of these true, because each of the integers 31 and 32 fails one of them:
//
//     age > 30, age <= 32, age != 31, age != 32
//
// Values are divided into the classes of ValueClasses, such as nil, numbers and collections, and each is tried by itself.

/// What is known about the values of a key.
struct KeyDomain {
    let type: ExpressionType
    let mayBeUnreadable: Bool
    /// Whether doubles and dates may be NaN.
    let mayBeNaN: Bool
    /// The integers that it may be.
    var range: ClosedRange<Int64> = .min ... .max
    /// The only values that are not nil, or elements, if they are known.
    var cases: [PredicateValue] = []

    var classes: ValueClasses {
        ValueClasses(of: type).subtracting(mayBeNaN ? [] : [.notANumber, .notADate])
            .union(mayBeUnreadable ? .unreadable : [])
    }

    /// The elements of the values.
    var element: KeyDomain {
        KeyDomain(type: type.element ?? .any, mayBeUnreadable: false, mayBeNaN: mayBeNaN, cases: cases)
    }
}

/// A comparison of a key, with the results that it must have. `mayReachLimit`: matching its pattern may take too long.
package typealias KeyLiteral = (condition: KeyCondition, allowed: Outcomes, mayReachLimit: Bool)

/// Comparisons of one key with the results that they must have.
package struct KeyLiterals {
    let domain: KeyDomain
    /// Comparisons of the value: `age > 30`.
    package var direct: [KeyLiteral] = []
    /// Comparisons of its elements: `ANY scores > 30`, with the condition of an element. ALL is the negation of an
    /// ANY (Formula.swift).
    package var quantified: [KeyLiteral] = []

    /// The classes that are left out: nil where a longer key path must not be nil, nil and NaN if the caller
    /// excepts them.
    var excluded: ValueClasses = []

    /// The largest number of conditions of one key that are compared with each other.
    private static let comparedConditions = 200
    /// The largest number of integers that are tested one by one.
    private static let testedIntegers = 64
    /// The largest number of negated ranges and of undecided ANYs that are divided into cases.
    private static let dividedCases = 6

    /// About how many comparisons `mayHold()` reads. Those of a value are compared with each other.
    var steps: Int { direct.count * min(direct.count, Self.comparedConditions) + quantified.count + 1 }

    /// Whether some value may give these results. If it is false, there is none.
    func mayHold() -> Bool {
        domain.classes.subtracting(excluded).each.contains { mayHold(in: $0) }
    }

    /// Whether nil, or an error that it causes, gives these results.
    var holdForNil: Bool { mayHold(in: .null) || domain.mayBeUnreadable && mayHold(in: .unreadable) }

    /// Whether a value may give these results.
    func mayHold(for value: PredicateValue) -> Bool {
        direct.allSatisfy { condition, allowed, _ in
            condition.decision()(value).map { allowed.contains(Outcomes($0)) } ?? true
        }
    }

    /// - Parameter kind: one class.
    private func mayHold(in kind: ValueClasses) -> Bool {
        if kind == .collection { return collectionMayHold() }
        // ANY of nil is false, and ANY of a single value throws.
        let quantifier: Outcomes = kind == .null ? .false : .raised
        return quantified.allSatisfy { $0.allowed.contains(quantifier) } && Self.valueMayHold(direct, kind, domain)
    }

    // MARK: One value

    /// Whether a value of the class that is no collection may give the results.
    private static func valueMayHold(
        _ literals: [KeyLiteral], _ kind: ValueClasses, _ domain: KeyDomain
    ) -> Bool {
        var required: [KeyCondition] = []
        for (condition, allowed, mayReachLimit) in literals {
            let possible = condition.outcomes(for: kind, mayReachLimit: mayReachLimit)
            let left = possible.intersection(allowed)
            if left.isEmpty { return false }
            if left == possible { continue }
            // Other sets leave a choice. They are left out, which is a weaker requirement.
            if left == .true { required.append(simplified(condition)) }
            if left == .false { required.append(simplified(condition.negated)) }
        }
        required = joiningExclusions(required)
        if required.isEmpty || required.count > comparedConditions { return true }
        return valueMayFulfil(required, kind, domain, cases: 0)
    }

    /// The conditions with one list of all excluded values, because a long OR has one for each term.
    private static func joiningExclusions(_ conditions: [KeyCondition]) -> [KeyCondition] {
        var excluded: [PredicateValue] = []
        var others = conditions.filter { condition in
            guard condition.isNegated, condition.options.isEmpty, case .members(let list) = condition.test
            else { return true }
            excluded += list
            return false
        }
        if let first = conditions.first, !excluded.isEmpty {
            others.append(KeyCondition(first.key, .members(excluded), isNegated: true))
        }
        return others
    }

    /// A simpler condition for the values for which it does not throw, except nil and NaN: an order without NOT, the
    /// text of a pattern.
    private static func simplified(_ condition: KeyCondition) -> KeyCondition {
        switch condition.test {
        case .order(let order, let constant) where condition.isNegated:
            return KeyCondition(condition.key, .order(order.complement, constant), options: condition.options)
        case .pattern(let op, let pattern):
            let special = op == .like ? "?\\" : "?\\*.[](){}|+^$&-#\n\r"
            var text = pattern[...]
            let (opens, closes) = (op == .like && text.hasPrefix("*"), op == .like && text.hasSuffix("*"))
            if opens { text = text.dropFirst() }
            if closes { text = text.dropLast() }
            guard !text.isEmpty, !text.contains(where: { special.contains($0) || $0 == "*" }) else { return condition }
            let literal = String(text)
            return condition.with(
                opens
                    ? closes ? .contains(.string(literal)) : .text(literal, .suffix)
                    : closes ? .text(literal, .prefix) : .members([.string(literal)]))
        default: return condition
        }
    }

    /// Whether no text fulfils both conditions, one of which excludes a part of the other.
    private static func excludesPart(_ condition: KeyCondition, _ other: KeyCondition) -> Bool {
        guard !condition.isNegated, other.isNegated, condition.options == other.options,
            !condition.options.contains(.localeSensitive), case .contains(.string(let part)) = other.test
        else { return false }
        switch condition.test {
        case .text(let text, _), .contains(.string(let text)):
            return (try? Comparison(.contains, condition.options).test(.string(text), .string(part))) ?? false
        default: return false
        }
    }

    /// Whether a value of the class may fulfil all conditions, each of which is true or false for such values.
    private static func valueMayFulfil(
        _ conditions: [KeyCondition], _ kind: ValueClasses, _ domain: KeyDomain, cases: Int
    ) -> Bool {
        let range = conditions.firstIndex { if case .range = $0.test { $0.isNegated } else { false } }
        if let range, cases < dividedCases, case .range(let low, let high) = conditions[range].test {
            // A value outside of a range is below or above it.
            return [(Order.less, low), (.greater, high)].contains { order, bound in
                var divided = conditions
                divided[range] = KeyCondition(divided[range].key, .order(order, bound))
                return valueMayFulfil(divided, kind, domain, cases: cases + 1)
            }
        }
        var conditions = conditions
        if !domain.cases.isEmpty, ![.null, .unreadable].contains(kind) {
            conditions.append(KeyCondition(conditions[0].key, .members(domain.cases)))
        }
        if let value = onlyValue(conditions) { conditions.append(KeyCondition(conditions[0].key, .members([value]))) }
        for (index, condition) in conditions.enumerated() {
            for other in conditions[..<index] {
                if condition.relation(to: other).contains(.disjoint) { return false }
                if kind == .text, excludesPart(condition, other) || excludesPart(other, condition) { return false }
            }
        }
        if kind == .number, let integers = integers(domain, conditions) {
            guard let range = integers.range else { return false }
            let (width, overflow) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
            if !overflow, width < testedIntegers {
                return anyFulfils(range.map { .integer($0) }, conditions)
            }
        }
        for condition in conditions {
            if case .members(let list) = condition.test, !condition.isNegated, condition.options.isEmpty {
                if !anyFulfils(list.filter { ValueClasses(of: $0) == kind }, conditions) { return false }
            }
        }
        return true
    }

    private static func anyFulfils(_ values: [PredicateValue], _ conditions: [KeyCondition]) -> Bool {
        let decisions = conditions.map { $0.decision() }
        return values.contains { value in decisions.allSatisfy { $0(value) != false } }
    }

    /// The constant that all values equal, if an inclusive lower and an inclusive upper bound are the same.
    private static func onlyValue(_ conditions: [KeyCondition]) -> PredicateValue? {
        for condition in conditions where !condition.isNegated && condition.options.isEmpty {
            guard let low = condition.bounds?.lower, low.isIncluded, ConstantKind(low.value) != nil else { continue }
            for other in conditions where !other.isNegated && other.options.isEmpty {
                if let high = other.bounds?.upper, high.isIncluded, high.value == low.value { return low.value }
            }
        }
        return nil
    }

    /// The integers within the bounds; nil if the values need not be integers.
    private static func integers(_ domain: KeyDomain, _ conditions: [KeyCondition]) -> Interval<Int64>? {
        var range: ClosedRange<Int64>
        switch domain.type.kind {
        case .boolean: range = 0...1
        case .integer: range = domain.range
        default: return nil
        }
        for condition in conditions where !condition.isNegated {
            let bounds: [(Order, PredicateValue)] =
                switch condition.test {
                case .order(let order, let bound): [(order, bound)]
                case .range(let low, let high): [(.greaterOrEqual, low), (.lessOrEqual, high)]
                default: []
                }
            for (order, bound) in bounds {
                guard let span = try? IntegerSpan(of: bound) else { continue }
                guard let inside = span.interval(order).range, inside.overlaps(range) else {
                    return Interval(nil, nil)
                }
                range = inside.clamped(to: range)
            }
        }
        return Interval(range.lowerBound, range.upperBound)
    }

    // MARK: Collections

    private func collectionMayHold() -> Bool {
        var elements = quantified
        for (condition, allowed, mayReachLimit) in direct {
            let left = condition.outcomes(for: .collection, mayReachLimit: mayReachLimit).intersection(allowed)
            if left.isEmpty { return false }
            // A collection contains a value if some element equals it.
            if case .contains(let constant) = condition.test, !constant.isNaN {
                let equal = KeyCondition(condition.key, .members([constant]), isNegated: false)
                elements.append((equal, condition.isNegated ? left.negated : left, false))
            }
        }
        return elementsMayHold(elements[...], all: [], some: [], cases: 0)
    }

    private func elementMayHold(_ literals: [KeyLiteral]) -> Bool {
        let element = domain.element
        return element.classes.each.contains { Self.valueMayHold(literals, $0, element) }
    }

    /// - Parameters:
    ///   - all: conditions that are false for all elements.
    ///   - some: conditions of which each has the result for some element.
    private func elementsMayHold(
        _ open: ArraySlice<KeyLiteral>, all: [KeyLiteral], some: [KeyLiteral], cases: Int
    ) -> Bool {
        guard let (condition, allowed, mayReachLimit) = open.first else {
            guard some.allSatisfy({ elementMayHold(all + [$0]) }) else { return false }
            // Each of two results is that of the first element for which the test is not false. They are the same
            // element, or for the earlier one the other test is false.
            for (index, one) in some.enumerated() {
                for other in some[..<index] {
                    let (before, after): (KeyLiteral, KeyLiteral) = (
                        (other.condition, .false, other.mayReachLimit), (one.condition, .false, one.mayReachLimit)
                    )
                    let orders = [[one, other], [one, before], [other, after]]
                    guard orders.contains(where: { elementMayHold(all + $0) }) else { return false }
                }
            }
            return true
        }
        let rest = open.dropFirst()
        let choices = [Outcomes.true, .false, .raised].filter { allowed.contains($0) }
        if choices.count > 1, cases >= Self.dividedCases || choices.count == 3 {
            return elementsMayHold(rest, all: all, some: some, cases: cases)
        }
        return choices.contains { choice in
            let literal: KeyLiteral = (condition, choice, mayReachLimit)
            return elementsMayHold(
                rest, all: choice == .false ? all + [literal] : all, some: choice == .false ? some : some + [literal],
                cases: choices.count > 1 ? cases + 1 : cases)
        }
    }
}
