import PredicateTestSupport
// Whole predicates: quantifiers, subqueries and their scopes, variables, lazy evaluation, and errors with their
// positions.
import Predicates
import Testing

private let team = v([
    "name": "core", "lead": "Ada", "limit": 30, "sizes": [1, 5, 9], "nobody": [Int](),
    "people": [
        ["name": "Ada", "age": 36, "pets": [["kind": "cat"], ["kind": "dog"]]],
        ["name": "Bob", "age": 25, "pets": [[String: String]]()],
        ["name": "Cy", "age": 41, "pets": [["kind": "dog"]]],
    ],
])

struct QuantifierTests {
    @Test(.cases) func quantifiersHaveTheirResult() {
        let cases: [(String, String)] = [
            ("ANY sizes > 8", "true"), ("ANY sizes > 9", "false"), ("ALL sizes > 0", "true"),
            ("ALL sizes > 1", "false"), ("NONE sizes == 5", "false"), ("NONE sizes == 6", "true"),
            ("SOME sizes == 5", "true"), ("ANY nobody == 1", "false"), ("ALL nobody == 1", "true"),
            ("NONE nobody == 1", "true"), ("ANY missing == 1", "false"), ("ALL missing == 1", "true"),
            ("NONE missing == 1", "true"), ("ANY people.name BEGINSWITH 'A'", "true"),
            ("ANY sizes BETWEEN {2, 6}", "true"), ("ANY sizes IN {9, 10}", "true"), ("ANY sizes == limit", "false"),
            ("ANY name == 'core'", "not-a-collection"), ("ANY people.pets.kind == 'cat'", "false"),
            ("ANY people.name < 5", "operand-type"), ("ANY nobody < 'a'", "false"), ("ANY {1, nil} == nil", "true"),
            ("ALL {1, nil} != nil", "false"), ("ANY SELF == 'core'", "true"),
            ("ALL people.name LIKE[c] 'ada'", "false"), ("NOT ANY sizes == 1", "false"),
        ]
        forEachCase(cases) { text, expected in #expect(answer(text, team) == expected, "\(text)") }
    }
}

struct ScopeTests {
    @Test(.cases) func variablesHaveScopes() {
        let cases: [(String, String)] = [
            ("SUBQUERY(people, $x, $x.age > limit).@count == 2", "true"),
            ("SUBQUERY(people, $x, $x.age > 99)[SIZE] == 0", "true"),
            ("SUBQUERY(people, $x, $x.name == lead)[FIRST].age == 36", "true"),
            (
                "SUBQUERY(people, $x, SUBQUERY($x.pets, $y, $y.kind == 'dog' AND $x.age > 40).@count > 0).@count == 1",
                "true"
            ),
            (
                "SUBQUERY(people, $x, SUBQUERY($x.pets, $x, $x.kind == 'cat')[SIZE] == 1 AND $x.name == 'Ada')[SIZE] == 1",
                "true"
            ),
            ("SUBQUERY(missing, $x, $x == 1).@count > 0", "false"),
            ("SUBQUERY(missing, $x, $x == 1).@count == 0", "false"), ("SUBQUERY(missing, $x, $x == 1) == nil", "true"),
            ("SUBQUERY(name, $x, $x == 1).@count == 0", "not-a-collection"),
            ("SUBQUERY(sizes, $x, $x > $least)[SIZE] == 2", "true"),
            ("SUBQUERY(sizes, $least, $least > 1)[SIZE] == 2 AND $least == 1", "true"),
            ("SUBQUERY(sizes, $x, $x > 1)[SIZE] == 2 AND $x == 1", "unbound-variable"),
            ("SUBQUERY($least, $x, $x > 1)[SIZE] == 2", "not-a-collection"),
            ("5 IN SUBQUERY(sizes, $x, $x > 1)", "true"), ("SUBQUERY({1, 2, 2}, $x, $x == 2) == {2, 2}", "true"),
            ("SUBQUERY({1} UNION {2}, $x, $x == 2) == {2}", "false"), ("($y := limit) == 30 AND $y > 29", "true"),
            ("$y == 1 AND ($y := limit) == 30", "unbound-variable"), ("($least := 7) == 7 AND $least == 7", "true"),
            ("$least == 1 AND ($least := 7) == 7 AND $least == 7", "true"), ("TRUEPREDICATE OR $nowhere == 1", "true"),
            ("$nowhere == 1", "unbound-variable"), ("$who.age > 30", "true"),
            ("SUBQUERY(people, $people, $who.age == $people.age).@count == 1", "true"), ("$empty == nil", "true"),
            ("SUBQUERY(people, $x, ANY $x.pets.kind == 'cat').@count == 1", "true"),
        ]
        forEachCase(cases) { text, expected in
            let first = FormatArgument.expression(try FormatExpression("people[FIRST]").root)
            #expect(answer(text, team, variables: ["least": 1, "who": first, "empty": nil]) == expected, "\(text)")
        }
    }

