// A field of a file may be a text where a predicate needs a number or a date. The message then names the option that
// converts the field.

import PredicateModel
import PredicateSyntax

struct TypeHint {
    /// The option before the key: `--types ` on the command line, `.types ` at the prompt.
    let option: String

    /// Adds to each error about a key that is a text and is compared with a value of another type how to convert it.
    func adding(to diagnostics: [Diagnostic], of text: PredicateText) -> [Diagnostic] {
        guard case .predicate(let predicate) = text.tree else { return diagnostics }
        return diagnostics.map { diagnostic in
            guard let types = types(diagnostic) else { return diagnostic }
            var key: String?
            PredicateWalker(predicate: { node in
                guard key == nil, node.span == diagnostic.span, case .comparison(let comparison) = node.kind else {
                    return
                }
                let operand = types.left == Self.text ? comparison.left : comparison.right
                if case .keyPath(let path) = operand.kind { key = path.joined(separator: ".") }
            }).walk(predicate.root)
            let other = types.left == Self.text ? types.right : types.left
            guard let key, let type = Self.names[other] else { return diagnostic }
            let value = "\(key)=\(type)"
            let label = "to read the field as \(other), add \(option)" + (key.contains(" ") ? "'\(value)'" : value)
            return Diagnostic(
                diagnostic.id, at: diagnostic.span, details: types.details + [label], severity: diagnostic.severity)
        }
    }

    private static let text = "a text"
    private static let names = [
        "an integer": "integer", "a double": "double", "a decimal": "decimal", "a date": "date", "a UUID": "uuid",
        "a Boolean": "boolean",
    ]

    /// The types of the operands in the details of a diagnostic; nil unless one of them is a text.
    private func types(_ diagnostic: Diagnostic) -> (left: String, right: String, details: [String])? {
        let details = diagnostic.details
        switch diagnostic.id {
        case .operandType where details.count >= 2:
            let words = details[1]
            for other in Self.names.keys {
                if words == "\(Self.text) and \(other)" { return (Self.text, other, Array(details.prefix(2))) }
                if words == "\(other) and \(Self.text)" { return (other, Self.text, Array(details.prefix(2))) }
            }
            return nil
        case .typeMismatch where details.count >= 3 && details[1...2].contains(Self.text):
            return (details[1], details[2], Array(details.prefix(3)))
        default: return nil
        }
    }
}
