// The completions at the cursor, for the fields of apps, editors, shells and the prompt. PredicateModel/Completion finds
// them; the line editor (LineEditor.swift) offers them with Tab.

/// A text that is valid at the cursor.
public struct PredicateCompletion: Hashable, Sendable {
    public enum Kind: String, Sendable {
        case key, relationship, `operator`, option, function, value, keyword
        case collectionOperator = "collection-operator"
        case variable
    }

    /// The text that replaces the word at the cursor.
    public let text: String
    public let kind: Kind
    /// A short description, such as the type of a key; may be empty.
    public let detail: String
    /// What usually follows it, such as a space.
    public let suffix: String

    /// The text without the signs around its name: `first name"` of `SELF."first name"`.
    fileprivate var name: Substring { text.dropFirst(text.hasPrefix("SELF.\"") ? 5 : 0).drop { "#\"".contains($0) } }

    package init(_ text: String, _ kind: Kind, _ detail: String = "", suffix: String = "") {
        (self.text, self.kind, self.detail, self.suffix) = (text, kind, detail, suffix)
    }
}

/// All completions at the cursor.
public struct PredicateCompletions: Hashable, Sendable {
    /// The UTF-8 bytes that a completion replaces: the word before the cursor.
    public package(set) var span: SourceSpan
    /// The completions, best first.
    public package(set) var items: [PredicateCompletion]

    package init(range: Range<Int>, items: [PredicateCompletion]) {
        (span, self.items) = (SourceSpan(range.lowerBound, range.upperBound), items)
    }

    /// The text with a completion and what usually follows it, and the cursor after them.
    ///
    ///     let found = FormatPredicate.completions(of: "age >= 18 AND na", schema: schema)
    ///     let (text, cursor) = found.inserting(found.items[0], in: "age >= 18 AND na")
    ///     // "age >= 18 AND name ", its end
    public func inserting(_ item: PredicateCompletion, in text: String) -> (text: String, cursor: String.Index) {
        let place = span.range(in: text)
        var rest = text[place.upperBound...]
        if !item.suffix.isEmpty, rest.hasPrefix(item.suffix) { rest = rest.dropFirst(item.suffix.count) }
        var result = String(text[..<place.lowerBound]) + item.text + item.suffix
        let length = result.utf8.count
        result += rest
        return (result, result.utf8.index(result.startIndex, offsetBy: length))
    }

    package var range: Range<Int> { span.range }

    /// The completions with the prefix `word`, and values with it in any case. If there are none, those with the prefix
    /// in another case; else the one with the most similar spelling.
    package func matching(_ word: String) -> PredicateCompletions {
        guard !word.isEmpty else { return self }
        let lower = word.lowercased()
        func begins(_ item: PredicateCompletion) -> Bool {
            [item.text[...], item.name].contains { $0.lowercased().hasPrefix(lower) }
        }
        var found = items.filter {
            $0.text.hasPrefix(word) || $0.name.hasPrefix(word) || $0.kind == .value && begins($0)
        }
        if found.isEmpty { found = items.filter(begins) }
        if found.isEmpty, word.count > 2, let nearest = Suggestions.nearest(to: word, in: items.map { $0.text }) {
            found = items.filter { $0.text == nearest }
        }
        return PredicateCompletions(range: span.range, items: found)
    }

    /// The longest common prefix of all items, ignoring case; its letters are those of the first item.
    package var commonPrefix: String {
        guard let first = items.first else { return "" }
        var prefix = Array(first.text)
        for item in items.dropFirst() {
            let same = zip(prefix, item.text).prefix { $0 == $1 || $0.lowercased() == $1.lowercased() }.count
            prefix.removeLast(prefix.count - same)
        }
        return String(prefix)
    }
}
