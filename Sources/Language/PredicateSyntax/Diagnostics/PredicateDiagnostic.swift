// A diagnostic stores facts: its ID, position and details. Messages.swift has its text; the renderers format it.

/// A finding about a predicate: an error, a warning or a note.
public struct PredicateDiagnostic: Sendable, Equatable {
    /// An error makes the text invalid; a warning or a note does not.
    public enum Severity: String, Sendable {
        case note, warning, error
    }

    /// A replacement in the text. All replacements of a diagnostic together certainly correct it.
    public struct FixIt: Sendable, Equatable {
        /// The part of the text to replace.
        public let span: SourceSpan
        public let replacement: String

        package init(_ span: SourceSpan, _ replacement: String) {
            self.span = span
            self.replacement = replacement
        }
    }

    /// The kind of finding.
    public let id: DiagnosticID
    public var severity: Severity
    /// The position in the text.
    public var span: SourceSpan
    /// The values for `{0}`, `{1}` … in the message.
    package let details: [String]
    /// The probable intention, such as `BEGINSWITH`. Shown as "did you mean …?"
    public let suggestion: String?
    /// Replacements that correct the text; `correcting(_:)` makes all of them.
    public let fixIts: [FixIt]

    /// Creates a diagnostic. If the severity is nil, the catalogue's severity for the ID is used.
    package init(
        _ id: DiagnosticID, at span: SourceSpan, _ details: String..., severity: Severity? = nil,
        suggestion: String? = nil, fixIts: [FixIt] = []
    ) {
        self.init(id, at: span, details: details, severity: severity, suggestion: suggestion, fixIts: fixIts)
    }

    /// Creates a diagnostic with details in an array.
    package init(
        _ id: DiagnosticID, at span: SourceSpan, details: [String], severity: Severity? = nil,
        suggestion: String? = nil, fixIts: [FixIt] = []
    ) {
        self.id = id
        self.severity = severity ?? id.texts.severity
        self.span = span
        self.details = details
        self.suggestion = suggestion
        self.fixIts = fixIts
    }

    /// The same diagnostic with other details.
    package func mappingDetails(_ change: (String) -> String) -> PredicateDiagnostic {
        PredicateDiagnostic(
            id, at: span, details: details.map(change), severity: severity, suggestion: suggestion, fixIts: fixIts)
    }

    /// The same diagnostic with the advice of another one about the same part of the text.
    package func advised(by other: PredicateDiagnostic) -> PredicateDiagnostic {
        PredicateDiagnostic(
            id, at: span, details: advised(other.suggestion == nil ? other.label ?? "" : "").details,
            severity: severity, suggestion: other.suggestion, fixIts: other.fixIts)
    }

    /// The same diagnostic with other advice, if its label is one detail, such as `{2}`.
    package func advised(_ advice: String) -> PredicateDiagnostic {
        guard let label = id.texts.label, let index = Int(label.dropFirst().dropLast()) else { return self }
        var details = details
        while details.count <= index { details.append("") }
        details[index] = advice
        return PredicateDiagnostic(
            id, at: span, details: details, severity: severity, suggestion: suggestion, fixIts: fixIts)
    }

    /// Whether it says what to write, beyond what the catalogue says of each diagnostic of its ID.
    package var hasAdvice: Bool {
        guard suggestion == nil, fixIts.isEmpty else { return true }
        return label != nil && label != id.texts.fallback.map(fill)
    }

    /// The message: `'BEGINWITH' is not an operator`.
    public var message: String { fill(id.texts.message) }

    /// The text under the caret: the suggestion, else the catalogue's advice, else nil.
    public var label: String? {
        if let suggestion { return "did you mean \(suggestion)?" }
        let texts = id.texts
        let label = texts.label.map(fill)
        return label?.isEmpty == false ? label : texts.fallback.map(fill)
    }

    /// Returns the text with the correction; nil if no correction is certain.
    ///
    ///     do { _ = try FormatPredicate(text: "a IN (1, 2)") } catch {
    ///         error.diagnostics[0].correcting(error.source)    // a IN {1, 2}
    ///     }
    ///
    /// - Parameter source: the text that the diagnostic is about, such as the `source` of a `PredicateFailure`.
    public func correcting(_ source: String) -> String? {
        guard !fixIts.isEmpty, fixIts.allSatisfy({ $0.span.end <= source.utf8.count }) else { return nil }
        return String(decoding: Self.applying(fixIts, to: Array(source.utf8)), as: UTF8.self)
    }

    /// Makes replacements from the last to the first, so that earlier positions stay valid.
    static func applying(_ fixIts: [FixIt], to source: [UInt8]) -> [UInt8] {
        var fixed = source
        for fix in fixIts.ordered(by: { $0.span.start > $1.span.start }) {
            fixed.replaceSubrange(fix.span.range, with: fix.replacement.utf8)
        }
        return fixed
    }

