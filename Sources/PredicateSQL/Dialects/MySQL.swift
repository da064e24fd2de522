// https://mariadb.com/kb/en/string-functions/. A text column must be `utf8mb4_nopad_bin` (MySQL: `utf8mb4_0900_bin`):
// `utf8mb4_bin` pads. Its regular expressions backtrack, and answer 0 where they give up.

extension Dialect {
    /// MariaDB and MySQL, whose text columns must have a binary collation that does not pad.
    public static let mySQL: Dialect = {
        var dialect = Dialect("mysql")
        dialect.quote = "`"
        dialect.sameOrBothNull = "{0} <=> {1}"
        dialect.notSame = "NOT ({0} <=> {1})"
        dialect.beginsWith = "LEFT({0}, CHAR_LENGTH({1})) = {1}"
        dialect.endsWith = "RIGHT({0}, CHAR_LENGTH({1})) = {1}"
        dialect.contains = "INSTR({0}, {1}) > 0"
        dialect.integerAsDouble = "CAST({0} AS DOUBLE)"
        dialect.regex = RegexCapability(
            test: "{0} REGEXP {1}", opening: "\\A(?:", closing: ")\\z", backtracks: true)
        dialect.storesInfinity = false
        dialect.storesDecimals = true
        dialect.comparesTextByCodePoint = false
        dialect.ordersNulls = false
        dialect.limitOfAll = "18446744073709551615"
        dialect.aliasesDeleted = false
        dialect.parameterLimit = 65_535
        return dialect
    }()
}
