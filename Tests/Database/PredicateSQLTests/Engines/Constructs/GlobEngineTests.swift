// Tests of LIKE and MATCHES where an engine may stop early or be wrong: every short glob on every short text, and globs
// on long texts for which a backtracking engine needs exponential time. No engine may stop early, with or without an
// error.

import PredicateEvaluation
import PredicateSQL
import PredicateTestSupport
import Testing

@Suite struct GlobEngineTests {
    private static func schema() throws -> PredicateSchema {
        try PredicateSchema([
            .init(
                "Row", table: "globs", primaryKey: ["id"],
                attributes: [.init("id", .integer), .init("name", .string)])
        ])
    }

    private static func query(_ predicate: FormatPredicate, _ engine: Engine) throws -> EngineQuery {
        let query = try predicate.sql(engine.dialect, entity: "Row", in: schema())
        #expect(query.isExact, "\(predicate): \(query.reasons)")
        return keys(query, engine)
    }

    private static func keys(_ query: SQLQuery, _ engine: Engine) -> EngineQuery {
        // Only the key column, so that statements can be combined.
        let quote = engine.dialect.quotation
        return EngineQuery(
            sql: "SELECT \(quote)t0\(quote).\(quote)id\(quote) FROM \(query.from) WHERE \(query.text)",
            values: query.bindings, types: query.bindingTypes)
    }

    private struct Question: Hashable {
        let predicate: FormatPredicate
        let texts: [String]
    }

    /// The evaluator's answers, because most engines need the same ones.
    private static let answers = Mutex<[Question: [Int64]]>([:])

    private static func expected(_ predicate: FormatPredicate, _ texts: [String]) throws -> [Int64] {
        let question = Question(predicate: predicate, texts: texts)
        if let rows = answers.withLock({ $0[question] }) { return rows }
        let matcher = try predicate.compiled()
        let rows = try texts.indices.filter { index in
            let row = ValueDictionary([("id", .integer(Int64(index))), ("name", .string(texts[index]))])
            return try matcher.test(.dictionary(row))
        }.map(Int64.init)
        answers.withLock { $0[question] = rows }
        return rows
    }

    // MARK: Short texts

    /// Characters that are special in the globs of some engine, characters that SQLite reads as U+FFFD, and characters
    /// that JSON escapes.
    private static let shortTexts =
        Pools.words(["a", "b"], upTo: 4) + Pools.words(["a", "\0", "\\", "é"], upTo: 2)
        + [
            "%", "_", "|", "[", "]", "a%b", "a_b", "a|b", "a[b", "a]b", "a*b", "a?b", "*", "?", "[a]", "^", "a\\u0000",
            "\u{FFFD}", "a\u{FFFE}", "a\u{FFFF}b", "\u{10FFFF}", "a😀b", "\"a\"", "a\nb", "\r\n", "a\0\0b", "\0a\0", "A",
            "e\u{301}",
        ]
    private static let shortGlobs =
        Pools.words(["a", "b", "*", "?"], upTo: 4)
        + [
            "?%*", "*_?", "a|*?", "*[?", "?[*a]*", "a?]*", "*\\**a", "*\\?*b", "?\\\\*", "a*\\", "?^*", "*é?", "?😀*b",
            "*\u{FFFD}?", "?\u{FFFE}*", "a*\u{FFFF}?", "*\"*?", "a?*\\\\u0000", "\0*?", "?\0*?", "*a*\0", "*%*_*",
            "?\n*b", "a?\u{301}",
        ]

    private static let foldedTexts = [
        "sé", "se\u{301}", "\u{301}s", "ab\u{302}\u{301}", "a\u{3099}b", "か\u{3099}", "fe\u{302}\u{301}", "q\u{308}b",
        "ﬁ", "fi", "FxI", "fxﬁ", "xﬁ", "ﬃ", "ﬀi", "s", "ß", "ẞs", "sxS", "ſxſ", "straße", "STRASSE", "á", "A\u{301}",
        "a\u{323}\u{301}", "ẚ", "\u{301}a", "각", "가", "\u{1100}\u{1161}\u{11A8}", "ŉ", "ʼN", "ΐ", "ι\u{308}\u{301}",
        "Ω", "K", "k", "ﬆ", "sT", "áxB", "a\nb", "a\r\nb", "ab\u{301}", "İ", "i\u{307}",
    ]
    private static let foldedGlobs = [
        "?", "??", "*?b", "f?*", "?\u{301}", "f*i", "*f*i*", "s*s", "*s*s*s*", "*S*ß", "st*e", "*a*b", "á*b*",
        "a*\u{301}", "*\u{1161}*", "\u{1100}*\u{11A8}", "ʼ*N", "*ι*\u{308}*", "Ω*", "*k*", "*s*t*", "i*\u{307}",
        "*ff*i", "*tr*ss*", "s?", "a?b*", "b*long text with ? in it and more",
    ]
    private static let foldedPatterns = [
        "f.*i", "(?:f|x).*", ".*(?:ss|ß).*", "s{1,3}", "[a-s]*", "[^x]+", "(?:st|s).*e", "a.*b", "k|ß.*", "(?:f|ff)i",
        "s?s?s", "(?:a|á)x?b", "\u{1100}.+", "(?:st|ra|ss|e)*", "[ßx]+s",
    ]

