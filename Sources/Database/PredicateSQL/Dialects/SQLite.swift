// https://www.sqlite.org/lang_expr.html. Texts compare as UTF-8 bytes (BINARY). `length` and `substr` stop at
// U+0000, so prefixes and suffixes are compared as blobs; `instr` and `=` do not stop there.

extension SQLDialect {
    /// SQLite with the functions that `SQLiteFunctions` of PredicateStores registers.
    public static let sqlite: SQLDialect = {
        var engine = sqlite(named: "sqlite")
        engine.hasRegisteredFunctions = true
        for scalar in [Scalar.length, .uppercase, .lowercase, .doubles(.divide), .squareRoot, .listed, .element] {
            guard let function = scalar.registered else { continue }
            let arguments = (0..<function.arity).map { "{\($0)}" }.joined(separator: ", ")
            engine.scalars[scalar] = "\(function.rawValue)(\(arguments))"
        }
        engine.lists.elements = elements.ofAllTypes
        return SQLDialect(engine)
    }()

    /// SQLite without registered functions. Conditions that need one are left to the residual.
    public static let sqlitePlain: SQLDialect = {
        var engine = sqlite(named: "sqlite-plain")
        // GLOB searches each piece after `*` once (patternCompare), reads U+FFFE and U+FFFF as U+FFFD, and
        // stops at U+0000. So U+0000 is replaced with U+FFFF before matching: `json_quote` escapes it as
        // \u0000, and backslashes are escaped first, so that the same letters in the text are not affected.
        engine.texts.glob = GlobCapability(
            test: #"""
                CASE WHEN instr({0}, char(0)) = 0 THEN {0} ELSE json_extract(replace(replace(json_quote({0}), \#
                '\\', '\u005C'), '\u0000', '\uFFFF'), '$') END GLOB {1}
                """#,
            run: "*", one: "?", special: "*?[", opening: "[", closing: "]",
            confused: CodePointSet([0...0, 0xFFFD...0xFFFF]))
        return SQLDialect(engine)
    }()

    /// A list is stored as JSON.
    private static let elements = ListElements.rows("json_each({0}) AS {1}")

    /// https://www.sqlite.org/lang_datefunc.html. `strftime` would round a fraction of seconds.
    private static let dates: [Scalar: SQLTemplate] = {
        let double = "CAST({0} AS REAL)"
        let floor = "(CAST({0} AS INTEGER) - (CAST({0} AS INTEGER) > {0}))"
        var templates = dateArithmetic(DateSyntax(floor: floor, double: double, least: "min", fence: ""))
        let second = "CAST(strftime('%s', substr({0}, 1, 19)) AS INTEGER)"
        let ticks: [DateStorage: String] = [
            .day: "\(second) / 86400", .text: second, .iso8601: second,
            .iso8601Milliseconds: "\(second) * 1000 + CAST(substr({0}, 21, 3) AS INTEGER)",
            .timestamp: "\(second) * 1000000 + CAST(substr({0}, 21) AS INTEGER)",
        ]
        for (storage, ticks) in ticks { templates[.seconds(storage)] = seconds(storage, ticks: ticks, double) }
        templates[.seconds(.timestampWithZone)] = templates[.seconds(.timestamp)]
        templates[.seconds(.julianDay)] = "(({0} - 2451910.5) * 86400.0)"
        return templates
    }()

    /// https://www.sqlite.org/json1.html. `json_type` of a text that is not JSON is an error. An integer beyond 64 bits
    /// is read as a double. Doubles in lists are not read, because their last digits differ from those in memory.
    /// `json_extract` ends a text at U+0000, so such a text is not read.
    private static let json: JSONSupport = {
        func value(_ kinds: String, _ read: (String) -> String = { $0 }) -> SQLTemplate {
            let value = read("json_extract({0}, '{1}')")
            return "CASE WHEN json_valid({0}) THEN CASE WHEN json_type({0}, '{1}') \(kinds) THEN \(value) END END"
        }
        // Two paths give a list with the text as the document writes it. Without pairs of backslashes, a `\u0000` there
        // is U+0000.
        func text(_ value: String, in document: String, _ path: String) -> String {
            let written = #"replace(json_extract(\#(document), \#(path), \#(path)), '\\', '')"#
            return #"""
                CASE WHEN instr(\#(document), '\u0000') = 0 OR instr(\#(written), '\u0000') = 0 THEN \#(value) END
                """#
        }
        return JSONSupport(
            values: [
                .text: value("= 'text'") { text($0, in: "{0}", "'{1}'") },
                .boolean: value("IN ('true', 'false')"),
                .integer: value("= 'integer'") { "CASE typeof(\($0)) WHEN 'integer' THEN \($0) END" },
                // A double first, because abs of the least integer fails.
                .double: value("IN ('integer', 'real')") {
                    "CASE WHEN abs(CAST(\($0) AS REAL)) < 9e999 THEN CAST(\($0) AS REAL) END"
                },
            ],
            list: value("= 'array'"), rows: "json_each({0}) AS {1}",
            elements: [
                .text: """
                CASE {0}."type" WHEN 'text' THEN \(text(#"{0}."value""#, in: #"{0}."json""#, #"{0}."fullkey""#)) END
                """,
                .boolean: "CASE WHEN {0}.\"type\" IN ('true', 'false') THEN {0}.\"value\" END",
                .integer: """
                CASE WHEN {0}."type" = 'integer' AND typeof({0}."value") = 'integer' THEN {0}."value" END
                """,
            ])
    }()

    private static func sqlite(named name: String) -> SQLEngine {
        var engine = SQLEngine(name)
        engine.numbers.storesNaN = false
        engine.names.maximumBytes = 4096
        engine.subqueries.groupsThresholds = true
        engine.texts.binaryCollation = "BINARY"
        engine.texts.indexesInCollations = true
        engine.constants = ("1 = 1", "1 = 0")
        engine.sameness = ("{0} IS {1}", "{0} IS NOT {1}")
        engine.texts.tests = TextTests(
            prefix: "substr(CAST({0} AS BLOB), 1, length(CAST({1} AS BLOB))) = CAST({1} AS BLOB)",
            suffix: "substr(CAST({0} AS BLOB), -length(CAST({1} AS BLOB))) = CAST({1} AS BLOB)",
            anywhere: "instr({0}, {1}) > 0")
        engine.numbers.integers = (asDouble: "CAST({0} AS REAL)", wide: nil)
        // Decimals stored as integers become doubles beyond 64 bits.
        engine.decimals = DecimalSupport(keepsWide: true)
        engine.selection.limitOfAll = "-1"
        // Timestamps are stored as texts. Their order as texts is correct if all have the same form.
        engine.timestamps.zone = ""
        // SQLite changes rows while it still searches for more.
        engine.changes.seesItsChanges = true
        let members: SQLTemplate = "{0} IN (SELECT value FROM json_each({1}))"
        engine.lists.jsonLists = [.integer: members, .text: members, .timestamp: members, .timestampWithZone: members]
        // No entry for doubles, because SQLite would read some of them one bit off (SQLFunction.doubleBits).
        engine.lists.elements = [.boolean: elements, .integer: elements, .text: elements]
        engine.json = json
        // Integer overflow gives REAL; some builds lack floor; -x is computed as 0 - x, which loses the sign of
        // zero.
        engine.scalars = engine.integerArithmetic(
            held: { "CASE WHEN typeof(\($0)) = 'integer' THEN \($0) END" }, divide: "{0} / {1}", remainder: "{0} % {1}")
        engine.scalars[.absoluteInteger] = "CASE WHEN {0} > -9223372036854775808 THEN abs({0}) END"
        engine.scalars[.negativeInteger] = "CASE WHEN {0} > -9223372036854775808 THEN - {0} END"
        engine.scalars += SQLDialect.doubleArithmetic([.add, .subtract, .multiply])
        engine.scalars += [.asInteger: "{0}", .asMoment: "{0}", .negative: "({0} * -1.0)", .absolute: "abs({0})"]
        engine.scalars[.onesComplement] = SQLDialect.commonScalars[.onesComplement]
        engine.scalars += SQLDialect.plainArithmetic(xor: "({0} | {1}) & ~({0} & {1})")
        let whole = "CAST({0} AS INTEGER)"
        engine.scalars += SQLDialect.rounding(
            floor: "\(whole) - (\(whole) > {0})", ceiling: "\(whole) + (\(whole) < {0})", truncate: whole,
            double: "REAL")
        engine.scalars += dates
        // SUM fails on overflow of 64 bits. So sum the upper and the lower halves separately, which is safe for
        // up to 2^31 rows.
        let lower = "COALESCE(SUM({0} & 4294967295), 0)"
        let upper = "(COALESCE(SUM({0} >> 32), 0) + (\(lower) >> 32))"
        let isHeld = "\(upper) BETWEEN -2147483648 AND 2147483647"
        engine.numbers.checkedSum = (
            integer: "CASE WHEN \(isHeld) THEN \(upper) * 4294967296 + (\(lower) & 4294967295) END",
            // Only the last addition rounds.
            double: "(CAST(\(upper) AS REAL) * 4294967296.0 + (\(lower) & 4294967295))",
            clamped: """
            CASE WHEN \(isHeld) THEN \(upper) * 4294967296 + (\(lower) & 4294967295) \
            WHEN \(upper) > 0 THEN 9e999 ELSE -9e999 END
            """
        )
        // The only integer without an absolute value.
        engine.changes.failure = "abs({0} & 0 | -9223372036854775808)"
        engine.tableSyntax = TableSyntax(
            types: [
                .boolean: "BOOLEAN", .integer: "INTEGER", .double: "REAL", .decimal: "TEXT", .text: "TEXT",
                .date: "REAL", .data: "BLOB", .uuid: "TEXT", .timestamp: "TEXT", .timestampWithZone: "TEXT",
            ],
            any: "", identity: " PRIMARY KEY", booleans: ("1", "0"), foreignKeys: .inTable,
            names: "SELECT name FROM sqlite_master")
        // YYSTACKDEPTH; 12 nested EXISTS exceed it.
        engine.limits.parserStack = 100
        engine.limits.nesting = 20
        engine.limits.depth = 900
        engine.limits.subqueries = 6
        return engine
    }
}
