// ISO/IEC 9075: what every engine should understand; no regular expressions, no functions beyond the core.

extension Dialect {
    /// Standard SQL, for an engine that is not listed.
    public static let ansi: Dialect = {
        var dialect = Dialect("ansi")
        dialect.scalars = [.negative: "(- {0})", .absolute: "ABS({0})"]
        dialect.comparesTextByCodePoint = false
        dialect.types = [.timestamp: "TIMESTAMP(6)", .timestampWithZone: "TIMESTAMP(6) WITH TIME ZONE"]
        dialect.parameterLimit = 1000
        return dialect
    }()
}
