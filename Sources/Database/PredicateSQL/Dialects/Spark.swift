// https://spark.apache.org/docs/latest/api/sql/. Texts are UTF8_BINARY; every parameter is cast; regular
// expressions are Java's, whose `$` also matches before a final newline.

extension SQLDialect {
    /// Spark SQL in ANSI mode.
    public static let spark: SQLDialect = {
        var engine = SQLEngine("spark")
        engine.names.quote = UInt8(ascii: "`")
        engine.names.maximumBytes = 255
        engine.texts.binaryCollation = "UTF8_BINARY"
        engine.bindings.placeholders = .named
        engine.bindings.types = [
            .boolean: "BOOLEAN", .integer: "BIGINT", .double: "DOUBLE", .text: "STRING", .date: "DOUBLE",
            .data: "BINARY", .uuid: "STRING", .url: "STRING", .rowCount: "INT",
            .timestamp: "TIMESTAMP_NTZ", .timestampWithZone: "TIMESTAMP",
        ]
        engine.sameness = ("{0} <=> {1}", "NOT ({0} <=> {1})")
        engine.texts.tests = TextTests(
            prefix: "startswith({0}, {1})", suffix: "endswith({0}, {1})", anywhere: "contains({0}, {1})")
        engine.numbers.integers = (asDouble: "CAST({0} AS DOUBLE)", wide: "CAST({0} AS DECIMAL(19, 0))")
        // Java recurses for each part of a pattern; 16,000 parts overflow a stack of 1 MiB.
        engine.texts.regex = RegexCapability(
            test: "rlike({0}, {1})", opening: "\\A", closing: "\\z", backtracks: true, hasAtomicGroups: true,
            partLimit: 2000)
        engine.subqueries.correlatesNextOnly = true
        engine.changes.returnsInserted = false
        engine.changes.refusal = "the database cannot change rows of plain tables"
        engine.scalars += SQLDialect.rounding(
            floor: "floor({0})", ceiling: "ceil({0})",
            truncate: "CASE WHEN {0} < 0 THEN ceil({0}) ELSE floor({0}) END", double: "DOUBLE")
        engine.scalars += engine.integerArithmetic(
            divide: """
                CASE WHEN {1} = -1 THEN 0 - CAST({0} AS DECIMAL(19, 0)) \
                WHEN {1} <> 0 THEN CAST({0} DIV {1} AS DECIMAL(20, 0)) END
                """,
            remainder: "CASE WHEN {1} <> 0 THEN CAST({0} AS DECIMAL(19, 0)) % CAST({1} AS DECIMAL(19, 0)) END")
        engine.scalars += SQLDialect.doubleArithmetic([.add, .subtract, .multiply], isNaN: "isnan")
        // Only the text form distinguishes 0.0 from -0.0.
        engine.scalars[.doubles(.divide)] = SQLDialect.doubleDivision(isMinusZero: "CAST({1} AS STRING) = '-0.0'")
        engine.scalars += [
            .asInteger: "CAST({0} AS INT)", .squareRoot: SQLDialect.squareRoot("DOUBLE"),
            .length: "(octet_length(encode({0}, 'UTF-16BE')) DIV 2)",
        ]
        engine.scalars += SQLDialect.plainArithmetic(divide: "{0} DIV {1}", xor: "{0} ^ {1}")
        engine.lists.elements =
            ListElements.lambda(
                exists: "exists({0}, {1} -> {2})", count: "size(filter({0}, {1} -> {2}))", size: "size({0})"
            ).ofAllTypes
        engine.lists.jsonLists = [
            .integer: "array_contains(from_json({1}, 'array<bigint>'), {0})",
            .text: "array_contains(from_json({1}, 'array<string>'), {0})",
        ]
        engine.numbers.nanIsGreatest = true
        engine.bindings.integer64 = "CAST({0} AS BIGINT)"
        engine.texts.foldedColumnType = "STRING"
        engine.selection.hasIndexes = false
        engine.decimals = DecimalSupport(
            areStored: true, areBoundAsText: true, cast: DecimalSupport.standardCast, convertsLong: true)
        engine.limits.parameters = 5000
        engine.limits.nesting = 60
        return SQLDialect(engine)
    }()
}
