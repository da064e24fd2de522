// The extension `dates` in memory: arithmetic, steps, parts, `today()`, its errors, and what happens without it.
import Foundation
import Predicates
import Testing

@Suite struct DatesTests {
    private struct Task: Queryable {
        var due: Date
        var count: Int
        static let keys: KeyTable<Task> = [.key("due", \.due), .key("count", \.count)]
    }

    private static let zone = PredicateTimeZone(secondsFromUTC: 7_200)
    private static let environment = PredicateEnvironment(language: [.dates], timeZone: zone)
    /// 2024-02-29 23:30 UTC, which is 01:30 on 1 March in the zone.
    private static let now = 730_942_200.0

    private static func value(_ text: String, in environment: PredicateEnvironment = environment) throws
        -> PredicateValue
    {
        try FormatExpression(text, arguments: [], in: environment).evaluate(
            ["due": .date(now), "nothing": .null, "n": 2] as PredicateValue, run: PredicateRun(clock: { now }))
    }

    private static func date(_ text: String) throws -> PredicateValue {
        .date(try #require(CalendarDate.seconds(iso8601: text)))
    }

    @Test(arguments: [
        ("today()", "2024-02-29T22:00:00"), ("due + 60", "2024-02-29T23:31:00"), ("60 + due", "2024-02-29T23:31:00"),
        ("due - n", "2024-02-29T23:29:58"), ("due + months(12)", "2025-02-28T23:30:00"),
        ("due - days(1)", "2024-02-28T23:30:00"), ("today() - weeks(1) + days(-1)", "2024-02-21T22:00:00"),
        ("years(1) + today()", "2025-02-28T22:00:00"), ("due + 0.5", "2024-02-29T23:30:00.5"),
    ])
    func dates(text: String, expected: String) throws {
        #expect(try Self.value(text) == Self.date(expected), "\(text)")
    }

    @Test(arguments: [
        ("due - today()", PredicateValue.double(5_400)), ("due.year", 2024), ("due.month", 3), ("due.day", 1),
        ("due.hour", 1), ("due.minute", 30), ("due.weekday", 5), ("nothing.year", .null), ("nothing + days(1)", .null),
        ("due + nothing", .null), ("due - nothing", .null), ("1 + 2", 3), ("today().hour", 0),
    ])
    func values(text: String, expected: PredicateValue) throws { #expect(try Self.value(text) == expected, "\(text)") }

    @Test func clockOfARun() throws {
        let matcher = try FormatPredicate("due >= today() AND due < today() + days(1)", in: Self.environment)
            .compiled(for: Task.self, run: PredicateRun(clock: { Self.now }))
        let tasks = [0.0, -5_401, -5_400, 80_999, 81_000].map {
            Task(due: Date(timeIntervalSinceReferenceDate: Self.now + $0), count: 1)
        }
        let found = tasks.filter(matcher).map { $0.due.timeIntervalSinceReferenceDate - Self.now }
        #expect(found == [0, -5_400, 80_999])
        #expect(matcher.predicate.description == "due >= today() AND due < today() + days:(1)")
    }

    @Test(arguments: [
        ("days(1) == nil", "a step cannot take this place"), ("due > 5 - days(1)", "days cannot take an integer"),
        ("due + days(1) - months(count) > due", "months cannot take this: it takes a constant integer"),
        ("due + days(1.5) > due", "days cannot take this: it takes a constant integer"),
        ("count + days(1) > 1", "days cannot take an integer"), ("due * 2 > 1", "* cannot take a date"),
        ("due + due > due", "+ cannot take a date"), ("5 - due > 1", "- cannot take a date"),
        ("count.year == 1", "year cannot take an integer"), ("today(1) > due", "'today' takes no arguments, not 1"),
    ])
    func errors(text: String, message: String) throws {
        let predicate = try FormatPredicate(text, in: Self.environment)
        let error = try #require(throws: PredicateFailure.self, "\(text)") { try predicate.compiled(for: Task.self) }
        #expect(error.diagnostics.map { $0.message }.contains(message), "\(text): \(error)")
    }

    @Test(arguments: [
        "due > today()", "due > now() + days(2)", "due.year == 2024", "due - 3600 > now()", "now() - due > 5",
        "year(due) == 2024",
    ])
    func withoutTheExtension(text: String) throws {
        let error = try #require(throws: PredicateFailure.self, "\(text) compiles") {
            try FormatPredicate(text).compiled(for: Task.self)
        }
        #expect("\(error)".contains("the extension dates"), "\(error)")
    }

    @Test func largeSteps() throws {
        for text in ["due + years(999999999)", "due - days(-9223372036854775808)"] {
            #expect(throws: PredicateFailure.self) { try Self.value(text) }
        }
    }
}
