// Every function and method of the catalogue, CAST, and dates.
import PredicateTestSupport
import Testing

private func decimal(_ text: String) -> PredicateValue { DecimalNumber(text).map(PredicateValue.decimal) ?? .null }
private func ints(_ values: Int64...) -> PredicateValue { .array(values.map(PredicateValue.integer)) }

private func call(_ name: String, _ arguments: [PredicateValue], seed: UInt64? = nil) throws(EvaluationFault)
    -> PredicateValue
{
    var context = FunctionContext(clock: { 700_000_000 }, seed: seed)
    let catalog = FunctionCatalog.standard
    guard let function = catalog.function(named: name) ?? catalog.method(named: name) else {
        throw EvaluationFault(.unknownFunction, name)
    }
    return try function.call(arguments, &context)
}

private func close(_ a: PredicateValue, _ b: PredicateValue) -> Bool {
    if a == b { return true }
    guard let x = a.doubleValue, let y = b.doubleValue else { return false }
    return abs(x - y) <= 1e-12 * max(abs(x), abs(y))
}

struct FunctionTable {
    static let rows: [(String, [PredicateValue], PredicateValue)] = [
        ("sum:", [ints(1, 2, 2, 3, 4, 7, 9)], .integer(28)), ("sum:", [.array([])], .integer(0)),
        ("sum:", [.array([.integer(1), .null, .double(0.5)])], .double(1.5)),
        ("sum:", [.set([.integer(1), .integer(2)])], .integer(3)), ("sum:", [.null], .null),
        ("sum:", [.array([decimal("0.1"), .integer(1)])], decimal("1.1")),
        ("sum:", [.dictionary(ValueDictionary([("a", .integer(4))]))], .integer(4)),
        ("count:", [ints(1, 2, 2, 3, 4, 7, 9)], .integer(7)), ("count:", [.array([.null, .nsNull])], .integer(2)),
        ("count:", [.null], .null), ("min:", [ints(4, 1, 9)], .integer(1)), ("max:", [ints(4, 1, 9)], .integer(9)),
        ("min:", [.array([])], .null), ("max:", [.array([.null, .nsNull])], .null),
        ("max:", [.array([.string("a"), .null, .string("b")])], .string("b")),
        ("min:", [.array([.date(5), .date(2)])], .date(2)),
        ("min:", [.array([.double(.nan), .integer(2), .double(.nan), .integer(1)])], .integer(1)),
        ("average:", [ints(1, 2, 2, 3, 4, 7, 9)], .double(4)), ("average:", [.array([])], .null),
        ("average:", [.array([.integer(4), .null])], .double(2)),
        ("average:", [.array([decimal("0.1"), decimal("0.2")])], decimal("0.15")),
        ("median:", [ints(3, 1, 2)], .integer(2)), ("median:", [ints(4, 1, 2, 3)], .double(2.5)),
        ("median:", [.array([])], .null), ("mode:", [ints(1, 2, 3, 3)], ints(3)),
        ("mode:", [ints(2, 1, 2, 1, 3)], ints(2, 1)), ("mode:", [.array([])], .array([])),
        ("stddev:", [ints(1, 2, 3)], .double(0.816496580927726)), ("stddev:", [.array([])], .null),
        ("stddev:", [ints(7)], .double(0)),
        (
            "distinct:", [.array([.integer(1), .double(1), .string("a"), .string("a")])],
            .array([.integer(1), .string("a")])
        ),
        ("distinct:", [.set([.integer(1)])], .set([.integer(1)])),
        ("add:to:", [.integer(1), .integer(1)], .integer(2)),
        ("from:subtract:", [.integer(3), .integer(1)], .integer(2)),
        ("multiply:by:", [.integer(2), .integer(6)], .integer(12)),
        ("divide:by:", [.integer(7), .integer(2)], .integer(3)),
        ("raise:toPower:", [.integer(4), .integer(3)], .double(64)),
        ("modulus:by:", [.integer(7), .integer(2)], .integer(1)),
        ("modulus:by:", [.integer(-7), .integer(2)], .integer(-1)),
        ("modulus:by:", [.integer(.min), .integer(-1)], .integer(0)),
        ("modulus:by:", [.double(7), .integer(2)], .integer(1)), ("modulus:by:", [.null, .integer(2)], .null),
        ("abs:", [.integer(-7)], .integer(7)), ("abs:", [.double(-1.5)], .double(1.5)),
        ("abs:", [decimal("-1.5")], decimal("1.5")), ("abs:", [.bool(true)], .integer(1)),
        ("sqrt:", [.integer(9)], .double(3)), ("exp:", [.integer(4)], .double(54.598150033144236)),
        ("ln:", [.integer(9)], .double(2.1972245773362196)), ("log:", [.integer(9)], .double(0.9542425094393249)),
        ("floor:", [.double(-1.5)], .double(-2)), ("ceiling:", [.double(-1.5)], .double(-1)),
        ("trunc:", [.double(-1.5)], .double(-1)), ("trunc:", [.double(3.3)], .double(3)),
        ("floor:", [.integer(-2)], .integer(-2)), ("ceiling:", [decimal("1.2")], decimal("2")),
        ("floor:", [.null], .null), ("bitwiseAnd:with:", [.integer(4), .integer(12)], .integer(4)),
        ("bitwiseOr:with:", [.integer(4), .integer(8)], .integer(12)),
        ("bitwiseXor:with:", [.integer(6), .integer(3)], .integer(5)),
        ("leftshift:by:", [.integer(2), .integer(3)], .integer(16)),
        ("rightshift:by:", [.integer(4096), .integer(1)], .integer(2048)),
        ("onesComplement:", [.integer(8)], .integer(-9)), ("uppercase:", [.string("foo")], .string("FOO")),
        ("lowercase:", [.string("FOO")], .string("foo")), ("uppercase:", [.null], .null),
        ("length:", [.string("a😀")], .integer(3)), ("noindex:", [.integer(513)], .integer(513)),
        ("noindex:", [.null], .null), ("now", [], .date(700_000_000)),
        ("objectFrom:withIndex:", [ints(5, 6), .integer(1)], .integer(6)),
        ("castObject:toType:", [.string("02134"), .string("NSNumber")], .integer(1116)),
        ("uppercaseString", [.string("a")], .string("A")), ("lowercaseString", [.string("A")], .string("a")),
        ("length", [.string("abc")], .integer(3)),
        ("stringByAppendingString:", [.string("Old"), .string("MacDonald")], .string("OldMacDonald")),
        (
            "stringByReplacingOccurrencesOfString:withString:", [.string("toto"), .string("o"), .string("a")],
            .string("tata")
        ),
        (
            "stringByReplacingOccurrencesOfString:withString:", [.string("aaa"), .string("aa"), .string("b")],
            .string("ba")
        ),
        (
            "stringByReplacingOccurrencesOfString:withString:", [.string("abc"), .string(""), .string("x")],
            .string("abc")
        ),
        ("hasPrefix:", [.string("abc"), .string("ab")], .bool(true)),
        ("hasSuffix:", [.string("abc"), .string("ab")], .bool(false)),
        ("containsString:", [.string("abc"), .string("b")], .bool(true)), ("self", [.integer(1)], .integer(1)),
        ("description", [.double(1.5)], .string("1.5")), ("description", [.string("Do")], .string("Do")),
        ("stringValue", [.integer(7)], .string("7")), ("intValue", [.double(-1.9)], .integer(-1)),
        ("integerValue", [.string("12")], .integer(12)), ("longLongValue", [.string("x")], .integer(0)),
        ("doubleValue", [.string("1.5")], .double(1.5)), ("floatValue", [.integer(2)], .float(2)),
        ("boolValue", [.integer(2)], .bool(true)), ("doubleValue", [.string(" -1.5e1x")], .double(-15)),
        ("doubleValue", [.string("2.e3")], .double(2)), ("doubleValue", [.string(".5")], .double(0.5)),
        ("doubleValue", [.string("1e+")], .double(1)), ("doubleValue", [.string("-.")], .double(0)),
        ("doubleValue", [.string("inf")], .double(0)),
        ("integerValue", [.string("9007199254740993 of them")], .integer(9_007_199_254_740_993)),
        ("integerValue", [.string("-3.9")], .integer(-3)), ("intValue", [.string("0x10")], .integer(0)),
        ("boolValue", [.string(" Yes")], .bool(true)), ("boolValue", [.string("-003")], .bool(true)),
        ("boolValue", [.string("00")], .bool(false)), ("boolValue", [.string("no")], .bool(false)),
        ("timeIntervalSinceReferenceDate", [.date(5)], .double(5)),
        ("timeIntervalSince1970", [.date(5)], .double(978_307_205)),
        ("lastPathComponent", [.string("a/b.c")], .string("b.c")), ("pathExtension", [.string("a/b.c")], .string("c")),
        ("stringByDeletingLastPathComponent", [.string("a/b.c")], .string("a")),
        ("stringByDeletingPathExtension", [.string("a/b.c")], .string("a/b")),
        ("absoluteString", [.url("s://h/p")], .string("s://h/p")), ("scheme", [.url("s://h/p")], .string("s")),
        ("host", [.url("s://h/p")], .string("h")), ("path", [.url("s://h/p")], .string("/p")),
        ("query", [.url("s://h?q")], .string("q")), ("fragment", [.url("s://h#f")], .string("f")),
        ("fragment", [.url("s://h")], .null),
    ]

