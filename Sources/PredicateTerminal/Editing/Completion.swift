// The completions that Tab offers, as the line editor (LineEditor.swift) uses them.

/// A completion: text that can be inserted at the cursor.
package struct CompletionItem: Sendable, Hashable {
    /// The text to insert.
    package var text: String
    /// A short description.
    package var detail: String
    /// Text to insert after it if it is the only completion; usually a space.
    package var suffix: String

    package init(_ text: String, detail: String = "", suffix: String = "") {
        self.text = text
        self.detail = detail
        self.suffix = suffix
    }
}

/// All completions at the cursor.
package struct CompletionList: Sendable, Hashable {
    /// The bytes that a completion replaces: the word before the cursor.
    package var range: Range<Int>
    package var items: [CompletionItem]

    package init(range: Range<Int>, items: [CompletionItem]) {
        self.range = range
        self.items = items
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
