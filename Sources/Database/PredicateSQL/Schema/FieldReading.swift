// Reads the fields of a JSON file, such as a schema or a profile, and collects all errors with their paths.

/// A reader of a JSON file with fixed fields. A missing field is nil. A field of the wrong type is reported and is nil.
package protocol FieldReading {
    var problems: [SchemaError.Problem] { get set }
}

extension FieldReading {
    package mutating func report(_ path: String, _ message: String, suggestion: String? = nil) {
        problems.append(SchemaError.Problem(path, message, suggestion: suggestion))
    }

    /// The fields of an object. Reports unknown fields.
    package mutating func object(
        _ value: PredicateValue, at path: String, _ known: [String], or expected: String = "an object"
    ) -> ValueDictionary? {
        guard case .dictionary(let fields) = value else {
            report(path, "expected \(expected), not \(value.typeDescription)")
            return nil
        }
        for field in fields.keys where !known.contains(field) {
            report(path, "unknown field '\(field)'", suggestion: Suggestions.nearest(to: field, in: known))
        }
        return fields
    }

    /// The members of an object whose field names are user-defined names, such as those of entities.
    package mutating func members(_ value: PredicateValue?, at path: String) -> [(String, PredicateValue)] {
        guard let value else { return [] }
        guard case .dictionary(let fields) = value else {
            report(path, "expected an object, not \(value.typeDescription)")
            return []
        }
        return Array(zip(fields.keys, fields.values))
    }

    package mutating func text(_ fields: ValueDictionary, _ field: String, _ path: String) -> String? {
        guard let value = fields[field] else { return nil }
        if case .string(let text) = value, !text.isEmpty { return text }
        report(
            place(field, path),
            "expected a text, not \(value == .string("") ? "an empty one" : value.typeDescription)")
        return nil
    }

    package mutating func flag(_ fields: ValueDictionary, _ field: String, _ path: String) -> Bool? {
        guard let value = fields[field] else { return nil }
        if case .bool(let flag) = value { return flag }
        report(place(field, path), "expected true or false, not \(value.typeDescription)")
        return nil
    }

    package mutating func integer(_ fields: ValueDictionary, _ field: String, _ path: String) -> Int64? {
        guard let value = fields[field] else { return nil }
        if case .integer(let number) = value { return number }
        report(place(field, path), "expected an integer, not \(value.typeDescription)")
        return nil
    }

    /// A word out of a fixed list.
    ///
    /// - Parameter others: further words for the message; with them, the message lists all words.
    package mutating func word<Word: RawRepresentable<String> & CaseIterable>(
        _ fields: ValueDictionary, _ field: String, _ path: String, _ sentence: String, others: [String] = []
    ) -> Word? {
        guard let name = text(fields, field, path) else { return nil }
        if let word = Word(rawValue: name) { return word }
        let known = Word.allCases.map { $0.rawValue } + others
        let list = others.isEmpty ? "" : " (\(known.joined(separator: ", ")))"
        report(place(field, path), "\(sentence) '\(name)'\(list)", suggestion: Suggestions.nearest(to: name, in: known))
        return nil
    }

    /// A list of texts; empty if the value is missing.
    package mutating func texts(_ value: PredicateValue?, at path: String) -> [String] {
        guard let value else { return [] }
        guard case .array(let values) = value else {
            report(path, "expected a list of texts, not \(value.typeDescription)")
            return []
        }
        return values.compactMap { value in
            if case .string(let text) = value { return text }
            report(path, "expected a text, not \(value.typeDescription)")
            return nil
        }
    }

    private func place(_ field: String, _ path: String) -> String { path.isEmpty ? field : "\(path).\(field)" }
}
