// The scalar operators on pairs of values: nil table, equality, order, membership, ranges.
import PredicateTestSupport
import Testing

private let orderings: [ComparisonOperator] = [.lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual]
private let all: [ComparisonOperator] =
    orderings + [
        .equal, .notEqual, .matches, .like, .beginsWith, .endsWith, .in, .contains, .between, .utiConformsTo,
        .utiEquals,
    ]

private func decimal(_ text: String) -> PredicateValue { DecimalNumber(text).map(PredicateValue.decimal) ?? .null }

struct NilTable {
    /// The whole table of LANGUAGE 5.2: for each operator nil ⊕ nil, nil ⊕ v and v ⊕ nil.
    @Test(.cases) func everyOperatorTreatsNilByTheTable() {
        forEachCase(all) { (op) throws in
            let both: Set<ComparisonOperator> = [.equal, .lessThanOrEqual, .greaterThanOrEqual]
            for (a, b) in [
                (PredicateValue.null, PredicateValue.null), (.null, .nsNull), (.nsNull, .null), (.nsNull, .nsNull),
            ] {
                #expect(try Comparison(op).test(a, b) == both.contains(op))
            }
            for value in [
                PredicateValue.integer(1), .string("x"), .array([.integer(1)]), .array([.null, .null]), .date(0),
                .bool(false),
            ] {
                for absent in [PredicateValue.null, .nsNull] {
                    #expect(try Comparison(op).test(absent, value) == (op == .notEqual), "\(op) nil \(value)")
                    #expect(try Comparison(op).test(value, absent) == (op == .notEqual), "\(op) \(value) nil")
                }
            }
        }
    }
}

struct EqualityTests {
    static let id = UniversalID("E621E1F8-C36C-495A-93FC-0C247A3E6E5F").map(PredicateValue.uuid) ?? .null

    /// Each row is a class of equal values. Values of different rows are unequal.
    static let classes: [[PredicateValue]] = [
        [.null, .nsNull],
        [.bool(true), .integer(1), .double(1), .float(1), decimal("1"), decimal("1.00")],
        [.bool(false), .integer(0), .double(0), .double(-0.0), decimal("0")],
        [.integer(.max), decimal("9223372036854775807")],
        [.integer(.max - 1)],
        [.double(0.1), decimal("0.1").rounded],
        [.float(0.1)],
        [.string("1")],
        [.string("")],
        [.string("\u{e9}")],
        [.string("e\u{301}")],
        [.string("a"), .string("a")],
        [.url("a")],
        [.date(1)],
        [.date(0)],
        [.data([1])],
        [.data([])],
        [id, id],
        [.array([]), .array([])],
        [.set([])],
        [.array([.integer(1), .string("x")]), .array([.double(1), .string("x")])],
        [.array([.string("x"), .integer(1)])],
        [.set([.integer(1), .string("x")]), .set([.string("x"), .bool(true)])],
        [.set([.integer(1)])],
        [
            .dictionary(ValueDictionary([("a", .integer(1)), ("b", .null)])),
            .dictionary(ValueDictionary([("b", .nsNull), ("a", .double(1))])),
        ],
        [.dictionary(ValueDictionary([("a", .integer(1))]))],
        [.type("NSString")],
    ]

