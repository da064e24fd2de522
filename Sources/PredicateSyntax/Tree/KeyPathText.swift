extension StringProtocol {
    /// The keys of a key path, such as `employer.title`; empty keys, too. A dot separates keys also where a combining mark
    /// follows it, as in the lexer, so it is not searched as a Character.
    package var keyPathKeys: [String] {
        String(self).unicodeScalars.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }
}