    /// The correction in words: `insert \`, `remove ;`, or the text that replaces another. nil without a fix-it.
    package func fixTitle(_ lines: SourceLines) -> String? {
        guard let fix = fixIts.first else { return nil }
        if fixIts.count > 1 { return suggestion.map { "write \($0)" } ?? label ?? message }
        let start = lines.clamped(fix.span.start)
        let old = lines.text(start..<max(start, lines.clamped(fix.span.end)))
        // A fix in a file of markup has its entities; a title is read.
        let plain = XMLEntity.all.reduce(fix.replacement) { $0.replacing($1.spelling, with: $1.meaning) }
        let new = DisplayText.visible(plain).trimmingSpaces
        if fix.span.isEmpty { return "insert \(new.isEmpty ? "a space" : new)" }
        return new.isEmpty ? "remove " + DisplayText.visible(old).trimmingSpaces : new
    }

    /// The message with its label and fix-it in one sentence, for output formats that do not show the line.
    package func sentence(_ lines: SourceLines) -> String {
        var text = message
        if let label { text += "; " + label }
        if suggestion == nil, let title = fixTitle(lines), !text.contains(title) { text += "; fix: " + title }
        return text
    }

    /// The explanation shown by `predicate explain`.
    public var explanation: String { id.texts.explanation }

    private func fill(_ template: String) -> String {
        guard template.contains("{") else { return template }
        var text = ""
        var rest = template[...]
        while let open = rest.firstIndex(of: "{") {
            text += rest[..<open]
            let after = rest.index(after: open)
            if let close = rest[after...].firstIndex(of: "}"), let position = Int(rest[after..<close]) {
                let detail = position < details.count ? details[position] : ""
                // A detail may be a key of a megabyte, and a person reads the message.
                text += detail.utf8.count > 4000 ? detail.prefix(1000) + "…" : detail
                rest = rest[rest.index(after: close)...]
            } else {
                text += "{"
                rest = rest[after...]
            }
        }
        return text + rest
    }
}

/// An error with what is wrong in a text, where, and what to write there. Failures of predicates and of stores have one
/// handler:
///
///     do { … } catch let error as any DiagnosedError { print(error.located, error.source) }
public protocol DiagnosedError: Error, CustomStringConvertible {
    /// The findings in the order of the text; empty for an error that is about no text.
    var diagnostics: [PredicateDiagnostic] { get }
    /// The text; may be empty.
    var source: String { get }
}

/// The error for a predicate that cannot be parsed, bound or evaluated: all diagnostics, and the text they refer to.
///
///     do { _ = try FormatPredicate("name BEGINWITH 'A'") } catch { print(error) }
public struct PredicateFailure: DiagnosedError, Sendable, Equatable {
    /// In the order of the text. At least one is an error.
    public let diagnostics: [PredicateDiagnostic]
    /// The format string; empty for a predicate built in code.
    public let source: String
    private let read: ReadError?

    /// The error of the object whose key could not be read, such as a `StoreFailure`; nil for other failures.
    public var cause: (any Error)? { read?.error }

    package init(_ diagnostics: [PredicateDiagnostic], source: String, cause: ReadError? = nil) {
        self.diagnostics = diagnostics
        self.source = source
        read = cause
    }

    package init(_ diagnostic: PredicateDiagnostic, source: String = "") {
        self.init([diagnostic], source: source)
    }

    /// A failure with one diagnostic. By default it is about no place of a text.
    package init(
        _ id: DiagnosticID, at span: SourceSpan = .none, _ details: String..., suggestion: String? = nil,
        source: String = ""
    ) {
        self.init(PredicateDiagnostic(id, at: span, details: details, suggestion: suggestion), source: source)
    }

    /// The text form with the source line and a caret, without colour.
    public var description: String { DiagnosticRenderer().render(diagnostics, source: source) }
}

/// A reader of trees that reports what it finds.
package protocol FindingReporter {
    func report(_ finding: PredicateDiagnostic)
}

extension FindingReporter {
    package func report(
        _ id: DiagnosticID, at span: SourceSpan, _ details: String..., severity: PredicateDiagnostic.Severity? = nil,
        suggestion: String? = nil, fixIts: [PredicateDiagnostic.FixIt] = []
    ) {
        report(
            PredicateDiagnostic(
                id, at: span, details: details, severity: severity, suggestion: suggestion, fixIts: fixIts))
    }
}

/// An object that keeps the errors of evaluations that read it, for those that cannot throw.
package protocol FaultKeeper: KeyedObject, Sendable {
    func keep(_ failure: ReadError)
    /// The failure is thrown instead.
    func drop(_ failure: ReadError)
}

/// The error that reading a key of an object threw. All are equal, so that failures can be compared by their
/// diagnostics. A class, because failures are passed on often and most have none.
package final class ReadError: Sendable, Equatable {
    package let error: any Error
    private let object: (any FaultKeeper)?

    package init(_ error: any Error, keptBy object: (any FaultKeeper)?) {
        self.error = error
        self.object = object
        object?.keep(self)
    }

    /// The evaluation throws the error.
    package func isThrown() { object?.drop(self) }

    package static func == (left: ReadError, right: ReadError) -> Bool { true }
}
