// `--types dueDate=date,price=decimal`: converts fields of formats that have no such values. Nothing is guessed
// to be a date.

package import PredicateModel
public import PredicateSyntax

extension AttributeType {
    /// The names of the types that a field can be converted to, as in schema files: those of single values.
    ///
    /// A Boolean is read from true/false, yes/no, 1/0; a date from ISO 8601 text (`CalendarDate`) or a number of seconds since
    /// 2001-01-01 UTC; data from Base64 text.
    package static let fieldNames = named.filter { $0.type != .any && ExpressionType($0.type).element == nil }.map(
        \.name)

    /// The type of a field by its name; nil if there is none.
    fileprivate init?(field name: String) {
        guard Self.fieldNames.contains(name), let known = Self.named.first(where: { $0.name == name }) else {
            return nil
        }
        self = known.type
    }

    /// Converts a value. nil stays nil; the elements of an array are converted one by one.
    func convert(_ value: PredicateValue, field: String) throws(FieldTypeProblem) -> PredicateValue {
        switch value {
        case .null, .nsNull: return value
        case .array(let elements):
            return .array(try elements.map { (element) throws(FieldTypeProblem) in try convert(element, field: field) })
        default:
            if let converted = convert(value) { return converted }
            let name = Self.named.first { $0.type == self }?.name ?? "value"
            let article = self == .integer ? "an" : "a"
            throw FieldTypeProblem(message: "the field '\(field)' is not \(article) \(name): \(shortened(value))")
        }
    }

    private func convert(_ value: PredicateValue) -> PredicateValue? {
        switch self {
        case .boolean: boolean(value)
        case .integer: integer(value)
        case .double: number(value).map(PredicateValue.double)
        case .decimal: decimal(value)
        case .string: text(value).map(PredicateValue.string)
        case .date: date(value)
        case .data:
            if case .string(let text) = value { Base64.bytes(text).map(PredicateValue.data) } else { same(value) }
        case .uuid:
            if case .string(let text) = value { UniversalID(text).map(PredicateValue.uuid) } else { same(value) }
        case .url:
            if case .string(let text) = value { text.isEmpty ? nil : .url(text) } else { same(value) }
        case .any, .null, .number, .entity, .collection: value
        }
    }

    /// Returns a value that has the type already: property lists hold dates and data, archives also UUIDs and
    /// URLs.
    private func same(_ value: PredicateValue) -> PredicateValue? {
        switch (self, value) {
        case (.date, .date), (.data, .data), (.uuid, .uuid), (.url, .url): value
        default: nil
        }
    }

    private func boolean(_ value: PredicateValue) -> PredicateValue? {
        switch value {
        case .bool: return value
        case .integer(0), .string("0"): return .bool(false)
        case .integer(1), .string("1"): return .bool(true)
        case .string(let text):
            switch text.lowercased() {
            case "true", "yes": return .bool(true)
            case "false", "no": return .bool(false)
            default: return nil
            }
        default: return nil
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
            guard text.utf8.allSatisfy({ $0 &- 0x30 < 10 || "+-.eE".utf8.contains($0) }) else { return nil }
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
        if case .string(let text) = value, let seconds = CalendarDate.seconds(iso8601: text) { return .date(seconds) }
        return same(value) ?? number(value).map(PredicateValue.date)
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

/// Why a field cannot be converted, or why the option cannot be read.
public struct FieldTypeProblem: Error, Hashable, Sendable, CustomStringConvertible {
    public let message: String
    public var description: String { message }
}

/// Which fields are converted, and to which types. A dotted name refers to fields of nested dictionaries and,
/// through arrays, of each element.
public struct FieldTypes: Sendable, Hashable {
    private var entries: [Entry] = []

    private struct Entry: Sendable, Hashable {
        let path: FieldPath
        let type: AttributeType
    }

    /// No conversions.
    public init() {}

    public var isEmpty: Bool { entries.isEmpty }

    /// The field names, used to warn about names that no record has.
    public var names: [String] { entries.map(\.path.name) }

    /// Reads `dueDate=date,price=decimal`; the types are those of `fieldNames`.
    /// - Throws: `FieldTypeProblem` for text of another form or an unknown type.
    public init(_ text: String) throws(FieldTypeProblem) {
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.split(separator: "=", omittingEmptySubsequences: false)
            guard pair.count == 2, let path = FieldPath.list(String(pair[0]))?.first else {
                throw FieldTypeProblem(message: "'\(part)' is not of the form name=type")
            }
            guard let type = AttributeType(field: String(pair[1])) else {
                let known = AttributeType.fieldNames.joined(separator: ", ")
                throw FieldTypeProblem(message: "'\(pair[1])' is not a type; the types are \(known)")
            }
            entries.append(Entry(path: path, type: type))
        }
    }

    /// The type of a CSV column, or nil.
    func type(named name: String) -> AttributeType? { entries.last { $0.path.name == name }?.type }

    /// Converts the fields of a record. Missing fields stay missing.
    /// - Throws: `FieldTypeProblem` with the name of the field that cannot be converted.
    public func convert(_ record: PredicateValue) throws(FieldTypeProblem) -> PredicateValue {
        var record = record
        for entry in entries {
            if case .dictionary(let dictionary) = record, dictionary[entry.path.name] != nil {
                record = try convert(record, [entry.path.name][...], entry)
            } else {
                record = try convert(record, entry.path.components[...], entry)
            }
        }
        return record
    }

    private func convert(
        _ value: PredicateValue, _ components: ArraySlice<String>, _ entry: Entry
    ) throws(FieldTypeProblem) -> PredicateValue {
        guard let key = components.first else { return try entry.type.convert(value, field: entry.path.name) }
        switch value {
        case .array(let elements):
            return .array(
                try elements.map { (element) throws(FieldTypeProblem) in try convert(element, components, entry) })
        case .dictionary(let dictionary):
            guard let position = dictionary.keys.firstIndex(of: key) else { return value }
            var values = dictionary.values
            values[position] = try convert(values[position], components.dropFirst(), entry)
            return .dictionary(ValueDictionary(shape: dictionary.shape, values: values))
        default:
            return value
        }
    }
}
