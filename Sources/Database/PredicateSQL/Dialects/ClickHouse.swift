// https://clickhouse.com/docs/sql-reference. Regular expressions are RE2. Three equalities with OR become IN,
// and a correlated subquery becomes a join. Both compare the bits of floats; the join drops NULL; a COUNT over
// no rows is NULL.

extension SQLDialect {
    /// ClickHouse. To-one paths require `join_use_nulls = 1` in the session.
    public static let clickHouse: SQLDialect = {
        var engine = SQLEngine("clickhouse")
        engine.names.quote = UInt8(ascii: "`")
        engine.names.escapesBackslash = true
        engine.names.maximumBytes = 200
        engine.bindings.placeholders = .braces
        engine.bindings.types = [
            .boolean: "Bool", .integer: "Int64", .double: "Float64", .text: "String", .date: "Float64",
            .data: "String", .uuid: "String", .url: "String", .rowCount: "UInt64",
            .timestamp: "DateTime64(6, 'UTC')", .timestampWithZone: "DateTime64(6, 'UTC')",
        ]
        // Years 1900 to 2299. Each is a point in time, independent of its zone.
        engine.timestamps.range = -2_208_988_800_000_000...10_413_791_999_999_999
        engine.timestamps.zone = ""
        engine.texts.tests = TextTests(
            prefix: "startsWith({0}, {1})", suffix: "endsWith({0}, {1})", anywhere: "position({0}, {1}) > 0")
        engine.numbers.integers = (asDouble: "toFloat64({0})", wide: "toInt128({0})")
        engine.texts.regex = RegexCapability(test: "match({0}, {1})")
        engine.scalars += engine.integerArithmetic(
            held: { SQLDialect.heldInteger($0) { "toInt128('\($0)')" } },
            divide: "CASE WHEN {1} <> 0 THEN intDivOrZero(toInt128({0}), toInt128({1})) END",
            remainder: "CASE WHEN {1} <> 0 THEN moduloOrZero(toInt128({0}), toInt128({1})) END")
        engine.scalars += SQLDialect.doubleArithmetic([.add, .subtract, .multiply, .divide])
        engine.scalars += [
            .asInteger: "toInt8({0})", .asMoment: "{0}", .truncate: "trunc({0})", .squareRoot: "sqrt({0})",
            .length: "(lengthUTF8({0}) + lengthUTF8(replaceRegexpAll({0}, '[^\\\\x{10000}-\\\\x{10FFFF}]', '')))",
        ]
        engine.scalars += SQLDialect.plainArithmetic(
            divide: "intDiv({0}, {1})", and: "bitAnd({0}, {1})", or: "bitOr({0}, {1})", xor: "bitXor({0}, {1})")
        engine.lists.elements =
            ListElements.lambda(
                exists: "arrayExists({1} -> {2}, {0})", count: "arrayCount({1} -> {2}, {0})", size: "length({0})"
            ).ofAllTypes
        engine.lists.mayBeNull = false
        engine.lists.jsonLists = [
            .integer: "has(JSONExtract({1}, 'Array(Int64)'), {0})",
            .text: "has(JSONExtract({1}, 'Array(String)'), {0})",
        ]
        engine.decimals = DecimalSupport(
            areStored: true, areBoundAsText: true, cast: { "toDecimal128({0}, \($0.scale))" })
        engine.numbers.equalitySeparatesZeros = true
        engine.subqueries.correlatesNextOnly = true
        engine.subqueries.correlationLosesNull = true
        engine.subqueries.outerJoinSetting = "join_use_nulls = 1"
        engine.subqueries.countOfNoRowsIsNull = true
        engine.texts.foldedColumnType = "String"
        engine.selection.hasIndexes = false
        engine.selection.namesResults = true
        engine.changes.returnsInserted = false
        engine.changes.refusal = "the database changes rows only by key"
        engine.limits.parameters = 1000
        // max_query_size is 256 KiB, for the whole statement.
        engine.limits.text = 240_000
        return SQLDialect(engine)
    }()
}
