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
    /// Whether `$0`, `$1` … are arguments.
    var numbersArguments = false
    /// Words that begin a clause in parentheses behind the condition, such as SORT.
    var clauses: Set<String> = []
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

    /// A key of the objects; nil if the profile does not list it.
    func key(_ name: String) -> PredicateSchema.Key? {
        schema.flatMap { schema in schema.defaultEntity.flatMap { schema.key(name, of: $0) } }
    }

    /// Whether the `only` list of a section names this construct.
    func allows(_ section: Section, _ name: String) -> Bool { rules[section]?.only?.contains(name) ?? false }

    // MARK: Texts

    /// The text in the language of predicates, with the same spans: variables outside of quotes are keys, `$0` is `%@`, and
    /// clauses are spaces. Also returns the spans of these variables.
    func prepared(_ text: String) -> (text: String, variables: [SourceSpan]) {
        guard variableSign != nil || numbersArguments || !clauses.isEmpty else { return (text, []) }
        var bytes = Array(text.utf8)
        let tokens = Lexer.tokens(of: text)
        let texts = tokens.filter { $0.kind == .string }.map(\.span)
        func isInText(_ index: Int) -> Bool { texts.contains { $0.start <= index && index < $0.end } }
        let variables = variables(in: bytes).filter { !isInText($0.start) }
        // The recipe inserts the whole predicate.
        if variables.first?.count == bytes.count { return ("TRUEPREDICATE", []) }
        for span in variables { (bytes[span.start], bytes[span.end - 1]) = (UInt8(ascii: "_"), UInt8(ascii: "_")) }
        if numbersArguments {
            for index in bytes.indices.dropLast()
            where bytes[index] == UInt8(ascii: "$") && bytes[index + 1].isDigit && !isInText(index) {
                let end = bytes[(index + 1)...].firstIndex { !$0.isDigit } ?? bytes.count
                let argument = "%@" + String(repeating: " ", count: end - index - 2)
                bytes.replaceSubrange(index..<end, with: argument.utf8)
            }
        }
        for (index, token) in tokens.enumerated().dropLast() where tokens[index + 1].kind == .leftParenthesis {
            let word = String(decoding: Array(text.utf8)[token.span.range], as: UTF8.self)
            var rest = tokens[(index + 2)...].makeIterator()
            guard clauses.contains(word.uppercased()), let last = Token.closing(next: { rest.next() ?? token })
            else { continue }
            let clause = token.span.joined(last.span)
            bytes.replaceSubrange(clause.range, with: repeatElement(0x20, count: clause.count))
        }
        return (String(decoding: bytes, as: UTF8.self), variables)
    }

    /// The spans of names between two signs: `%NAME%`.
    func variables(in bytes: [UInt8]) -> [SourceSpan] {
        guard let sign = variableSign?.utf8.first else { return [] }
        var spans: [SourceSpan] = []
        var start = 0
        while let open = bytes[start...].firstIndex(of: sign) {
            let end = bytes[(open + 1)...].firstIndex { !$0.isOfWord } ?? bytes.count
            start = open + 1
            guard end > start, end < bytes.count, bytes[end] == sign else { continue }
            start = end + 1
            spans.append(SourceSpan(open, start))
        }
        return spans
    }

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
        profile.numbersArguments = numbersArguments || child.numbersArguments
        profile.clauses.formUnion(child.clauses)
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
