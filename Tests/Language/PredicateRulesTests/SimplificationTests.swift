// Simplified predicates have the same answers and the same failures.
import PredicateRules
import PredicateTestSupport
import Testing

@Suite struct SimplificationTests {
    /// A text, and its simplified text without and with the schema.
    private static let cases: [(String, String, String?)] = [
        ("1 + 1 == 2", "TRUEPREDICATE", nil),
        ("a > 2 + 3", "a > 5", nil),
        ("a > 1 / 0", "a > 1 / 0", nil),
        ("a == 1 AND a == 1.0", "a == 1 AND a == 1.0", nil),
        ("a == 1 OR a == 1.0", "a IN {1, 1.0}", nil),
        ("a > 3 AND a > 5.0", "a > 3 AND a > 5.0", "a > 5.0"),
        ("a IN[c] {2, 1, nil}", "a IN {1, 2}", nil),
        ("a == 1 AND (a == 1 OR b == 2)", "a == 1", nil),
        ("(a == 1 OR b == 2) AND a == 1", "a == 1", nil),
        ("a == 1 OR NOT a == 1", "TRUEPREDICATE", nil),
        ("b == 2 AND a == 1", "a == 1 AND b == 2", nil),
        ("a == 3 OR a == 1 OR a IN {2, 1}", "a IN {1, 2, 3}", nil),
        ("a != 3 AND a != 1", "NOT a IN {1, 3}", nil),
        ("a IN {1, 2} AND a IN {2, 3}", "a == 2", nil),
        ("a IN {1, nil}", "a == 1", nil),
        ("a IN {}", "FALSEPREDICATE", nil),
        ("NOT (a == 1 AND b == 2)", "a != 1 OR b != 2", nil),
        ("NOT a < 5", "NOT a < 5", "a >= 5"),
        ("a > 3 AND a > 5", "a > 5", "a > 5"),
        ("a > 3 AND a >= 5", "a > 3 AND a >= 5", "a >= 5"),
        ("a > 3 AND a < 3", "a > 3 AND FALSEPREDICATE", "FALSEPREDICATE"),
        ("a >= 3 AND a <= 5", "a >= 3 AND a <= 5", "a BETWEEN {3, 5}"),
        ("a >= 3 AND a <= 3", "a >= 3 AND a <= 3", "a == 3"),
        ("5 < a", "5 < a", "a > 5"),
        ("a > 5 OR a > 3 OR a == 7", "a > 3", "a > 3"),
        ("a == 5 AND a > 3", "a == 5 AND a > 3", "a == 5"),
        ("a == nil AND a == 3", "FALSEPREDICATE", nil),
        ("a != nil AND a == 3", "a == 3", nil),
        ("a <= nil", "a == nil", nil),
        ("t BEGINSWITH ''", "t BEGINSWITH \"\"", "FALSEPREDICATE"),
        ("l CONTAINS ''", "l CONTAINS \"\"", "l CONTAINS \"\""),
        ("s CONTAINS ''", "s CONTAINS \"\"", "FALSEPREDICATE"),
        ("s BEGINSWITH 'a' OR b == 1", "s BEGINSWITH \"a\" OR b == 1", "b == 1 OR s BEGINSWITH \"a\""),
        ("TERNARY(1 < 2, a, b) == 3", "a == 3", nil),
        ("SUBQUERY(l, $x, $x == 1 AND 1 == 1).@count > 0", "SUBQUERY(l, $x, $x == 1).@count > 0", nil),
        ("SUBQUERY(l, $x, $x == 2 OR $x == 1).@count > 0", "SUBQUERY(l, $x, $x IN {1, 2}).@count > 0", nil),
        ("SUBQUERY({1, 2}, $x, $x > 1).@count == 1", "TRUEPREDICATE", nil),
        ("$v == 1 OR TRUEPREDICATE", "$v == 1 OR TRUEPREDICATE", nil),
        ("($x := 1) == 1 AND 1 == 1", "$x := 1 == 1 AND 1 == 1", nil),
        ("random() > 2 OR 1 == 1", "random() > 2 OR 1 == 1", nil),
        // Two numbers, and one time.
        ("random() > 0.5 AND random() > 0.5", "random() > 0.5 AND random() > 0.5", nil),
        ("due > now() AND due > now()", "due > now()", nil),
        // Terms, and parts of terms, that the others prove.
        ("a == 3 AND (a IN {2, 3} OR b == 1)", "a == 3", nil),
        ("a > 3 AND (a > 2 OR s == 'x') AND NOT (a < 1)", "a > 3", nil),
        ("(a == 1 AND b == 2) OR (a == 1 AND NOT b == 2)", "a == 1", nil),
        ("(a == 1 OR b == 2) AND (a != 1 OR b == 3)", "(a != 1 OR b == 3) AND (a == 1 OR b == 2)", nil),
        ("a IN {1, 2} AND (a == 2 OR a == 3 OR b == 4)", "a IN {1, 2} AND (a IN {2, 3} OR b == 4)", nil),
        ("(a == 1 AND b == 2 AND s == 'x') OR (b == 2 AND s == 'x')", "b == 2 AND s == \"x\"", nil),
        // The first term throws for a text, so it must stay.
        ("a > 2 AND (a > 1 OR b == 1)", "a > 2", "a > 2"),
        ("(a > 1 OR b == 1) AND a > 2", "(a > 1 OR b == 1) AND a > 2", "a > 2"),
    ]

