// Checks whether a stored value fits its column in the schema: its storage class, its type, and whether SQL and
// memory treat it as the same value.
import PredicateModel
import PredicateSQL
import PredicateSyntax

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
            case .date: encoding?.isTimestamp ?? false ? ["text"] : ["real", "integer"]
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
                ? nil : (.missingValue, "holds NULL where the schema says that there is a value")
        }
        let stored = row.stored(column)
        if let storageClasses, !storageClasses.contains(stored.storageClass) {
            return (.storedType, "holds \(stored.storageClass) where the schema says \(typeName)")
        }
        if case .string = stored, !row.isUnicode(column) { return (.storedValue, "holds a text that is no UTF-8") }
        guard let value = row.value(column, kind) else {
            return (.storedValue, "holds \(stored.storageClass) that is no \(typeName)")
        }
        return oddity(value, stored).map { (.storedValue, $0) }
    }

    /// Describes a value that SQL and memory treat differently; nil if there is no difference.
    private func oddity(_ value: PredicateValue, _ stored: PredicateValue) -> String? {
        switch (value, stored) {
        case (.integer(let number), _):
            guard let range = attribute.range, !range.contains(number) else { return nil }
            return number < range.lowerBound
                ? "holds integers below \(range.lowerBound)" : "holds integers above \(range.upperBound)"
        case (.double, .integer(let number)), (.date, .integer(let number)):
            if let encoding {
                return encoding.stored(value) == number ? nil : "holds dates too far off to be told apart"
            }
            return Double(exactly: number) == nil ? "holds integers that no double is" : nil
        case (.uuid(let id), .string(let text)):
            return id.description == text ? nil : "holds UUIDs in another spelling than \(id)"
        case (.array(let elements), _):
            if case .collection(.list, let element) = attribute.type, !elements.allSatisfy({ element.kind.holds($0) }) {
                return "holds lists of other things than the schema says"
            }
            // json_each ends a text at U+0000.
            let hasNUL = elements.contains { if case .string(let text) = $0 { text.utf8.contains(0) } else { false } }
            return hasNUL ? "holds lists of texts with U+0000" : nil
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
    /// The storage class as `typeof` names it.
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

extension AttributeType {
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
