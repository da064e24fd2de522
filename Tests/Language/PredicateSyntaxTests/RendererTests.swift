// Tests of printed diagnostics. The arguments describe the case; the text after them is the expected output.

import PredicateTestSupport
import Testing

@testable import PredicateSyntax

/// One case: a text, the marked bytes, and the expected output.
struct Picture: Sendable, CustomTestStringConvertible {
    let name: String
    let source: String
    let span: SourceSpan
    var suggestion: String?
    var fixIts: [PredicateDiagnostic.FixIt] = []
    var renderer = DiagnosticRenderer()
    let shown: String

    var testDescription: String { name }
}

@Suite struct RendererTests {
    static let pictures = [
        Picture(
            name: "the shape", source: "name BEGINWITH 'A'", span: SourceSpan(5, 14), suggestion: "BEGINSWITH",
            shown: """
                error[unknown-operator]: 'X' is not an operator
                 1 | name BEGINWITH 'A'
                   |      ^^^^^^^^^ did you mean BEGINSWITH?
                """),
        Picture(
            name: "a fix", source: "a ! b", span: SourceSpan(2, 3), fixIts: [.init(SourceSpan(2, 3), "!=")],
            shown: """
                error[unknown-operator]: 'X' is not an operator
                 1 | a ! b
                   |   ^ fix: !=
                """),
        Picture(
            name: "a fix that removes", source: "a ==! b", span: SourceSpan(4, 5),
            fixIts: [.init(SourceSpan(4, 5), "")],
            shown: """
                error[unknown-operator]: 'X' is not an operator
                 1 | a ==! b
                   |     ^ fix: remove !
                """),
        Picture(
            name: "the end of the text", source: "a ==", span: SourceSpan(4, 4),
            shown: """
                error[unknown-operator]: 'X' is not an operator
                 1 | a ==
                   |     ^
                """),
        Picture(
            name: "past the end", source: "a ==", span: SourceSpan(40, 90),
            shown: """
                error[unknown-operator]: 'X' is not an operator
                 1 | a ==
                   |     ^
                """),
        Picture(
            name: "inside a scalar", source: "é % ü", span: SourceSpan(1, 6),
            shown: """
                error[unknown-operator]: 'X' is not an operator
                 1 | é % ü
                   | ^^^^
                """),
        Picture(
            name: "tabs", source: "a\tAND\tb ~ 1", span: SourceSpan(8, 9),
            shown: """
                error[unknown-operator]: 'X' is not an operator
                 1 | a   AND b ~ 1
                   |           ^
                """),
        Picture(
            name: "wide characters", source: "'日本👩‍👩‍👧' ~ x", span: SourceSpan(27, 28),
            shown: """
                error[unknown-operator]: 'X' is not an operator
                 1 | '日本👩‍👩‍👧' ~ x
                   |          ^
                """),
        Picture(
            name: "combining marks", source: "'e\u{301}e\u{301}' ~ x", span: SourceSpan(9, 10),
            shown: """
                error[unknown-operator]: 'X' is not an operator
                 1 | 'e\u{301}e\u{301}' ~ x
                   |      ^
                """),
        Picture(
            name: "control characters", source: "a\u{1B}[2J \u{202E}~ x", span: SourceSpan(9, 10),
            shown: """
                error[unknown-operator]: 'X' is not an operator
                 1 | a␛[2J <U+202E>~ x
                   |               ^
                """),
        Picture(
            name: "CRLF and a wider gutter", source: String(repeating: "\r\n", count: 9) + "a ~ b\r\n",
            span: SourceSpan(20, 21),
            shown: """
                error[unknown-operator]: 'X' is not an operator
                 10 | a ~ b
                    |   ^
                """),
        Picture(
            name: "two lines", source: "a IN {1,\n  2", span: SourceSpan(5, 12), suggestion: "}",
            shown: """
                error[unknown-operator]: 'X' is not an operator
                 1 | a IN {1,
                   |      ^^^
                 2 |   2
                   |   ^ did you mean }?
                """),
        Picture(
            name: "many lines", source: "a IN {1,\n  2,\n 3\n}", span: SourceSpan(5, 19),
            shown: """
                error[unknown-operator]: 'X' is not an operator
                 1 | a IN {1,
                   |      ^^^
                 ...
                 4 | }
                   | ^
                """),
        Picture(
            name: "a long line",
            source: String(repeating: "a OR ", count: 30) + "b ~ c" + String(repeating: " OR a", count: 30),
            span: SourceSpan(152, 153), renderer: DiagnosticRenderer(width: 40),
            shown: """
                error[unknown-operator]: 'X' is not an operator
                 1 | … OR a OR a OR b ~ c OR a OR a OR …
                   |                  ^
                """),
        Picture(
            name: "a mark longer than the line", source: "a == " + String(repeating: "b", count: 90),
            span: SourceSpan(5, 95), renderer: DiagnosticRenderer(width: 30),
            shown: """
                error[unknown-operator]: 'X' is not an operator
                 1 | …bbbbbbbbbbbbbbbbbbbbbbb…
                   |  ^^^^^^^^^^^^^^^^^^^^^^^
                """),
        Picture(
            name: "no text", source: "", span: .none, suggestion: "TRUEPREDICATE",
            shown: """
                error[unknown-operator]: 'X' is not an operator
                   = did you mean TRUEPREDICATE?
                """),
        Picture(
            name: "a file", source: "a ~ b", span: SourceSpan(2, 3),
            renderer: DiagnosticRenderer(file: "rules.txt", firstLine: 7),
            shown: """
                rules.txt:7:3: error[unknown-operator]: 'X' is not an operator
                 7 | a ~ b
                   |   ^
                """),
        Picture(
            name: "colours", source: "a ~ b", span: SourceSpan(2, 3), renderer: DiagnosticRenderer(colored: true),
            shown: """
                \u{1B}[1;31merror[unknown-operator]\u{1B}[0m\u{1B}[1m: 'X' is not an operator\u{1B}[0m
                \u{1B}[34m 1 | \u{1B}[0ma ~ b
                \u{1B}[34m   | \u{1B}[0m  \u{1B}[1;31m^\u{1B}[0m
                """),
    ]