    /// A bound expression uses the caller's variables, not those of an enclosing SUBQUERY.
    @Test func boundExpressionsAreNotCaptured() throws {
        let outer = FormatArgument.expression(try FormatExpression("$x").root)
        #expect(answer("SUBQUERY(sizes, $x, $x == $y)[SIZE] == 1", team, variables: ["x": 9, "y": outer]) == "true")
        #expect(
            answer("$y == 1", team, variables: ["y": .expression(ExpressionNode(.variable("y"))) as FormatArgument])
                == "unbound-variable")
    }

    /// Assignments are not shared between evaluations.
    @Test func assignmentsEndWithTheEvaluation() throws {
        let matcher = try FormatPredicate("SELF == 1 AND ($y := SELF) == 1 OR $y == 1").compiled()
        #expect([v(1), v(2), v(1)].indices(matching: matcher) == [0, 2])
        let failure = #expect(throws: PredicateFailure.self) { try matcher.test(v(2)) }
        #expect(failure?.diagnostics.first?.id == .unboundVariable)
    }

    @Test func substitutionReplacesFreeVariables() throws {
        let predicate = try FormatPredicate("a == $x AND SUBQUERY(b, $x, $x == $y).@count > 0")
        #expect(
            try predicate.substituting(["x": 5, "y": "t"]).description
                == #"a == 5 AND SUBQUERY(b, $x, $x == "t").@count > 0"#)
        let failure = #expect(throws: PredicateFailure.self) { try predicate.substituting([:]) }
        #expect(failure?.diagnostics.map(\.id) == [.unboundVariable, .unboundVariable])
        #expect(failure?.diagnostics.map(\.span) == [SourceSpan(5, 7), SourceSpan(34, 36)])
        let key = try FormatExpression("c.d")
        #expect(
            try predicate.substituting(["x": key, "y": nil]).description
                == "a == c.d AND SUBQUERY(b, $x, $x == nil).@count > 0")
        let sum = try FormatExpression("$a + $b").substituting(["a": 1, "b": 2.5])
        #expect(try sum.evaluate(PredicateValue.null) == .double(3.5))
        #expect(try FormatPredicate("($z := $q) == $z").substituting(["q": 1]).evaluate(.null))
    }
}

