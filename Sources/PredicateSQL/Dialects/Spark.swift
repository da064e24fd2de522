// https://spark.apache.org/docs/latest/api/sql/. UTF8_BINARY texts; every parameter is cast; Java's regular expressions,
// whose `$` matches before a final newline.

extension Dialect {
    /// Spark SQL in ANSI mode.
    public static let spark: Dialect = {
        var dialect = Dialect("spark")
        dialect.quote = "`"
        dialect.identifierBytes = 255
        dialect.placeholders = .named
        dialect.types = [
            .boolean: "BOOLEAN", .integer: "BIGINT", .double: "DOUBLE", .text: "STRING", .date: "DOUBLE",
            .data: "BINARY", .uuid: "STRING", .url: "STRING", .rowCount: "INT",
        ]
        dialect.sameOrBothNull = "{0} <=> {1}"
        dialect.notSame = "NOT ({0} <=> {1})"
        dialect.beginsWith = "startswith({0}, {1})"
        dialect.endsWith = "endswith({0}, {1})"
        dialect.contains = "contains({0}, {1})"
        dialect.integerAsDouble = "CAST({0} AS DOUBLE)"
        dialect.regex = RegexCapability(
            test: "rlike({0}, {1})", opening: "\\A(?:", closing: ")\\z", backtracks: true)
        dialect.changesRows = false
        dialect.parameterLimit = 5000
        dialect.nestingLimit = 60
        return dialect
    }()
}
