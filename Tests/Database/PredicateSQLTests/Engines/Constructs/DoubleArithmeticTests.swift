// Tests of double arithmetic near zero and near infinity, and of results that are rounded to zero or infinity: every
// engine has the same results as memory.

import PredicateSQL
import PredicateTestSupport
import Testing

@Suite struct DoubleArithmeticTests {
    /// The columns for the results of x and y, and for the doubles directly above and below them.
    private static let results: [(column: String, spelling: String, of: @Sendable (Double, Double) -> Double)] = [
        ("total", "+", { $0 + $1 }), ("rest", "-", { $0 - $1 }), ("product", "*", { $0 * $1 }),
        ("share", "/", { $0 / $1 }),
    ]

    private static func schema() throws -> NamedSchema {
        var attributes = [
            PredicateSchema.Attribute("x", .double, isOptional: true).with { $0.allowsNaN = true },
            PredicateSchema.Attribute("y", .double, isOptional: true),
        ]
        attributes += results.map { PredicateSchema.Attribute($0.column, .double, isOptional: true) }
        let schema = try PredicateSchema([.init("Pair", table: "pair", primaryKey: ["id"], attributes: attributes)])
        return NamedSchema(name: "pairs", schema: schema)
    }

    private static func pairs() -> [(Double, Double)] {
        let powers = [-1074, -1022, -538, -537, -512, -51, -1, 0, 512, 1022, 1023].map {
            Double(sign: .plus, exponent: $0, significand: 1)
        }
        let magnitudes = [0, 0.1, 3, .greatestFiniteMagnitude, .infinity] + powers
        let all = magnitudes + magnitudes.map { -$0 }
        var pairs = all.flatMap { x in all.map { y in (x, y) } }
        // Pairs whose results are close to where rounding changes.
        var random = SplitMix(7)
        func any() -> Double {
            Double(
                sign: random.chance(50) ? .plus : .minus, exponent: Int(random.next() % 2040) - 1070,
                significand: 1 + Double(random.next() >> 12) * 0x1p-52)
        }
        func near(_ number: Double) -> Double { random.pick([number.nextDown, number, number.nextUp]) }
        for _ in 0..<40 {
            let x = any()
            // Each border is a product of two powers of two, because one double cannot represent it.
            let borders = [(1023.0, 1.0), (-537, -538), (-537, -537), (-600, -475)]
            for (one, other) in borders {
                let (first, second) = (Double.exp2(one), Double.exp2(other))
                pairs.append((x, near(first / x * second)))
                pairs.append((near(x * first * second), x))
            }
            pairs.append((x, near(Double.greatestFiniteMagnitude - abs(x))))
        }
        return pairs
    }

    private static func data(for engine: Engine) throws -> DataSet {
        var data = DataSet(try schema())
        var random = SplitMix(11)
        for (index, pair)
            in (pairs().map { ($0, $1) as (Double?, Double?) } + [(nil, 1), (1, nil), (.nan, 1), (.nan, 0)])
            .enumerated()
        {
            func stored(_ number: Double?) -> PredicateValue {
                guard let number, !number.isNaN || engine.storesNaN else { return .null }
                return engine.storable(.double(number))
            }
            var row: [PredicateValue] = [.integer(Int64(index)), stored(pair.0), stored(pair.1)]
            for result in results {
                guard case .double(let x) = row[1], case .double(let y) = row[2] else {
                    row.append(.null)
                    continue
                }
                let exact = result.of(x, y)
                // Only x may be NaN, so a NaN result is stored as NULL.
                if exact.isNaN {
                    row.append(.null)
                    continue
                }
                row.append(stored(random.pick([exact, exact, exact.nextUp, exact.nextDown])))
            }
            data.tables[0].rows.append(row)
        }
        return data
    }

    @Test(arguments: Engine.chosen) func enginesAgreeWithTheEvaluator(_ engine: Engine) async throws {
        var formats: [String] = []
        for result in Self.results {
            let value = "x \(result.spelling) y"
            for order in ["==", "<", ">="] { formats.append("\(value) \(order) \(result.column)") }
            for order in ["==", "!=", "<", "<=", ">"] {
                for constant in [Double.infinity, -.infinity, 0, .greatestFiniteMagnitude, .leastNonzeroMagnitude] {
                    formats.append("\(value) \(order) \(constant)")
                }
            }
            formats += [
                "NOT \(value) > \(result.column)", "\(result.column) == \(value)", "\(value) == nil", "\(value) != nil",
                "\(value) BETWEEN {-1, 1}", "\(value) IN {0, 1, 6}", "1 / (\(value)) < 0", "(\(value)) * x > y",
                "abs:(\(value)) > 1", "\(value) == y \(result.spelling) x",
            ]
        }
        for function in ["floor:", "ceiling:", "trunc:", "abs:", "sqrt:", "-"] {
            let value = "\(function)(x)"
            formats += [
                "\(value) > y", "\(value) <= y", "NOT \(value) < y", "\(value) == rest", "y / \(value) == rest / y",
                "\(value) >= -1", "\(value) != 0", "1 / \(value) < y", "\(value) == nil",
            ]
        }
        let data = try Self.data(for: engine)
        let cases = try TestDepth.some(formats).enumerated().compactMap { index, format throws -> Case? in
            guard index % engine.metamorphicStep == 0 else { return nil }
            let infinity = format.contains("-inf") ? -Double.infinity : .infinity
            let text = format.replacing("-inf", with: "%@").replacing("inf", with: "%@")
            let arguments = text == format ? [] : [PredicateValue.double(infinity)]
            return Case(entity: "Pair", predicate: try FormatPredicate(text, arguments: arguments))
        }
        try await engine.check(cases, data)
    }
}

extension Double {
    fileprivate static func exp2(_ exponent: Double) -> Double {
        Double(sign: .plus, exponent: Int(exponent), significand: 1)
    }
}
