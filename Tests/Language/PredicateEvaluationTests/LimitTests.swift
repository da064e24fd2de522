// Limits: depth on a small stack, steps, elements. None of these inputs may crash.
import Foundation
import Predicates
import PredicateTestSupport
import Testing

struct LimitTests {
    /// Trees of maximum height, one for each kind of node.
    static let towers: [(String, @Sendable (ExpressionNode) -> ExpressionNode)] = [
        ("binary", { ExpressionNode(.binary(.add, $0, ExpressionNode(.keyPath(["a"])))) }),
        ("right", { ExpressionNode(.binary(.add, ExpressionNode(.keyPath(["a"])), $0)) }),
        ("negation", { ExpressionNode(.negation($0)) }), ("call", { ExpressionNode(.call("abs:", [$0])) }),
        ("cast", { ExpressionNode(.cast($0, type: "NSNumber")) }),
        ("method", { ExpressionNode(.method($0, selector: "self", [])) }),
        ("assignment", { ExpressionNode(.assignment(variable: "x", $0)) }),
        ("member", { ExpressionNode(.member($0, step: ExpressionNode(.keyPath(["self"])))) }),
        (
            "aggregate",
            { ExpressionNode(.index(ExpressionNode(.aggregate([$0])), ExpressionNode(.indexSymbol(.first)))) }
        ),
        (
            "index",
            {
                ExpressionNode(
                    .index(
                        ExpressionNode(.keyPath(["list"])),
                        ExpressionNode(.binary(.multiply, $0, ExpressionNode(.value(.integer(0)))))))
            }
        ),
        (
            "ternary",
            { node in
                let test = PredicateNode(.comparison(ComparisonNode(node, .equal, ExpressionNode(.keyPath(["a"])))))
                return ExpressionNode(.ternary(test, ExpressionNode(.keyPath(["a"])), ExpressionNode(.keyPath(["a"]))))
            }
        ),
        (
            "subquery",
            { node in
                let test = PredicateNode(.comparison(ComparisonNode(node, .notEqual, ExpressionNode(.variable("x")))))
                return ExpressionNode(
                    .index(
                        ExpressionNode(.subquery(ExpressionNode(.keyPath(["list"])), variable: "x", test)),
                        ExpressionNode(.indexSymbol(.size))))
            }
        ),
    ]

    @Test(.cases) func expressions200HighOnASmallStack() async {
        await forEachAsyncCase(Self.towers.indices) { (index) throws in
            let grow = Self.towers[index].1
            let outcome = onSmallStack { () -> String in
                var node = ExpressionNode(.keyPath(["a"]))
                while true {
                    let higher = grow(node)
                    if higher.height >= 199 { break }
                    node = higher
                }
                let predicate = FormatPredicate(
                    PredicateNode(.comparison(ComparisonNode(node, .equal, ExpressionNode(.variable("v"))))))
                do throws(PredicateFailure) {
                    let object = v(["a": 0, "list": [1]])
                    _ = try predicate.evaluate(object, variables: ["v": 5])
                    let substituted = try predicate.substituting(["v": 5])
                    return "\(try predicate.evaluate(object, variables: ["v": 5]) == substituted.evaluate(object))"
                } catch {
                    return "\(error)"
                }
            }
            #expect(outcome == "true", "\(Self.towers[index].0): \(outcome)")
        }
    }

    @Test func predicates200HighOnASmallStack() async {
        let outcome = onSmallStack { () -> String in
            var node = PredicateNode(
                .comparison(
                    ComparisonNode(ExpressionNode(.keyPath(["a"])), .equal, ExpressionNode(.value(.integer(1))))))
            while node.height < 198 {
                node =
                    node.height % 2 == 0
                    ? PredicateNode(.not(node))
                    : PredicateNode(
                        .and([
                            PredicateNode(.constant(true)),
                            PredicateNode(.or([PredicateNode(.constant(false)), node])),
                        ]))
            }
            let object = v(["a": 2])
            return (try? FormatPredicate(node).evaluate(object)).map { "\($0)" } ?? "failed"
        }
        #expect(outcome == "true" || outcome == "false")
    }

    /// Checking and matching a typed object, with the same stack.
    @Test func matcherOnASmallStack() async {
        let outcome = onSmallStack { () -> String in
            var node = ExpressionNode(.keyPath(["n"]))
            while node.height < 198 {
                node = ExpressionNode(.binary(.add, node, ExpressionNode(.keyPath(["next", "n"]))))
            }
            let predicate = FormatPredicate(
                PredicateNode(.comparison(ComparisonNode(node, .equal, ExpressionNode(.value(.integer(198)))))))
            return (try? predicate.compiled(for: Chain.self).test(Chain(n: 1, next: [Chain(n: 1, next: [])]))).map {
                "\($0)"
            } ?? "failed"
        }
        #expect(outcome == "failed")
    }

