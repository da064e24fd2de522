// Finds conditions on one key that are never true together, or of which at least one is always true: `age > 30 AND age
// < 20`, `status != 1 OR status != 2`, `NOT (a > 3) AND a > 3`. They are reported as warnings, because the predicate is
// legal but probably a mistake.
import PredicateSyntax

/// A comparison of a key with constants, or its negation.
private struct SimpleTerm {
    enum Test {
        /// The key is the left operand.
        case order(Order, PredicateValue)
        case member([PredicateValue])
        case between(Double, Double)
    }

    let key: ExpressionNode
    let test: Test
    /// Whether the comparison is negated. nil fulfils the negation of an order.
    let isNegated: Bool
    let span: SourceSpan

    /// The key that a condition compares with a constant.
    static func key(of node: PredicateNode) -> ExpressionNode? {
        if case .not(let inner) = node.kind { comparedKey(inner) } else { comparedKey(node) }
    }

    private static func comparedKey(_ node: PredicateNode) -> ExpressionNode? {
        guard case .comparison(let comparison) = node.kind else { return nil }
        if case .keyPath = comparison.left.kind {
            switch comparison.right.kind {
            case .value, .aggregate: return comparison.left
            default: return nil
            }
        }
        if case .value = comparison.left.kind, case .keyPath = comparison.right.kind { return comparison.right }
        return nil
    }

    /// Whether two conditions compare one key with constants.
    static func haveOneKey(_ one: PredicateNode, _ other: PredicateNode) -> Bool {
        guard let key = Self.key(of: one), let second = Self.key(of: other) else { return false }
        return key.kind == second.kind
    }

    /// A summary of a condition that is cheap to compute and to compare.
    struct Mark {
        /// A hash of the key; 0 for conditions without a key.
        let key: Int
        let isNegated: Bool

        init(_ node: PredicateNode) {
            var (base, isNegated) = (node, false)
            while case .not(let inner) = base.kind { (base, isNegated) = (inner, true) }
            self.isNegated = isNegated
            guard let key = SimpleTerm.comparedKey(base), case .keyPath(let path) = key.kind,
                let last = path.last?.utf8
            else {
                key = 0
                return
            }
            self.key = 2 + (path.count << 16 | min(last.count, 255) << 8 | Int(last.first ?? 0))
        }

        /// A set with one member. Two conditions can be a pair only if their sets overlap, which is rare otherwise.
        var bits: UInt64 { 1 << UInt64(truncatingIfNeeded: (key ^ key >> 6) & 63) }

        /// Two conditions on the same key can be a pair. Other conditions can be one only if one of them is negated.
        func canBePair(with other: Mark) -> Bool {
            key == other.key && (key != 0 || isNegated || other.isNegated)
        }
    }

    /// nil for any other condition, and for options, because options change which values are equal.
    init?(_ node: PredicateNode) {
        var (inner, isNegated) = (node, false)
        if case .not(let negated) = node.kind { (inner, isNegated) = (negated, true) }
        guard case .comparison(let comparison) = inner.kind, comparison.modifier == .direct, comparison.options.isEmpty,
            let key = Self.key(of: node)
        else { return nil }
        let isMirrored = if case .value = comparison.left.kind { true } else { false }
        let constant = isMirrored ? comparison.left : comparison.right
        switch comparison.operator {
        case .in where !isMirrored:
            guard let values = constant.constants, !values.isEmpty, values.allSatisfy(Self.isExact) else { return nil }
            test = .member(values)
        case .between where !isMirrored:
            guard let bounds = constant.constants, bounds.count == 2, let lower = bounds[0].doubleValue,
                let upper = bounds[1].doubleValue, lower <= upper, bounds.allSatisfy(Self.isExact)
            else { return nil }
            test = .between(lower, upper)
        default:
            guard var order = Order(comparison.operator), case .value(let value) = constant.kind, Self.isExact(value)
            else { return nil }
            if isMirrored { order = order.mirrored }
            // The negation of an equality is an inequality, also for nil.
            if isNegated, order == .equal || order == .different { (order, isNegated) = (order.complement, false) }
            test = .order(order, value)
        }
        (self.key, self.isNegated, span) = (key, isNegated, node.span)
    }

    /// A double from 2^53 on equals several integers, so what it fulfils does not say what they fulfil.
    private static func isExact(_ value: PredicateValue) -> Bool {
        value.doubleValue.map { $0.magnitude < 0x1p53 } ?? true
    }

    // MARK: Values

    /// The only values that fulfil the term; nil if it is not a list of values.
    private var candidates: [PredicateValue]? {
        switch test {
        case .order(.equal, let value): [value]
        case .member(let values) where !isNegated: values.filter { !$0.isNil }
        default: nil
        }
    }

