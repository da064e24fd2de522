// The words that CSV files use for Booleans.

/// A pair of words for true and false. A column of Booleans has one pair throughout, so that its fields can be written
/// again.
package struct BooleanWords: Sendable, Hashable {
    private static let pairs = [
        ("true", "false"), ("True", "False"), ("TRUE", "FALSE"), ("yes", "no"), ("Yes", "No"), ("YES", "NO"),
    ]
    /// `true` and `false`.
    package static let standard = BooleanWords(index: 0)

    private let index: Int

    private init(index: Int) { self.index = index }

    /// The pair that a field belongs to; nil if it is another text.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count <= 5, let found = Self.pairs.indices.first(where: { Self(index: $0).value(bytes) != nil })
        else { return nil }
        index = found
    }

    /// The Boolean of a field; nil if it is none of the two words.
    func value(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool? {
        let (yes, no) = Self.pairs[index]
        return bytes.elementsEqual(yes.utf8) ? true : bytes.elementsEqual(no.utf8) ? false : nil
    }

    /// The Boolean of a word in any spelling; nil if a text is no such word.
    package static func value(of text: String) -> Bool? {
        let text = text.lowercased()
        return pairs.contains { $0.0 == text } ? true : pairs.contains { $0.1 == text } ? false : nil
    }
}

extension BooleanWords: CustomStringConvertible {
    package var description: String { "\(Self.pairs[index].0) and \(Self.pairs[index].1)" }
}
