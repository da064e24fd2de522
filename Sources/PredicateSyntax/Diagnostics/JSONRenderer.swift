// Writes diagnostics as JSON for programs. The names and the order of the keys are API.

/// Writes diagnostics as a JSON array, on one line:
/// `[{"id":…,"severity":…,"message":…,"start":…,"end":…,"line":…,"column":…,"hint"?:…,"suggestions"?:[…],"fixits"?:[…]}]`.
///
/// `hint` is the text under the caret. A fix-it is `{"title":…,"edits":[{"start":…,"end":…,"replacement":…}]}`; apply
/// all of its edits or none.
/// `start` and `end` are UTF-8 offsets; `line` and `column` count from 1, columns in Unicode scalars.
package struct JSONRenderer: Sendable {
    /// The number of the text's first line, if the text is a part of a file.
    package var firstLine: Int

    package init(firstLine: Int = 1) { self.firstLine = firstLine }

    package func render(_ diagnostics: [Diagnostic], source: String) -> String {
        let lines = SourceLines(source)
        return "[" + diagnostics.map { object($0, lines) }.joined(separator: ",") + "]"
    }

    private func object(_ diagnostic: Diagnostic, _ lines: SourceLines) -> String {
        let place = lines.position(of: diagnostic.span.start)
        var fields = [
            "\"id\":" + Self.quoted(diagnostic.id.rawValue),
            "\"severity\":" + Self.quoted(diagnostic.severity.rawValue),
            "\"message\":" + Self.quoted(diagnostic.message),
            "\"start\":\(diagnostic.span.start)",
            "\"end\":\(diagnostic.span.end)",
            "\"line\":\(place.line + firstLine - 1)",
            "\"column\":\(place.column)",
        ]
        if let hint = diagnostic.label { fields.append("\"hint\":" + Self.quoted(hint)) }
        if let suggestion = diagnostic.suggestion { fields.append("\"suggestions\":[\(Self.quoted(suggestion))]") }
        if let title = diagnostic.fixTitle(lines) {
            let edits = diagnostic.fixIts.map { edit in
                "{\"start\":\(edit.span.start),\"end\":\(edit.span.end),"
                    + "\"replacement\":\(Self.quoted(edit.replacement))}"
            }
            fields.append(
                "\"fixits\":[{\"title\":\(Self.quoted(title)),\"edits\":[\(edits.joined(separator: ","))]}]")
        }
        return "{" + fields.joined(separator: ",") + "}"
    }

    /// A JSON string. Also escapes U+2028 and U+2029, which some readers treat as line breaks.
    static func quoted(_ text: String) -> String {
        let escaped = text.replacingScalars { scalar in
            switch scalar {
            case "\"", "\\": return "\\" + String(scalar)
            case "\n": return "\\n"
            case "\r": return "\\r"
            case "\t": return "\\t"
            case "\u{0}"..<"\u{20}", "\u{7F}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: return nil
            }
        }
        return "\"" + escaped + "\""
    }
}
