// Compares `\w`, `\p{Lu}` and the other named sets with ICU, for every scalar assigned in Unicode 15.0.

import Foundation
import PredicateTestSupport
import Testing

private let names: [String] =
    ["\\w", "\\d", "\\s", "\\h", "\\v", "."]
        + """
        L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp C Cc Cf Co LC Letter
        Alphabetic Uppercase Lowercase White_Space Cased Case_Ignorable Default_Ignorable_Code_Point Grapheme_Base
        Grapheme_Extend ID_Start ID_Continue XID_Start XID_Continue Math ASCII_Hex_Digit Dash Diacritic Extender Hex_Digit
        Ideographic Join_Control Pattern_Syntax Pattern_White_Space Quotation_Mark Radical STerm Soft_Dotted
        Terminal_Punctuation Unified_Ideograph Variation_Selector Emoji Emoji_Presentation Emoji_Modifier
        Emoji_Modifier_Base
        Emoji_Component Extended_Pictographic alnum blank graph print xdigit word alpha punct digit space upper lower cntrl
        Any Assigned ASCII Greek Latin Cyrillic Han Zyyy Zinh Arabic Hebrew Thai Hiragana Katakana Qaai Script=Greek
        gc=Lu General_Category=Decimal_Number sc=Latn
        """.split(whereSeparator: \.isWhitespace).map { "\\p{\($0)}" }

@Test(.enabled(if: !TestDepth.isQuick, "a quick run leaves it to CI")) func differencesOfNamedSets() throws {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: assignedScalars.ranges.joined().compactMap { Unicode.Scalar($0) })
    let subject = NSString(string: String(text))
    var lines = ["# Sets that Unicode 16.0 or ICU changed: the scalars that only one of the two has."]
    for name in names {
        guard case .core(.set(let set)) = try TextPattern.matches(name).kind else {
            Issue.record("\(name) is no set")
            continue
        }
        let expression = try NSRegularExpression(pattern: name)
        var theirs: [UInt32] = []
        let whole = NSRange(location: 0, length: subject.length)
        expression.enumerateMatches(in: subject as String, range: whole) { match, _, _ in
            guard let range = match?.range else { return }
            let scalar = subject.substring(with: range).unicodeScalars.first
            theirs.append(scalar?.value ?? 0)
        }
        let ours = set.intersection(assignedScalars)
        let icu = CodePointSet(scalars: theirs)
        for (who, only) in [("only here", ours.subtracting(icu)), ("only ICU", icu.subtracting(ours))] {
            for range in only.ranges {
                lines.append("\(name) \(who): \(String(scalar: range.lowerBound).scalarsInHex), \(range.count)")
            }
        }
    }
    try expectSame(lines, asFile: "icu-sets.txt")
    #expect(!lines.contains { $0.hasPrefix("\\w") || $0.hasPrefix("\\d") || $0.hasPrefix("\\s") })
}

@Test func setAlgebra() {
    var random = SplitMix(3)
    func set() -> CodePointSet {
        CodePointSet(
            (0..<random.below(5)).map { _ in
                let start = UInt32(random.below(60))
                return start...start + UInt32(random.below(8))
            })
    }
    for _ in 0..<300 {
        let (a, b) = (set(), set())
        for scalar in UInt32(0)..<70 {
            let (x, y) = (a.contains(scalar), b.contains(scalar))
            #expect(x == a.ranges.contains { $0.contains(scalar) })
            #expect(a.union(b).contains(scalar) == (x || y))
            #expect(a.intersection(b).contains(scalar) == (x && y))
            #expect(a.subtracting(b).contains(scalar) == (x && !y))
            #expect(a.complement.contains(scalar) == !x)
        }
        #expect(a.complement.complement == a)
        #expect(zip(a.ranges, a.ranges.dropFirst()).allSatisfy { $0.upperBound + 1 < $1.lowerBound })
    }
}
