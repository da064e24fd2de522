// Files with one predicate on each line, which several lines may continue.

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
        let role = Self.role(of: line.utf8)
        if role == .continues, let first = begun?.lines.lowerBound {
            // In place: a copy for each line would take quadratic time.
            begun?.text += "\n" + line
            begun?.lines = first...number
            return nil
        }
        defer { begun = role == .ends ? nil : (line, number...number) }
        return begun
    }

    /// Returns the predicate at the end of the file.
    package mutating func finish() -> Predicate? {
        defer { begun = nil }
        return begun
    }

    /// What a line does: a blank line or a comment ends a predicate; a line that begins with a space continues the one
    /// before it, if there is one.
    enum Role { case begins, continues, ends }

    static func role(of line: some Collection<UInt8>) -> Role {
        // Almost every line: a sign of ASCII that begins no comment. Reading characters is ten times slower.
        if let first = line.first, (0x21..<0x7F).contains(first), !"/#".utf8.contains(first) { return .begins }
        let text = String(decoding: line, as: UTF8.self)
        if isComment(text) { return .ends }
        guard let first = text.firstIndex(where: { !$0.isWhitespace }) else { return .ends }
        return first == text.startIndex ? .begins : .continues
    }

    /// Whether a line of a file of predicates is a comment: it begins with `//`, `# `, `#!` or `##`, or is `#` alone.
    /// `#self` is a key, not a comment.
    package static func isComment(_ line: String) -> Bool {
        let text = line.drop { $0.isWhitespace }
        if text.hasPrefix("//") { return true }
        return text.hasPrefix("#") && text.dropFirst().first.map { $0.isWhitespace || $0 == "!" || $0 == "#" } ?? true
    }
}
