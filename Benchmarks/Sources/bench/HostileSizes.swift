// Checks that parsing takes linear time, and reading as a file of predicates: each hostile piece is repeated to 256 KB and
// to 1 MB. A ratio far above four means quadratic time.
import PredicateModel
import PredicateRequests
import PredicateSyntax

enum HostileSizes {
    static let pieces = [
        "(", "NOT ", "{", "-", "a.", "a[", "1+", "a AND ", "a==1 AND ", "!", "\"", "\\", "SUBQUERY(", "TERNARY(", "%@",
        "%@,", "$x:=", "a OR b AND ", "ANY ", "[", "@a.", "@a(", "a b ", "a foo 1 AND ", "a==b AND ", "'", "'' ", "“",
        "//",
        "/*", "&quot;", "a:", "f(", "f(a,", "{1,", "{1},", "(1)", "a==", "a IN {", "a[0].", "#", "é", "\u{0}", "=",
        "<>=",
        "0x", "1e", "1.", ")", "]", "}", ",", ":=", "a&b", "a==1&", "a NOT IN ", "IS NOT NULL ", "CAST(", "FUNCTION(",
        "0",
        "a.$b.", "a.'b'.", "**", "\n", "a==1 & a==1 OR ", "a IN 1,", "a-b==c OR ", "(a==1 AND ", "NOT(", "-(", "\\'",
        "%5.",
        "a === 1 AND ", "a BEGINWITH 'x' AND ", "'a''b' ", "f(1)==1 OR ", "a MATCHES '(' OR ", "x:y:z ", "1,", "{1",
        "a IN {1, 2} OR ", "a\n ",
    ]

    /// Returns whether all times are linear. Times below a fifth of a second are too short to tell.
    static func run(_ pieces: [String]) -> Bool {
        var isLinear = true
        print("256 KB ms\t1 MB ms\tratio\tpiece")
        for piece in pieces {
            var small = 0.0
            var large = 0.0
            var isQuadratic = true
            // Another program may slow one measurement down, so three must be quadratic.
            for _ in 0..<3 where isQuadratic {
                small = max(time(piece, 1 << 18), 1e3)
                large = time(piece, 1 << 20)
                isQuadratic = large > 8 * small && large > 2e8
            }
            let ratio = large / small
            if isQuadratic { isLinear = false }
            print(
                Report.text(small / 1e6), Report.text(large / 1e6), Report.text(ratio) + (isQuadratic ? " !" : ""),
                piece.debugDescription, separator: "\t")
        }
        return isLinear
    }

    private static func time(_ piece: String, _ size: Int) -> Double {
        // "1," needs the start of a list before it.
        let text = (piece == "1," ? "a IN {" : "") + String(repeating: piece, count: size / piece.utf8.count)
        return Harness.time(1) {
            // A line that begins with a space continues the predicate of the line before.
            var lines = PredicateLines()
            let ended = text.split(separator: "\n").count { lines.add(String($0)) != nil }
            return ended + (lines.finish()?.text.utf8.count ?? 0) + FormatPredicate.parse(text).diagnostics.count
        }
    }
}