    @Test func valuesOfDifferentClassesDiffer() throws {
        for (i, row) in Self.classes.enumerated() {
            for (j, column) in Self.classes.enumerated() {
                for a in row {
                    for b in column {
                        #expect(a.isEqual(to: b) == (i == j), "\(a) == \(b)")
                        #expect(try Comparison(.equal).test(a, b) == (i == j), "\(a) == \(b)")
                        #expect(try Comparison(.notEqual).test(a, b) == (i != j), "\(a) != \(b)")
                        if i == j { #expect(EqualityKey(a).hashValue == EqualityKey(b).hashValue, "\(a) \(b)") }
                    }
                }
            }
        }
    }

    @Test func nanEqualsNothing() throws {
        for value in [PredicateValue.double(.nan), .float(.nan), .integer(0), .string("nan"), .array([.double(.nan)])] {
            #expect(!PredicateValue.double(.nan).isEqual(to: value))
            #expect(!PredicateValue.array([.double(.nan)]).isEqual(to: .array([value])))
            #expect(try Comparison(.notEqual).test(.double(.nan), value))
            for op in orderings where value.isNumber {
                #expect(try !Comparison(op).test(.double(.nan), value))
                #expect(try !Comparison(op).test(value, .double(.nan)))
            }
        }
    }

    @Test func integersBeyondDoublesAreExact() {
        let big: Int64 = 9_007_199_254_740_993
        #expect(!PredicateValue.integer(big).isEqual(to: .integer(big - 1)))
        #expect(PredicateValue.integer(big).isEqual(to: .double(9_007_199_254_740_992)))
        #expect(!PredicateValue.integer(big).isEqual(to: decimal("9007199254740992")))
    }

    @Test func uniquedKeepsTheFirst() {
        let values: [PredicateValue] = [
            .integer(1), .string("a"), .double(1), .bool(true), .string("a"), .null, .nsNull,
        ]
        #expect(values.uniqued() == [.integer(1), .string("a"), .null])
    }
}

extension PredicateValue {
    /// The nearest double of a decimal.
    fileprivate var rounded: PredicateValue { doubleValue.map(PredicateValue.double) ?? .null }
}

struct OrderingTests {
    /// In ascending order. Every pair is compared with all four operators.
    static let ladders: [[PredicateValue]] = [
        [
            .double(-.infinity), .integer(.min), .double(-1.5), decimal("-1.25"), .integer(-1), .bool(false),
            decimal("0.1"), .bool(true), .float(1.5), .integer(2), .integer(.max - 1), .integer(.max),
            .double(.infinity),
        ],
        [
            .string(""), .string("01"), .string("1"), .string("A"), .string("Z"), .string("Za"), .string("a"),
            .string("z"), .string("\u{e9}"), .string("\u{ff5e}"), .string("\u{1f600}"),
        ],
        [.date(-1), .date(0), .date(0.5)],
        [
            UniversalID("00000000-0000-0000-0000-000000000002").map(PredicateValue.uuid) ?? .null,
            UniversalID("00000000-0000-0001-0000-000000000001").map(PredicateValue.uuid) ?? .null,
        ],
    ]

    @Test(.cases) func laddersAreInOrder() {
        forEachCase(Self.ladders) { (ladder) throws in
            for (i, a) in ladder.enumerated() {
                for (j, b) in ladder.enumerated() {
                    #expect(try Comparison(.lessThan).test(a, b) == (i < j), "\(a) < \(b)")
                    #expect(try Comparison(.lessThanOrEqual).test(a, b) == (i <= j), "\(a) <= \(b)")
                    #expect(try Comparison(.greaterThan).test(a, b) == (i > j), "\(a) > \(b)")
                    #expect(try Comparison(.greaterThanOrEqual).test(a, b) == (i >= j), "\(a) >= \(b)")
                }
            }
        }
    }

    @Test(.cases) func comparingMixedTypesThrows() {
        let cases: [(PredicateValue, PredicateValue, String)] = [
            (PredicateValue.string("2"), PredicateValue.integer(2), "< cannot take a text and an integer"),
            (.date(0), .double(1), "< cannot take a date and a double"),
            (.array([]), .array([]), "< cannot take an array and an array"),
            (.url("a"), .url("b"), "< cannot take a URL and a URL"),
            (.data([]), .data([]), "< cannot take data and data"),
            (.bool(true), .string(""), "< cannot take a Boolean and a text"),
        ]
        forEachCase(cases) { (a, b, message) throws in
            let fault = #expect(throws: EvaluationFault.self) { try Comparison(.lessThan).test(a, b) }
            #expect(fault?.diagnostic.message == message)
            #expect(fault?.diagnostic.severity == .error)
        }
    }
}

struct MembershipTests {
    @Test(.cases) func inEqualsContainsWithOperandsSwapped() {
        let cases: [(PredicateValue, PredicateValue, Bool)] = [
            (PredicateValue.integer(1), PredicateValue.array([.double(1)]), true),
            (.integer(1), .array([.string("1")]), false), (.string("b"), .string("abc"), true),
            (.string(""), .string("abc"), false), (.string(""), .string(""), false),
            (.string("B"), .string("abc"), false), (.string("x"), .set([.string("x")]), true),
            (.string("A"), .dictionary(ValueDictionary([("A", .string("B"))])), false),
            (.string("B"), .dictionary(ValueDictionary([("A", .string("B"))])), true),
            (.array([.integer(1)]), .array([.array([.bool(true)])]), true),
            (.double(.nan), .array([.double(.nan)]), false),
        ]
        forEachCase(cases) { (object, container, expected) throws in
            #expect(try Comparison(.in).test(object, container) == expected)
            #expect(try Comparison(.contains).test(container, object) == expected)
        }
    }

