// Letters of folded texts (LANGUAGE C 10, C 11, C 11a). Compares the extending scalars with Foundation's data, and
// searches, LIKE and MATCHES with definitions that split texts into letters.

import Foundation
import PredicateTestSupport
import Testing

@testable import PredicateModel

private let folds: [ComparisonOptions] = [
    .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
]

@Test func extendingScalarsUnderCase() throws {
    let table = FoldTable.caseInsensitive
    let graphemes = try #require(UnicodeProperties.binary("graphemeextend"))
    let hangul = CodePointSet([0x1160...0x11FF, 0xD7B0...0xD7FB])
    #expect(table.extending == graphemes.union(hangul))
}

/// These are the scalars after the first in a decomposition that Foundation composes again.
@Test func extendingScalarsUnderDiacritics() {
    let table = FoldTable.diacriticInsensitive
    var composing = CodePointSet.empty
    for scalar in assignedScalars.ranges.joined() {
        let text = String(scalar: scalar)
        let parts = text.decomposedStringWithCanonicalMapping.unicodeScalars.map(\.value)
        guard parts.count > 1, text.precomposedStringWithCanonicalMapping.unicodeScalars.map(\.value) == [scalar]
        else { continue }
        for part in parts.dropFirst() where !composing.contains(part) { composing.insert(part...part) }
    }
    #expect(table.extending == composing.subtracting(table.vanishing))
    #expect(FoldTable.both.extending == table.extending)
}

/// No folded form begins with an extending scalar and continues with another letter: the patterns for engines depend on
/// this.
@Test(.cases) func noFoldBeginsInsideALetterAndLeavesIt() {
    forEachCase(folds) { options in
        let table = try #require(FoldTable.table(options))
        for (scalar, folded) in table.changes where folded.first.map(table.extends) ?? false {
            #expect(folded.allSatisfy(table.extends), "\(scalar)")
        }
        for scalar in table.extending.ranges.joined() { #expect(scalar >= 0x300) }
        #expect(Hangul.syllables.allSatisfy { !table.extends(table.fold($0)[0]) })
    }
}

// MARK: BEGINSWITH, ENDSWITH, CONTAINS

private let pieces = [
    "a", "e", "E", "é", "e\u{301}", "\u{301}", "\u{302}", "\u{345}", "ß", "s", "ﬀ", "f", "ŉ", "n", "ʼ", "İ", "i",
    "q\u{308}", "각", "가", "\u{1100}", "\u{1161}", "\u{11A8}", "が", "か", "\u{3099}", "क", "\u{93C}", "\u{93F}", "ᾴ", "ι",
    "α", "ά", "\u{FE0F}", "\u{200D}", "👍", "🏽", "\n", "\u{344}", "\u{CC0}", "\u{CD5}",
]

private func text(_ count: Int, _ random: inout SplitMix) -> String {
    (0..<count).map { _ in random.pick(pieces) }.joined()
}

@Test(.cases) func searchesFindWholeLetters() {
    forEachCase(pairs(folds, [UInt64(1), 2] as [UInt64])) { options, seed in
        var random = SplitMix(seed)
        for _ in 0..<TestDepth.count(20_000) {
            let haystack = text(random.below(7), &random)
            var needle = text(1 + random.below(2), &random)
            if random.below(2) == 0, !haystack.isEmpty {
                let scalars = Array(haystack.unicodeScalars)
                let start = random.below(scalars.count)
                needle = String(scalars: scalars[start..<min(scalars.count, start + 1 + random.below(4))].map(\.value))
            }
            // A folded piece has 256 bytes, so this tests its borders.
            let padding = random.below(8) == 0 ? String(repeating: "x", count: 250 + random.below(10)) : ""
            let (x, y) = (letters(padding + haystack, options), letters(needle, options))
            let place = "\((padding + haystack).scalarsInHex) | \(needle.scalarsInHex)"
            let found = Needle(needle, options: options)
            #expect(found.isPrefix(of: padding + haystack) == (!y.isEmpty && x.starts(with: y)), "\(place)")
            #expect(
                found.isSuffix(of: padding + haystack) == (!y.isEmpty && x.reversed().starts(with: y.reversed())),
                "\(place)")
            let isInside = !y.isEmpty && x.indices.contains { x[$0...].starts(with: y) }
            #expect(found.isContained(in: padding + haystack) == isInside, "\(place)")
        }
    }
}

