// https://www.postgresql.org/docs/current/functions-string.html. Parameters are typed, names have at most 63
// bytes, texts cannot contain U+0000.

extension SQLDialect {
    /// PostgreSQL. Text columns must have `COLLATE "C"`.
    public static let postgreSQL: SQLDialect = {
        var engine = SQLEngine("postgresql")
        engine.names.maximumBytes = 63
        engine.texts.binaryCollation = "\"C\""
        engine.texts.indexesInCollations = true
        engine.bindings.placeholders = .dollar
        engine.bindings.types = [
            .boolean: "boolean", .integer: "bigint", .double: "float8", .decimal: "numeric", .text: "text",
            .date: "float8", .data: "bytea", .uuid: "uuid", .url: "text", .rowCount: "bigint",
            .timestamp: "timestamp", .timestampWithZone: "timestamptz",
        ]
        engine.texts.tests = TextTests(
            prefix: "starts_with({0}, {1})", suffix: "right({0}, length({1})) = {1}", anywhere: "strpos({0}, {1}) > 0")
        engine.numbers.integers = (asDouble: "CAST({0} AS float8)", wide: "CAST({0} AS numeric)")
        engine.texts.regex = RegexCapability(
            test: "{0} ~ {1}", anyScalar: ".", bracedEscapes: false, repetitionLimit: 255, isSlow: true)
        // `_` is one code point. If a piece is not found, the whole search ends (MatchText in like_match.c).
        engine.texts.glob = GlobCapability(test: "{0} LIKE {1}", run: "%", one: "_", special: #"%_\"#, opening: #"\"#)
        // With a binary collation, ILIKE converts ASCII only.
        engine.texts.caselessGlob = GlobCapability(
            test: "{0} ILIKE {1}", run: "%", one: "_", special: #"%_\"#, opening: #"\"#)
        engine.scalars += engine.integerArithmetic(
            divide: "div(CAST({0} AS numeric), NULLIF(CAST({1} AS numeric), 0))",
            remainder: "mod(CAST({0} AS numeric), NULLIF(CAST({1} AS numeric), 0))")
        engine.scalars += SQLDialect.raisingDoubleArithmetic()
        engine.quickScalars = (
            plain: SQLDialect.raisingDoubleArithmetic(testing: ["{0}", "{1}"]),
            firstIsModerate: SQLDialect.raisingDoubleArithmetic(testing: ["{1}"])
        )
        engine.scalars += [
            .asInteger: "CAST({0} AS integer)", .asMoment: "({0} AT TIME ZONE 'UTC')", .truncate: "trunc({0})",
            .byteCount: "octet_length({0})", .scalarCount: "length({0})", .squareRoot: SQLDialect.squareRoot("float8"),
            // Scalars of four bytes are two UTF-16 units. Few texts contain any, and replacing them costs much more
            // than testing for them.
            .length: """
            (length({0}) + CASE WHEN octet_length({0}) > length({0}) AND {0} ~ '[\\U00010000-\\U0010FFFF]' \
            THEN length(regexp_replace({0}, '[^\\U00010000-\\U0010FFFF]', '', 'g')) ELSE 0 END)
            """,
        ]
        engine.scalars += SQLDialect.plainArithmetic(xor: "{0} # {1}")
        engine.scalars += dateArithmetic(
            DateSyntax(
                floor: "CAST(floor({0}) AS bigint)", double: "CAST({0} AS float8)", fence: " OFFSET 0",
                microseconds: "extract(epoch FROM {0}) * 1000000"))
        engine.lists.elements = ListElements.rows("unnest({0}) AS {1}(value)").ofAllTypes
        engine.lists.arrayBrackets = ("{", "}")
        engine.lists.jsonLists = [
            .integer: "{0} = ANY (ARRAY(SELECT CAST(jsonb_array_elements_text(CAST({1} AS jsonb)) AS bigint)))",
            .text: "{0} = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST({1} AS jsonb))))",
        ]
        // PostgreSQL hashes the rows of a subquery, but not the elements of an array.
        engine.lists.jsonAbsences = [
            .integer: "{0} IN (SELECT CAST(jsonb_array_elements_text(CAST({1} AS jsonb)) AS bigint))",
            .text: "{0} IN (SELECT jsonb_array_elements_text(CAST({1} AS jsonb)))",
        ]
        engine.json = json
        engine.lists.membership = (one: "{1} = ANY ({0})", some: "{0} && ARRAY[{1}]")
        engine.subqueries.groupsThresholds = true
        engine.subqueries.joinsGroups = true
        // Without OFFSET, the optimizer would inline the operands again.
        engine.subqueries.operandBinding = "(SELECT {0} FROM (SELECT {1} OFFSET 0) AS v)"
        engine.subqueries.splitsDisjunctions = true
        engine.numbers.nanIsGreatest = true
        engine.bindings.integer64 = "CAST({0} AS bigint)"
        engine.texts.foldedColumnType = "text COLLATE \"C\""
        engine.texts.storesNUL = false
        engine.decimals = DecimalSupport(areStored: true, keepsWide: true, convertsLong: true)
        engine.texts.comparesByCodePoint = false
        engine.limits.parameters = 65_535
        engine.changes.failure = "CAST(CAST({0} AS text) || ' cannot be computed' AS bigint)"
        engine.selection.rowLock = " FOR UPDATE OF \(.alias(0))"
        engine.changes.keyCounter = """
            SELECT CASE WHEN has_sequence_privilege(seqrelid, 'UPDATE') \
            AND {2} > coalesce(pg_sequence_last_value(seqrelid), 0) THEN setval(seqrelid, {2}) END FROM pg_sequence \
            WHERE seqrelid = CAST(pg_get_serial_sequence({0}, {1}) AS regclass) AND seqincrement > 0 \
            AND {2} BETWEEN seqmin AND seqmax - 1
            """
        engine.tableSyntax = TableSyntax(
            types: [
                .boolean: "boolean", .integer: "bigint", .double: "float8", .decimal: "numeric",
                .text: engine.texts.foldedColumnType, .date: "float8", .data: "bytea", .uuid: "uuid",
                .timestamp: "timestamp", .timestampWithZone: "timestamptz",
            ],
            needsScale: false, identity: " GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY",
            foreignKeys: .afterwards(indexed: false), names: TableSyntax.names(in: "current_schema()", "text"))
        return SQLDialect(engine)
    }()

    /// https://www.postgresql.org/docs/current/functions-json.html#FUNCTIONS-SQLJSON-PATH. A strict path without errors
    /// is NULL where the document has other steps. `#>> '{}'` is the text of a value.
    private static let json: JSONSupport = {
        func found(_ test: String) -> String {
            "jsonb_path_query_first(CAST({0} AS jsonb), 'strict {1} ? (@.type() == \(test))', '{}', TRUE)"
        }
        let number = found("\"number\" && (@ == 0 || @.abs() >= 5e-324) && @.abs() <= 1.7976931348623157e308")
        let integer = found("\"number\" && @ >= -9223372036854775808 && @ <= 9223372036854775807")
        let list = found("\"array\"")
        return JSONSupport(
            values: [
                .text: "((\(found("\"string\"")) #>> '{}') COLLATE \"C\")",
                .boolean: "CAST(\(found("\"boolean\"")) #>> '{}' AS boolean)",
                // jsonb keeps the zeros of 5.0, but not exponents.
                .integer: "CAST(substring(\(integer) #>> '{}' FROM '^-?[0-9]+$') AS bigint)",
                .double: "CAST(\(number) #>> '{}' AS float8)",
            ], list: "\(list)", rows: "jsonb_array_elements({0}) AS {1}(value)")
    }()
}
