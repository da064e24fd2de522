// Compares functions and operators on fields with the dynamic plan, in blocks and for single objects: nil, integer
// limits, NaN, errors, and functions of the app with the same names.
import PredicateTestSupport
import Predicates
import Testing

@testable import PredicateEvaluation

struct BlockFunctionTests {
    static let keys = BlockPlanTests.numbers
    static let constants = [
        "0", "1", "-1", "2", "7", "64", "1.5", "-0.0", "9223372036854775807", "-9223372036854775808", "1e300", "$nan",
        "$infinity", "$float", "YES",
    ]
    static let lengths = [
        "name.length", "length:(nick)", "FUNCTION(name, 'length')", "address.city.length", "SELF.nick.length",
    ]
    static let mapped = [
        "uppercase:(name)", "lowercase:(nick)", "name.lowercaseString", "FUNCTION(nick, 'uppercaseString')",
        "lowercase:(address.city)",
    ]

    /// Comparisons that blocks must evaluate.
    static let native: [String] = {
        var texts: [String] = []
        let numbers = keys.filter { $0 != "large" }
        for key in numbers {
            texts += [
                "\(key) + 1 > 3", "\(key) - 64 <= 0", "\(key) * 2 == 6", "\(key) / 2 >= 15", "10 / \(key) > 1",
                "-\(key) < 0", "abs:(\(key)) > 2", "floor:(\(key)) == 1", "ceiling:(\(key)) == 2",
                "trunc:(\(key)) == -1", "sqrt:(\(key)) > 1", "\(key) + 0.5 > 3", "CAST(\(key), 'NSNumber') + 1 != 1",
                "CAST(\(key), 'NSDate') > born", "\(key) + 1 BETWEEN {1, 65}", "\(key) - 1 IN {0, 1, 2, nil, 'a'}",
                "\(key) + 1 == nil", "\(key) * 1 != nil", "\(key) + 1 <= nil", "\(key) + 1 == 'a'", "5 > \(key) + 1",
                "add:to:(\(key), 2) == 5",
            ]
            for order in BlockPlanTests.orders {
                texts += numbers.map { "\(key) \(order) \($0)" } + constants.map { "\(key) + 1 \(order) \($0)" }
                texts += lengths.map { "\(key) \(order) \($0)" }
            }
        }
        for key in ["id", "small", "age", "short", "active", "flag", "address.floor"] {
            texts += ["modulus:by:(\(key), 2) == 1", "modulus:by:(7, \(key)) < 0", "modulus:by:(\(key), age) == 0"]
        }
        for length in lengths {
            texts += [
                "\(length) > 3", "\(length) == 0", "\(length) != nil", "\(length) == nil", "\(length) IN {1, 2, 5}",
            ]
        }
        for text in mapped {
            for constant in BlockPlanTests.textConstants {
                texts += ["==", "!=", "<", ">=", "BEGINSWITH", "ENDSWITH", "CONTAINS", "==[cd]"].map {
                    "\(text) \($0) \(constant)"
                }
            }
            texts += [
                "\(text) LIKE 'a*'", "\(text) LIKE 'A?C*'", "\(text) MATCHES '[a-z]+'", "\(text) MATCHES '[A-Z]+'",
                "\(text) IN {'a', 'ABC', 'abc', 'strasse', nil}", "\(text) == 5", "\(text) LIKE '*x*y'",
            ]
        }
        return texts + ["born < seen", "born == seen", "seen >= born", "CAST(born, 'NSNumber') + 1 > 2"]
    }()

    @Test func everyFunctionAgreesWithTheDynamicPlan() throws {
        var constant = 0
        for text in TestDepth.some(Self.native) {
            let matcher = try FormatPredicate(text).unchecked(for: BlockRow.self, variables: BlockPlanTests.variables)
            #expect(matcher.blocks != nil, "\(text)")
            let indices = BlockPlanTests.rows.indices(matching: matcher)
            #expect(indices == BlockPlanTests.expected(matcher, BlockPlanTests.rows), "\(text)")
            if indices.isEmpty || indices.count == BlockPlanTests.rows.count { constant += 1 }
        }
        // Most comparisons must select some rows and not others; otherwise the test would prove little.
        #expect(TestDepth.isQuick || constant * 3 < Self.native.count, "\(constant) of \(Self.native.count)")
    }

