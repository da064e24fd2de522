// The conditions of changes: what is true for every row is refused, and nothing else is. Compared with all objects of a
// small domain that has a value for each order with the constants.

import PredicateEvaluation
import PredicateTestSupport
import Testing

@Suite(.cases) struct GuardTests {
    private struct Key {
        let name: String, type: ExpressionType.Kind, isOptional: Bool, values: [PredicateValue]
        init(_ name: String, _ type: ExpressionType.Kind, _ isOptional: Bool, _ values: [PredicateValue]) {
            (self.name, self.type, self.isOptional, self.values) = (name, type, isOptional, values)
        }
    }

    private static let keys = [
        Key("a", .integer, false, [0, 1, 2, 3, 4]), Key("c", .integer, true, [.null, 0, 1, 2, 3, 4]),
        Key("d", .double, false, [0.5, 1, 1.5, 2, 2.5, 3, 3.5]), Key("f", .boolean, false, [true, false]),
        Key("b", .string, true, [.null, "", "a", "aa", "b", "c"]), Key("e", .string, false, ["", "a", "aa", "b", "c"]),
    ]

    private static func checker() throws -> TypeChecker {
        let entity = PredicateSchema.Entity(
            "t", attributes: keys.map { PredicateSchema.Attribute($0.name, $0.type, isOptional: $0.isOptional) })
        return try TypeChecker(schema: PredicateSchema([entity]), entity: "t")
    }

    private static func isRefused(_ predicate: FormatPredicate, _ checker: TypeChecker) -> Bool? {
        let found = checker.check(change: predicate.root, source: predicate.source).filter { $0.severity == .error }
        if found.contains(where: { $0.id != .changeCondition }) { return nil }
        // A comparison of other types is refused for another reason.
        if found.contains(where: { !$0.message.contains("every row") }) { return nil }
        return !found.isEmpty
    }

    // MARK: Random conditions

    private static func term(_ random: inout SplitMix) -> String {
        func number() -> String { random.pick(["1", "2", "3", "1 + 1"]) }
        let key = random.pick(["a", "c", "d"])
        switch random.below(12) {
        case 0: return "\(key) BETWEEN {1, \(random.pick(["2", "3"]))}"
        case 1: return "\(key) IN {\(number()), \(number())}"
        case 2: return random.pick(["b", "e"]) + random.pick([" == ", " != ", " < ", " >= ", " BEGINSWITH "]) + "'a'"
        case 3: return random.pick(["c", "b"]) + random.pick([" == nil", " != nil"])
        case 4: return random.pick(["f == YES", "f == NO", "f != YES"])
        case 5: return "\(key) \(random.pick(["<", "<=", "==", "!=", ">", ">="])) \(random.pick(["a", "c", "d"]))"
        default: return "\(key) \(random.pick(["<", "<=", "==", "!=", ">", ">="])) \(number())"
        }
    }

    private static func condition(_ random: inout SplitMix, _ depth: Int) -> String {
        if depth == 0 || random.chance(25) { return term(&random) }
        let (one, other) = (condition(&random, depth - 1), condition(&random, depth - 1))
        switch random.below(6) {
        case 0: return "NOT (\(one))"
        case 1: return "(\(one)) AND (\(other))"
        // Often true for every row.
        case 2: return "(\(one)) OR NOT (\(one))"
        default: return "(\(one)) OR (\(other))"
        }
    }

    /// All objects of the keys that a condition reads; nil if they are many.
    private static func objects(_ text: String) -> [PredicateValue]? {
        var rows: [[(String, PredicateValue)]] = [[]]
        for one in keys {
            let isRead = text.split(whereSeparator: { !$0.isLetter }).contains { $0 == one.name }
            let values = isRead ? one.values : [one.values[0]]
            if rows.count * values.count > 3_000 { return nil }
            rows = rows.flatMap { row in values.map { row + [(one.name, $0)] } }
        }
        return rows.map { .dictionary(ValueDictionary($0)) }
    }

    @Test func onlyWhatSelectsAllIsRefused() throws {
        let checker = try Self.checker()
        var random = SplitMix(state: TestDepth.seed &+ 5)
        var (refused, passed) = (0, [String]())
        for _ in 0..<TestDepth.count(4_000, full: 100_000) {
            let text = Self.condition(&random, 3)
            guard let objects = Self.objects(text), let predicate = try? FormatPredicate(text),
                let isRefused = Self.isRefused(predicate, checker)
            else { continue }
            let matcher = try predicate.compiled()
            let leavesOut = objects.contains { (try? matcher.test($0)) == false }
            if isRefused {
                refused += 1
                #expect(!leavesOut, "\(text) is refused")
            } else if !leavesOut {
                passed.append(text)
            }
        }
        TestDepth.note("guard: \(refused) refused, \(passed.count) that select all are not: \(passed.prefix(8))")
        #expect(passed.count * 20 <= refused + passed.count)
        #expect(refused > TestDepth.count(400))
    }

    /// A condition too high for the proof is not let through by silence.
    @Test func highConditionsAreRefused() throws {
        let checker = try Self.checker()
        let high = String(repeating: "NOT (a == 1 AND ", count: 80) + "a == 2" + String(repeating: ")", count: 80)
        let predicate = try FormatPredicate(high)
        let found = checker.check(change: predicate.root, source: high).filter { $0.severity == .error }
        #expect(found.map(\.id) == [.changeCondition])
        #expect(found.first?.message.contains("nested too deeply") ?? false)
    }
}
