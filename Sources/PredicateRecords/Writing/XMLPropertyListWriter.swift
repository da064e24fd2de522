// Writes XML property lists element by element. The format has no nil, so nil members are left out. Sets become arrays,
// decimals become reals, UUIDs, URLs and classes become strings, and dates are truncated to whole seconds.

import PredicateSyntax

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

    static func write(_ value: PredicateValue, to output: inout [UInt8], indent: Int) {
        if value.isNil || indent > maximumDepth { return }
        output += repeatElement(0x09, count: indent)
        switch value {
        case .null, .nsNull: break
        case .bool(let flag): output += (flag ? "<true/>" : "<false/>").utf8
        case .integer(let number): element("integer", "\(number)", &output)
        case .float(let number): element("real", "\(number)", &output)
        case .double(let number): element("real", "\(number)", &output)
        case .decimal(let number): element("real", "\(number)", &output)
        case .string(let text), .url(let text), .type(let text): element("string", text, &output)
        case .uuid(let id): element("string", id.description, &output)
        case .data(let bytes): element("data", Base64.text(bytes), &output)
        case .date(let seconds):
            if let text = CalendarDate.iso8601(seconds.rounded(.down)) {
                element("date", text, &output)
            } else {
                element("real", "\(seconds)", &output)
            }
        case .array(let elements), .set(let elements):
            output += "<array>\n".utf8
            for element in elements { write(element, to: &output, indent: indent + 1) }
            output += repeatElement(0x09, count: indent)
            output += "</array>".utf8
        case .dictionary(let dictionary): write(dictionary, to: &output, indent)
        case .object(let reference):
            let keys = reference.object.publishedKeys
            let pairs = keys.map { ($0, reference.object.value(forKey: $0) ?? .null) }
            write(ValueDictionary(pairs), to: &output, indent)
        }
        output.append(0x0A)
    }

    private static func write(_ dictionary: ValueDictionary, to output: inout [UInt8], _ indent: Int) {
        output += "<dict>\n".utf8
        for (key, value) in zip(dictionary.keys, dictionary.values) where !value.isNil && indent < maximumDepth {
            output += repeatElement(0x09, count: indent + 1)
            element("key", key, &output)
            output.append(0x0A)
            write(value, to: &output, indent: indent + 1)
        }
        output += repeatElement(0x09, count: indent)
        output += "</dict>".utf8
    }

    private static func element(_ name: String, _ text: String, _ output: inout [UInt8]) {
        output += "<\(name)>".utf8
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): output += "&amp;".utf8
            case UInt8(ascii: "<"): output += "&lt;".utf8
            case UInt8(ascii: ">"): output += "&gt;".utf8
            default: output.append(byte)
            }
        }
        output += "</\(name)>".utf8
    }
}
