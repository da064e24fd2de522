// The highest trees of every kind on the smallest stack. Printing, comparing, hashing, walking, rewriting, coding,
// checking, evaluating and releasing recurse up to the height of the tree. Parsing must not recurse.
import Foundation
import PredicateRules
import PredicateTestSupport
import Testing

@Suite struct RobustnessHeights {
    /// A construct that nests: the start, middle and end of its text, the nodes per level, and the nodes at the
    /// start.
    struct Nest: Sendable, CustomTestStringConvertible {
        let name: String
        let open: String
        let core: String
        let close: String
        let step: Int
        let base: Int
        var testDescription: String { name }

        /// A text whose tree has the maximum height, or one level more.
        func text(turns: Int) -> String {
            String(repeating: open, count: turns) + core + String(repeating: close, count: turns)
        }
        var turns: Int { (PredicateLimits.standard.nesting - base) / step }
    }

    static let nests = [
        Nest(name: "NOT", open: "NOT ", core: "a == 1", close: "", step: 1, base: 2),
        Nest(name: "NOT (", open: "NOT (", core: "a == 1", close: ")", step: 1, base: 2),
        Nest(name: "AND, OR", open: "(b == 1 AND (c == 2 OR ", core: "a == 1", close: "))", step: 2, base: 2),
        Nest(name: "AND of NOT", open: "(NOT c.d == 2 AND NOT ", core: "(a == 1)", close: ")", step: 2, base: 2),
        Nest(name: "left chain", open: "", core: "a", close: " + 1", step: 1, base: 2),
        Nest(name: "right chain", open: "(1 - ", core: "a", close: ")", step: 1, base: 2),
        Nest(name: "set chain", open: "", core: "a", close: " UNION b", step: 1, base: 2),
        Nest(name: "power chain", open: "2 ** (", core: "a", close: ")", step: 1, base: 2),
        Nest(name: "negation", open: "-", core: "a", close: "", step: 1, base: 2),
        Nest(name: "index", open: "", core: "a", close: "[0]", step: 1, base: 2),
        Nest(name: "index inside", open: "a[", core: "b", close: "]", step: 1, base: 2),
        Nest(name: "member", open: "", core: "a", close: ".$b", step: 1, base: 2),
        Nest(name: "call", open: "sum(", core: "a", close: ")", step: 1, base: 2),
        Nest(name: "method", open: "FUNCTION(", core: "a", close: ", 'length')", step: 1, base: 2),
        Nest(name: "aggregate", open: "{1, ", core: "a", close: "}", step: 1, base: 2),
        Nest(name: "ternary", open: "TERNARY(a == 1, 2, ", core: "a", close: ")", step: 1, base: 3),
        Nest(name: "ternary condition", open: "TERNARY(1 == ", core: "a", close: ", 1, 2)", step: 2, base: 2),
        Nest(name: "subquery", open: "SUBQUERY(", core: "a", close: ", $x, $x == 1)", step: 1, base: 3),
        Nest(name: "subquery condition", open: "SUBQUERY(a, $x, 1 IN ", core: "b", close: ")", step: 2, base: 2),
        Nest(name: "cast", open: "CAST(", core: "a", close: ", 'NSNumber')", step: 1, base: 2),
        Nest(name: "assignment", open: "($x := ", core: "a", close: ")", step: 1, base: 2),
        Nest(name: "fetch", open: "FETCH(", core: "a", close: ")", step: 1, base: 2),
    ]

    private static func isCondition(_ nest: Nest) -> Bool { nest.core.contains("==") }

    @Test(.cases) func highestTreesFitASmallStack() {
        forEachCase(Self.nests) { nest in
            let whole = { (turns: Int) in nest.text(turns: turns) + (Self.isCondition(nest) ? "" : " == 1") }
            let highest = whole(nest.turns)
            let found = onSmallStack { Self.exercise(highest) }
            #expect(found == "", "\(nest.name): \(found)")

            let tooHigh = whole(nest.turns + 1)
            let diagnostics = onSmallStack { FormatPredicate.parse(tooHigh).diagnostics }
            #expect(diagnostics.contains { $0.id == .limitExceeded }, "\(nest.name)")
        }
    }

