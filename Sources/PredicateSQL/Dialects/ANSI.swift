// ISO/IEC 9075: what every engine should understand; no regular expressions, no functions beyond the core.

extension Dialect {
    /// Standard SQL, for an engine that is not listed.
    public static let ansi: Dialect = {
        var dialect = Dialect("ansi")
        dialect.comparesTextByCodePoint = false
        dialect.parameterLimit = 1000
        return dialect
    }()
}