    @Test(arguments: Engine.chosen) func everyShortGlobSelectsTheRowsOfTheEvaluator(_ engine: Engine) async throws {
        var data = DataSet(NamedSchema(name: "globs", schema: try Self.schema()))
        let texts = (Self.shortTexts + Self.foldedTexts).map { text in
            if case .string(let storable) = engine.storable(.string(text)) { storable } else { text }
        }
        data.tables[0].rows = texts.enumerated().map { id, text in
            data.tables[0].columns.map { $0.type == .integer ? .integer(Int64(id)) : .string(text) }
        }
        // Planning takes longest on Spark, so it gets fewer globs.
        let globs =
            TestDepth.isQuick
            ? TestDepth.some(Self.shortGlobs)
            : engine.joinsSelects
                ? Self.shortGlobs.enumerated().filter { $0.0 % 8 == 5 || $0.0 > 340 }.map(\.1) : Self.shortGlobs
        let cases = [
            ("name LIKE %@", globs), ("NOT name LIKE %@", globs), ("name LIKE[c] %@", Self.foldedGlobs),
            ("NOT name LIKE[d] %@", Self.foldedGlobs), ("name LIKE[cd] %@", Self.foldedGlobs),
            ("name MATCHES[c] %@", Self.foldedPatterns), ("NOT name MATCHES[cd] %@", Self.foldedPatterns),
        ]
        try await engine.withConnection { connection in
            try await connection.load(data.tables)
            for (format, patterns) in cases {
                let predicates = try patterns.map { (pattern) -> (FormatPredicate, SQLQuery) in
                    let predicate = try FormatPredicate(format, arguments: [.string(pattern)])
                    return (predicate, try predicate.sql(engine.dialect, entity: "Row", in: data.schema))
                }.filter { $0.1.isExact }
                // Only patterns with U+0000 may be inexact, and for SQLite patterns with characters that it replaces.
                // On backtracking engines, patterns may also be inexact if a letter with its folded forms can extend
                // over the end of a run.
                let backtracks = engine.dialect == .mySQL || engine.dialect == .spark
                // Under [c], classes of Latin letters do not contain the letters with marks: there are too many of them
                // for a pattern.
                let isLike = format.contains("LIKE")
                let isSaid =
                    format.contains("[")
                    ? engine.dialect == .sqlitePlain
                        || predicates.count >= (backtracks ? 4 : patterns.count - (isLike ? 3 : 7))
                    : predicates.count > patterns.count - (engine.dialect == .sqlitePlain ? 8 : 1)
                #expect(TestDepth.isQuick || isSaid, "\(format): \(predicates.count) of \(patterns.count)")
                for start in stride(from: 0, to: predicates.count, by: 30) {
                    let batch = predicates[start..<min(start + 30, predicates.count)]
                    let answers = try await connection.select(batch.map { Self.keys($0.1, engine) })
                    for ((predicate, _), answer) in zip(batch, answers) {
                        let found = try answer.get().sorted()
                        let wanted = try Self.expected(predicate, texts)
                        #expect(found == wanted, "\(predicate)")
                    }
                }
            }
        }
    }

    // MARK: Long texts

    /// A text, the number of its repetitions in the row's text, and the end of the row's text.
    private static let longTexts = [
        ("a", 1_000_000, ""), ("a", 1_000_000, "b"), ("ab", 500_000, ""), ("😀", 500_000, "b"), ("a", 20, "b"),
    ]
    private static let longGlobs = [
        "*a*a*a*a*a*a*a*b", "*a*a*a*a*a*a*a*c", "*?*?*?*b", "*?a*?a*?a*?c",
        "a" + String(repeating: "?a*", count: 60) + "b", String(repeating: "*a", count: 100) + "b",
        "*" + String(repeating: "a", count: 30) + "b*", "*a*" + String(repeating: "b?", count: 30),
        "*" + String(repeating: "?", count: 1000) + "b", "a?*b*b*b*b*b*b*b*b*bb", "*😀?😀*b*b", "?*ab*ba*?a*ab",
    ]
    /// Patterns with many parts. An engine may recurse for each part.
    private static let longPatterns = [
        ".*a.*a.*a.*a.*a.*b", ".*ab.*ab.*c", ".*b.*", "[ab]*abb[ab]*", ".+a.+b", "(?:ab)*", "[ab]*b",
        String(repeating: "[ab]", count: 1900) + ".*", String(repeating: "(?:ab|ba)", count: 270) + ".*",
        "[ab]" + (0..<1990).compactMap { Unicode.Scalar(0x4E00 + $0) }.map { "\($0)?" }.joined() + "[ab]*",
    ]
    private static let longFoldedGlobs = [
        // Under [cd], the check for the end of a letter needs about a kilobyte after each piece.
        "*a*A*a*a*a*a*a*b", "*a*A*a*a*a*a*a*c", "A*ab*BA*b", "*😀*B", "*é*a", String(repeating: "*A", count: 40) + "*b",
        "*" + String(repeating: "a", count: 30) + "b*a*", "*A*" + String(repeating: "ab", count: 100) + "*c",
    ]
    private static let longNeedles = [String(repeating: "a", count: 950), String(repeating: "aB", count: 480)]