    struct Chain: Queryable {
        var n: Int
        var next: [Chain]
        static let keys: KeyTable<Chain> = [.key("n", \.n), .key("next", \.next)]
    }

    @Test func higherTreesAreRefused() {
        var node = ExpressionNode(.keyPath(["a"]))
        for _ in 0..<300 { node = ExpressionNode(.negation(node)) }
        let predicate = FormatPredicate(PredicateNode(.comparison(ComparisonNode(node, .equal, node))))
        let failure = #expect(throws: PredicateFailure.self) { try predicate.evaluate(v(["a": 1])) }
        #expect(failure?.diagnostics.map(\.id) == [.limitExceeded])
        #expect(throws: PredicateFailure.self) { try predicate.substituting([:]) }
        #expect(answer("$x == 1", .null, variables: ["x": node]) == "limit-exceeded")
    }

    /// Comparing and hashing values nested as deep as readers allow.
    @Test func deepValuesOnASmallStack() async {
        let outcome = onSmallStack { () -> Bool in
            var a = v(1)
            for _ in 0..<200 { a = .array([a]) }
            let b = a
            return a.isEqual(to: b) && [a, b].uniqued().count == 1
        }
        #expect(outcome)
    }

    private struct Author: Queryable {
        var name = "Ada"
        var books: [Book] { [Book(), Book()] }
        static let keys: KeyTable<Author> = [.key("name", \.name), .key("books", \.books)]
    }

    private struct Book: Queryable {
        var title = "Notes"
        var author: Author { Author() }
        static let keys: KeyTable<Book> = [.key("title", \.title), .key("author", \.author)]
    }

    private static let comparisons = [
        "SELF == SELF", "SELF != SELF", "NOT SELF == SELF", "books == books", "SELF == $v", "$v != SELF",
        "SELF IN {$v}", "SELF IN $list", "$list CONTAINS SELF", "ANY books.author == SELF", "ALL books.author != $v",
        "(books UNION books).@count == 1", "(books INTERSECT books).@count == 1", "(books MINUS books).@count == 0",
        "mode(books).@count == 1", "distinct(books).@count == 1", "(books.@distinctUnionOfObjects.author)[SIZE] == 1",
        "SUBQUERY(books, $b, $b.author == SELF).@count == 2", "TERNARY(SELF == $v, 1, 2) == 1",
    ]

