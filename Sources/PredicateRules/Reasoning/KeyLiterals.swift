// Decides whether a key can have a value for which several comparisons have given results.
import PredicateModel
import PredicateSyntax

/// What is known about the values of a key.
struct KeyDomain {
    let type: ExpressionType
    let mayBeUnreadable: Bool
    /// Whether doubles and dates may be NaN.
    let mayBeNaN: Bool

    var classes: ValueClasses { Self.classes(type, mayBeNaN).union(mayBeUnreadable ? .unreadable : []) }
    fileprivate var elementClasses: ValueClasses { Self.classes(type.element ?? .any, mayBeNaN) }

    private static func classes(_ type: ExpressionType, _ mayBeNaN: Bool) -> ValueClasses {
        ValueClasses(of: type).subtracting(mayBeNaN ? [] : [.notANumber, .notADate])
    }
}

/// A comparison of a key, with the results that it must have.
typealias KeyLiteral = (condition: KeyCondition, allowed: Outcomes, mayEnd: Bool)

/// Comparisons of one key with the results that they must have.
struct KeyLiterals {
    let domain: KeyDomain
    /// Comparisons of the value.
    var direct: [KeyLiteral] = []
    /// Comparisons by ANY.
    var quantified: [KeyLiteral] = []

    /// The largest number of integers that are tested one by one.
    private static let testedIntegers = 64
    /// The largest number of negated ranges and of undecided ANYs that are divided into cases.
    private static let dividedCases = 6

    /// Whether some value may give these results. If it is false, there is none.
    func mayHold() -> Bool {
        for kind in domain.classes.each {
            switch kind {
            case .collection: if collectionMayHold() { return true }
            default:
                let quantifier: Outcomes = kind == .null ? .false : .raised
                guard quantified.allSatisfy({ $0.allowed.contains(quantifier) }) else { continue }
                if Self.mayHold(direct, kind, domain.type) { return true }
            }
        }
        return false
    }

    // MARK: One value

    private static func mayHold(_ literals: [KeyLiteral], _ kind: ValueClasses, _ type: ExpressionType) -> Bool {
        var required: [KeyCondition] = []
        for (condition, allowed, mayEnd) in literals {
            let possible = condition.outcomes(for: kind, mayEnd: mayEnd)
            let left = possible.intersection(allowed)
            if left.isEmpty { return false }
            if left == possible { continue }
            // Other sets allow an error. They are left out, which is a weaker requirement.
            if left == .true { required.append(plain(condition)) }
            if left == .false { required.append(plain(condition.negated)) }
        }
        return required.isEmpty || mayHold(required, kind, type, cases: 0)
    }

    /// The condition without NOT, if it has an order. Valid for values that have an order, so not for nil and NaN.
    private static func plain(_ condition: KeyCondition) -> KeyCondition {
        guard case .order(let order, let constant) = condition.test, condition.isNegated else { return condition }
        return KeyCondition(condition.key, .order(order.complement, constant), options: condition.options)
    }

    /// Whether a value of the class may fulfil all conditions, each of which is true or false for such values.
    private static func mayHold(
        _ conditions: [KeyCondition], _ kind: ValueClasses, _ type: ExpressionType, cases: Int
    ) -> Bool {
        let range = conditions.firstIndex { if case .range = $0.test { $0.isNegated } else { false } }
        if let range, cases < dividedCases, case .range(let low, let high) = conditions[range].test {
            // A value outside of a range is below or above it.
            return [(Order.less, low), (.greater, high)].contains { order, bound in
                var divided = conditions
                divided[range] = KeyCondition(divided[range].key, .order(order, bound))
                return mayHold(divided, kind, type, cases: cases + 1)
            }
        }
        var conditions = conditions
        if let value = onlyValue(conditions) { conditions.append(KeyCondition(conditions[0].key, .members([value]))) }
        for (index, condition) in conditions.enumerated() {
            for other in conditions[..<index] where condition.relation(to: other).contains(.disjoint) { return false }
        }
        if kind == .number, let integers = integers(type, conditions) {
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

    /// Whether one of the values may fulfil all conditions.
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
    private static func integers(_ type: ExpressionType, _ conditions: [KeyCondition]) -> Interval<Int64>? {
        var range: ClosedRange<Int64>
        switch type.kind {
        case .boolean: range = 0...1
        case .integer: range = .min ... .max
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
        for (condition, allowed, mayEnd) in direct {
            let left = condition.outcomes(for: .collection, mayEnd: mayEnd).intersection(allowed)
            if left.isEmpty { return false }
            // A collection contains a value if some element equals it.
            if case .contains(let constant) = condition.test, !constant.isNaN {
                let equal = KeyCondition(condition.key, .members([constant]), isNegated: false)
                elements.append((equal, condition.isNegated ? left.negated : left, false))
            }
        }
        return elementsMayHold(elements[...], all: [], some: [], cases: 0)
    }

    /// - Parameters:
    ///   - all: conditions that are false for all elements.
    ///   - some: conditions of which each has the result for some element.
    private func elementsMayHold(
        _ open: ArraySlice<KeyLiteral>, all: [KeyLiteral], some: [KeyLiteral], cases: Int
    ) -> Bool {
        guard let (condition, allowed, mayEnd) = open.first else {
            return some.allSatisfy { one in
                domain.elementClasses.each.contains { Self.mayHold(all + [one], $0, domain.type.element ?? .any) }
            }
        }
        let rest = open.dropFirst()
        let choices = [Outcomes.true, .false, .raised].filter { allowed.contains($0) }
        if choices.count > 1, cases >= Self.dividedCases || choices.count == 3 {
            return elementsMayHold(rest, all: all, some: some, cases: cases)
        }
        return choices.contains { choice in
            let literal: KeyLiteral = (condition, choice, mayEnd)
            return elementsMayHold(
                rest, all: choice == .false ? all + [literal] : all, some: choice == .false ? some : some + [literal],
                cases: choices.count > 1 ? cases + 1 : cases)
        }
    }
}
