// Compares all rules of a list with each other: which never apply, always apply, or repeat an earlier one.
import PredicateEvaluation
package import PredicateModel
import PredicateSyntax

/// A finding about one rule of a list.
package enum RuleFinding: Sendable, Hashable {
    /// No object fulfils the rule.
    case never
    /// Every object fulfils the rule.
    case always
    /// Every object of the rule is one of an earlier rule, given by its position.
    case shadowed(by: Int)
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
                return isMutual ? .duplicate(of: earlier) : .shadowed(by: earlier)
            case .refuted(let object):
                // The object may also decide later pairs.
                for rule in rules.indices { selected[rule] += selections(of: rules[rule], [object]) }
            case .unknown: break
            }
        }
        return nil
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
        do throws(UndecidedReason) {
            let reasoner = try Reasoner([first, second], schema, entity)
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
