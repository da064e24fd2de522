// The calendar of the extension `dates` against Foundation's: every day of 400 years, steps of months and years from
// the ends of months, offsets.
import Foundation
import PredicateModel
import PredicateSyntax
import PredicateTestSupport
import Testing

@Suite struct CalendarTests {
    private static let units: [(CalendarStep.Unit, Calendar.Component, Int)] = [
        (.days, .day, 1), (.weeks, .day, 7), (.months, .month, 1), (.years, .year, 1),
    ]

    private static func calendar(_ offset: Int) throws -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: offset))
        return calendar
    }

    @Test func partsOfEveryDay() throws {
        for (offset, time) in [(0, 0.0), (-12_600, 86_399.5), (50_400, 43_200)] {
            let calendar = try Self.calendar(offset)
            let zone = PredicateTimeZone(secondsFromUTC: offset)
            let start = CalendarDate(year: 1900, month: 1, day: 1).secondsSince2001
            for day in stride(from: 0, to: 146_097, by: TestDepth.step(1)) {
                let instant = start + Double(day) * 86_400 + time
                let date = Date(timeIntervalSinceReferenceDate: instant)
                let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .weekday], from: date)
                let expected = [
                    parts.year, parts.month, parts.day, parts.hour, parts.minute,
                    parts.weekday.map { ($0 + 5) % 7 + 1 },
                ]
                let found = DatePart.allCases.map { zone.part($0, of: instant).map(Int.init) }
                guard found != expected else { continue }
                Issue.record("\(date) has \(found) and not \(expected) at \(offset)")
                return
            }
        }
    }

    @Test func stepsFromEveryDay() throws {
        for offset in [0, 19_800] {
            let calendar = try Self.calendar(offset)
            let zone = PredicateTimeZone(secondsFromUTC: offset)
            let start = CalendarDate(year: 1999, month: 1, day: 1).secondsSince2001
            for day in 0..<800 {
                let instant = start + Double(day) * 86_400 + 61_234.25
                let date = Date(timeIntervalSinceReferenceDate: instant)
                for (unit, component, factor) in Self.units {
                    for count in [-49, -12, -1, 0, 1, 2, 13, 100] {
                        let expected = calendar.date(byAdding: component, value: count * factor, to: date)
                        let found = zone.date(instant, adding: Int64(count), unit)
                        // Foundation gives the 28th, although February 1996 has the day.
                        if unit == .months, count == -49, found.map({ $0 < -152_000_000 }) ?? false { continue }
                        #expect(found == expected?.timeIntervalSinceReferenceDate, "\(date) + \(count) \(unit)")
                    }
                }
            }
        }
    }

    @Test func changesOfClocks() throws {
        var calendar = Calendar(identifier: .gregorian)
        for name in ["Europe/Berlin", "America/Sao_Paulo", "Australia/Lord_Howe", "Asia/Kathmandu"] {
            calendar.timeZone = try #require(TimeZone(identifier: name))
            let rules = calendar.timeZone
            let zone = PredicateTimeZone(name) { rules.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: $0)) }
            let start = CalendarDate(year: 2017, month: 1, day: 1).secondsSince2001
            for quarter in 0..<(730 * 4) {
                let instant = start + Double(quarter) * 21_600 + 1_800
                let date = Date(timeIntervalSinceReferenceDate: instant)
                let begin = calendar.startOfDay(for: date).timeIntervalSinceReferenceDate
                #expect(zone.startOfDay(instant) == begin, "\(name) \(date)")
                let day = calendar.component(.day, from: date)
                #expect(zone.part(.day, of: instant) == Int64(day), "\(name) \(date)")
                #expect(zone.startOfDay(zone.startOfDay(instant, adding: 1)) == zone.startOfDay(instant, adding: 1))
            }
        }
    }

    @Test(arguments: [
        ("2024-01-31", 1, CalendarStep.Unit.months, "2024-02-29"), ("2023-01-31", 1, .months, "2023-02-28"),
        ("2024-02-29", 1, .years, "2025-02-28"), ("2024-02-29", -4, .years, "2020-02-29"),
        ("2024-03-31", -1, .months, "2024-02-29"), ("2000-12-31", 2, .months, "2001-02-28"),
        ("2024-02-28", 2, .days, "2024-03-01"), ("1999-12-31", 1, .weeks, "2000-01-07"),
    ])
    func stepsToMissingDays(from: String, count: Int64, unit: CalendarStep.Unit, to: String) throws {
        let start = try #require(CalendarDate.seconds(iso8601: from))
        #expect(PredicateTimeZone.utc.date(start, adding: count, unit) == CalendarDate.seconds(iso8601: to))
    }

    @Test func extremes() {
        let zone = PredicateTimeZone.utc
        #expect(zone.date(0, adding: .max, .years) == nil)
        #expect(zone.date(0, adding: .min, .months) == nil)
        #expect(zone.date(1e300, adding: 1, .months) == nil)
        #expect(zone.part(.year, of: .nan) == nil)
        #expect(zone.part(.weekday, of: -1) == 7)
    }

    /// The machine's zone reads far dates as the same day of a calendar that its rules reach.
    @Test func farDatesHaveRules() throws {
        for year in [-900_000, 1700, 1900, 2026, 2400, 2500, 2501, 5170, 9999, 900_000] {
            let start = CalendarDate(year: year, month: 7, day: 1, hour: 5).secondsSince2001
            let read = PredicateTimeZone.inRules(start)
            let date = try #require(CalendarDate(secondsSince2001: read))
            if year < 1800 {
                #expect(date.year == 1800)
            } else {
                #expect((date.month, date.day, date.hour) == (7, 1, 5) && (date.year - year) % 400 == 0)
                #expect(year < 2500 ? date.year == year : (2100...2501).contains(date.year))
            }
        }
        for part in DatePart.allCases {
            let instant = CalendarDate(year: 900_000, month: 7, day: 1).secondsSince2001
            #expect(PredicateTimeZone.local.part(part, of: instant) != nil)
        }
        #expect(PredicateTimeZone.local.part(.year, of: .nan) == nil)
    }

    @Test(arguments: [
        ("UTC", 0 as Int?), ("Z", 0), ("+01:00", 3_600), ("-0330", -12_600), ("+14", 50_400), ("", nil),
        ("Europe/Berlin", nil), ("+1", nil), ("+25:00", nil), ("+01:00x", nil),
    ])
    func names(text: String, seconds: Int?) {
        let zone = PredicateTimeZone(text)
        #expect(zone?.fixedOffset == seconds)
        if let zone { #expect(PredicateTimeZone(zone.description) == zone) }
    }
}