    /// The options apply to texts, not to collections (LANGUAGE 5.7).
    @Test func optionsApplyToTextsOnly() throws {
        #expect(try Comparison(.in, .caseInsensitive).test(.string("B"), .string("abc")))
        #expect(try !Comparison(.in, .caseInsensitive).test(.string("B"), .array([.string("b")])))
        #expect(try !Comparison(.in, [.caseInsensitive, .normalized]).test(.string("B"), .string("abc")))
    }

    @Test(.cases) func invalidOperandsThrow() {
        let cases: [(ComparisonOperator, PredicateValue, PredicateValue, EvaluationFault.Place, String)] = [
            (
                ComparisonOperator.in, PredicateValue.integer(1), PredicateValue.integer(2),
                EvaluationFault.Place.right,
                "IN needs a collection, not an integer"
            ),
            (.contains, .integer(1), .integer(2), .left, "CONTAINS needs a collection, not an integer"),
            (.contains, .string("a"), .integer(2), .right, "CONTAINS needs texts, not an integer"),
            (.in, .date(0), .string("a"), .left, "IN needs texts, not a date"),
            (.beginsWith, .integer(5), .string("a"), .left, "BEGINSWITH needs texts, not an integer"),
            (.endsWith, .string("a"), .bool(true), .right, "ENDSWITH needs texts, not a Boolean"),
            (.like, .array([]), .string("a"), .left, "LIKE needs texts, not an array"),
            (.matches, .string("a"), .data([]), .right, "MATCHES needs texts, not data"),
            (.utiEquals, .url("a"), .string("a"), .left, "UTI-EQUALS needs texts, not a URL"),
        ]
        forEachCase(cases) { (op, a, b, place, message) throws in
            let fault = #expect(throws: EvaluationFault.self) { try Comparison(op).test(a, b) }
            #expect(fault?.place == place)
            #expect(fault?.diagnostic.message == message)
        }
    }

    @Test func refusedOperators() {
        let custom = #expect(throws: EvaluationFault.self) {
            try Comparison(.custom("isKindOfClass:")).test(.null, .null)
        }
        #expect(custom?.id == .refusedOperator)
        let token = #expect(throws: EvaluationFault.self) {
            try Comparison(.tokenMatches).test(.string("a"), .string("a"))
        }
        #expect(token?.id == .tokenMatches)
    }

    @Test func registeredOperatorsAreUsed() throws {
        var catalog = FunctionCatalog.standard
        catalog.addOperator("notContainedIn:") { (left, right) throws(EvaluationFault) in
            let isMember = try Comparison(.in).test(left, right)
            return !isMember
        }
        let rules = OperatorRules(in: PredicateEnvironment(functions: catalog))
        #expect(try Comparison(.custom("notContainedIn:"), rules: rules).test(.integer(3), .array([.integer(1)])))
    }
}

