// The only list of reserved words. The lexer, the printer, suggestions, and the tests of the grammar and the
// highlighters use it.

/// A reserved word that is no operator, in any mix of cases.
package enum Keyword: String, Sendable, Hashable, CaseIterable {
    case any = "ANY", some = "SOME", all = "ALL", none = "NONE"
    case null = "NULL", `nil` = "NIL", `true` = "TRUE", yes = "YES", `false` = "FALSE", no = "NO"
    case selfObject = "SELF", anyKey = "ANYKEY", first = "FIRST", last = "LAST", size = "SIZE"
    case truePredicate = "TRUEPREDICATE", falsePredicate = "FALSEPREDICATE"
    case subquery = "SUBQUERY", fetch = "FETCH", cast = "CAST", ternary = "TERNARY", function = "FUNCTION"
    case caseInsensitive = "CASEINSENSITIVE", ci = "CI", apply = "APPLY", boundedBy = "BOUNDEDBY"
}

package enum Keywords {
    /// Every reserved word, with its token.
    private static let tokens: [(word: String, kind: TokenKind)] =
        [("AND", .and), ("OR", .or), ("NOT", .not)]
        + Keyword.allCases.map { ($0.rawValue, .keyword($0)) }
        + ComparisonOperator.words.map { ($0.spelling, .comparison($0)) }
        + BinaryOperator.allCases.filter { $0.isSetOperator }.map { ($0.spelling, .binary($0)) }

    package static let words = tokens.map { $0.word }

    /// The spelling of the word operators, for suggestions and completion.
    package static let operatorWords = ComparisonOperator.words.map { $0.spelling }

    /// Whether a key with this name needs a leading `#`.
    package static func isReserved(_ word: String) -> Bool {
        let bytes = Array(word.utf8)
        return token(in: bytes, bytes.indices) != nil || word.lowercased() == "intersection"
    }

    /// The token of the reserved word with this spelling, ignoring case. Cost: one hash lookup.
    static func token(in bytes: [UInt8], _ range: Range<Int>) -> TokenKind? {
        guard let key = packed(bytes, range) else { return nil }
        var slot = hash(key)
        while let entry = table[slot] {
            if entry.key == key { return entry.kind }
            slot = (slot + 1) & 127
        }
        return nil
    }

    private struct Entry: Sendable {
        let key: WideMagnitude
        let kind: TokenKind
    }

    private static let table: [Entry?] = {
        var table = [Entry?](repeating: nil, count: 128)
        for (word, kind) in tokens {
            let bytes = Array(word.utf8)
            guard let key = packed(bytes, bytes.indices) else { continue }
            var slot = hash(key)
            while table[slot] != nil { slot = (slot + 1) & 127 }
            table[slot] = Entry(key: key, kind: kind)
        }
        return table
    }()

    /// Packs up to 16 bytes in lower case into one number; nil for longer words, which cannot be keywords.
    private static func packed(_ bytes: [UInt8], _ range: Range<Int>) -> WideMagnitude? {
        guard range.count >= 2, range.count <= 16 else { return nil }
        var (high, low) = (0, 0) as (UInt64, UInt64)
        for index in range { (high, low) = (high << 8 | low >> 56, low << 8 | UInt64(bytes[index] | 0x20)) }
        return WideMagnitude(high: high, low: low)
    }

    private static func hash(_ key: WideMagnitude) -> Int {
        Int(truncatingIfNeeded: ((key.low ^ key.high) &* 0x9E37_79B9_7F4A_7C15) >> 57)
    }
}
