// A profile describes a program that reads predicates: its keys, and the part of the language that it supports. Each
// profile is a data file. ProfileReader.swift defines the format, ProfileChecker.swift applies the rules.

import PredicateModel
import PredicateSyntax

/// The keys and constructs that one program supports.
struct Profile: Sendable {
    /// The kinds of constructs in a profile. The raw values are the names in its file.
    enum Section: String, CaseIterable, Sendable {
        case operators, options, quantifiers, compounds, functions, aggregates, forms

        /// `the operator MATCHES`
        func title(_ name: String) -> String {
            switch self {
            case .operators: "the operator \(name)"
            case .options: "the option [\(name)]"
            case .quantifiers, .compounds, .forms: name
            case .functions: "the function '\(name)'"
            case .aggregates: "the collection operator \(name)"
            }
        }
    }

    /// The rules of one section.
    struct Rule: Sendable {
        /// The only supported constructs; nil means that all are supported.
        var only: Set<String>?
        /// Unsupported constructs, with the text to write instead.
        var not: [String: String] = [:]
        /// Supported constructs that need care, with the reason.
        var doubtful: [String: String] = [:]
        /// What to write instead of constructs that are not in `only`.
        var instead = ""

        mutating func extend(with other: Rule) {
            if let names = other.only { only = (only ?? []).union(names) }
            for name in other.only ?? [] { not[name] = nil }
            for name in other.not.keys { only?.remove(name) }
            not.merge(other.not) { $1 }
            doubtful.merge(other.doubtful) { $1 }
            if !other.instead.isEmpty { instead = other.instead }
        }
    }

    /// The allowed arguments of a term such as `@status(device.model.family)`.
    struct Term: Sendable {
        var names: Set<String> = []
        /// Whether other arguments are allowed too.
        var isOpen = false
    }

    struct Source: Sendable, Equatable {
        let title: String
        let url: String?
    }

    var name: String
    var summary = ""
    /// This profile's name and those of the profiles it extends, nearest first.
    var lineage: [String] = []
    var sources: [String: Source] = [:]
    var language: LanguageOptions = []
    var rules: [Section: Rule] = [:]
    /// The keys of the objects, if known.
    var schema: PredicateSchema?
    /// Whether objects may have keys that the profile does not list.
    var isOpen = false
    /// What to write instead of an unknown key.
    var keyAdvice = ""
    /// Names that keys have elsewhere, with the keys.
    var synonyms: [String: String] = [:]
    /// The sign around names that the program replaces by texts before it reads the predicate: `%NAME%`.
    var variableSign: String?
    /// For each key, the unquoted words that are allowed as its values.
    var values: [String: [String]] = [:]
    /// For each key, the only texts that it can have as its value.
    var texts: [String: [String]] = [:]
    /// The keys that hold version numbers as texts, with advice instead of comparing their order.
    var versions: [String: String] = [:]
    /// The known terms by name.
    var terms: [String: Term] = [:]
    /// The functions, methods and types of CAST that the program adds to the language.
    var additions: Set<String> = []

    /// Whether the `only` list of a section names this construct.
    func allows(_ section: Section, _ name: String) -> Bool { rules[section]?.only?.contains(name) ?? false }

    /// Combines this profile with one that extends it. Throws `SchemaError` if their entities do not fit
    /// together.
    func extended(by child: Profile) throws(SchemaError) -> Profile {
        var profile = self
        profile.name = child.name
        profile.summary = child.summary
        profile.lineage = [child.name] + lineage
        profile.sources.merge(child.sources) { $1 }
        profile.language.formUnion(child.language)
        for (section, rule) in child.rules { profile.rules[section, default: Rule()].extend(with: rule) }
        profile.isOpen = isOpen || child.isOpen
        if !child.keyAdvice.isEmpty { profile.keyAdvice = child.keyAdvice }
        profile.synonyms.merge(child.synonyms) { $1 }
        profile.variableSign = child.variableSign ?? variableSign
        profile.values.merge(child.values) { $1 }
        profile.texts.merge(child.texts) { $1 }
        profile.versions.merge(child.versions) { $1 }
        profile.additions.formUnion(child.additions)
        for (name, term) in child.terms {
            profile.terms[name, default: Term()].names.formUnion(term.names)
            profile.terms[name]?.isOpen = term.isOpen || terms[name]?.isOpen == true
        }
        profile.schema = try Self.merged(schema, child.schema)
        return profile
    }

    /// Combines the entities of two schemas. Entities with the same name get the keys of both.
    private static func merged(_ first: PredicateSchema?, _ second: PredicateSchema?) throws(SchemaError)
        -> PredicateSchema?
    {
        guard let first, let second else { return first ?? second }
        var entities = first.entities
        for entity in second.entities {
            guard let index = entities.firstIndex(where: { $0.name == entity.name }) else {
                entities.append(entity)
                continue
            }
            let attributes = Set(entity.attributes.map(\.name))
            let relationships = Set(entity.relationships.map(\.name))
            entities[index].attributes.removeAll { attributes.contains($0.name) || relationships.contains($0.name) }
            entities[index].relationships.removeAll { attributes.contains($0.name) || relationships.contains($0.name) }
            entities[index].attributes += entity.attributes
            entities[index].relationships += entity.relationships
        }
        return try PredicateSchema(entities, defaultEntity: first.defaultEntity ?? second.defaultEntity)
    }
}
