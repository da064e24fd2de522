// A simple definition of what small patterns match, for tests of all small patterns.

/// A pattern over letters.
indirect enum PatternReference<Letter: Equatable & Sendable> {
    case empty
    case letter(Letter)
    /// Any letter except a newline, and any letter in a text of folded letters.
    case dot
    case both(PatternReference, PatternReference)
    case either(PatternReference, PatternReference)
    case star(PatternReference)

    /// The possible ends of a match that begins at `start`.
    func ends(_ text: [Letter], from start: Int) -> Set<Int> {
        switch self {
        case .empty: return [start]
        case .letter(let letter): return start < text.count && text[start] == letter ? [start + 1] : []
        case .dot: return start < text.count && !isNewline(text[start]) ? [start + 1] : []
        case .both(let first, let second):
            return Set(first.ends(text, from: start).flatMap { second.ends(text, from: $0) })
        case .either(let first, let second): return first.ends(text, from: start).union(second.ends(text, from: start))
        case .star(let inner):
            var known: Set<Int> = [start]
            var new = known
            while !new.isEmpty {
                new = Set(new.flatMap { inner.ends(text, from: $0) }).subtracting(known)
                known.formUnion(new)
            }
            return known
        }
    }

    private func isNewline(_ letter: Letter) -> Bool { (letter as? Character) == "\n" }
}

/// Reads patterns: a choice of sequences, `a|b|c`.
protocol PatternReferenceParser {
    associatedtype Letter: Equatable, Sendable
    associatedtype Rest: Collection
    where Rest.SubSequence == Rest, Rest.Element: Equatable & ExpressibleByUnicodeScalarLiteral

    /// The part of the text that is not parsed yet.
    var rest: Rest { get set }
    /// Reads a sequence up to `|` or `)`; nil if it is malformed.
    mutating func sequence() -> PatternReference<Letter>?
}

extension PatternReferenceParser {
    /// Parses a pattern; nil if it is malformed.
    mutating func pattern() -> PatternReference<Letter>? {
        guard let result = choice(), rest.isEmpty else { return nil }
        return result
    }

    mutating func choice() -> PatternReference<Letter>? {
        guard let first = sequence() else { return nil }
        guard rest.first == "|" else { return first }
        rest = rest.dropFirst()
        return choice().map { .either(first, $0) }
    }
}
