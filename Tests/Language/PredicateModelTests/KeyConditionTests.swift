// KeyCondition against the reference meaning: its normal form has the results of the comparison, and what it says about
// two conditions holds for every value.
import PredicateEvaluation
import PredicateTestSupport
import Testing

private func decimal(_ text: String) -> PredicateValue { DecimalNumber(text).map(PredicateValue.decimal) ?? .null }

private let key = ExpressionNode(.keyPath(["a"]))

/// Values of every type, in particular those that equal each other, or that round to each other.
private let scalars: [PredicateValue] = [
    .bool(true), .bool(false), .integer(0), .integer(1), .integer(5), .integer(6), .integer(-3),
    .integer(9_007_199_254_740_992), .integer(9_007_199_254_740_993), .integer(9_007_199_254_740_994), .integer(.max),
    .integer(.min), .double(1), .double(5), .double(5.5), .double(-0.0), .double(0x1p53), .double(0x1p63),
    .double(.infinity), .double(.nan), .float(5), .float(0.1), .double(0.1), decimal("0.1"),
    decimal("0.1000000000000000000000001"), decimal("5"), decimal("5.0000000000000000000001"),
    decimal("9007199254740992.5"), .string(""), .string("a"), .string("A"), .string("ab"), .string("abc"),
    .string("Abc"), .string("b"), .string("á"), .string("a\u{301}"), .string("a\u{301}b"), .string("ß"), .string("ss"),
    .string("SS"), .string("cab"), .date(0), .date(5), .date(.nan), .uuid(UniversalID(high: 1, low: 2)),
    .uuid(UniversalID(high: 1, low: 3)), .data([1]), .url("a"), .url("b"),
]

private let values: [PredicateValue] =
    scalars + [
        .null, .nsNull, .array([]), .array([.integer(5)]), .array([.double(5)]), .array([.string("a")]),
        .set([.integer(5), .string("abc")]), .array([.null]),
    ]

/// An operator, a constant and options.
private struct Form: CustomStringConvertible {
    let op: ComparisonOperator
    let constant: PredicateValue
    var options: ComparisonOptions = []
    var description: String { "a \(op.spelling)\(options.spelling) \(constant)" }

    var condition: KeyCondition? { KeyCondition(key, op, constant, options) }

    func holds(_ value: PredicateValue) -> Bool? { try? Comparison(op, options).test(value, constant) }
}

private let orders: [ComparisonOperator] = [
    .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual,
]

private let forms: [Form] = {
    let folds: [ComparisonOptions] = [[], .caseInsensitive, [.caseInsensitive, .diacriticInsensitive], .normalized]
    var forms: [Form] = []
    for value in scalars + [.null, .nsNull, .array([.integer(5)])] {
        for op in orders { forms.append(Form(op: op, constant: value)) }
        forms.append(Form(op: .contains, constant: value))
    }
    for text in ["", "a", "A", "ab", "á", "ss", "a*", "?b*"] {
        for options in folds {
            for op in orders + [.beginsWith, .endsWith, .contains, .in, .like, .matches] where op != .notEqual {
                forms.append(Form(op: op, constant: .string(text), options: options))
            }
        }
    }
    let pairs: [[PredicateValue]] = [
        [.integer(1), .integer(5)], [.integer(5), .integer(1)], [.double(5), .integer(5)], [.integer(0), .double(5.5)],
        [.string("a"), .string("b")], [.string("b"), .string("A")], [.null, .integer(5)], [.double(.nan), .integer(5)],
        [.integer(5), .string("a")], [.date(5), .date(0)], [.integer(9_007_199_254_740_993), .double(0x1p53)],
        [decimal("5"), decimal("0.1")],
    ]
    for pair in pairs {
        forms += [Form(op: .between, constant: .array(pair)), Form(op: .in, constant: .array(pair))]
    }
    for list in [[], [.null], scalars, Array(scalars.prefix(12)), Array(scalars.suffix(22))] as [[PredicateValue]] {
        forms.append(Form(op: .in, constant: .set(list), options: .caseInsensitive))
    }
    return forms + [Form(op: .in, constant: .integer(5)), Form(op: .beginsWith, constant: .integer(5))]
}()