    @Test(.cases) func functionsHaveTheirResult() {
        forEachCase(Self.rows.indices) { index in
            let (name, arguments, expected) = Self.rows[index]
            let result = try call(name, arguments)
            #expect(close(result, expected), "\(name) \(arguments): \(result)")
        }
    }

    /// Every function of the catalogue has a row.
    @Test func everyFunctionHasARow() {
        let tested = Set(Self.rows.map(\.0) + ["random", "randomn:", "distanceToLocation:fromLocation:"])
        let catalog = FunctionCatalog.standard
        #expect(
            catalog.functionNames + catalog.methodNames
                == (catalog.functionNames + catalog.methodNames).filter(tested.contains))
    }

    @Test(.cases) func invalidArgumentsThrow() {
        let cases: [(String, [PredicateValue], String)] = [
            ("sum:", [PredicateValue.integer(1)], "sum needs a collection, not an integer"),
            ("sum:", [.array([.string("a")])], "sum cannot take a text"),
            ("sum:", [ints(.max, 1)], "the result of sum does not fit in 64 bits"),
            ("average:", [.array([.string("a")])], "average cannot take a text"),
            ("median:", [.array([.date(0)])], "median cannot take a date"),
            ("max:", [.array([.integer(1), .string("a")])], "max cannot take a text and an integer"),
            ("max:", [.array([.array([])])], "max cannot take an array and an array"),
            ("abs:", [.integer(.min)], "the result of abs does not fit in 64 bits"),
            ("sqrt:", [.string("9")], "sqrt cannot take a text"),
            ("modulus:by:", [.integer(1), .integer(0)], "division by zero"),
            ("modulus:by:", [.double(1.5), .integer(1)], "modulus:by: cannot take a double"),
            ("uppercase:", [.integer(1)], "uppercase needs texts, not an integer"),
            ("randomn:", [.integer(0)], "randomn cannot take a bound below 1"),
            ("sum:", [.integer(1), .integer(1)], "'sum' takes one argument, not 2"),
            ("now", [.null], "'now' takes no arguments, not 1"),
            ("intValue", [.double(1e30)], "the result of intValue does not fit in 64 bits"),
            ("intValue", [.double(.nan)], "the result of intValue does not fit in 64 bits"),
            ("objectFrom:withIndex:", [ints(1), .integer(1)], "index 1 is out of range for 1 elements"),
            ("objectFrom:withIndex:", [ints(1), .integer(-1)], "index -1 is out of range for 1 elements"),
            ("objectFrom:withIndex:", [.integer(1), .integer(0)], "an index needs a collection, not an integer"),
            (
                "objectFrom:withIndex:", [.set([.integer(1)]), .integer(0)],
                "an index cannot take a set, which has no order"
            ),
            (
                "distanceToLocation:fromLocation:", [.integer(1), .integer(0)],
                "distanceToLocation:fromLocation: cannot take an integer"
            ),
        ]
        forEachCase(cases) { (name, arguments, message) throws in
            let fault = #expect(throws: EvaluationFault.self) { try call(name, arguments) }
            #expect(fault?.diagnostic.message == message)
        }
    }

    @Test func volatileFunctions() throws {
        let catalog = FunctionCatalog.standard
        #expect(catalog.functions.filter(\.isVolatile).map(\.name) == ["now", "random", "randomn:"])
        let first = try call("random", [], seed: 6)
        #expect(try call("random", [], seed: 6) == first)
        #expect(try call("random", [], seed: 7) != first)
        for seed in 0..<200 as Range<UInt64> {
            let number = try #require(try call("random", [], seed: seed).doubleValue)
            #expect(number >= 0 && number < 1)
            let integer = try #require(try call("randomn:", [.integer(3)], seed: seed).exactInteger)
            #expect((0..<3).contains(integer))
        }
        // SplitMix64 from state 0, as published by its authors.
        var context = FunctionContext(clock: { 0 }, seed: 0)
        #expect([context.random(), context.random()] == [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4])
    }

    @Test func oneEvaluationHasOneInstant() {
        nonisolated(unsafe) var ticks = 0.0
        var context = FunctionContext(clock: {
            ticks += 1
            return ticks
        })
        #expect([context.now(), context.now()] == [1, 1])
    }

    @Test func distanceIsInMetres() throws {
        func place(_ latitude: Double, _ longitude: Double) -> PredicateValue {
            .dictionary(ValueDictionary([("latitude", .double(latitude)), ("longitude", .double(longitude))]))
        }
        let berlin = place(52.52, 13.405)
        let paris = place(48.8566, 2.3522)
        let metres = try #require(try call("distanceToLocation:fromLocation:", [berlin, paris]).doubleValue)
        #expect(abs(metres - 877_460) < 500)
        #expect(try call("distanceToLocation:fromLocation:", [paris, paris]) == .double(0))
    }

    @Test func functionsOfTheAppAreCalled() throws {
        var catalog = FunctionCatalog.standard
        catalog.add(
            PredicateFunction("twice:", arity: 1, signature: "twice:(n)", summary: "2n") {
                (arguments, context) throws(EvaluationFault) in
                try context.rules.apply(.add, arguments[0], arguments[0])
            })
        var context = FunctionContext(clock: { 0 })
        #expect(try catalog.function(named: "twice:")?.call([.integer(4)], &context) == .integer(8))
        #expect(try catalog.function(named: "twice:")?.call([.null], &context) == .null)
        #expect(FunctionCatalog.standard.function(named: "twice:") == nil)
    }
}

