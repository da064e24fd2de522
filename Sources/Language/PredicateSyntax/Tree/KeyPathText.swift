extension StringProtocol {
    /// The keys of a key path, such as `employer.title`, including empty keys. A dot also separates keys if a combining
    /// mark follows it, as in the lexer; so the dots are searched as scalars, not as Characters.
    package var keyPathKeys: [String] {
        String(self).unicodeScalars.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }
}
