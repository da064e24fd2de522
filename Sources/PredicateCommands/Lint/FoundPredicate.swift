// A predicate as it stands in a source file, before anything is known about it.

import PredicateRecords
import PredicateSyntax

/// A predicate, or an expression, that was found in a file.
struct FoundPredicate {
    /// What is known of the arguments of a format.
    enum Arguments: Equatable {
        /// It takes none: `%` is a mistake.
        case none
        /// It takes some, which the source does not show.
        case hidden
        /// Where each of them stands.
        case shown([SourceSpan])
    }

    /// Text that only the running program knows, pasted into the format.
    struct Hole: Equatable {
        /// Where it stands in the decoded text, as the identifier that takes its place.
        let span: SourceSpan
        /// `\(name)`, `prefix`, `stringWithFormat:`
        let source: SourceSpan
    }

    var text: SourcedText
    var kind = TextReader.Kind.predicate
    var arguments = Arguments.none
    var holes: [Hole] = []
    /// `NSPredicate(format:)`, `condition`: for lists.
    var owner: String
    /// Who reads the predicate, where the place tells: the name of a profile, though there need be none of it.
    var profile: String?
    /// The entity of the objects that it is about, where the place tells.
    var entity: String?
    /// How a replacement must be spelt to stand in the file.
    var spelling = Spelling.verbatim

    enum Spelling {
        case verbatim, cLiteral
        case swiftLiteral(hashes: Int)
        case markup, json
    }
}

extension FoundPredicate.Spelling {
    /// A replacement as the file must spell it.
    func spell(_ text: String) -> String {
        switch self {
        case .verbatim: text
        case .cLiteral: Self.escaped(text, "\\")
        case .swiftLiteral(let hashes):
            hashes == 0 ? Self.escaped(text, "\\") : text
        case .json: Self.escaped(text, "\\")
        case .markup:
            text.reduce(into: "") { result, character in
                switch character {
                case "&": result += "&amp;"
                case "<": result += "&lt;"
                case ">": result += "&gt;"
                case "\"": result += "&quot;"
                default: result.append(character)
                }
            }
        }
    }

    private static func escaped(_ text: String, _ escape: String) -> String {
        text.reduce(into: "") { result, character in
            if character == "\\" || character == "\"" { result += escape }
            result.append(character)
        }
    }
}
