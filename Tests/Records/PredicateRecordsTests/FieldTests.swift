// Field types, dates, field paths and the order of values.

import Foundation
import PredicateRecords
import PredicateTestSupport
import Testing

@Suite struct FieldTests {
    @Test(.cases) func isoDatesAreRead() {
        let cases: [(String, Double)] = [
            ("2001-01-01", 0), ("2001-01-01T00:00:00Z", 0), ("2001-01-02", 86_400), ("2000-12-31T23:59:59Z", -1),
            ("2001-01-01T02:00+02:00", 0), ("2001-01-01T02:00:00.25+0200", 0.25), ("2000-12-31 19:30:00-04:30", 0),
            ("2024-02-29", 730_857_600), ("1970-01-01", -978_307_200), ("0001-01-01", -63_113_904_000),
            ("2016-12-31T23:59:60Z", 504_921_600), ("2001-01-01t00:00:01z", 1), ("2001-01-01T01:00:00+01", 0),
            ("9999-12-31T23:59:59Z", 252_423_993_599), ("2024-02-29T12:30:00.5+01:00", 730_899_000.5),
            ("2001-01-01T00:00:00-0130", 5_400), ("2001-01-01 00:01", 60), ("2001-01-01t00:00:00,25z", 0.25),
            ("2001-01-01 00:00:00 +0000", 0),
        ]
        forEachCase(cases) { text, seconds in
            #expect(CalendarDate.seconds(iso8601: text) == seconds)
            #expect(CalendarDate.iso8601(seconds).flatMap(CalendarDate.seconds(iso8601:)) == seconds)
        }
    }