@Suite struct KeyConditionTests {
    /// A text, and its normal form; nil if it has none.
    private static let cases: [(String, String?)] = [
        ("5 < age", "age > 5"), ("NOT (NOT age != 5)", "age != 5"), ("NOT age < 5", "NOT age < 5"),
        ("NONE tags == 'a'", "ALL tags != \"a\""), ("NOT ALL age < 5", "NOT ALL age < 5"),
        ("age BETWEEN {5, 1}", "age BETWEEN {1, 5}"), ("age BETWEEN {nil, 1}", "age IN {}"),
        ("nick IN {nil, 'a'}", "nick == \"a\""), ("NOT nick IN {nil, 'a', 'b'}", "NOT nick IN {\"a\", \"b\"}"),
        ("age <= nil", "age == nil"), ("age < nil", "age IN {}"), ("nick BEGINSWITH nil", "nick IN {}"),
        ("'x' IN tags", "tags CONTAINS \"x\""), ("{1, 2} CONTAINS age", "age IN {1, 2}"),
        ("'abc' CONTAINS[c] nick", "nick IN[c] \"abc\""), ("nick IN[c] {'x'}", "nick == \"x\""),
        ("age ==[c] 5", "age == 5"), ("nick ==[cn] 'x'", "nick == \"x\""),
        ("nick LIKE[cd] 'x*'", "nick LIKE[cd] \"x*\""),
        ("1 == 2", nil), ("age == other", nil), ("'abc' BEGINSWITH nick", nil), ("age BETWEEN {1, 'x'}", nil),
        ("age IN 5", nil), ("5 CONTAINS age", nil), ("ANY 5 == age", nil), ("age == 1 AND age == 2", nil),
    ]

