// Parses LIKE patterns (LANGUAGE C 11): two wildcards and a backslash.

enum GlobParser {
    static func parse(_ text: String) -> PatternSyntax {
        var parts: [PatternSyntax] = []
        var run: [UInt32] = []
        var escaped = false
        func close() {
            if !run.isEmpty { parts.append(.literal(run, ignoresCase: false)) }
            run = []
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case _ where escaped:
                run.append(scalar.value)
                escaped = false
            case "\\": escaped = true
            case "*":
                close()
                if parts.last != .anything { parts.append(.anything) }
            case "?":
                close()
                parts.append(.set(.empty, isNegated: true))
            default: run.append(scalar.value)
            }
        }
        // A backslash at the end represents itself.
        if escaped { run.append(UInt32(UInt8(ascii: "\\"))) }
        close()
        return .joined(parts)
    }
}
