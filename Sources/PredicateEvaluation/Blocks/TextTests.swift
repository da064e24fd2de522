// Comparisons of fields of texts with constants.
import PredicateModel
import PredicateSyntax

extension FieldComparison {
    /// What the comparison asks of a text; nil where blocks cannot answer.
    private enum Rule {
        case equal(EqualRule)
        case notEqual(EqualRule)
        case prefix(PrefixRule)
        case suffix(Needle)
        case contains(Needle)
        case order([UInt8])
        case members(TextSet)
        case pattern(TextTest, Int)
    }

    private var rule: Rule? {
        switch (comparison.operator, prepared.form, right) {
        case (.equal, .needle(let needle), _): return .equal(EqualRule(needle, comparison.options))
        case (.notEqual, .needle(let needle), _): return .notEqual(EqualRule(needle, comparison.options))
        case (.beginsWith, .needle(let needle), _): return .prefix(PrefixRule(needle, comparison.options))
        case (.endsWith, .needle(let needle), _): return .suffix(needle)
        case (.contains, .needle(let needle), _): return .contains(needle)
        case (.lessThan, _, .string(let text)), (.lessThanOrEqual, _, .string(let text)),
            (.greaterThan, _, .string(let text)), (.greaterThanOrEqual, _, .string(let text)):
            return comparison.options.isEmpty ? .order(Array(text.utf8)) : nil
        case (.in, _, _): return listElements.map { .members(TextSet($0)) }
        // Only ICU can match it, and that may take too long, which raises.
        case (_, .pattern(let test, let place), _):
            switch test.shape {
            case .equals(let needle): return .equal(EqualRule(needle, comparison.options))
            case .prefix(let needle): return .prefix(PrefixRule(needle, comparison.options))
            case .suffix(let needle): return .suffix(needle)
            case .contains(let needle): return .contains(needle)
            case nil: return test.isRegular ? .pattern(test, place) : nil
            }
        default: return nil
        }
    }

    func texts() -> BlockNode? {
        switch rule {
        case .equal(let rule): node { _ in rule }
        case .notEqual(let rule): node(negated: true) { _ in rule }
        case .prefix(let rule): node { _ in rule }
        case .suffix(let needle): node { _ in SuffixRule(needle: needle) }
        case .contains(let needle): node { _ in ContainsRule(needle: needle) }
        case .order(let bytes):
            node { [comparison] _ in OrderRule(constant: bytes, operator: comparison.operator) }
        case .members(let members): node { _ in MemberRule(members: members) }
        case .pattern(let test, let place):
            node { run in run.context.matcher(at: place, test).regular.map { PatternRule(matcher: $0) } }
        case nil: nil
        }
    }

    /// The loop over a field of texts. The rule is made once for each block.
    private func node<Rule: TextRule>(
        negated: Bool = false, _ rule: @escaping @Sendable (inout BlockRun) -> Rule?
    ) -> BlockNode {
        let (offset, isOptional) = (field.offset, field.isOptional)
        let ifNil = ifNil != negated
        let test: BlockTest = { rows, live, run in
            guard let rule = rule(&run) else { return .none }
            let isKnown = StorageLayout.knowsTexts
            if Rule.readsBytes, isKnown { rows.readAhead(live, offset, &run.sum) }
            if !isOptional {
                return rows.selectSparsely(live) { $0.test(offset, rule, isKnown: isKnown) }
            }
            return rows.selectSparsely(live) { object in
                object.isNil(offset, String.self) ? ifNil : object.test(offset, rule, isKnown: isKnown)
            }
        }
        return negated ? .not(.test(test, cost: Rule.cost)) : .test(test, cost: Rule.cost)
    }
}