struct BetweenTests {
    @Test(.cases) func betweenIncludesItsBounds() {
        let cases: [(PredicateValue, [PredicateValue], Bool)] = [
            (PredicateValue.integer(3), [PredicateValue.integer(0), .integer(3)], true),
            (.integer(0), [.integer(0), .integer(3)], true), (.integer(4), [.integer(0), .integer(3)], false),
            (.integer(3), [.integer(5), .integer(1)], true), (.double(2.5), [.integer(2), decimal("2.5")], true),
            (.string("b"), [.string("a"), .string("c")], true), (.string("B"), [.string("a"), .string("c")], false),
            (.date(5), [.date(0), .date(5)], true), (.integer(1), [.null, .integer(5)], false),
            (.integer(1), [.integer(0), .nsNull], false), (.null, [.integer(0), .integer(5)], false),
            (.double(.nan), [.integer(0), .integer(5)], false), (.integer(1), [.double(.nan), .integer(5)], false),
        ]
        forEachCase(cases) { (value, bounds, expected) throws in
            #expect(try Comparison(.between).test(value, .array(bounds)) == expected)
        }
    }

    @Test(.cases) func betweenNeedsTwoBounds() {
        let cases: [PredicateValue] = [
            PredicateValue.array([.integer(1)]), .array([.integer(1), .integer(2), .integer(3)]), .integer(5),
            .set([.integer(1), .integer(2)]), .string("12"), .dictionary(ValueDictionary([])),
        ]
        forEachCase(cases) { (right) throws in
            let fault = #expect(throws: EvaluationFault.self) { try Comparison(.between).test(.integer(1), right) }
            #expect(fault?.id == .betweenOperand)
            #expect(fault?.diagnostic.severity == .error)
        }
    }

    @Test func mixedTypesAreFaults() {
        for bounds in [[PredicateValue.integer(1), .string("a")], [.string("a"), .string("b")]] {
            let fault = #expect(throws: EvaluationFault.self) {
                try Comparison(.between).test(.integer(1), .array(bounds))
            }
            #expect(fault?.id == .operandType)
        }
    }
}

struct TypeIdentifierTests {
    @Test(.cases) func typeIdentifiersConform() {
        let cases: [(String, String, Bool)] = [
            ("public.jpeg", "public.image", true), ("public.JPEG", "Public.Image", true),
            ("public.jpeg", "public.item", true), ("public.jpeg", "public.content", true),
            ("public.jpeg", "public.text", false), ("public.image", "public.jpeg", false),
            ("public.html", "public.text", true), ("org.example.unknown", "public.data", false),
            ("org.example.unknown", "org.example.UNKNOWN", true), ("public.url", "public.data", true),
            ("public.file-url", "public.url", true), ("com.apple.quicktime-movie", "public.movie", true),
            ("com.adobe.pdf", "public.composite-content", true),
        ]
        forEachCase(cases) { (type, other, expected) throws in
            #expect(try Comparison(.utiConformsTo).test(.string(type), .string(other)) == expected)
        }
    }

    @Test func equalIgnoresCase() throws {
        #expect(try Comparison(.utiEquals).test(.string("public.JPEG"), .string("PUBLIC.jpeg")))
        #expect(try !Comparison(.utiEquals).test(.string("public.jpeg"), .string("public.image")))
    }

    @Test func theAppCanExtendTheTable() throws {
        var types = TypeIdentifiers.standard
        types.add("org.example.sketch", conformingTo: ["public.png"])
        types.add("org.example.loop", conformingTo: ["org.example.loop"])
        let conforms = Comparison(
            .utiConformsTo, rules: OperatorRules(in: PredicateEnvironment(typeIdentifiers: types)))
        #expect(try conforms.test(.string("org.example.Sketch"), .string("public.image")))
        #expect(try !conforms.test(.string("org.example.loop"), .string("public.image")))
    }

    /// Every type on the right side is in the table, or has no supertype.
    @Test func everySupertypeIsInTheTable() {
        let roots = ["public.item", "public.content", "public.resolvable"]
        for type in [
            "public.jpeg", "com.apple.rtfd", "public.xhtml", "public.vcard", "public.m3u-playlist", "public.heics",
        ] { #expect(roots.contains { TypeIdentifiers.standard.conforms(type, to: $0) }, "\(type)") }
    }
}
