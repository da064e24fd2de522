// Writes values as JSON text into a byte buffer. TaggedJSON lists the tags.

import PredicateSyntax

enum JSONWriter {
    /// Host objects may refer to each other in a cycle, so everything below this depth is written as null.
    private static let maximumDepth = 1000

    enum Style {
        /// For any JSON reader: a date is text, a set is an array.
        case plain
        /// Every value exactly, with a tag for the kinds that JSON lacks.
        case tagged
        /// Like `tagged`, but every finite number is a JSON number.
        case answer
    }

    static func write(_ value: Value, to output: inout [UInt8], style: Style = .plain, depth: Int = 0) {
        if depth > maximumDepth { return output.append(contentsOf: "null".utf8) }
        switch value {
        case .null: output.append(contentsOf: "null".utf8)
        case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): write(integer: value, to: &output)
        case .double(let value): write(double: value, to: &output, tagged: style != .plain)
        case .float(let value) where style != .tagged && value.isFinite:
            output.append(contentsOf: value.description.utf8)
        case .decimal(let value) where style != .tagged: output.append(contentsOf: value.description.utf8)
        case .string(let text): write(text, to: &output)
        case .array(let values): write(values, to: &output, style, depth)
        case .dictionary(let dictionary):
            guard style != .plain, dictionary.keys.contains(where: { $0.hasPrefix("$") }) else {
                return write(dictionary, to: &output, style, depth)
            }
            wrap("$dictionary", &output) { write(dictionary, to: &$0, style, depth) }
        case .object(let reference):
            let keys = reference.object.publishedKeys
            let pairs = keys.map { ($0, reference.object.value(forKey: $0) ?? .null) }
            write(.dictionary(ValueDictionary(pairs)), to: &output, style: style, depth: depth)
        default:
            if style == .plain {
                writePlain(value, to: &output, depth)
            } else {
                writeTagged(value, to: &output, style, depth)
            }
        }
    }

    private static func writePlain(_ value: Value, to output: inout [UInt8], _ depth: Int) {
        switch value {
        case .date(let seconds):
            if let text = ISODate.text(seconds) {
                write(text, to: &output)
            } else {
                write(double: seconds, to: &output, tagged: false)
            }
        case .data(let bytes): write(Base64.text(bytes), to: &output)
        case .uuid(let value): write(value.description, to: &output)
        case .url(let text), .type(let text): write(text, to: &output)
        case .set(let members): write(members, to: &output, .plain, depth)
        default: output.append(contentsOf: "null".utf8)
        }
    }

    private static func writeTagged(_ value: Value, to output: inout [UInt8], _ style: Style, _ depth: Int) {
        switch value {
        case .nsNull: wrap("$null", &output) { $0.append(contentsOf: "true".utf8) }
        case .float(let value):
            wrap("$float", &output) {
                if value.isFinite {
                    $0.append(contentsOf: value.description.utf8)
                } else {
                    write(value.description, to: &$0)
                }
            }
        case .decimal(let value): wrap("$decimal", &output) { write(value.description, to: &$0) }
        case .date(let seconds): wrap("$date", &output) { write(double: seconds, to: &$0, tagged: true) }
        case .data(let bytes): wrap("$data", &output) { write(Base64.text(bytes), to: &$0) }
        case .uuid(let value): wrap("$uuid", &output) { write(value.description, to: &$0) }
        case .url(let text): wrap("$url", &output) { write(text, to: &$0) }
        case .type(let name): wrap("$class", &output) { write(name, to: &$0) }
        case .set(let members): wrap("$set", &output) { write(members, to: &$0, style, depth) }
        default: output.append(contentsOf: "null".utf8)
        }
    }

    private static func wrap(_ tag: String, _ output: inout [UInt8], _ body: (inout [UInt8]) -> Void) {
        output.append(UInt8(ascii: "{"))
        write(tag, to: &output)
        output.append(UInt8(ascii: ":"))
        body(&output)
        output.append(UInt8(ascii: "}"))
    }

    private static func write(_ values: [Value], to output: inout [UInt8], _ style: Style, _ depth: Int) {
        output.append(UInt8(ascii: "["))
        for (index, value) in values.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            write(value, to: &output, style: style, depth: depth + 1)
        }
        output.append(UInt8(ascii: "]"))
    }

    private static func write(_ dictionary: ValueDictionary, to output: inout [UInt8], _ style: Style, _ depth: Int) {
        output.append(UInt8(ascii: "{"))
        for (index, key) in dictionary.keys.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            write(key, to: &output)
            output.append(UInt8(ascii: ":"))
            write(dictionary.values[index], to: &output, style: style, depth: depth + 1)
        }
        output.append(UInt8(ascii: "}"))
    }

    private static func write(integer value: Int64, to output: inout [UInt8]) {
        if value >= 0, value < 10 { return output.append(UInt8(truncatingIfNeeded: value) + 0x30) }
        output.append(contentsOf: String(value).utf8)
    }

    /// Writes `2.0` with its fraction, so that it is read as a double again.
    private static func write(double value: Double, to output: inout [UInt8], tagged: Bool) {
        if value.isFinite {
            output.append(contentsOf: value.description.utf8)
        } else if tagged {
            wrap("$number", &output) { write(value.description, to: &$0) }
        } else {
            output.append(contentsOf: "null".utf8)
        }
    }

    static func write(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { bytes in
            var start = 0
            for (index, byte) in bytes.enumerated() where byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F {
                output.append(contentsOf: bytes[start..<index])
                start = index + 1
                switch byte {
                case 0x22, 0x5C: output.append(contentsOf: [0x5C, byte])
                case 0x0A: output.append(contentsOf: [0x5C, UInt8(ascii: "n")])
                case 0x0D: output.append(contentsOf: [0x5C, UInt8(ascii: "r")])
                case 0x09: output.append(contentsOf: [0x5C, UInt8(ascii: "t")])
                default:
                    let digits = Array("0123456789abcdef".utf8)
                    output.append(contentsOf: "\\u00".utf8)
                    output.append(contentsOf: [digits[Int(byte >> 4)], digits[Int(byte & 15)]])
                }
            }
            output.append(contentsOf: bytes[start...])
        }
        output.append(UInt8(ascii: "\""))
    }
}
