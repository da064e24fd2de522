// The extension `typed-texts` for published types: which texts are read, whole days with every operator, quantifiers,
// and the errors of texts that cannot be read.
import Foundation
import Predicates
import Testing

@Suite struct TypedTextTests {
    private struct Item: Queryable {
        var due: Date?
        var id = UUID()
        var link = URL(fileURLWithPath: "/")
        var count = 0
        var price = Decimal(0)
        var name = ""
        var days: [Date] = []
        var loose: PredicateValue = .string("2024-05-01")
        static let keys: KeyTable<Item> = [
            .key("due", \.due), .key("id", \.id), .key("link", \.link), .key("count", \.count), .key("price", \.price),
            .key("name", \.name), .key("days", \.days), .key("loose", \.loose),
        ]
    }

    /// Two hours east of UTC: 2024-05-01 begins at 22:00 UTC on 30 April.
    private static let environment = PredicateEnvironment(
        language: [.dates, .typedTexts], timeZone: PredicateTimeZone(secondsFromUTC: 7_200))

    private static func instant(_ text: String) throws -> Double { try #require(CalendarDate.seconds(iso8601: text)) }

    private static func compiled(_ text: String, _ arguments: [PredicateValue] = []) throws -> PredicateMatcher<Item> {
        try FormatPredicate(text, arguments: arguments, in: environment).compiled(for: Item.self)
    }

    /// The names of the instants that match: just before and at the beginning of the day, at its end, and no date.
    private static func matches(_ text: String, _ arguments: [PredicateValue] = []) throws -> String {
        let start = try instant("2024-04-30T22:00:00Z")
        let matcher = try compiled(text, arguments)
        let items: [(String, Double?)] = [
            ("before", start - 0.001), ("first", start), ("noon", start + 43_200), ("last", start + 86_399.999),
            ("after", start + 86_400), ("nil", nil),
        ]
        return items.filter { matcher.matches(Item(due: $0.1.map(Date.init(timeIntervalSinceReferenceDate:)))) }
            .map { $0.0 }.joined(separator: " ")
    }

    @Test(arguments: [
        ("due == '2024-05-01'", "first noon last"), ("due != '2024-05-01'", "before after nil"),
        ("due < '2024-05-01'", "before"), ("due <= '2024-05-01'", "before first noon last"),
        ("due > '2024-05-01'", "after"), ("due >= '2024-05-01'", "first noon last after"),
        ("'2024-05-01' == due", "first noon last"), ("'2024-05-01' < due", "after"),
        ("'2024-05-01' >= due", "before first noon last"), ("NOT due == '2024-05-01'", "before after nil"),
        ("due BETWEEN {'2024-05-01', '2024-05-01'}", "first noon last"),
        ("due BETWEEN {'2024-05-01', '2024-05-02T00:00'}", "first noon last after"),
        ("due IN {'2024-05-01', '2020-01-01'}", "first noon last"),
        ("due IN {'2024-05-01T12:00', '2024-05-02'}", "noon after"), ("due == '2024-05-01T10:00:00Z'", "noon"),
        ("due == '2024-05-01 12:00'", "noon"), ("due > '2024-05-01T14:00:00+04:00'", "last after"),
        ("due + days(1) == '2024-05-02'", "first noon last"), ("due - 0 == '2024-05-01'", "first noon last"),
        ("(due == '2024-05-01') AND TERNARY(due > '2024-05-01', 1, 2) == '2'", "first noon last"),
    ])
    func days(text: String, expected: String) throws { #expect(try Self.matches(text) == expected, "\(text)") }

    @Test func arguments() throws {
        #expect(try Self.matches("due == %@", ["2024-05-01"]) == "first noon last")
        #expect(try Self.matches("due IN %@", [.array(["2024-05-01", .null])]) == "first noon last")
        let matcher = try FormatPredicate("due >= $day", in: Self.environment)
            .compiled(for: Item.self, variables: ["day": "2024-05-01"])
        #expect(matcher.matches(Item(due: .distantFuture)) && !matcher.matches(Item(due: .distantPast)))
    }

    @Test func quantifiers() throws {
        let start = try Self.instant("2024-04-30T22:00:00Z")
        let inside = Date(timeIntervalSinceReferenceDate: start)
        let outside = Date(timeIntervalSinceReferenceDate: start - 1)
        let lists = ["": [], "i": [inside], "o": [outside], "io": [inside, outside]]
        for (text, expected) in [
            ("ANY days == '2024-05-01'", "i io"), ("ALL days == '2024-05-01'", " i"),
            ("ANY days != '2024-05-01'", "io o"), ("ALL days != '2024-05-01'", " o"),
            ("NONE days == '2024-05-01'", " o"), ("ANY days < '2024-05-01'", "io o"),
            ("ANY days IN {'2024-05-01', '2024-04-30T23:59:59+02:00'}", "i io o"), ("ALL days IN {'2024-05-01'}", " i"),
            ("ALL days IN {'2024-05-01', '2020-01-01'}", " i"), ("ALL days IN {'2024-05-01', '2024-04-30'}", " i io o"),
            ("ALL days IN {'2024-05-01', '2024-04-30T23:59:59+02:00'}", " i io o"),
            ("NOT ALL days IN {'2024-05-01', '2020-01-01'}", "io o"),
            ("NONE days IN {'2024-05-01', '2020-01-01'}", " o"),
        ] {
            let matcher = try Self.compiled(text)
            let found = lists.filter { matcher.matches(Item(days: $0.value)) }.keys.sorted().joined(separator: " ")
            #expect(found == expected, "\(text)")
        }
    }

    @Test func otherTypes() throws {
        let id = UUID()
        let item = Item(id: id, link: try #require(URL(string: "https://a.b/c")), count: -5, price: 12.5, name: "7")
        for (text, expected) in [
            ("id == '\(id.uuidString.lowercased())'", true), ("id IN {'\(id)'}", true),
            ("link == 'https://a.b/c'", true), ("count == '-5'", true), ("count < '1e2'", true),
            ("count BETWEEN {'-6', 0}", true), ("price == '12.50'", true), ("price < '12.5'", false),
            ("name == '7'", true), ("loose == '2024-05-01'", true), ("name < '8'", true),
        ] {
            #expect(try Self.compiled(text).test(item) == expected, "\(text)")
        }
    }

    @Test(arguments: [
        ("due > 'tomorrow'", "unread-text"), ("due == '2023-02-29'", "unread-text"),
        ("id == 'E621E1F8'", "unread-text"), ("count == 'five'", "unread-text"), ("count == 'YES'", "unread-text"),
        ("count > '1 + 1'", "unread-text"), ("due IN {'2024-05-01', 'x'}", "unread-text"),
        ("ALL days IN {'2024-05-01', 'x'}", "unread-text"), ("due BEGINSWITH '2024'", "string-operand"),
        ("name > 5", "type-mismatch"),
    ])
    func errors(text: String, id: String) throws {
        let failure = try #require(throws: PredicateFailure.self, "\(text) compiles") { try Self.compiled(text) }
        let found = failure.diagnostics.filter { $0.severity == .error }.map { $0.id.rawValue }
        #expect(found == [id], "\(text): \(failure)")
    }

    @Test func notes() throws {
        let matcher = try Self.compiled("due == '2024-05-01' AND count IN {'1', '2'} AND name == 'x'")
        #expect(
            matcher.warnings.map { "\($0.severity.rawValue): \($0.message)" } == [
                "note: read as a date", "note: read as an integer",
            ])
        #expect(matcher.predicate.description == "due == \"2024-05-01\" AND count IN {\"1\", \"2\"} AND name == \"x\"")
    }

    @Test func withoutTheExtension() throws {
        for (text, isError) in [("due > '2024-05-01'", true), ("due == '2024-05-01'", false), ("count == '5'", false)] {
            let predicate = try FormatPredicate(text)
            do {
                let warnings = try predicate.compiled(for: Item.self).warnings
                let label = warnings.first?.label ?? ""
                #expect(!isError && label.contains("the extension typed-texts"), "\(warnings)")
            } catch {
                #expect(isError && "\(error)".contains("the extension typed-texts"), "\(error)")
            }
        }
    }

    /// Texts in nested conditions are read by the types there.
    @Test func nestedConditions() throws {
        let date = Date(timeIntervalSinceReferenceDate: try Self.instant("2024-05-01T10:00:00Z"))
        let item = Item(due: date, count: 3, name: "3", days: [date])
        for (text, expected) in [
            ("SUBQUERY(days, $d, $d == '2024-05-01').@count == '1'", true),
            ("SUBQUERY(days, $d, $d > '2024-05-01').@count == '0' AND count == '3' AND name == '3'", true),
            ("TERNARY(due == '2024-05-01', count, 0) == '3'", true),
            ("count == '3' OR name == '4' OR due == '2020-01-01'", true),
        ] {
            #expect(try Self.compiled(text).test(item) == expected, "\(text)")
        }
    }
}
