import Foundation
import PredicateEvaluation
import PredicateModel
import PredicateSyntax
import Testing

@Test func explore() throws {
    let patterns = (ProcessInfo.processInfo.environment["PATS"] ?? "").split(separator: "\u{1}").map(String.init)
    for p in patterns {
        var ours = ""
        do { ours = "\(try TextPattern.matches(p).kind)" } catch { ours = "\(error)" }
        var icu = "ok"
        do { _ = try NSRegularExpression(pattern: p) } catch { icu = "ERR" }
        print("PAT", p.debugDescription, icu, ours.prefix(150))
    }
}
