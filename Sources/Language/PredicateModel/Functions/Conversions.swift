// CAST (LANGUAGE 4.5): conversion to four classes. The class names are only compared, never looked up.

/// The classes of CAST. Plans and SQL choose the conversion by these cases.
package enum CastType: String, CaseIterable, Sendable {
    case number = "NSNumber"
    case text = "NSString"
    case date = "NSDate"
    case decimal = "NSDecimalNumber"

    /// The kind of the result; nil for a type that cannot be converted.
    func result(of type: ExpressionType) -> ExpressionType.Kind? {
        let isText = type.kind == .string || type.kind == .any
        return switch self {
        case .number: type.isNumber ? type.kind : type.kind == .date ? .double : isText ? .number : nil
        case .text: isText || type.isNumber || type.kind == .url || type.kind == .uuid ? .string : nil
        case .date: isText || type.isNumber || type.kind == .date ? .date : nil
        case .decimal: isText || type.isNumber ? .decimal : nil
        }
    }
}

/// The conversions of `CAST(value, "NSNumber")`.
package enum Conversions {
    /// The class names that CAST accepts.
    package static let types = CastType.allCases.map { $0.rawValue }

    /// Converts a value. nil stays nil.
    /// - Throws: `refused-cast` for any other class; `cast-failed` for a value that cannot be converted.
    package static func cast(_ value: PredicateValue, to type: String) throws(EvaluationFault) -> PredicateValue {
        guard let cast = CastType(rawValue: type) else { throw EvaluationFault(.refusedCast, type) }
        if value.isNil { return .null }
        let result: PredicateValue? =
            switch cast {
            case .number: number(value)
            case .text: text(value).map(PredicateValue.string)
            case .date: date(value)
            case .decimal: decimal(value)
            }
        guard let result else { throw EvaluationFault(.castFailed, shown(value), type) }
        return result
    }

    private static func shown(_ value: PredicateValue) -> String {
        guard case .string(let text) = value else { return value.typeDescription }
        return "the text '\(text.count > 40 ? text.prefix(40) + "…" : text[...])'"
    }

    private static func number(_ value: PredicateValue) -> PredicateValue? {
        switch value {
        case .bool, .integer, .float, .double, .decimal: value
        case .date(let seconds): .double(seconds)
        case .string(let text): number(text)
        default: nil
        }
    }

    /// Parses an integer with C's prefixes: `0x1F`, `017` (octal), `31`. With a fraction or an exponent the
    /// number is decimal.
    static func number(_ text: String) -> PredicateValue? {
        var digits = text.trimmingSpaces[...]
        let negative = digits.hasPrefix("-")
        if negative || digits.hasPrefix("+") { digits = digits.dropFirst() }
        let radix: Int
        if digits.hasPrefix("0x") || digits.hasPrefix("0X") {
            radix = 16
            digits = digits.dropFirst(2)
        } else if digits.count > 1, digits.hasPrefix("0"), digits.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }) {
            radix = 8
        } else {
            radix = 10
        }
        guard let first = digits.utf8.first, first != UInt8(ascii: "-"), first != UInt8(ascii: "+") else { return nil }
        if let value = Int64((negative ? "-" : "") + digits, radix: radix) { return .integer(value) }
        return radix == 10 ? DecimalNumber((negative ? "-" : "") + digits).map(PredicateValue.decimal) : nil
    }

    private static func decimal(_ value: PredicateValue) -> PredicateValue? {
        switch value {
        case .bool, .integer, .decimal: value.exactDecimal.map(PredicateValue.decimal)
        case .float(let number): DecimalNumber(number.description).map(PredicateValue.decimal)
        case .double(let number): DecimalNumber(number).map(PredicateValue.decimal)
        case .string(let text): DecimalNumber(text.trimmingSpaces).map(PredicateValue.decimal)
        default: nil
        }
    }

    /// The text of a value. Numbers have the form of NSNumber's `stringValue`: `1.5`, and `5` also for 5.0.
    package static func text(_ value: PredicateValue) -> String? {
        switch value {
        case .string(let text), .url(let text): text
        case .bool(let flag): flag ? "1" : "0"
        case .integer(let number): String(number)
        case .float(let number): plain(number.description)
        case .double(let number): plain(number.description)
        case .decimal(let number): number.description
        case .uuid(let id): id.description
        default: nil
        }
    }

    private static func plain(_ text: String) -> String { text.hasSuffix(".0") ? String(text.dropLast(2)) : text }

    private static func date(_ value: PredicateValue) -> PredicateValue? {
        if case .date = value { return value }
        if case .string(let text) = value { return CalendarDate.seconds(iso8601: text).map(PredicateValue.date) }
        return value.doubleValue.map(PredicateValue.date)
    }
}
