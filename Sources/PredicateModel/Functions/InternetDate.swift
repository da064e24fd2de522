// Parses ISO 8601 dates (the Internet profile) without Foundation, for CAST to NSDate (LANGUAGE 4.5).

/// Parses `2024-02-29T12:30:00.5+01:00` and shorter forms.
package enum InternetDate {
    /// Returns seconds since 2001-01-01 00:00 UTC; nil for any other text.
    ///
    /// The time, the seconds, their fraction and the zone are optional; without a zone the text is in UTC. A
    /// space may replace `T`. The day must exist: `2023-02-29` is invalid.
    package static func seconds(_ text: String) -> Double? {
        var reader = Reader(bytes: Array(text.utf8)[...])
        guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
            let day = reader.number(2), (1...12).contains(month), day >= 1, day <= length(of: month, in: year)
        else { return nil }
        var seconds = Double(days(year, month, day)) * 86_400
        if reader.bytes.isEmpty { return seconds }
        guard reader.skip("T") || reader.skip("t") || reader.skip(" ") else { return nil }
        guard let hour = reader.number(2), hour < 24, reader.skip(":"), let minute = reader.number(2), minute < 60
        else { return nil }
        seconds += Double(hour * 3600 + minute * 60)
        if reader.skip(":") {
            // 60 is a leap second, which counts as the first second of the next minute.
            guard let second = reader.number(2), second <= 60 else { return nil }
            seconds += Double(second)
            if reader.skip(".") || reader.skip(",") {
                guard let fraction = reader.fraction() else { return nil }
                seconds += fraction
            }
        }
        _ = reader.skip(" ")
        guard let zone = reader.zone(), reader.bytes.isEmpty else { return nil }
        return seconds - Double(zone)
    }

    private static func length(of month: Int, in year: Int) -> Int {
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Days since 2001-01-01 in the Gregorian calendar. Counts months from March, so that a leap day is the
    /// last day of a year.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let y = month > 2 ? year : year - 1
        let m = month > 2 ? month - 3 : month + 9
        let leaps = (y >= 0 ? y / 4 - y / 100 + y / 400 : -1)
        return y * 365 + leaps + (153 * m + 2) / 5 + day - 1 - 730_791
    }

    private struct Reader {
        var bytes: ArraySlice<UInt8>

        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard bytes.first == UInt8(ascii: character) else { return false }
            bytes.removeFirst()
            return true
        }

        mutating func number(_ digits: Int) -> Int? {
            guard bytes.count >= digits else { return nil }
            var value = 0
            for byte in bytes.prefix(digits) {
                guard byte >= 48, byte <= 57 else { return nil }
                value = value * 10 + Int(byte - 48)
            }
            bytes.removeFirst(digits)
            return value
        }

        /// The fraction. Digits after the 17th do not change a double.
        mutating func fraction() -> Double? {
            let digits = bytes.prefix { $0 >= 48 && $0 <= 57 }
            bytes.removeFirst(digits.count)
            return digits.isEmpty ? nil : Double("0." + String(decoding: digits.prefix(17), as: UTF8.self))
        }

        /// The offset from UTC in seconds: `Z`, `+01:00`, `+0100`, `+01`, or empty text.
        mutating func zone() -> Int? {
            if bytes.isEmpty || skip("Z") || skip("z") { return 0 }
            let west = bytes.first == UInt8(ascii: "-")
            guard skip("-") || skip("+"), let hours = number(2), hours < 24 else { return nil }
            _ = skip(":")
            var minutes = 0
            if !bytes.isEmpty {
                guard let value = number(2), value < 60 else { return nil }
                minutes = value
            }
            return (west ? -1 : 1) * (hours * 3600 + minutes * 60)
        }
    }
}
