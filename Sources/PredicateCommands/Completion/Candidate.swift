// What completion answers. Editors, shells and the REPL all read it.

import PredicateSyntax

/// Something that may stand at the cursor.
struct Candidate: Hashable, Sendable {
    enum Kind: String, Sendable {
        case key, relationship, `operator`, option, function, value, keyword
        case collectionOperator = "collection-operator"
        case variable, command, file
    }

    let text: String
    let kind: Kind
    /// What it is or does, in a few words.
    var detail = ""
    /// What is written behind it when it is chosen.
    var suffix = ""

    init(_ text: String, _ kind: Kind, _ detail: String = "", suffix: String = "") {
        self.text = text
        self.kind = kind
        self.detail = detail
        self.suffix = suffix
    }
}

/// All of them, and the bytes that each replaces.
struct Candidates: Sendable, Equatable {
    var range: Range<Int>
    var candidates: [Candidate]

    /// Those that begin as the word that has been typed; where there is none, those of another case; else the one that
    /// was probably meant.
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
