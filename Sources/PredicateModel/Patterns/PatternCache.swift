// The MATCHES patterns that were compiled last.
import PredicateSyntax
import Synchronization

enum PatternCache {
    struct Key: Hashable {
        /// Not a string, because patterns that are canonically equivalent match different texts.
        let bytes: [UInt8]
        let options: ComparisonOptions
        let limits: PredicateLimits
    }

    /// With both limits the patterns take a few megabytes at most.
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
