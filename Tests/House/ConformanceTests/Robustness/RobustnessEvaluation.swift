// Evaluates all valid texts: for suitable and unsuitable objects, as a condition and as a value, typed and untyped. The
// outcome must be a result or a typed error.
import Foundation
import PredicateEvaluation
import PredicateTestSupport
import Testing

/// A published type with the most frequent keys of the seeds.
private struct Guest: Queryable {
    var name = "Ada"
    var lastName: String? = "Smith"
    var age = 36
    var price = 9.5
    var vip = true
    var tags = ["vip", "été"]
    var items = [Item()]

    struct Item: Queryable {
        var price = 12.5
        var stock: Int? = 3
        static let keys: KeyTable<Item> = [.key("price", \.price), .key("stock", \.stock)]
    }

    static let keys: KeyTable<Guest> = [
        .key("name", \.name), .key("lastName", \.lastName), .key("age", \.age), .key("price", \.price),
        .key("vip", \.vip), .key("tags", \.tags), .key("items", \.items),
    ]
}

@Suite struct RobustnessEvaluation {
    private static let item: PredicateValue = .dictionary(
        ValueDictionary([
            ("price", .double(12.5)), ("stock", .integer(3)), ("name", .string("Rex")), ("legs", .integer(4)),
        ]))
    private static let rich: PredicateValue = .dictionary(
        ValueDictionary([
            ("a", .integer(1)), ("b", .integer(0)), ("c", .double(2.5)), ("d", .array([.integer(1), .null])),
            ("e", .nsNull), ("name", .string("Ada")), ("lastName", .string("Smith")), ("age", .integer(36)),
            ("price", .double(9.5)), ("tags", .array([.string("vip"), .string("été")])),
            ("items", .array([item, item, .null])), ("pets", .set([item])), ("dict", item),
            ("uti", .string("public.jpeg")), ("date", .date(1e8)), ("big", .integer(.max)), ("x", .integer(.min)),
            ("total", .decimal(DecimalNumber(coefficient: 995, exponent: -1))), ("f", .float(1.5)),
            ("path", .string("/start/end")),
        ]))
    private static let objects: [PredicateValue] = [
        rich, .null, .integer(.min), .double(.nan), .string("text"), .array([rich, item]),
        .dictionary(ValueDictionary([])),
    ]
    private static var variables: PredicateVariables {
        ["x": item, "y": 5, "list": [1, 2, 3], "v": "text", "four": nil, "b": "a", "i": item, "e": item, "p": item]
    }

    /// An environment with a low limit, so that steps that multiply the work end soon.
    private static let environment: PredicateEnvironment = {
        var limits = PredicateLimits()
        limits.steps = 20_000
        limits.elements = 20_000
        return PredicateEnvironment(limits: limits, localeIdentifier: "en_US")
    }()
    private static let run = PredicateRun(clock: { 0 }, seed: 1)

    /// Evaluates in every way. Returns a message if an error is not as it must be.
    private static func violation(of predicate: FormatPredicate, variables: PredicateVariables = variables) -> String? {
        let predicate = FormatPredicate(predicate.root, source: predicate.source, in: environment)
        var bad: String?
        func attempt(_ work: () throws -> Void) {
            do { try work() } catch {
                guard let failure = error as? PredicateFailure else {
                    bad = "threw \(error)"
                    return
                }
                if !failure.diagnostics.contains(where: { $0.severity == .error }) { bad = "threw without an error" }
                for diagnostic in failure.diagnostics where diagnostic.span.end > predicate.source.utf8.count {
                    bad = "a span outside of the text: \(diagnostic.message)"
                }
                if failure.description.isEmpty { bad = "an empty description" }
            }
        }
        for object in objects { attempt { _ = try predicate.evaluate(object, variables: variables, run: run) } }
        attempt {
            let matcher = try predicate.compiled(for: Guest.self, variables: variables, run: run)
            _ = matcher.matches(Guest())
        }
        return bad
    }

    private static func violation(of expression: FormatExpression) -> String? {
        let expression = FormatExpression(expression.root, source: expression.source, in: environment)
        for object in objects {
            do { _ = try expression.evaluate(object, variables: variables, run: run) } catch {
                if !error.diagnostics.contains(where: { $0.severity == .error }) { return "threw without an error" }
            }
        }
        return nil
    }

    @Test func evaluatingSeedsGivesAResultOrAnError() throws {
        for text in try Robustness.lines(of: "seeds.txt") + Robustness.lines(of: "regressions.txt") {
            if let predicate = try? FormatPredicate(text, arguments: []) {
                let found = Self.violation(of: predicate) ?? Self.violation(of: predicate, variables: [:])
                #expect(found == nil, "\(text): \(found ?? "")")
            }
            if let expression = try? FormatExpression(text, arguments: []) {
                let found = Self.violation(of: expression)
                #expect(found == nil, "\(text): \(found ?? "")")
            }
        }
    }

    @Test(.cases) func evaluatingMutationsGivesAResultOrAnError() {
        forEachCase([11, 12, 13, 14] as [UInt64]) { seed in
            let seeds = try Robustness.lines(of: "seeds.txt").map { Array($0.utf8) }
            var mutator = Mutator(seeds: seeds, generator: SplitMix(seed))
            for _ in 0..<TestDepth.count(10_000, full: 500_000) {
                let text = mutator.next()
                let count = text.utf8.count { $0 == UInt8(ascii: "%") }
                let arguments = (0..<count).map { _ in
                    RobustnessMutations.arguments[
                        Int.random(in: 0..<RobustnessMutations.arguments.count, using: &mutator.generator)]
                }
                if let predicate = try? FormatPredicate(text, formatArguments: arguments),
                    let found = Self.violation(of: predicate)
                {
                    Issue.record("seed \(seed): \(text.debugDescription) \(arguments): \(found)")
                }
                if let expression = try? FormatExpression(text, formatArguments: arguments),
                    let found = Self.violation(of: expression)
                {
                    Issue.record("seed \(seed): \(text.debugDescription) \(arguments): \(found)")
                }
            }
        }
    }

    /// A key path may be as long as its text, so no code may recurse for each component.
    @Test func longPathsAreEvaluatedOnASmallStack() {
        let path = Array(repeating: "a", count: 50_000).joined(separator: ".")
        let found = onSmallStack { () -> String in
            let object: PredicateValue = .dictionary(ValueDictionary([("a", .integer(1))]))
            do { return "\(try FormatPredicate(path + " == nil").evaluate(object))" } catch { return "\(error)" }
        }
        #expect(!found.isEmpty)
    }
}
