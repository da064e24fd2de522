// The only list of reserved words. The lexer, the printer, suggestions, and the tests of the grammar and the
// highlighters use it.

/// A reserved word, in any mix of cases.
package enum Keyword: String, Sendable, Hashable, CaseIterable {
    case and = "AND", or = "OR", not = "NOT"
    case any = "ANY", some = "SOME", all = "ALL", none = "NONE"
    case `in` = "IN", between = "BETWEEN", contains = "CONTAINS", beginsWith = "BEGINSWITH", endsWith = "ENDSWITH"
    case like = "LIKE", matches = "MATCHES", tokenMatches = "TOKENMATCHES"
    case utiConformsTo = "UTI-CONFORMS-TO", utiEquals = "UTI-EQUALS"
    case null = "NULL", `nil` = "NIL", `true` = "TRUE", yes = "YES", `false` = "FALSE", no = "NO"
    case selfObject = "SELF", anyKey = "ANYKEY", first = "FIRST", last = "LAST", size = "SIZE"
    case truePredicate = "TRUEPREDICATE", falsePredicate = "FALSEPREDICATE"
    case union = "UNION", intersect = "INTERSECT", minus = "MINUS"
    case subquery = "SUBQUERY", fetch = "FETCH", cast = "CAST", ternary = "TERNARY", function = "FUNCTION"
    case caseInsensitive = "CASEINSENSITIVE", ci = "CI", apply = "APPLY", boundedBy = "BOUNDEDBY"
}

package enum Keywords {
    /// The comparison operator of a keyword, or nil.
    package static func comparisonOperator(_ keyword: Keyword) -> ComparisonOperator? {
        switch keyword {
        case .in: .in
        case .like: .like
        case .matches: .matches
        case .contains: .contains
        case .beginsWith: .beginsWith
        case .endsWith: .endsWith
        case .between: .between
        case .utiConformsTo: .utiConformsTo
        case .utiEquals: .utiEquals
        case .tokenMatches: .tokenMatches
        default: nil
        }
    }

    /// The spelling of the word operators, for suggestions and completion.
    package static let operatorWords: [String] =
        Keyword.allCases.filter { comparisonOperator($0) != nil }.map { $0.rawValue }

    /// Whether a key with this name needs a leading `#`.
    package static func isReserved(_ word: String) -> Bool {
        let bytes = Array(word.utf8)
        return keyword(in: bytes, bytes.indices) != nil || word.lowercased() == "intersection"
    }

    /// The keyword with this spelling, ignoring case. The two keywords with hyphens are found by their first part,
    /// `UTI`; the lexer reads the rest. Cost: one hash lookup.
    static func keyword(in bytes: [UInt8], _ range: Range<Int>) -> Keyword? {
        guard let key = packed(bytes, range) else { return nil }
        var slot = hash(key)
        while let entry = table[slot] {
            if entry.key == key { return entry.keyword }
            slot = (slot + 1) & 127
        }
        return nil
    }

    private struct Entry: Sendable {
        let key: WideMagnitude
        let keyword: Keyword
    }

    private static let table: [Entry?] = {
        var table = [Entry?](repeating: nil, count: 128)
        for keyword in Keyword.allCases {
            let bytes = Array(keyword.rawValue.utf8)
            guard let key = packed(bytes, bytes.indices) else { continue }
            var slot = hash(key)
            while table[slot] != nil { slot = (slot + 1) & 127 }
            table[slot] = Entry(key: key, keyword: keyword)
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
