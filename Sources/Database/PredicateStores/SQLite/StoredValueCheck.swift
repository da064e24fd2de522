// Checks whether a stored value fits its column in the schema: its storage class, its type, and whether SQL and memory
// treat it as the same value.

struct StoredValueCheck {
    let attribute: PredicateSchema.Attribute
    private let encoding: Encoding?
    private let kind: ColumnKind
    /// The allowed results of `typeof`; nil allows all.
    private let storageClasses: Set<String>?

    init(_ attribute: PredicateSchema.Attribute) {
        self.attribute = attribute
        encoding = Encoding(attribute)
        kind = encoding.map(ColumnKind.encoded) ?? ColumnKind(attribute.type)
        storageClasses =
            switch attribute.type {
            case .boolean, .integer: ["integer"]
            case .double: ["real", "integer"]
            case .date: encoding?.isText ?? false ? ["text"] : ["real", "integer"]
            case .decimal: ["text", "integer"]
            case .string, .uuid, .url, .collection: ["text"]
            case .data: ["blob"]
            case .any, .null, .number, .entity: nil
            }
    }

    private var typeName: String { attribute.type.nameForMessages }

    func fault(_ row: SQLiteRow, _ column: Int32) -> (kind: StoreViolation.Kind, sentence: String)? {
        if row.isNull(column) {
            return attribute.isOptional
                ? nil : (.missingValue, "has NULL, but the schema says that it is not optional")
        }
        if !row.isUnicode(column) { return (.storedValue, "has text that is not UTF-8") }
        let stored = row.stored(column)
        if let storageClasses, !storageClasses.contains(stored.storageClass) {
            return (.storedType, "has \(stored.storageClass), but the schema says \(typeName)")
        }
        guard let value = row.value(column, kind) else {
            return (.storedValue, "has \(stored.storageClass) that is not a valid \(typeName)")
        }
        return oddity(value, stored).map { (.storedValue, $0) }
    }

    /// Describes why SQL and memory treat a value differently; nil if they treat it alike.
    private func oddity(_ value: PredicateValue, _ stored: PredicateValue) -> String? {
        switch (value, stored) {
        case (.integer(let number), _):
            guard let range = attribute.range, !range.contains(number) else { return nil }
            return number < range.lowerBound
                ? "has integers below \(range.lowerBound)" : "has integers above \(range.upperBound)"
        case (.double, .integer(let number)), (.date, .integer(let number)):
            if let encoding, !encoding.isDouble {
                return encoding.stored(value) == number ? nil : "has dates that a double cannot distinguish"
            }
            return Double(exactly: number) == nil ? "has integers that a double cannot represent" : nil
        case (.uuid(let id), .string(let text)):
            return id.description == text ? nil : "has UUIDs that are not spelled like \(id)"
        case (.array(let elements), _):
            if case .collection(.list, let element) = attribute.type, !elements.allSatisfy({ element.kind.holds($0) }) {
                return "has lists with elements of another type"
            }
            // json_each ends a text at U+0000.
            let hasNUL = elements.contains { if case .string(let text) = $0 { text.utf8.contains(0) } else { false } }
            return hasNUL ? "has lists of texts with U+0000" : nil
        default: return nil
        }
    }

    /// Whether a folded column holds the folded text.
    func folds(_ row: SQLiteRow, _ column: Int32, _ options: ComparisonOptions, _ fold: Int32) -> Bool {
        if row.isNull(column) { return row.isNull(fold) }
        guard case .string(let text) = row.stored(fold) else { return false }
        return text.utf8.elementsEqual(StringFold.fold(row.text(column), options).utf8)
    }
}

extension PredicateValue {
    /// The storage class, named as `typeof` names it.
    fileprivate var storageClass: String {
        switch self {
        case .integer: "integer"
        case .double: "real"
        case .string: "text"
        case .data: "blob"
        default: "null"
        }
    }
}

extension ExpressionType.Kind {
    /// Whether an element of a list is nil or has the type.
    fileprivate func holds(_ value: PredicateValue) -> Bool {
        switch (self, value) {
        case (.any, _), (_, .null), (.boolean, .bool), (.integer, .integer), (.double, .integer), (.double, .double),
            (.string, .string), (.decimal, .decimal), (.decimal, .integer):
            true
        case (.integer, _), (.double, _), (.string, _), (.boolean, _): false
        default: true
        }
    }
}
