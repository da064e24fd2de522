// JSON and tagged JSON in memory.

@testable import PredicateRecords
import PredicateTestSupport
import Testing

@Suite struct JSONTests {
    @Test(.cases) func validJSONIsRead() {
        forEachCase(
            [
                ("null", PredicateValue.null), (" true ", .bool(true)), ("false", .bool(false)), ("0", .integer(0)),
                ("-0", .integer(0)), ("-7", .integer(-7)), ("1.0", .double(1)), ("1e2", .double(100)),
                ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
                (
                    "9223372036854775808",
                    .decimal(DecimalNumber(coefficient: UInt(9_223_372_036_854_775_808), exponent: 0))
                ),
                ("-9223372036854775809", .decimal(DecimalNumber(coefficient: WideInteger(Int64.min) - 1, exponent: 0))),
                ("0.1", .double(0.1)), ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)),
                ("5e-324", .double(.leastNonzeroMagnitude)), ("1e-400", .double(0)),
                (
                    "123456789012345678901234567890",
                    .decimal(
                        DecimalNumber(
                            coefficient: WideInteger(high: 6_692_605_942, low: 14_083_847_773_837_265_618), exponent: 0)
                    )
                ),
                ("0.30000000000000004", .double(0.30000000000000004)), ("2.5E+3", .double(2500)),
                ("100e-2", .double(1)),
                ("0.000000000000000000001", .double(1e-21)), ("9007199254740993.0", .double(9_007_199_254_740_992)),
                (#""""#, .string("")), (#""a\n\t\"\\\/\b\f\r""#, .string("a\n\t\"\\/\u{8}\u{C}\r")),
                (#""\u00e9\uD83D\uDE00é😀""#, .string("é😀é😀")), (#""\u0000""#, .string("\0")),
                (
                    "\"a long string of plain text, longer than eight bytes\"",
                    .string("a long string of plain text, longer than eight bytes")
                ),
                ("[]", .array([])), ("[ 1 , [ ] , {} ]", .array([.integer(1), .array([]), record([:])])),
                (#"{"a":1,"b":{"a":2}}"#, record(["a": .integer(1), "b": record(["a": .integer(2)])])),
                (#"{"a":1,"b":2,"a":3}"#, record(["a": .integer(3), "b": .integer(2)])),
                (#"{"\u0061":1,"b":2}"#, record(["a": .integer(1), "b": .integer(2)])), ("\u{FEFF}1", .integer(1)),
            ] as [(String, PredicateValue)]
        ) { text, value in
            #expect(try JSON.parse(text) == value)
            let copy = try JSON.parse(JSON.text(value))
            #expect(copy == value, "the plain text of JSON's own values reads back")
            #expect(try TaggedJSON.decodeValue(JSON.parse(TaggedJSON.text(value))) == value)
        }
    }

    @Test(.cases) func invalidJSONIsRejectedWithItsPosition() {
        let cases: [(String, Int, Int)] = [
            ("", 1, 1), ("  ", 1, 3), ("nul", 1, 1), ("tru\u{65}x", 1, 5), ("01", 1, 1), ("-", 1, 2), ("1.", 1, 3),
            (".5", 1, 1), ("1e", 1, 3), ("1e+", 1, 4), ("+1", 1, 1), ("1 2", 1, 3), ("[1,]", 1, 4), ("[1 2]", 1, 4),
            ("[,1]", 1, 2), ("{,}", 1, 2), (#"{"a":1,}"#, 1, 8), (#"{"a" 1}"#, 1, 6), ("{a:1}", 1, 2),
            (#"{"a":}"#, 1, 6), ("[", 1, 2), ("{", 1, 2), (#"{"a""#, 1, 5), (#"["é", x]"#, 1, 7), ("[1,\n\n  ?]", 3, 3),
            (#""abc"#, 1, 1), (#""\x""#, 1, 3), (#""\u12g4""#, 1, 6), (#""\ud800""#, 1, 2), (#""\udc00""#, 1, 2),
            (#""\ud800\u0041""#, 1, 2), ("\"a\nb\"", 1, 3), ("\"a\tb\"", 1, 3), ("1e400", 1, 1),
            ("-1e999999999999", 1, 1), ("NaN", 1, 1), ("'a'", 1, 1), ("// c\n1", 1, 1), ("\"\\", 1, 3),
            ("\"\\u12", 1, 6), ("\u{0}", 1, 1), ("]", 1, 1), ("[1}", 1, 3),
        ]
        forEachCase(cases) { (text, line, column) throws in
            #expect(throws: JSONProblem.self) { try JSON.parse(text) }
            do throws(JSONProblem) { _ = try JSON.parse(text) } catch {
                #expect(error.line == line && error.column == column, "\(text.debugDescription): \(error)")
                #expect(!error.message.isEmpty)
            }
        }
    }

    @Test(.cases) func notUTF8() {
        let cases: [[UInt8]] = [
            [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xC0, 0x80, 0x22],
            [0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D], [0x22, 0x5C, 0x6E, 0xFF, 0x22],
        ]
        forEachCase(cases) { (bytes) throws in
            let problem = #expect(throws: JSONProblem.self) { try JSON.parse(bytes) }
            #expect(problem?.message == "a byte sequence that is not UTF-8")
            #expect(problem?.offset == bytes.firstIndex { $0 >= 0x80 })
        }
    }

    @Test(.cases) func hostileDepth() {
        forEachCase(["[", "{\"a\":", "[{\"a\":["] as [String]) { (unit) throws in
            let text = String(repeating: unit, count: (1 << 20) / unit.utf8.count)
            let problem = #expect(throws: JSONProblem.self) { try JSON.parse(text) }
            #expect(problem?.message == "nested deeper than 128 levels")
        }
    }

    @Test func depthAtTheLimit() throws {
        let text = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
        #expect(try JSON.text(JSON.parse(text)) == text)
    }

    /// Every prefix of a valid text, and every text with one changed byte, gives an error or a value, but no trap.
    @Test func mutations() {
        let text = Array(#"[{"id":1,"né":"a\u00e9\ud83d\ude00b","x":[-1.5e3,true,null]},{"id":2,"né":"","x":[]}]"#.utf8)
        var accepted = 0
        for end in text.indices where (try? JSON.parse(Array(text[..<end]))) != nil { accepted += 1 }
        #expect(accepted == 0)
        for position in text.indices {
            for byte in [UInt8(0), 0x22, 0x5C, 0x7B, 0x5D, 0x2C, 0x65, 0xFF] {
                var changed = text
                changed[position] = byte
                if let value = try? JSON.parse(changed) { #expect((try? JSON.parse(JSON.text(value))) == value) }
            }
        }
    }

    /// Objects with many keys, and with repeated or escaped keys, do not use the tree of shapes; the result is the
    /// same.
    @Test func manyShapesAreRead() throws {
        let wide = (0..<500).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        guard case .dictionary(let dictionary) = try JSON.parse("{\(wide),\"k7\":-1}") else {
            Issue.record("no dictionary")
            return
        }
        #expect(dictionary.count == 500 && dictionary["k499"] == .integer(499) && dictionary["k7"] == .integer(-1))
        let lines = (0..<6000).map { "{\"a\($0)\":\($0),\"b\":1}" }
        let reading = try read(lines.joined(separator: "\n"), .jsonl)
        #expect(reading.values == (0..<6000).map { record(["a\($0)": .integer(Int64($0)), "b": .integer(1)]) })
    }

    @Test func equalKeysShareAShape() throws {
        let reading = try read(#"{"a":1,"b":2}"# + "\n" + #"{ "a" : 3, "b" : 4 }"#, .jsonl)
        guard case .dictionary(let first) = reading.values[0], case .dictionary(let second) = reading.values[1] else {
            Issue.record("no dictionaries")
            return
        }
        #expect(first.shape === second.shape)
    }

    @Test(.cases) func plainJSONOfEveryValue() {
        let cases: [(PredicateValue, String)] = [
            (PredicateValue.double(.nan), "null"), (.double(-.infinity), "null"), (.double(2), "2.0"),
            (.float(0.1), "0.1"), (.decimal(DecimalNumber(coefficient: 1250, exponent: -2)), "12.5"),
            (.date(0), #""2001-01-01T00:00:00Z""#), (.date(1e300), "1e+300"), (.data([1, 2]), #""AQI=""#),
            (.nsNull, "null"), (.url("http://a/b"), #""http://a/b""#), (.set([.integer(1)]), "[1]"),
            (.type("NSDate"), #""NSDate""#), (.string("\u{1}\u{7F}\"\\"), #""\u0001\u007f\"\\""#),
        ]
        forEachCase(cases) { value, text in
            #expect(JSON.text(value) == text)
        }
    }

    static let exact: [PredicateValue] = [
        .null, .nsNull, .bool(true), .integer(2), .double(2), .double(-0.0), .double(.nan), .double(.infinity),
        .double(-.infinity), .double(1e300), .float(0.1), .float(.infinity), .float(3), .date(1.5), .date(.infinity),
        .date(0), .data([]), .data([0]), .data([1, 2, 255]), .data([1, 2, 3]), .url("a:b"), .type("NSDate"),
        .uuid(UniversalID(high: 1, low: .max)), .set([]), .set([.integer(1), .array([.nsNull])]),
        .decimal(DecimalNumber(coefficient: 1250, exponent: -3)),
        .decimal(DecimalNumber(coefficient: -5, exponent: 80)), record(["a": .date(1), "$b": .nsNull]),
        record(["$date": .integer(1)]), record(["$dictionary": record(["$x": .null])]), record([:]),
        .array([.array([]), .string("$date")]),
    ]

    @Test(.cases) func taggedJSONKeepsEveryValue() {
        forEachCase(Self.exact) { value in
            let copy = try TaggedJSON.decodeValue(JSON.parse(TaggedJSON.text(value)))
            #expect(copy == value)
            #expect(TaggedJSON.text(copy) == TaggedJSON.text(value), "kinds as well as values")
        }
    }

    @Test(.cases) func taggedJSONIsRead() {
        let cases: [(String, TaggedInput)] = [
            (#"{"$expr": "a + 1"}"#, TaggedInput.expression("a + 1")),
            (#"{"$filter": [{"$date": 0}, null]}"#, .filter([.date(0), .null])),
            (#"{"$object_without_key": "k"}"#, .objectWithoutKey("k")),
            (
                #"{"$object": {"a": {"$set": [1, 1]}}, "$variables": {"x": {"$expr": "b"}, "y": 2}}"#,
                .evaluation(
                    object: record(["a": .set([.integer(1)])]),
                    variables: [
                        .init(name: "x", input: .expression("b")), .init(name: "y", input: .value(.integer(2))),
                    ],
                    substitutions: [])
            ),
            (
                #"{"$substitute": {"A": 30}}"#,
                .evaluation(
                    object: .null, variables: [], substitutions: [.init(name: "A", input: .value(.integer(30)))])
            ),
            (#"{"a": {"$null": true}}"#, .value(record(["a": .nsNull]))), ("[1]", .value(.array([.integer(1)]))),
        ]
        forEachCase(cases) { (text, input) throws in
            #expect(try TaggedJSON.decode(JSON.parse(text)) == input)
        }
    }

    @Test(.cases) func invalidTaggedJSONIsRejected() {
        let cases: [String] = [
            #"{"$what": 1}"#, #"{"$date": "x"}"#, #"{"$date": 1, "a": 2}"#, #"[{"$expr": "a"}]"#, #"{"$set": 1}"#,
            #"{"$uuid": "1"}"#, #"{"$data": "A"}"#, #"{"$decimal": "x"}"#, #"{"$null": false}"#, #"{"$variables": []}"#,
            #"{"$filter": 1}"#, #"{"$object": 1, "x": 2}"#, #"{"$double": "x"}"#,
            #"{"$variables": {"x": {"$filter": []}}}"#,
        ]
        forEachCase(cases) { text in
            let json = try JSON.parse(text)
            let problem = #expect(throws: TaggedValueProblem.self) { try TaggedJSON.decode(json) }
            #expect(problem?.message.contains("$") == true)
        }
    }
}
