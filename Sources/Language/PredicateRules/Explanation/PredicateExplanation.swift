// Explains why a predicate is true or false for one object, and which changes would alter the result. Explainer.swift
// evaluates the parts, LeastChanges.swift searches for changes.

/// The reason why a predicate is true or false for an object, or why its evaluation fails.
///
///     let rule = try FormatPredicate("age >= 18 AND name BEGINSWITH 'A'")
///     print(try rule.explanation(for: ["age": 17, "name": "Ada"]))
///     // false
///     //   age >= 18 AND name BEGINSWITH 'A'
///     //   ^^^^^^^^^ false: age is 17
///     // true with age: 17 → at least 18
public struct PredicateExplanation: Sendable {
    public enum Outcome: String, Sendable, Hashable {
        case `true`, `false`
        /// The evaluation failed.
        case raised
        /// Not evaluated, because an earlier part already decided the result.
        case skipped
    }

    /// A predicate inside the predicate, or one element of a collection that it tests.
    public struct Part: Sendable {
        /// The canonical text.
        public let text: String
        /// The offset in `PredicateExplanation.text`, in UTF-8 bytes.
        public let start: Int
        public let end: Int
        /// The index of the element that this part tests, from 0; nil for a part that does not test an element.
        public let element: Int?
        public let outcome: Outcome
        /// The error message if the evaluation failed.
        public let message: String?
        /// The operands that are no constants: the text of each, `order.total`, and its value in the form that predicates
        /// print.
        public let operands: [(text: String, value: String)]
        /// The terms of a compound, or the elements of ANY, ALL and SUBQUERY, in evaluation order. For a long
        /// collection, only the first elements and the one that decided.
        public internal(set) var parts: [Part]
        /// Whether this part decided the result: the false term of an AND, the true term of an OR, the matching element
        /// of an ANY.
        public internal(set) var decides = false
    }

    /// A new value of a key: the key path; the present value in the form that predicates print; a description of the new
    /// values, `at least 18`; and one of them, with which the predicate was evaluated.
    public typealias Change = (key: String, from: String, to: String, value: String)

    /// The text that the offsets of parts refer to.
    public let text: String
    /// The whole predicate.
    public let root: Part
    /// The smallest sets of changes, of one key or else of two. Each set changes the result from true to false, or from
    /// false to true. Empty if none was found.
    public let changes: [[Change]]

    public var outcome: Outcome { root.outcome }
}

extension PredicateExplanation: CustomStringConvertible {
    /// The deciding parts, marked in the text of the predicate, and the changes.
    public var description: String {
        var lines = [root.outcome.rawValue]
        lines += Self.marked(text, root.deciding.map { ($0.start, $0.end, $0.label) })
        for set in changes {
            let texts = set.map { "\($0.key): \($0.from) → \($0.to)" }
            let other = root.outcome == .true ? "false" : "true"
            lines.append(DisplayText.visible("\(other) with " + texts.joined(separator: " and ")))
        }
        return lines.joined(separator: "\n")
    }

    /// A text on one line, and below it a line for each part with its label.
    static func marked(_ text: String, _ parts: [(start: Int, end: Int, label: String)]) -> [String] {
        let source = text.replacing("\n", with: " ").replacing("\t", with: " ")
        var lines = ["  " + DisplayText.visible(source)]
        for part in parts where part.end <= text.utf8.count {
            let before = String(decoding: source.utf8.prefix(part.start), as: UTF8.self)
            let marked = String(decoding: source.utf8.prefix(part.end).dropFirst(part.start), as: UTF8.self)
            let space = String(repeating: " ", count: 2 + DisplayText.columns(DisplayText.visible(before)))
            let carets = String(repeating: "^", count: max(1, DisplayText.columns(DisplayText.visible(marked))))
            lines.append(space + carets + " " + DisplayText.visible(part.label))
        }
        return lines
    }
}

extension PredicateExplanation.Part {
    /// The comparisons that decided the result, in text order.
    var deciding: [PredicateExplanation.Part] {
        guard decides else { return [] }
        let inner = parts.filter { $0.decides && $0.element == nil }
        return inner.isEmpty ? [self] : inner.flatMap { $0.deciding }
    }

    /// A label such as `false: age is 17`.
    fileprivate var label: String {
        if let message { return "raised: \(message)" }
        var reasons = operands.map { "\($0.text) is \($0.value)" }
        if let hit = parts.first(where: { $0.decides && $0.element != nil }), parts.count > 1 {
            reasons.append("element \((hit.element ?? 0) + 1): \(hit.text)")
        }
        return outcome.rawValue + (reasons.isEmpty ? "" : ": " + reasons.joined(separator: ", "))
    }
}