    /// The only values that do not fulfil the term; nil if it is not a list of values.
    private var exceptions: [PredicateValue]? {
        switch test {
        case .order(.different, let value): [value]
        case .member(let values) where isNegated && !values.contains(where: { $0.isNil }): values
        default: nil
        }
    }

    /// Whether the term holds for a value of the key; nil if this is unknown.
    private func holds(for value: PredicateValue) -> Bool? {
        let result: Bool?
        switch test {
        case .order(let order, let constant): result = Self.holds(order, value, constant)
        case .between(let lower, let upper):
            result = value.isNil ? false : value.doubleValue.map { lower <= $0 && $0 <= upper }
        case .member(let values):
            if value.isNil {
                result = false
            } else {
                let found = values.filter { !$0.isNil }.map { Self.holds(.equal, value, $0) }
                result = found.contains(true) ? true : found.contains(nil) ? nil : false
            }
        }
        return result.map { $0 != isNegated }
    }

    private static func holds(_ order: Order, _ value: PredicateValue, _ constant: PredicateValue) -> Bool? {
        if order == .equal || order == .different || value.isNil || constant.isNil {
            guard value.isNil || constant.isNil || value.hasKnownEquality(with: constant) else { return nil }
            let isEqual = value.isEqual(to: constant)
            return switch order {
            case .equal, .lessOrEqual, .greaterOrEqual: isEqual
            case .different: !isEqual
            case .less, .greater: false
            }
        }
        guard let left = value.doubleValue, let right = constant.doubleValue else { return nil }
        return order.holds(left, right)
    }

    // MARK: Numbers

    private struct Bound {
        let value: Double
        let isIncluded: Bool
    }

    /// The numbers that fulfil the term; nil if they are not an interval with a bound.
    private var interval: (lower: Bound?, upper: Bound?)? {
        switch test {
        case .between(let lower, let upper) where !isNegated:
            return (Bound(value: lower, isIncluded: true), Bound(value: upper, isIncluded: true))
        case .order(let order, let value):
            guard let number = value.doubleValue else { return nil }
            switch isNegated ? order.complement : order {
            case .less: return (nil, Bound(value: number, isIncluded: false))
            case .lessOrEqual: return (nil, Bound(value: number, isIncluded: true))
            case .greater: return (Bound(value: number, isIncluded: false), nil)
            case .greaterOrEqual: return (Bound(value: number, isIncluded: true), nil)
            default: return nil
            }
        default: return nil
        }
    }

    // MARK: Pairs

    /// Whether no value fulfils both terms.
    func contradicts(_ other: SimpleTerm) -> Bool {
        if let candidates { return candidates.allSatisfy { other.holds(for: $0) == false } }
        if let candidates = other.candidates { return candidates.allSatisfy { holds(for: $0) == false } }
        // nil fulfils the negation of an order.
        guard !(isNegated && other.isNegated), let interval, let second = other.interval else { return false }
        return Self.areApart(interval.lower, second.upper) || Self.areApart(second.lower, interval.upper)
    }

    private static func areApart(_ lower: Bound?, _ upper: Bound?) -> Bool {
        guard let lower, let upper else { return false }
        return lower.value > upper.value || lower.value == upper.value && !(lower.isIncluded && upper.isIncluded)
    }

    /// Whether each value except nil fulfils at least one of the terms: `a > 5 OR a < 10`.
    func isExhaustiveForValues(with other: SimpleTerm) -> Bool {
        guard let interval, let second = other.interval else { return false }
        func meet(_ lower: Bound?, _ upper: Bound?) -> Bool {
            guard let lower, let upper else { return false }
            return lower.value < upper.value || lower.value == upper.value && (lower.isIncluded || upper.isIncluded)
        }
        return interval.upper == nil && second.lower == nil && meet(interval.lower, second.upper)
            || interval.lower == nil && second.upper == nil && meet(second.lower, interval.upper)
    }

    /// Whether each value including nil fulfils at least one of the terms.
    func isExhaustive(with other: SimpleTerm) -> Bool {
        if isExhaustiveForValues(with: other), isNegated || other.isNegated { return true }
        if let exceptions { return exceptions.allSatisfy { other.holds(for: $0) == true } }
        if let exceptions = other.exceptions { return exceptions.allSatisfy { holds(for: $0) == true } }
        return false
    }
}

extension FormRules {
    /// The maximum number of terms of one AND or OR that are compared with each other.
    private static let comparedTerms = 32

