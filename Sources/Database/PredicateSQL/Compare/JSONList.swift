// Lists as JSON: a long list bound as one value, and the value of a list attribute.

enum JSONList {
    /// The list as one value that every engine reads unchanged: integers, and texts without U+0000. nil if an element is
    /// of another kind.
    static func text(_ values: [PredicateValue]) -> String? {
        var text = "["
        for (index, value) in values.enumerated() {
            if index > 0 { text += "," }
            switch value {
            case .integer(let number): text += String(number)
            case .string(let string):
                guard !string.utf8.contains(0) else { return nil }
                add(string, to: &text)
            default: return nil
            }
        }
        return text + "]"
    }

    /// The text in which a column stores a list, or an element of it. A date is the number of its seconds.
    static func stored(_ value: PredicateValue) -> String {
        switch value {
        case .bool(let flag): return flag ? "true" : "false"
        case .integer(let number): return String(number)
        case .double(let number), .date(let number): return number.isFinite ? number.description : "null"
        case .float(let number): return number.isFinite ? number.description : "null"
        case .decimal(let number): return number.description
        case .array(let elements), .set(let elements):
            return "[" + elements.map(stored).joined(separator: ",") + "]"
        case .null, .nsNull, .dictionary, .object: return "null"
        case .data(let bytes): return quoted(Base64.text(bytes))
        case .uuid(let id): return quoted(id.description)
        case .string(let text), .url(let text), .type(let text): return quoted(text)
        }
    }

    private static func quoted(_ string: String) -> String {
        var text = ""
        add(string, to: &text)
        return text
    }

    private static func add(_ string: String, to text: inout String) {
        text += "\""
        defer { text += "\"" }
        if string.utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
            return text += string
        }
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\" + String(scalar)
            case _ where scalar.value < 0x20:
                text += "\\u" + String(scalar.value, radix: 16).zeroPadded(to: 4)
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