struct ConversionTests {
    @Test(.cases) func castsHaveTheirResult() {
        let cases: [(PredicateValue, String, PredicateValue)] = [
            (PredicateValue.string("02134"), "NSNumber", PredicateValue.integer(1116)),
            (.string("0x1F"), "NSNumber", .integer(31)), (.string("-12"), "NSNumber", .integer(-12)),
            (.string(" 7 "), "NSNumber", .integer(7)), (.string("0"), "NSNumber", .integer(0)),
            (.string("1.5"), "NSNumber", decimal("1.5")), (.string("-0.5"), "NSNumber", decimal("-0.5")),
            (.string("99999999999999999999"), "NSNumber", decimal("99999999999999999999")),
            (.string("-9223372036854775808"), "NSNumber", .integer(.min)), (.date(5.5), "NSNumber", .double(5.5)),
            (.bool(true), "NSNumber", .bool(true)), (.double(1.5), "NSString", .string("1.5")),
            (.double(5), "NSString", .string("5")), (.bool(true), "NSString", .string("1")),
            (.integer(-3), "NSString", .string("-3")), (.string("x"), "NSString", .string("x")),
            (.float(55.8), "NSString", .string("55.8")), (.double(0), "NSDate", .date(0)),
            (.integer(3600), "NSDate", .date(3600)), (.date(1), "NSDate", .date(1)),
            (.string("2001-01-01T00:00:01Z"), "NSDate", .date(1)), (.double(0.1), "NSDecimalNumber", decimal("0.1")),
            (.string("12.50"), "NSDecimalNumber", decimal("12.5")), (.integer(4), "NSDecimalNumber", decimal("4")),
            (.null, "NSNumber", .null), (.nsNull, "NSDate", .null),
        ]
        forEachCase(cases) { (value, type, expected) throws in
            #expect(try Conversions.cast(value, to: type) == expected)
        }
    }

