// Finds a condition that every object selected by a predicate fulfils. If evaluation throws, the object is not
// selected. So only terms that must be true matter, not their order.
import PredicateEvaluation
import PredicateModel
import PredicateSyntax

struct ConditionReader {
    /// The number of each key path.
    private var numbers: [[String]: Int] = [:]
    /// The key paths in the order of their numbers; an empty path is SELF.
    private(set) var keys: [[String]] = []
    let options: EvaluationOptions

    init(_ options: EvaluationOptions) { self.options = options }

    /// The condition of a predicate. If none is found in its tree, its simplified form is tried.
    mutating func condition(of predicate: FormatPredicate) -> SetCondition {
        let condition = self.condition(of: predicate.root, isNegated: false)
        guard case .unindexed = condition else { return condition }
        let simple = predicate.simplified(options: options)
        return simple.root == predicate.root ? condition : self.condition(of: simple.root, isNegated: false)
    }

    private mutating func condition(of node: PredicateNode, isNegated: Bool) -> SetCondition {
        switch node.kind {
        case .constant(let value): return value == isNegated ? .never : .unindexed(.always)
        case .error: return .unindexed(.computed)
        case .not(let child): return condition(of: child, isNegated: !isNegated)
        case .and(let children): return compound(children, isAnd: !isNegated, isNegated)
        case .or(let children): return compound(children, isAnd: isNegated, isNegated)
        case .comparison(let comparison):
            if !isNegated { return condition(of: comparison) }
            guard comparison.operator == .notEqual, comparison.modifier == .direct else {
                return .unindexed(.negation)
            }
            var opposite = comparison
            opposite.operator = .equal
            return condition(of: opposite)
        }
    }

    @inline(never)
    private mutating func compound(_ children: [PredicateNode], isAnd: Bool, _ isNegated: Bool) -> SetCondition {
        var conditions: [SetCondition] = []
        conditions.reserveCapacity(children.count)
        for child in children { conditions.append(condition(of: child, isNegated: isNegated)) }
        return isAnd ? .all(conditions) : .any(conditions)
    }

    // MARK: Comparisons

    private mutating func condition(of comparison: ComparisonNode) -> SetCondition {
        if comparison.modifier == .all { return .unindexed(.negation) }
        if let path = self.path(comparison.left), let constant = comparison.right.constant {
            return condition(path, comparison.operator, constant, comparison)
        }
        guard comparison.modifier == .direct, let path = self.path(comparison.right),
            let constant = comparison.left.constant
        else { return .unindexed(.computed) }
        // Exchange the sides, because the constant is on the left.
        if let order = Order(comparison.operator) {
            return condition(path, order.mirrored.comparison, constant, comparison)
        }
        switch comparison.operator {
        case .in: return condition(path, .contains, constant, comparison)
        case .contains where constant.elements != nil: return condition(path, .in, constant, comparison)
        default: return .unindexed(.computed)
        }
    }

    private mutating func path(_ node: ExpressionNode) -> Int? {
        let names: [String]
        switch node.kind {
        case .selfObject: names = []
        // `self` may be a key of a dictionary or the object itself.
        case .keyPath(let keys) where !keys.contains("self"): names = keys
        default: return nil
        }
        if let known = numbers[names] { return known }
        numbers[names] = keys.count
        keys.append(names)
        return keys.count - 1
    }

    private func condition(
        _ path: Int, _ op: ComparisonOperator, _ constant: PredicateValue, _ comparison: ComparisonNode
    ) -> SetCondition {
        let fold =
            comparison.options.contains(.normalized)
            ? [] : comparison.options.intersection([.caseInsensitive, .diacriticInsensitive])
        let isOfElements = comparison.modifier == .any
        let term = SetTerm(test: .isNil, path: path, fold: fold, isOfElements: isOfElements, decides: !isOfElements)
        switch op {
        case .in: return membership(term, constant)
        case .notEqual: return .unindexed(.negation)
        case .between: return between(term, constant)
        case .equal, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
            if comparison.options.contains(.localeSensitive), case .string = constant { return .unindexed(.locale) }
            return ordered(term, Order(op) ?? .equal, constant)
        case .beginsWith, .endsWith, .contains, .like:
            if constant.isNil { return .never }
            if comparison.options.contains(.localeSensitive) { return .unindexed(.locale) }
            return text(term, op, constant)
        case .matches: return .unindexed(.pattern)
        default: return .unindexed(.computed)
        }
    }

