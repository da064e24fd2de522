// A diagnostic is a fact: which one, where, about what. Its sentence comes from Messages.swift, its picture from a renderer.

/// One finding about a predicate.
public struct Diagnostic: Sendable, Hashable {
    public enum Severity: String, Sendable, Hashable, Comparable {
        case note, warning, error

        public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }
        private var rank: Int { self == .error ? 2 : self == .warning ? 1 : 0 }
    }

    /// A replacement that mends the text for certain.
    public struct FixIt: Sendable, Hashable {
        public let span: SourceSpan
        public let replacement: String

        public init(_ span: SourceSpan, _ replacement: String) {
            self.span = span
            self.replacement = replacement
        }
    }

    public let id: DiagnosticID
    public var severity: Severity
    public var span: SourceSpan
    /// What the sentence speaks of: its `{0}`, `{1}` …
    public let details: [String]
    /// A likely meaning: `BEGINSWITH`. Shown as "did you mean …?"
    public let suggestion: String?
    public let fixIts: [FixIt]

    /// A finding; `severity` is the catalogue's for this ID unless given.
    public init(
        _ id: DiagnosticID, at span: SourceSpan, _ details: String..., severity: Severity? = nil,
        suggestion: String? = nil, fixIts: [FixIt] = []
    ) {
        self.init(id, at: span, details: details, severity: severity, suggestion: suggestion, fixIts: fixIts)
    }

    /// The same, with details that were collected elsewhere.
    public init(
        _ id: DiagnosticID, at span: SourceSpan, details: [String], severity: Severity? = nil,
        suggestion: String? = nil, fixIts: [FixIt] = []
    ) {
        self.id = id
        self.severity = severity ?? id.entry.severity
        self.span = span
        self.details = details
        self.suggestion = suggestion
        self.fixIts = fixIts
    }

    /// The sentence: `'BEGINWITH' is not an operator`.
    public var message: String { fill(id.entry.message) }

    /// What stands under the caret: the suggestion, else the catalogue's advice, else nothing.
    public var label: String? {
        if let suggestion { return "did you mean \(suggestion)?" }
        let label = id.entry.label.map(fill)
        return label?.isEmpty == true ? nil : label
    }

    /// The long help of `predicate explain`.
    public var explanation: String { id.entry.explanation }

    private func fill(_ template: String) -> String {
        guard template.contains("{") else { return template }
        var text = ""
        var rest = template[...]
        while let open = rest.firstIndex(of: "{") {
            text += rest[..<open]
            let after = rest.index(after: open)
            if let close = rest[after...].firstIndex(of: "}"), let position = Int(rest[after..<close]) {
                text += position < details.count ? details[position] : ""
                rest = rest[rest.index(after: close)...]
            } else {
                text += "{"
                rest = rest[after...]
            }
        }
        return text + rest
    }
}

/// Why a predicate could not be read, bound or evaluated: every finding, with the text that they are about.
///
///     do { _ = try FormatPredicate("name BEGINWITH 'A'") } catch { print(error) }
public struct PredicateFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// In the order of the text; at least one is an error.
    public let diagnostics: [Diagnostic]
    /// The format string; empty where the predicate was built in code.
    public let source: String

    public init(_ diagnostics: [Diagnostic], source: String) {
        self.diagnostics = diagnostics
        self.source = source
    }

    public init(_ diagnostic: Diagnostic, source: String = "") {
        self.init([diagnostic], source: source)
    }

    /// As a terminal shows it, caret included, without colour.
    public var description: String { TextRenderer().render(diagnostics, source: source) }
}
