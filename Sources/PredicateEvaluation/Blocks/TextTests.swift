// Comparisons of texts, and of lists of texts, with constants. A text is tested where it lies, as UTF-8: the language
// compares code points, whose order and equality are those of the bytes.
import PredicateModel
import PredicateSyntax

/// A test of one text, compiled into a loop of its own.
protocol TextRule: Sendable {
    static var cost: Int { get }
    /// Whether a glance at the head of a text may tell; a constant, so that loops without it do not look.
    static var glances: Bool { get }
    /// nil where the whole text must be looked at.
    func glance(_ text: UnsafeBufferPointer<UInt8>) -> Bool?
    func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool
}

extension TextRule {
    static var glances: Bool { false }
    func glance(_ text: UnsafeBufferPointer<UInt8>) -> Bool? { nil }
}

private struct EqualRule: TextRule {
    static let cost = 4
    static var glances: Bool { true }
    let needle: Needle
    let first: TextGlance
    init(_ needle: Needle, _ options: ComparisonOptions) {
        self.needle = needle
        first = TextGlance(needle, options, isWhole: true)
    }
    @inline(__always) func glance(_ text: UnsafeBufferPointer<UInt8>) -> Bool? { first.answer(text) }
    func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool { needle.equals(text) }
}

private struct PrefixRule: TextRule {
    static let cost = 5
    static var glances: Bool { true }
    let needle: Needle
    let first: TextGlance
    init(_ needle: Needle, _ options: ComparisonOptions) {
        self.needle = needle
        first = TextGlance(needle, options, isWhole: false)
    }
    @inline(__always) func glance(_ text: UnsafeBufferPointer<UInt8>) -> Bool? { first.answer(text) }
    func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool { needle.isPrefix(of: text) }
}

private struct SuffixRule: TextRule {
    static let cost = 6
    let needle: Needle
    func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool { needle.isSuffix(of: text) }
}

private struct ContainsRule: TextRule {
    static let cost = 25
    let needle: Needle
    func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool { needle.isContained(in: text) }
}

private struct MemberRule: TextRule {
    static let cost = 10
    let members: TextSet
    func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool { members.contains(text) }
}

private struct OrderRule: TextRule {
    static let cost = 5
    let constant: [UInt8]
    let `operator`: ComparisonOperator

    func holds(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        switch `operator` {
        case .lessThan: isBefore(text)
        case .greaterThanOrEqual: !isBefore(text)
        case .lessThanOrEqual: isBefore(text) || isEqual(text)
        default: !isBefore(text) && !isEqual(text)
        }
    }
    private func isBefore(_ text: UnsafeBufferPointer<UInt8>) -> Bool { text.lexicographicallyPrecedes(constant) }
    private func isEqual(_ text: UnsafeBufferPointer<UInt8>) -> Bool { text.elementsEqual(constant) }
}

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
        case (_, .pattern(let test, let place), _): return test.isRegular ? .pattern(test, place) : nil
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
        case .pattern(let test, let place): patternNode(test, place)
        case nil: nil
        }
    }

    /// `ANY tags …`, `ALL tags …`
    func quantified(isAll: Bool) -> BlockNode? {
        switch rule {
        case .equal(let rule): listNode(isAll) { _ in rule }
        case .notEqual(let rule): listNode(isAll, negated: true) { _ in rule }
        case .prefix(let rule): listNode(isAll) { _ in rule }
        case .suffix(let needle): listNode(isAll) { _ in SuffixRule(needle: needle) }
        case .contains(let needle): listNode(isAll) { _ in ContainsRule(needle: needle) }
        case .members(let members): listNode(isAll) { _ in MemberRule(members: members) }
        case .order, .pattern, nil: nil
        }
    }

    /// `tags CONTAINS 'x'`
    func members() -> BlockNode? {
        guard comparison.operator == .contains else { return nil }
        // Membership ignores the options; what is no text is no member.
        guard case .string(let text) = right else { return nilTest(otherwise: false) }
        let rule = EqualRule(Needle(text, options: []), [])
        return listNode(false, counts: false) { _ in rule }
    }

    /// The loop over a field of texts. The rule is made once for each block.
    private func node<Rule: TextRule>(
        negated: Bool = false, _ rule: @escaping @Sendable (inout BlockRun) -> Rule
    ) -> BlockNode {
        let offset = field.offset
        let ifNil = ifNil != negated
        let test: BlockTest
        if field.isOptional {
            test = { rows, live, run in
                let rule = rule(&run)
                return rows.selectSparsely(live) { object in
                    object.isNil(offset, String.self) ? ifNil : object.test(offset, rule)
                }
            }
        } else {
            test = { rows, live, run in
                let rule = rule(&run)
                return rows.selectSparsely(live) { object in object.test(offset, rule) }
            }
        }
        return negated ? .not(.test(test, cost: Rule.cost)) : .test(test, cost: Rule.cost)
    }

    /// A pattern's matcher learns, so it belongs to the run.
    private func patternNode(_ test: TextTest, _ place: Int) -> BlockNode {
        let offset = field.offset
        let (ifNil, isOptional) = (ifNil, field.isOptional)
        let block: BlockTest = { rows, live, run in
            guard let matcher = run.context.matcher(at: place, test).regular else { return .none }
            return rows.selectSparsely(live) { object in
                if isOptional, object.isNil(offset, String.self) { return ifNil }
                return object.withText(offset) { matcher.matches($0) }
            }
        }
        return .test(block, cost: 30)
    }

    /// The loop over a field of lists. `ALL t` is `NOT ANY NOT t`, so that one loop serves both; nil has no elements.
    private func listNode<Rule: TextRule>(
        _ isAll: Bool, negated: Bool = false, counts: Bool = true,
        _ rule: @escaping @Sendable (inout BlockRun) -> Rule
    ) -> BlockNode {
        let (offset, isOptional) = (field.offset, field.isOptional)
        let wanted = isAll == negated
        let any: BlockTest = { rows, live, run in
            let rule = rule(&run)
            let most = counts ? run.stepShare : .max
            var long = RowMask.none
            let selected = rows.selectSparsely(live) { object in
                object.anyText(offset, isOptional: isOptional, rule, wanted: wanted, most: most) {
                    long.insert(rows.row(of: object))
                }
            }
            long.forEach { run.doubt($0) }
            return selected
        }
        let node = BlockNode.test(any, cost: 5 * Rule.cost, takesSteps: counts)
        return isAll ? .not(node) : node
    }
}
