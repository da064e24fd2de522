// Random pairs of predicates, related and unrelated: no object contradicts a proven claim, and each counterexample of a
// refuted claim is one.
import PredicateRules
import PredicateTestSupport
import Testing

@Suite struct ReasoningPropertyTests {
    @Test func claimsHold() throws { try check(stream: 70, isTyped: false) }

    @Test func claimsHoldWithASchema() throws { try check(stream: 71, isTyped: true) }

    private func check(stream: UInt64, isTyped: Bool) throws {
        let schema = isTyped ? try RandomPredicates.schema() : nil
        var random = RandomPredicates(stream)
        random.isTyped = isTyped
        var counts: [String: Int] = [:]
        for turn in 0..<(TestDepth.isQuick ? 400 : TestDepth.count(50_000)) {
            let a = FormatPredicate(random.predicate(depth: 2))
            let b =
                turn % 3 == 0
                ? FormatPredicate(random.predicate(depth: 2))
                : FormatPredicate(random.changingOneTerm(of: a.root))
            let claim = a.implies(b, for: schema)
            switch claim {
            case .proven:
                counts["proven", default: 0] += 1
                let constants = (a.constants + b.constants).flatMap(Self.near)
                for _ in 0..<24 {
                    let object = random.object(with: constants)
                    guard a.isTrue(object), !b.isTrue(object) else { continue }
                    Issue.record("\(a) does not imply \(b) for \(object)")
                    break
                }
            case .refuted(let object):
                counts["refuted", default: 0] += 1
                #expect(a.isTrue(object) && !b.isTrue(object), "\(a) implies \(b) for \(object)")
            case .unknown: counts["unknown", default: 0] += 1
            }
        }
        if !TestDepth.isQuick { print("claims: \(counts)") }
        #expect(counts["proven"] ?? 0 > 50)
        #expect(counts["refuted"] ?? 0 > 50)
    }

    /// A constant and its neighbours.
    private static func near(_ value: PredicateValue) -> [PredicateValue] {
        switch value {
        case .integer(let number): [value, .integer(number &+ 1), .integer(number &- 1), .double(Double(number) + 0.5)]
        case .double(let number): [value, .double(number.nextUp), .double(number.nextDown), .integer(5)]
        case .string(let text):
            [value, .string(text + "a"), .string(text.uppercased()), .string(String(text.dropLast()))]
        case .array, .set, .dictionary: []
        default: [value]
        }
    }
}

extension FormatPredicate {
    /// The constants of the comparisons.
    fileprivate var constants: [PredicateValue] {
        var found: [PredicateValue] = []
        PredicateWalker(expression: { if case .value(let value) = $0.kind { found.append(value) } }).walk(root)
        return found
    }
}

extension RandomPredicates {
    /// An object whose keys have some of the values.
    mutating func object(with values: [PredicateValue]) -> PredicateValue {
        guard case .dictionary(var fields) = object(), !values.isEmpty else { return object() }
        for key in Self.keys where random.chance(60) {
            let value = random.pick(values)
            switch (key, value) {
            case ("l", .string): fields[key] = .array(random.chance(50) ? [value] : [value, random.pick(values)])
            case ("l", _) where !isTyped: fields[key] = .array([value])
            // No attribute of the schema may be NaN.
            case ("b", .double(let number)) where isTyped && number.isNaN: break
            case ("a", .integer), ("b", .double), ("s", .string), ("t", .string): fields[key] = value
            case ("b", .integer(let number)): fields[key] = isTyped ? .double(Double(number)) : value
            default: if !isTyped, key != "d" { fields[key] = value }
            }
        }
        if isTyped, case .array(let list)? = fields["l"] {
            fields["l"] = .array(list.filter { if case .string = $0 { true } else { false } })
        }
        return .dictionary(fields)
    }

    /// The predicate with one comparison changed, dropped or negated.
    mutating func changingOneTerm(of root: PredicateNode) -> PredicateNode {
        var count = 0
        PredicateWalker(predicate: { if case .comparison = $0.kind { count += 1 } }).walk(root)
        guard count > 0 else { return root }
        let chosen = random.below(count)
        let (kind, step) = (random.below(6), random.chance(50) ? 1 : -1)
        let other = predicate(depth: 0)
        var index = 0
        return PredicateRewriter<Never>(predicate: { node in
            guard case .comparison(let comparison) = node.kind else { return node }
            defer { index += 1 }
            guard index == chosen else { return node }
            return comparison.changed(kind, step, or: other)
        }).rewrite(root)
    }
}

extension ComparisonNode {
    /// The comparison with another constant, operator or option; its negation; or another predicate.
    func changed(_ kind: Int, _ step: Int, or other: PredicateNode) -> PredicateNode {
        var changed = self
        switch (kind, right.kind) {
        case (0, _), (1, _):
            let rewriter = PredicateRewriter<Never>(expression: { node in
                switch node.kind {
                case .value(.integer(let number)): ExpressionNode(.value(.integer(number &+ Int64(step))))
                case .value(.double(let number)): ExpressionNode(.value(.double(number + Double(step))))
                case .value(.string(let text)):
                    ExpressionNode(.value(.string(step > 0 ? text + "a" : String(text.dropLast()))))
                default: node
                }
            })
            changed.left = rewriter.rewrite(left)
            changed.right = rewriter.rewrite(right)
        case (2, _):
            let orders: [ComparisonOperator] = [
                .lessThan, .lessThanOrEqual, .greaterThanOrEqual, .greaterThan, .equal, .notEqual,
            ]
            guard let index = orders.firstIndex(of: changed.operator) else { return PredicateNode(.constant(step > 0)) }
            changed.operator = orders[(index + step + orders.count) % orders.count]
        case (3, _): return PredicateNode(.not(PredicateNode(.comparison(self))))
        case (4, _): return PredicateNode(.constant(step > 0))
        default:
            if step > 0 { return other }
            changed.options.formSymmetricDifference(.caseInsensitive)
        }
        return PredicateNode(.comparison(changed))
    }
}
