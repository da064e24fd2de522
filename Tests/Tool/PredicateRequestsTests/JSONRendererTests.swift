// Diagnostics as JSON.

import PredicateRequests
import PredicateSyntax
import Testing

@Suite struct JSONRendererTests {
    @Test func jsonIsEscaped() {
        let found = [
            PredicateDiagnostic(
                .unknownOperator, at: SourceSpan(3, 4), "\u{1}\"\\", suggestion: "==",
                fixIts: [.init(SourceSpan(3, 4), "==")])
        ]
        #expect(
            JSONRenderer().render(found, source: "é\n~") == #"""
                [{"id":"unknown-operator","severity":"error","message":"'\u0001\"\\' is not an operator","start":3,\#
                "end":4,"line":2,"column":1,"utf16Start":2,"utf16End":3,"hint":"did you mean ==?",\#
                "suggestions":["=="],"fixits":[{"title":"==","edits":[{"start":3,"end":4,"utf16Start":2,\#
                "utf16End":3,"replacement":"=="}]}]}]
                """#)
        #expect(JSONRenderer().render([], source: "") == "[]")
    }
}
