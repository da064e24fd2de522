// Converts the text of a search field to a predicate. SearchTerms.swift splits the text.
public import Foundation

/// Converts the text of a search field to a predicate over named keys.
///
///     let search = PredicateSearch(["title": .string, "year": .integer, "due": .date])
///     search.predicate(for: #"blue -live year:1959..1965"#).description
///     // title CONTAINS[cd] "blue" AND NOT title CONTAINS[cd] "live" AND year BETWEEN {1959, 1965}
///
/// Each word, and each text in quotes, must occur in at least one text key. A minus sign excludes a word. `key:value`
/// refers to one key: `year:>1990`, `year:1959..1965`, `due:today`, `due:2024-05`, `done:yes`. Text in any other form
/// is searched as words, so every text is valid. An empty text matches every object.
public struct PredicateSearch: Sendable {
    private struct Key: Sendable {
        let path: String
        let type: ExpressionType.Kind
        /// The element type of a list, else the type itself.
        var element: ExpressionType.Kind {
            if case .collection(_, let element) = type { element.kind } else { type }
        }
    }

    private let keys: [Key]
    private let calendar: Calendar

    /// Creates a search over key paths and their types. Lists of texts are searched like texts.
    /// - Parameters:
    ///   - keys: the key paths to search.
    ///   - calendar: the calendar for dates; its time zone determines the start of a day.
    public init(_ keys: KeyValuePairs<String, ExpressionType.Kind>, calendar: Calendar = .current) {
        self.keys = keys.map { Key(path: $0, type: $1) }
        self.calendar = calendar
    }

    /// Creates a search over the published keys of a type.
    /// - Throws: `SchemaError` for a key table with an error.
    public init(of type: (some Queryable).Type, calendar: Calendar = .current) throws(SchemaError) {
        let schema = try PredicateSchema(of: type)
        let entities = schema.lineage(of: schema.defaultEntity ?? "")
        keys = entities.flatMap(\.attributes).map { Key(path: $0.name, type: $0.type) }
        self.calendar = calendar
    }

    /// Returns the predicate for a text. Its `description` shows it as a format string.
    /// - Parameters:
    ///   - text: the text that the user typed.
    ///   - now: the current time, for `today`.
    /// - Complexity: linear in the text.
    public func predicate(for text: String, now: Date = Date()) -> FormatPredicate {
        var parts: [FormatPredicate] = []
        for term in SearchTerm.terms(of: text) {
            let part: FormatPredicate
            if let key = keys.first(where: { $0.path.lowercased() == term.key?.lowercased() }) {
                if term.value.isEmpty { continue }  // still being typed
                part = condition(key, term, now) ?? words(term.whole)
            } else {
                part = words(term.whole)
            }
            parts.append(term.isExcluded ? .not(part) : part)
        }
        return .and(parts)
    }

    private func words(_ text: String) -> FormatPredicate {
        .or(keys.filter { $0.element == .string }.map { contains($0, text) })
    }

    private func contains(_ key: Key, _ text: String) -> FormatPredicate {
        compare(key, .contains, .value(text), options: [.caseInsensitive, .diacriticInsensitive])
    }

    private func compare(
        _ key: Key, _ operator: ComparisonOperator, _ value: FormatExpression, options: ComparisonOptions = []
    ) -> FormatPredicate {
        let isList = if case .collection = key.type { true } else { false }
        return .comparison(
            .key(key.path), `operator`, value, modifier: isList ? .any : .direct, options: options)
    }

    /// The condition for `key:value`; nil if the value does not fit the key.
    private func condition(_ key: Key, _ term: SearchTerm, _ now: Date) -> FormatPredicate? {
        switch key.element {
        case .string, .url: return contains(key, term.value)
        case .boolean:
            return SearchTerm.answers[term.value.lowercased()].map { compare(key, .equal, .value($0)) }
        case .integer, .double, .decimal, .number:
            return term.bounds { SearchTerm.number($0).map { SearchBounds(lower: $0, upper: $0) } }
                .map { numbers(key, $0) }
        case .date:
            return term.bounds { SearchBounds(period: $0, calendar, now) }.map { dates(key, $0) }
        case .uuid: return UniversalID(term.value).map { compare(key, .equal, .value($0)) }
        default: return nil
        }
    }

    private func numbers(_ key: Key, _ bounds: SearchBounds<PredicateValue>) -> FormatPredicate {
        if let lower = bounds.lower, let upper = bounds.upper, !bounds.excludesLower, !bounds.excludesUpper {
            return lower == upper
                ? compare(key, .equal, .value(lower)) : compare(key, .between, .value([lower, upper]))
        }
        return sides(key, bounds)
    }

    /// The upper bound of a period is exclusive: the start of the next period.
    private func dates(_ key: Key, _ bounds: SearchBounds<Date>) -> FormatPredicate {
        var bounds = bounds
        bounds.excludesUpper = true
        return sides(key, bounds)
    }

    private func sides(
        _ key: Key, _ bounds: SearchBounds<some PredicateValueConvertible & Sendable>
    ) -> FormatPredicate {
        var parts: [FormatPredicate] = []
        if let lower = bounds.lower {
            parts.append(compare(key, bounds.excludesLower ? .greaterThan : .greaterThanOrEqual, .value(lower)))
        }
        if let upper = bounds.upper {
            parts.append(compare(key, bounds.excludesUpper ? .lessThan : .lessThanOrEqual, .value(upper)))
        }
        return .and(parts)
    }
}
