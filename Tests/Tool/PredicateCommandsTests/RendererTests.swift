// Diagnostics for programs: workflow commands of GitHub. PredicateRequestsTests has the texts in JSON.
import Foundation
import PredicateCommands
import PredicateModel
import PredicateSyntax
import Testing

@Suite struct RendererTests {
    /// A failure encodes itself as the command writes it.
    @Test func failuresAreTheSameJSON() throws {
        for source in ["😀 = 1 AND x BEGINWITH 'a'", "a IN (1, 2)\n AND", "é > ", "name > 'a"] {
            let found = FormatPredicate.parse(source).diagnostics
            let failure = PredicateFailure(found, source: source)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let written = try JSONSerialization.jsonObject(
                with: Data(JSONRenderer().render(found, source: source).utf8))
            let sorted = try JSONSerialization.data(
                withJSONObject: written, options: [.sortedKeys, .withoutEscapingSlashes])
            #expect(try encoder.encode(failure) == sorted && !found.isEmpty)
            for one in failure.located {
                let units = Array(source.utf16.prefix(one.utf16Start))
                #expect(String(decoding: units, as: UTF16.self).utf8.count == one.start)
            }
        }
    }

    /// For any text and span, no renderer traps, and the output is one line.
    @Test func anySpanOfAnyTextIsRendered() {
        let texts = ["", "a", "\n", "\r", "\r\n\r\n", "\ta\t", "é\u{301}\u{301}", "日本", "a\u{0}b", "\t日a\n\t日a\n"]
        for text in texts {
            let count = text.utf8.count
            for start in Set([0, 1, 2, 3, 7, count / 2, count - 1, count, count + 5]) {
                for length in [0, 1, 2, 5, count, Int(Int32.max)] {
                    let found = [PredicateDiagnostic(.malformedPattern, at: SourceSpan(start, start + length), "X")]
                    #expect(!GitHubRenderer().render(found, source: text).contains("\n"))
                    #expect(!JSONRenderer().render(found, source: text).contains("\n"))
                }
            }
        }
    }

    @Test func gitHubLinesAreEscaped() {
        let found = [PredicateDiagnostic(.unknownOperator, at: SourceSpan(3, 4), "50%\n::error::", suggestion: "==")]
        #expect(
            GitHubRenderer(file: "a,b:c.txt", firstLine: 4).render(found, source: "é\n~") == """
                ::error file=a%2Cb%3Ac.txt,line=5,col=1,title=unknown-operator::\
                '50%25%0A::error::' is not an operator; did you mean ==?
                """)
    }

    /// A log is shown on a terminal, so a file name must not change its state.
    @Test func gitHubLinesHaveNoControlCharacters() {
        let found = [PredicateDiagnostic(.unknownOperator, at: SourceSpan(3, 4), "\u{202E}x")]
        let shown = GitHubRenderer(file: "a\u{1B}[31m.swift").render(found, source: "é\n~")
        #expect(shown.contains("file=a␛[31m.swift,") && shown.contains("'<U+202E>x'"))
    }
}
