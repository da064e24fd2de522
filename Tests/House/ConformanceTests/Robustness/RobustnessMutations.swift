// Realistic predicates with random damage, like the texts of typing errors, faulty programs and fuzzers.
import Foundation
import PredicateTestSupport
import Testing

/// Damages texts. The same seed gives the same damage.
struct Mutator {
    let seeds: [[UInt8]]
    var generator: SplitMix

    static let hostilePieces = [
        "(", ")", "[", "]", "{", "}", "'", "\"", "\\", "%", "%@", "%K", "$", "#", "@", ".", ",", ":", ":=", "-", "**",
        "!", "&", "|", " AND ", " OR ", " NOT ", " ANY ", " IN ", "[cd]", "[", "SUBQUERY(", "TERNARY(", "CAST(",
        "FUNCTION(", "nil", "SELF", "$x", "1e999", "9223372036854775808", "\u{0}", "\u{FEFF}", "\u{202E}", "é",
        "e\u{301}", "😀", "“", "\\u", "\\x4", "\\777", "/*", "//", "&lt;", "===", "<=>", "FIRST", "@count", "#self",
        "0x", "\n", "a:b:", "IS NULL", " UNION ", "()", "{}",
    ].map { Array($0.utf8) }

    mutating func next() -> String {
        var bytes = seeds[Int.random(in: 0..<seeds.count, using: &generator)]
        for _ in 0..<Int.random(in: 1...4, using: &generator) { mutate(&bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func mutate(_ bytes: inout [UInt8]) {
        let range = part(of: bytes, atMost: 12)
        switch Int.random(in: 0..<7, using: &generator) {
        case 0:
            guard let index = bytes.indices.randomElement(using: &generator) else { return }
            bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 1: bytes.removeSubrange(range)
        case 2: bytes.insert(contentsOf: bytes[range], at: range.upperBound)
        case 3:
            let other = seeds[Int.random(in: 0..<seeds.count, using: &generator)]
            bytes.replaceSubrange(range.lowerBound..., with: other[part(of: other, atMost: other.count).lowerBound...])
        case 4: swapTokens(&bytes)
        case 5:
            let other = seeds[Int.random(in: 0..<seeds.count, using: &generator)]
            bytes.insert(contentsOf: other[part(of: other, atMost: 30)], at: range.lowerBound)
        default:
            let piece = Self.hostilePieces[Int.random(in: 0..<Self.hostilePieces.count, using: &generator)]
            bytes.insert(contentsOf: piece, at: range.lowerBound)
        }
        if bytes.count > 600 { bytes.removeLast(bytes.count - 600) }
    }

    private mutating func part(of bytes: [UInt8], atMost count: Int) -> Range<Int> {
        let start = Int.random(in: 0...bytes.count, using: &generator)
        return start..<min(bytes.count, start + Int.random(in: 0...count, using: &generator))
    }

    private mutating func swapTokens(_ bytes: inout [UInt8]) {
        let tokens = Lexer.tokens(of: String(decoding: bytes, as: UTF8.self))
        let spans = tokens.map(\.span.range).filter { $0.upperBound <= bytes.count }
        guard let one = spans.randomElement(using: &generator), let two = spans.randomElement(using: &generator),
            one.upperBound <= two.lowerBound
        else { return }
        let (first, second) = (bytes[one], bytes[two])
        bytes.replaceSubrange(two, with: first)
        bytes.replaceSubrange(one, with: second)
    }
}

@Suite struct RobustnessMutations {
    /// Values of every kind; a mutated text gets some of them as arguments.
    static let arguments: [FormatArgument] = [
        .value(.integer(5)), .value(.string("name")), .value(.null), .value(.nsNull), .value(.double(.nan)),
        .value(.string("a.b.@count")), .value(.array([.integer(1), .string("x"), .date(0)])), .value(.bool(true)),
        .value(.decimal(DecimalNumber(coefficient: 125, exponent: -1))), .value(.date(1e9)), .value(.data([0, 255])),
        .value(.set([.integer(1)])), .value(.dictionary(ValueDictionary([("k", .integer(1))]))), .value(.float(1.5)),
        .value(.string("")), .value(.string("ключ \\ \" ' %@")), .value(.url("http://example.com")),
        .value(.type("NSString")), .value(.uuid(UniversalID(high: 1, low: 2))), .value(.double(-.infinity)),
        .expression(ExpressionNode(.variable("v"))),
        .expression(
            ExpressionNode(.binary(.add, ExpressionNode(.keyPath(["a"])), ExpressionNode(.value(.integer(1)))))),
        .expression(
            ExpressionNode(.member(ExpressionNode(.variable("v")), step: ExpressionNode(.keyPath(["p", "q"]))))),
    ]

    @Test func seedsSatisfyTheInvariants() throws {
        for text in try Robustness.lines(of: "seeds.txt") + Robustness.lines(of: "regressions.txt") {
            for options in [LanguageOptions(), [.deviceManagementTerms, .unicodeIdentifiers]] {
                if let found = Robustness.violation(of: text, options: options) { Issue.record("\(text): \(found)") }
            }
        }
    }

    /// Four equal runs with different seeds, so that they run in parallel.
    @Test(.cases) func mutationsSatisfyTheInvariants() {
        forEachCase([1, 2, 3, 4] as [UInt64]) { seed in
            let seeds = try Robustness.lines(of: "seeds.txt").map { Array($0.utf8) }
            var mutator = Mutator(seeds: seeds, generator: SplitMix(seed))
            for _ in 0..<TestDepth.count(10_000, full: 500_000) {
                let text = mutator.next()
                let options: LanguageOptions =
                    Bool.random(using: &mutator.generator) ? [] : [.deviceManagementTerms, .unicodeIdentifiers]
                if let found = Robustness.violation(of: text, options: options) {
                    Issue.record("seed \(seed): \(text.debugDescription): \(found)")
                }
                let count = Int.random(in: 0...4, using: &mutator.generator)
                let arguments = (0..<count).map { _ in
                    Self.arguments[Int.random(in: 0..<Self.arguments.count, using: &mutator.generator)]
                }
                for form in [FormatArguments.bound(arguments), .none] {
                    if let found = Robustness.violation(of: text, arguments: form, options: options) {
                        Issue.record("seed \(seed), \(form): \(text.debugDescription): \(found)")
                    }
                }
            }
        }
    }
}
