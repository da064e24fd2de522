// The calendar in SQL, for the extension `dates`: parts of dates, and steps of months. A date is a double of seconds
// since 2001 in the zone of the run. The arithmetic of doubles is that of CalendarDate, in the same order, so the results
// are the same to the last bit. Days are counted from 0000-03-01 and then shifted, so that no integer is negative:
// engines round negative quotients in different directions.
//
// The divisions are those of C. Neri and L. Schneider, *Euclidean affine functions and their application to calendar
// algorithms* (2023).

/// How an engine writes what the calendar needs.
struct DateSyntax {
    /// Rounds the double {0} down, to an integer of 64 bits.
    let floor: String
    let double: String
    var quotient = "/"
    var remainder = "%"
    var least = "LEAST"
    /// The end of a subquery in FROM that the engine shall not merge with the query around it; nil if such a subquery
    /// cannot read the columns of the statement.
    var fence: String?
    /// The microseconds from 1970 to the timestamp {0}; nil if the engine stores texts.
    var microseconds: String?
}

extension SQLDialect {
    /// Seconds and years from the beginning of the shifted count to 2001-01-01 and to the year 0.
    private static let (shiftedSeconds, shiftedYears): (Int64, Int64) =
        ((730_791 + 146_097 * 2_500) * 86_400, 1_000_000)

    /// The greatest number of months of a step. Beyond it, memory may fail where the date itself is valid.
    static let mostMonths: Int64 = 500_000

    static func dateArithmetic(_ syntax: DateSyntax) -> [Scalar: SQLTemplate] {
        let (div, mod) = (syntax.quotient, syntax.remainder)
        let time = "(\(syntax.floor) + \(shiftedSeconds))"
        let days = "\(time) \(div) 86400"
        let century = "(4 * (\(days)) + 3)"
        let year = "(\(century) \(mod) 146097 \(div) 4 * 4 + 3)"
        let day = "\(year) \(mod) 1461 \(div) 4"
        let month = "(2141 * (\(day)) + 197913)"
        let parts: [DatePart: String] = [
            .year: """
            100 * (\(century) \(div) 146097) + \(year) \(div) 1461 \
            + CASE WHEN \(day) >= 306 THEN 1 ELSE 0 END - \(shiftedYears)
            """,
            .month: "(\(month) \(div) 65536 - 1) \(mod) 12 + 1", .day: "\(month) \(mod) 65536 \(div) 2141 + 1",
            .hour: "\(time) \(mod) 86400 \(div) 3600", .minute: "\(time) \(mod) 3600 \(div) 60",
            // The first day of the count is a Wednesday.
            .weekday: "(\(days) + 2) \(mod) 7 + 1",
        ]
        let years = PredicateTimeZone.years
        let (first, end) = (beginning(ofYear: years.lowerBound), beginning(ofYear: years.upperBound + 1))
        var templates: [Scalar: SQLTemplate] = [:]
        for (part, value) in parts {
            templates[.part(part)] = "CASE WHEN {0} >= \(first) AND {0} < \(end) THEN \(value) END"
        }
        if let fence = syntax.fence { templates[.monthsLater] = later(syntax, fence) }
        for storage in [DateStorage.seconds, .milliseconds, .microseconds] {
            templates[.seconds(storage)] = seconds(storage, ticks: "{0}", syntax.double)
        }
        if let ticks = syntax.microseconds {
            for storage in [DateStorage.timestamp, .timestampWithZone] {
                templates[.seconds(storage)] = seconds(storage, ticks: ticks, syntax.double)
            }
        }
        return templates
    }

    private static func beginning(ofYear year: Int64) -> String {
        String(Int64(PredicateTimeZone.utc.beginning(ofYear: Int(year))))
    }

    /// The date {1} months after {0}, on the last day of the month if the day is missing (CalendarDate.adding).
    private static func later(_ syntax: DateSyntax, _ fence: String) -> SQLTemplate {
        let (div, mod) = (syntax.quotient, syntax.remainder)
        func double(_ value: String) -> String { syntax.double.replacing("{0}", with: value) }
        // The first day of a month, counted from March.
        func beginning(_ month: String) -> String {
            """
            \(month) \(div) 12 * 365 + \(month) \(div) 48 - \(month) \(div) 1200 + \(month) \(div) 4800 \
            + (153 * (\(month) \(mod) 12) + 2) \(div) 5
            """
        }
        let whole = syntax.floor.replacing("{0}", with: "x")
        let days = "\(syntax.least)(\(beginning("m")) + d, \(beginning("(m + 1)")) - 1)"
        let minutes = "(\(days)) * 86400 + s \(mod) 86400 \(div) 60 * 60 - \(shiftedSeconds)"
        let rows = [
            "x, CASE WHEN x > -3e13 AND x < 3e13 THEN \(whole) + \(shiftedSeconds) END AS s",
            "x, s, 4 * (s \(div) 86400) + 3 AS c",
            "x, s, c \(div) 146097 AS c, c \(mod) 146097 \(div) 4 * 4 + 3 AS y",
            "x, s, 1200 * c + y \(div) 1461 * 12 AS m, y \(mod) 1461 \(div) 4 AS d",
            "x, s, m + (5 * d + 2) \(div) 153 + {1} AS m, d - (153 * ((5 * d + 2) \(div) 153) + 2) \(div) 5 AS d",
            "\(double(minutes)) + (\(double("s \(mod) 60")) + (x - \(double("(s - \(shiftedSeconds))"))))",
        ]
        let query = rows.reduce("SELECT {0} AS x") { "SELECT \($1) FROM (\($0)\(fence)) AS v" }
        return "(\(query))"
    }

    /// The seconds since 2001 of a column with another form of dates, as DateStorage computes them.
    ///
    /// - Parameters:
    ///   - ticks: the column's integer, or that of a text or timestamp.
    ///   - double: converts {0} to a double.
    static func seconds(_ storage: DateStorage, ticks: String, _ double: String) -> SQLTemplate {
        let scale = storage.ticksPerSecond
        let number = "\(double.replacing("{0}", with: ticks)) - \(978_307_200 * scale)"
        return SQLTemplate(stringLiteral: scale == 1 ? "(\(number))" : "((\(number)) / \(scale))")
    }
}
