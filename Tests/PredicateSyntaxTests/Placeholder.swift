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