    @Test(.cases) func texts() throws {
        let schema = try RandomPredicates.schema()
        forEachCase(Self.cases) { text, simple, typed in
            let predicate = try FormatPredicate(text)
            #expect(predicate.simplified().description == simple)
            if let typed { #expect(predicate.simplified(for: schema).description == typed) }
        }
    }

    /// Constant texts beside dates are no texts.
    @Test(.cases) func typedTexts() throws {
        let environment = PredicateEnvironment(language: [.typedTexts])
        let attributes = [PredicateSchema.Attribute("d", .date), .init("s", .string)]
        let schema = try PredicateSchema([PredicateSchema.Entity("T", attributes: attributes)])
        let kept = [
            #"d == "2026-05-31" AND d == "2026-05-31T00:00Z""#,
            #"d BETWEEN {"2026-05-31T00:00+02:00", "2026-05-30T23:00Z"}"#,
            #"d == "2026-05-31" AND (d >= "2026-05-30T23:00-01:00" OR s == "x")"#,
        ]
        forEachCase(kept) { text in
            let predicate = try FormatPredicate(text, in: environment)
            #expect(predicate.simplified(for: schema).description == text)
            #expect(predicate.simplified().description == text)
        }
        let texts = try FormatPredicate("s == 'x' AND s == 'y'", in: environment)
        #expect(texts.simplified(for: schema).description == "FALSEPREDICATE")
    }

    @Test func keepsEveryAnswer() throws { try check(nil, stream: 20) }

    @Test func keepsEveryAnswerWithASchema() throws { try check(try RandomPredicates.schema(), stream: 21) }

    private func check(_ schema: PredicateSchema?, stream: UInt64) throws {
        var random = RandomPredicates(stream)
        random.isTyped = schema != nil
        var changed = 0
        for _ in 0..<TestDepth.count(8_000, full: 70_000) {
            let predicate = FormatPredicate(random.predicate())
            let simple = predicate.simplified(for: schema)
            if simple != predicate { changed += 1 }
            let (before, after) = (predicate.size, simple.size)
            #expect(after.nodes <= before.nodes + before.comparisons, "\(predicate) became \(simple)")
            #expect(simple.simplified(for: schema) == simple, "\(predicate) became \(simple)")
            for _ in 0..<8 {
                let object = random.object()
                let (one, other) = (predicate.outcome(object), simple.outcome(object))
                guard one == other else {
                    Issue.record("\(predicate) is \(one), but \(simple) is \(other), for \(object)")
                    break
                }
            }
        }
        #expect(changed > TestDepth.least(100))
    }

    @Test func longListsTakeLittleTime() throws {
        // 5,000 terms: a quadratic merge would take minutes.
        let terms = (0..<5_000).map { number in
            FormatPredicate.comparison(.key("a"), .equal, .value(Int64(number % 2_500)))
        }
        let simple = FormatPredicate.or(terms).simplified()
        #expect(simple.size.comparisons == 1)
    }

    @Test(.cases) func partialAnswers() {
        let cases: [(String, [String: (any PredicateValueConvertible)?], String)] = [
            ("role == 'admin' OR owner == tenant", ["role": "admin"], "TRUEPREDICATE"),
            ("role == 'admin' OR owner == tenant", ["role": "x", "tenant": 5], "owner == 5"),
            ("role == 'admin' AND owner == tenant", ["role": nil], "FALSEPREDICATE"),
            ("user.id == owner", ["user": ["id": 7]], "owner == 7"),
            ("user.id.x == owner", ["user": ["id": 7]], "{user={id=7}}.user.id.x == owner"),
            (
                "SUBQUERY(items, $i, $i.role == role).@count > 0", ["role": "x"],
                "SUBQUERY(items, $i, $i.role == \"x\").@count > 0"
            ),
            ("SELF.role == 'x'", ["role": "x"], "TRUEPREDICATE"),
            ("FALSEPREDICATE OR name MATCHES p", ["p": "("], "FALSEPREDICATE OR name MATCHES {p=\"(\"}.p"),
        ]
        forEachCase(cases) { text, known, expected in
            let answer = try FormatPredicate(text).partial(knowing: known).predicate
            #expect(answer.description == expected)
        }
    }

    /// With a prefix, the known values and the keys of the object have their own scopes.
    @Test(.cases) func partialAnswersWithAPrefix() {
        let cases: [(String, [String: (any PredicateValueConvertible)?], String)] = [
            ("tenant == $user.tenant", ["tenant": 5], "tenant == 5"),
            ("tenant == tenant", ["tenant": 5], "tenant == tenant"),
            ("SELF.tenant == 5", ["tenant": 5], "SELF.tenant == 5"),
            ("$user.role == 'admin' OR role == 'x'", ["role": "admin"], "TRUEPREDICATE"),
            ("$user.role == 'admin' OR $user.age > age", ["role": "x"], "$user.age > age"),
            ("$user.org.id == org", ["org": ["id": 7]], "org == 7"),
            ("$other.tenant == tenant", ["tenant": 5], "$other.tenant == tenant"),
            (
                "SUBQUERY(items, $user, $user.role == 'x').@count > 0", ["role": "x"],
                "SUBQUERY(items, $user, $user.role == \"x\").@count > 0"
            ),
        ]
        forEachCase(cases) { text, known, expected in
            let answer = try FormatPredicate(text).partial(knowing: known, as: "user").predicate
            #expect(answer.description == expected)
        }
    }

    @Test func knownKeysOnBothSidesAreWarnings() throws {
        let predicate = try FormatPredicate(
            "tenant == tenant AND (id == tenant OR tenant.id != tenant.boss) AND a == a")
        let warnings = predicate.warnings(knowing: ["tenant": 7])
        #expect(warnings.map(\.id.rawValue) == ["known-key", "known-key"])
        #expect(warnings.map(\.span.start) == [0, 38])
        #expect(predicate.warnings(knowing: ["id": nil]).isEmpty)
    }

    @Test func partialThenTheRestIsTheWhole() throws {
        var random = RandomPredicates(22)
        var decided = 0
        for _ in 0..<TestDepth.count(6_000) {
            let predicate = FormatPredicate(random.predicate())
            for _ in 0..<3 {
                guard case .dictionary(let object) = random.object() else { continue }
                let split = zip(object.keys, object.values).map { ($0, $1, random.random.chance(50)) }
                let known = Dictionary(split.filter(\.2).map { ($0.0, $0.1) }, uniquingKeysWith: { first, _ in first })
                let rest = ValueDictionary(split.filter { !$0.2 }.map { ($0.0, $0.1) })
                let answer = try predicate.partial(knowing: known)
                if case .residual = answer {} else { decided += 1 }
                let (whole, parts) = (
                    predicate.outcome(.dictionary(object)), answer.predicate.outcome(.dictionary(rest))
                )
                guard whole == parts else {
                    Issue.record("\(predicate) is \(whole), but \(answer) is \(parts), for \(object), knowing \(known)")
                    break
                }
            }
        }
        #expect(decided > TestDepth.least(50))
    }
}
