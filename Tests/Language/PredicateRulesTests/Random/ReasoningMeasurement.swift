// How many claims stay unknown for a rule and the rule with one term changed. The rules are those of Tests/Golden, and
// of the file that PREDICATE_CORPUS names: one JSON object a line, with the text in "format".
import Foundation
import PredicateRules
import PredicateTestSupport
import Testing

@Suite struct ReasoningMeasurement {
    @Test func fewClaimsAboutGoldenRulesAreUnknown() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Golden")
        var texts: [String] = []
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        for case let file as URL in files ?? .init() where file.pathExtension == "golden" {
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            for (line, next) in zip(lines, lines.dropFirst()) where line.hasPrefix("=== ") {
                texts.append(String(next))
            }
        }
        #expect(texts.count > 1000)
        try measure(TestDepth.some(texts.sorted(), every: 8), "golden")
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["PREDICATE_CORPUS"] != nil))
    func fewClaimsAboutTheCorpusAreUnknown() throws {
        let name = ProcessInfo.processInfo.environment["PREDICATE_CORPUS"] ?? ""
        let lines = try String(contentsOf: URL(filePath: name), encoding: .utf8).split(separator: "\n")
        try measure(
            try lines.compactMap { line in
                let fields = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                return fields?["kind"] as? String == "predicate" ? fields?["format"] as? String : nil
            }, "corpus")
    }

    private func measure(_ texts: [String], _ name: String) throws {
        var random = RandomPredicates(72)
        var (total, unknown, refused, rules) = (0, 0, 0, 0)
        var reasons: [String: Int] = [:]
        for text in texts {
            let parsed = FormatPredicate.parse(text)
            guard !parsed.hasErrors else { continue }
            let root = Self.bound(parsed.tree)
            let rule = FormatPredicate(root)
            if case .unknown(.refused) = rule.satisfiability() {
                refused += 1
                continue
            }
            rules += 1
            for _ in 0..<4 {
                let other = FormatPredicate(random.changingOneTerm(of: root))
                for claim in [rule.implies(other), other.implies(rule)] {
                    total += 1
                    guard case .unknown(let reason) = claim else { continue }
                    unknown += 1
                    reasons["\(reason) — \(rule) — \(other)", default: 0] += 1
                }
            }
        }
        TestDepth.note("\(name): \(rules) rules, \(refused) refused, \(total) claims, \(unknown) unknown")
        if ProcessInfo.processInfo.environment["PREDICATE_REASONS"] != nil {
            for (reason, count) in reasons.sorted(by: { $0.value > $1.value }) { TestDepth.note("\(count)  \(reason)") }
        }
        // Of few rules the share varies more.
        #expect(unknown * 100 <= total * (TestDepth.isQuickest ? 20 : 15))
    }

    /// The tree with values in the place of `%@`, and keys in the place of `%K`.
    private static func bound(_ root: PredicateNode) -> PredicateNode {
        PredicateRewriter<Never>(expression: { node in
            guard case .argument(let conversion) = node.kind else { return node }
            switch conversion.kind {
            case .keyPath: return ExpressionNode(.keyPath(["key\(conversion.position)"]))
            case .object: return ExpressionNode(.value(.string("text\(conversion.position)")))
            case .integer: return ExpressionNode(.value(.integer(Int64(conversion.position) + 5)))
            case .floatingPoint: return ExpressionNode(.value(.double(Double(conversion.position) + 0.5)))
            }
        }).rewrite(root)
    }
}
