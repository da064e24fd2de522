import Foundation
import PredicateEvaluation
import PredicateModel
import PredicateSyntax
import Testing

@Test func explore() throws {
    let patterns = (ProcessInfo.processInfo.environment["PATS"] ?? "").split(separator: "\u{1}").map(String.init)
    var texts = ["", "a", "b", "A", "aa", "ab", "aab", "a-", "-", "&", "a&", "[", "]", "[]", "a]", "b]", "-]", "^", "\\", "E", "j", "y", "c", "C", "R", "X", "{", "}", "a}", "b", "c", "d", "1", "2", "\n", "\r", "\r\n", "a\n", "\n\n", "\r\r\n", " ", "é", "e", "ß", "ss", "SS", "S", "s", "ſ", "ẞ", "K", "k", "\u{212A}", "İ", "i", "i\u{307}", "ŉ", "\u{2BC}n", "ﬆ", "ﬅ", "st", "ST", "sst", "σ", "ς", "Σ", "a b", "a#", "#", "_", ":", "a:", "l", "\u{1F600}", "Z", "z", "=", "\u{85}", "\u{2028}", "\t", "\u{B}", "α", "ΐ", "aaa", "aaaa", "aaaaa", "ΐ", "\u{390}", "\u{1FD3}", "ᾳ", "αι", "ᾼ", "ι", "\u{345}", "sss", "ssss", "ßs", "sß","v","h","G","Q","0","a1","b\u{307}","\u{307}","J","N", "x", "\u{1}", "'"]
    texts += ["\u{101}", "fi", "ﬁ", "FI", "ffi", "ﬃ", "ﬀi", "fﬁ"]
    for p in patterns {
        guard let e = try? NSRegularExpression(pattern: p) else { continue }
        var whole: NSRegularExpression?
        for end in [")\\z", "\n)\\z", "\\E)\\z"] { whole = try? NSRegularExpression(pattern: "(?:" + p + end); if whole != nil {break} }
        guard let whole else { print("PAT NOWRAP", p.debugDescription); continue }
        guard let c = try? TextPattern.matches(p), let m = c.matcher else { print("PAT skip", p.debugDescription, e.numberOfCaptureGroups); continue }
        var bad: [String] = []
        for t in texts {
            let icu = whole.firstMatch(in: t, options: [.anchored], range: NSRange(location: 0, length: t.utf16.count)) != nil
            if icu != m.matches(t) { bad.append("\(t.debugDescription):icu=\(icu)") }
        }
        print(bad.isEmpty ? "PAT same" : "PAT DIFF", p.debugDescription, bad.prefix(6))
    }
}
