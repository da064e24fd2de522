// https://duckdb.org/docs/stable/sql/functions/text. Binary texts; RE2.

extension Dialect {
    /// DuckDB.
    public static let duckDB: Dialect = {
        var dialect = Dialect("duckdb")
        dialect.identifierBytes = 4096
        dialect.placeholders = .dollar
        dialect.beginsWith = "starts_with({0}, {1})"
        dialect.endsWith = "ends_with({0}, {1})"
        dialect.contains = "contains({0}, {1})"
        dialect.integerAsDouble = "CAST({0} AS DOUBLE)"
        dialect.regex = RegexCapability(test: "regexp_full_match({0}, {1})")
        return dialect
    }()
}