    /// Checks the terms of an AND or OR against each other. Returns the result of the whole if two terms decide it for
    /// every value and nil.
    @discardableResult
    func checkTerms(_ node: PredicateNode, _ found: inout Findings) -> Bool? {
        guard findsMistakes, !found.areBesideErrors else { return nil }
        let (children, isConjunction): ([PredicateNode], Bool)
        switch node.kind {
        case .and(let terms): (children, isConjunction) = (terms, true)
        case .or(let terms): (children, isConjunction) = (terms, false)
        default: return nil
        }
        let terms = flattened(children, isConjunction)
        guard mayHavePairs(terms) else { return nil }
        let marks = terms.prefix(Self.comparedTerms).map { SimpleTerm.Mark($0) }
        for index in marks.indices {
            for earlier in 0..<index where marks[index].canBePair(with: marks[earlier]) {
                let (before, later) = (terms[earlier], terms[index])
                let isPair = marks[index].key != 0 && SimpleTerm.haveOneKey(before, later)
                guard
                    let (id, exception) = (isPair ? finding(before, later, isConjunction) : nil)
                        ?? opposites(before, later, isConjunction)
                else { continue }
                let result = exception.isEmpty ? id == .tautology : nil
                // Terms built in code have no place in the text.
                guard !before.span.isEmpty, !later.span.isEmpty else { return result }
                let both = before.span.joined(later.span)
                let isWhole = !bytes[both.range.clamped(to: 0..<bytes.count)].contains(UInt8(ascii: ")"))
                found.append(
                    Diagnostic(id, at: isWhole ? both : node.span, text(before.span), text(later.span), exception))
                return result
            }
        }
        return nil
    }

    /// Whether two terms may have the same key. Most predicates have one term for each key.
    private func mayHavePairs(_ terms: [PredicateNode]) -> Bool {
        var (seen, withoutKey, negations) = (UInt64(0), 0, 0)
        for term in terms.prefix(Self.comparedTerms) {
            let mark = SimpleTerm.Mark(term)
            if mark.key == 0 {
                withoutKey += 1
                negations += mark.isNegated ? 1 : 0
            } else if seen & mark.bits != 0 {
                return true
            } else {
                seen |= mark.bits
            }
        }
        return withoutKey > 1 && negations > 0
    }

    /// The result of two terms on one key: never true together, or always true.
    private func finding(
        _ before: PredicateNode, _ later: PredicateNode, _ isConjunction: Bool
    ) -> (DiagnosticID, String)? {
        guard let term = SimpleTerm(later), let partner = SimpleTerm(before) else { return nil }
        if isConjunction { return partner.contradicts(term) ? (.contradiction, "") : nil }
        if partner.isExhaustive(with: term) { return (.tautology, "") }
        return partner.isExhaustiveForValues(with: term) ? (.tautology, " except nil") : nil
    }

    /// Reports a condition next to its own negation.
    private func opposites(
        _ before: PredicateNode, _ later: PredicateNode, _ isConjunction: Bool
    ) -> (DiagnosticID, String)? {
        func negates(_ node: PredicateNode, _ other: PredicateNode) -> Bool {
            if case .not(let inner) = node.kind, inner.span != node.span { inner == other } else { false }
        }
        guard negates(before, later) || negates(later, before), !before.span.isEmpty, !later.span.isEmpty,
            !later.callsFunctions
        else { return nil }
        return (isConjunction ? .contradiction : .tautology, "")
    }

    /// The terms, including those of nested conditions of the same kind in parentheses.
    private func flattened(_ terms: [PredicateNode], _ isConjunction: Bool) -> [PredicateNode] {
        func nested(_ node: PredicateNode) -> [PredicateNode]? {
            switch node.kind {
            case .and(let terms) where isConjunction: terms
            case .or(let terms) where !isConjunction: terms
            default: nil
            }
        }
        // Most predicates have no nested conditions, so usually no list is built.
        for term in terms.prefix(Self.comparedTerms) where nested(term) != nil {
            return terms.prefix(Self.comparedTerms).flatMap { nested($0) ?? [$0] }
        }
        return terms
    }
}

extension PredicateNode {
    /// Whether the result may differ each time: random(), or a function of the app.
    fileprivate var callsFunctions: Bool {
        var found = false
        PredicateWalker(expression: { node in
            switch node.kind {
            case .call, .method, .fetch, .argument, .error: found = true
            default: break
            }
        }).walk(self)
        return found
    }
}

extension ExpressionNode {
    /// The values of a list of constants.
    fileprivate var constants: [PredicateValue]? {
        if case .array(let values) = constant { values } else { nil }
    }
}

extension PredicateValue {
    /// Whether the equality of two constants does not depend on the type of the key: numbers, texts, Booleans.
    fileprivate func hasKnownEquality(with other: PredicateValue) -> Bool {
        switch (self, other) {
        case (.string, .string): true
        default: doubleValue != nil && other.doubleValue != nil
        }
    }
}
