// The normal form of a comparison of a key with a constant. Everything that reasons about such comparisons reads them
// here once: hints, simplification, indexes of predicate sets, explanations, conversions, stores.
// ConditionRelation.swift compares two conditions, UpperBound.swift divides a tree.

extension ComparisonNode {
    /// The comparison as `key operator constant`, with its sides exchanged if the constant is at the left.
    ///
    /// `5 < age` is `age > 5`, `'x' IN tags` is `tags CONTAINS 'x'`, `{1, 2} CONTAINS age` is `age IN {1, 2}`.
    ///
    /// - Parameter constant: the value of an expression that does not depend on the object; nil for other expressions.
    /// - Returns: nil if not exactly one side is constant, or if no operator expresses the exchanged comparison.
    package func keyed(
        constant: (ExpressionNode) -> PredicateValue? = { $0.constant }
    ) -> (key: ExpressionNode, operator: ComparisonOperator, constant: PredicateValue)? {
        guard let right = constant(right) else {
            guard modifier == .direct, let left = constant(left), let mirrored = self.operator.mirrored(left)
            else { return nil }
            return (self.right, mirrored, left)
        }
        return constant(left) == nil ? (left, self.operator, right) : nil
    }
}

extension ComparisonOperator {
    /// The operator for exchanged sides, given the constant that was at the left; nil if there is none.
    package func mirrored(_ constant: PredicateValue) -> ComparisonOperator? {
        switch self {
        case .in: .contains
        case .contains where constant.isNil || constant.stringValue != nil || constant.elements != nil: .in
        case .contains: nil
        default: Order(self)?.mirrored.comparison
        }
    }
}

/// A comparison of a key with a constant, in normal form.
///
///     KeyCondition(NOT 5 != age)                  // age is one of {5}
///     KeyCondition(age BETWEEN {9, 1})            // age is in 1...9
///     KeyCondition(NONE tags IN {'a', nil})       // all tags are NOT one of {'a'}
///
/// Comparisons with the same meaning have the same normal form where that is possible: the key is at the left, NOT
/// changes ANY to ALL and negates the test, equality is a list with one member, bounds are in order, and lists have
/// neither nil nor NaN, which equal no member.
package struct KeyCondition: Hashable, Sendable {
    /// What is tested of a value. No test but `isNil` holds for nil.
    package enum Test: Hashable, Sendable {
        /// `== nil`
        case isNil
        /// `== constant` and `IN {…}`: equal to one of the constants. Never holds if there are none.
        case members([PredicateValue])
        /// `<`, `<=`, `>`, `>=`
        case order(Order, PredicateValue)
        /// `BETWEEN`: the first bound is not greater than the second
        case range(PredicateValue, PredicateValue)
        /// `BEGINSWITH`, `ENDSWITH`
        case text(String, TextPlace)
        /// `CONTAINS`: a part of a text, or an element of a collection
        case contains(PredicateValue)
        /// `IN 'text'`: a part of the text
        case part(of: String)
        /// `LIKE`, `MATCHES`
        case pattern(ComparisonOperator, String)
    }

    /// The expression that is compared, usually a key path.
    package let key: ExpressionNode
    /// With ANY and ALL the test is one of the elements.
    package private(set) var quantifier: ComparisonModifier
    /// The options that have an effect, which are those for texts.
    package private(set) var options: ComparisonOptions
    /// Whether the test must not hold. nil fulfils a negated test other than `isNil`.
    package private(set) var isNegated: Bool
    package private(set) var test: Test

    /// nil for other conditions than a comparison of a key with a constant, or its negation, and for comparisons that
    /// throw for each value but nil.
    package init?(_ node: PredicateNode) {
        var (inner, isNegated) = (node, false)
        while case .not(let child) = inner.kind { (inner, isNegated) = (child, !isNegated) }
        guard case .comparison(let comparison) = inner.kind else { return nil }
        self.init(comparison, isNegated: isNegated)
    }

    /// - Parameter constant: the value of an expression that does not depend on the object; nil for other expressions.
    package init?(
        _ comparison: ComparisonNode, isNegated: Bool = false,
        constant: (ExpressionNode) -> PredicateValue? = { $0.constant }
    ) {
        guard let (key, op, constant) = comparison.keyed(constant: constant) else { return nil }
        self.init(key, op, constant, comparison.options, quantifier: comparison.modifier)
        if isNegated { self = negated }
    }

    /// The condition `quantifier key operator[options] constant`.
    package init?(
        _ key: ExpressionNode, _ op: ComparisonOperator, _ constant: PredicateValue, _ options: ComparisonOptions = [],
        quantifier: ComparisonModifier = .direct
    ) {
        guard let test = Test(op, constant) else { return nil }
        self.init(key, test, quantifier: quantifier, options: OperatorRules.effective(options))
        isNegated = op == .notEqual
        if op == .in, case .members = test { self.options = [] }
    }

    /// A condition with a test. Options are dropped if they have no effect.
    package init(
        _ key: ExpressionNode, _ test: Test, isNegated: Bool = false, quantifier: ComparisonModifier = .direct,
        options: ComparisonOptions = []
    ) {
        self.key = key
        self.test = test
        self.isNegated = isNegated
        self.quantifier = quantifier
        self.options = options.isEmpty || test.isOfTexts ? options : []
    }

    /// The condition that holds where this one does not.
    package var negated: KeyCondition {
        var opposite = self
        opposite.isNegated.toggle()
        if quantifier != .direct { opposite.quantifier = quantifier == .any ? .all : .any }
        return opposite
    }

    /// The condition with another test.
    package func with(_ test: Test) -> KeyCondition {
        KeyCondition(key, test, isNegated: isNegated, quantifier: quantifier, options: options)
    }

    /// Whether no value fulfils the test: `IN {}`, `< nil`, `== NaN`.
    package var isNever: Bool { test == .members([]) }

    // MARK: Meaning

    /// Whether a value fulfils the test, or does not if it is negated. For ANY and ALL, a value is an element.
    /// - Throws: an error for a value of the wrong type or a malformed pattern.
    package func holds(
        _ value: PredicateValue, in rules: OperatorRules = .standard
    ) throws(EvaluationFault) -> Bool {
        let (op, constant) = test.operation
        return try Comparison(op, options, rules: rules).test(value, constant) != isNegated
    }

    /// The condition as a predicate.
    package func node(span: SourceSpan = .none) -> PredicateNode {
        var (op, constant) = test.operation
        let isUnequal = isNegated && op == .equal
        let modifier = isNegated && !isUnequal ? negated.quantifier : quantifier
        if isUnequal { op = .notEqual }
        var side = ExpressionNode(.value(constant))
        if case .array(let elements) = constant {
            side = ExpressionNode(.aggregate(elements.map { ExpressionNode(.value($0)) }))
        }
        let node = PredicateNode(
            .comparison(ComparisonNode(key, op, side, modifier: modifier, options: options)), span: span)
        return isNegated && !isUnequal ? PredicateNode(.not(node), span: span) : node
    }
}

