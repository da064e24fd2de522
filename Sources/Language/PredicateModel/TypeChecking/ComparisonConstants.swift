// Finds comparisons whose result does not depend on the object: types that are never equal, nil tests of values that
// are never nil, constants out of range, two constants. They are reported as warnings, because such a comparison is
// legal but probably a mistake.

/// The known result of a comparison, with the reason.
struct Constancy {
    let value: Bool
    let reason: String
    /// Whether the reason is that the types of the two sides never meet.
    var isByTypes = false
    /// How to write the comparison.
    var advice: String?
    /// Whether it is a warning. Constants that a caller passed are no mistake of the text.
    var isReported = true
}

extension TypeInference {
    /// The result as text. With a quantifier, an empty collection may give another result.
    func outcome(_ value: Bool, _ modifier: ComparisonModifier) -> String {
        let ofEmpty: Bool? = modifier == .direct ? nil : modifier == .all
        return "\(value)" + (ofEmpty == nil || ofEmpty == value ? "" : " unless the collection is empty")
    }

    /// nil if the result depends on the object. The types must fit the operator.
    func constancy(of typed: TypedComparison) -> Constancy? {
        ofNil(typed) ?? ofConstants(typed) ?? ofOneKey(typed) ?? ofTypes(typed) ?? ofConstants(typed, passed: true)
    }

    /// `a == a`, if `a` is never NaN.
    private func ofOneKey(_ typed: TypedComparison) -> Constancy? {
        guard typed.left.isPath, typed.comparison.modifier == .direct, typed.comparison.left == typed.comparison.right,
            !typed.comparison.options.contains(.localeSensitive), let order = Order(typed.comparison.operator)
        else { return nil }
        let possible = checker.classes(of: typed.left.type).outcomes(ofItself: order)
        guard possible == .true || possible == .false else { return nil }
        return Constancy(value: possible == .true, reason: "both sides are the same key")
    }

    private func ofTypes(_ typed: TypedComparison) -> Constancy? {
        switch typed.comparison.operator {
        case .equal, .notEqual: ofEquality(typed)
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual: ofOrder(typed)
        case .in: ofMembership(typed.left, in: typed.right)
        case .contains: ofMembership(typed.right, in: typed.left)
        case .beginsWith, .endsWith, .like, .matches: ofNeedle(typed.right)
        case .between: ofBounds(typed.right)
        default: nil
        }
    }

    // MARK: nil

    /// The result by the nil table (LANGUAGE 5.2), if one side is nil and the other is known to be nil or not.
    private func ofNil(_ typed: TypedComparison) -> Constancy? {
        let left = typed.left.type
        let right = typed.right.type
        guard left.kind.isNil || right.kind.isNil, !typed.left.isVariable, !typed.right.isVariable
        else { return nil }
        let other = left.kind.isNil ? typed.right : typed.left
        switch typed.comparison.operator {
        case .equal, .notEqual, .lessThanOrEqual, .greaterThanOrEqual:
            if left.kind.isNil, right.kind.isNil { break }
            if other.type.isOptional { return nil }
            let value = typed.comparison.operator == .notEqual
            let isPassed = other.constant != nil && (isArgument(typed.left) || isArgument(typed.right))
            let isList = other.isPath && other.type.element != nil && !other.type.isDictionary
            return Constancy(
                value: value, reason: "\(shown(other)) is never nil",
                advice: isList ? "write \(other.node).@count \(value ? ">" : "==") 0" : nil, isReported: !isPassed)
        default: return Constancy(value: false, reason: "nil never matches")
        }
        let value = typed.comparison.operator != .notEqual
        let isPassed = isArgument(typed.left) || isArgument(typed.right)
        return Constancy(value: value, reason: "both sides are nil", isReported: !isPassed)
    }

    private func shown(_ operand: TypedNode) -> String {
        if operand.isElement { return "an element of '\(operand.node)'" }
        return operand.isPath ? "'\(operand.node)'" : operand.type.inWords
    }

    // MARK: Two constants