struct WholePredicates {
    @Test(.cases) func predicatesHaveTheirResult() {
        let cases: [(String, String)] = [
            ("limit > 1 OR name < 5", "true"), ("limit < 1 AND name < 5", "false"),
            ("name < 5 OR limit > 1", "operand-type"), ("NOT limit < 1", "true"),
            ("TERNARY(limit > 1, 1, name < 5)  == 1", "predicate-as-value"),
            ("TERNARY(limit > 1, 1, name + 1) == 1", "true"), ("TERNARY(limit < 1, 1, name + 1) == 1", "operand-type"),
            ("missing + 1 == nil", "true"), ("-limit == -30", "true"), ("limit / 0 == 1", "division-by-zero"),
            ("1 / 0 == 1", "division-by-zero"), ("FALSEPREDICATE AND 1 / 0 == 1", "false"),
            ("9223372036854775807 + 1 == 0", "integer-overflow"), ("sizes UNION {1} == sizes", "false"),
            ("{1, 5, 9} == sizes", "true"), ("sizes + 1 == 2", "operand-type"), ("ANYKEY == 1", "value-expected"),
            ("FETCH(a, b, c) == 1", "refused-fetch"), ("CAST(name, 'Class') == nil", "refused-cast"),
            ("name isKindOfClass: 'x'", "refused-operator"), ("FUNCTION(name, 'delete') == 1", "refused-method"),
            ("name TOKENMATCHES 'x'", "token-matches"),
            ("FUNCTION(name, 'stringByAppendingString:', 'x') == 'corex'", "true"),
            ("FUNCTION(missing, 'length') == nil", "true"), ("FUNCTION(limit, 'length') == nil", "string-operand"),
            ("limit BETWEEN {40, 20}", "true"), ("limit BETWEEN 5", "between-operand"),
            ("CAST('2001-01-01T00:00:10Z', 'NSDate') == CAST(10, 'NSDate')", "true"), ("sum(sizes) == 15", "true"),
            ("now() > CAST(0, 'NSDate')", "true"), ("random() < 1", "true"),
            ("name IN {'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'core'}", "true"),
            ("missing IN {'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', nil}", "false"),
            ("limit IN {1, 2, 3, 4, 5, 6, 7, 8, 30.0}", "true"),
        ]
        forEachCase(cases) { text, expected in #expect(answer(text, team) == expected, "\(text)") }
    }

    /// An error names the operator and the types, and its span is that of the operand.
    @Test(.cases) func faultsHaveSpans() {
        let cases: [(String, String, Int, Int)] = [
            ("limit == 30 AND limit BEGINSWITH 'a'", "BEGINSWITH needs texts, not an integer", 16, 21),
            ("name CONTAINS limit", "CONTAINS needs texts, not an integer", 14, 19),
            ("5 IN limit", "IN needs a collection, not an integer", 5, 10),
            ("name < limit", "< cannot take a text and an integer", 0, 12),
            ("limit + name == 1", "+ cannot take an integer and a text", 8, 12),
            ("SUBQUERY(name, $x, TRUEPREDICATE) == 1", "SUBQUERY needs a collection, not a text", 9, 13),
            ("ALL limit == 5", "ALL needs a collection, not an integer", 4, 9),
            ("sqrt(name) == 1", "sqrt cannot take a text", 5, 9),
            ("1 == name.foo", "a text has no key 'foo'", 5, 13),
            ("limit == $x", "the variable $x has no value", 9, 11),
            ("sizes[limit] == 1", "index 30 is out of range for 3 elements", 6, 11),
        ]
        forEachCase(cases) { text, message, start, end in
            let failure = #expect(throws: PredicateFailure.self) { try FormatPredicate(text).evaluate(team) }
            let diagnostic = try #require(failure?.diagnostics.first)
            #expect(diagnostic.message == message)
            #expect(diagnostic.span == SourceSpan(start, end), "\(diagnostic.span.range)")
            #expect(failure?.source == text)
        }
    }

    /// All refused constructs are reported together.
    @Test func refusedConstructsAreReportedTogether() {
        let failure = #expect(throws: PredicateFailure.self) {
            try FormatPredicate("CAST(a, 'Class') == 1 AND FETCH(b, c) == 2 OR d.e[0] == 3").evaluate(.null)
        }
        #expect(failure?.diagnostics.map(\.id) == [.refusedCast, .refusedFetch, .indexAfterPath])
    }

    @Test func objectsThatThrowAreNotSelected() throws {
        let rows = [v(["a": 4]), v(["a": 0]), v(["a": "x"]), v(["a": nil as Int?])]
        for (text, expected) in [("8 / a == 2", [0]), ("NOT 8 / a == 2", [3]), ("a == 0 OR 8 / a == 2", [0, 1])] {
            #expect(rows.indices(matching: try FormatPredicate(text).compiled()) == expected, "\(text)")
        }
    }