extension KeyCondition.Test {
    /// nil for operators of the app and of type identifiers, and if the comparison throws for each value but nil.
    fileprivate init?(_ op: ComparisonOperator, _ constant: PredicateValue) {
        switch (op, constant) {
        case (.custom, _), (.tokenMatches, _): return nil
        // nil equals nil; it is in no list, and no other operator matches it (LANGUAGE 5.2).
        case (_, .null), (_, .nsNull):
            self = [.equal, .notEqual, .lessThanOrEqual, .greaterThanOrEqual].contains(op) ? .isNil : .members([])
        case (.equal, _), (.notEqual, _): self = .members(constant.isNaN ? [] : [constant])
        case (.in, .string(let text)): self = .part(of: text)
        case (.in, _):
            guard let elements = constant.elements else { return nil }
            self = .members(elements.filter { !$0.isNil && !$0.isNaN })
        case (.contains, _): self = .contains(constant)
        case (.between, .array(let bounds)) where bounds.count == 2:
            self = .members([])
            if bounds[0].isNil || bounds[1].isNil { return }
            do throws(EvaluationFault) {
                guard let order = try bounds[0].order(against: bounds[1], for: op.spelling) else { return }
                self = order > 0 ? .range(bounds[1], bounds[0]) : .range(bounds[0], bounds[1])
            } catch {
                return nil
            }
        case (.beginsWith, .string(let text)): self = .text(text, .prefix)
        case (.endsWith, .string(let text)): self = .text(text, .suffix)
        case (.like, .string(let text)), (.matches, .string(let text)): self = .pattern(op, text)
        default:
            guard let order = Order(op) else { return nil }
            self = .order(order, constant)
        }
    }

    /// An operator and a constant with the same meaning.
    fileprivate var operation: (ComparisonOperator, PredicateValue) {
        switch self {
        case .isNil: (.equal, .null)
        case .members(let list) where list.count == 1: (.equal, list[0])
        case .members(let list): (.in, .array(list))
        case .order(let order, let constant): (order.comparison, constant)
        case .range(let low, let high): (.between, .array([low, high]))
        case .text(let text, let place): (place == .prefix ? .beginsWith : .endsWith, .string(text))
        case .contains(let constant): (.contains, constant)
        case .part(let text): (.in, .string(text))
        case .pattern(let op, let text): (op, .string(text))
        }
    }

    /// Whether options may change the result.
    fileprivate var isOfTexts: Bool {
        switch self {
        case .members(let list): if list.count == 1, case .string = list[0] { true } else { false }
        case .order(_, .string), .contains(.string), .text, .part, .pattern: true
        case .isNil, .order, .contains, .range: false
        }
    }
}

extension PredicateValue {
    /// Whether it is a number or date that equals no value.
    package var isNaN: Bool {
        if case .date(let seconds) = self { seconds.isNaN } else { doubleValue?.isNaN ?? false }
    }
}
