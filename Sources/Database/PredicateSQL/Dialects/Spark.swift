// https://spark.apache.org/docs/latest/api/sql/. Texts are UTF8_BINARY; every parameter is cast; regular
// expressions are Java's, whose `$` also matches before a final newline.

extension SQLDialect {
    /// Spark SQL in ANSI mode.
    public static let spark: SQLDialect = {
        var dialect = SQLDialect("spark")
        dialect.quote = UInt8(ascii: "`")
        dialect.identifierBytes = 255
        dialect.binaryCollation = "UTF8_BINARY"
        dialect.placeholders = .named
        dialect.types = [
            .boolean: "BOOLEAN", .integer: "BIGINT", .double: "DOUBLE", .text: "STRING", .date: "DOUBLE",
            .data: "BINARY", .uuid: "STRING", .url: "STRING", .rowCount: "INT",
            .timestamp: "TIMESTAMP_NTZ", .timestampWithZone: "TIMESTAMP",
        ]
        dialect.sameness = ("{0} <=> {1}", "NOT ({0} <=> {1})")
        dialect.texts = TextTests(
            prefix: "startswith({0}, {1})", suffix: "endswith({0}, {1})", anywhere: "contains({0}, {1})")
        dialect.integers = (asDouble: "CAST({0} AS DOUBLE)", wide: "CAST({0} AS DECIMAL(19, 0))")
        // Java recurses for each part of a pattern; 16,000 parts overflow a stack of 1 MiB.
        dialect.regex = RegexCapability(
            test: "rlike({0}, {1})", opening: "\\A", closing: "\\z", backtracks: true, hasAtomicGroups: true,
            partLimit: 2000)
        dialect.correlatesNextOnly = true
        dialect.returnsInserted = false
        dialect.changesRefused = "the database cannot change rows of plain tables"
        dialect.scalars += SQLDialect.rounding(
            floor: "floor({0})", ceiling: "ceil({0})",
            truncate: "CASE WHEN {0} < 0 THEN ceil({0}) ELSE floor({0}) END", double: "DOUBLE")
        dialect.scalars += dialect.integerArithmetic(
            divide: """
                CASE WHEN {1} = -1 THEN 0 - CAST({0} AS DECIMAL(19, 0)) \
                WHEN {1} <> 0 THEN CAST({0} DIV {1} AS DECIMAL(20, 0)) END
                """,
            remainder: "CASE WHEN {1} <> 0 THEN CAST({0} AS DECIMAL(19, 0)) % CAST({1} AS DECIMAL(19, 0)) END")
        dialect.scalars += SQLDialect.doubleArithmetic([.add, .subtract, .multiply], isNaN: "isnan")
        // Only the text form distinguishes 0.0 from -0.0.
        dialect.scalars[.doubles(.divide)] = SQLDialect.doubleDivision(isMinusZero: "CAST({1} AS STRING) = '-0.0'")
        dialect.scalars += [
            .asInteger: "CAST({0} AS INT)", .squareRoot: SQLDialect.squareRoot("DOUBLE"),
            .length: "(octet_length(encode({0}, 'UTF-16BE')) DIV 2)",
        ]
        dialect.scalars += SQLDialect.plainArithmetic(divide: "{0} DIV {1}", xor: "{0} ^ {1}")
        dialect.elements =
            ListElements.lambda(
                exists: "exists({0}, {1} -> {2})", count: "size(filter({0}, {1} -> {2}))", size: "size({0})"
            ).ofAllTypes
        dialect.jsonLists = [
            .integer: "array_contains(from_json({1}, 'array<bigint>'), {0})",
            .text: "array_contains(from_json({1}, 'array<string>'), {0})",
        ]
        dialect.nanIsGreatest = true
        dialect.integer64 = "CAST({0} AS BIGINT)"
        dialect.foldedColumnType = "STRING"
        dialect.hasIndexes = false
        dialect.decimals = DecimalSupport(
            areStored: true, areBoundAsText: true, cast: DecimalSupport.standardCast, convertsLong: true)
        dialect.parameterLimit = 5000
        dialect.nestingLimit = 60
        return dialect
    }()
}
