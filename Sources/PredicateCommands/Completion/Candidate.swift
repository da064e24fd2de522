// The results of completion, for editors, shells and the REPL. Completer.swift makes them.

import PredicateSyntax

/// A completion: text that is valid at the cursor.
struct Candidate: Hashable, Sendable {
    enum Kind: String, Sendable {
        case key, relationship, `operator`, option, function, value, keyword
        case collectionOperator = "collection-operator"
        case variable, command, file
    }

    let text: String
    let kind: Kind
    /// A short description.
    var detail = ""
    /// Text to insert after it.
    var suffix = ""

    init(_ text: String, _ kind: Kind, _ detail: String = "", suffix: String = "") {
        self.text = text
        self.kind = kind
        self.detail = detail
        self.suffix = suffix
    }
}

/// All completions at the cursor, and the bytes that each replaces.
struct Candidates: Sendable, Equatable {
    var range: Range<Int>
    var candidates: [Candidate]

    /// The candidates with the prefix `word`. If there are none, those with the prefix in another case; else
    /// the one with the most similar spelling.
    func matching(_ word: String) -> Candidates {
        guard !word.isEmpty else { return self }
        let lower = word.lowercased()
        var found = candidates.filter { $0.text.hasPrefix(word) }
        if found.isEmpty { found = candidates.filter { $0.text.lowercased().hasPrefix(lower) } }
        if found.isEmpty, word.count > 2, let nearest = Suggestions.nearest(to: word, in: candidates.map(\.text)) {
            found = candidates.filter { $0.text == nearest }
        }
        return Candidates(range: range, candidates: found)
    }
}
