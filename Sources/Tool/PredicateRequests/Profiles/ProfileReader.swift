// Reads the JSON file of a profile. Only this file lists its fields.

/// Reads a profile:
///
///     { "name": "munki", "summary": "…", "extends": "other"?,
///       "sources": { "wiki": {"title": "…", "url": "…"} },
///       "language": ["ddm"], "operators": {"source": "wiki", "only": ["=="], "not": {"MATCHES": "…"}, "doubtful": {…},
///       "instead": "…"}, "options" "quantifiers" "compounds" "functions" "aggregates" "forms": likewise,
///       "keys": {"source": "wiki", "open": true, "advice": "…", "entity": "facts", "entities": {…},
///                "values": {"k": ["a"]}, "texts": {"k": ["a"]}, "versions": {"k": "…"},
///                "doubtful": {"k": "…"}, "synonyms": {"date": "creationDate"}, "variables": true, "numbered": true},
///       "terms": {"source": "wiki", "status": {"names": ["a.b"], "open": false,
///                 "types": {"a.b": "boolean", "a.list": {"name": "string"}}}},
///       "clauses": ["SORT"],
///       "adds": {"source": "wiki", "functions": ["f:with:"], "methods": ["m:"], "casts": ["UIColor"]} }
///
/// The options list may name an option of a single operator, such as `BEGINSWITH[c]`. `entities` has the form of a
/// schema file. `values` are words without quotes, `texts` are quoted. `versions` are keys with version numbers as
/// texts, with advice because `<` compares them as texts, `doubtful` are keys that need care. `synonyms` are names that keys have elsewhere. `variables`: the
/// program replaces `%NAME%` by a text. `numbered`: arguments are `$0`, `$1` … `clauses` are words before a bracket that may
/// follow the condition. Each section names its source.
struct ProfileReader: FieldReading {
    var problems: [SchemaError.Problem] = []
    private(set) var parent: String?

    /// Reads the file. Errors are appended to `problems`.
    mutating func read(_ value: PredicateValue, name: String) -> Profile {
        var profile = Profile(name: name)
        let known =
            ["name", "summary", "extends", "sources", "language", "keys", "terms", "adds", "clauses"]
            + Profile.Section.allCases.map { $0.rawValue }
        guard let fields = object(value, at: "", known) else { return profile }
        profile.name = text(fields, "name", "") ?? name
        profile.summary = text(fields, "summary", "") ?? ""
        profile.lineage = [profile.name]
        parent = text(fields, "extends", "")
        for (key, value) in members(fields["sources"], at: "sources") {
            guard let source = object(value, at: "sources." + key, ["title", "url"]) else { continue }
            profile.sources[key] = Profile.Source(
                title: text(source, "title", "sources.\(key)") ?? key,
                url: text(source, "url", "sources.\(key)"))
        }
        profile.language = language(fields["language"], at: "language")
        for section in Profile.Section.allCases {
            guard let value = fields[section.rawValue] else { continue }
            profile.rules[section] = rule(value, section.rawValue, profile)
        }
        profile.clauses = Set(texts(fields["clauses"], at: "clauses"))
        readKeys(fields["keys"], &profile)
        readTerms(fields["terms"], &profile)
        readAdditions(fields["adds"], &profile)
        return profile
    }

    private mutating func rule(_ value: PredicateValue, _ path: String, _ profile: Profile) -> Profile.Rule {
        var rule = Profile.Rule()
        let known = ["source", "only", "not", "doubtful", "instead"]
        guard let fields = object(value, at: path, known) else { return rule }
        checkSource(fields, path, profile)
        if let only = fields["only"] { rule.only = Set(texts(only, at: path + ".only")) }
        rule.not = advice(fields["not"], path + ".not")
        rule.doubtful = advice(fields["doubtful"], path + ".doubtful")
        rule.instead = text(fields, "instead", path) ?? ""
        return rule
    }

