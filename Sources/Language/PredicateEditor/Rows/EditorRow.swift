// A row of a filter. RowConditions.swift makes its tree, EditorForm.swift its JSON.

/// A row: a field, an operator and a value.
///
///     let row = EditorRow("title", .containsCD, "swift")
///     let recent = EditorRow("dateAdded", .inTheLast, EditorPeriod(7, .days).value)
///
/// A row may be incomplete while a person edits it: `problem(_:)` says why, and predicates are made without it.
///
/// Rows are equal if they are the same condition. The `id` does not count: an editor can ask whether a filter differs
/// from the saved one, and a filter that was read again is equal to the one that was written.
public struct EditorRow: Sendable, Hashable, Identifiable {
    /// The key path of the field.
    public var field: String
    public var `operator`: EditorOperator
    /// What was entered: a Boolean, a number or a text, a list of these, or that of an `EditorPeriod`; `.null` if
    /// nothing was. A text is read as the field's kind: `"42"` in a field of numbers, `"2024-05-01"` in one of dates.
    ///
    /// Values of other types become texts: a date the text of ISO 8601 in UTC, a decimal its digits.
    public var value: PredicateValue { didSet { value = Self.plain(value) } }
    /// Whether the value is the key path of another field, with which the field is compared.
    public var comparesFields: Bool
    /// How many elements of a to-many field must fulfil the condition; nil is `any`.
    public var quantifier: EditorQuantifier?
    /// Whether the row is switched off: it stays in the filter, and predicates are made without it.
    public var isMuted: Bool
    var identity = EditorIdentity()

    /// Identifies the row in a list. Edits, and coding of rows that were decoded with an id, keep it.
    public var id: String { identity.id }

    public init(
        _ field: String, _ operator: EditorOperator, _ value: PredicateValue = .null, comparesFields: Bool = false,
        quantifier: EditorQuantifier? = nil, isMuted: Bool = false
    ) {
        self.field = field
        self.operator = `operator`
        self.value = Self.plain(value)
        self.comparesFields = comparesFields
        self.quantifier = quantifier
        self.isMuted = isMuted
    }

    /// The value in the types of JSON, so that a stored row is equal to the row.
    static func plain(_ value: PredicateValue) -> PredicateValue {
        switch value {
        case .null, .nsNull, .type, .object: .null
        case .bool, .integer, .string: value
        // JSON does not distinguish 2.0 from 2.
        case .double(let number):
            number.magnitude < 0x1p53 && number == number.rounded() && !(number == 0 && number.sign == .minus)
                ? .integer(Int64(number)) : number.isFinite ? value : .string(number.description)
        case .float(let number): plain(.double(Double(number)))
        case .date(let seconds): CalendarDate.iso8601(seconds).map { .string($0) } ?? .null
        case .decimal(let number): .string(number.description)
        case .uuid(let id): .string(id.description)
        case .url(let text): .string(text)
        case .data(let bytes): .string(Base64.text(bytes))
        case .array(let values), .set(let values): .array(values.map { plain($0) })
        case .dictionary(let dictionary):
            .dictionary(ValueDictionary(shape: dictionary.shape, values: dictionary.values.map { plain($0) }))
        }
    }
}

// MARK: - Editing

extension EditorRow {
    /// The value as a text, for a text field: empty without a value; a list with commas, and `\,` for a comma in a
    /// value.
    public var text: String {
        get {
            guard case .array = value else { return texts.first ?? "" }
            return texts.map { $0.replacing(",", with: "\\,") }.joined(separator: ", ")
        }
        set { value = newValue.isEmpty ? .null : .string(newValue) }
    }

    /// The values of a list or the two bounds as texts, for a text field each.
    public var texts: [String] {
        get {
            switch value {
            case .null: []
            case .array(let values): values.map { $0.isNil ? "" : $0.text }
            default: [value.text]
            }
        }
        set { value = .array(newValue.map { .string($0) }) }
    }

    /// The value of `inTheLast` and `inTheNext`; nil for other values.
    public var period: EditorPeriod? {
        get { EditorPeriod(value) }
        set { value = newValue?.value ?? .null }
    }

    /// Changes the field. The operator stays if the new field has it, else it is the first of the new field; so does
    /// the value if the new field can have it, else it is removed.
    public mutating func changeField(to keyPath: String, _ fields: EditorFields) {
        field = keyPath
        guard let found = fields[keyPath] else { return }
        if !found.fits(`operator`) { `operator` = found.operators.first ?? .equal }
        quantifier = found.list == nil ? nil : quantifier ?? .any
        changeOperator(to: `operator`, fields)
        let entered = if case .array(let values) = value { values } else { [value] }
        let allowed = found.choices.map { $0.value }
        if !allowed.isEmpty, !entered.allSatisfy(allowed.contains) { value = .null }
    }

    /// Changes the operator. The value stays if the operator can have it; a single value becomes the first of a list or
    /// of two bounds, and the first of these becomes the single value.
    public mutating func changeOperator(to new: EditorOperator, _ fields: EditorFields) {
        `operator` = new
        let values = if case .array(let values) = value { values } else { [value] }
        let first = values.first ?? .null
        switch new.operands {
        case .none: value = .null
        case .one: value = first
        case .list: value = first.isNil ? .null : .array(values.filter { !$0.isNil })
        case .bounds: if values.count != 2 { value = first.isNil ? .null : [first, .null] }
        case .period: if period == nil { period = EditorPeriod(7, .days) }
        }
        switch problem(fields)?.kind {
        case .notOfKind?, .notBounds?, .notPeriod?: value = .null
        case .otherField?: (value, comparesFields) = (.null, false)
        default: break
        }
    }
}

extension PredicateValue {
    /// What a text field shows.
    var text: String { stringValue ?? description }
}
