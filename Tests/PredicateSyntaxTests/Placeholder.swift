import Testing
import PredicateSyntax
import Foundation
@Test func tryIt() throws {
    guard let path = ProcessInfo.processInfo.environment["TRY"] else { return }
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false) {
        let p = Parser.predicate(String(line))
        print(line); print("   ", p.tree)
        for d in p.diagnostics { print("    ", d.severity, d.id.rawValue, d.span.start, d.span.end, d.message, "|", d.label ?? "", d.fixIts.map { "\($0.span.start)-\($0.span.end):\($0.replacement)" }) }
    }
}
@Test func corpus() throws {
    guard let path = ProcessInfo.processInfo.environment["CORPUS"] else { return }
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
        let r = try JSONSerialization.jsonObject(with: Data(line.utf8)) as! [String: Any]
        let f = r["format"] as! String
        let kind = r["kind"] as? String ?? "predicate"
        let expect = r["expect"] as? String ?? "invalid"
        let tree: String, diags: [Diagnostic]
        var rt = true
        if kind == "expression" { let p = Parser.expression(f); tree = p.tree.description; diags = p.diagnostics; rt = Parser.expression(tree).tree == p.tree }
        else { let p = Parser.predicate(f); tree = p.tree.description; diags = p.diagnostics; rt = Parser.predicate(tree).tree == p.tree }
        let bad = diags.contains { $0.severity == .error }
        if expect == "invalid" ? !bad : bad { print("XX", expect, kind, f, "->", diags.first.map { "\($0.id.rawValue) \($0.span.start) \($0.message)" } ?? "") }
        if !bad && !rt { print("RT", f, "->", tree) }
    }
}