    @Test(.cases) func otherTextsAreNotDates() {
        let cases: [String] = [
            "", "2001", "2001-1-1", "2001-02-29", "1900-02-29", "2001-13-01", "2001-00-01", "2001-01-00", "2001-04-31",
            "2001-01-01T", "2001-01-01T24:00", "2001-01-01T00:60", "2001-01-01T00:00:61", "2001-01-01T00:00:00.Z",
            "2001-01-01T00:00:00+", "2001-01-01T00:00:00+2:00", "2001-01-01T00:00:00Zx", "01/02/2001", "2001-01-01 ",
            "2001-01-01 00:00:00 ", "2001-01-32", "2001-01-01T0000", "2001-01-01T00:00:00+1", "２００１-01-01",
        ]
        forEachCase(cases) { text in #expect(CalendarDate.seconds(iso8601: text) == nil) }
    }

    @Test func datesAgreeWithFoundation() throws {
        let formatter = ISO8601DateFormatter()
        var generator = SplitMix(7)
        for _ in 0..<TestDepth.count(2000) {
            let seconds = Double(Int64.random(in: -13_000_000_000...200_000_000_000, using: &generator))
            let text = try #require(CalendarDate.iso8601(seconds))
            #expect(text == formatter.string(from: Date(timeIntervalSinceReferenceDate: seconds)))
            #expect(CalendarDate.seconds(iso8601: text) == seconds)
        }
        #expect(
            CalendarDate.iso8601(0.123456) == "2001-01-01T00:00:00.123456Z"
                && CalendarDate.iso8601(-0.5) == "2000-12-31T23:59:59.5Z")
        #expect(CalendarDate.iso8601(0.9999999) == "2001-01-01T00:00:01Z")
        for seconds in [.nan, .infinity, 1e11 * 4] { #expect(CalendarDate.iso8601(seconds) == nil) }
    }

    static let decimal = PredicateValue.decimal(DecimalNumber(coefficient: 199, exponent: -1))

    @Test(.cases) func fieldsAreConverted() {
        let cases: [(String, String, PredicateValue)] = [
            ("date", #""2001-01-02""#, PredicateValue.date(86_400)), ("2001", "1.5", .date(1.5)),
            ("unix", "978307201", .date(1)), ("date:unix-ms", "978307200500", .date(0.5)),
            ("dd.MM.yyyy", #""02.01.2001""#, .date(86_400)), ("%d/%m/%y", #""02/01/01""#, .date(86_400)),
            ("%m/%d/%Y %I:%M %p", #""1/2/2001 12:00 AM""#, .date(86_400)),
            ("%m/%d/%Y", #""01/02/2001""#, .date(86_400)), ("%Y%m%d", #""20010102""#, .date(86_400)),
            ("%FT%T", #""2001-01-02T00:00:00""#, .date(86_400)), ("%D %R", #""1/2/01 0:00""#, .date(86_400)),
            ("MMM d yyyy h.mm a Z", #""Jan 2 2001 1.00 AM +01:00""#, .date(86_400)), ("date", "null", .null),
            ("integer", #""12""#, .integer(12)), ("integer", "3.0", .integer(3)), ("double", "3", .double(3)),
            ("double", #""1e3""#, .double(1000)), ("decimal", "19.9", Self.decimal),
            ("decimal", #""19.90""#, Self.decimal), ("string", "12", .string("12")),
            ("string", "true", .string("true")), ("boolean", #""yes""#, .bool(true)), ("boolean", "0", .bool(false)),
            ("boolean", #""False""#, .bool(false)), ("data", #""AQI=""#, .data([1, 2])),
            ("url", #""https://a.b""#, .url("https://a.b")),
            ("uuid", #""00000000-0000-0001-0000-000000000002""#, .uuid(UniversalID(high: 1, low: 2))),
            ("integer", #"["1", null]"#, .array([.integer(1), .null])),
        ]
        forEachCase(cases) { type, json, value in
            let reading = try read("{\"x\":\(json),\"y\":0}", .jsonl, types: "x=\(type),absent=date")
            #expect(reading.values == [record(["x": value, "y": .integer(0)])])
        }
    }

    @Test(.cases) func invalidFieldsAreProblems() {
        let cases: [(String, String, String)] = [
            ("date", #""soon""#, "the field 'x' is not a date: \"soon\""),
            ("integer", "1.5", "the field 'x' is not an integer: 1.5"),
            ("double", #""inf""#, "the field 'x' is not a double: \"inf\""),
            ("boolean", "2", "the field 'x' is not a boolean: 2"),
            ("uuid", #""x""#, "the field 'x' is not a uuid: \"x\""),
            ("data", #""?""#, "the field 'x' is not a data: \"?\""),
            ("decimal", "{}", "the field 'x' is not a decimal: {}"),
            ("string", "{}", "the field 'x' is not a string: {}"),
        ]
        forEachCase(cases) { type, json, message in
            let reading = try read("{\"x\":\(json)}\n{\"x\":null}", .jsonl, types: "x=\(type)")
            #expect(reading.problems == ["1:1 \(message)"])
            #expect(reading.values.count == 1)
        }
    }

    @Test func nestedFieldsAreConverted() throws {
        let text = #"{"a":{"when":"2001-01-01"},"l":[{"when":"2001-01-02"},{}],"a.b":"1"}"#
        let reading = try read(text, .jsonl, types: "a.when=date,l.when=date,a.b=integer")
        #expect(
            reading.values == [
                record([
                    "a": record(["when": .date(0)]), "l": .array([record(["when": .date(86_400)]), record([:])]),
                    "a.b": .integer(1),
                ])
            ])
    }

    /// In CSV, a type converts the original text, so that no digit is lost by first reading a number.
    @Test func csvFieldsAreConvertedFromText() throws {
        let text = "zip,price,when,flag\n1.50,19.90,2001-01-02,1\n007,,,\n1,2,x,0\n"
        let reading = try read(text, .csv, types: "zip=string,price=decimal,when=date,flag=boolean")
        #expect(
            reading.values == [
                record(["zip": .string("1.50"), "price": Self.decimal, "when": .date(86_400), "flag": .bool(true)]),
                record(["zip": .string("007"), "price": .null, "when": .null, "flag": .null]),
            ])
        #expect(
            reading.problems == ["4:5 the field 'when' is not a date: \"x\"; if it stands for nothing, add --null 'x'"])
    }

    @Test(.cases) func invalidTypeListsThrow() {
        forEachCase(["x", "x=", "=date", "x=Date", "x=date,", "a..b=date", "x=date=date"] as [String]) {
            invalidTypeListsThrow(text: $0)
        }
    }

    private func invalidTypeListsThrow(text: String) { #expect(throws: FieldTypeProblem.self) { try FieldTypes(text) } }

    @Test func fieldPathsHaveTheirValue() throws {
        let value = try JSON.parse(#"{"a":{"b":[{"c":1},{"c":2},{}]},"x.y":3}"#)
        let found = try #require(FieldPath.list("a.b.c,x.y,a.z,a.b.c.d"))
        #expect(found.map { JSON.text($0.value(in: value)) } == ["[1,2,null]", "3", "null", "[null,null,null]"])
        #expect(FieldPath.list("a,,b") == nil && FieldPath.list("a.") == nil && FieldPath.list("") == nil)
    }

    /// In ascending order. A nested list has values of equal order.
    static let ordered: [[PredicateValue]] = [
        [.null, .nsNull], [.double(.nan), .double(-.nan)], [.double(-.infinity)],
        [.integer(.min), .double(-9_223_372_036_854_775_808)], [.integer(-1)],
        [.bool(false), .integer(0), .double(0), .double(-0.0)],
        [.float(0.5), .decimal(DecimalNumber(coefficient: 5, exponent: -1))],
        [.bool(true), .integer(1), .decimal(DecimalNumber(1))],
        [.integer(9_007_199_254_740_992), .double(9_007_199_254_740_992)],
        [.integer(9_007_199_254_740_993), .decimal(DecimalNumber(9_007_199_254_740_993))], [.integer(.max)],
        [.double(9_223_372_036_854_775_808)], [.double(.infinity)], [.string("")], [.string("B")], [.string("a")],
        [.string("é")], [.string("\u{FFFD}")], [.string("😀")], [.date(-1)], [.date(2)], [.array([])],
        [.array([.integer(1)])], [.array([.integer(1), .null])], [.array([.integer(2)])],
    ]

    @Test func everyValueHasItsPlaceInTheOrder() {
        for (i, left) in Self.ordered.enumerated() {
            for (j, right) in Self.ordered.enumerated() {
                for a in left {
                    for b in right { #expect(ValueOrder.compare(a, b).signum() == (i - j).signum(), "\(a) and \(b)") }
                }
            }
        }
    }

    @Test func sortingIsStableAndLimited() throws {
        let text = (0..<5000).map { "{\"n\":\($0 * 7919 % 100),\"id\":\($0)}" }.joined(separator: "\n")
        let file = TemporaryFile(Array(text.utf8), extension: "jsonl")
        func sorted(_ keys: String, limit: Int?) throws -> [Int] {
            let reader = try RecordReader(path: file.path)
            let keys = try #require(PredicateSortKey.list(keys))
            var sorter = Sorter<Record>(keys: keys, limit: limit)
            while case .record(let record)? = reader.next() {
                sorter.add(record, fields: keys.map { FieldPath($0.path).value(in: record.value) })
            }
            return sorter.finish().map(\.index)
        }
        let expected = (0..<5000).sorted { left, right in
            let (a, b) = (left * 7919 % 100, right * 7919 % 100)
            return a == b ? left < right : a > b
        }
        #expect(try sorted("-n", limit: nil) == expected)
        #expect(try sorted("-n", limit: 30) == Array(expected.prefix(30)))
        #expect(try sorted("-n,-id", limit: 0).isEmpty)
        #expect(try sorted("n,-id", limit: .max).first == 4900)
        #expect(PredicateSortKey.list("a,-b.c")?.map(\.isDescending) == [false, true])
        for text in ["name[l]", "-name[cdl]:nils-first", "name[n]"] {
            #expect(PredicateSortKey.list(text).map { $0.map(\.description) } == [text])
        }
        #expect(PredicateSortKey.list("tags[0],x[q]")?.map(\.path) == ["tags[0]", "x[q]"])
        #expect(PredicateSortKey.list("") == nil && PredicateSortKey.list("a,-") == nil)
    }

    /// The sample files have the same rows in both formats, with the types of the demonstration.
    @Test(.cases) func samples() {
        let cases: [(String, Int, String)] = [
            ("todo", 24, "dueDate=date,lastAlert=date"), ("books", 40, "year=integer,price=decimal"),
        ]
        forEachCase(cases) { name, count, types in
            let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
            let folder = root.standardized.appendingPathComponent("Sources/Tool/PredicateCheckCommands/Examples").path
            func rows(_ path: String) throws -> [PredicateValue] {
                var options = ReaderOptions()
                options.types = try FieldTypes(types)
                let bytes = try #require(FileManager.default.contents(atPath: "\(folder)/\(path)"))
                #expect(bytes.count < 20_000)
                options.format = RecordFormat(path: path)
                let reading = try read(Array(bytes), options)
                #expect(reading.problems.isEmpty)
                return reading.values
            }
            let fromJSON = try rows("\(name).json")
            #expect(fromJSON.count == count)
            let joined = fromJSON.map { row -> PredicateValue in
                guard case .dictionary(let dictionary) = row else { return row }
                return .dictionary(
                    ValueDictionary(
                        shape: dictionary.shape,
                        values: dictionary.values.map { value in
                            guard case .array(let tags) = value else { return value }
                            return .string(
                                tags.compactMap { if case .string(let tag) = $0 { tag } else { nil } }.joined(
                                    separator: "; "))
                        }))
            }
            #expect(try rows("\(name).csv") == joined)
        }
    }
}
