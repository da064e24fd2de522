// A predicate found in a source file, not parsed yet. The scanners and DocumentRules create it; Linter checks it.

/// A predicate or an expression found in a file.
package struct FoundPredicate {
    /// What is known about the arguments of a format.
    enum Arguments: Equatable {
        /// The text takes no arguments, so `%` is an error.
        case none
        /// Arguments that cannot be counted in the source.
        case hidden
        /// Each argument. `areObjects`: they are elements of an array, or Python's, so numbers are objects.
        case shown([Argument], areObjects: Bool = false)
    }

    struct Argument: Equatable {
        let span: SourceSpan
        /// What is known of its value.
        let literal: ArgumentLiteral?
    }

    /// A part of the format that is known only at run time.
    package struct Hole: Equatable {
        /// The span, in the decoded text, of the placeholder identifier.
        let span: SourceSpan
        /// The span in the file: `\(name)`, `prefix`, `stringWithFormat:`, `%NAME%`.
        let source: SourceSpan
    }

    package var text: SourcedText
    var kind = TextReader.Kind.predicate
    var arguments = Arguments.none
    package var holes: [Hole] = []
    /// Whether the holes belong to the format of the file, as variables do in a recipe, and are not reported.
    var expectsHoles = false
    /// Whether the text consists of parts of the format, as of a variable that changes. Only the holes are reported.
    var isPartial = false
    /// Variables that the shell leaves as they are, because they are in single quotes.
    var unexpanded: [SourceSpan] = []
    /// The call or key that holds it, for listings: `NSPredicate(format:)`, `condition`.
    package var owner: String
    /// What its location reveals about the program that reads it.
    var site = CallSite()
    /// How a replacement must be escaped in the file.
    package var spelling = Spelling.verbatim

    package enum Spelling {
        case verbatim, cLiteral, pythonLiteral
        /// `hashes` is nil if the literals of one predicate have different numbers of `#` signs.
        case swiftLiteral(hashes: Int?)
        case markup, json, yaml
        /// `quote` is nil if parts of the word have different quotation marks.
        case shell(quote: UInt8?)
    }
}

/// The predicates of a source file. A constant that is used twice is reported once.
struct FoundPredicates {
    private var predicates: [FoundPredicate] = []
    private var texts: Set<SourcedText> = []

    /// The predicates in the order of the file.
    var sorted: [FoundPredicate] { predicates.sorted { $0.text.span.start < $1.text.span.start } }

    mutating func isNew(_ text: SourcedText) -> Bool { texts.insert(text).inserted }
    mutating func append(_ predicate: FoundPredicate) { predicates.append(predicate) }
}

extension FoundPredicate.Spelling {
    /// Escapes a replacement for the file; nil if it cannot be written there.
    package func spell(_ text: String) -> String? {
        guard !text.unicodeScalars.contains(where: { $0.value < 32 }) else { return nil }
        switch self {
        case .verbatim: return text
        case .cLiteral, .swiftLiteral(hashes: 0), .json: return text.escaping("\\\"")
        case .swiftLiteral(let hashes):
            let isPlain = !text.contains("\\") && !text.contains("\"")
            return hashes != nil && !text.contains("\"#") && !text.contains("\\#") || isPlain ? text : nil
        case .shell(UInt8(ascii: "\"")): return text.escaping("\\\"$`")
        case .shell(UInt8(ascii: "'")): return text.contains("'") ? nil : text
        case .shell, .pythonLiteral: return text.contains { "'\"\\$`".contains($0) } ? nil : text
        case .yaml:
            // It is unknown whether the YAML scalar has quotes, so a text that would need escapes is not written.
            return text.contains { "'\"\\#:".contains($0) } ? nil : text
        case .markup:
            let entities: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"]
            return text.map { entities[$0] ?? String($0) }.joined()
        }
    }
}

extension String {
    /// Escapes each of these characters with a backslash.
    package func escaping(_ characters: String) -> String {
        reduce(into: "") { result, character in
            if characters.contains(character) { result += "\\" }
            result.append(character)
        }
    }
}