    /// The result of two constants. Those that the caller passed are not reported: `%@ == nil OR …`, `$x == nil OR …`.
    private func ofConstants(_ typed: TypedComparison, passed: Bool = false) -> Constancy? {
        guard let left = typed.left.constant, let right = typed.right.constant,
            !typed.comparison.options.contains(.localeSensitive),
            passed == (isArgument(typed.left) || isArgument(typed.right))
        else { return nil }
        let comparison = Comparison(typed.comparison.operator, typed.comparison.options)
        guard let value = try? comparison.test(left, right) else { return nil }
        let word = SourceText(source).text(typed.left.span)
        let isPlain = !passed && typed.comparison.modifier == .direct
        var advice = isPlain ? "name a key, or write \(value ? "TRUEPREDICATE" : "FALSEPREDICATE")" : nil
        // `yes == true` was meant as a key.
        if case .bool = left, case .bool = right, checker.schema.key(word, of: checker.entity) != nil {
            advice = "as a key write #\(word)"
        }
        return Constancy(value: value, reason: "both sides are constants", advice: advice, isReported: !passed)
    }

    private func isArgument(_ operand: TypedNode) -> Bool {
        if operand.isVariable { return true }
        let span = operand.span
        return span.start < span.end && span.start < source.count && "%$".utf8.contains(source[span.start])
    }

    // MARK: Cases

    /// Reports constants that are no case of the key that they are compared with. Returns whether there are some.
    func reportUnknownCases(_ typed: TypedComparison) -> Bool {
        if typed.left.known == nil, typed.right.known == nil { return false }
        let pairs =
            switch typed.comparison.operator {
            case .equal, .notEqual: [(typed.left, typed.right), (typed.right, typed.left)]
            case .in: [(typed.left, typed.right)]
            case .contains where typed.left.type.element != nil: [(typed.left, typed.right)]
            default: [(TypedNode, TypedNode)]()
            }
        var isFound = false
        for (key, other) in pairs {
            guard let cases = key.known?.cases, !cases.isEmpty else { continue }
            let equality = Comparison(.equal, typed.comparison.options)
            for each in other.listed ?? [other] where !isArgument(each) {
                guard let constant = each.constant, !constant.isNil,
                    mayBeEqual(key.type.element ?? key.type, each.type),
                    !cases.contains(where: { (try? equality.test($0, constant)) ?? true })
                else { continue }
                let names = cases.compactMap { $0.stringValue }
                let nearest = constant.stringValue.flatMap { Suggestions.nearest(to: $0, in: names) }
                let meant = nearest.map { ExpressionNode(.value(.string($0))).description }
                let fixIts = meant.map { [PredicateDiagnostic.FixIt(each.span, $0)] } ?? []
                report(
                    .unknownCase, at: each.span, "\(each.node)", "\(key.node)", PredicateSchema.shown(cases),
                    suggestion: meant, fixIts: SourceText(source).literal(each.node) == nil ? [] : fixIts)
                isFound = true
            }
        }
        return isFound
    }

    // MARK: Equality

    private func ofEquality(_ typed: TypedComparison) -> Constancy? {
        let isDifferent = typed.comparison.operator == .notEqual
        if let path = [(typed.left, typed.right), (typed.right, typed.left)].first(where: Self.isEmptyField)?.0 {
            return Constancy(
                value: isDifferent, reason: "an empty field is nil", isByTypes: true,
                advice: "write \(path.node) \(typed.name) nil")
        }
        return inequality(typed.left, typed.right).map {
            Constancy(value: isDifferent, reason: $0.reason, isByTypes: $0.isByTypes)
        }
    }

    /// Whether a key of a file whose empty fields are nil is compared with an empty text.
    private static func isEmptyField(_ key: TypedNode, _ other: TypedNode) -> Bool {
        if key.known?.isNeverEmpty ?? false, case .string("")? = other.constant { true } else { false }
    }

    /// Why two values are never equal; nil if they may be.
    private func inequality(_ left: TypedNode, _ right: TypedNode) -> Constancy? {
        if !mayBeEqual(left.type, right.type) {
            return Constancy(
                value: false, reason: "\(left.type.inWords) never equals \(right.type.inWords)", isByTypes: true)
        }
        return (unreachable(left, right) ?? unreachable(right, left)).map { Constancy(value: false, reason: $0) }
    }

