// Parses and prints texts. The references are the minimum work of handwritten code for the same text: reading every
// byte once, and copying the text.
import PredicateModel
import PredicateSyntax

enum ParsingBenchmarks {
    static let texts: [(name: String, text: String, goal: Double?)] = [
        ("8 bytes", "age > 30", nil),
        ("two terms", "age > 30 AND lastName BEGINSWITH[c] \"sm\"", 3_000),
        (
            "nine terms",
            "age >= 18 AND (city IN {'Oslo', 'Rome'} OR ANY tags == 'vip') AND NOT name CONTAINS 'x' AND a < 1 AND b != 2 AND c > 3",
            nil
        ),
        (
            "arithmetic and lists",
            "price * 1.2 + tax / 2 <= total - 10 AND id IN {1, 2, 3, 5, 8, 13, 21, 34, 55, 89} AND lastName LIKE[cd] '*son*' AND balance ** 2 > -100.5",
            nil
        ),
    ]

    static var all: [Benchmark] { texts.flatMap(benchmarks) }

    private static func benchmarks(_ name: String, _ text: String, _ goal: Double?) -> [Benchmark] {
        let bytes = text.utf8.count
        let tree = FormatParser.predicate(text).tree
        // The goal is for texts of ordinary length. A short text needs most of its time for a few allocations.
        let perByte = bytes >= 32 ? 30 * Double(bytes) : nil
        return [
            Benchmark(
                "parse, \(name)", items: bytes, goal: goal ?? perByte, against: "count words by hand",
                reference: { words(text) }
            ) { FormatParser.predicate(text).tree.span.end },
            Benchmark("parse and check, \(name)", items: bytes, against: "parse", reference: { parsed(text) }) {
                FormatPredicate.parse(text).tree.span.end
            },
            Benchmark("print, \(name)", items: bytes, against: "copy the text", reference: { copy(text) }) {
                tree.description.utf8.count
            },
        ]
    }

    private static func parsed(_ text: String) -> Int { FormatParser.predicate(text).tree.span.end }

    /// The loop over bytes that every handwritten parser needs.
    @inline(never) private static func words(_ text: String) -> Int {
        var count = 0
        var inWord = false
        for byte in text.utf8 {
            let isWord = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A || byte == 0x5F || byte >= 0x30 && byte <= 0x39
            if isWord, !inWord { count += 1 }
            inWord = isWord
        }
        return count
    }

    /// Appends a text to an empty one, word by word, as a printer does.
    @inline(never) private static func copy(_ text: String) -> Int {
        var copy = ""
        for scalar in text.unicodeScalars { copy.unicodeScalars.append(scalar) }
        return copy.utf8.count
    }
}