    @Test(.cases) func renderedTextIsAsExpected() {
        forEachCase(Self.pictures) { picture in
            let diagnostic = PredicateDiagnostic(
                .unknownOperator, at: picture.span, "X", suggestion: picture.suggestion, fixIts: picture.fixIts)
            #expect(picture.renderer.render([diagnostic], source: picture.source) == picture.shown)
        }
    }

    @Test func severalDiagnosticsHaveABlockEach() {
        let diagnostics = [
            PredicateDiagnostic(.unknownOperator, at: SourceSpan(2, 3), "~"),
            PredicateDiagnostic(.unknownOperator, at: SourceSpan(6, 7), "?", severity: .warning),
        ]
        #expect(
            PredicateFailure(diagnostics, source: "a ~ b ? c").description == """
                error[unknown-operator]: '~' is not an operator
                 1 | a ~ b ? c
                   |   ^
                warning[unknown-operator]: '?' is not an operator
                 1 | a ~ b ? c
                   |       ^
                """)
    }

    /// For any text and span, no renderer traps, and no rendered text is wider than the limit.
    @Test func anySpanOfAnyTextIsRendered() {
        let texts = [
            "", "a", "\n", "\r", "\r\n\r\n", "\ta\t", "é\u{301}\u{301}", "日本", "\u{301}", "a\u{0}b", "👩‍👩‍👧\u{200D}",
            String(repeating: "\t日a\n", count: 9), String(repeating: "x", count: 300),
        ]
        for text in texts {
            let count = text.utf8.count
            for start in Set([0, 1, 2, 3, 7, count / 2, count - 1, count, count + 5]) {
                for length in [0, 1, 2, 5, count, Int(Int32.max)] {
                    let found = [PredicateDiagnostic(.malformedPattern, at: SourceSpan(start, start + length), "X")]
                    let lines = DiagnosticRenderer(width: 30).render(found, source: text).split(separator: "\n")
                    #expect(
                        lines.dropFirst().allSatisfy { $0.count <= 31 }, "\(text.debugDescription) \(start) \(length)")
                }
            }
        }
    }
}

@Suite struct CorrectionTests {
    @Test func everyReplacementIsMade() throws {
        let cases: [(String, String?)] = [
            ("name BEGINWITH 'A'", "name BEGINSWITH 'A'"), ("größe == 1 AND é IN (1, 2)", nil),
            ("a IN (1, 2)", "a IN {1, 2}"), ("a == 'x", "a == 'x'"), ("a b c", nil), ("(a == 1", "(a == 1)"),
        ]
        for (text, corrected) in cases {
            let failure = #expect(throws: PredicateFailure.self) { try parsed(text) }
            let found = failure?.diagnostics.first?.correcting(text)
            #expect(found == corrected, "\(text)")
            // Positions beyond another text are not replaced.
            #expect(failure?.diagnostics.first?.correcting("") == nil)
        }
    }

    private func parsed(_ text: String) throws(PredicateFailure) {
        let parsed = FormatParser.predicate(text)
        if parsed.hasErrors { throw PredicateFailure(parsed.diagnostics, source: text) }
    }
}