    /// A random arithmetic expression. Some parts are evaluated only by the dynamic plan, or throw.
    static func number(_ random: inout SplitMix, depth: Int) -> String {
        if depth == 0 {
            return switch random.below(8) {
            case 0, 1: random.pick(constants)
            case 2: random.pick(lengths)
            case 3: random.pick(["CAST('0.1', 'NSDecimalNumber')", "nil", "tags.@count", "nick.intValue", "name"])
            default: random.pick(keys)
            }
        }
        let one = number(&random, depth: random.below(depth))
        return switch random.below(12) {
        case 0: "abs:(\(one))"
        case 1: random.pick(["floor:", "ceiling:", "trunc:", "sqrt:"]) + "(\(one))"
        case 2: "(-\(one))"
        case 3: "CAST(\(one), 'NSNumber')"
        case 4: "modulus:by:(\(one), \(number(&random, depth: random.below(depth))))"
        default: "(\(one) \(random.pick(["+", "-", "*", "/"])) \(number(&random, depth: random.below(depth))))"
        }
    }

    static func comparison(_ random: inout SplitMix) -> String {
        let one = number(&random, depth: 1 + random.below(3))
        return switch random.below(8) {
        case 0: "\(one) BETWEEN {\(random.pick(constants)), \(random.pick(constants))}"
        case 1: "\(one) IN {\(random.pick(constants)), \(random.pick(constants)), nil, 'a'}"
        case 2, 3: "\(one) \(random.pick(BlockPlanTests.orders)) \(random.pick(constants))"
        case 4: random.pick(mapped) + " == " + random.pick(BlockPlanTests.textConstants)
        default: "\(one) \(random.pick(BlockPlanTests.orders)) \(number(&random, depth: random.below(3)))"
        }
    }

    static func predicate(_ random: inout SplitMix, depth: Int) -> String {
        switch depth == 0 ? 0 : random.below(6) {
        case 1, 2: "(\(predicate(&random, depth: depth - 1)) AND \(predicate(&random, depth: depth - 1)))"
        case 3, 4: "(\(predicate(&random, depth: depth - 1)) OR \(predicate(&random, depth: depth - 1)))"
        case 5: "NOT (\(predicate(&random, depth: depth - 1)))"
        default: random.below(4) == 0 ? random.pick(BlockPlanTests.native) : comparison(&random)
        }
    }

    @Test(.cases) func randomPredicatesAgreeWithTheDynamicPlan() {
        forEachCase(0..<TestDepth.count(30)) { seed in
            var random = SplitMix(UInt64(seed) &+ 1000)
            let rows = BlockRow.make(90, seed: UInt64(seed))
            var inBlocks = 0
            for _ in 0..<100 {
                let text = Self.predicate(&random, depth: 2)
                let matcher = try FormatPredicate(text).unchecked(
                    for: BlockRow.self, variables: BlockPlanTests.variables)
                if matcher.blocks != nil { inBlocks += 1 }
                #expect(rows.indices(matching: matcher) == BlockPlanTests.expected(matcher, rows), "\(text)")
            }
            #expect(inBlocks > 50)
        }
    }

    /// Higher expressions are evaluated by the dynamic plan, with the same results.
    @Test(.cases) func highExpressionsAgreeWithTheDynamicPlan() {
        forEachCase([14, 15, 16, 17, 40] as [Int]) { height in
            let sum = (0..<height).reduce("small") { "(\($0) + \($1 % 3))" }
            for text in ["\(sum) > 20 AND id != 0", "NOT (\(sum) < short)"] {
                let matcher = try FormatPredicate(text).unchecked(for: BlockRow.self)
                let found = BlockPlanTests.rows.indices(matching: matcher)
                #expect(found == BlockPlanTests.expected(matcher, BlockPlanTests.rows), "\(text)")
            }
        }
    }

    /// Fields in classes, optionals and lists.
    @Test func nestedFieldsAgreeWithTheDynamicPlan() throws {
        for text in [
            "name.length > 3", "parent.name.length == 3", "home.city.length + home.floor > 4", "age + id > 3",
            "abs:(score) > parent.score", "parent.parent.nick.length != nil", "lowercase:(home.pet.name) == 'abc'",
            "initials.length == 2 AND lowercase:(initials) == 'ab'", "tags.@count * 2 > 3", "10 / age > 3",
            "home.pet.age <= parent.age", "NOT (10 / age > id AND parent.age - 1 == 2)",
            "SUBQUERY(tags, $t, $t.length > 3).@count > 0", "SUBQUERY(pets, $p, $p.weight * 2 > $p.age).@count == 1",
            "SUBQUERY(tags, $t, lowercase:($t) == 'abc').@count > 0 OR id == 3",
        ] {
            let matcher = try FormatPredicate(text).unchecked(for: BlockObject.self)
            #expect(matcher.blocks != nil, "\(text)")
            let found = BlockReachTests.objects.indices(matching: matcher)
            #expect(found == BlockReachTests.expected(matcher, BlockReachTests.objects), "\(text)")
        }
    }

