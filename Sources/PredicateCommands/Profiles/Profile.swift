// What a consumer of predicates takes: a program that reads them from files and knows its own keys and less, or more, than
// the whole language. Each profile is one data file; ProfileReader says what stands in it.

import PredicateModel
import PredicateSyntax

/// What one consumer of predicates allows.
struct Profile: Sendable {
    /// The kinds of construct that a profile speaks of, called as in its file.
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

    /// What is allowed of one section.
    struct Rule: Sendable {
        /// All others are refused; nil where there are none that are.
        var only: Set<String>?
        /// Refused, with what to write instead.
        var not: [String: String] = [:]
        /// Allowed, with the reason to be careful.
        var doubtful: [String: String] = [:]
        /// What to do about all that `only` leaves out.
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

    /// The arguments of a term, `@status(device.model.family)`.
    struct Term: Sendable {
        var names: Set<String> = []
        /// Whether there may be others.
        var isOpen = false
    }

    struct Source: Sendable, Equatable {
        let title: String
        let url: String?
    }

    var name: String
    var summary = ""
    /// The profiles that it extends, nearest first, and itself.
    var lineage: [String] = []
    var sources: [String: Source] = [:]
    var language: LanguageOptions = []
    var rules: [Section: Rule] = [:]
    /// The keys of the objects, where they are known.
    var schema: Schema?
    /// Whether there may be keys that the profile does not know.
    var isOpen = false
    /// What to write instead of a key that there is not.
    var keyAdvice = ""
    /// The words that stand, without quotes, for the values of a key.
    var values: [String: [String]] = [:]
    /// nil where no term is known.
    var terms: [String: Term] = [:]

    /// Whether a section's list names this construct.
    func allows(_ section: Section, _ name: String) -> Bool { rules[section]?.only?.contains(name) ?? false }

    /// What this profile and one that extends it say together. Throws where their entities do not hold together.
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
        profile.values.merge(child.values) { $1 }
        for (name, term) in child.terms {
            profile.terms[name, default: Term()].names.formUnion(term.names)
            profile.terms[name]?.isOpen = term.isOpen || terms[name]?.isOpen == true
        }
        profile.schema = try Self.merged(schema, child.schema)
        return profile
    }

    /// Both schemas' entities; the second's keys are added to those of the first's entity of the same name.
    private static func merged(_ first: Schema?, _ second: Schema?) throws(SchemaError) -> Schema? {
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
        return try Schema(entities, defaultEntity: first.defaultEntity ?? second.defaultEntity)
    }
}
