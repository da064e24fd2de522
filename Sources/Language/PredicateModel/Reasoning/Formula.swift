// A predicate as a formula of numbered terms. Predicates that are compared share the numbers, so equal terms have one
// result.

/// A node of a predicate with the results that it may have.
package struct Formula {
    indirect enum Kind {
        case constant
        /// A comparison, by its number.
        case term(Int)
        /// A comparison that may differ each time.
        case free
        case not(Formula)
        case compound([Formula], isAnd: Bool)
    }

    let kind: Kind
    let possible: Outcomes

    var mayRaise: Bool { possible.contains(.raised) }
}

/// A comparison of the formulas.
package struct Term {
    package let node: PredicateNode
    /// nil for a comparison that is none of a key with a constant. Its quantifier is ANY or direct, and it is negated
    /// only with ANY.
    package let condition: KeyCondition?
    /// Whether matching a pattern may take too long.
    let mayReachLimit: Bool
    let possible: Outcomes
}

/// A key in the order of some options.
struct OrderedKey: Hashable {
    let key: ExpressionNode
    let options: ComparisonOptions
}

/// The terms of the predicates that are compared.
package struct Terms {
    private let risks: TermRisks
    private let types: TypeChecker
    package let environment: PredicateEnvironment
    private let known: KnownParts
    private let mayBeNaN: Bool
    /// Whether an object may be something else than a record, because a predicate reads it as a whole.
    private let readsSelf: Bool
    package private(set) var list: [Term] = []
    private(set) var domains: [ExpressionNode: KeyDomain] = [:]
    /// The numbers of the terms that compare a key with a constant.
    package private(set) var numbersByKey: [ExpressionNode: [Int]] = [:]
    /// For a key path of a term, the terms' key paths that begin with it, and those with which it begins.
    private(set) var longer: [ExpressionNode: [ExpressionNode]] = [:]
    private(set) var prefixes: [ExpressionNode: [ExpressionNode]] = [:]
    /// The keys that are compared with each other, by the key of their order. Only those of one type: a number that is
    /// rounded may be equal to two that are not.
    private(set) var pairs: [ExpressionNode: (left: OrderedKey, right: OrderedKey)] = [:]
    private var numbers: [PredicateNode: Int] = [:]
    /// The text of a comparison that may differ each time.
    package private(set) var volatile: String?
    /// Two texts that are equal in Swift but not in the language, such as é in one and in two code points. Terms with such
    /// texts would count as one term, so nothing is claimed about predicates that have both.
    package private(set) var spelling: String?
    private var spellings: [String: [UInt8]] = [:]

    /// - Parameters:
    ///   - risks: which terms may throw.
    ///   - types: finds the types of keys.
    ///   - known: what is known without an object.
    init(
        _ risks: TermRisks, types: TypeChecker, known: KnownParts, mayBeNaN: Bool, readsSelf: Bool,
        in environment: PredicateEnvironment
    ) {
        (self.risks, self.types, self.known, self.environment) = (risks, types, known, environment)
        (self.mayBeNaN, self.readsSelf) = (mayBeNaN, readsSelf)
    }

    /// The formula of a predicate. Its terms are added.
    mutating func formula(_ node: PredicateNode) -> Formula {
        switch node.kind {
        case .constant(let value): return Formula(kind: .constant, possible: Outcomes(value))
        case .error: return Formula(kind: .free, possible: .all)
        case .not(let child):
            let inner = formula(child)
            return Formula(kind: .not(inner), possible: inner.possible.negated)
        case .and(let children): return compound(children, isAnd: true)
        case .or(let children): return compound(children, isAnd: false)
        case .comparison(let comparison): return term(comparison)
        }
    }

    @inline(never)
    private mutating func compound(_ children: [PredicateNode], isAnd: Bool) -> Formula {
        var parts: [Formula] = []
        for child in children { parts.append(formula(child)) }
        var possible: Outcomes = []
        for part in parts { possible.formUnion(part.possible) }
        if !parts.allSatisfy({ $0.possible.contains(Outcomes(isAnd)) }) { possible.remove(Outcomes(isAnd)) }
        if parts.isEmpty { possible = Outcomes(isAnd) }
        return Formula(kind: .compound(parts, isAnd: isAnd), possible: possible)
    }

    // MARK: Comparisons

    @inline(never)
    private mutating func term(_ comparison: ComparisonNode) -> Formula {
        let tree = PredicateTree.predicate(PredicateNode(.comparison(comparison)))
        for value in tree.values({ if case .value(let value) = $0.kind { value } else { nil } }) { note(value) }
        if let outcome = known.outcome(comparison) { return Formula(kind: .constant, possible: outcome) }
        var isNegated = false
        var plain = comparison
        if plain.operator == .notEqual, plain.modifier == .direct { (plain.operator, isNegated) = (.equal, true) }
        var node = PredicateNode(.comparison(plain))
        let (isVolatile, differs) = volatility(of: node)
        if isVolatile { volatile = volatile ?? PredicateNode(.comparison(comparison)).description }
        if differs { return Formula(kind: .free, possible: .all) }
        var condition = KeyCondition(plain, constant: known.value)
        if let known = condition {
            if known.quantifier == .all {
                // ALL is the negation of an ANY of the negated test, also where it throws.
                isNegated.toggle()
                condition = known.negated
            } else if known.quantifier == .direct, known.isNegated {
                isNegated.toggle()
                condition = known.negated
            }
            if let condition { node = condition.node() }
        }
        var written = node
        if condition == nil, let pair = pairCondition(plain) { (condition, written) = (pair, pair.node()) }
        let number = numbers[written] ?? add(node, condition)
        numbers[written] = number
        let formula = Formula(kind: .term(number), possible: list[number].possible)
        return isNegated ? Formula(kind: .not(formula), possible: formula.possible.negated) : formula
    }

    private mutating func note(_ value: PredicateValue) {
        for element in value.elements ?? [] { note(element) }
        guard let text = value.stringValue, text.utf8.contains(where: { $0 > 127 }) else { return }
        let bytes = Array(text.utf8)
        if spellings[text, default: bytes] != bytes { spelling = text }
        spellings[text] = bytes
    }

    private mutating func add(_ node: PredicateNode, _ condition: KeyCondition?) -> Int {
        var mayRaise = !risks.risks(of: node).isEmpty
        var mayReachLimit = false
        if case .comparison(let comparison) = node.kind, let possible = outcomes(ofOneKey: comparison) {
            list.append(Term(node: node, condition: nil, mayReachLimit: false, possible: possible))
            return list.count - 1
        }
        if let condition {
            if domain(of: condition.key).mayBeUnreadable { mayRaise = true }
            if case .pattern(let op, let text) = condition.test {
                let test = try? TextTest(op, text, condition.options, rules: OperatorRules(in: environment))
                mayReachLimit = !(test?.isRegular ?? false)
            }
            numbersByKey[condition.key, default: []].append(list.count)
        }
        list.append(
            Term(node: node, condition: condition, mayReachLimit: mayReachLimit, possible: mayRaise ? .all : .answers))
        return list.count - 1
    }

    /// The results of a comparison of an expression with itself: `a == a` is false for NaN only. nil for other
    /// comparisons.
    private mutating func outcomes(ofOneKey comparison: ComparisonNode) -> Outcomes? {
        guard comparison.modifier == .direct, comparison.left == comparison.right,
            !comparison.options.contains(.localeSensitive), let order = Order(comparison.operator)
        else { return nil }
        let domain = domain(of: comparison.left)
        var classes = domain.classes
        // What is computed may be NaN where no key is.
        if case .keyPath = comparison.left.kind {} else { classes.formUnion(ValueClasses(of: domain.type)) }
        return classes.outcomes(ofItself: order)
    }

    /// Whether it is one value of the object or of the evaluation, and not computed.
    private func isPlain(_ node: ExpressionNode) -> Bool {
        switch node.kind {
        case .keyPath: true
        case .call(let name, _): environment.functions.function(named: name)?.asksClock ?? false
        default: false
        }
    }

    /// A comparison of two keys as one of their order, -1, 0 or 1, with 0: of `a < b`, `a >= b` and `b == a` not all can
    /// hold. The order is nil if one key is nil or NaN, and 0 if both are nil. The time counts as a key. nil for other
    /// comparisons, and for types whose order may throw.
    private mutating func pairCondition(_ comparison: ComparisonNode) -> KeyCondition? {
        guard comparison.modifier == .direct, isPlain(comparison.left), isPlain(comparison.right),
            comparison.left != comparison.right,
            !comparison.options.contains(.localeSensitive), var order = Order(comparison.operator),
            risks.risks(of: PredicateNode(.comparison(comparison))).isEmpty
        else { return nil }
        let (left, right) = (domain(of: comparison.left), domain(of: comparison.right))
        guard !left.mayBeUnreadable, !right.mayBeUnreadable else { return nil }
        switch (left.type.kind, right.type.kind) {
        case (.boolean, .boolean), (.string, .string), (.date, .date), (.uuid, .uuid): break
        // Numbers of two types are rounded, for each comparison in the same way.
        case (.integer, .integer), (.integer, .double), (.double, .integer), (.double, .double): break
        default: return nil
        }
        var keys = [comparison.left, comparison.right]
        if keys[1].exactDescription < keys[0].exactDescription { (keys, order) = ([keys[1], keys[0]], order.mirrored) }
        // No predicate has a call of this name.
        let options = ExpressionNode(.value(.integer(Int64(comparison.options.rawValue))))
        let pair = ExpressionNode(.call("order of", keys + [options]))
        if left.type.kind == right.type.kind {
            let places = keys.map { OrderedKey(key: $0, options: comparison.options) }
            pairs[pair] = (places[0], places[1])
        }
        let mayBeNil = !left.classes.union(right.classes).isDisjoint(with: [.null, .notANumber, .notADate])
        domains[pair] = KeyDomain(
            type: ExpressionType(.integer, isOptional: mayBeNil), mayBeUnreadable: false, mayBeNaN: false, range: -1...1
        )
        return KeyCondition(pair, order == .equal ? .members([0]) : .order(order, 0))
    }

    private mutating func domain(of key: ExpressionNode) -> KeyDomain {
        if let known = domains[key] { return known }
        if case .keyPath(let path) = key.kind {
            for case .keyPath(let other) in domains.keys.map({ $0.kind }) {
                let node = ExpressionNode(.keyPath(other))
                if path.count > other.count, path.starts(with: other) {
                    longer[node, default: []].append(key)
                    prefixes[key, default: []].append(node)
                } else if other.count > path.count, other.starts(with: path) {
                    longer[key, default: []].append(node)
                    prefixes[node, default: []].append(key)
                }
            }
        }
        let (type, diagnostics) = types.check(key)
        let isKnown = !diagnostics.contains { $0.severity == .error }
        var mayBeUnreadable = risks.mayRaise(reading: key)
        if readsSelf, risks.checker == nil, case .keyPath = key.kind { mayBeUnreadable = true }
        var domain = KeyDomain(type: isKnown ? type : .any, mayBeUnreadable: mayBeUnreadable, mayBeNaN: mayBeNaN)
        if isKnown, case .keyPath(let path) = key.kind {
            domain.cases = types.schema.attribute(at: path, of: types.entity)?.attribute.cases ?? []
        }
        if case .keyPath(let path) = key.kind, let last = path.last, CollectionOperator.isCount(last) {
            domain = KeyDomain(
                type: ExpressionType(.integer, isOptional: domain.type.isOptional), mayBeUnreadable: mayBeUnreadable,
                mayBeNaN: false, range: 0 ... .max)
        }
        domains[key] = domain
        return domain
    }

    /// Whether the result of a comparison may differ in each evaluation, and whether even within one.
    private func volatility(of node: PredicateNode) -> (isVolatile: Bool, differs: Bool) {
        var (isVolatile, isUnread) = (false, false)
        PredicateWalker(expression: { node in
            switch node.kind {
            case .assignment, .fetch, .term, .argument, .error: isUnread = true
            default: if environment.functions.isVolatile(node) { isVolatile = true }
            }
        }).walk(node)
        return (isVolatile || isUnread, isUnread || isVolatile && environment.functions.differs(in: node))
    }
}
