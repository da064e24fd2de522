// Compares all rules of a list with each other: which never apply, always apply, or repeat an earlier one.

/// A finding about one rule of a list.
package enum RuleFinding: Sendable, Hashable {
    /// No object fulfils the rule.
    case never
    /// Every object fulfils the rule.
    case always
    /// Every object of the rule is one of an earlier rule, or of one of several, given by their positions.
    case shadowed(by: [Int])
    /// An earlier rule has the same objects.
    case duplicate(of: Int)
}

/// Rules whose objects are compared.
package struct RuleComparison {
    private let rules: [FormatPredicate]
    private let schema: PredicateSchema?
    private let entity: String?

    package init(_ rules: [FormatPredicate], for schema: PredicateSchema? = nil, entity: String? = nil) {
        (self.rules, self.schema, self.entity) = (rules, schema, entity)
    }

    /// The first finding about each rule, by position; nil for a rule without one.
    ///
    /// Most pairs are decided by evaluation: a rule with an object that an earlier rule does not select is not shadowed
    /// by it. Only the other pairs are compared, unless they read no common key. Rules after one that is always true are
    /// not reported as shadowed by it.
    package func findings() -> [RuleFinding?] {
        let facts = rules.map { $0.satisfiability(for: schema, entity: entity) }
        var objects: [PredicateValue] = []
        for case .proven(let object) in facts { objects.append(object) }
        var selected = rules.map { rule in selections(of: rule, objects) }
        let keys = rules.map { rule in (try? Binding().plan(rule))?.rootKeys.flatMap { $0.isEmpty ? nil : $0 } }
        var found: [RuleFinding?] = []
        for index in rules.indices { found.append(finding(index, facts, found, keys, &selected)) }
        return found
    }

    private func finding(
        _ index: Int, _ facts: [PredicateSatisfiability], _ found: [RuleFinding?], _ keys: [Set<String>?],
        _ selected: inout [[Bool]]
    ) -> RuleFinding? {
        if case .refuted = facts[index] { return .never }
        if case .unknown(.refused) = facts[index] { return nil }
        if selected[index].allSatisfy({ $0 }),
            FormatPredicate.constant(true).implies(rules[index], for: schema, entity: entity) == .proven
        {
            return .always
        }
        for earlier in 0..<index where found[earlier] != .never && found[earlier] != .always {
            if let mine = keys[index], let others = keys[earlier], mine.isDisjoint(with: others) { continue }
            let isRefuted = zip(selected[index], selected[earlier]).contains { $0 && !$1 }
            if isRefuted { continue }
            switch rules[index].implies(rules[earlier], for: schema, entity: entity) {
            case .proven:
                let isMutual = rules[earlier].implies(rules[index], for: schema, entity: entity) == .proven
                return isMutual ? .duplicate(of: earlier) : .shadowed(by: [earlier])
            case .refuted(let object):
                // The object may also decide later pairs.
                for rule in rules.indices { selected[rule] += selections(of: rules[rule], [object]) }
            case .unknown: break
            }
        }
        return shadowedTogether(index, found, keys, selected)
    }

    /// The maximum number of earlier rules that are compared together with a rule.
    private static let mostTogether = 12

    /// The earlier rules that only together select all objects of a rule: `a > 5` and `a < 8` for `a != 6`.
    private func shadowedTogether(
        _ index: Int, _ found: [RuleFinding?], _ keys: [Set<String>?], _ selected: [[Bool]]
    ) -> RuleFinding? {
        var earlier = (0..<index).filter { other in
            if found[other] == .never || found[other] == .always { return false }
            if let mine = keys[index], let others = keys[other] { return !mine.isDisjoint(with: others) }
            return true
        }
        // An object of the rule that none of them selects was found already.
        let isCovered = selected[index].indices.allSatisfy { object in
            !selected[index][object] || earlier.contains { selected[$0][object] }
        }
        guard earlier.count > 1, earlier.count <= Self.mostTogether, isCovered, covers(earlier, index) else {
            return nil
        }
        for other in earlier {
            let rest = earlier.filter { $0 != other }
            if covers(rest, index) { earlier = rest }
        }
        return .shadowed(by: earlier)
    }

    private func covers(_ earlier: [Int], _ index: Int) -> Bool {
        let union = earlier.dropFirst().reduce(rules[earlier[0]]) { $0 || rules[$1] }
        return rules[index].implies(union, for: schema, entity: entity) == .proven
    }

    private func selections(of rule: FormatPredicate, _ objects: [PredicateValue]) -> [Bool] {
        let name = entity ?? schema?.defaultEntity
        let read = name.flatMap { name in schema.map { rule.reading(name, $0) } } ?? rule
        guard let plan = try? Binding().plan(read) else { return objects.map { _ in false } }
        return objects.map { Outcomes(of: plan, for: $0) == .true }
    }
}

