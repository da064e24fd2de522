// Compares our fold tables with Foundation, for every scalar assigned in Unicode 15.0. A data file lists the
// differences by reason.

import Foundation
import PredicateTestSupport
import Testing

private func reason(_ scalar: UInt32, _ options: String, _ theirs: String) -> String {
    switch scalar {
    case 0x13A0...0x13FF, 0xAB70...0xABBF: "Cherokee: Unicode folds to the older capitals, Foundation to small letters."
    case 0x1C80...0x1C88: "Cyrillic letter variants: Unicode folds them to the letter, Foundation leaves them."
    case _ where theirs.scalarsInHex == String(scalar: scalar).scalarsInHex && options.contains("d"):
        "A mark without a letter before it: Foundation keeps it."
    case 0x340...0x345:
        "A mark that stands for other marks or a letter, without a letter before: Foundation keeps those."
    case 0x1FCD...0x1FDF, 0x2190...0x2AFF: "A symbol with a mark: Foundation drops marks only from letters."
    default: "Unexplained."
    }
}

@Test(.enabled(if: !TestDepth.isQuick, "a quick run leaves it to CI")) func differencesToFoundationsFolding() throws {
    var groups: [String: [String]] = [:]
    for (letters, ours, theirs) in [
        ("c", ComparisonOptions.caseInsensitive, String.CompareOptions.caseInsensitive),
        ("d", .diacriticInsensitive, .diacriticInsensitive),
        ("cd", [.caseInsensitive, .diacriticInsensitive], [.caseInsensitive, .diacriticInsensitive]),
    ] {
        for scalar in assignedScalars.ranges.joined() {
            let text = String(scalar: scalar)
            let mine = StringFold.fold(text, ours)
            let apple = text.folding(options: theirs, locale: nil).decomposedStringWithCanonicalMapping
            if mine.utf8.elementsEqual(apple.utf8) { continue }
            groups[reason(scalar, letters, apple), default: []].append(
                "[\(letters)] \(text.scalarsInHex): \(mine.scalarsInHex), Foundation \(apple.scalarsInHex)")
        }
    }
    #expect(groups["Unexplained."] == nil)
    let lines = groups.sorted { $0.key < $1.key }.flatMap { ["# " + $0.key] + $0.value }
    try expectSame(lines, asFile: "foundation-folding.txt")
}

/// After a letter `a` Foundation drops every mark that we drop, and some more.
@Test func differencesOfMarksAfterALetter() throws {
    let marks = (UnicodeProperties.named("M") ?? .empty).ranges.joined()
    var lines = [
        "# Behind a Latin letter Foundation drops nearly every mark, of other scripts too; LANGUAGE C 10 names ours."
    ]
    for mark in marks {
        let text = "a" + String(scalar: mark)
        let mine = StringFold.fold(text, .diacriticInsensitive)
        let apple = text.folding(options: .diacriticInsensitive, locale: nil).decomposedStringWithCanonicalMapping
        if mine.utf8.elementsEqual(apple.utf8) { continue }
        #expect(mine.unicodeScalars.count > 1, "a mark that only we drop: \(text.scalarsInHex)")
        lines.append("\(text.scalarsInHex): \(mine.scalarsInHex), Foundation \(apple.scalarsInHex)")
    }
    try expectSame(lines, asFile: "foundation-marks.txt")
}

/// There are no differences.
@Test func caseMappingsEqualFoundations() {
    for scalar in TestDepth.some(Array(assignedScalars.ranges.joined())) {
        let text = String(scalar: scalar)
        let string = NSString(string: text)
        if !CaseMapping.upper(text).utf8.elementsEqual(string.uppercased.utf8)
            || !CaseMapping.lower(text).utf8.elementsEqual(string.lowercased.utf8)
        {
            Issue.record("\(text.scalarsInHex)")
        }
    }
}

@Test(.cases) func lowercase() {
    let cases: [(String, String)] = [
        ("ΟΔΟΣ", "οδος"), ("Σ", "σ"), ("ΑΣΑ", "ασα"), ("ΑΣ\u{301} Β", "ας\u{301} β"), ("İ", "i\u{307}"), ("ABC", "abc"),
        // Unicode ignores the full stop when it looks for letters around a sigma; Foundation does not.
        ("ΑΣ.Α", "ασ.α"), ("Α.Σ", "α.ς"),
    ]
    forEachCase(cases) { text, expected in #expect(CaseMapping.lower(text).utf8.elementsEqual(expected.utf8)) }
}

@Test(.cases) func uppercase() {
    let cases: [(String, String)] = [
        ("Straße", "STRASSE"), ("ﬁ", "FI"), ("ŉ", "\u{2BC}N"), ("ǆ", "Ǆ"), ("abc", "ABC"),
        ("ΐ", "\u{399}\u{308}\u{301}"),
    ]
    forEachCase(cases) { text, expected in #expect(CaseMapping.upper(text).utf8.elementsEqual(expected.utf8)) }
}
