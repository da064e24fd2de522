// What Tab can put in, as the line editor sees it.

/// One thing that may stand at the cursor.
package struct CompletionItem: Sendable, Hashable {
    /// What is put in.
    package var text: String
    /// What it is or does, in a few words.
    package var detail: String
    /// What comes behind it when it is the only one: a blank, mostly.
    package var suffix: String

    package init(_ text: String, detail: String = "", suffix: String = "") {
        self.text = text
        self.detail = detail
        self.suffix = suffix
    }
}

/// All things that may stand at the cursor.
package struct CompletionList: Sendable, Hashable {
    /// The bytes that each of them replaces: the word that has been begun.
    package var range: Range<Int>
    package var items: [CompletionItem]

    package init(range: Range<Int>, items: [CompletionItem]) {
        self.range = range
        self.items = items
    }

    /// What all of them begin with; where they differ in case only, as the first one writes it.
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