    @Test(.cases) func invalidCastsThrow() {
        let cases: [(PredicateValue, String, String)] = [
            (PredicateValue.string("abc"), "NSNumber", "the text 'abc' cannot be converted to NSNumber"),
            (.string(""), "NSNumber", "the text '' cannot be converted to NSNumber"),
            (.string("089"), "NSNumber", "the text '089' cannot be converted to NSNumber"),
            (.string("0x"), "NSNumber", "the text '0x' cannot be converted to NSNumber"),
            (.string("--1"), "NSNumber", "the text '--1' cannot be converted to NSNumber"),
            (.array([]), "NSString", "an array cannot be converted to NSString"),
            (.string("yesterday"), "NSDate", "the text 'yesterday' cannot be converted to NSDate"),
            (.double(.nan), "NSDecimalNumber", "a double cannot be converted to NSDecimalNumber"),
            (.integer(1), "Class", "CAST to 'Class' is refused"),
            (.null, "UIColor", "CAST to 'UIColor' is refused"),
        ]
        forEachCase(cases) { (value, type, message) throws in
            let fault = #expect(throws: EvaluationFault.self) { try Conversions.cast(value, to: type) }
            #expect(fault?.diagnostic.message == message)
            #expect(fault?.diagnostic.severity == .error)
        }
    }
}
