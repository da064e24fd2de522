// The type of a field, and the conversion of values to it. Texts are never guessed to be dates.

extension ExpressionType.Kind {
    /// The names of the types that a field can be converted to, as in schema files: only types of single values.
    ///
    /// A Boolean is read from true/false, yes/no, 1/0. A date is read from ISO 8601 text (`CalendarDate`) unless
    /// another format is given. Data is read from Base64 text.
    package static let fieldNames = named.filter { $0.type != .any && ExpressionType($0.type).element == nil }.map(
        { $0.name })

    /// The type of `fieldNames` with a name.
    package static func ofField(_ name: String) -> Self? {
        fieldNames.contains(name) ? named.first { $0.name == name }?.type : nil
    }
}

extension ExpressionType.Kind {
    /// Converts a value of a file to this type.
    ///
    /// - Throws: `FieldTypeProblem` with the name of the field if the value cannot be converted.
    package func converted(
        _ value: PredicateValue, field: String
    ) throws(FieldTypeProblem) -> PredicateValue {
        switch (self, value) {
        // A column without dates stores the seconds since the reference date.
        case (.double, .date(let seconds)): .double(seconds)
        case (.collection(_, let element), _): try element.kind.converted(value, field: field)
        default: try FieldType(self).convert(value, field: field)
        }
    }

    /// Why a value does not fit this type.
    package func problem(_ value: PredicateValue, field: String) -> FieldTypeProblem {
        FieldType(self).problem(value, field: field)
    }
}

/// A type that a field can be converted to: `date`, `decimal`, `unix`, `dd.MM.yyyy`.
struct FieldType: Sendable, Hashable {
    private enum DateFormat: Sendable, Hashable {
        case iso8601
        /// A number of seconds times `scale`, counted from `epoch` seconds before 2001.
        case number(epoch: Double, scale: Double)
        case pattern(DatePattern)
    }

    let type: ExpressionType.Kind
    private var dateFormat = DateFormat.iso8601

    fileprivate init(_ type: ExpressionType.Kind) { self.type = type }

    /// The type with a name; nil if there is none.
    init?(_ name: String) {
        if let known = ExpressionType.Kind.ofField(name) {
            type = known
            return
        }
        type = .date
        let form = name.hasPrefix("date:") ? String(name.dropFirst(5)) : name
        switch form {
        case "unix": dateFormat = .number(epoch: 978_307_200, scale: 1)
        case "unix-ms": dateFormat = .number(epoch: 978_307_200, scale: 1000)
        case "2001": dateFormat = .number(epoch: 0, scale: 1)
        default:
            guard let pattern = DatePattern(form) else { return nil }
            dateFormat = .pattern(pattern)
        }
    }

    /// Converts a value. nil stays nil; the elements of an array are converted one by one.
    func convert(_ value: PredicateValue, field: String) throws(FieldTypeProblem) -> PredicateValue {
        switch value {
        case .null, .nsNull: return value
        case .array(let elements):
            return .array(try elements.map { (element) throws(FieldTypeProblem) in try convert(element, field: field) })
        default:
            if let converted = convert(value) { return converted }
            throw problem(value, field: field)
        }
    }

    fileprivate func problem(_ value: PredicateValue, field: String) -> FieldTypeProblem {
        let name =
            switch type {
            case .any: "single value"
            case .collection(_, let element): "list of \(element.kind.nameForMessages)s"
            default: type.nameForMessages
            }
        let article = type == .integer ? "an" : "a"
        let isNumber = type == .date && dateFormat == .iso8601 && number(value) != nil
        let advice = isNumber ? "; numbers are read as dates by \(field)=unix, =unix-ms or =2001" : ""
        return FieldTypeProblem(message: "the field '\(field)' is not \(article) \(name): \(shortened(value))\(advice)")
    }

    private func convert(_ value: PredicateValue) -> PredicateValue? {
        switch type {
        case .boolean: boolean(value)
        case .integer: integer(value)
        case .double: number(value).map(PredicateValue.double)
        case .decimal: decimal(value)
        case .string: text(value).map(PredicateValue.string)
        case .date: date(value)
        case .data: same(value) { Base64.bytes($0).map(PredicateValue.data) }
        case .uuid: same(value) { UniversalID($0).map(PredicateValue.uuid) }
        case .url: same(value) { $0.isEmpty ? nil : .url($0) }
        case .any, .null, .number, .entity, .collection: value
        }
    }

    /// Returns a value that already has the type, else what a text is converted to. Property lists contain dates and
    /// data, archives also UUIDs and URLs.
    private func same(_ value: PredicateValue, _ convert: (String) -> PredicateValue? = { _ in nil }) -> PredicateValue?
    {
        switch (type, value) {
        case (_, .string(let text)): convert(text)
        case (.date, .date), (.data, .data), (.uuid, .uuid), (.url, .url): value
        default: nil
        }
    }

    private func boolean(_ value: PredicateValue) -> PredicateValue? {
        switch value {
        case .bool: value
        case .integer(0), .string("0"): .bool(false)
        case .integer(1), .string("1"): .bool(true)
        case .string(let text): BooleanWords.value(of: text).map(PredicateValue.bool)
        default: nil
        }
    }

    private func integer(_ value: PredicateValue) -> PredicateValue? {
        switch value {
        case .integer: value
        case .bool(let flag): .integer(flag ? 1 : 0)
        case .double(let number): Int64(exactly: number).map(PredicateValue.integer)
        case .string(let text): Int64(text).map(PredicateValue.integer)
        default: nil
        }
    }

    private func number(_ value: PredicateValue) -> Double? {
        switch value {
        case .integer(let number): return Double(number)
        case .float(let number): return Double(number)
        case .double(let number): return number
        case .decimal(let number): return Double(number.description)
        case .string(let text):
            // Accept only these characters: `Double` would also read "inf", "nan" and hexadecimal numbers.
            guard text.utf8.allSatisfy({ $0.isDigit || "+-.eE".utf8.contains($0) }) else { return nil }
            return Double(text).flatMap { $0.isFinite ? $0 : nil }
        default: return nil
        }
    }

    private func decimal(_ value: PredicateValue) -> PredicateValue? {
        switch value {
        case .decimal: value
        case .integer(let number): .decimal(DecimalNumber(number))
        case .double(let number): DecimalNumber(number.description).map(PredicateValue.decimal)
        case .string(let text): DecimalNumber(text).map(PredicateValue.decimal)
        default: nil
        }
    }

    private func date(_ value: PredicateValue) -> PredicateValue? {
        if let date = same(value) { return date }
        let seconds: Double? =
            switch (dateFormat, value) {
            case (.iso8601, .string(let text)): CalendarDate.seconds(iso8601: text)
            case (.pattern(let pattern), .string(let text)): pattern.seconds(text)
            case (.number(let epoch, let scale), _): number(value).map { $0 / scale - epoch }
            default: nil
            }
        return seconds.map(PredicateValue.date)
    }

    private func text(_ value: PredicateValue) -> String? {
        switch value {
        case .string(let text), .url(let text): text
        case .bool, .integer, .float, .double, .decimal: JSON.text(value)
        case .date(let seconds): CalendarDate.iso8601(seconds)
        case .uuid(let value): value.description
        default: nil
        }
    }

    private func shortened(_ value: PredicateValue) -> String {
        let text = JSON.text(value)
        return text.count > 40 ? text.prefix(39) + "…" : text
    }
}
