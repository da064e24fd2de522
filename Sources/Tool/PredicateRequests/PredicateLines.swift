// Files with one predicate on each line, which several lines may continue.

import PredicateSyntax

/// Joins the lines of a file to predicates: a line, and those after it that begin with a space. Blank lines and comments
/// end a predicate.
package struct PredicateLines {
    package typealias Predicate = (text: String, lines: ClosedRange<Int>)

    private var number = 0
    private var begun: Predicate?

    package init() {}

    /// Adds the next line. Returns the predicate that ends before it.
    package mutating func add(_ next: String) -> Predicate? {
        number += 1
        var line = next
        if number == 1, line.hasPrefix("\u{FEFF}") { line.removeFirst() }
        let isText = !line.allSatisfy { $0.isWhitespace } && !Self.isComment(line)
        if isText, line.first?.isWhitespace ?? false, let first = begun?.lines.lowerBound {
            // In place: a copy for each line would take quadratic time.
            begun?.text += "\n" + line
            begun?.lines = first...number
            return nil
        }
        defer { begun = isText ? (line, number...number) : nil }
        return begun
    }

    /// Returns the predicate at the end of the file.
    package mutating func finish() -> Predicate? {
        defer { begun = nil }
        return begun
    }

    /// Whether a line of a file of predicates is a comment: it begins with `//`, `# `, `#!` or `##`, or is `#` alone.
    /// `#self` is a key, not a comment.
    package static func isComment(_ line: String) -> Bool {
        let text = line.drop { $0.isWhitespace }
        if text.hasPrefix("//") { return true }
        return text.hasPrefix("#") && text.dropFirst().first.map { $0.isWhitespace || $0 == "!" || $0 == "#" } ?? true
    }
}
