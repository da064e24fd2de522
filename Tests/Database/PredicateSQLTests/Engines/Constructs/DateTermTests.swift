// The extensions dates and typed-texts on all engines: rows that SQL leaves out must not match in memory, rows that SQL
// reports as sure must match, and what the engine computes exactly must be exact.

import PredicateSQL
import PredicateTestSupport
import Testing

@Suite struct DateTermTests {
    /// The forms of dates that every engine has, then those of SQLite.
    private static let forms: [(name: String, storage: DateStorage)] = [
        ("unix", .seconds), ("millis", .milliseconds), ("micros", .microseconds), ("stamp", .timestamp),
        ("zoned", .timestampWithZone), ("day", .day), ("text", .text), ("iso", .iso8601),
        ("isoMillis", .iso8601Milliseconds), ("julian", .julianDay),
    ]

    private static func schema() throws -> NamedSchema {
        let event = PredicateSchema.Entity(
            "Event", table: "event", primaryKey: ["id"],
            attributes: [
                PredicateSchema.Attribute("at", .date, isOptional: true),
                PredicateSchema.Attribute("other", .date, isOptional: true),
                PredicateSchema.Attribute("number", .integer, isOptional: true),
                PredicateSchema.Attribute("weight", .double, isOptional: true),
            ]
                + forms.map { form in
                    PredicateSchema.Attribute(form.name, .date, isOptional: true).with { $0.dateStorage = form.storage }
                },
            relationships: [.init("log", toMany: "Event", link: .foreignKey("first"))])
        return NamedSchema(name: "events", schema: try PredicateSchema([event]))
    }

    private static let offset = 19_800
    /// 2024-02-29 00:00 in the zone.
    private static let day = 730_857_600.0 - Double(offset)

    /// Instants at the ends of days, months and years, around the dates from which columns count, and far away.
    private static let instants: [Double] =
        [-86_400, -1, -0.5, 0, 0.25, 1, 43_200, 86_399.999, 86_400, 86_401, 7 * 86_400, 31 * 86_400, 306 * 86_400].map {
            day + $0
        } + [
            0, -1, -19_800, -19_801, 3e9, -3e9, 252_455_616_000 / 100, -978_307_200, -978_307_200.5, -1e-20, 59.9999999,
        ]
        + [
            "2000-02-29", "1900-02-28", "1900-03-01", "2100-02-28", "2023-01-31", "2023-12-31T23:59:59.999999",
            "1600-02-29",
        ]
        .compactMap(CalendarDate.seconds)
        + ["0001-01-02", "9999-12-30T12:34:56.789"].compactMap(CalendarDate.seconds)
    /// Beyond the years of some columns, and those that have parts.
    private static let extremes: [Double] = [
        -1e12, 2.7e13, -2.9e13, 2.99e13, 3e13, -3e13, 1e300, .infinity, -.infinity,
    ]

    private static func data(for engine: Engine) throws -> DataSet {
        var data = DataSet(try schema())
        var random = SplitMix(11)
        func date(_ seconds: Double?) -> PredicateValue { seconds.map { engine.storable(.date($0)) } ?? .null }
        let stored = instants + extremes.filter { engine.storesInfinity || $0.isFinite }
        for (id, instant) in (stored + [nil]).enumerated() {
            var row: [PredicateValue] = [
                .integer(Int64(id)), date(instant), date(random.chance(20) ? nil : random.pick(instants)),
                random.chance(20) ? .null : .integer(random.pick([-86_400, -1, 0, 60, 1_000_000_007])),
                random.chance(20) ? .null : .double(random.pick([-0.5, 0.25, 1e9])),
            ]
            let isFar = instant.map { extremes.contains($0) } ?? false
            row += data.tables[0].columns.dropFirst(row.count).map { column in
                // The events of a log are in the order of their keys.
                if column.target != nil { return id % 7 == 0 ? .null : .integer(Int64(id / 4)) }
                guard let instant, let encoding = column.encoding, !isFar || column.type == .integer else {
                    return .null
                }
                let whole = encoding == .dates(.day) ? (instant / 86_400).rounded(.down) * 86_400 : instant
                guard let number = encoding.stored(.date(whole)), encoding.range(engine.dialect).contains(number) else {
                    return .null
                }
                return encoding.value(WideInteger(number))
            }
            data.tables[0].rows.append(row)
        }
        return data
    }

