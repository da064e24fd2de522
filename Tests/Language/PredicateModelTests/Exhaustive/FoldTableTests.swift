// The fold tables for every scalar, and the comparisons that use them, compared with their definitions.

import PredicateTestSupport
import Testing

private let folds: [ComparisonOptions] = [
    .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
]

@Test(.cases) func foldOfEveryScalarIsFolded() {
    forEachCase(folds) { options in
        let table = try #require(FoldTable.table(options))
        var changing: [UInt32] = []
        for scalar in stride(from: 0, through: CodePointSet.last, by: TestDepth.step(20))
        where !(0xD800...0xDFFF ~= scalar) {
            let once = table.fold(scalar)
            if once == [scalar] { continue }
            changing.append(scalar)
            #expect(table.fold(once) == once, "\(scalar)")
            // The size of buffers depends on this: folding makes at most three bytes of one.
            #expect(String(scalars: once).utf8.count <= 3 * String(scalar: scalar).utf8.count, "\(scalar)")
            #expect(StringFold.fold(String(scalar: scalar), options) == String(scalars: once), "\(scalar)")
        }
        guard !TestDepth.isQuick else { return }
        let listed = table.changes.filter { table.fold($0.scalar) != [$0.scalar] }.count
        #expect(changing.count == listed + 11_172)
    }
}

private let samples: [UInt32] = Array(
    "aAbBsSzZkK019 _-éÉèëßẞſﬀﬁﬅﬆİıiŉΐΰᾳᾼςσΣµμÅÅK한국각가ÅǅՇևﷺがカｶ😀𐐀𐐨𝅗𝅥".unicodeScalars.map(\.value)
        + [0x300, 0x301, 0x307, 0x308, 0x345, 0x1AB0, 0x20D0, 0xFE20, 0x3099, 0x93E, 0x5B0, 0x13A0])

private func text(_ length: Int, _ random: inout SplitMix) -> [UInt32] {
    (0..<length).map { _ in random.pick(samples) }
}

/// Compares the fast code with the definition: fold scalar by scalar, then compare arrays.
@Test(.cases) func kernelsFollowTheDefinition() {
    forEachCase(pairs(folds + [[], [.normalized, .caseInsensitive]], [UInt64(1), 2] as [UInt64])) { options, seed in
        var random = SplitMix(seed)
        let table = FoldTable.table(options)
        func folded(_ scalars: [UInt32]) -> [UInt32] { table?.fold(scalars) ?? scalars }
        for _ in 0..<TestDepth.count(1500) {
            let haystack = text(random.below(24), &random)
            var needle = text(random.below(3), &random)
            if random.below(2) == 0, !haystack.isEmpty {
                let start = random.below(haystack.count)
                needle = Array(haystack[start..<min(start + 1 + random.below(20), haystack.count)])
            }
            let (a, b) = (String(scalars: haystack), String(scalars: needle))
            let (x, y) = (folded(haystack), folded(needle))
            let place = "\(a.scalarsInHex) | \(b.scalarsInHex)"
            #expect(StringFold.fold(a, options).unicodeScalars.map(\.value) == x, "\(place)")
            #expect(StringFold.equal(a, b, options: options) == (x == y), "\(place)")
            #expect(Needle(b, options: options).equals(a) == (x == y), "\(place)")
            let order = x == y ? 0 : x.lexicographicallyPrecedes(y) ? -1 : 1
            #expect(StringFold.compare(a, b, options: options) == order, "\(place)")
            let (one, other) = (letters(a, options), letters(b, options))
            #expect(StringFold.hasPrefix(a, b, options: options) == (!y.isEmpty && one.starts(with: other)), "\(place)")
            #expect(
                StringFold.hasSuffix(a, b, options: options)
                    == (!y.isEmpty && one.reversed().starts(with: other.reversed())), "\(place)")
            let isInside = !y.isEmpty && one.indices.contains { one[$0...].starts(with: other) }
            #expect(StringFold.contains(a, b, options: options) == isInside, "\(place)")
        }
    }
}

@Test(.cases) func knownPairs() {
    let cases: [(String, String, String, Bool, Bool)] = [
        ("", "", "", true, false), ("é", "e\u{301}", "", false, false), ("é", "e\u{301}", "c", true, true),
        ("Straße", "STRASSE", "c", true, true), ("Élodie", "elo", "cd", false, true),
        ("a", "\u{301}", "d", false, false), ("\u{301}", "", "d", true, false), ("A", "a", "cn", false, false),
        ("ß", "s", "c", false, true), ("한", "\u{1112}", "c", false, false), ("が", "か", "d", false, false),
        ("ᾼ", "αι", "c", true, true), ("ᾼ", "Α", "cd", true, true), ("≠", "=", "d", true, true),
    ]
    forEachCase(cases) { text, other, letters, equal, prefix in
        let options = ComparisonOptions(ComparisonOptions.letters.filter { letters.contains($0.letter) }.map(\.option))
        #expect(StringFold.equal(text, other, options: options) == equal)
        #expect(StringFold.hasPrefix(text, other, options: options) == prefix)
    }
}

@Test func longPeriodicTextsAreSearched() {
    let text = String(repeating: "ab", count: 40_000)
    #expect(!StringFold.contains(text, String(repeating: "ab", count: 3000) + "b", options: []))
    #expect(StringFold.contains(text + "b", String(repeating: "ab", count: 3000) + "b", options: []))
    #expect(StringFold.contains(text + "É", "BÉ", options: .caseInsensitive))
}

/// The preimage of a text matches exactly the texts that fold to it.
@Test(.cases) func preimagesInvertTheFold() {
    forEachCase(folds) { options in
        let table = try #require(FoldTable.table(options))
        var random = SplitMix(7)
        for _ in 0..<TestDepth.count(150) {
            let target = table.fold(text(1 + random.below(3), &random))
            guard !target.isEmpty, let pattern = table.preimage(of: target) else { continue }
            let matcher = try PatternMatcher(matching: pattern)
            for _ in 0..<20 {
                let candidate = random.below(3) == 0 ? target : text(1 + random.below(3), &random)
                #expect(
                    matcher.matches(String(scalars: candidate)) == (table.fold(candidate) == target),
                    "\(String(scalars: target).scalarsInHex) | \(String(scalars: candidate).scalarsInHex)")
            }
        }
        #expect(table.preimage(of: [UInt32](repeating: 0x73, count: 40)) == nil || options == .diacriticInsensitive)
    }
}
