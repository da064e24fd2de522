// Compiles comparisons of text fields with constants.
import PredicateModel
import PredicateSyntax

extension FieldComparison {
    /// The test that the comparison makes; nil if blocks cannot evaluate it.
    private enum Rule {
        case equal(EqualRule)
        case notEqual(EqualRule)
        case prefix(PrefixRule)
        case suffix(SuffixRule)
        case contains(Needle)
        case pieces(TextPieces)
        case order([UInt8])
        case members(TextSet)
        case pattern(TextTest, Int)
    }

    private var rule: Rule? {
        switch (comparison.operator, prepared.form, right) {
        case (.equal, .needle(let needle), _): return .equal(EqualRule(needle, comparison.options))
        case (.notEqual, .needle(let needle), _): return .notEqual(EqualRule(needle, comparison.options))
        case (.beginsWith, .needle(let needle), _): return .prefix(PrefixRule(needle, comparison.options))
        case (.endsWith, .needle(let needle), _): return .suffix(SuffixRule(needle, comparison.options))
        case (.contains, .needle(let needle), _): return .contains(needle)
        case (.lessThan, _, .string(let text)), (.lessThanOrEqual, _, .string(let text)),
            (.greaterThan, _, .string(let text)), (.greaterThanOrEqual, _, .string(let text)):
            return comparison.options.isEmpty ? .order(Array(text.utf8)) : nil
        case (.in, _, _): return listElements.map { .members(TextSet($0)) }
        // A pattern that only ICU matches may exceed its budget and throw, so blocks do not evaluate it.
        case (_, .pattern(let test, let place), _):
            switch test.shape {
            case .equals(let needle): return .equal(EqualRule(needle, comparison.options))
            case .prefix(let needle): return .prefix(PrefixRule(needle, comparison.options))
            case .suffix(let needle): return .suffix(SuffixRule(needle, comparison.options))
            case .contains(let needle): return .contains(needle)
            case .pieces(let pieces): return .pieces(pieces)
            case nil: return test.isRegular ? .pattern(test, place) : nil
            }
        default: return nil
        }
    }

    func texts() -> BlockNode? {
        switch rule {
        case .equal(let rule): node(rule)
        case .notEqual(let rule): node(rule, negated: true)
        case .prefix(let rule): node(rule)
        case .suffix(let rule): node(rule)
        case .contains(let needle):
            if let texts = laidOut, mapping == nil, needle.isLiteral, !needle.isEmpty {
                texts.contains(needle)
            } else {
                node(ContainsRule(needle: needle))
            }
        case .pieces(let pieces): node(PiecesRule(pieces))
        case .order(let bytes): node(OrderRule(constant: bytes, operator: comparison.operator))
        case .members(let members): node(MemberRule(members: members))
        // The matcher caches what it learns, so each run has its own.
        case .pattern(let test, let place):
            pattern(test, place)
        case nil: nil
        }
    }

    /// The texts of a column without codes.
    private var laidOut: TextColumn? { if case .texts(let texts) = field.column?.storage { texts } else { nil } }

    private func node<Rule: TextRule & Sendable>(_ rule: Rule, negated: Bool = false) -> BlockNode {
        if let mapping { return plain(MappedRule(rule: rule, mapping: mapping), negated: negated) }
        return plain(rule, negated: negated)
    }

    private func plain<Rule: TextRule & Sendable>(_ rule: Rule, negated: Bool) -> BlockNode {
        let (offset, isOptional) = (field.offset, field.isOptional)
        let ifNil = ifNil != negated
        let isKnown = StorageLayout.knowsTexts
        let (required, optional): (StoredTest, StoredTest) = (
            { object, _ in object.test(offset, rule, isKnown: isKnown) != negated },
            { object, _ in
                object.isNil(offset, String.self)
                    ? ifNil != negated : object.test(offset, rule, isKnown: isKnown) != negated
            }
        )
        let row = RowNode(test: isOptional ? optional : required, cost: Rule.cost)
        let test: BlockTest
        if let texts = laidOut {
            test = { rows, live, _ in texts.select(rows, live, rule.holds) }
        } else {
            let quick = rule.quick
            test = { rows, live, run in Self.select(rows, live, &run, offset, isOptional, ifNil, rule, quick) }
        }
        // A negated test negates the whole block.
        let others: BlockTest = { rows, live, run in live.subtracting(test(rows, live, &run)) }
        return .test(negated ? others : test, cost: Rule.cost, row: row)
    }

    private func pattern(_ test: TextTest, _ place: Int) -> BlockNode {
        let first = test.requiredPrefix.map { TextGlance($0, comparison.options, isWhole: false) }
        let rule: @Sendable (inout EvaluationContext) -> PatternRule? = { context in
            context.matcher(at: place, test).regular.map { PatternRule(matcher: $0, first: first) }
        }
        guard let mapping else { return plain(rule) }
        return plain { context in rule(&context).map { MappedRule(rule: $0, mapping: mapping) } }
    }

    private func plain<Rule: TextRule>(
        _ rule: @escaping @Sendable (inout EvaluationContext) -> Rule?
    ) -> BlockNode {
        let (offset, isOptional, ifNil) = (field.offset, field.isOptional, ifNil)
        let row: StoredTest = { object, run in
            if isOptional, object.isNil(offset, String.self) { return ifNil }
            guard let state = run.state, let rule = rule(&state.context) else { return run.doubt() }
            return object.test(offset, rule, isKnown: StorageLayout.knowsTexts)
        }
        // The rule is made once per block.
        let texts = laidOut
        let block: BlockTest = { rows, live, run in
            guard let rule = rule(&run.context) else { return .none }
            if let texts { return texts.select(rows, live, rule.holds) }
            return Self.select(rows, live, &run, offset, isOptional, ifNil, rule, rule.quick)
        }
        return .test(
            block, cost: Rule.cost, row: RowNode(test: row, cost: Rule.cost, needsState: true))
    }

    /// The loop over a text field.
    @inline(__always) private static func select<Rule: TextRule>(
        _ rows: Rows, _ live: RowMask, _ run: inout BlockRun, _ offset: Int, _ isOptional: Bool, _ ifNil: Bool,
        _ rule: Rule, _ quick: QuickText?
    ) -> RowMask {
        let isKnown = StorageLayout.knowsTexts
        // Decide short texts by their words first, then test the others.
        let known = isKnown ? rows.selectQuickly(live, offset, quick) : (selected: .none, rest: live)
        let rest = known.rest
        if rest.isEmpty { return known.selected }
        if Rule.readsBytes, isKnown { rows.readAhead(rest, offset, &run.sum) }
        if !isOptional {
            return known.selected.union(rows.selectSparsely(rest) { $0.test(offset, rule, isKnown: isKnown) })
        }
        return known.selected.union(
            rows.selectSparsely(rest) { object in
                object.isNil(offset, String.self) ? ifNil : object.test(offset, rule, isKnown: isKnown)
            })
    }
}
