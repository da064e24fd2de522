// Calls of the project's own functions that take a format: `--call 'find(where:)'`, `--call 'fetch:where:'`.

/// A call whose last named parameter takes a format. Further arguments are arguments of the format.
package struct CallPattern: Hashable, Sendable {
    /// The function, method or macro; for an Objective-C selector its first part.
    let name: String
    /// In Swift, the labels up to the format, nil for `_`; in Objective-C, the parts of the selector.
    let labels: [String?]
    let isSelector: Bool
}

extension CallPattern {
    /// Parses `find(where:)`, `Person.find(_:where:)`, `PRED(_:)`, `fetch:where:`; nil for any other text.
    package init?(_ text: String) {
        func isWord(_ text: some StringProtocol) -> Bool {
            !text.isEmpty && text.utf8.allSatisfy(SourceCursor.isWordByte)
        }
        guard text.hasSuffix(text.contains("(") ? ":)" : ":") else { return nil }
        let parts = text.split(separator: "(", maxSplits: 1)
        guard parts.count == 2 else {
            let selector = text.split(separator: ":").map(String.init)
            guard let first = selector.first, selector.allSatisfy(isWord) else { return nil }
            self.init(name: first, labels: selector.map { Optional($0) }, isSelector: true)
            return
        }
        let name = parts[0].split(separator: ".").last ?? ""
        let labels = parts[1].dropLast(2).split(separator: ":", omittingEmptySubsequences: false)
        guard isWord(name), labels.allSatisfy(isWord) else { return nil }
        self.init(name: String(name), labels: labels.map { $0 == "_" ? nil : String($0) }, isSelector: false)
    }

    /// A macro whose parameter at an index is a format.
    init(macro name: String, index: Int) {
        self.init(name: name, labels: Array(repeating: nil, count: index + 1), isSelector: false)
    }

    /// The pattern as the user writes it.
    var spelling: String {
        let parts = labels.map { ($0 ?? "_") + ":" }.joined()
        return isSelector ? parts : "\(name)(\(parts))"
    }
}
