// https://duckdb.org/docs/stable/sql/functions/text. Texts compare by bytes; regular expressions are RE2. Since version
// 1.5, equal parts of a plan are computed once (common_subplan). DuckDB confuses the columns of such parts if they
// contain outer joins, one of them in a subquery:
//
//     SELECT COUNT(*) FROM node AS a LEFT JOIN node AS b ON b.id = a.parent WHERE NOT EXISTS
//     (SELECT 1 FROM node AS c LEFT JOIN node AS d ON d.id = c.parent WHERE c.parent = b.id AND d.x IS NULL)
//
// A part with OFFSET is never shared. This makes such joins up to twice as slow. A lateral join would cost nothing, but
// DuckDB confuses two of them, too.

extension SQLDialect {
    /// DuckDB.
    public static let duckDB: SQLDialect = {
        var engine = SQLEngine("duckdb")
        engine.names.maximumBytes = 4096
        engine.changes.hasSavepoints = false
        engine.texts.binaryCollation = "C"
        engine.bindings.placeholders = .dollar
        engine.bindings.types = [.timestamp: "TIMESTAMP", .timestampWithZone: "TIMESTAMPTZ"]
        engine.texts.tests = TextTests(
            prefix: "starts_with({0}, {1})", suffix: "ends_with({0}, {1})", anywhere: "contains({0}, {1})")
        engine.numbers.integers = (asDouble: "CAST({0} AS DOUBLE)", wide: "CAST({0} AS HUGEINT)")
        engine.texts.regex = RegexCapability(test: "regexp_matches({0}, {1})")
        engine.scalars += engine.integerArithmetic(
            divide: "CAST({0} AS HUGEINT) // NULLIF(CAST({1} AS HUGEINT), 0)",
            remainder: "CAST({0} AS HUGEINT) % NULLIF(CAST({1} AS HUGEINT), 0)")
        engine.scalars += SQLDialect.doubleArithmetic([.add, .subtract, .multiply], isNaN: "isnan")
        engine.scalars[.doubles(.divide)] = SQLDialect.doubleDivision(isMinusZero: "signbit({1})")
        engine.scalars += [
            .asInteger: "CAST({0} AS INTEGER)", .asMoment: "({0} AT TIME ZONE 'UTC')", .truncate: "trunc({0})",
            .squareRoot: SQLDialect.squareRoot("DOUBLE"),
            .length: "(length({0}) + length(regexp_replace({0}, '[^\\x{10000}-\\x{10FFFF}]', '', 'g')))",
        ]
        engine.scalars += SQLDialect.plainArithmetic(divide: "{0} // {1}", xor: "xor({0}, {1})")
        engine.scalars += dateArithmetic(
            DateSyntax(
                floor: "TRY_CAST(floor({0}) AS BIGINT)", double: "CAST({0} AS DOUBLE)", quotient: "//", fence: "",
                microseconds: "epoch_us({0})"))
        engine.lists.arrayBrackets = ("[", "]")
        engine.lists.elements = ListElements.rows("unnest({0}) AS {1}(value)").ofAllTypes
        engine.lists.jsonLists = [
            .integer: "{0} IN (SELECT unnest(from_json({1}, '[\"BIGINT\"]')))",
            .text: "{0} IN (SELECT unnest(from_json({1}, '[\"VARCHAR\"]')))",
        ]
        engine.json = json
        engine.subqueries.fencesJoins = true
        engine.numbers.nanIsGreatest = true
        engine.bindings.integer64 = "CAST({0} AS BIGINT)"
        engine.texts.foldedColumnType = "VARCHAR"
        engine.decimals = DecimalSupport(areStored: true, areBoundAsText: true, cast: DecimalSupport.standardCast)
        // DuckDB makes no keys, and refuses updates of rows that others refer to.
        engine.tableSyntax = TableSyntax(
            types: [
                .boolean: "BOOLEAN", .integer: "BIGINT", .double: "DOUBLE", .text: "VARCHAR", .date: "DOUBLE",
                .data: "BLOB", .uuid: "UUID", .timestamp: "TIMESTAMP", .timestampWithZone: "TIMESTAMPTZ",
            ],
            identity: " PRIMARY KEY", foreignKeys: .nowhere,
            names: TableSyntax.names(in: "current_schema()", "VARCHAR"))
        return SQLDialect(engine)
    }()

    /// https://duckdb.org/docs/stable/data/json/json_functions.
    private static let json: JSONSupport = {
        func value(_ kinds: String, as type: String? = nil) -> SQLTemplate {
            let text = "json_extract_string({0}, '{1}')"
            let value =
                type.map { "TRY_CAST(\(text) AS \($0))" } ?? "CASE WHEN NOT contains(\(text), chr(0)) THEN \(text) END"
            return "CASE WHEN json_type({0}, '{1}') IN (\(kinds)) THEN \(value) END"
        }
        let integers = "'BIGINT', 'UBIGINT', 'HUGEINT', 'UHUGEINT'"
        return JSONSupport(
            values: [
                .text: value("'VARCHAR'"), .boolean: value("'BOOLEAN'", as: "BOOLEAN"),
                .integer: value(integers, as: "BIGINT"), .double: value("\(integers), 'DOUBLE'", as: "DOUBLE"),
            ],
            list: "CASE WHEN json_type({0}, '{1}') = 'ARRAY' THEN json_extract({0}, '{1}') END",
            rows: "unnest(CAST({0} AS JSON[])) AS {1}(value)", hasIndexes: false)
    }()
}
