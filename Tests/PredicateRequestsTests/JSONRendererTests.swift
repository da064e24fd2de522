// Diagnostics as JSON.

import PredicateRequests
import PredicateSyntax
import Testing

@Suite struct JSONRendererTests {
    /// For any text and span, the renderer does not trap, and the output is one line.
    @Test func anySpanOfAnyTextIsRendered() {
        let texts = ["", "a", "\n", "\r", "\r\n\r\n", "\ta\t", "é\u{301}\u{301}", "日本", "a\u{0}b", "\t日a\n\t日a\n"]
        for text in texts {
            let count = text.utf8.count
            for start in Set([0, 1, 2, 3, 7, count / 2, count - 1, count, count + 5]) {
                for length in [0, 1, 2, 5, count, Int(Int32.max)] {
                    let found = [Diagnostic(.malformedPattern, at: SourceSpan(start, start + length), "X")]
                    #expect(!JSONRenderer().render(found, source: text).contains("\n"))
                }
            }
        }
    }

    @Test func jsonIsEscaped() {
        let found = [
            Diagnostic(
                .unknownOperator, at: SourceSpan(3, 4), "\u{1}\"\\", suggestion: "==",
                fixIts: [.init(SourceSpan(3, 4), "==")])
        ]
        #expect(
            JSONRenderer().render(found, source: "é\n~") == #"""
                [{"id":"unknown-operator","severity":"error","message":"'\u0001\"\\' is not an operator","start":3,\#
                "end":4,"line":2,"column":1,"hint":"did you mean ==?","suggestions":["=="],"fixits":[{"title":"==",\#
                "edits":[{"start":3,"end":4,"replacement":"=="}]}]}]
                """#)
        #expect(JSONRenderer().render([], source: "") == "[]")
    }
}
