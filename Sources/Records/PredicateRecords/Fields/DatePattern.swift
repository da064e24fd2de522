// Parses dates in a format that the user gives: `--types when=dd.MM.yyyy`, `when=%d/%m/%Y`.

/// A pattern of Unicode date letters (`dd.MM.yyyy HH:mm`) or of strptime conversions (`%d/%m/%Y`). Letters in single
/// quotation marks are literal text. Month names are English. A date without a time zone is in UTC.
struct DatePattern: Sendable, Hashable {
    private enum Component: Sendable, Hashable {
        case text(UInt8)
        /// A letter of Unicode's patterns and how often it is repeated.
        case field(UInt8, Int)
    }

    /// Leading zeros may be missing, as with strptime: `%m/%d/%Y` reads 1/5/2026.
    private static let strptime: [Character: String] = [
        "Y": "yyyy", "y": "yy", "m": "M", "d": "d", "e": "d", "H": "H", "I": "h", "M": "m", "S": "s", "f": "S",
        "p": "a", "b": "MMM", "B": "MMMM", "a": "EEE", "A": "EEEE", "z": "Z", "F": "yyyy-M-d", "T": "H:m:s", "R": "H:m",
        "D": "M/d/yy",
    ]
    private static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]

    private var components: [Component] = []

    /// Parses a pattern; nil if it lacks a year or month, or has a letter that is not supported. Without a day, it reads
    /// the first one of the month.
    init?(_ text: String) {
        if text.contains("%") {
            var isField = false
            for character in text {
                if isField {
                    guard let field = Self.strptime[character] else { return nil }
                    add(field)
                } else if character != "%" {
                    components += String(character).utf8.map(Component.text)
                }
                isField = character == "%" && !isField
            }
        } else {
            add(text)
        }
        func has(_ letter: Character) -> Bool {
            components.contains { if case .field(letter.asciiValue, _) = $0 { true } else { false } }
        }
        let known = components.allSatisfy {
            if case .field(let letter, _) = $0 { "yMdHhmsSaEZX".utf8.contains(letter) } else { true }
        }
        guard known, has("y"), has("M"), has("h") == has("a") else { return nil }
    }

    private mutating func add(_ pattern: String) {
        var isQuoted = false
        var last: UInt8?
        for byte in pattern.utf8 {
            let isLetter = byte.isLetter
            if byte == UInt8(ascii: "'") {
                isQuoted.toggle()
            } else if isQuoted || !isLetter {
                components.append(.text(byte))
            } else if byte == last, case .field(_, let count)? = components.last {
                components[components.count - 1] = .field(byte, count + 1)
            } else {
                components.append(.field(byte, 1))
            }
            last = isLetter && !isQuoted ? byte : nil
        }
    }

    /// The seconds since 2001 for a text; nil if the text does not fit the pattern, or the day does not exist.
    func seconds(_ text: String) -> Double? {
        var reader = Reader(rest: Array(text.utf8)[...])
        for component in components {
            switch component {
            case .text(let byte): guard reader.rest.popFirst() == byte else { return nil }
            case .field(let letter, let count): guard reader.read(letter, count) else { return nil }
            }
        }
        return reader.rest.isEmpty ? reader.seconds : nil
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>
        private var date = CalendarDate(year: 2001, month: 1, day: 1)
        private var isAfternoon: Bool?
        private var zone = 0

        init(rest: ArraySlice<UInt8>) { self.rest = rest }

        var seconds: Double? {
            var date = date
            if let isAfternoon {
                guard (1...12).contains(date.hour) else { return nil }
                date.hour = date.hour % 12 + (isAfternoon ? 12 : 0)
            }
            guard date.hour < 24, date.minute < 60, date.second < 61 else { return nil }
            let day = CalendarDate(year: date.year, month: date.month, day: date.day)
            guard CalendarDate(secondsSince2001: day.secondsSince2001) == day else { return nil }
            return date.secondsSince2001 - Double(zone)
        }

        mutating func read(_ letter: UInt8, _ count: Int) -> Bool {
            switch letter {
            case UInt8(ascii: "y"):
                guard let year = digits(count...max(count == 2 ? 2 : 4, count)) else { return false }
                // As strptime does: 69 is 1969, 68 is 2068.
                date.year = count == 2 ? year + (year < 69 ? 2000 : 1900) : year
            case UInt8(ascii: "M") where count > 2: return readMonth(isShort: count == 3)
            case UInt8(ascii: "M"): return set({ $0.month = $1 }, count)
            case UInt8(ascii: "d"): return set({ $0.day = $1 }, count)
            case UInt8(ascii: "H"), UInt8(ascii: "h"): return set({ $0.hour = $1 }, count)
            case UInt8(ascii: "m"): return set({ $0.minute = $1 }, count)
            case UInt8(ascii: "s"):
                guard let second = digits(count...max(count, 2)) else { return false }
                date.second += Double(second)
            case UInt8(ascii: "S"):
                let before = rest.count
                guard let fraction = digits(count...9) else { return false }
                var scale = 1.0
                for _ in 0..<(before - rest.count) { scale *= 10 }
                date.second += Double(fraction) / scale
            case UInt8(ascii: "a"):
                let word = letters().lowercased()
                guard word == "am" || word == "pm" else { return false }
                isAfternoon = word == "pm"
            case UInt8(ascii: "E"): return !letters().isEmpty
            default: return readZone()
            }
            return true
        }

        private mutating func set(_ field: (inout CalendarDate, Int) -> Void, _ count: Int) -> Bool {
            guard let number = digits(count...max(count, 2)) else { return false }
            field(&date, number)
            return true
        }

        private mutating func readMonth(isShort: Bool) -> Bool {
            let word = letters().lowercased()
            guard let month = DatePattern.months.firstIndex(where: { (isShort ? String($0.prefix(3)) : $0) == word })
            else { return false }
            date.month = month + 1
            return true
        }

        private mutating func readZone() -> Bool {
            guard let sign = rest.popFirst() else { return false }
            if sign == UInt8(ascii: "Z") { return true }
            guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), let hours = digits(2...2), hours < 24 else {
                return false
            }
            if rest.first == UInt8(ascii: ":") { rest.removeFirst() }
            let minutes = digits(2...2) ?? 0
            zone = (hours * 3_600 + minutes * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
            return minutes < 60
        }

        private mutating func digits(_ allowed: ClosedRange<Int>) -> Int? {
            let found = rest.prefix(allowed.upperBound).prefix { $0.isDigit }
            guard found.count >= allowed.lowerBound else { return nil }
            rest = rest.dropFirst(found.count)
            return found.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }

        private mutating func letters() -> String {
            let found = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(found.count)
            return String(decoding: found, as: UTF8.self)
        }
    }
}
