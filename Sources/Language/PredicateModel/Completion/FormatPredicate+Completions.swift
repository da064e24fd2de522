// Completion for the fields of apps in which people type predicates. Completer.swift finds the candidates.

extension FormatPredicate {
    /// What can stand at a position of a predicate that is being typed, best first: keys, the operators that fit
    /// their types, functions, and known values.
    ///
    ///     let schema = try PredicateSchema(of: Book.self)
    ///     let found = FormatPredicate.completions(of: "title BEG", schema: schema)
    ///     found.items.map(\.text)                                       // ["BEGINSWITH"]
    ///     found.inserting(found.items[0], in: "title BEG").text         // "title BEGINSWITH "
    ///
    /// A text with mistakes has completions, too, because only what is before the position matters.
    ///
    /// - Parameters:
    ///   - text: what was typed so far.
    ///   - position: where the cursor is; by default at the end of the text.
    ///   - schema: the keys and their types. Without it no keys are offered.
    ///   - entity: the entity that the predicate is about; by default the schema's default entity.
    ///   - variables: names of variables, without `$`.
    ///   - environment: the functions and extensions that the predicate may use.
    ///   - values: the values that a key path such as `author.city` usually has, if there are few. The cases of an
    ///     enum in the schema are offered without it.
    /// - Complexity: linear in the text for each key of the entity: below a millisecond for a line of text and a hundred
    ///   keys.
    public static func completions(
        of text: String, at position: String.Index? = nil, schema: PredicateSchema? = nil, entity: String? = nil,
        variables: [String] = [], in environment: PredicateEnvironment = .standard,
        values: @escaping (_ keyPath: String) -> [PredicateValue] = { _ in [] }
    ) -> PredicateCompletions {
        var completer = Completer()
        completer.schema = schema
        completer.entity = entity ?? schema?.defaultEntity ?? ""
        completer.environment = environment
        completer.variables = variables
        completer.domain = { values($0.joined(separator: ".")) }
        let end = position ?? text.endIndex
        return completer.candidates(for: text, at: text.utf8.distance(from: text.startIndex, to: end))
    }
}
