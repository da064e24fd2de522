// What a person types into a search field, as a predicate. SearchTerms.swift splits the text.
public import Foundation
import PredicateEvaluation
public import PredicateModel
import PredicateSyntax

/// Turns what a person types into a predicate over named keys.
///
///     let search = PredicateSearch(["title": .string, "year": .integer, "due": .date])
///     search.predicate(for: #"blue -live year:1959..1965"#).description
///     // title CONTAINS[cd] "blue" AND NOT title CONTAINS[cd] "live" AND year BETWEEN {1959, 1965}
///
/// Words, and texts in quotes, occur in some key that is a text; all of them must. A minus excludes. `key:value` is about one
/// key: `year:>1990`, `year:1959..1965`, `due:today`, `due:2024-05`, `done:yes`. Whatever is not understood is searched as
/// words, so that no text is wrong; nothing typed means every object.
public struct PredicateSearch: Sendable {
    private struct Key: Sendable {
        let path: String
        let type: AttributeType
        /// The type of the elements of a list.
        var element: AttributeType {
            if case .collection(_, let element) = type { element.kind } else { type }
        }
    }

    private let keys: [Key]
    private let calendar: Calendar

    /// A search over key paths and their types. Lists of texts are searched like texts.
    /// - Parameters:
    ///   - keys: the key paths that are searched.
    ///   - calendar: for dates; has the time zone of days.
    public init(_ keys: KeyValuePairs<String, AttributeType>, calendar: Calendar = .current) {
        self.keys = keys.map { Key(path: $0, type: $1) }
        self.calendar = calendar
    }

    /// A search over the published keys of a type.
    /// - Throws: `SchemaError` for a key table with an error.
    public init(of type: (some Queryable).Type, calendar: Calendar = .current) throws(SchemaError) {
        let schema = try PredicateSchema(of: type)
        let entities = schema.lineage(of: schema.defaultEntity ?? "")
        keys = entities.flatMap(\.attributes).map { Key(path: $0.name, type: $0.type) }
        self.calendar = calendar
    }

    /// The predicate for a text. `description` explains it as a format string.
    /// - Parameters:
    ///   - text: what a person typed.
    ///   - now: the time of `today`.
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

    /// The condition of `key:value`; nil if the value does not suit the key.
    private func condition(_ key: Key, _ term: SearchTerm, _ now: Date) -> FormatPredicate? {
        switch key.element {
        case .string, .url: return contains(key, term.value)
        case .boolean:
            return SearchTerm.answers[term.value.lowercased()].map { compare(key, .equal, .value($0)) }
        case .integer, .double, .decimal, .number:
            return term.bounds { SearchTerm.number($0).map { SearchBounds($0, $0) } }.map { numbers(key, $0) }
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

    /// The upper bound of a period is the start of the next one.
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
