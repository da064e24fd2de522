// A profile describes a program that reads predicates: its keys, and the part of the language that it supports. Each
// profile is a data file. ProfileReader.swift defines the format, ProfileChecker.swift applies the rules.

package import PredicateModel
import PredicateSyntax

/// The keys and constructs that one program supports.
package struct Profile: Sendable {
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

    package var name: String
    package var summary = ""
    /// This profile's name and those of the profiles it extends, nearest first.
    package var lineage: [String] = []
    var sources: [String: Source] = [:]
    var language: LanguageOptions = []
    var rules: [Section: Rule] = [:]
    /// The keys of the objects, if known.
    package var schema: PredicateSchema?
    /// Whether objects may have keys that the profile does not list.
    var isOpen = false
    /// What to write instead of an unknown key.
    var keyAdvice = ""
    /// Names that keys have elsewhere, with the keys.
    var synonyms: [String: String] = [:]
    /// Whether the program replaces names between percent signs by texts before it reads the predicate: `%NAME%`.
    var hasVariables = false
    /// Whether `$0`, `$1` … are arguments.
    var numbersArguments = false
    /// Words that begin a clause in parentheses behind the condition, such as SORT.
    var clauses: Set<String> = []
    /// For each key, the unquoted words that are allowed as its values.
    package var values: [String: [String]] = [:]
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
        guard hasVariables || numbersArguments || !clauses.isEmpty else { return (text, []) }
        // The recipe inserts the whole predicate.
        if hasVariables, text.wholeMatch(of: /%\w+%/) != nil { return ("TRUEPREDICATE", []) }
        var variables: [SourceSpan] = []
        let parts = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|%(\w+)%|(\$[0-9]+)|\b([A-Za-z]+) *\([^()]*\)/
        let prepared = text.replacing(parts) { part in
            let span = SourceSpan(
                text.utf8.distance(from: text.startIndex, to: part.range.lowerBound),
                text.utf8.distance(from: text.startIndex, to: part.range.upperBound))
            if let name = part.1, hasVariables {
                variables.append(span)
                return "_\(name)_"
            }
            if part.2 != nil, numbersArguments { return "%@" + String(repeating: " ", count: span.count - 2) }
            let isClause = part.3.map { clauses.contains($0.uppercased()) } ?? false
            return isClause ? String(repeating: " ", count: span.count) : String(part.0)
        }
        return (prepared, variables)
    }

    /// Whether a text has a name that the program replaces: `%NAME%`.
    func hasVariable(_ text: String) -> Bool { hasVariables && text.contains(/%\w+%/) }
}