/// What two predicates have in common, with an object for each case.
package struct PredicateComparison {
    /// An object that only the first, only the second, both or none of them selects. Refuted: there is none.
    package let onlyFirst, onlySecond, both, neither: PredicateSatisfiability

    package init(
        _ first: FormatPredicate, _ second: FormatPredicate, for schema: PredicateSchema? = nil, entity: String? = nil
    ) {
        let (predicates, schema) = VariableKeys.reading([first, second], schema, entity)
        do throws(UndecidedReason) {
            let reasoner = try Reasoner(predicates, schema, entity)
            onlyFirst = reasoner.search([(0, .true), (1, .notTrue)])
            onlySecond = reasoner.search([(0, .notTrue), (1, .true)])
            both = reasoner.search([(0, .true), (1, .true)])
            neither = reasoner.search([(0, .notTrue), (1, .notTrue)])
        } catch {
            let unknown = PredicateSatisfiability.unknown(error)
            (onlyFirst, onlySecond, both, neither) = (unknown, unknown, unknown, unknown)
        }
    }
}

/// Reads the variables of predicates as keys of the object: `$user.team` as the key "$user.team". So an example has values for
/// them, the same for all predicates.
private struct VariableKeys {
    /// The variables that a SUBQUERY or an assignment binds, which stay.
    private var bound: Set<String> = []
    private var keys: Set<String> = []

    /// The predicates and the schema with these keys. Unchanged if a variable is read as a whole and by its keys.
    static func reading(
        _ predicates: [FormatPredicate], _ schema: PredicateSchema?, _ entity: String?
    ) -> ([FormatPredicate], PredicateSchema?) {
        var variables = VariableKeys()
        for predicate in predicates {
            PredicateWalker(expression: { node in
                switch node.kind {
                case .subquery(_, let name, _), .assignment(let name, _): variables.bound.insert(name)
                default: break
                }
            }).walk(predicate.root)
        }
        let read = predicates.map { $0.replacingRoot(variables.reading($0.root)) }
        let keys = variables.keys
        let isClear = !keys.contains { key in keys.contains { $0.hasPrefix(key + ".") } }
        guard isClear, !keys.isEmpty else { return (predicates, schema) }
        guard let schema else { return (read, nil) }
        let name = entity ?? schema.defaultEntity
        let entities = schema.entities.map { entity in
            var entity = entity
            if entity.name == name {
                entity.attributes += keys.sorted().map { PredicateSchema.Attribute($0, .any, isOptional: true) }
            }
            return entity
        }
        guard let extended = try? PredicateSchema(entities, defaultEntity: schema.defaultEntity) else {
            return (predicates, schema)
        }
        return (read, extended)
    }

    private mutating func reading(_ root: PredicateNode) -> PredicateNode {
        var found: [String] = []
        let rewritten = PredicateRewriter<Never>(expression: { [bound] node in
            let key: String
            switch node.kind {
            case .variable(let name) where !bound.contains(name): key = "$" + name
            case .member(let base, let step):
                guard case .keyPath(let first) = base.kind, first[0].hasPrefix("$"), case .keyPath(let rest) = step.kind
                else { return node }
                key = ([first[0]] + rest).joined(separator: ".")
                // The variable is not read as a whole here.
                if let last = found.lastIndex(of: first[0]) { found.remove(at: last) }
            default: return node
            }
            found.append(key)
            return ExpressionNode(.keyPath([key]), span: node.span)
        }).rewrite(root)
        keys.formUnion(found)
        return rewritten
    }
}
