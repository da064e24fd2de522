// `--file-key KEY`: each record has the name of its file, as one of its keys.

/// Adds the name of a file to its records.
final class FileNameField {
    let key: String
    private let name: PredicateValue
    /// A cache: the keys of the last record, without and with this one.
    private var shapes: (own: ValueDictionary.Shape, all: ValueDictionary.Shape)?

    init?(_ source: RecordInput) {
        guard let key = source.fileKey else { return nil }
        self.key = key
        name = .string(source.name)
    }

    /// - Throws: `FieldTypeProblem` for a record that has the key already, or has no keys.
    func added(to record: PredicateValue) throws(FieldTypeProblem) -> PredicateValue {
        guard case .dictionary(let fields) = record else {
            throw FieldTypeProblem(message: "--file-key is for records with keys, not for \(record.typeDescription)")
        }
        if shapes?.own !== fields.shape {
            if fields[key] != nil {
                throw FieldTypeProblem(message: "there is a key '\(key)' already: name another one by --file-key")
            }
            if KeyedArchive.isArchive(record) {
                throw FieldTypeProblem(message: "--file-key is for records, not for a keyed archive")
            }
            shapes = (fields.shape, ValueDictionary.Shape(fields.keys + [key]))
        }
        guard let shape = shapes?.all else { return record }
        return .dictionary(ValueDictionary(shape: shape, values: fields.values + [name]))
    }
}
