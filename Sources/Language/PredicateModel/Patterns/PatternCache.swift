// A cache of the MATCHES patterns that were compiled last.

enum PatternCache {
    struct Key: Hashable {
        /// Bytes instead of a string, because canonically equivalent patterns may match different texts.
        let bytes: [UInt8]
        let options: ComparisonOptions
        /// Of the limits only those on which a compiled pattern depends, so that a time limit of an evaluation, for
        /// example, does not compile the pattern again that parsing has compiled.
        private let nesting, states: Int

        init(_ text: String, _ options: ComparisonOptions, _ limits: PredicateLimits) {
            bytes = Array(text.utf8)
            self.options = options
            (nesting, states) = (limits.nesting, limits.patternStates)
        }
    }

    /// These limits bound the cache to a few megabytes.
    private static let (countLimit, byteLimit) = (16, 256)

    private static let patterns = Mutex<[Key: CompiledPattern]>([:])

    static func pattern(_ key: Key) -> CompiledPattern? { patterns.withLock { $0[key] } }

    static func add(_ pattern: CompiledPattern, _ key: Key) {
        guard key.bytes.count <= byteLimit else { return }
        patterns.withLock { patterns in
            if patterns.count >= countLimit { patterns.removeAll() }
            patterns[key] = pattern
        }
    }
}
