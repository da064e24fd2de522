// Conditions on one key that never hold together, or of which one always holds: `age > 30 AND age < 20`,
// `status != 1 OR status != 2`. They are warnings: the predicate is legal, but probably a mistake.
import PredicateSyntax

/// A comparison of a key with a constant, with the key on the left.
private struct SimpleTerm {
    let key: ExpressionNode
    let order: Order
    let constant: PredicateValue
    let span: SourceSpan

    /// The key that a condition compares with a constant.
    static func key(of node: PredicateNode) -> ExpressionNode? {
        guard case .comparison(let comparison) = node.kind else { return nil }
        switch (comparison.left.kind, comparison.right.kind) {
        case (.keyPath, .value): return comparison.left
        case (.value, .keyPath): return comparison.right
        default: return nil
        }
    }

    /// nil for any other condition. Options change what is equal, so a term has none.
    init?(_ node: PredicateNode) {
        guard case .comparison(let comparison) = node.kind, comparison.modifier == .direct, comparison.options.isEmpty,
            let order = Order(comparison.operator)
        else { return nil }
        span = node.span
        switch (comparison.left.kind, comparison.right.kind) {
        case (.keyPath, .value(let value)): (key, self.order, constant) = (comparison.left, order, value)
        case (.value(let value), .keyPath): (key, self.order, constant) = (comparison.right, order.mirrored, value)
        default: return nil
        }
    }

    private var isEquality: Bool { order == .equal || order == .different }
    private var isUpper: Bool { order == .less || order == .lessOrEqual }

    /// Whether the constant of this term, as the value of the key, fulfils another term. nil if that is not known.
    private func fulfils(_ other: SimpleTerm) -> Bool? {
        if other.isEquality || constant.isNil || other.constant.isNil {
            guard constant.isNil || other.constant.isNil || constant.hasKnownEquality(with: other.constant) else {
                return nil
            }
            let isEqual = constant.isEqual(to: other.constant)
            return switch other.order {
            case .equal, .lessOrEqual, .greaterOrEqual: isEqual
            case .different: !isEqual
            case .less, .greater: false
            }
        }
        guard let left = constant.doubleValue, let right = other.constant.doubleValue else { return nil }
        return other.order.holds(left, right)
    }

    /// Whether no value fulfils both terms.
    func contradicts(_ other: SimpleTerm) -> Bool {
        if order == .equal { return fulfils(other) == false }
        if other.order == .equal { return other.fulfils(self) == false }
        guard !isEquality, !other.isEquality, isUpper != other.isUpper, let bound = constant.doubleValue,
            let otherBound = other.constant.doubleValue
        else { return false }
        let (lower, upper) = isUpper ? (otherBound, bound) : (bound, otherBound)
        let includesBoth = [order, other.order].allSatisfy { $0 == .lessOrEqual || $0 == .greaterOrEqual }
        return lower > upper || lower == upper && !includesBoth
    }

    /// Whether each value but nil fulfils one of the terms: `a > 5 OR a < 10`.
    func isExhaustiveForValues(with other: SimpleTerm) -> Bool {
        guard !isEquality, !other.isEquality, isUpper != other.isUpper, let bound = constant.doubleValue,
            let otherBound = other.constant.doubleValue
        else { return false }
        let (lower, upper) = isUpper ? (otherBound, bound) : (bound, otherBound)
        let includesOne = [order, other.order].contains { $0 == .lessOrEqual || $0 == .greaterOrEqual }
        return lower < upper || lower == upper && includesOne
    }

    /// Whether each value, nil included, fulfils one of the terms.
    func isExhaustive(with other: SimpleTerm) -> Bool {
        switch (order, other.order) {
        case (.different, .different): fulfils(other) == true
        case (.equal, .different): fulfils(other) == false
        case (.different, .equal): other.fulfils(self) == false
        default: false
        }
    }
}

extension FormRules {
    /// The most terms of one AND or OR that are compared with each other.
    private static let comparedTerms = 32

    /// Checks the terms of an AND or OR against each other.
    func checkTerms(_ node: PredicateNode, _ found: inout Findings) {
        guard findsMistakes else { return }
        let (children, isConjunction): ([PredicateNode], Bool)
        switch node.kind {
        case .and(let terms): (children, isConjunction) = (terms, true)
        case .or(let terms): (children, isConjunction) = (terms, false)
        default: return
        }
        let terms = flattened(children, isConjunction)
        for (index, later) in terms.prefix(Self.comparedTerms).enumerated() {
            guard let key = SimpleTerm.key(of: later) else { continue }
            for before in terms[..<index] where SimpleTerm.key(of: before)?.kind == key.kind {
                guard let term = SimpleTerm(later), let partner = SimpleTerm(before), !partner.span.isEmpty,
                    !term.span.isEmpty
                else { continue }
                let id: DiagnosticID
                var exception = ""
                if isConjunction {
                    guard partner.contradicts(term) else { continue }
                    id = .contradiction
                } else {
                    if !partner.isExhaustive(with: term) {
                        guard partner.isExhaustiveForValues(with: term) else { continue }
                        exception = " except nil"
                    }
                    id = .tautology
                }
                let both = partner.span.joined(term.span)
                let isWhole = !bytes[both.range.clamped(to: 0..<bytes.count)].contains(UInt8(ascii: ")"))
                found.append(
                    Diagnostic(
                        id, at: isWhole ? both : node.span, text(partner.span), text(term.span), exception))
                return
            }
        }
    }

    /// The terms with those of nested conditions of the same kind, which parentheses keep apart.
    private func flattened(_ terms: [PredicateNode], _ isConjunction: Bool) -> [PredicateNode] {
        func nested(_ node: PredicateNode) -> [PredicateNode]? {
            switch node.kind {
            case .and(let terms) where isConjunction: terms
            case .or(let terms) where !isConjunction: terms
            default: nil
            }
        }
        // Nearly all predicates have none, and then no list is made.
        for term in terms.prefix(Self.comparedTerms) where nested(term) != nil {
            return terms.prefix(Self.comparedTerms).flatMap { nested($0) ?? [$0] }
        }
        return terms
    }
}

extension PredicateValue {
    /// Whether `==` of two constants is the same for every key that holds one of them: numbers, texts, Booleans.
    fileprivate func hasKnownEquality(with other: PredicateValue) -> Bool {
        switch (self, other) {
        case (.string, .string): true
        default: doubleValue != nil && other.doubleValue != nil
        }
    }
}
