// https://mariadb.com/kb/en/string-functions/. A text column must be `utf8mb4_nopad_bin` (MySQL:
// `utf8mb4_0900_bin`); `utf8mb4_bin` pads with spaces. Regular expressions backtrack and return 0 after ten
// million steps. The patterns we send do not backtrack, except for a folded needle, which works up to about a
// million characters.

extension SQLDialect {
    /// MariaDB and MySQL. Text columns must have a binary collation that does not pad.
    public static let mySQL: SQLDialect = {
        var engine = SQLEngine("mysql")
        engine.changes.upsert = .onDuplicateKey
        // MariaDB has RETURNING, MySQL does not.
        engine.changes.returnsInserted = false
        engine.texts.binaryCollation = "utf8mb4_nopad_bin"
        engine.texts.indexesInCollations = true
        engine.names.quote = UInt8(ascii: "`")
        engine.sameness = ("{0} <=> {1}", "NOT ({0} <=> {1})")
        engine.texts.tests = TextTests(
            prefix: "LEFT({0}, CHAR_LENGTH({1})) = {1}", suffix: "RIGHT({0}, CHAR_LENGTH({1})) = {1}",
            anywhere: "INSTR({0}, {1}) > 0")
        engine.numbers.integers = (asDouble: "CAST({0} AS DOUBLE)", wide: "CAST({0} AS DECIMAL(65))")
        engine.texts.regex = RegexCapability(
            test: "{0} REGEXP {1}", opening: "\\A", closing: "\\z", backtracks: true, hasAtomicGroups: true)
        // LIKE searches each piece after `%` once (my_wildcmp), for any length of text, and compares scalars in
        // a binary collation.
        engine.texts.glob = GlobCapability(
            test: "{0} LIKE {1} ESCAPE '|'", run: "%", one: "_", special: "%_|", opening: "|")
        engine.numbers.storesNaN = false
        engine.scalars += engine.integerArithmetic(
            // Some drivers bind non-negative integers as unsigned, and DIV fails if only one operand is unsigned.
            divide: """
                CASE WHEN {1} = -1 THEN 0 - CAST({0} AS DECIMAL(65)) \
                WHEN {1} <> 0 THEN CAST({0} AS SIGNED) DIV CAST({1} AS SIGNED) END
                """,
            remainder: "CAST({0} AS SIGNED) % NULLIF(CAST({1} AS SIGNED), 0)")
        engine.scalars += SQLDialect.finiteDoubleArithmetic()
        engine.scalars += [
            .asInteger: "{0}", .asMoment: "{0}", .truncate: "TRUNCATE({0}, 0)", .squareRoot: "SQRT({0})",
            .length: "(LENGTH(CONVERT({0} USING utf16)) DIV 2)",
        ]
        engine.scalars += SQLDialect.plainArithmetic(
            divide: "{0} DIV {1}",
            // The results of bit operators are unsigned.
            and: "CAST({0} & {1} AS SIGNED)", or: "CAST({0} | {1} AS SIGNED)", xor: "CAST({0} ^ {1} AS SIGNED)")
        engine.scalars += dateArithmetic(
            DateSyntax(
                floor: "CAST(FLOOR({0}) AS SIGNED)", double: "CAST({0} AS DOUBLE)", quotient: "DIV",
                microseconds: "TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'1970-01-01 00:00:00', {0})"))
        // A list is JSON, in which -0.0 would be read as 0.0. So elements are read as text and cast, which keeps -0.0.
        // Both ways use the first 25 digits.
        let text = "LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin"
        let kinds: [SQLType: String] = [
            .boolean: "BOOLEAN", .integer: "BIGINT", .double: text, .date: text, .text: text,
        ]
        engine.scalars[.element] = "CAST({0} AS DOUBLE)"
        engine.lists.elements = kinds.mapValues { kind in
            .rows("JSON_TABLE({0}, '$[*]' COLUMNS (value \(kind) PATH '$')) AS {1}")
        }
        engine.lists.jsonLists = [
            .integer: "{0} IN (SELECT v FROM JSON_TABLE({1}, '$[*]' COLUMNS (v BIGINT PATH '$')) AS list)",
            .text: """
            {0} IN (SELECT v FROM JSON_TABLE({1}, '$[*]' COLUMNS (v LONGTEXT CHARACTER SET utf8mb4 \
            COLLATE utf8mb4_nopad_bin PATH '$')) AS list)
            """,
        ]
        engine.bindings.types = [.timestamp: "DATETIME(6)", .timestampWithZone: "DATETIME(6)"]
        engine.timestamps.zone = ""
        engine.timestamps.sessionSetting = "time_zone = '+00:00'"
        engine.numbers.storesInfinity = false
        engine.bindings.integer64 = "CAST({0} AS SIGNED)"
        engine.bindings.mayBeUnsigned = true
        engine.texts.foldedColumnType = "VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin"
        engine.decimals = DecimalSupport(areStored: true, cast: DecimalSupport.standardCast, convertsLong: true)
        engine.texts.comparesByCodePoint = false
        engine.subqueries.groupsThresholds = true
        engine.selection.ordersNulls = false
        engine.selection.limitOfAll = "18446744073709551615"
        engine.changes.aliasesDeleted = false
        engine.limits.parameters = 65_535
        engine.selection.rowLock = " FOR UPDATE"
        // A key has at most 3072 bytes.
        engine.tableSyntax = TableSyntax(
            types: [
                .boolean: "BOOLEAN", .integer: "BIGINT", .double: "DOUBLE", .text: text, .date: "DOUBLE",
                .data: "LONGBLOB", .uuid: "CHAR(36)", .timestamp: "DATETIME(6)", .timestampWithZone: "DATETIME(6)",
            ],
            identity: " AUTO_INCREMENT PRIMARY KEY", escapesBackslash: true, foreignKeys: .afterwards(indexed: true),
            names: TableSyntax.names(in: "DATABASE()", "CHAR"))
        return SQLDialect(engine)
    }()
}
