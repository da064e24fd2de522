// A field: a key path with its title, and what a row can compare it with. EditorFields.swift makes the fields of a
// type.

/// A field that people can choose in a row: a key path, its title, its kind, its operators and allowed values.
///
///     var field = EditorField("dateAdded", .date)    // its title is "Date added"
///     field.operators = [.inTheLast, .today, .thisMonth]
public struct EditorField: Sendable, Hashable, Identifiable {
    /// The kind of a field's values. A view chooses the control by it.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case text
        /// A whole number.
        case integer
        case number, decimal, boolean
        /// A day, `2024-05-01`; it means the whole day. A date and time of ISO 8601 is also valid.
        case date
        /// The same; the control should also ask for the time.
        case dateTime
        case uuid, url
        /// An object or data: rows can only test whether it is set.
        case other
    }

    /// A value that a field allows, with its name on screens.
    public struct Choice: Sendable, Hashable {
        public var value: PredicateValue
        public var title: String

        public init(_ value: PredicateValue, _ title: String? = nil) {
            self.value = EditorRow.plain(value)
            self.title = title ?? EditorField.title(for: value.text)
        }
    }

    public let keyPath: String
    /// The name on screens and in sentences.
    public var title: String
    /// For a to-many field the kind of its elements.
    public var kind: Kind
    /// The operators that a menu should offer. Rows of stored filters may have others that fit the kind.
    public var operators: [EditorOperator]
    /// The allowed values; empty if any value of the kind is allowed.
    public var choices: [Choice]
    /// The to-many part of the key path, of whose elements rows test the rest: `artists` in `artists.name`. nil for a
    /// field with one value.
    public let list: String?
    /// Whether the value may be nil.
    public let isOptional: Bool

    public var id: String { keyPath }
    /// The quantifiers that a menu should offer: empty for a field with one value.
    public var quantifiers: [EditorQuantifier] {
        list == nil ? [] : [.any, .all, .none, .atLeast(2), .atMost(1), .exactly(1)]
    }

    /// Creates a field for keys without a declared type, such as those of dictionaries.
    /// The title is the name on screens; nil makes it from the key path. The list is the to-many part of the key path.
    public init(
        _ keyPath: String, _ kind: Kind, title: String? = nil, choices: [Choice] = [], list: String? = nil,
        isOptional: Bool = true
    ) {
        self.keyPath = keyPath
        self.title = title ?? Self.title(for: keyPath)
        self.kind = kind
        self.choices = choices
        self.list = list
        self.isOptional = isOptional
        operators = []
        operators = usefulOperators
    }

    /// A title made from the name of a key: `dateAdded` gives "Date added", `play_count` "Play count".
    public static func title(for name: String) -> String {
        // A capital letter begins a word, unless it is inside of an abbreviation such as URL.
        let words = name.matches(of: /\p{Lu}+\d*(?!\p{Ll})|\p{Lu}?[^\p{Lu}._@ -]+/).map { String($0.output) }
        let lowered = words.map { $0.dropFirst().contains { $0.isUppercase } ? $0 : $0.lowercased() }
        let title = lowered.joined(separator: " ")
        return title.prefix(1).uppercased() + title.dropFirst()
    }

    /// Whether a row of this field can have an operator.
    public func fits(_ candidate: EditorOperator) -> Bool {
        guard let form = candidate.form, form.kinds.contains(kind) else { return false }
        return (kind == .text || candidate.options.isEmpty)
            && (list == nil || form.base != .isSet && form.base != .isNotSet)
    }

    /// The operators to offer: those that fit and are useful for people.
    private var usefulOperators: [EditorOperator] {
        let all = EditorOperator.forms.map { $0.base }.filter {
            fits($0) && (isOptional || $0 != .isSet && $0 != .isNotSet)
        }
        let rest = all.filter { $0.operands == .none }
        let equalities: [EditorOperator] = [.equal, .notEqual, .isIn, .isNotIn]
        if !choices.isEmpty { return all.filter(equalities.contains) + rest }
        switch kind {
        case .text:
            return [
                .containsCD, .doesNotContainCD, .beginsWithCD, .endsWithCD, .equalCD, .notEqualCD, .contains,
                .doesNotContain, .beginsWith, .endsWith, .equal, .notEqual, .isIn, .isNotIn,
            ] + rest
        case .boolean: return all.filter { $0 != .notEqual }
        case .date, .dateTime: return all.filter { $0 != .isIn && $0 != .isNotIn }
        default: return all
        }
    }
}