    @Test func environmentAndRunAreUsed() throws {
        let run = PredicateRun(clock: { 42 }, seed: 1)
        var functions = FunctionCatalog.standard
        functions.add(
            PredicateFunction("twice:", arity: 1, signature: "twice:(n)", summary: "2n") {
                (arguments, context) throws(EvaluationFault) in
                try context.rules.apply(.add, arguments[0], arguments[0])
            })
        functions.addOperator("isTwice:") { (left, right) throws(EvaluationFault) in
            left.isEqual(to: try OperatorRules.standard.apply(.multiply, right, .integer(2)))
        }
        let environment = PredicateEnvironment(functions: functions, language: .stringConcatenation)
        #expect(try FormatPredicate("now() == CAST(42, 'NSDate')").evaluate(PredicateValue.null, run: run))
        let twice = try FormatPredicate("twice:(n) == 8", in: environment)
        #expect(try twice.evaluate(["n": 4]))
        #expect(
            #expect(throws: PredicateFailure.self) { try FormatPredicate(twice.root).evaluate(["n": 4]) }?
                .diagnostics.first?.id == .unknownFunction)
        #expect(try FormatPredicate("n isTwice: 4", in: environment).evaluate(["n": 8]))
        #expect(try FormatExpression("'a' + 'b'", in: environment).evaluate(PredicateValue.null) == .string("ab"))
        let random = try FormatExpression("random()")
        #expect(try random.evaluate(PredicateValue.null, run: run) == random.evaluate(PredicateValue.null, run: run))
    }

    @Test func localeDeterminesTheOrder() throws {
        let swedish = PredicateEnvironment(localeIdentifier: "sv_SE")
        #expect(try FormatPredicate("'z' <[l] 'ö'", in: swedish).evaluate(PredicateValue.null))
        let german = PredicateEnvironment(localeIdentifier: "de_DE")
        #expect(try !FormatPredicate("'z' <[l] 'ö'", in: german).evaluate(PredicateValue.null))
        #expect(
            try FormatPredicate("'Straße' ==[cl] 'straße' AND 'Élan' BEGINSWITH[cdl] 'el'", in: german)
                .evaluate(PredicateValue.null))
        #expect(
            try FormatPredicate("'abc' ENDSWITH[l] 'c' AND 'abc' CONTAINS[l] 'b' AND NOT 'abc' CONTAINS[l] ''")
                .evaluate(PredicateValue.null))
    }
}

struct PatternPredicates {
    private static let rows = v([
        ["name": "Silvia", "shape": "S*a"], ["name": "Ada", "shape": "?da"], ["name": "abab", "shape": "x"],
        ["name": "Élan", "shape": "*lan"],
    ])

    /// Constant patterns, patterns from the rows, and patterns that only ICU can run.
    @Test(.cases) func rowsAreSelected() {
        let cases: [(String, [Int])] = [
            ("name LIKE 'S*a'", [0]), ("name LIKE[cd] 'e*'", [3]), ("name LIKE shape", [0, 1, 3]),
            ("name MATCHES '[A-Z].*a'", [0, 1]), (#"name MATCHES '(ab)\\1'"#, [2]),
            ("NOT name MATCHES '(?=A).*'", [0, 2, 3]), ("name MATCHES[c] 'ADA'", [1]),
            ("ANY {name, 'x'} LIKE 'A*'", [1]), ("name LIKE ''", []), ("name LIKE nil", []), ("name MATCHES shape", []),
        ]
        forEachCase(cases) { text, expected in
            let rows = try #require(Self.rows.elements)
            #expect(rows.indices(matching: try FormatPredicate(text).compiled()) == expected, "\(text)")
        }
    }

    @Test func malformedPatterns() throws {
        let read = FormatPredicate.comparison(.key("name"), .matches, .key("shape"))
        let failure = #expect(throws: PredicateFailure.self) { try read.evaluate(["name": "a", "shape": "a{3, 4"]) }
        #expect(failure?.diagnostics.map(\.id) == [.malformedPattern])
        // A constant pattern is checked at compile time.
        let built = FormatPredicate.comparison(.key("name"), .matches, .value("("))
        #expect(
            #expect(throws: PredicateFailure.self) { try built.compiled() }?.diagnostics.first?.id == .malformedPattern)
    }

    /// More patterns in the rows than the cache holds.
    @Test func morePatternsThanTheCacheHolds() throws {
        // All rows of the first half match their own pattern; of the others only n55 begins with n5.
        let rows = (0..<100).map { v(["name": "n\($0)", "shape": "n\($0 % 50)*"]) }
        #expect(rows.count(matching: try FormatPredicate("name LIKE shape").compiled()) == 51)
    }
}
