// The time zone of the extension `dates`, and the arithmetic of the Gregorian calendar in it (LANGUAGE C 17 a). UTC and
// fixed offsets need no platform; `PredicateFoundation` makes the other zones of a `TimeZone`. DateFunctions.swift has
// the functions.

/// The time zone in which a predicate reads days, steps of the calendar and parts of dates.
///
///     let berlin = PredicateEnvironment(language: [.dates], timeZone: PredicateTimeZone(secondsFromUTC: 3_600))
///     try FormatPredicate("due >= today()", in: berlin)
public struct PredicateTimeZone: Sendable, Hashable, CustomStringConvertible {
    /// `UTC`, `+01:00`, `Europe/Berlin`.
    public let description: String
    private let seconds: Int
    private let rule: (@Sendable (Double) -> Int)?

    /// UTC, the default.
    public static let utc = PredicateTimeZone(secondsFromUTC: 0)

    /// A fixed offset, in seconds east of UTC.
    public init(secondsFromUTC seconds: Int) {
        self.seconds = seconds
        rule = nil
        description = seconds == 0 ? "UTC" : Self.text(seconds)
    }

    /// A zone whose offset changes.
    /// - Parameters:
    ///   - name: its name, by which zones are compared.
    ///   - rule: returns the offset at an instant in seconds since 2001-01-01 00:00 UTC.
    public init(_ name: String, secondsFromUTC rule: @escaping @Sendable (Double) -> Int) {
        description = name
        seconds = 0
        self.rule = rule
    }

    /// `UTC`, `Z` or an offset such as `+01:00`; nil for any other text, such as the name of a place.
    public init?(_ text: String) {
        if text == "UTC" || text == "GMT" {
            self = .utc
        } else {
            guard let seconds = CalendarDate.offset(iso8601: text) else { return nil }
            self.init(secondsFromUTC: seconds)
        }
    }

    public static func == (left: Self, right: Self) -> Bool { left.description == right.description }
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }

    private static func text(_ seconds: Int) -> String {
        let minutes = Int(seconds.magnitude) / 60
        func pad(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let rest = Int(seconds.magnitude) % 60
        return (seconds < 0 ? "-" : "+") + pad(minutes / 60) + ":" + pad(minutes % 60)
            + (rest == 0 ? "" : ":" + pad(rest))
    }

    /// The offset, if it is the same at all instants.
    package var fixedOffset: Int? { rule == nil ? seconds : nil }

    private func offset(at instant: Double) -> Double { Double(rule?(instant) ?? seconds) }

    /// The instant as if the clock of the zone were in UTC.
    private func local(_ instant: Double) -> Double { instant + offset(at: instant) }

    /// The instant at which the clock of the zone has a time. Of two it is the first; a time that the clock skips is
    /// read with the offset before.
    package func instant(local time: Double) -> Double {
        guard let rule else { return time - Double(seconds) }
        let before = Double(rule(time - 86_400))
        let after = Double(rule(time + 86_400))
        let instant = time - before
        if before == after || Double(rule(instant)) == before { return instant }
        return Double(rule(time - after)) == after ? time - after : instant
    }

    /// The first instant of the day that contains an instant; of a later day with `days`.
    package func startOfDay(_ instant: Double, adding days: Double = 0) -> Double {
        self.instant(local: ((local(instant) / 86_400).rounded(.down) + days) * 86_400)
    }

    /// The date some steps later; nil beyond the years that a date can have.
    package func date(_ instant: Double, adding count: Int64, _ unit: CalendarStep.Unit) -> Double? {
        let time = local(instant)
        switch unit {
        case .days, .weeks:
            let days = Double(count) * (unit == .weeks ? 7 : 1)
            // As in SQL.
            if rule == nil { return instant + days * 86_400 }
            return time.isFinite ? self.instant(local: time + days * 86_400) : nil
        case .months, .years:
            let (months, isTooLarge) = count.multipliedReportingOverflow(by: unit == .years ? 12 : 1)
            guard !isTooLarge, let date = CalendarDate(secondsSince2001: time)?.adding(months: months) else {
                return nil
            }
            return self.instant(local: date.secondsSince2001)
        }
    }

    /// The years of dates that have parts.
    package static let years: ClosedRange<Int64> = -900_000...900_000

    /// A part of a date; nil for a year outside of `years`.
    package func part(_ part: DatePart, of instant: Double) -> Int64? {
        let time = local(instant)
        guard let date = CalendarDate(secondsSince2001: time), Self.years.contains(Int64(date.year)) else { return nil }
        switch part {
        case .year: return Int64(date.year)
        case .month: return Int64(date.month)
        case .day: return Int64(date.day)
        case .hour: return Int64(date.hour)
        case .minute: return Int64(date.minute)
        case .weekday:
            // 2001-01-01 was a Monday.
            let day = Int64((time / 86_400).rounded(.down)) % 7
            return (day < 0 ? day + 7 : day) + 1
        }
    }

    /// The first instant of a year.
    package func beginning(ofYear year: Int) -> Double {
        instant(local: CalendarDate(year: year, month: 1, day: 1).secondsSince2001)
    }
}

/// The parts of a date that are keys of it.
package enum DatePart: String, Hashable, Sendable, CaseIterable {
    case year, month, day, hour, minute, weekday
}
