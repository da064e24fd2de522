// A field: a key path with its title, and what a row can compare it with. EditorFields.swift makes the fields of a
// type.
import PredicateModel
public import PredicateSyntax

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
            self.title = title ?? EditorField.title(for: value.stringValue ?? value.description)
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
        var words: [String] = []
        for part in name.split(whereSeparator: { "._@ -".contains($0) }) {
            var word = ""
            let letters = Array(part)
            for (index, letter) in letters.enumerated() {
                // A capital letter begins a word, unless it is inside of an abbreviation such as URL.
                let follows = index + 1 < letters.count && letters[index + 1].isLowercase
                if letter.isUppercase, let last = word.last, last.isLowercase || last.isNumber || follows {
                    words.append(word)
                    word = ""
                }
                word.append(letter)
            }
            words.append(word)
        }
        let lowered = words.map { $0.dropFirst().contains { $0.isUppercase } ? $0 : $0.lowercased() }
        let title = lowered.joined(separator: " ")
        return title.prefix(1).uppercased() + title.dropFirst()
    }

    /// Whether a row of this field can have an operator.
    public func fits(_ candidate: EditorOperator) -> Bool {
        let base = candidate.base
        if list != nil, base == .isSet || base == .isNotSet { return false }
        return Self.bases(of: kind).contains(base) && (kind == .text || candidate.options.isEmpty)
    }

    private static func bases(of kind: Kind) -> [EditorOperator] {
        let orders: [EditorOperator] = [
            .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .notBetween, .isIn, .isNotIn,
        ]
        let nils: [EditorOperator] = [.isSet, .isNotSet]
        switch kind {
        case .text:
            return [
                .contains, .doesNotContain, .beginsWith, .doesNotBeginWith, .endsWith, .doesNotEndWith,
            ] + orders + nils
        case .integer, .number, .decimal: return orders + nils
        case .date, .dateTime:
            return orders + [
                .inTheLast, .notInTheLast, .inTheNext, .notInTheNext, .today, .thisWeek, .thisMonth, .thisYear,
            ] + nils
        case .uuid, .url: return [.equal, .notEqual, .isIn, .isNotIn] + nils
        case .boolean: return [.equal, .notEqual] + nils
        case .other: return nils
        }
    }

    /// The operators to offer: those that fit and are useful for people.
    private var usefulOperators: [EditorOperator] {
        var found = Self.bases(of: kind).filter { fits($0) && (isOptional || $0 != .isSet && $0 != .isNotSet) }
        switch kind {
        case .text where choices.isEmpty:
            let last: [EditorOperator] = found.filter { $0 == .isSet || $0 == .isNotSet }
            return [
                .containsCD, .doesNotContainCD, .beginsWithCD, .endsWithCD, .equalCD, .notEqualCD, .contains,
                .doesNotContain, .beginsWith, .endsWith, .equal, .notEqual, .isIn, .isNotIn,
            ] + last
        case .boolean: found.removeAll { $0 == .notEqual }
        case .date, .dateTime: found.removeAll { $0 == .isIn || $0 == .isNotIn }
        default: break
        }
        if !choices.isEmpty {
            found = [.equal, .notEqual, .isIn, .isNotIn].filter(found.contains) + found.filter { $0.operands == .none }
        }
        return found
    }
}