/// Every match except the last is followed by a mark; the time stays linear.
@Test func searchesThroughManyPartsOfLetters() {
    let text = String(repeating: "a\u{301}", count: 20_000)
    let half = String(repeating: "a\u{301}", count: 3000)
    #expect(!StringFold.contains(text, half + "a", options: .caseInsensitive))
    #expect(StringFold.contains(text + "A", half + "a", options: .caseInsensitive))
    #expect(!StringFold.contains(text, "a", options: .caseInsensitive))
    #expect(StringFold.contains(text, "a", options: .diacriticInsensitive))
}

// MARK: LIKE and MATCHES

/// The letters in the patterns and texts of the exhaustive tests, with a mark that extends them.
private let alphabets: [(options: ComparisonOptions, base: String, mark: String)] = [
    (.caseInsensitive, "e", "\u{301}"), ([.caseInsensitive, .diacriticInsensitive], "か", "\u{3099}"),
    (.diacriticInsensitive, "क", "\u{93C}"),
]

private func words(_ alphabet: [String], upTo length: Int) -> [String] {
    var (result, last) = ([""], [""])
    for _ in 0..<length {
        last = last.flatMap { word in alphabet.map { word + $0 } }
        result += last
    }
    return result
}

/// LIKE as defined.
private func like(_ text: ArraySlice<[UInt32]>, _ pattern: ArraySlice<Reference>) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    switch first {
    case .letter(let letter): return text.first == letter && like(text.dropFirst(), pattern.dropFirst())
    case .star: return like(text, pattern.dropFirst()) || !text.isEmpty && like(text.dropFirst(), pattern)
    default: return !text.isEmpty && like(text.dropFirst(), pattern.dropFirst())
    }
}

@Test(.inCI, .cases) func everySmallLikeOfLetters() {
    forEachCase(alphabets.indices) { index in
        let (options, base, mark) = alphabets[index]
        let texts = words([base, mark, "x"], upTo: 4)
        for pattern in words([base, mark, "*", "?", "x"], upTo: TestDepth.isQuick ? 3 : 4) where !pattern.isEmpty {
            var parts: [Reference] = []
            let runs = pattern.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "*" || $0 == "?" }
            for run in runs {
                parts += letters(String(run), options).map(Reference.letter)
                if run.endIndex < pattern.unicodeScalars.endIndex {
                    parts.append(pattern.unicodeScalars[run.endIndex] == "*" ? .star(.dot) : .dot)
                }
            }
            if pattern.unicodeScalars.allSatisfy({ FoldTable.table(options)?.fold($0.value).isEmpty ?? false }) {
                continue
            }
            let matcher = try #require(try TextPattern.like(pattern, options: options).matcher)
            for text in texts where matcher.matches(text) != like(letters(text, options)[...], parts[...]) {
                Issue.record("\(text.scalarsInHex) LIKE \(pattern.scalarsInHex)")
            }
        }
    }
}

private typealias Reference = PatternReference<[UInt32]>

/// Parses a pattern; nil if it is malformed. Splits runs of literals into letters; a star repeats the last letter.
private struct ReferenceParser: PatternReferenceParser {
    let options: ComparisonOptions
    var rest: Substring.UnicodeScalarView

    static func parse(_ text: String, _ options: ComparisonOptions) -> Reference? {
        var parser = ReferenceParser(options: options, rest: text.unicodeScalars[...])
        return parser.pattern()
    }

    mutating func sequence() -> Reference? {
        var result = Reference.empty
        while let next = rest.first, next != "|", next != ")" {
            var atoms: [Reference]
            switch next {
            case "*": return nil
            case ".":
                rest.removeFirst()
                atoms = [.dot]
            case "(":
                rest.removeFirst()
                guard let inner = choice(), rest.popFirst() == ")" else { return nil }
                atoms = [inner]
            default:
                let run = rest.prefix { !"*.()|".unicodeScalars.contains($0) }
                rest.removeFirst(run.count)
                atoms = letters(String(run), options).map { .letter($0) }
            }
            if rest.first == "*" {
                rest.removeFirst()
                atoms[atoms.count - 1] = .star(atoms[atoms.count - 1])
                if rest.first == "*" { return nil }
            }
            for atom in atoms { result = .both(result, atom) }
        }
        return result
    }
}

@Test(.inCI, .cases) func everySmallPatternOfLetters() {
    forEachCase(alphabets.indices) { index in
        let (options, base, mark) = alphabets[index]
        let depth = TestDepth.isQuick ? 3 : 4
        let texts = words([base, mark, "x"], upTo: 3) + [base + base + mark + base, mark + base + mark + base]
        for pattern in words([base, mark, ".", "*", "|", "(", ")"], upTo: depth) where !pattern.isEmpty {
            guard let reference = ReferenceParser.parse(pattern, options) else {
                #expect(throws: PatternError.self, "\(pattern)") { try TextPattern.matches(pattern, options: options) }
                continue
            }
            let matcher = try #require(try TextPattern.matches(pattern, options: options).matcher)
            for text in texts {
                let letters = letters(text, options)
                let expected = reference.ends(letters, from: 0).contains(letters.count)
                if matcher.matches(text) != expected { Issue.record("\(text.scalarsInHex) MATCHES \(pattern)") }
            }
        }
    }
}

