// The extensions dates and typed-texts on all engines: rows that SQL leaves out must not match in memory, rows that SQL
// reports as sure must match, and what the engine computes exactly must be exact.

import PredicateModel
import PredicateSQL
import PredicateSyntax
import PredicateTestSupport
import Testing

@Suite struct DateTermTests {
    private static func schema() throws -> NamedSchema {
        let event = PredicateSchema.Entity(
            "Event", table: "event", primaryKey: ["id"],
            attributes: [
                PredicateSchema.Attribute("at", .date, isOptional: true),
                PredicateSchema.Attribute("other", .date, isOptional: true),
                PredicateSchema.Attribute("unix", .date, isOptional: true).with { $0.dateStorage = .seconds },
                PredicateSchema.Attribute("stamp", .date, isOptional: true).with { $0.dateStorage = .timestamp },
                PredicateSchema.Attribute("number", .integer, isOptional: true),
                PredicateSchema.Attribute("weight", .double, isOptional: true),
            ])
        return NamedSchema(name: "events", schema: try PredicateSchema([event]))
    }

    private static let offset = 19_800
    /// 2024-02-29 00:00 in the zone.
    private static let day = 730_857_600.0 - Double(offset)

    /// Instants at the ends of days, months and years, and far away.
    private static let instants: [Double] =
        [-86_400, -1, -0.5, 0, 0.25, 1, 43_200, 86_399.999, 86_400, 86_401, 7 * 86_400, 31 * 86_400, 306 * 86_400].map {
            day + $0
        } + [0, -1, -19_800, -19_801, 3e9, -3e9, 252_455_616_000 / 100]

    private static func data(for engine: Engine) throws -> DataSet {
        var data = DataSet(try schema())
        var random = SplitMix(11)
        func date(_ seconds: Double?) -> PredicateValue { seconds.map { engine.storable(.date($0)) } ?? .null }
        for (id, instant) in (instants.map(Optional.some) + [nil]).enumerated() {
            let whole = instant?.rounded(.down)
            data.tables[0].rows.append([
                .integer(Int64(id)), date(instant), date(random.chance(20) ? nil : random.pick(instants)), date(whole),
                date(whole), random.chance(20) ? .null : .integer(random.pick([-86_400, -1, 0, 60, 1_000_000_007])),
                random.chance(20) ? .null : .double(random.pick([-0.5, 0.25, 1e9])),
            ])
        }
        return data
    }

    private static func formats() -> [String] {
        let days = ["2024-02-29", "2024-03-01", "2023-12-31", "2024-02-29T12:00", "2001-01-01T00:00:00Z"]
        var formats: [String] = []
        for key in ["at"] {
            for order in ["<", "<=", ">", ">=", "==", "!="] {
                for day in days { formats += ["\(key) \(order) '\(day)'", "NOT '\(day)' \(order) \(key)"] }
                for year in ["2024", "2023", "2000.5", "1e3", "other.year", "999999999"] {
                    formats += ["\(key).year \(order) \(year)", "NOT \(year) \(order) \(key).year"]
                }
                for sum in ["days(1)", "weeks(-2)", "3600", "0.1", "number", "weight", "months(1)", "years(-1)", "nil"]
                {
                    formats.append("\(key) + \(sum) \(order) '2024-03-01'")
                    formats.append("NOT \(key) - \(sum) \(order) other")
                }
                formats += ["\(key) - other \(order) 86400", "\(key) \(order) today() - days(3)"]
                formats += ["now() - \(key) \(order) 3600", "\(key).hour \(order) 5", "\(key).weekday \(order) 4"]
            }
            formats += [
                "\(key) BETWEEN {'2024-02-29', '2024-03-31'}", "\(key) IN {'2024-02-29', '2024-03-01T05:30'}",
                "NOT \(key) IN {'2024-02-29', '2020-01-01'}", "\(key).year IN {2024, 2000, nil}",
                "\(key).year BETWEEN {2001, 2024}", "\(key) + days(1) BETWEEN {'2024-02-29', '2024-03-31'}",
                "\(key) + 60 IN {'2024-02-29', '2024-03-01'}", "\(key) + 1 == nil", "\(key).year == nil",
            ]
        }
        return formats + ["number == '60'", "number IN {'60', '-1'}", "weight < '1e9'", "number BETWEEN {'-1', 60}"]
    }

