// https://clickhouse.com/docs/sql-reference. RE2. Three equalities under OR become IN, and a correlated subquery becomes a
// join: both hash the bits of floats, the join loses NULL, and a COUNT over nothing is NULL.

extension Dialect {
    /// ClickHouse, whose session must have `join_use_nulls = 1` for to-one paths.
    public static let clickHouse: Dialect = {
        var dialect = Dialect("clickhouse")
        dialect.quote = "`"
        dialect.escapesBackslashInNames = true
        dialect.identifierBytes = 200
        dialect.placeholders = .braces
        dialect.types = [
            .boolean: "Bool", .integer: "Int64", .double: "Float64", .text: "String", .date: "Float64",
            .data: "String", .uuid: "String", .url: "String",
        ]
        dialect.beginsWith = "startsWith({0}, {1})"
        dialect.endsWith = "endsWith({0}, {1})"
        dialect.contains = "position({0}, {1}) > 0"
        dialect.integerAsDouble = "toFloat64({0})"
        dialect.regex = RegexCapability(test: "match({0}, {1})")
        dialect.equalityTellsZeros = true
        dialect.correlationLosesNull = true
        dialect.outerJoinSetting = "join_use_nulls = 1"
        dialect.countOfNothingIsNull = true
        dialect.parameterLimit = 1000
        return dialect
    }()
}