/// Every scalar that folds to a letter.
private func scalars(folding letter: [UInt32], _ table: FoldTable) -> [UInt32] {
    let same = letter.count == 1 && !table.changed.contains(letter[0]) ? letter : []
    var syllables: [UInt32] = []
    if letter.count == 2 || letter.count == 3, 0x1100...0x1112 ~= letter[0], 0x1161...0x1175 ~= letter[1] {
        let open = Hangul.syllables.lowerBound + (letter[0] - 0x1100) * 588 + (letter[1] - 0x1161) * 28
        let syllable = letter.count == 2 ? open : open &+ letter[2] &- 0x11A7
        if Hangul.contains(syllable), Hangul.decomposed(syllable) == letter { syllables = [syllable] }
    }
    return (table.inverse[letter] ?? []) + same + syllables
}

/// Classes by their definition, over letters of one to three scalars.
@Test(.cases) func classesOfLetters() {
    forEachCase(folds) { options in
        let table = try #require(FoldTable.table(options))
        let word = UnicodeProperties.word
        let classes: [(String, CodePointSet)] = [
            ("a-z", CodePointSet(0x61...0x7A)), ("é", CodePointSet(0xE9)), ("eé", CodePointSet(scalars: [0x65, 0xE9])),
            ("\\w", word), ("가-힣", CodePointSet(Hangul.syllables)), ("가나", CodePointSet(scalars: [0xAC00, 0xB098])),
            ("\u{1100}-\u{1112}", CodePointSet(0x1100...0x1112)), ("ß-ÿ", CodePointSet(0xDF...0xFF)),
            ("か", CodePointSet(0x304B)), ("がa", CodePointSet(scalars: [0x304C, 0x61])),
            ("\u{301}e", CodePointSet(scalars: [0x301, 0x65])), ("\\W", word.complement),
        ]
        let heads = [
            "e", "E", "q", "s", "é", "ß", "か", "क", "\u{1100}", "가", "1", "\u{301}", "\u{3099}", "ss", "ŉ", "k", "-",
            "=",
        ]
        let tails = [
            "", "\u{301}", "\u{302}", "\u{302}\u{301}", "\u{308}", "\u{338}", "\u{3099}", "\u{93C}", "\u{1161}",
            "\u{1161}\u{11A8}",
        ]
        for (name, set) in TestDepth.some(classes, every: 1) {
            let positive = try #require(try TextPattern.matches("[\(name)]", options: options).matcher)
            let negative = try #require(try TextPattern.matches("[^\(name)]", options: options).matcher)
            let many = try #require(try TextPattern.matches("[\(name)]+", options: options).matcher)
            let (before, twice) = (try TextPattern.matches("x[\(name)]", options: options).matcher, "[\(name)]{2}")
            let two = try #require(try TextPattern.matches(twice, options: options).matcher)
            for text in heads.flatMap({ head in tails.map { head + $0 } }) {
                let letters = letters(text, options)
                if letters.isEmpty { continue }
                let folded = letters.flatMap { $0 }
                func isFold(_ letter: [UInt32]) -> Bool {
                    scalars(folding: letter, table).contains(where: set.contains)
                }
                func isMember(_ letter: [UInt32]) -> Bool {
                    isFold(letter) || scalars(folding: letter, table).isEmpty && isFold([letter[0]])
                }
                let expected = letters.count == 1 ? isMember(folded) : isFold(folded)
                #expect(positive.matches(text) == expected, "\(text.scalarsInHex) [\(name)]")
                #expect(negative.matches(text) == (letters.count == 1 && !expected), "\(text.scalarsInHex) [^\(name)]")
                #expect(
                    many.matches(text) == (expected || letters.allSatisfy(isMember)), "\(text.scalarsInHex) [\(name)]+")
                if letters.count == 1 {
                    let behind = isLetterAnywhere(text, options)
                    #expect(before?.matches("x" + text) == (behind && expected), "x\(text.scalarsInHex) x[\(name)]")
                    if behind { #expect(two.matches(text + text) == expected, "\(text.scalarsInHex) \(twice)") }
                }
            }
        }
    }
}

/// Whether the text is a separate letter, also after other letters.
private func isLetterAnywhere(_ letter: String, _ options: ComparisonOptions) -> Bool {
    letters("x" + letter, options).count == 2
}
