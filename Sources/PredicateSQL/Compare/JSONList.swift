// A long list bound as one JSON value. Only for values that every engine reads from JSON unchanged: integers,
// and texts without U+0000.
import PredicateSyntax

enum JSONList {
    /// nil if an element is of another kind.
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

    private static func add(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\" + String(scalar)
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
