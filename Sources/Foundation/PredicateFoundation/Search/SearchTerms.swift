// Splits the text of a search field into terms, and parses numbers and ranges. Never fails.
import Foundation

/// A part of a search: a word, a quoted text, or `key:value`; each may be excluded.
struct SearchTerm {
    var isExcluded = false
    /// The word before a colon.
    var key: String?
    /// The text after the colon, or the whole text if there is no key.
    var value = ""

    /// The text to search for if there is no key with this name.
    var whole: String { key.map { $0 + ":" + value } ?? value }

    static let answers = ["yes": true, "true": true, "1": true, "no": false, "false": false, "0": false]

    static func terms(of text: String) -> [SearchTerm] {
        var terms: [SearchTerm] = []
        var rest = text[...]
        while let start = rest.firstIndex(where: { !$0.isWhitespace }) {
            rest = rest[start...]
            var term = SearchTerm()
            if rest.first == "-", rest.dropFirst().first?.isWhitespace == false {
                term.isExcluded = true
                rest = rest.dropFirst()
            }
            term.read(&rest)
            if term.key != nil || !term.value.isEmpty && term.value != "-" { terms.append(term) }
        }
        return terms
    }

    /// Reads up to the next space outside of quotes. An unclosed quote ends at the end of the text.
    private mutating func read(_ rest: inout Substring) {
        var isQuoted = false
        var hadQuote = false
        while let character = rest.first, isQuoted || !character.isWhitespace {
            rest = rest.dropFirst()
            if character == "\"" {
                (isQuoted, hadQuote) = (!isQuoted, true)
            } else if character == ":", !hadQuote, key == nil, !value.isEmpty {
                (key, value) = (value, "")
            } else {
                value.append(character)
            }
        }
    }

    /// Parses an integer, else a double.
    static func number(_ text: String) -> PredicateValue? {
        if let integer = Int64(text) { return .integer(integer) }
        guard let double = Double(text), double.isFinite else { return nil }
        return .double(double)
    }

    /// The bounds of `5`, `>5`, `<=5`, `5..9`, `5..`, `..9`; nil if `read` cannot parse a part.
    func bounds<Bound>(_ read: (String) -> SearchBounds<Bound>?) -> SearchBounds<Bound>? {
        if let dots = value.range(of: "..") {
            let (first, last) = (String(value[..<dots.lowerBound]), String(value[dots.upperBound...]))
            let (lower, upper) = (read(first), read(last))
            if lower == nil && !first.isEmpty || upper == nil && !last.isEmpty || first.isEmpty && last.isEmpty {
                return nil
            }
            return SearchBounds(lower: lower?.lower, upper: upper?.upper)
        }
        // Longer signs first.
        for sign in [">=", "<=", ">", "<"] where value.hasPrefix(sign) {
            guard let known = read(String(value.dropFirst(sign.count))) else { return nil }
            return known.side(isLower: sign.hasPrefix(">"), isStrict: sign.count == 1)
        }
        return read(value)
    }
}

/// A range of numbers or dates; one end may be open.
struct SearchBounds<Bound> {
    var lower: Bound?
    var upper: Bound?
    var excludesLower = false
    var excludesUpper = false
    /// Whether the upper bound is exclusive because it is the end of a period.
    var isPeriod = false

    /// The bounds for a comparison sign: values below or above this range, including the range itself unless
    /// `isStrict`.
    fileprivate func side(isLower: Bool, isStrict: Bool) -> SearchBounds {
        isLower
            ? SearchBounds(lower: isStrict ? upper : lower, excludesLower: isStrict && !isPeriod)
            : SearchBounds(upper: isStrict ? lower : upper, excludesUpper: isStrict)
    }
}

extension SearchBounds<Date> {
    /// The period of `today`, `yesterday`, `tomorrow`, `2024`, `2024-05`, `2024-05-17`.
    init?(period text: String, _ calendar: Calendar, _ now: Date) {
        let days = ["yesterday": -1, "today": 0, "tomorrow": 1]
        var start: Date?
        var unit = Calendar.Component.day
        if let offset = days[text.lowercased()] {
            start = calendar.date(byAdding: .day, value: offset, to: calendar.startOfDay(for: now))
        } else {
            let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
            guard (1...3).contains(parts.count), (1...9999).contains(parts[0]), !parts.contains(-1),
                text.prefix(while: { $0 != "-" }).count == 4
            else { return nil }
            unit = [.year, .month, .day][parts.count - 1]
            let month = parts.count > 1 ? parts[1] : 1
            let day = parts.count > 2 ? parts[2] : 1
            let date = DateComponents(calendar: calendar, year: parts[0], month: month, day: day)
            guard (1...12).contains(month), date.isValidDate(in: calendar) else { return nil }
            start = calendar.date(from: date)
        }
        guard let start, let end = calendar.date(byAdding: unit, value: 1, to: start) else { return nil }
        self.init(lower: start, upper: end, isPeriod: true)
    }
}
