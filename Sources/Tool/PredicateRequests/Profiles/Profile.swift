// A profile describes a program that reads predicates: its keys, and the part of the language that it supports. Each
// profile is a data file. ProfileReader.swift defines the format, ProfileChecker.swift applies the rules.

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
    struct TermArguments: Sendable {
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
    /// The keys that need care, with the reason.
    var doubtfulKeys: [String: String] = [:]
    /// The keys that hold version numbers as texts, with advice instead of comparing their order.
    var versions: [String: String] = [:]
    /// The types of terms by their text without the sign: `status(passcode.is-compliant)`. The elements of lists are entities
    /// of the schema.
    var termTypes: [String: ExpressionType] = [:]
    /// The known terms by name.
    var terms: [String: TermArguments] = [:]
    /// The functions, methods and types of CAST that the program adds to the language.
    var additions: Set<String> = []

    /// A key of the objects; nil if the profile does not list it.
    func key(_ name: String) -> PredicateSchema.Key? {
        schema.flatMap { schema in schema.defaultEntity.flatMap { schema.key(name, of: $0) } }
    }

    /// Whether the `only` list of a section names this construct.
    func allows(_ section: Section, _ name: String) -> Bool { rules[section]?.only?.contains(name) ?? false }

    // MARK: Texts

    /// The text in the language of predicates, with the same spans: variables outside of quotes are keys, `$0` is `%@`,
    /// and clauses are spaces. Also returns the spans of these variables.
    func prepared(_ text: String) -> (text: String, variables: [SourceSpan]) {
        guard hasVariables || numbersArguments || !clauses.isEmpty else { return (text, []) }
        var bytes = Array(text.utf8)
        // The recipe inserts the whole predicate.
        if hasVariables, Self.variable(bytes, 0)?.upperBound == bytes.count { return ("TRUEPREDICATE", []) }
        var variables: [SourceSpan] = []
        var index = 0
        while index < bytes.count {
            if "'\"".utf8.contains(bytes[index]) {
                // What follows a quotation mark without a partner is in quotes.
                index = Self.endOfQuotes(bytes, index)
            } else if hasVariables, let range = Self.variable(bytes, index) {
                variables.append(SourceSpan(range.lowerBound, range.upperBound))
                bytes[range.lowerBound] = UInt8(ascii: "_")
                bytes[range.upperBound - 1] = UInt8(ascii: "_")
                index = range.upperBound
            } else if numbersArguments, bytes[index] == UInt8(ascii: "$"), index + 1 < bytes.count,
                bytes[index + 1].isDigit
            {
                let end = bytes[(index + 1)...].firstIndex { !$0.isDigit } ?? bytes.count
                for at in index..<end { bytes[at] = UInt8(ascii: " ") }
                (bytes[index], bytes[index + 1]) = (UInt8(ascii: "%"), UInt8(ascii: "@"))
                index = end
            } else if SourceCursor.isWordByte(bytes[index]) {
                let end = bytes[index...].firstIndex { !SourceCursor.isWordByte($0) } ?? bytes.count
                let next = endOfClause(bytes, index..<end)
                if let next { for at in index..<next { bytes[at] = UInt8(ascii: " ") } }
                index = next ?? end
            } else {
                index += 1
            }
        }
        return (String(decoding: bytes, as: UTF8.self), variables)
    }

    /// The end of a text in quotes, whose first quotation mark is at an offset.
    private static func endOfQuotes(_ bytes: [UInt8], _ start: Int) -> Int {
        var index = start + 1
        while index < bytes.count, bytes[index] != bytes[start] { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
        return index + 1
    }

    /// The range of a name between percent signs that begins at an offset; nil if none does.
    private static func variable(_ bytes: [UInt8], _ start: Int) -> Range<Int>? {
        guard start < bytes.count, bytes[start] == UInt8(ascii: "%"),
            let end = bytes[(start + 1)...].firstIndex(where: { !SourceCursor.isWordByte($0) }), end > start + 1,
            bytes[end] == UInt8(ascii: "%")
        else { return nil }
        return start..<end + 1
    }

    /// The end of a clause such as `SORT(name)`, whose word is given; nil if it is none.
    private func endOfClause(_ bytes: [UInt8], _ word: Range<Int>) -> Int? {
        guard !clauses.isEmpty, clauses.contains(String(decoding: bytes[word], as: UTF8.self).uppercased()),
            let open = bytes[word.upperBound...].firstIndex(where: { $0 != 32 }), bytes[open] == UInt8(ascii: "("),
            let close = bytes[(open + 1)...].firstIndex(where: { "()".utf8.contains($0) }),
            bytes[close] == UInt8(ascii: ")")
        else { return nil }
        return close + 1
    }

    /// Whether a text has a name that the program replaces: `%NAME%`.
    func hasVariable(_ text: String) -> Bool {
        guard hasVariables else { return false }
        let bytes = Array(text.utf8)
        return bytes.indices.contains { Self.variable(bytes, $0) != nil }
    }
}

extension Completer {
    /// - Parameter profile: has the keys, and their values.
    init(_ profile: Profile?) {
        self.init()
        guard let profile else { return }
        environment = environment.adding(profile.language)
        domain = { path in (profile.texts[path.last ?? ""] ?? []).map { .string($0) } }
        words = profile.values
        terms = profile.terms.mapValues { $0.names.sorted() }
        schema = profile.schema
        entity = profile.schema?.defaultEntity ?? ""
    }
}
