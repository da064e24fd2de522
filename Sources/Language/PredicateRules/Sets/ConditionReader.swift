// Finds a condition that every object selected by a predicate fulfils. If evaluation throws, the object is not
// selected. So only terms that must be true matter, not their order.

struct ConditionReader: Sendable {
    /// Reads the typed texts of the predicates.
    private let binding: Binding
    /// The number of each key path.
    private var numbers: [[String]: Int] = [:]
    /// The key paths in the order of their numbers; an empty path is SELF.
    private(set) var keys: [[String]] = []

    init(_ binding: Binding) { self.binding = binding }

    /// The condition of a predicate. If none is found in its tree, its simplified form is tried.
    mutating func condition(of predicate: FormatPredicate) -> SetCondition {
        // A key can be the name of a method, and sets read each key once for all predicates.
        guard predicate.environment.functions.hasStandardMethods else { return .unindexed(.methods) }
        let predicate = binding.reading(predicate)
        let condition = self.condition(of: predicate.root, isNegated: false)
        guard case .unindexed = condition else { return condition }
        let simple = predicate.simplified()
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
            guard let condition = KeyCondition(comparison, isNegated: isNegated), let path = path(condition.key) else {
                return .unindexed(isNegated || comparison.modifier == .all ? .negation : .computed)
            }
            return self.condition(path, condition)
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

    private func condition(_ path: Int, _ condition: KeyCondition) -> SetCondition {
        if condition.isNegated || condition.quantifier == .all { return .unindexed(.negation) }
        if condition.isNever { return .never }
        if case .pattern(.matches, _) = condition.test { return .unindexed(.pattern) }
        if condition.options.contains(.localeSensitive) { return .unindexed(.locale) }
        let isOfElements = condition.quantifier == .any
        let term = SetTerm(
            test: .isNil, path: path, fold: condition.options, isOfElements: isOfElements, decides: !isOfElements)
        switch condition.test {
        case .isNil: return .terms([term])
        case .members(let list): return equal(term, list)
        case .order(let order, let bound):
            guard let number = bound.rangeBound else {
                return .unindexed(bound.stringValue == nil ? .computed : .textOrder)
            }
            // Rounding keeps the order of numbers, but different numbers may become equal.
            let closed: Order = order == .less ? .lessOrEqual : order == .greater ? .greaterOrEqual : order
            let interval = Interval<Double>(ConstantKind(bound) == nil ? closed : order, number)
            return interval.range.map { range(term, $0, [bound]) } ?? .never
        case .range(let low, let high):
            guard let first = low.rangeBound, let second = high.rangeBound else { return .unindexed(.textOrder) }
            return range(term, first...second, [low, high])
        case .text(let text, let place): return part(term, text, place)
        case .contains(let constant): return contains(term, constant)
        case .pattern(_, let text): return pattern(term, text)
        case .part: return .unindexed(.computed)
        }
    }

    private func range(_ term: SetTerm, _ range: ClosedRange<Double>, _ bounds: [PredicateValue]) -> SetCondition {
        var term = term
        term.test = .range(range, isDate: bounds[0].isDate)
        term.decides = term.decides && bounds.allSatisfy { ConstantKind($0) != nil }
        return .terms([term])
    }

    private func equal(_ term: SetTerm, _ constants: [PredicateValue]) -> SetCondition {
        var terms: [SetTerm] = []
        terms.reserveCapacity(constants.count)
        for constant in constants {
            guard constant.isIndexed else { return .unindexed(.collection) }
            var one = term
            if !term.fold.isEmpty, case .string(let text) = constant {
                one.test = .equal(.string(StringFold.fold(text, term.fold)))
            } else {
                one.test = .equal(constant)
                // Equality without options never throws, so the other elements need not be tested.
                one.decides = true
            }
            terms.append(one)
        }
        return .terms(terms)
    }

    private func part(_ term: SetTerm, _ text: String, _ place: TextPlace) -> SetCondition {
        var term = term
        term.decides = false
        let folded = StringFold.fold(text, term.fold)
        term.test = .part(folded, place)
        return folded.isEmpty ? .never : .terms([term])
    }

    /// A text contains a text, or a collection contains an element.
    private func contains(_ term: SetTerm, _ constant: PredicateValue) -> SetCondition {
        if term.isOfElements { return .unindexed(.collection) }
        guard constant.isIndexed else { return .unindexed(.computed) }
        var element = term
        (element.isOfElements, element.fold, element.test, element.decides) = (true, [], .equal(constant), false)
        guard case .string(let text) = constant else { return .terms([element]) }
        return .any([part(term, text, .anywhere), .terms([element])])
    }

    /// The condition for a pattern: the longest text without wildcards that it contains.
    private func pattern(_ term: SetTerm, _ text: String) -> SetCondition {
        guard term.fold.isEmpty, !text.utf8.contains(UInt8(ascii: "\\")) else { return .unindexed(.pattern) }
        let pieces = text.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "*" || $0 == "?" }
        guard let longest = pieces.max(by: { $0.count < $1.count }), !longest.isEmpty else {
            return .unindexed(.pattern)
        }
        let isFirst = longest.startIndex == text.startIndex
        return part(term, String(longest), isFirst ? .prefix : .anywhere)
    }
}

extension PredicateValue {
    /// The number used as a bound; nil for values other than numbers and dates.
    fileprivate var rangeBound: Double? {
        if case .date(let seconds) = self { return seconds }
        return doubleValue
    }

    fileprivate var isDate: Bool { if case .date = self { true } else { false } }

    /// Whether equality with the value can be indexed. It cannot for collections and objects.
    fileprivate var isIndexed: Bool { ConstantHash.hash(self) != nil }
}
