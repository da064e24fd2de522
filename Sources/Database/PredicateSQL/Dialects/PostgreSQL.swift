// https://www.postgresql.org/docs/current/functions-string.html. Parameters are typed, names have at most 63
// bytes, texts cannot contain U+0000.

extension SQLDialect {
    /// PostgreSQL. Text columns must have `COLLATE "C"`.
    public static let postgreSQL: SQLDialect = {
        var dialect = SQLDialect("postgresql")
        dialect.identifierBytes = 63
        dialect.binaryCollation = "\"C\""
        dialect.indexesInCollations = true
        dialect.placeholders = .dollar
        dialect.types = [
            .boolean: "boolean", .integer: "bigint", .double: "float8", .decimal: "numeric", .text: "text",
            .date: "float8", .data: "bytea", .uuid: "uuid", .url: "text", .rowCount: "bigint",
            .timestamp: "timestamp", .timestampWithZone: "timestamptz",
        ]
        dialect.texts = TextTests(
            prefix: "starts_with({0}, {1})", suffix: "right({0}, length({1})) = {1}", anywhere: "strpos({0}, {1}) > 0")
        dialect.integers = (asDouble: "CAST({0} AS float8)", wide: "CAST({0} AS numeric)")
        dialect.regex = RegexCapability(
            test: "{0} ~ {1}", anyScalar: ".", bracedEscapes: false, repetitionLimit: 255, isSlow: true)
        // `_` is one code point. If a piece is not found, the whole search ends (MatchText in like_match.c).
        dialect.glob = GlobCapability(test: "{0} LIKE {1}", run: "%", one: "_", special: #"%_\"#, opening: #"\"#)
        // With a binary collation, ILIKE converts ASCII only.
        dialect.caselessGlob = GlobCapability(
            test: "{0} ILIKE {1}", run: "%", one: "_", special: #"%_\"#, opening: #"\"#)
        dialect.scalars += dialect.integerArithmetic(
            divide: "div(CAST({0} AS numeric), NULLIF(CAST({1} AS numeric), 0))",
            remainder: "mod(CAST({0} AS numeric), NULLIF(CAST({1} AS numeric), 0))")
        dialect.scalars += SQLDialect.raisingDoubleArithmetic()
        dialect.quickScalars = (
            plain: SQLDialect.raisingDoubleArithmetic(testing: ["{0}", "{1}"]),
            firstIsModerate: SQLDialect.raisingDoubleArithmetic(testing: ["{1}"])
        )
        dialect.scalars += [
            .asInteger: "CAST({0} AS integer)", .asMoment: "({0} AT TIME ZONE 'UTC')", .truncate: "trunc({0})",
            .byteCount: "octet_length({0})", .scalarCount: "length({0})", .squareRoot: SQLDialect.squareRoot("float8"),
            // Scalars of four bytes are two UTF-16 units. Few texts contain any, and replacing them costs much more
            // than testing for them.
            .length: """
            (length({0}) + CASE WHEN octet_length({0}) > length({0}) AND {0} ~ '[\\U00010000-\\U0010FFFF]' \
            THEN length(regexp_replace({0}, '[^\\U00010000-\\U0010FFFF]', '', 'g')) ELSE 0 END)
            """,
        ]
        dialect.scalars += SQLDialect.plainArithmetic(xor: "{0} # {1}")
        dialect.scalars += dateArithmetic(
            DateSyntax(
                floor: "CAST(floor({0}) AS bigint)", double: "CAST({0} AS float8)", fence: " OFFSET 0",
                microseconds: "extract(epoch FROM {0}) * 1000000"))
        dialect.elements = ListElements.rows("unnest({0}) AS {1}(value)").ofAllTypes
        dialect.arrayBrackets = ("{", "}")
        dialect.jsonLists = [
            .integer: "{0} = ANY (ARRAY(SELECT CAST(jsonb_array_elements_text(CAST({1} AS jsonb)) AS bigint)))",
            .text: "{0} = ANY (ARRAY(SELECT jsonb_array_elements_text(CAST({1} AS jsonb))))",
        ]
        // PostgreSQL hashes the rows of a subquery, but not the elements of an array.
        dialect.jsonAbsences = [
            .integer: "{0} IN (SELECT CAST(jsonb_array_elements_text(CAST({1} AS jsonb)) AS bigint))",
            .text: "{0} IN (SELECT jsonb_array_elements_text(CAST({1} AS jsonb)))",
        ]
        dialect.json = json
        dialect.membership = (one: "{1} = ANY ({0})", some: "{0} && ARRAY[{1}]")
        dialect.groupsThresholds = true
        dialect.joinsGroups = true
        // Without OFFSET, the optimizer would inline the operands again.
        dialect.operandBinding = "(SELECT {0} FROM (SELECT {1} OFFSET 0) AS v)"
        dialect.splitsDisjunctions = true
        dialect.nanIsGreatest = true
        dialect.integer64 = "CAST({0} AS bigint)"
        dialect.foldedColumnType = "text COLLATE \"C\""
        dialect.storesNUL = false
        dialect.decimals = DecimalSupport(areStored: true, keepsWide: true, convertsLong: true)
        dialect.comparesTextByCodePoint = false
        dialect.parameterLimit = 65_535
        dialect.failure = "CAST(CAST({0} AS text) || ' cannot be computed' AS bigint)"
        dialect.rowLock = " FOR UPDATE OF \(.alias(0))"
        dialect.keyCounter = """
            SELECT CASE WHEN has_sequence_privilege(seqrelid, 'UPDATE') \
            AND {2} > coalesce(pg_sequence_last_value(seqrelid), 0) THEN setval(seqrelid, {2}) END FROM pg_sequence \
            WHERE seqrelid = CAST(pg_get_serial_sequence({0}, {1}) AS regclass) AND seqincrement > 0 \
            AND {2} BETWEEN seqmin AND seqmax - 1
            """
        dialect.tableSyntax = TableSyntax(
            types: [
                .boolean: "boolean", .integer: "bigint", .double: "float8", .decimal: "numeric",
                .text: dialect.foldedColumnType, .date: "float8", .data: "bytea", .uuid: "uuid",
                .timestamp: "timestamp", .timestampWithZone: "timestamptz",
            ],
            needsScale: false, identity: " GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY",
            foreignKeys: .afterwards(indexed: false), names: TableSyntax.names(in: "current_schema()", "text"))
        return dialect
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
