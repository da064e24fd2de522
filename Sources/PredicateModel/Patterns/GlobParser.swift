// Parses LIKE patterns (LANGUAGE C 11): two wildcards and a backslash.

enum GlobParser {
    static func parse(_ text: String) -> RegularPattern {
        var parts: [RegularPattern] = []
        var escaped = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case _ where escaped:
                parts.append(.set(CodePointSet(scalar.value)))
                escaped = false
            case "\\": escaped = true
            case "*": if parts.last != .anything { parts.append(.anything) }
            case "?": parts.append(.set(.all))
            default: parts.append(.set(CodePointSet(scalar.value)))
            }
        }
        // A backslash at the end stands for itself.
        if escaped { parts.append(.set(CodePointSet(UInt32(UInt8(ascii: "\\"))))) }
        return .joined(parts)
    }
}
