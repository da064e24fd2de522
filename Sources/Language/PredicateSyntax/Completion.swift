// The completions at the cursor, for editors, shells and the prompt. The line editor (LineEditor.swift) offers them with
// Tab.

/// A completion: text that is valid at the cursor.
package struct Completion: Hashable, Sendable {
    package enum Kind: String, Sendable {
        case key, relationship, `operator`, option, function, value, keyword
        case collectionOperator = "collection-operator"
        case variable, command, file
    }

    package let text: String
    package let kind: Kind
    /// A short description.
    package let detail: String
    /// Text to insert after it if it is the only completion; usually a space.
    package let suffix: String

    package init(_ text: String, _ kind: Kind, _ detail: String = "", suffix: String = "") {
        (self.text, self.kind, self.detail, self.suffix) = (text, kind, detail, suffix)
    }
}

/// All completions at the cursor.
package struct CompletionList: Hashable, Sendable {
    /// The bytes that a completion replaces: the word before the cursor.
    package var range: Range<Int>
    package var items: [Completion]

    package init(range: Range<Int>, items: [Completion]) { (self.range, self.items) = (range, items) }

    /// The completions with the prefix `word`. If there are none, those with the prefix in another case; else the one
    /// with the most similar spelling.
    package func matching(_ word: String) -> CompletionList {
        guard !word.isEmpty else { return self }
        let lower = word.lowercased()
        var found = items.filter { $0.text.hasPrefix(word) }
        if found.isEmpty { found = items.filter { $0.text.lowercased().hasPrefix(lower) } }
        if found.isEmpty, word.count > 2, let nearest = Suggestions.nearest(to: word, in: items.map { $0.text }) {
            found = items.filter { $0.text == nearest }
        }
        return CompletionList(range: range, items: found)
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
