// Dates of the Gregorian calendar: their components, and their texts in ISO 8601 and in the format of NSDate's
// description.

/// A date and time of the proleptic Gregorian calendar in UTC.
package struct CalendarDate: Sendable, Hashable, CustomStringConvertible {
    package var year: Int
    package var month: Int
    package var day: Int
    package var hour = 0
    package var minute = 0
    /// Seconds including their fraction.
    package var second = 0.0

    package init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Double = 0) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// nil if the year would have more than six digits.
    package init?(secondsSince2001 seconds: Double) {
        guard seconds.isFinite, seconds.magnitude < 3e13 else { return nil }
        var floor = Int64(seconds)
        if Double(floor) > seconds { floor -= 1 }
        let fraction = seconds - Double(floor)
        let days = floor >= 0 ? floor / 86_400 : (floor - 86_399) / 86_400
        let whole = Int(floor - days * 86_400)
        // Count days from 0000-03-01, in eras of 400 years.
        let shifted = Int(days) + 730_791
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        hour = whole / 3_600
        minute = whole / 60 % 60
        second = Double(whole % 60) + fraction
    }

    /// The value as seconds since 2001-01-01.
    package var secondsSince2001: Double {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 730_791
        return Double(days) * 86_400 + Double(hour * 3_600 + minute * 60) + second
    }

    /// The date some months later, on the last day of the month if the day is missing; nil for a year of more than six
    /// digits.
    package func adding(months: Int64) -> CalendarDate? {
        guard months.magnitude < 24_000_000 else { return nil }
        let total = year * 12 + month - 1 + Int(months)
        var date = self
        date.year = total >= 0 ? total / 12 : (total - 11) / 12
        date.month = total - date.year * 12 + 1
        date.day = min(day, Self.length(of: date.month, in: date.year))
        return date.year.magnitude < 1_000_000 ? date : nil
    }

    fileprivate static func length(of month: Int, in year: Int) -> Int {
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeapYear ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// The format of NSDate's description: `2015-01-01 00:00:00 +0000`.
    package var description: String { text(between: " ") + " +0000" }

    private func text(between separator: Character) -> String {
        "\(Self.pad(year, 4))-\(Self.pad(month, 2))-\(Self.pad(day, 2))\(separator)"
            + "\(Self.pad(hour, 2)):\(Self.pad(minute, 2)):\(Self.pad(Int(second), 2))"
    }

    private static func pad(_ value: Int, _ digits: Int) -> String {
        (value < 0 ? "-" : "") + String(value.magnitude).zeroPadded(to: digits)
    }
}

// MARK: ISO 8601

extension CalendarDate {
    /// The ISO 8601 text of a date: `2024-05-01T10:00:00Z`, with up to six decimals for a fraction; nil outside the
    /// years 1 to 9999.
    package static func iso8601(_ seconds: Double) -> String? {
        var whole = seconds.rounded(.down)
        var millionths = ((seconds - whole) * 1e6).rounded()
        if millionths >= 1e6 {
            whole += 1
            millionths = 0
        }
        guard let date = CalendarDate(secondsSince2001: whole), (1...9999).contains(date.year) else { return nil }
        var text = date.text(between: "T")
        if millionths > 0 {
            text += "." + pad(Int(millionths), 6)
            while text.hasSuffix("0") { text.removeLast() }
        }
        return text + "Z"
    }

    /// Parses `2024-02-29T12:30:00.5+01:00` and shorter forms of ISO 8601; nil for any other text.
    ///
    /// The time, the seconds, their fraction and the zone are optional; without a zone the time is in UTC. A space may
    /// replace `T` and precede the zone. The day must exist: `2023-02-29` is invalid.
    package static func seconds(iso8601 text: String) -> Double? { read(iso8601: text)?.seconds }

    /// Parses as `seconds(iso8601:)` does. `hasTime` and `hasZone` are whether the text has them.
    package static func read(iso8601 text: String) -> (seconds: Double, hasTime: Bool, hasZone: Bool)? {
        var reader = ISODateReader(bytes: Array(text.utf8)[...])
        return reader.seconds().map { ($0, reader.hasTime, reader.hasZone) }
    }

    /// The seconds of an offset from UTC: `Z`, `+01:00`, `+0100`, `+01`; nil for any other text.
    package static func offset(iso8601 text: String) -> Int? {
        var reader = ISODateReader(bytes: Array(text.utf8)[...])
        let offset = text.isEmpty ? nil : reader.zone()
        return reader.bytes.isEmpty ? offset : nil
    }
}

private struct ISODateReader {
    var bytes: ArraySlice<UInt8>
    private(set) var hasTime = false
    private(set) var hasZone = false

    mutating func seconds() -> Double? {
        guard let year = number(4), skip("-"), let month = number(2), (1...12).contains(month), skip("-"),
            let day = number(2), day >= 1, day <= CalendarDate.length(of: month, in: year)
        else { return nil }
        var date = CalendarDate(year: year, month: month, day: day)
        if bytes.isEmpty { return date.secondsSince2001 }
        guard skip("T") || skip("t") || skip(" "), let hour = number(2), hour < 24, skip(":"),
            let minute = number(2), minute < 60
        else { return nil }
        (date.hour, date.minute) = (hour, minute)
        hasTime = true
        var fraction = 0.0
        if skip(":") {
            // 60 is a leap second (RFC 3339), which counts as the first second of the next minute.
            guard let second = number(2), second <= 60 else { return nil }
            date.second = Double(second)
            if skip(".") || skip(",") {
                guard let value = self.fraction() else { return nil }
                fraction = value
            }
        }
        if !bytes.isEmpty, skip(" "), bytes.isEmpty { return nil }
        hasZone = !bytes.isEmpty
        guard let zone = zone(), bytes.isEmpty else { return nil }
        return date.secondsSince2001 - Double(zone) + fraction
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard bytes.first == UInt8(ascii: character) else { return false }
        bytes.removeFirst()
        return true
    }

    private mutating func number(_ digits: Int) -> Int? {
        guard bytes.count >= digits else { return nil }
        var value = 0
        for byte in bytes.prefix(digits) {
            guard byte.isDigit else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        bytes.removeFirst(digits)
        return value
    }

    /// The fraction. Digits after the 17th cannot change a double.
    private mutating func fraction() -> Double? {
        let digits = bytes.prefix { $0.isDigit }
        bytes.removeFirst(digits.count)
        return digits.isEmpty ? nil : Double("0." + String(decoding: digits.prefix(17), as: UTF8.self))
    }

    /// The offset from UTC in seconds: `Z`, `+01:00`, `+0100`, `+01`, or empty text.
    mutating func zone() -> Int? {
        if bytes.isEmpty || skip("Z") || skip("z") { return 0 }
        let sign = skip("+") ? 1 : skip("-") ? -1 : 0
        guard sign != 0, let hours = number(2), hours < 24 else { return nil }
        if bytes.isEmpty { return sign * hours * 3_600 }
        _ = skip(":")
        guard let minutes = number(2), minutes < 60 else { return nil }
        return sign * (hours * 3_600 + minutes * 60)
    }
}
