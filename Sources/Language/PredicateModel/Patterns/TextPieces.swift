// The literal texts in a pattern. A LIKE pattern may consist only of these. For an automaton, a search for them rejects
// most texts before it runs.

/// Literal pieces with any text between them, such as `S*mi*a`. The first is a prefix, the last a suffix.
package final class TextPieces: Sendable {
    package let prefix: [UInt8]
    package let suffix: [UInt8]
    private let inner: [ByteSearch]
    package let least: Int
    /// Whether the pattern has only a prefix and a suffix.
    package var isEnds: Bool { inner.isEmpty }

    /// nil for a pattern of another form.
    init?(_ pattern: RegularPattern) {
        guard case .concatenation(let parts) = pattern, parts.contains(.anything) else { return nil }
        var pieces: [[UInt8]] = []
        for part in parts.split(separator: .anything, omittingEmptySubsequences: false) {
            guard let scalars = RegularPattern.joined(Array(part)).literalScalars,
                scalars.allSatisfy({ Unicode.Scalar($0) != nil })
            else { return nil }
            pieces.append(Array(String(scalars: scalars).utf8))
        }
        guard pieces.count > 1 else { return nil }
        prefix = pieces.removeFirst()
        suffix = pieces.removeLast()
        inner = pieces.filter { !$0.isEmpty }.map(ByteSearch.init)
        least = pieces.reduce(prefix.count + suffix.count) { $0 + $1.count }
    }

    package func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count >= least, Self.has(prefix, text, at: 0), Self.has(suffix, text, at: text.count - suffix.count)
        else { return false }
        if inner.isEmpty { return true }
        // Taking the first match of each piece leaves the most text for the next piece.
        let middle = UnsafeBufferPointer(rebasing: text[..<(text.count - suffix.count)])
        var start = prefix.count
        for piece in inner {
            let place = piece.place(in: middle, from: start)
            if place < 0 { return false }
            start = place + piece.needle.count
        }
        return true
    }

    @inline(__always) private static func has(
        _ piece: [UInt8], _ text: UnsafeBufferPointer<UInt8>, at offset: Int
    ) -> Bool {
        piece.withUnsafeBufferPointer {
            bytesEqual(UnsafeRawBufferPointer(text), offset, UnsafeRawBufferPointer($0))
        }
    }
}

/// The literal prefix, suffix and inner text of all matches.
final class RequiredText: Sendable {
    let prefix: Needle?
    private let suffix: Needle?
    private let inner: Needle?

    /// nil if there are none.
    init?(_ pattern: RegularPattern, _ options: ComparisonOptions) {
        guard case .concatenation(let parts) = pattern else { return nil }
        var runs: [(scalars: [UInt32], end: Int)] = []
        var run: [UInt32] = []
        for (index, part) in parts.enumerated() {
            if case .set(let set) = part, let scalar = set.single {
                run.append(scalar)
            } else {
                if !run.isEmpty { runs.append((run, index)) }
                run = []
            }
        }
        suffix = Self.needle(run, options)
        let first = runs.first.flatMap { $0.end == $0.scalars.count ? $0 : nil }
        prefix = first.flatMap { Self.needle($0.scalars, options) }
        if first != nil { runs.removeFirst() }
        // Search for an inner text only if it is long enough to be rare.
        let longest = runs.map { $0.scalars }.max { $0.count < $1.count }
        inner = longest.flatMap { $0.count > 2 ? Self.needle($0, options) : nil }
        if prefix == nil, suffix == nil, inner == nil { return nil }
    }

    private static func needle(_ scalars: [UInt32], _ options: ComparisonOptions) -> Needle? {
        // Parts of letters, because the rest of the pattern may extend the last letter.
        let needle = Needle(String(scalars: scalars), options: options, findsParts: true)
        return needle.isEmpty ? nil : needle
    }

    /// Whether the text contains them. If not, the pattern does not match.
    func isIn(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        if let suffix, !suffix.isSuffix(of: text) { return false }
        if let prefix, !prefix.isPrefix(of: text) { return false }
        if let inner, !inner.isContained(in: text) { return false }
        return true
    }
}
