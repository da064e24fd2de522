// `--types dueDate=date,price=decimal`: converts fields of formats that lack these types. FieldType.swift has the
// types.

/// The reason why a field cannot be converted, or why the option cannot be parsed.
package struct FieldTypeProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package let message: String
    /// The CSV column whose type was inferred before this field was read.
    package var column: String?
    package var description: String { message }
}

/// Which fields are converted, and to which types. A dotted name refers to fields of nested dictionaries and,
/// through arrays, of each element.
package struct FieldTypes: Sendable, Hashable {
    private var entries: [Entry] = []

    private struct Entry: Sendable, Hashable {
        let path: FieldPath
        let type: FieldType
    }

    /// No conversions.
    package init() {}

    package var isEmpty: Bool { entries.isEmpty }

    /// The field names, used to warn about names that no record has.
    package var names: [String] { entries.map { $0.path.name } }

    /// Reads `dueDate=date,price=decimal`; the types are those of `fieldNames`.
    /// - Throws: `FieldTypeProblem` for text of another form or an unknown type.
    package init(_ text: String) throws(FieldTypeProblem) {
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.split(separator: "=", omittingEmptySubsequences: false)
            guard pair.count == 2, let path = FieldPath.list(String(pair[0]))?.first else {
                throw FieldTypeProblem(message: "'\(part)' is not of the form name=type")
            }
            guard let type = FieldType(String(pair[1])) else {
                let known = ExpressionType.Kind.fieldNames.joined(separator: ", ")
                throw FieldTypeProblem(
                    message: "'\(pair[1])' is not a type; the types are \(known), and for dates in another form "
                        + "unix, unix-ms, 2001 or a pattern such as dd.MM.yyyy")
            }
            entries.append(Entry(path: path, type: type))
        }
    }

    /// A checker of records whose other fields have any type.
    package func checker(_ environment: PredicateEnvironment) -> TypeChecker? {
        var record = PredicateSchema.Entity("record")
        for entry in entries where !record.attributes.contains(where: { $0.name == entry.path.name }) {
            record.attributes.append(.init(entry.path.name, entry.type.type, isOptional: true))
        }
        guard !isEmpty, let schema = try? PredicateSchema([record]) else { return nil }
        let rows = ExpressionType(.collection(.record("record"), of: .any))
        return TypeChecker(rows: rows, schema: schema, in: environment, reportsTypes: true)
    }

    /// The type of a CSV column, or nil.
    func type(named name: String) -> FieldType? { entries.last { $0.path.name == name }?.type }

    /// Converts the fields of a record. Missing fields stay missing.
    /// - Throws: `FieldTypeProblem` with the name of the field that cannot be converted.
    package func convert(
        _ record: PredicateValue, keepsDecimals: Bool = false
    ) throws(FieldTypeProblem) -> PredicateValue {
        var record = record
        for entry in entries {
            if case .dictionary(let dictionary) = record, dictionary[entry.path.name] != nil {
                record = try convert(record, [entry.path.name][...], entry)
            } else {
                record = try convert(record, entry.path.components[...], entry)
            }
        }
        return hasDecimals && !keepsDecimals && Self.hasFraction(record) ? rounded(record, []) : record
    }

    /// Whether a field is a decimal, so that JSON numbers must keep all their digits.
    var hasDecimals: Bool { entries.contains { $0.type.type == .decimal } }

    private static func hasFraction(_ value: PredicateValue) -> Bool {
        switch value {
        case .decimal(let number): number.exponent < 0
        case .array(let elements): elements.contains(where: hasFraction)
        case .dictionary(let dictionary): dictionary.values.contains(where: hasFraction)
        default: false
        }
    }

    /// Converts the decimals of all other fields to doubles, as they are without `keepsDecimals`.
    private func rounded(_ value: PredicateValue, _ path: [String]) -> PredicateValue {
        switch value {
        case .decimal(let number) where number.exponent < 0:
            let isTyped = entries.contains {
                $0.type.type == .decimal && ($0.path.components == path || [$0.path.name] == path)
            }
            return isTyped ? value : .double(Double(number.description) ?? .nan)
        case .array(let elements): return .array(elements.map { rounded($0, path) })
        case .dictionary(let dictionary):
            let values = zip(dictionary.keys, dictionary.values).map { rounded($1, path + [$0]) }
            return .dictionary(ValueDictionary(shape: dictionary.shape, values: values))
        default: return value
        }
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
