// Random predicates on random objects: the evaluator, Foundation's predicate made from the text, and the text made from
// that predicate have the same answers. The same for predicates of the macro, with the text made from them.
import Foundation
import PredicateFoundation
import PredicateTestSupport
import Testing

@Suite struct RandomMacroTests {
    private static func client(_ random: inout SplitMix) -> Client {
        func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }
        func list<Value>(_ values: [Value]) -> [Value] {
            (0..<Int.random(in: 0...3, using: &random)).map { _ in pick(values) }
        }
        let address: Address? = pick([nil, Address(city: pick(Self.texts), street: pick([nil, "Bygdøy", ""]))])
        return Client(
            name: pick(Self.texts), nickname: pick([nil] + Self.texts.map(Optional.some)),
            age: pick([-7, -1, 0, 1, 5, 17, 36]), score: pick([-2, -0.5, 0, 0.1, 1.5, 5, .infinity, .nan]),
            joined: Date(timeIntervalSinceReferenceDate: pick([-10, 0, 5])), isActive: pick([true, false]),
            address: address, orders: list([0, 5, 12, -3]).map { Order(total: $0, notes: list(Self.texts)) },
            tags: list(Self.texts), limits: pick([[:], ["day": 3], ["day": 0, "week": 2]]),
            aliases: list([nil, "Ada", ""]))
    }

    private static let texts = ["", "A", "Ada", "Adam", "b", "é", "vip"]

    private static let keys: [(key: String, constants: [String])] = [
        ("name", textConstants), ("nickname", textConstants), ("address.city", textConstants),
        ("address.street", textConstants), ("age", numberConstants), ("score", numberConstants),
        ("tags.@count", numberConstants), ("orders.@count", numberConstants),
        ("active", ["YES", "NO", "1", "0", "nil"]),
        ("joined", ["CAST(0, 'NSDate')", "CAST(-10, 'NSDate')", "CAST(7, 'NSDate')", "nil"]), ("address", ["nil"]),
    ]
    private static let textConstants = ["''", "'A'", "'Ada'", "'b'", "'é'", "'vip'", "nil"]
    private static let numberConstants = ["0", "1", "5", "-7", "36", "0.1", "1.5", "-0.5", "nil"]

    private static func text(_ random: inout SplitMix, depth: Int = 0) -> String {
        func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }
        if depth < 3, Int.random(in: 0..<3, using: &random) == 0 {
            let (one, other) = (text(&random, depth: depth + 1), text(&random, depth: depth + 1))
            return pick(["(\(one) AND \(other))", "(\(one) OR \(other))", "NOT (\(one))"])
        }
        let (path, constants) = pick(Self.keys)
        let operation = pick([
            "==", "!=", "<", "<=", ">", ">=", "BETWEEN", "IN", "IN", "BETWEEN", "BEGINSWITH", "CONTAINS",
        ])
        switch operation {
        case "BETWEEN": return "\(path) BETWEEN {\(pick(constants)), \(pick(constants))}"
        case "IN":
            let list = (0..<Int.random(in: 0...3, using: &random)).map { _ in pick(constants) }
            return "\(path) IN {\(list.joined(separator: ", "))}"
        default: break
        }
        return pick([
            "\(path) \(operation) \(pick(constants))", "\(pick(constants)) \(operation) \(path)",
            "\(path) \(operation) \(pick(Self.keys).key)", "\(pick(Self.textConstants)) IN tags",
            "ANY tags \(operation) \(pick(Self.textConstants))", "ALL tags \(operation) \(pick(Self.textConstants))",
            "ANY orders.total \(operation) \(pick(Self.numberConstants))",
            "ALL orders.total IN {\(pick(Self.numberConstants)), \(pick(Self.numberConstants))}",
            "NONE orders.total BETWEEN {\(pick(Self.numberConstants)), \(pick(Self.numberConstants))}",
        ])
    }

    @Test func textsAndPredicates() throws {
        var random = SplitMix(7)
        var converted = 0
        for _ in 0..<TestDepth.count(40_000) {
            let text = Self.text(&random)
            guard let format = try? FormatPredicate(text: text),
                let predicate = try? format.foundationPredicate(for: Client.self)
            else { continue }
            converted += 1
            let again = try FormatPredicate(predicate)
            for _ in 0..<6 {
                let client = Self.client(&random)
                guard let expected = try? format.evaluate(client) else { continue }
                #expect(try predicate.evaluate(client) == expected, "\(text): \(client)")
                #expect(try again.evaluate(client) == expected, "\(text) as \(again): \(client)")
            }
        }
        #expect(converted > TestDepth.count(8_000))
    }

    @Test func predicatesOfTheMacro() throws {
        var random = SplitMix(8)
        let formats = try Self.macros().map { try FormatPredicate($0) }
        for _ in 0..<TestDepth.count(2_000) {
            let client = Self.client(&random)
            for (predicate, format) in zip(Self.macros(), formats) {
                // Foundation refuses, for example, an index after the end.
                guard let expected = try? predicate.evaluate(client) else { continue }
                #expect(try format.evaluate(client) == expected, "\(format): \(client)")
            }
        }
    }

    private static func macros() -> [Foundation.Predicate<Client>] {
        let names: [String?] = [nil, "Ada", "b"]
        return [
            #Predicate { names.contains($0.nickname) }, #Predicate { !names.contains($0.nickname) },
            #Predicate { $0.aliases.contains($0.nickname) }, #Predicate { $0.aliases.contains(nil) },
            #Predicate { ($0.nickname ?? "A") == $0.name }, #Predicate { $0.nickname == $0.address?.street },
            #Predicate { $0.address?.city != "Ada" }, #Predicate { $0.address?.street == nil },
            #Predicate { ($0.address?.city.contains("d")) == true },
            #Predicate { $0.name.starts(with: $0.nickname ?? "") }, #Predicate { ($0.nickname?.isEmpty) == nil },
            #Predicate { $0.nickname?.isEmpty == true }, #Predicate { $0.age / 5 == -1 },
            #Predicate { $0.age % 5 == -2 }, #Predicate { -$0.age > $0.tags.count }, #Predicate { $0.score / 2 > 0.05 },
            #Predicate { $0.score * 2 - 1 != 0 }, #Predicate { $0.score == $0.score }, #Predicate { !($0.score < 1) },
            #Predicate { (0...5).contains($0.age) }, #Predicate { (-1..<5).contains($0.age) },
            #Predicate { (0.0...1.5).contains($0.score) }, #Predicate { $0.tags.contains($0.name) },
            #Predicate { $0.tags.first == $0.nickname }, #Predicate { $0.tags.last == nil },
            #Predicate { $0.tags[0] == "A" }, #Predicate { $0.limits["day"] == 3 },
            #Predicate { $0.limits["week", default: 2] == 2 }, #Predicate { $0.orders.contains { $0.total > 4 } },
            #Predicate { $0.orders.allSatisfy { $0.total > 4 } },
            #Predicate { client in client.orders.filter { $0.total == client.age }.count == 1 },
            #Predicate { client in client.orders.contains { $0.notes.contains(client.name) && !$0.notes.isEmpty } },
            #Predicate { $0.aliases.contains { $0 == nil } }, #Predicate { $0.tags.max() == $0.nickname },
            #Predicate { $0.tags.min() == nil }, #Predicate { $0.isActive == ($0.age > 0) },
            #Predicate { ($0.isActive ? $0.age : $0.tags.count) > 0 }, #Predicate { $0.name < "b" },
            #Predicate { ($0.address.flatMap { _ in true }) ?? false },
        ]
    }
}