    /// The long texts. Spark takes longest to match them, so its texts have a twentieth of the length except in full runs.
    private static func longTexts(for engine: Engine) -> [(String, Int, String)] {
        let divisor = engine.dialect == .spark && TestDepth.current != .full ? 20 : 1
        return longTexts.map { ($0, max(20, $1 / divisor), $2) }
    }

    private static func making(_ engine: Engine) -> [String] {
        let isLibrary = if case .library = engine.opening { true } else { false }
        let rows = longTexts(for: engine).enumerated().map { id, row in
            let (text, count, end) = row
            // Spark gets the parts as values. Otherwise it would compute the texts while it plans.
            if engine.dialect == .spark { return "(\(id), '\(text)', \(count), '\(end)')" }
            if engine.dialect == .mySQL { return "SELECT \(id), concat(repeat('\(text)', \(count)), '\(end)')" }
            let many =
                isLibrary ? "replace(printf('%.*c', \(count), 'x'), 'x', '\(text)')" : "repeat('\(text)', \(count))"
            return "SELECT \(id) AS id, \(many) || '\(end)' AS name"
        }
        let all = rows.joined(separator: engine.dialect == .spark ? ", " : " UNION ALL ")
        // Another test with this connection may have created a table with this name.
        let drop = "DROP TABLE IF EXISTS globs"
        return switch engine.dialect {
        case .spark:
            [
                "CREATE OR REPLACE TEMPORARY VIEW globs AS SELECT id, concat(repeat(text, number), behind) AS name "
                    + "FROM VALUES \(all) AS v(id, text, number, behind)"
            ]
        case .mySQL: [drop, "CREATE TABLE globs (id INTEGER, name LONGTEXT)", "INSERT INTO globs " + all]
        default: [drop, "CREATE TABLE globs AS " + all]
        }
    }

    @Test(
        .enabled(if: !TestDepth.isQuick, "a quick run leaves it to CI"),
        arguments: Engine.chosen.filter { $0.dialect != .clickHouse }) func noEngineGivesUp(
            _ engine: Engine
        ) async throws
    {
        let texts = Self.longTexts(for: engine).map { String(repeating: $0, count: $1) + $2 }
        let cases = [
            ("name LIKE %@", Self.longGlobs), ("name MATCHES %@", Self.longPatterns),
            ("name BEGINSWITH[c] %@", Self.longNeedles),
            ("name CONTAINS[cd] %@", [String(repeating: "a", count: 100) + "b"]),
            // Under [c], the characters that extend a letter need five kilobytes after each piece.
            ("name LIKE[c] %@", Self.longFoldedGlobs.filter { $0.count { $0 == "*" } < 10 }),
            ("name LIKE[cd] %@", Self.longFoldedGlobs),
            ("name MATCHES[c] %@", [".*a.*A.*a.*b", "(?:AB)*"]),
            ("name MATCHES[cd] %@", ["[ab]*BA[ab]*ba", "[ab]*B"]),
        ]
        try await engine.withConnection { connection in
            for sql in Self.making(engine) { _ = try await connection.rows(EngineQuery(sql: sql)) }
            // The other patterns need a regular expression.
            for (format, patterns) in engine.dialect == .sqlitePlain ? [cases[0]] : cases {
                for pattern in patterns {
                    let predicate = try FormatPredicate(format, arguments: [.string(pattern)])
                    let found = try await connection.select([try Self.query(predicate, engine)])[0].get().sorted()
                    #expect(found == (try Self.expected(predicate, texts)), "\(predicate)")
                    guard engine.dialect == .mySQL else { continue }
                    #expect(try await Self.warnings(connection).isEmpty, "\(predicate)")
                }
            }
            // MariaDB returns 0 and a warning if it gives up. Only this statement may do so.
            if engine.dialect == .mySQL {
                _ = try await connection.rows(EngineQuery(sql: "SELECT id FROM globs WHERE name REGEXP '^(a+)+c'"))
                #expect(try await Self.warnings(connection).contains { $0.contains("match limit") })
            }
        }
    }

    private static func warnings(_ connection: any EngineConnection) async throws -> [String] {
        try await connection.rows(EngineQuery(sql: "SHOW WARNINGS")).map { $0.joined(separator: " ") }
    }
}
