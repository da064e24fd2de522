// Standard SQL (ISO/IEC 9075), which every engine should accept. It has no regular expressions and no functions outside
// of the core.

extension SQLDialect {
    /// Standard SQL, for engines without their own dialect.
    public static let ansi: SQLDialect = {
        var engine = SQLEngine("ansi")
        engine.scalars = [.negative: "(- {0})", .absolute: "ABS({0})"]
        engine.texts.comparesByCodePoint = false
        engine.bindings.types = [.timestamp: "TIMESTAMP(6)", .timestampWithZone: "TIMESTAMP(6) WITH TIME ZONE"]
        engine.limits.parameters = 1000
        return SQLDialect(engine)
    }()
}
