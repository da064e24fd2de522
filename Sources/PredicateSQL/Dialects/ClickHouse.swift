// https://clickhouse.com/docs/sql-reference. IN hashes the bits of floats; a correlated COUNT over nothing is NULL; RE2.

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
            .data: "String", .uuid: "String", .url: "String", .rowCount: "UInt64",
        ]
        dialect.beginsWith = "startsWith({0}, {1})"
        dialect.endsWith = "endsWith({0}, {1})"
        dialect.contains = "position({0}, {1}) > 0"
        dialect.integerAsDouble = "toFloat64({0})"
        dialect.regex = RegexCapability(test: "match({0}, {1})")
        dialect.listTellsZeros = true
        dialect.outerJoinSetting = "join_use_nulls = 1"
        dialect.countOfNothingIsNull = true
        dialect.changesRows = false
        dialect.parameterLimit = 1000
        return dialect
    }()
}
