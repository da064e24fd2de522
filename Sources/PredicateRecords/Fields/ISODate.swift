// ISO 8601 dates. Records hold dates as text; `--types` (FieldTypes) selects the fields that are dates. All
// arithmetic uses the proleptic Gregorian calendar in UTC: no locale and no time-zone table.

/// ISO 8601 dates, as seconds since 2001-01-01 00:00:00 UTC.
package enum ISODate {
    /// Days from 1970-01-01 to 2001-01-01.
    private static let referenceDays = 11_323

    /// Reads `2024-05-01`, `2024-05-01T10:00`, `2024-05-01T10:00:00.25Z`, `2024-05-01 10:00:00+02:00`; nil for
    /// other text. A text without a zone is in UTC.
    package static func seconds(_ text: String) -> Double? {
        var scanner = Scanner(bytes: Array(text.utf8))
        guard let year = scanner.number(4), scanner.take("-"), let month = scanner.number(2), (1...12).contains(month),
            scanner.take("-"), let day = scanner.number(2), day >= 1, day <= length(ofMonth: month, year)
        else { return nil }
        var seconds = Double(days(year, month, day) - referenceDays) * 86_400
        if scanner.isAtEnd { return seconds }
        guard scanner.take("T") || scanner.take("t") || scanner.take(" "),
            let hour = scanner.number(2), hour < 24, scanner.take(":"), let minute = scanner.number(2), minute < 60
        else { return nil }
        var second = 0
        var fraction = 0.0
        if scanner.take(":") {
            // RFC 3339 allows a leap second. It counts as the first second of the next minute.
            guard let value = scanner.number(2), value <= 60 else { return nil }
            second = value
            if scanner.take(".") || scanner.take(",") {
                guard let value = scanner.fraction() else { return nil }
                fraction = value
            }
        }
        guard let offset = scanner.zone(), scanner.isAtEnd else { return nil }
        seconds += Double(hour * 3600 + minute * 60 + second - offset)
        return seconds + fraction
    }

    /// Returns `2024-05-01T10:00:00Z`, with up to six decimals for a fraction; nil outside the years 1 to 9999.
    package static func text(_ seconds: Double) -> String? {
        guard abs(seconds) < 1e12 else { return nil }
        var whole = seconds.rounded(.down)
        var micros = ((seconds - whole) * 1e6).rounded()
        if micros >= 1e6 {
            whole += 1
            micros = 0
        }
        let total = Int(whole)
        var day = total / 86_400
        var rest = total % 86_400
        if rest < 0 {
            rest += 86_400
            day -= 1
        }
        let (year, month, dayOfMonth) = civil(day + referenceDays)
        guard (1...9999).contains(year) else { return nil }
        var text = "\(pad(year, 4))-\(pad(month, 2))-\(pad(dayOfMonth, 2))"
        text += "T\(pad(rest / 3600, 2)):\(pad(rest / 60 % 60, 2)):\(pad(rest % 60, 2))"
        if micros > 0 {
            var decimals = pad(Int(micros), 6)
            while decimals.last == "0" { decimals.removeLast() }
            text += "." + decimals
        }
        return text + "Z"
    }

    private static func pad(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func length(ofMonth month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1970-01-01. The computation starts years in March, so that the leap day is the last day of a
    /// year, and groups years into eras of 400.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The inverse of `days`.
    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private struct Scanner {
        let bytes: [UInt8]
        var at = 0

        var isAtEnd: Bool { at == bytes.count }

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard at < bytes.count, UInt32(bytes[at]) == character.value else { return false }
            at += 1
            return true
        }

        /// Reads exactly `count` digits.
        mutating func number(_ count: Int) -> Int? {
            guard at + count <= bytes.count else { return nil }
            var number = 0
            for byte in bytes[at..<at + count] {
                guard byte &- 0x30 < 10 else { return nil }
                number = number * 10 + Int(byte - 0x30)
            }
            at += count
            return number
        }

        mutating func fraction() -> Double? {
            let start = at
            while at < bytes.count, bytes[at] &- 0x30 < 10 { at += 1 }
            guard at > start else { return nil }
            return Double("0." + String(decoding: bytes[start..<at], as: UTF8.self))
        }

        /// Reads the offset from UTC, in seconds: empty text, `Z`, `+02`, `+0200` or `+02:00`.
        mutating func zone() -> Int? {
            if isAtEnd || take("Z") || take("z") { return 0 }
            let sign = take("+") ? 1 : take("-") ? -1 : 0
            guard sign != 0, let hours = number(2), hours < 24 else { return nil }
            if isAtEnd { return sign * hours * 3600 }
            _ = take(":")
            guard let minutes = number(2), minutes < 60 else { return nil }
            return sign * (hours * 3600 + minutes * 60)
        }
    }
}
