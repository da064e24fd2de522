// Tests of `@sum` and `@avg` of doubles, whose last digits depend on the order of addition. Rows that SQL leaves out
// must not match in memory, and rows that SQL reports as sure must match.

import PredicateSQL
import PredicateTestSupport
import Testing

@Suite struct TotalTests {
    private static func schema() throws -> NamedSchema {
        let weights = PredicateSchema.Relationship("weights", toMany: "Weight", link: .foreignKey(["box"]))
        let box = PredicateSchema.Entity(
            "Box", table: "box", primaryKey: ["id"],
            attributes: [.init("total", .double, isOptional: true)], relationships: [weights])
        let weight = PredicateSchema.Entity(
            "Weight", table: "weight", primaryKey: ["id"],
            attributes: [.init("kg", .double, isOptional: true)])
        return NamedSchema(name: "boxes", schema: try PredicateSchema([box, weight]))
    }

    /// Lists whose sum depends on the order, cannot be represented exactly, or overflows a double.
    private static func lists() -> [[Double?]] {
        let great = Double.greatestFiniteMagnitude
        let fixed: [[Double?]] = [
            [], [nil], [0], [-0.0, nil], [1], [nil, 3], [0.1, 0.2], [0.1, 0.2, 0.3, -0.6], [1, 1e100, 1, -1e100],
            [1e16, 1, 1, -1e16], [great, great, -great], [great, -great], [great], [1e250, 1], [1.1e250, -1.1e250],
            [.infinity, 1], [.infinity, -.infinity], [.leastNonzeroMagnitude, .leastNonzeroMagnitude],
            [0x1p-1022, -0x1p-1074, 0x1p-1060], [1e280], [1e-300, 1e-308, nil],
        ]
        var random = SplitMix(5)
        let made = (0..<12).map { _ in
            (0..<random.pick([2, 3, 10, 40])).map { _ -> Double? in
                let exponent = random.pick([-1070, -3, 0, 20, 53])
                let fraction = Double(random.next() >> 12) * 0x1p-52
                let size = Double(sign: .plus, exponent: exponent, significand: 1 + fraction)
                return random.chance(50) ? size : -size
            }
        }
        return fixed + made
    }

    private static func data(for engine: Engine) throws -> DataSet {
        var data = DataSet(try schema())
        var random = SplitMix(3)
        var weight: Int64 = 0
        for (box, list) in lists().enumerated() {
            let sum = list.reduce(0) { $0 + ($1 ?? 0) }
            let total = random.pick([sum, sum.nextUp, sum.nextDown])
            let stored = total.isNaN ? .null : engine.storable(.double(total))
            data.tables[0].rows.append([.integer(Int64(box)), stored])
            for number in list {
                let kilograms = number.map { engine.storable(.double($0)) } ?? .null
                data.tables[1].rows.append([.integer(weight), kilograms, .integer(Int64(box))])
                weight += 1
            }
        }
        return data
    }

    @Test(arguments: Engine.chosen) func engineSelectsAllThatMatch(_ engine: Engine) async throws {
        let data = try Self.data(for: engine)
        var thresholds: [Double] = [0, 1e281, -1e281]
        for list in TestDepth.some(Self.lists(), every: 3) {
            let sum = list.reduce(0) { $0 + ($1 ?? 0) }
            guard sum.isFinite else { continue }
            thresholds += [sum, sum.nextDown, sum / Double(max(1, list.count))]
        }
        var cases: [Case] = []
        for total in ["weights.@sum.kg", "weights.@avg.kg"] {
            for order in ["<", "<=", ">", ">=", "==", "!="] {
                for threshold in TestDepth.some(thresholds, every: 12) {
                    for format in ["\(total) \(order) %@", "NOT %@ \(order) \(total)"] {
                        let predicate = try FormatPredicate(format, threshold)
                        cases.append(Case(entity: "Box", predicate: predicate))
                    }
                }
                cases.append(Case(entity: "Box", predicate: try FormatPredicate("\(total) \(order) total")))
            }
            for rest in [" BETWEEN {0, 3}", " IN {0, 1}", " == nil", " * 2 > 3", " > 0 AND total > 0"] {
                cases.append(Case(entity: "Box", predicate: try FormatPredicate(total + rest)))
            }
        }
        let chosen = cases.enumerated().filter { $0.offset % engine.metamorphicStep == 0 }.map(\.element)
        try await engine.check(chosen, data)
    }
}