    @Test(.cases) func normalForms() {
        forEachCase(Self.cases) { text, normal in
            let condition = KeyCondition(try FormatPredicate(text).root)
            #expect(condition?.node().description == normal)
            if let condition { #expect(KeyCondition(condition.node()) == condition) }
        }
    }

    @Test func holdsWhereTheComparisonDoes() throws {
        var count = 0
        for form in TestDepth.some(forms, every: 1) {
            guard let condition = form.condition else {
                // Without a normal form the comparison throws, except for nil.
                for value in values where !value.isNil { #expect(form.holds(value) == nil, "\(form) for \(value)") }
                continue
            }
            let exchanged = ComparisonNode(ExpressionNode(.value(form.constant)), form.op, key, options: form.options)
            for value in values {
                let expected = form.holds(value)
                #expect((try? condition.holds(value)) == expected, "\(form) for \(value)")
                #expect((try? condition.negated.holds(value)) == expected.map { !$0 }, "NOT \(form) for \(value)")
                if let mirrored = KeyCondition(exchanged) {
                    let expected = try? Comparison(form.op, form.options).test(form.constant, value)
                    #expect((try? mirrored.holds(value)) == expected, "\(form.constant) \(form.op) \(value)")
                }
                count += 1
            }
            #expect(KeyCondition(condition.node()) == condition, "\(form)")
            #expect(KeyCondition(condition.negated.node()) == condition.negated, "NOT \(form)")
        }
        #expect(count > TestDepth.least(10_000))
    }

    /// What is said about the values that equal a constant holds for each of them.
    @Test func decisionsHoldForEqualValues() {
        for form in forms {
            guard let decide = form.condition?.decision() else { continue }
            for constant in scalars where !constant.isNaN {
                guard let answer = decide(constant) else { continue }
                for value in values where value.isEqual(to: constant) {
                    guard let result = form.holds(value) else { continue }
                    if result != answer { Issue.record("\(form) for \(value), which equals \(constant)") }
                }
            }
        }
    }

    @Test func relationsHoldForEveryValue() {
        let known = forms.compactMap { form in form.condition.map { (form, $0, values.map(form.holds)) } }
        let kinds: [ConditionRelation] = [.disjoint, .implies, .impliedBy, .exhaustive]
        var counts = [0, 0, 0, 0]
        for (_, condition, results) in TestDepth.some(known, every: 8) {
            for (_, second, others) in known {
                for (isNegated, areNegated) in [(false, false), (true, false), (false, true), (true, true)] {
                    let left = isNegated ? condition.negated : condition
                    let right = areNegated ? second.negated : second
                    let relation = left.relation(to: right)
                    if relation.isEmpty { continue }
                    for index in kinds.indices where relation.contains(kinds[index]) { counts[index] += 1 }
                    for index in values.indices {
                        guard let one = results[index], let other = others[index] else { continue }
                        let (a, b) = (one != isNegated, other != areNegated)
                        let isWrong =
                            relation.contains(.disjoint) && a && b || relation.contains(.implies) && a && !b
                            || relation.contains(.impliedBy) && b && !a || relation.contains(.exhaustive) && !a && !b
                        if isWrong { Issue.record("\(left.node()) and \(right.node()) for \(values[index])") }
                    }
                }
            }
        }
        #expect(counts.allSatisfy { $0 > 100 })
    }

    /// The relations of ANY and ALL, for collections.
    @Test func relationsHoldForEveryCollection() throws {
        var random = SplitMix(77)
        let known = forms.compactMap { form in form.condition }
        var count = 0
        for _ in 0..<TestDepth.count(40_000) {
            func any() -> KeyCondition {
                let condition = random.pick(known)
                guard case .comparison(var node) = condition.node().kind else { return condition }
                node.modifier = random.chance(50) ? .any : .all
                return KeyCondition(node, isNegated: random.chance(50)) ?? condition
            }
            let (one, other) = (any(), any())
            let relation = one.relation(to: other)
            if relation.isEmpty { continue }
            count += 1
            for _ in 0..<6 {
                let list = (0..<random.below(4)).map { _ in random.pick(values) }
                let object = PredicateValue.dictionary(
                    ValueDictionary([("a", random.chance(10) ? .null : .array(list))]))
                guard let a = try? FormatPredicate(one.node()).evaluate(object),
                    let b = try? FormatPredicate(other.node()).evaluate(object)
                else { continue }
                let isWrong =
                    relation.contains(.disjoint) && a && b || relation.contains(.implies) && a && !b
                    || relation.contains(.impliedBy) && b && !a || relation.contains(.exhaustive) && !a && !b
                if isWrong { Issue.record("\(one.node()) and \(other.node()) for \(object)") }
            }
        }
        #expect(count > TestDepth.least(100))
    }

    /// Two texts, and what is known about them.
    private static let relations: [(String, String, ConditionRelation)] = [
        ("a > 5", "a > 3", .implies), ("a > 5", "a < 3", .disjoint), ("a > 5", "a < 10", []),
        ("a == 5", "a == 5.0", []), ("a == 5", "a IN {5, 6}", .implies), ("a == nil", "a > 3", .disjoint),
        ("a != 1", "a != 2", .exhaustive), ("NOT a > 3", "a > 2", .exhaustive), ("a BETWEEN {9, 1}", "a > 0", .implies),
        ("a BEGINSWITH 'abc'", "a BEGINSWITH 'ab'", .implies), ("a BEGINSWITH 'ac'", "a BEGINSWITH 'ab'", .disjoint),
        ("a == 'x'", "a LIKE 'y*'", .disjoint), ("a ==[c] 'x'", "a == 'y'", .disjoint),
        ("a ==[c] 'x'", "a == 'X'", .impliedBy), ("ANY a == 5", "NONE a == 5", [.disjoint, .exhaustive]),
        ("ANY a == 5", "ANY a > 3", .implies), ("ANY a == 5", "ANY a == 6", []),
        ("a > 9007199254740993", "a > 9007199254740992", []), ("a == 1", "b == 2", []),
        ("a > 5", "a > 5", [.implies, .impliedBy]),
    ]

    @Test(.cases) func relations() {
        forEachCase(Self.relations) { one, other, expected in
            let left = try #require(KeyCondition(try FormatPredicate(one).root))
            let right = try #require(KeyCondition(try FormatPredicate(other).root))
            #expect(left.relation(to: right) == expected)
        }
    }
}