    private func mayBeEqual(_ a: ExpressionType, _ b: ExpressionType) -> Bool {
        if a.isOpen || b.isOpen || a.isOptional && b.isOptional { return true }
        if a.isNumber, b.isNumber { return true }
        switch (a.kind, b.kind) {
        case (.entity(let one), .entity(let other)): return checker.schema.related(one, other)
        case (.collection(let one, _), .collection(let other, _)):
            // A to-many relationship may be a list or a set.
            return one == other
                || one.isDictionary == other.isDictionary
                    && (one.isDictionary || one == .toMany || other == .toMany)
        default: return a.kind == b.kind
        }
    }

    /// The reason why a number never occurs on the other side; nil if it may occur.
    private func unreachable(_ operand: TypedNode, _ other: TypedNode) -> String? {
        if let (relation, reason) = limit(operand, .equal, other), relation.contains(.disjoint) { return reason }
        let isWhole = operand.type.kind == .boolean || operand.type.kind == .integer
        guard isWhole, let number = other.constant?.doubleValue, number != number.rounded() else { return nil }
        return "\(operand.type.inWords) has no fraction"
    }

    /// The relation of a comparison with a number to the range of the operand's values, with the reason for the range;
    /// nil if the operand has no range, or if the number is clearly inside.
    private func limit(
        _ operand: TypedNode, _ operator: ComparisonOperator, _ other: TypedNode
    ) -> (ConditionRelation, String)? {
        guard let constant = other.constant, let number = constant.doubleValue, !number.isNaN else { return nil }
        let (range, reason): (KeyCondition.Test, String)
        switch operand.type.kind {
        case .boolean: (range, reason) = (.range(.integer(0), .integer(1)), "a Boolean is 0 or 1")
        case .integer where operand.isCount:
            (range, reason) = (.order(.greaterOrEqual, .integer(0)), "a count is never negative")
        case .integer where number.magnitude >= 0x1p63:
            (range, reason) = (.range(.integer(.min), .integer(.max)), "an integer has 64 bits")
        default: return nil
        }
        // An integer compares with 1.0 as with 1.
        let bound = constant.exactInteger.map { PredicateValue.integer($0) } ?? constant
        let relation = KeyCondition(operand.node, `operator`, bound)?.relation(to: KeyCondition(operand.node, range))
        return relation.map { ($0, reason) }
    }

    // MARK: Order

    private func ofOrder(_ typed: TypedComparison) -> Constancy? {
        let op = typed.comparison.operator
        let mirrored = typed.left.constant.flatMap { op.mirrored($0) }
        let (operand, other) = mirrored == nil ? (typed.left, typed.right) : (typed.right, typed.left)
        guard let (relation, reason) = limit(operand, mirrored ?? op, other) else { return nil }
        if relation.contains(.disjoint) { return Constancy(value: false, reason: reason) }
        // nil is neither less nor greater.
        let isAlways = relation.contains(.impliedBy) && !operand.type.isOptional
        return isAlways ? Constancy(value: true, reason: reason) : nil
    }

    // MARK: Texts and members

    private func ofNeedle(_ needle: TypedNode) -> Constancy? {
        guard case .string("") = needle.constant else { return nil }
        return Constancy(value: false, reason: "an empty text never matches")
    }

    private func ofBounds(_ range: TypedNode) -> Constancy? {
        guard let bounds = range.listed, bounds.contains(where: { $0.type.kind.isNil }) else { return nil }
        return Constancy(value: false, reason: "a bound is nil")
    }

    private func ofMembership(_ object: TypedNode, in container: TypedNode) -> Constancy? {
        if container.type.kind == .string { return ofNeedle(object) }
        if let listed = container.listed {
            if listed.isEmpty { return Constancy(value: false, reason: "the list is empty") }
            let reasons = listed.compactMap {
                $0.type.kind.isNil ? Constancy(value: false, reason: "nil is never in a list") : inequality(object, $0)
            }
            return reasons.count == listed.count ? reasons.first { $0.isByTypes } ?? reasons.first : nil
        }
        guard var element = container.type.element else { return nil }
        // nil is never a member (LANGUAGE 5.7).
        element.isOptional = element.kind.isAny
        if mayBeEqual(object.type, element) { return nil }
        return Constancy(
            value: false, reason: "\(object.type.inWords) never equals \(element.inWords)", isByTypes: true)
    }
}