    private func ordered(_ term: SetTerm, _ order: Order, _ constant: PredicateValue) -> SetCondition {
        var term = term
        if constant.isNil { return order == .less || order == .greater ? .never : .terms([term]) }
        if order == .equal { return equal(term, [constant]) }
        guard let number = constant.rangeBound else {
            if case .string = constant { return .unindexed(.textOrder) }
            return .unindexed(.computed)
        }
        // Rounding keeps the order of numbers, but different numbers may become equal.
        let isExact = ConstantKind(constant) != nil
        let bound: Order = isExact ? order : order == .less ? .lessOrEqual : order == .greater ? .greaterOrEqual : order
        guard let range = Interval<Double>(bound, number).range else { return .never }
        term.test = .range(range, isDate: constant.isDate)
        term.decides = term.decides && isExact
        return .terms([term])
    }

    private func between(_ term: SetTerm, _ constant: PredicateValue) -> SetCondition {
        var term = term
        guard case .array(let bounds) = constant, bounds.count == 2 else { return .unindexed(.computed) }
        if bounds.contains(where: { $0.isNil }) { return .never }
        guard let first = bounds[0].rangeBound, let second = bounds[1].rangeBound,
            bounds[0].isDate == bounds[1].isDate
        else { return .unindexed(.textOrder) }
        guard !first.isNaN, !second.isNaN else { return .never }
        term.test = .range(min(first, second)...max(first, second), isDate: bounds[0].isDate)
        term.decides = term.decides && bounds.allSatisfy { ConstantKind($0) != nil }
        return .terms([term])
    }

    private func membership(_ term: SetTerm, _ list: PredicateValue) -> SetCondition {
        if list.isNil { return .never }
        guard let elements = list.elements else { return .unindexed(.computed) }
        var literal = term
        literal.fold = []
        return equal(literal, elements)
    }

    private func equal(_ term: SetTerm, _ constants: [PredicateValue]) -> SetCondition {
        var terms: [SetTerm] = []
        terms.reserveCapacity(constants.count)
        // nil is no member of a list.
        for constant in constants where !constant.isNaN && !constant.isNil {
            guard constant.isIndexed else { return .unindexed(.collection) }
            var one = term
            if !term.fold.isEmpty, case .string(let text) = constant {
                one.test = .equal(.string(StringFold.fold(text, term.fold)))
            } else {
                one.fold = []
                one.test = .equal(constant)
                // Equality without options never throws, so the other elements need not be tested.
                one.decides = true
            }
            terms.append(one)
        }
        return terms.isEmpty ? .never : .terms(terms)
    }

    private func text(_ term: SetTerm, _ op: ComparisonOperator, _ constant: PredicateValue) -> SetCondition {
        var term = term
        term.decides = false
        if op == .contains, term.isOfElements { return .unindexed(.collection) }
        var element = term
        (element.isOfElements, element.fold, element.test) = (true, [], .equal(constant))
        guard case .string(let text) = constant else {
            guard op == .contains, constant.isIndexed else { return .unindexed(.computed) }
            return .terms([element])
        }
        if op == .like { return pattern(term, text) }
        let folded = StringFold.fold(text, term.fold)
        term.test = .part(folded, op == .beginsWith ? .prefix : op == .endsWith ? .suffix : .anywhere)
        // A text contains a text, or a collection contains an element.
        let part = folded.isEmpty ? [] : [term]
        if op == .contains { return .terms(part + [element]) }
        return part.isEmpty ? .never : .terms(part)
    }

    /// The condition for a pattern: the longest text without wildcards that it contains.
    private func pattern(_ term: SetTerm, _ text: String) -> SetCondition {
        var term = term
        guard term.fold.isEmpty, !text.utf8.contains(UInt8(ascii: "\\")) else { return .unindexed(.pattern) }
        let pieces = text.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "*" || $0 == "?" }
        guard let longest = pieces.max(by: { $0.count < $1.count }), !longest.isEmpty else {
            return .unindexed(.pattern)
        }
        let isFirst = longest.startIndex == text.startIndex
        term.test = .part(String(longest), isFirst ? .prefix : .anywhere)
        return .terms([term])
    }
}

extension PredicateValue {
    /// The number used as a bound; nil for values other than numbers and dates.
    fileprivate var rangeBound: Double? {
        if case .date(let seconds) = self { return seconds }
        return doubleValue
    }

    /// Whether the value is NaN, which equals no value.
    fileprivate var isNaN: Bool { rangeBound?.isNaN ?? false }

    fileprivate var isDate: Bool { if case .date = self { true } else { false } }

    /// Whether equality with the value can be indexed. It cannot for collections and objects.
    fileprivate var isIndexed: Bool { ConstantHash.hash(self) != nil }
}