    /// Objects that publish each other, and data that are nested too deep, are an error where they are compared.
    @Test func endlessObjectsAreErrors() {
        let found = onSmallStack { () -> [String] in
            let list = FormatArgument.value(.array(Array(repeating: Author().predicateValue, count: 10)))
            return Self.comparisons.filter { text in
                do throws(PredicateFailure) {
                    let predicate = try FormatPredicate(text: text)
                    let variables: PredicateVariables = ["v": Author().predicateValue, "list": list]
                    _ = try predicate.compiled(for: Author.self, variables: variables).test(Author())
                    return true
                } catch {
                    return error.diagnostics.map(\.id) != [.limitExceeded]
                }
            }
        }
        #expect(found == [])
        // Other names are found first.
        let other = FormatArgument.value(Author(name: "Bo").predicateValue)
        #expect(
            (try? FormatPredicate(text: "SELF == $v").compiled(for: Author.self, variables: ["v": other]).test(Author()))
                == false)
    }

    @Test func deepObjectsOnASmallStack() {
        func chain(_ depth: Int) -> Chain {
            (0..<depth).reduce(Chain(n: 1, next: [])) { inner, _ in Chain(n: 1, next: [inner]) }
        }
        let (low, high) = (chain(95), chain(2_000))
        let outcome = onSmallStack { () -> [String] in
            [low, high].map { chain in
                let value = chain.queryValue
                let areEqual = [value == value, [value, value].uniqued().count == 1, Set([value, value]).count == 1]
                let answer = (try? FormatPredicate(text: "SELF == SELF").compiled(for: Chain.self).test(chain))
                return "\(areEqual) \(answer.map { "\($0)" } ?? "failed") \(ExpressionNode(.value(value)))"
            }
        }
        #expect(outcome == ["[true, true, true] true <Chain>", "[false, false, false] failed <Chain>"])
    }

    @Test func stepsAreLimited() throws {
        var limits = PredicateLimits()
        limits.steps = 1000
        let list = v(Array(0..<40))
        let text = "SUBQUERY(SELF, $x, SUBQUERY(SELF, $y, $x == $y).@count == 1).@count == 40"
        let limited = try FormatPredicate(text, in: PredicateEnvironment(limits: limits))
        let failure = #expect(throws: PredicateFailure.self) { try limited.evaluate(list) }
        #expect(failure?.diagnostics.map(\.id) == [.limitExceeded])
        limits.steps = 1640
        let predicate = try FormatPredicate(text, in: PredicateEnvironment(limits: limits))
        #expect(try predicate.evaluate(list))
        // Each object of a run begins with a step count of 0.
        #expect([list, list].count(matching: try predicate.compiled()) == 2)
    }

    @Test func timeIsLimited() throws {
        var limits = PredicateLimits()
        limits.time = .milliseconds(5)
        let list = v(Array(0..<2_000))
        let predicate = try FormatPredicate(
            "SUBQUERY(SELF, $x, SUBQUERY(SELF, $y, $x == $y).@count == 1).@count == 3",
            in: PredicateEnvironment(limits: limits))
        let failure = #expect(throws: PredicateFailure.self) { try predicate.evaluate(list) }
        #expect(failure?.description.contains("the evaluation of one object takes too long") == true)
        #expect(failure?.description.contains("the limit is 0.005 seconds") == true)
        // Each object of a run has its own time limit. A short evaluation does not measure time.
        limits.time = .zero
        let short = try FormatPredicate("ANY SELF == 4000", in: PredicateEnvironment(limits: limits)).compiled()
        #expect([v(Array(0..<4096)), v(Array(0..<4096))].count(matching: short) == 2)
    }

    /// After the deadline, an evaluation and a run throw, and a matcher selects no more objects.
    @Test func runsHaveADeadline() throws {
        var limits = PredicateLimits()
        limits.time = .seconds(3600)
        limits.steps = .max
        var run = PredicateRun(deadline: .milliseconds(5))
        let list = v(Array(0..<100_000))
        let long = try FormatPredicate(
            "SUBQUERY(SELF, $x, SUBQUERY(SELF, $y, $x == $y).@count == 1).@count == 3",
            in: PredicateEnvironment(limits: limits))
        #expect(throws: PredicateFailure.self) { try long.evaluate(list, run: run) }
        // The deadline has passed now.
        let positive = try FormatPredicate("SELF > 0")
        let failure = #expect(throws: PredicateFailure.self) { try [1, 2].filter(positive, run: run) }
        #expect(failure?.description.contains("the evaluation ended before it was complete") == true)
        let table = PredicateTable([v(["a": 1])])
        #expect(throws: PredicateFailure.self) { try table.filter(FormatPredicate("a == 1"), run: run) }
        #expect(throws: PredicateFailure.self) { try [["a": 1]].filter(FormatPredicate("a == 1"), run: run) }
        let matcher = try FormatPredicate("a == 1").compiled(run: run)
        #expect([v(["a": 1])].filter(matcher).isEmpty)
        #expect(AnySequence([v(["a": 1])]).filter(matcher).isEmpty)
        #expect(throws: PredicateFailure.self) { try matcher.test(v(["a": 1])) }
        run.deadline = .seconds(3600)
        #expect(try [1, 2].filter(positive, run: run) == [1, 2])
        #expect(try table.filter(FormatPredicate("a == 1"), run: run).count == 1)
    }

    @Test func cancelledTasksWithADeadlineEnd() async {
        let task = Task { () -> Bool in
            while !Task.isCancelled { await Task.yield() }
            let run = PredicateRun(deadline: .seconds(3600))
            return (try? FormatPredicate("SELF == 1").evaluate(1, run: run)) == nil
        }
        task.cancel()
        #expect(await task.value)
    }

    /// A run over slow objects ends after the object at which its task is cancelled. Counts the evaluated objects.
    @Test func cancelledRunsEndAtTheNextObject() async throws {
        let calls = Mutex(0)
        var run = PredicateRun()
        run.endWithTask()
        var functions = FunctionCatalog.standard
        functions.add(
            PredicateFunction("slow:", arity: 1, signature: "slow:(n)", summary: "") {
                (_, _) throws(EvaluationFault) in
                calls.withLock { $0 += 1 }
                withUnsafeCurrentTask { $0?.cancel() }
                return .integer(1)
            })
        let call = ExpressionNode(.call("slow:", [ExpressionNode(.keyPath(["a"]))]))
        let predicate = FormatPredicate(
            PredicateNode(.comparison(ComparisonNode(call, .equal, ExpressionNode(.value(.integer(1)))))),
            in: PredicateEnvironment(functions: functions))
        let table = PredicateTable((0..<256).map { v(["a": $0]) })
        let matcher = try predicate.compiled(for: table, run: run)
        let evaluation = await Task { matcher.evaluation() }.value
        #expect(calls.withLock { $0 } == 1)
        #expect(evaluation.selected.count == 1)
    }

    @Test func elementsAreLimited() throws {
        var limits = PredicateLimits()
        limits.elements = 10
        let matrix = v([Array(0..<6), Array(0..<6)])
        let flat = try FormatPredicate("SELF.@unionOfArrays.#self != nil")
        let limited = FormatPredicate(flat.root, in: PredicateEnvironment(limits: limits))
        #expect(
            #expect(throws: PredicateFailure.self) { try limited.evaluate(matrix) }?.diagnostics.first?.id
                == .limitExceeded)
        #expect(try flat.evaluate(matrix))
    }
}
