// Rules that were edited: each edit is found to select more, fewer or the same objects, or is undecided; none that loosens a
// rule passes for a rephrasing.
import PredicateModel
import PredicateTestSupport
import Testing

@testable import PredicateRules

@Suite struct RuleChangeTests {
    /// The terms of the rules, joined by AND. Each is not implied by the others of its rule.
    private static let rules: [[String]] = [
        ["tenant == $user.tenant", "deleted != YES"], ["total > 100", "country IN {'DE', 'FR'}"],
        ["age >= 18", "banned != YES", "verified == YES"], ["owner == $user.id"],
        ["$user.role == 'admin'", "open == YES"],
        ["name BEGINSWITH 'A'", "age < 65"], ["ANY tags == 'new'", "stock > 0"],
        ["price BETWEEN {10, 20}", "sold == NO"],
        ["level IN {1, 2, 3}", "$user.level >= 2"], ["title LIKE '*draft*'", "version == 0"], ["a < b", "b < 100"],
        ["city ==[c] 'paris'", "visits > 3"], ["email ENDSWITH '@example.org'", "active == YES"],
        ["team == $user.team OR shared == YES", "archived == NO"], ["x != nil", "y != nil", "z > 1"],
    ]

    private enum Kind { case looser, tighter, same, other }

    /// The edits of a rule, with what they do.
    private static func edits(_ terms: [String]) -> [(kind: Kind, text: String)] {
        func all(_ terms: [String]) -> String { terms.map { "(\($0))" }.joined(separator: " AND ") }
        var edits: [(Kind, String)] = [
            (.same, all(terms.reversed())), (.same, "NOT NOT (\(all(terms)))"),
            (.same, "(\(all(terms))) OR FALSEPREDICATE"),
            (.same, all(terms + [terms[0]])), (.same, "(\(all(terms))) AND TRUEPREDICATE"),
            (.looser, "TRUEPREDICATE"), (.looser, "(\(all(terms))) OR extra == 5"),
            (.looser, "(\(all(terms))) OR extra IN {1, 2}"),
            (.looser, "(\(all(terms))) OR $user.root == YES"), (.looser, "(\(all(terms))) OR (extra > 1 AND more < 3)"),
            (.tighter, "FALSEPREDICATE"), (.tighter, all(terms + ["extra == 5"])),
            (.tighter, all(terms + ["extra != nil"])),
            (.tighter, all(terms + ["$user.root == YES"])), (.tighter, all(terms + ["extra < 1 OR more == 2"])),
            (.tighter, all(terms + ["NOT extra CONTAINS 'x'"])), (.tighter, all(terms + ["ANY marks > 3"])),
            (.other, "extra == 5"), (.other, "NOT (\(all(terms)))"),
        ]
        for (index, term) in terms.enumerated() {
            var others = terms
            others.remove(at: index)
            edits.append((.looser, others.isEmpty ? "TRUEPREDICATE" : all(others)))
            edits.append((.looser, all(others + ["(\(term)) OR extra == 5"])))
            edits.append((.tighter, all(others + ["(\(term)) AND extra == 5"])))
            edits.append((.same, all([term] + others)))
            edits.append((.same, all(others + ["NOT (NOT (\(term)))"])))
            edits.append((.same, all(others + ["(\(term)) OR (\(term))"])))
        }
        return edits
    }

    @Test func everyEditIsWhatItIsOrUndecided() throws {
        var (decided, undecided) = (0, 0)
        for rule in TestDepth.some(Self.rules, every: 1) {
            let old = try FormatPredicate(rule.map { "(\($0))" }.joined(separator: " AND "))
            for (kind, text) in Self.edits(rule) {
                let comparison = PredicateComparison(old, try FormatPredicate(text))
                let (loses, gains) = (comparison.onlyFirst, comparison.onlySecond)
                for answer in [loses, gains] {
                    if case .unknown = answer { undecided += 1 } else { decided += 1 }
                }
                switch kind {
                case .same: #expect(!loses.isProven && !gains.isProven, "\(rule) to \(text)")
                case .looser: #expect(!loses.isProven && gains != .refuted, "\(rule) to \(text)")
                case .tighter: #expect(loses != .refuted && !gains.isProven, "\(rule) to \(text)")
                case .other: #expect(loses != .refuted && gains != .refuted, "\(rule) to \(text)")
                }
            }
        }
        TestDepth.note("edits of rules: \(decided) answers, \(undecided) undecided")
        #expect(undecided * 10 < decided)
    }

    @Test func variablesHaveTheSameValuesOnBothSides() throws {
        let comparison = PredicateComparison(
            try FormatPredicate("x == $u.id AND deleted != YES"), try FormatPredicate("x == $u.id"))
        #expect(comparison.onlyFirst == .refuted && comparison.onlySecond.isProven)
    }
}

extension PredicateSatisfiability {
    fileprivate var isProven: Bool { if case .proven = self { true } else { false } }
}
