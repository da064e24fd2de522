// Reads the JSON file of a profile. This is the only list of its fields.

import PredicateModel
import PredicateRecords
import PredicateSyntax

/// Reads a profile:
///
///     { "name": "munki", "summary": "…", "extends": "other"?,
///       "sources": { "wiki": {"title": "…", "url": "…"} },
///       "language": ["ddm"], "operators": {"source": "wiki", "only": ["=="], "not": {"MATCHES": "…"}, "doubtful": {…},
///       "instead": "…"}, "options" "quantifiers" "compounds" "functions" "aggregates" "forms": likewise,
///       "keys": {"source": "wiki", "open": true, "advice": "…", "entity": "facts", "entities": {…}, "values": {"k": ["a"]}},
///       "terms": {"source": "wiki", "status": {"names": ["a.b"], "open": false}} }
///
/// The options list may name an option of a single operator, such as `BEGINSWITH[c]`. `entities` has the form
/// of a schema file. Each section names its source.
struct ProfileReader {
    private(set) var problems: [SchemaError.Problem] = []
    private(set) var parent: String?

    private static let extensions: [String: LanguageOptions] = [
        "ddm": .deviceManagementTerms, "unicode": .unicodeIdentifiers, "concat": .stringConcatenation,
    ]

    /// Reads the file. `problems` has what is wrong with it.
    mutating func read(_ value: PredicateValue, name: String) -> Profile {
        var profile = Profile(name: name)
        let known =
            ["name", "summary", "extends", "sources", "language", "keys", "terms"]
            + Profile.Section.allCases.map(\.rawValue)
        guard let fields = object(value, "", known) else { return profile }
        profile.name = text(fields["name"], "name") ?? name
        profile.summary = text(fields["summary"], "summary") ?? ""
        profile.lineage = [profile.name]
        parent = text(fields["extends"], "extends")
        for (key, value) in members(fields["sources"], "sources") {
            guard let source = object(value, "sources." + key, ["title", "url"]) else { continue }
            profile.sources[key] = Profile.Source(
                title: text(source["title"], "sources.\(key).title") ?? key,
                url: text(source["url"], "sources.\(key).url"))
        }
        for word in texts(fields["language"], "language") {
            if let option = Self.extensions[word] {
                profile.language.insert(option)
            } else {
                report(
                    "language", "unknown extension '\(word)'",
                    Suggestions.nearest(to: word, in: Array(Self.extensions.keys)))
            }
        }
        for section in Profile.Section.allCases {
            guard let value = fields[section.rawValue] else { continue }
            profile.rules[section] = rule(value, section.rawValue, profile)
        }
        readKeys(fields["keys"], &profile)
        readTerms(fields["terms"], &profile)
        return profile
    }

    private mutating func rule(_ value: PredicateValue, _ path: String, _ profile: Profile) -> Profile.Rule {
        var rule = Profile.Rule()
        guard let fields = object(value, path, ["source", "only", "not", "doubtful", "instead"]) else { return rule }
        checkSource(fields, path, profile)
        if let only = fields["only"] { rule.only = Set(texts(only, path + ".only")) }
        rule.not = advice(fields["not"], path + ".not")
        rule.doubtful = advice(fields["doubtful"], path + ".doubtful")
        rule.instead = text(fields["instead"], path + ".instead") ?? ""
        return rule
    }

    private mutating func readKeys(_ value: PredicateValue?, _ profile: inout Profile) {
        guard let value else { return }
        let known = ["source", "open", "advice", "entity", "entities", "values"]
        guard let fields = object(value, "keys", known) else { return }
        checkSource(fields, "keys", profile)
        profile.isOpen = flag(fields["open"], "keys.open")
        profile.keyAdvice = text(fields["advice"], "keys.advice") ?? ""
        for (key, words) in members(fields["values"], "keys.values") {
            profile.values[key] = texts(words, "keys.values." + key)
        }
        guard let entities = fields["entities"] else { return }
        var file: [(String, PredicateValue)] = [("entities", entities)]
        if let entity = fields["entity"] { file.append(("entity", entity)) }
        do throws(SchemaError) {
            let schema = try PredicateSchema(value: .dictionary(ValueDictionary(file)))
            // A profile does not guarantee that its keys have values, so a comparison with nil must not be
            // reported as useless.
            let entities = schema.entities.map { entity in
                var entity = entity
                for index in entity.attributes.indices { entity.attributes[index].isOptional = true }
                return entity
            }
            profile.schema = try PredicateSchema(entities, defaultEntity: schema.defaultEntity)
        } catch {
            problems += error.problems.map { .init("keys." + $0.path, $0.message, suggestion: $0.suggestion) }
        }
    }

    private mutating func readTerms(_ value: PredicateValue?, _ profile: inout Profile) {
        for (name, value) in members(value, "terms") {
            if name == "source" {
                checkSource(ValueDictionary([("source", value)]), "terms", profile)
                continue
            }
            guard let fields = object(value, "terms." + name, ["names", "open"]) else { continue }
            profile.terms["@" + name] = Profile.Term(
                names: Set(texts(fields["names"], "terms.\(name).names")),
                isOpen: flag(fields["open"], "terms.\(name).open"))
        }
    }

    // MARK: Values

    private mutating func report(_ path: String, _ message: String, _ suggestion: String? = nil) {
        problems.append(SchemaError.Problem(path, message, suggestion: suggestion))
    }

    private mutating func checkSource(_ fields: ValueDictionary, _ path: String, _ profile: Profile) {
        guard let name = text(fields["source"], path + ".source"), profile.sources[name] == nil else { return }
        report(
            path + ".source", "unknown source '\(name)'",
            Suggestions.nearest(to: name, in: Array(profile.sources.keys)))
    }

    private mutating func object(_ value: PredicateValue, _ path: String, _ known: [String]) -> ValueDictionary? {
        guard case .dictionary(let fields) = value else {
            report(path, "expected an object, not \(value.typeDescription)")
            return nil
        }
        for key in fields.keys where !known.contains(key) {
            report(path, "unknown field '\(key)'", Suggestions.nearest(to: key, in: known))
        }
        return fields
    }

    private mutating func members(_ value: PredicateValue?, _ path: String) -> [(String, PredicateValue)] {
        guard let value else { return [] }
        guard case .dictionary(let fields) = value else {
            report(path, "expected an object, not \(value.typeDescription)")
            return []
        }
        return Array(zip(fields.keys, fields.values))
    }

    private mutating func advice(_ value: PredicateValue?, _ path: String) -> [String: String] {
        var advice: [String: String] = [:]
        for (key, value) in members(value, path) {
            if case .string(let text) = value {
                advice[key] = text
            } else {
                report("\(path).\(key)", "expected a text")
            }
        }
        return advice
    }

    private mutating func texts(_ value: PredicateValue?, _ path: String) -> [String] {
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

    private mutating func text(_ value: PredicateValue?, _ path: String) -> String? {
        guard let value else { return nil }
        if case .string(let text) = value, !text.isEmpty { return text }
        report(path, "expected a text")
        return nil
    }

    private mutating func flag(_ value: PredicateValue?, _ path: String) -> Bool {
        guard let value else { return false }
        if case .bool(let flag) = value { return flag }
        report(path, "expected true or false, not \(value.typeDescription)")
        return false
    }
}