    /// With a stack of 128 KB, trees of 40 levels work. Higher trees are refused before the stack overflows: by the
    /// parser, and by every use of a tree that another thread has made. The test uses 124 KB, because glibc reuses a
    /// cached stack of up to four times the size, such as one of 512 KB from another test. Under the address sanitizer
    /// no stack is small.
    @Test(.cases, .enabled(if: sanitizerOptions == nil)) func smallerStacksTakeLowerTrees() {
        forEachCase(Self.nests) { (nest) throws in
            let whole = { (turns: Int) in nest.text(turns: turns) + (Self.isCondition(nest) ? "" : " == 1") }
            let low = whole((40 - nest.base) / nest.step)
            let found = onSmallStack(kilobytes: 124) { Self.exercise(low, leastHeight: 38) }
            #expect(found == "", "\(nest.name): \(found)")
            let high = whole(nest.turns)
            let tooHigh = onSmallStack(kilobytes: 124) { FormatPredicate.parse(high).diagnostics.map(\.id) }
            #expect(tooHigh.contains(.limitExceeded), "\(nest.name)")
            guard let made = try? FormatPredicate(high) else { return }
            let refused = onSmallStack(kilobytes: 124) { () -> [DiagnosticID] in
                do throws(PredicateFailure) {
                    _ = try made.evaluate(1)
                    return []
                } catch {
                    return error.diagnostics.map(\.id)
                }
            }
            #expect(refused.contains(.limitExceeded), "\(nest.name)")
        }
    }

    /// Does everything that recurses. Returns an error message, or an empty text.
    private static func exercise(_ text: String, leastHeight: Int = PredicateLimits.standard.nesting - 1) -> String {
        do {
            let predicate = try FormatPredicate(text)
            guard predicate.root.height >= leastHeight else {
                return "height \(predicate.root.height)"
            }
            if let found = Robustness.violation(of: text) { return found }
            let again = try FormatPredicate(predicate.description)
            guard again == predicate, again.hashValue == predicate.hashValue else { return "another tree" }
            var nodes = 0
            PredicateWalker(predicate: { _ in nodes += 1 }, expression: { _ in nodes += 1 }).walk(predicate.root)
            guard nodes >= leastHeight - 1 else { return "\(nodes) nodes" }
            guard PredicateRewriter<Never>().rewrite(predicate.root) == predicate.root else {
                return "rewritten otherwise"
            }
            let data = try JSONEncoder().encode(predicate)
            guard try JSONDecoder().decode(FormatPredicate.self, from: data) == predicate else {
                return "coded otherwise"
            }
            let object: PredicateValue = .dictionary(
                ValueDictionary([("a", .array([.integer(1)])), ("b", .integer(0))]))
            _ = try? predicate.evaluate(object, variables: ["b": "a", "x": 1])
            _ = try? predicate.compiled().matches(object)
            guard ExactForm(predicate.root).format.count > leastHeight / 2 else { return "no exact form" }
            return explain(predicate, object)
        } catch {
            return "\(error)"
        }
    }

    /// Simplifies and explains. Returns an error message, or an empty text.
    private static func explain(_ predicate: FormatPredicate, _ object: PredicateValue) -> String {
        let simple = predicate.simplified()
        guard simple.simplified() == simple else { return "simplified twice otherwise" }
        // With the known values, a tree of the maximum height may become too high.
        _ = try? predicate.partial(knowing: ["b": 0])
        let explanation = try? predicate.explanation(for: object, variables: ["b": "a", "x": 1])
        return explanation?.description == "" ? "no explanation" : ""
    }

    /// The highest trees for which simplifying and explaining recurse part by part.
    @Test(.cases) func explainedTreesFitASmallStack() {
        forEachCase(Self.nests) { nest in
            let text = nest.text(turns: (64 - nest.base) / nest.step) + (Self.isCondition(nest) ? "" : " == 1")
            let object: PredicateValue = .dictionary(ValueDictionary([("a", .array([.integer(1)]))]))
            let found = onSmallStack { (try? FormatPredicate(text)).map { Self.explain($0, object) } ?? "" }
            #expect(found == "", "\(nest.name): \(found)")
        }
    }

    /// A tree built in code that exceeds the limit becomes an error node. The error is thrown when the tree is used.
    @Test func treesBuiltInCodeHaveAMaximumHeight() {
        let found = onSmallStack { () -> [String] in
            var predicate = FormatPredicate.comparison(.key("a"), .equal, .value(1))
            var heights: [Int32] = []
            for _ in 0..<100_000 {
                predicate = !predicate
                heights.append(predicate.root.height)
            }
            var sum = ExpressionNode(.keyPath(["a"]))
            for _ in 0..<100_000 { sum = ExpressionNode(.negation(sum)) }
            return [predicate.description, sum.description, "\(predicate == !predicate)"]
        }
        #expect(found.count == 3)
        #expect(found.first?.contains("<error>") == true)
    }

    /// A chain of && of any length is one node.
    @Test func longChainsAreOneNode() {
        let found = onSmallStack { () -> Int in
            var all = FormatPredicate.constant(true)
            for number in 0..<500 { all = all && .comparison(.key("a"), .notEqual, .value(number)) }
            return all.description.utf8.count + Int(all.root.height)
        }
        #expect(found > 5_000)
    }
}
