// Very large inputs: a megabyte of one token, and the highest tree of every kind, on a small stack.
import Foundation
import PredicateTestSupport
import Testing

@Suite struct RobustnessSizes {
    static let pieces = [
        "(", "NOT ", "{", "-", "a.", "a[", "1+", "a AND ", "a==1 AND ", "!", "\"", "\\", "SUBQUERY(", "TERNARY(", "%@",
        "%@,", "$x:=", "a OR b AND ", "ANY ", "[", "@a.", "@a(", "a b ", "a foo 1 AND ", "a==b AND ", "'", "'' ", "“",
        "//", "/*", "&quot;", "a:", "f(", "f(a,", "{1,", "{1},", "(1)", "a==", "a IN {", "a[0].", "#", "é", "\u{0}",
        "=", "<>=", "0x", "1e", "1.", ")", "]", "}", ",", ":=", "a&b", "a==1&", "a NOT IN ", "IS NOT NULL ", "CAST(",
        "FUNCTION(", "0", "a.$b.", "a.'b'.", "**", "\n", "a==1 & a==1 OR ", "a IN 1,", "a-b==c OR ", "(a==1 AND ",
        "NOT(", "-(", "\\'", "%5.", "a === 1 AND ", "a BEGINWITH 'x' AND ", "'a''b' ", "f(1)==1 OR ",
        "a MATCHES '(' OR ", "x:y:z ", "1,",
    ]

    @Test(.cases) func longTextsAreParsedOrRejected() {
        forEachCase(TestDepth.some(Self.pieces)) { piece in
            let limit = PredicateLimits.standard.inputBytes
            for size in [limit - 6, limit + 1] {
                // "1," needs the start of a list before it.
                let pieces = String(repeating: piece, count: size / piece.utf8.count + 1)
                let text = (piece == "1," ? "a IN {" : "") + (String(pieces.utf8.prefix(size)) ?? pieces)
                let found = onSmallStack { () -> [String] in
                    let predicate = FormatPredicate.parse(text)
                    let expression = FormatExpression.parse(text, arguments: .none)
                    return [predicate.diagnostics.count, expression.diagnostics.count].map { "\($0)" }
                        + (predicate.hasErrors ? [] : ["the predicate has no error"])
                        + (expression.hasErrors || piece == "0" ? [] : ["the expression has no error"])
                }
                #expect(found.count == 2, "\(piece): \(found)")
            }
        }
    }

    /// Many terms of each kind. At the depth of CI, quadratic time would take a minute for each.
    @Test func longConditionsAreRead() throws {
        let terms = [
            "d < now()", "a IN {1, 2}", "(a == 1)", "abs(a) == 1", "SUBQUERY(a, $x, $x.b == 1).@count > 0",
            "TERNARY(a == 1, 2, 3) == 2", "CAST(a, 'NSDate') == b", "a[0] == 1", "ANY a.b == 'x'",
            "NOT a.b[FIRST] LIKE '*'", "a BETWEEN {1, b}", "FUNCTION(a, 'length') == 1", "-a + 1 * 2 != b ** 2",
            "a.@sum.b > 1", "a MATCHES 'x+'",
        ]
        var limits = PredicateLimits.standard
        limits.nodes = 500_000
        for term in terms {
            let text = repeatElement(term, count: TestDepth.isQuick ? TestDepth.size(2_000) : 20_000).joined(
                separator: " OR ")
            let parsed = FormatParser.predicate(text, arguments: .none, limits: limits)
            #expect(!parsed.hasErrors, "\(term): \(parsed.diagnostics.first.map { "\($0)" } ?? "")")
        }
    }
}