    private static func cases() throws -> [Case] {
        let environment = PredicateEnvironment(
            language: [.dates, .typedTexts], timeZone: PredicateTimeZone(secondsFromUTC: offset))
        let schema = try schema().schema
        return try formats().map { text in
            let predicate = try FormatPredicate(text: text, in: environment)
            let read = predicate.reading("Event", schema).fixed(at: .at(day + 90_000))
            let own = try predicate.sql(.sqlite, entity: "Event", in: schema, clock: .at(day + 90_000))
            #expect(try own.text == read.sql(.sqlite, entity: "Event", in: schema).text, "\(text)")
            return Case(entity: "Event", predicate: read)
        }
    }

    @Test(arguments: Engine.chosen) func enginesSelectWhatMatches(_ engine: Engine) async throws {
        let data = try Self.data(for: engine)
        let chosen = try Self.cases().enumerated().filter { $0.offset % engine.metamorphicStep == 0 }.map(\.element)
        try await engine.withConnection { connection in
            try await connection.load(data.tables)
            let verdicts = try await Oracle(engine: engine, connection: connection).verdicts(chosen, data)
            for (one, verdict) in zip(chosen, verdicts) {
                if case .wrong(let complaint) = verdict.kind {
                    Issue.record("\(one.predicate)\n\(complaint.prefix(1000))")
                }
                if case .refused = verdict.kind { Issue.record("\(one.predicate) is refused") }
            }
        }
    }

    @Test func exactTerms() throws {
        let schema = try Self.schema().schema
        let environment = PredicateEnvironment(language: [.dates, .typedTexts])
        for (text, isExact) in [
            ("at == '2024-02-29'", true), ("stamp != '2024-02-29'", true), ("at + 3600 > now()", true),
            ("at - days(7) < today()", true), ("at + number > now()", true), ("at - other > 5", true),
            ("at.year == 2024", true), ("stamp.year >= 2024", true), ("number == '5'", true),
            ("at + months(1) > now()", false), ("at.hour == 5", false), ("unix + 60 > now()", false),
            ("at > today() + months(1)", true), ("at + weight > now()", false),
        ] {
            let query = try FormatPredicate(text: text, in: environment).sql(.sqlite, entity: "Event", in: schema)
            #expect(query.isExact == isExact, "\(text): \(query.text)")
            #expect(query.isExact || !query.reasons.isEmpty)
        }
        // Days are not 24 hours long in a zone whose clocks change.
        let changing = PredicateTimeZone("a place") { $0 > 0 ? 3_600 : 0 }
        let predicate = try FormatPredicate(
            text: "at + days(1) > now()", in: PredicateEnvironment(language: [.dates], timeZone: changing))
        #expect(try !predicate.sql(.sqlite, entity: "Event", in: schema).isExact)
    }

    /// A compiler that caches SQL must not mix zones.
    @Test func cachesKeepZonesApart() throws {
        let compiler = SQLCompiler(.sqlite, schema: try Self.schema().schema)
        for (offset, expected) in [(0, 725_760_000.0), (3_600, 725_760_000 - 3_600)] {
            let environment = PredicateEnvironment(
                language: [.dates], timeZone: PredicateTimeZone(secondsFromUTC: offset))
            let predicate = try FormatPredicate(text: "at.year >= 2024", in: environment)
            let query = try compiler.query(predicate, entity: "Event")
            #expect(
                query.bindings.first == .date(expected) || query.bindings.first == .double(expected),
                "\(query.bindings)")
        }
    }
}
