// Compiles comparisons of text fields with constants.

extension FieldComparison {
    /// nil if blocks cannot evaluate the comparison.
    func texts() -> BlockNode? {
        let options = comparison.options
        switch (comparison.operator, prepared.form, right) {
        case (.equal, .needle(let needle), _): return node(EqualRule(needle, options))
        case (.notEqual, .needle(let needle), _): return node(EqualRule(needle, options), negated: true)
        case (.beginsWith, .needle(let needle), _): return node(PrefixRule(needle, options))
        case (.endsWith, .needle(let needle), _): return node(SuffixRule(needle, options))
        case (.contains, .needle(let needle), _): return contains(needle)
        case (.lessThan, _, .string(let text)), (.lessThanOrEqual, _, .string(let text)),
            (.greaterThan, _, .string(let text)), (.greaterThanOrEqual, _, .string(let text)):
            return options.isEmpty ? node(OrderRule(constant: Array(text.utf8), operator: comparison.operator)) : nil
        case (.in, _, _): return listElements.map { node(MemberRule(TextSet($0))) }
        case (_, .pattern(let test, let place), _):
            switch test.simplePattern {
            case .equals(let needle): return node(EqualRule(needle, options))
            case .prefix(let needle): return node(PrefixRule(needle, options))
            case .suffix(let needle): return node(SuffixRule(needle, options))
            case .contains(let needle): return contains(needle)
            case .pieces(let pieces): return node(PiecesRule(pieces))
            // A pattern that only ICU can match may exceed its time limit and throw, so blocks do not evaluate it.
            case nil: return test.isRegular ? pattern(test, place) : nil
            }
        default: return nil
        }
    }

    private func contains(_ needle: Needle) -> BlockNode {
        if let texts = laidOut, mapping == nil, needle.isLiteral, !needle.isEmpty { return texts.contains(needle) }
        return node(ContainsRule(needle: needle))
    }

    /// The texts of a column that does not use codes.
    private var laidOut: TextColumn? { if case .texts(let texts) = field.column?.storage { texts } else { nil } }

    private func node<Rule: TextRule & Sendable>(_ rule: Rule, negated: Bool = false) -> BlockNode {
        if let mapping { return plain(MappedRule(rule: AnyTextRule(rule), mapping: mapping), negated: negated) }
        return plain(rule, negated: negated)
    }

    private func plain<Rule: TextRule & Sendable>(_ rule: Rule, negated: Bool) -> BlockNode {
        let (offset, isOptional) = (field.offset, field.isOptional)
        let ifNil = ifNil != negated
        let isKnown = StorageLayout.hasKnownTexts
        let (required, optional): (StoredTest, StoredTest) = (
            { object, _ in object.test(offset, rule, isKnown: isKnown) != negated },
            { object, _ in
                object.isNil(offset, String.self)
                    ? ifNil != negated : object.test(offset, rule, isKnown: isKnown) != negated
            }
        )
        let row = RowNode(test: isOptional ? optional : required, cost: rule.cost)
        let test: BlockTest
        if let texts = laidOut {
            test = { rows, live, _ in texts.select(rows, live, rule.holds) }
        } else {
            let quick = rule.quick
            test = { rows, live, run in Self.select(rows, live, &run, offset, isOptional, ifNil, rule, quick) }
        }
        // A negated test negates the whole block.
        let others: BlockTest = { rows, live, run in live.subtracting(test(rows, live, &run)) }
        return .test(negated ? others : test, cost: rule.cost, row: row)
    }

    /// Each run has its own matcher, because a matcher caches automaton states.
    private func pattern(_ test: TextTest, _ place: Int) -> BlockNode {
        let first = test.requiredPrefix.map { TextGlance($0, comparison.options, isWhole: false) }
        let rule: @Sendable (inout EvaluationContext) -> PatternRule? = { context in
            context.matcher(at: place, test).regular.map { PatternRule(matcher: $0, first: first) }
        }
        guard let mapping else { return plain(cost: PatternRule.cost, rule) }
        return plain(cost: PatternRule.cost + MappedRule<PatternRule>.cost) { context in
            rule(&context).map { MappedRule(rule: $0, mapping: mapping) }
        }
    }

    private func plain<Rule: TextRule>(
        cost: Int, _ rule: @escaping @Sendable (inout EvaluationContext) -> Rule?
    ) -> BlockNode {
        let (offset, isOptional, ifNil) = (field.offset, field.isOptional, ifNil)
        let row: StoredTest = { object, run in
            if isOptional, object.isNil(offset, String.self) { return ifNil }
            guard let state = run.state, let rule = rule(&state.context) else { return run.doubt() }
            return object.test(offset, rule, isKnown: StorageLayout.hasKnownTexts)
        }
        // The rule is created once per block.
        let texts = laidOut
        let block: BlockTest = { rows, live, run in
            guard let rule = rule(&run.context) else { return .none }
            if let texts { return texts.select(rows, live, rule.holds) }
            return Self.select(rows, live, &run, offset, isOptional, ifNil, rule, rule.quick)
        }
        return .test(block, cost: cost, row: RowNode(test: row, cost: cost, needsState: true))
    }

    /// The loop over a text field.
    @inline(__always) private static func select<Rule: TextRule>(
        _ rows: Rows, _ live: RowMask, _ run: inout BlockRun, _ offset: Int, _ isOptional: Bool, _ ifNil: Bool,
        _ rule: Rule, _ quick: QuickText?
    ) -> RowMask {
        let isKnown = StorageLayout.hasKnownTexts
        // Decide short texts by their words first, then test the others.
        let known = isKnown ? rows.selectQuickly(live, offset, quick) : (selected: .none, rest: live)
        let rest = known.rest
        if rest.isEmpty { return known.selected }
        if Rule.readsBytes, isKnown { rows.readAhead(rest, offset, &run.sum) }
        // One loop for optional and other texts, because the compiler makes a copy of the loop for each rule.
        return known.selected.union(
            rows.selectSparsely(rest) { object in
                isOptional && object.isNil(offset, String.self) ? ifNil : object.test(offset, rule, isKnown: isKnown)
            })
    }
}