    private static func formats(of key: String, _ other: String) -> [String] {
        var formats: [String] = []
        let days = ["2024-02-29", "2024-03-01", "2023-12-31", "2024-02-29T12:00", "2001-01-01T00:00:00Z"]
        for order in ["<", "<=", ">", ">=", "==", "!="] {
            for day in days { formats += ["\(key) \(order) '\(day)'", "NOT '\(day)' \(order) \(key)"] }
            for year in ["2024", "2023", "2000.5", "1e3", "\(other).year", "999999999", "\(key).month + 1999"] {
                formats += ["\(key).year \(order) \(year)", "NOT \(year) \(order) \(key).year"]
            }
            let steps = [
                "days(1)", "weeks(-2)", "3600", "0.1", "number", "weight", "months(1)", "months(-13)", "years(-1)",
                "nil", "years(40000)", "months(500001)",
            ]
            for step in steps {
                formats.append("\(key) + \(step) \(order) '2024-03-01'")
                formats.append("NOT \(key) - \(step) \(order) \(other)")
            }
            formats += [
                "\(key) - \(other) \(order) 86400", "\(key) \(order) today() - days(3)", "now() - \(key) \(order) 3600",
                "\(key).month \(order) 2", "\(key).day \(order) \(other).day", "\(key).hour \(order) 5",
                "\(key).minute \(order) 30", "\(key).weekday \(order) 4", "NOT \(key).weekday \(order) nil",
                "(\(key) + months(1)).day \(order) 29", "\(key) - months(1) - days(1) \(order) \(other) - years(4)",
                "\(key).year - \(other).year \(order) 1", "(\(key) + years(1)).year \(order) 2024",
            ]
        }
        return formats + [
            "\(key) BETWEEN {'2024-02-29', '2024-03-31'}", "\(key) IN {'2024-02-29', '2024-03-01T05:30'}",
            "NOT \(key) IN {'2024-02-29', '2020-01-01'}", "\(key).year IN {2024, 2000, nil}",
            "\(key).year BETWEEN {2001, 2024}", "\(key).year BETWEEN {2024, 2001}",
            "\(key).year IN {2024, 1.5, 2000.0}", "\(key) + days(1) BETWEEN {'2024-02-29', '2024-03-31'}",
            "\(key) + months(1) IN {'2024-02-29', '2024-03-31'}", "\(key) + 60 IN {'2024-02-29', '2024-03-01'}",
            "\(key) + 1 == nil", "\(key).year == nil", "\(key).weekday IN {1, 7}", "\(key).month BETWEEN {6, 8}",
            "NOT \(key) + months(1) == nil", "(\(key) + months(1) + months(1)).weekday == 1",
            "\(key) + months(1) + months(1) + months(1) >= \(other)",
            "\(key)" + String(repeating: " + days(1)", count: 150) + " >= \(other)", "5 IN {\(key).day, \(other).day}",
            "\(key).hour == nil", "\(key).month == \(other).month AND \(key).day == \(other).day",
        ]
    }

    private static let others = [
        "ALL log.at IN {'2024-02-29'}", "ALL log.unix IN {'2024-02-29', '2023-12-31', '2001-01-01T00:00Z'}",
        "NOT ALL log.at IN {'2024-02-29', '2024-03-01'}", "ANY log.at IN {'2024-02-29', '2024-03-01'}",
        "NONE log.at IN {'2024-02-29', '2024-03-01'}", "ALL log.at >= '2024-02-29'", "ANY log.at.month == 2",
        "ALL log.at IN {'2024-02-29', NULL}", "number == '60'", "number IN {'60', '-1'}", "weight < '1e9'",
        "number BETWEEN {'-1', 60}",
    ]

    /// Every `step`th case.
    private static func cases(_ engine: Engine, every step: Int) throws -> [Case] {
        let schema = try schema().schema
        let keys = ["at"] + forms.map(\.name)
        let texts = keys.flatMap { key in formats(of: key, key == "at" ? "unix" : "at") } + others
        return try texts.enumerated().filter { $0.offset % step == 0 }.map { index, text in
            let environment = PredicateEnvironment(
                language: [.dates, .typedTexts],
                timeZone: PredicateTimeZone(secondsFromUTC: [0, offset, -3_723][index % 3]))
            let predicate = try FormatPredicate(text: text, in: environment)
            let read = predicate.reading("Event", schema).fixed(at: .at(day + 90_000))
            let own = try predicate.sql(engine.dialect, entity: "Event", in: schema, clock: .at(day + 90_000))
            #expect(try own.text == read.sql(engine.dialect, entity: "Event", in: schema).text, "\(text)")
            return Case(entity: "Event", predicate: read)
        }
    }

    @Test(arguments: Engine.chosen) func enginesSelectWhatMatches(_ engine: Engine) async throws {
        let data = try Self.data(for: engine)
        let chosen = try Self.cases(engine, every: engine.metamorphicStep * TestDepth.step(11))
        try await engine.check(chosen, data) { one, verdict in
            let isLeft = ["weight", "50000", "nil", "months:(1)) + months:(1)", "days:(1)) + days:(1)"].contains {
                one.predicate.description.contains($0)
            }
            if case .library = engine.opening, !isLeft { #expect(verdict.isExact, "\(one.predicate)") }
            if case .refused = verdict.kind { Issue.record("\(one.predicate) is refused") }
        }
    }

    @Test func exactTerms() throws {
        let schema = try Self.schema().schema
        let environment = PredicateEnvironment(language: [.dates, .typedTexts])
        for (text, isExact) in [
            ("at == '2024-02-29'", true), ("stamp != '2024-02-29'", true), ("at + 3600 > now()", true),
            ("at - days(7) < today()", true), ("at + number > now()", true), ("at - other > 5", true),
            ("at.year == 2024", true), ("stamp.year >= 2024", true), ("number == '5'", true),
            ("at + months(1) > now()", true), ("at.hour == 5", true), ("unix + 60 > now()", true),
            ("at > today() + months(1)", true), ("at + weight > now()", false), ("zoned.day == at.day", true),
            ("iso - years(1) < julian", true), ("at + months(600000) > now()", false),
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