    private mutating func readKeys(_ value: PredicateValue?, _ profile: inout Profile) {
        guard let value else { return }
        let known = [
            "source", "open", "advice", "entity", "entities", "values", "texts", "versions", "doubtful", "synonyms",
            "variables", "numbered",
        ]
        guard let fields = object(value, at: "keys", known) else { return }
        checkSource(fields, "keys", profile)
        profile.isOpen = flag(fields, "open", "keys") ?? false
        profile.keyAdvice = text(fields, "advice", "keys") ?? ""
        for (key, words) in members(fields["values"], at: "keys.values") {
            profile.values[key] = texts(words, at: "keys.values." + key)
        }
        for (key, words) in members(fields["texts"], at: "keys.texts") {
            profile.texts[key] = texts(words, at: "keys.texts." + key)
        }
        profile.doubtfulKeys = advice(fields["doubtful"], "keys.doubtful")
        profile.versions = advice(fields["versions"], "keys.versions")
        profile.synonyms = advice(fields["synonyms"], "keys.synonyms")
        profile.hasVariables = flag(fields, "variables", "keys") ?? false
        profile.numbersArguments = flag(fields, "numbered", "keys") ?? false
        guard let entities = fields["entities"] else { return }
        var file: [(String, PredicateValue)] = [("entities", entities)]
        if let entity = fields["entity"] { file.append(("entity", entity)) }
        do throws(SchemaError) {
            let schema = try PredicateSchema(value: .dictionary(ValueDictionary(file)))
            // A profile does not guarantee that its keys have values, so a comparison with nil must not be reported as
            // redundant.
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
        for (name, value) in members(value, at: "terms") {
            if name == "source" {
                checkSource(ValueDictionary([("source", value)]), "terms", profile)
                continue
            }
            guard let fields = object(value, at: "terms." + name, ["names", "open", "types"]) else { continue }
            addTypes(fields["types"], of: name, &profile)
            profile.terms["@" + name] = Profile.TermArguments(
                names: Set(texts(fields["names"], at: "terms.\(name).names")),
                isOpen: flag(fields, "open", "terms.\(name)") ?? false)
        }
    }

    /// Adds the types of terms: a name, or for a list of dictionaries the types of their keys.
    private mutating func addTypes(_ value: PredicateValue?, of term: String, _ profile: inout Profile) {
        guard let value, let schema = profile.schema else { return }
        var entities = schema.entities
        for (item, type) in members(value, at: "terms.\(term).types") {
            let path = "terms.\(term).types.\(item)"
            var kind = kind(type, at: path)
            if case .dictionary = type {
                let keys = members(type, at: path).map { key, type in
                    PredicateSchema.Attribute(key, self.kind(type, at: path) ?? .any, isOptional: true)
                }
                entities.append(PredicateSchema.Entity(item, attributes: keys))
                kind = .collection(.toMany, of: ExpressionType(.entity(item)))
            }
            profile.termTypes["\(term)(\(item))"] = kind.map { ExpressionType($0, isOptional: true) }
        }
        profile.schema = (try? PredicateSchema(entities, defaultEntity: schema.defaultEntity)) ?? schema
    }

    /// A type by its name; nil for a dictionary.
    private mutating func kind(_ type: PredicateValue, at path: String) -> ExpressionType.Kind? {
        if case .dictionary = type { return nil }
        let kind = ExpressionType.Kind.named.first { .string($0.name) == type }?.type
        if kind == nil { report(path, "unknown type") }
        return kind
    }

    private mutating func readAdditions(_ value: PredicateValue?, _ profile: inout Profile) {
        let lists = ["functions", "methods", "casts"]
        guard let value, let fields = object(value, at: "adds", ["source"] + lists) else { return }
        checkSource(fields, "adds", profile)
        for list in lists { profile.additions.formUnion(texts(fields[list], at: "adds." + list)) }
    }

    // MARK: Values

    private mutating func checkSource(_ fields: ValueDictionary, _ path: String, _ profile: Profile) {
        guard let name = text(fields, "source", path), profile.sources[name] == nil else { return }
        report(
            path + ".source", "unknown source '\(name)'",
            suggestion: Suggestions.nearest(to: name, in: Array(profile.sources.keys)))
    }

    private mutating func advice(_ value: PredicateValue?, _ path: String) -> [String: String] {
        var advice: [String: String] = [:]
        for (key, value) in members(value, at: path) {
            if case .string(let text) = value {
                advice[key] = text
            } else {
                report("\(path).\(key)", "expected a text")
            }
        }
        return advice
    }
}

extension FieldReading {
    /// The extensions of the language that a list names. Reports unknown names.
    package mutating func language(_ value: PredicateValue?, at path: String) -> LanguageOptions {
        var language: LanguageOptions = []
        for name in texts(value, at: path) {
            if let option = LanguageOptions.named(name) {
                language.insert(option)
            } else {
                let nearest = Suggestions.nearest(to: name, in: LanguageOptions.named.map { $0.name })
                report(path, "unknown extension '\(name)'", suggestion: nearest)
            }
        }
        return language
    }
}
