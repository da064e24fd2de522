// Recovery from other ways to find an element in a test of a user interface: class chains of Appium and XPath.

extension PredicateParser {
    private static let type = "XCUIElementType"

    /// Reports a text that as a whole is a class chain, ``**/XCUIElementTypeCell[`name == "a"`]``, an XPath,
    /// `//XCUIElementTypeCell[@name="a"]`, or a predicate in back-ticks. Returns whether it is one of them.
    mutating func reportElementPath() -> Bool {
        guard token.start < bytes.count else { return false }
        switch bytes[token.start] {
        case UInt8(ascii: "`"), UInt8(ascii: "*"), UInt8(ascii: "/"), UInt8(ascii: "X"):
            return reportElementPath(at: token.start)
        default: return false
        }
    }

    // A function of its own, because few texts begin with these signs.
    @inline(never) private mutating func reportElementPath(at start: Int) -> Bool {
        let end = (bytes.lastIndex { !Lexer.isSpace($0) } ?? start) + 1
        let span = SourceSpan(start, end)
        switch byte(start) {
        case "`": return reportBackticks(span)
        case "*": guard byte(start + 1) == "*", byte(start + 2) == "/" else { return false }
        case "/":
            let path = text(span)
            guard [Self.type, "[@", "(@"].contains(where: path.contains) else { return false }
            report(
                .elementPath, at: span, "an XPath", "write conditions for the attributes", suggestion: condition(span))
            return true
        case "X":
            guard text(token.span).hasPrefix(Self.type), ["/", "["].contains(byte(token.end)), isPath(span) else {
                return false
            }
        default: return false
        }
        let advice = text(span).contains("`") ? "the predicate is the text between the back-ticks" : ""
        report(.elementPath, at: span, "a class chain", advice, suggestion: condition(span))
        return true
    }

    /// Whether the text has no comparison outside of brackets. `XCUIElementTypeCell[0] == 1` is a predicate about a key.
    private func isPath(_ span: SourceSpan) -> Bool {
        var depth = 0
        return text(span).allSatisfy { character in
            if character == "[" { depth += 1 }
            if character == "]" { depth -= 1 }
            return depth > 0 || !" =<>!".contains(character)
        }
    }

    private mutating func reportBackticks(_ span: SourceSpan) -> Bool {
        let inner = text(span).dropFirst().dropLast()
        guard byte(span.end - 1) == "`", inner.contains(" "), !inner.contains("`") else { return false }
        report(
            .unexpectedCharacter, at: SourceSpan(span.start, span.start + 1), "`", "remove both back-ticks",
            fixIts: [
                .init(SourceSpan(span.start, span.start + 1), ""), .init(SourceSpan(span.end - 1, span.end), ""),
            ])
        return true
    }

    /// The predicate for a path of one element: its type and the condition in its brackets. Nil if there are more
    /// elements, or if the condition is not one of a predicate.
    private func condition(_ span: SourceSpan) -> String? {
        let path = text(span).drop { $0 == "*" || $0 == "/" }
        let name = path.prefix { $0 != "[" && $0 != "/" }
        var rest = path.dropFirst(name.count)
        // The number of the element among several is no attribute.
        if let index = rest.lastIndex(of: "["), index > rest.startIndex,
            rest[index...].allSatisfy({ "[-]".contains($0) || $0.isNumber })
        {
            rest = rest[..<index]
        }
        guard name == "*" || name.hasPrefix(Self.type) else { return nil }
        let isAny = name == "*" || name == Self.type + "Any"
        var parts = isAny ? [] : ["type == \"\(name)\""]
        if let open = rest.first {
            guard open == "[", rest.last == "]" else { return nil }
            let inner = rest.dropFirst().dropLast()
            let content = inner.filter { $0 != "`" && $0 != "@" }
            guard inner.filter({ $0 == "[" || $0 == "]" || $0 == "(" }).isEmpty else { return nil }
            if !content.allSatisfy({ $0.isNumber || $0 == "-" }) {
                let isOr = content.uppercased().contains(" OR ") || content.contains("||")
                parts.append(isOr && !isAny ? "(\(content))" : content)
            }
        }
        return parts.isEmpty ? nil : parts.joined(separator: " AND ")
    }
}
