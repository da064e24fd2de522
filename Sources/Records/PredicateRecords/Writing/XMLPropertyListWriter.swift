// Writes XML property lists element by element. The format has no nil, so nil members are left out. Sets become arrays.
// Decimals become reals, but integers from 2^63 to 2^64 - 1 stay integers. UUIDs, URLs and classes become strings, and dates
// are truncated to whole seconds. XML cannot hold some characters: a text with one of them is an error.

enum XMLPropertyListWriter {
    private static let maximumDepth = 1000

    static func begin(_ output: inout [UInt8]) {
        output +=
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <array>

            """.utf8
    }

    static func end(_ output: inout [UInt8]) { output += "</array>\n</plist>\n".utf8 }

    static func write(_ value: PredicateValue, to output: inout [UInt8], indent: Int) throws(OutputProblem) {
        if value.isNil || indent > maximumDepth { return }
        output += repeatElement(0x09, count: indent)
        switch value {
        case .null, .nsNull: break
        case .bool(let flag): output += (flag ? "<true/>" : "<false/>").utf8
        case .integer(let number): try element("integer", "\(number)", &output)
        case .float(let number): try element("real", "\(number)", &output)
        case .double(let number): try element("real", "\(number)", &output)
        case .decimal(let number):
            try element(UInt64("\(number)") ?? 0 > Int64.max ? "integer" : "real", "\(number)", &output)
        case .string(let text), .url(let text), .type(let text): try element("string", text, &output)
        case .uuid(let id): try element("string", id.description, &output)
        case .data(let bytes): try element("data", Base64.text(bytes), &output)
        case .date(let seconds):
            if let text = CalendarDate.iso8601(seconds.rounded(.down)) {
                try element("date", text, &output)
            } else {
                try element("real", "\(seconds)", &output)
            }
        case .array(let elements), .set(let elements):
            output += "<array>\n".utf8
            for element in elements { try write(element, to: &output, indent: indent + 1) }
            output += repeatElement(0x09, count: indent)
            output += "</array>".utf8
        case .dictionary(let dictionary): try write(dictionary, to: &output, indent)
        case .object(let reference): try write(reference.object.record, to: &output, indent)
        }
        output.append(0x0A)
    }

    private static func write(
        _ dictionary: ValueDictionary, to output: inout [UInt8], _ indent: Int
    ) throws(OutputProblem) {
        output += "<dict>\n".utf8
        for (key, value) in zip(dictionary.keys, dictionary.values) where !value.isNil && indent < maximumDepth {
            output += repeatElement(0x09, count: indent + 1)
            try element("key", key, &output)
            output.append(0x0A)
            try write(value, to: &output, indent: indent + 1)
        }
        output += repeatElement(0x09, count: indent)
        output += "</dict>".utf8
    }

    private static func element(_ name: String, _ text: String, _ output: inout [UInt8]) throws(OutputProblem) {
        output += "<\(name)>".utf8
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): output += "&amp;".utf8
            case UInt8(ascii: "<"): output += "&lt;".utf8
            case UInt8(ascii: ">"): output += "&gt;".utf8
            // A reader converts a carriage return to a newline.
            case 0x0D: output += "&#13;".utf8
            case 0..<0x20 where byte != 0x09 && byte != 0x0A: throw unwritable(Unicode.Scalar(byte))
            case 0xBE, 0xBF:
                output.append(byte)
                if output.suffix(3).starts(with: [0xEF, 0xBF]) {
                    throw unwritable(byte == 0xBE ? "\u{FFFE}" : "\u{FFFF}")
                }
            default: output.append(byte)
            }
        }
        output += "</\(name)>".utf8
    }

    /// https://www.w3.org/TR/xml/#charsets
    private static func unwritable(_ scalar: Unicode.Scalar) -> OutputProblem {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let code = String(repeating: "0", count: 4 - digits.count) + digits
        return .failed("a text has U+\(code), which property lists in XML cannot hold; JSON can")
    }
}
