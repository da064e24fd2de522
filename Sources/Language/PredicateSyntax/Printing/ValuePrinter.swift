// Prints constants (LANGUAGE 6.1, rules 4 to 8).

/// Prints values like predicateFormat. It rounds without library functions, because this target imports nothing.
enum ValuePrinter {
    static func write(_ value: PredicateValue, into text: inout String) {
        switch value {
        case .null: text += "nil"
        case .nsNull: text += "<null>"
        case .bool(let value): text += value ? "1" : "0"
        case .integer(let value): text += String(value)
        case .float(let value): text += value.description
        case .double(let value): text += value.description
        case .decimal(let value): text += value.description
        case .string(let value): writeQuoted(value, into: &text)
        case .date(let seconds): text += "CAST(" + fixed(seconds) + ", \"NSDate\")"
        case .data(let bytes): text += data(bytes)
        case .uuid(let value): text += value.description
        case .url(let value), .type(let value): text += value
        case .array(let elements), .set(let elements): writeList(elements, into: &text)
        case .dictionary(let dictionary): write(dictionary, into: &text)
        case .object(let reference): text += "<" + reference.object.typeName + ">"
        }
    }

    /// Prints a value so that it parses to an equal constant. Values without a literal form have a tag. Arrays also
    /// have a tag, because `{1, 2}` parses to a list of expressions; arrays inside a tagged value need none.
    static func writeTagged(_ value: PredicateValue, into text: inout String) {
        switch value {
        case .bool(let value): text += value ? "YES" : "NO"
        case .double(let number) where !number.isFinite:
            writeCast(.string(number.description), ValueTag.double.rawValue, into: &text)
        case .array: writeCast(value, ValueTag.array.rawValue, into: &text)
        default:
            guard let (tag, body) = value.tagged else { return write(value, into: &text) }
            writeCast(body, tag.rawValue, into: &text)
        }
    }

    /// Prints a value like predicateFormat if that can be read again as the value, else with a tag.
    static func writeReadable(_ value: PredicateValue, into text: inout String) {
        switch value {
        case .null, .bool, .integer, .string: write(value, into: &text)
        case .double(let number) where number.isFinite: write(value, into: &text)
        case .date(let seconds) where seconds.isFinite && Double(fixed(seconds)) == seconds: write(value, into: &text)
        case .array(let elements): writeList(elements, into: &text) { writeReadable($0, into: &$1) }
        default: writeTagged(value, into: &text)
        }
    }

    /// `CAST(1.5, "$date")`
    static func writeCast(_ body: PredicateValue, _ tag: String, into text: inout String) {
        text += "CAST("
        writeBody(body, into: &text)
        text += ", "
        writeQuoted(tag, into: &text)
        text += ")"
    }

    private static func writeBody(_ body: PredicateValue, into text: inout String) {
        guard case .array(let elements) = body else { return writeTagged(body, into: &text) }
        writeList(elements, into: &text) { writeBody($0, into: &$1) }
    }

    /// Prints a text in double quotes and escapes `\` and `"`.
    private static func writeQuoted(_ value: String, into text: inout String) {
        text += "\""
        if value.utf8.contains(where: { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "\"") }) {
            for scalar in value.unicodeScalars {
                if scalar == "\\" || scalar == "\"" { text.unicodeScalars.append("\\") }
                text.unicodeScalars.append(scalar)
            }
        } else {
            text += value
        }
        text += "\""
    }

    private static func writeList(
        _ elements: [PredicateValue], into text: inout String,
        _ write: (PredicateValue, inout String) -> Void = { writeElement($0, into: &$1) }
    ) {
        text += "{"
        for (position, element) in elements.enumerated() {
            if position > 0 { text += ", " }
            write(element, &text)
        }
        text += "}"
    }

    private static func write(_ dictionary: ValueDictionary, into text: inout String) {
        text += "{"
        for (position, (key, value)) in zip(dictionary.keys, dictionary.values).enumerated() {
            if position > 0 { text += ", " }
            text += key + "="
            writeElement(value, into: &text)
        }
        text += "}"
    }

    /// Prints an element of a collection. Apple prints a date's description there.
    private static func writeElement(_ element: PredicateValue, into text: inout String) {
        if case .date(let seconds) = element {
            text += CalendarDate(secondsSince2001: seconds).map { $0.description } ?? seconds.description
        } else {
            write(element, into: &text)
        }
    }

    /// `{length = 3, bytes = 0x010203}`
    private static func data(_ bytes: [UInt8]) -> String {
        let shown = bytes.prefix(24).map { String($0, radix: 16).zeroPadded(to: 2) }.joined()
        return "{length = \(bytes.count), bytes = 0x\(shown)\(bytes.count > 24 ? " ..." : "")}"
    }

    /// Formats with six decimals, like printf's `%f`.
    static func fixed(_ value: Double) -> String {
        guard value.isFinite, value.magnitude < 1e15 else { return value.description }
        var whole = Int64(value.magnitude)
        let scaled = (value.magnitude - Double(whole)) * 1e6
        var millionths = Int64(scaled)
        let rest = scaled - Double(millionths)
        if rest > 0.5 || (rest == 0.5 && millionths % 2 == 1) { millionths += 1 }
        if millionths == 1_000_000 {
            whole += 1
            millionths = 0
        }
        let sign = value < 0 && (whole > 0 || millionths > 0) ? "-" : ""
        return "\(sign)\(whole).\(String(millionths).zeroPadded(to: 6))"
    }
}