    /// Entries of every type, of the wrong type, and missing entries.
    @Test(.cases) func dictionariesAgreeWithTheDynamicPlan() {
        forEachCase(0..<TestDepth.count(10)) { seed in
            var random = SplitMix(UInt64(seed) &+ 5000)
            func any(_ random: inout SplitMix) -> Any? {
                switch random.below(9) {
                case 0: nil
                case 1, 2: random.pick(BlockRow.integers)
                case 3: random.pick(BlockRow.doubles)
                case 4: Float(random.pick(BlockRow.doubles))
                case 5: random.below(2) == 0
                case 6: ["length": random.below(9)]
                default: random.pick(BlockRow.texts)
                }
            }
            let rows: [[String: Any]] = (0..<40).map { _ in
                var row: [String: Any] = [:]
                for key in ["id", "age", "name", "nick"] { row[key] = any(&random) }
                return row
            }
            let values = try rows.map { row in
                PredicateValue.dictionary(
                    ValueDictionary(
                        try row.sorted { $0.key < $1.key }.map { ($0.key, try PredicateValue(converting: $0.value)) }))
            }
            for _ in 0..<60 {
                let key = random.pick(["id", "age", "name", "nick"])
                let text = random.pick([
                    "\(key).length > 3", "length:(\(key)) == 1", "\(key) + 1 > 2", "abs:(\(key)) < 4", "-\(key) == 1",
                    "lowercase:(\(key)) BEGINSWITH 'a'", "\(key) + 1 == nil", "\(key).length != nil",
                    "\(key) * 2 > \(key)", "10 / \(key) >= 3", "\(key) + id > 3", "3 < \(key)", "\(key) < 'b'",
                    "\(key) == 'a'", "uppercase:(\(key)) MATCHES '[A-Z]+'", "\(key).uppercaseString IN {'A', 'ABC'}",
                ])
                let form = random.pick([text, "NOT (\(text))", "id == nil OR \(text)", "name != 'a' AND \(text)"])
                let predicate = try FormatPredicate(form)
                let matcher = try predicate.compiled(for: [String: Any].self)
                for (row, value) in zip(rows, values) {
                    let meaning = (try? predicate.evaluate(value)) ?? false
                    #expect(matcher.matches(row) == meaning, "\(form) of \(row)")
                }
            }
        }
    }

    /// A function of the app replaces the standard function of the same name.
    @Test(.cases) func replacedFunctionsAreCalled() {
        forEachCase(["abs:", "length:", "lowercase:", "sqrt:"] as [String]) { name in
            var functions = FunctionCatalog.standard
            functions.add(
                PredicateFunction(name, arity: 1, signature: name + "(a)", summary: "always 7") {
                    (_, _) throws(EvaluationFault) in .integer(7)
                })
            let rows = BlockRow.make(100)
            let environment = PredicateEnvironment(functions: functions)
            let matcher = try FormatPredicate("id > 0 AND \(name)(name) == 7", in: environment).compiled(
                for: BlockRow.self)
            #expect(rows.count(matching: matcher) == rows.count { $0.id > 0 })
        }
    }

    @Test func replacedMethodsAreCalled() throws {
        var functions = FunctionCatalog.standard
        functions.addMethod(
            PredicateFunction("length", arity: 1, signature: "length", summary: "always 7") {
                (_, _) throws(EvaluationFault) in .integer(7)
            })
        let rows = BlockRow.make(100)
        let environment = PredicateEnvironment(functions: functions)
        let matcher = try FormatPredicate("id > 0 AND name.length == 7", in: environment).unchecked(for: BlockRow.self)
        #expect(rows.count(matching: matcher) == rows.count { $0.id > 0 })
        #expect(rows.map(matcher.matches) == rows.map { $0.id > 0 })
    }

    /// An evaluation error has the right reason.
    @Test func faultsHaveTheirReason() throws {
        var row = BlockRow.make(1)[0]
        row.id = .max
        row.age = 0
        for (text, id) in [
            ("id + 1 > 0", DiagnosticID.integerOverflow), ("10 / age > 1", .divisionByZero),
            ("modulus:by:(id, age) == 0", .divisionByZero), ("-(-id - 1) > 0", .integerOverflow),
            ("abs:(-id - 1) > 0", .integerOverflow),
        ] {
            let matcher = try FormatPredicate(text).unchecked(for: BlockRow.self)
            #expect(!matcher.matches(row))
            #expect(throws: PredicateFailure.self) { try matcher.test(row) }
            do { _ = try matcher.test(row) } catch { #expect(error.diagnostics.map(\.id) == [id], "\(text)") }
        }
    }
}
