// Writes values as JSON text into a byte buffer. For exact output, TaggedValue adds tags first.

enum JSONWriter {
    /// Values below this depth are written as null, because objects of the app may refer to each other in a cycle.
    private static let maximumDepth = 1000

    /// Writes in the form for any JSON reader: a date is text, a set is an array.
    static func write(_ value: PredicateValue, to output: inout [UInt8], depth: Int = 0) {
        if depth > maximumDepth { return output.append(contentsOf: "null".utf8) }
        switch value {
        case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): write(integer: value, to: &output)
        case .double(let value): write(double: value, to: &output)
        case .float(let value) where value.isFinite: output.append(contentsOf: value.description.utf8)
        case .decimal(let value): output.append(contentsOf: value.description.utf8)
        case .string(let text): write(text, to: &output)
        case .array(let values), .set(let values): write(values, to: &output, depth)
        case .dictionary(let dictionary): write(dictionary, to: &output, depth)
        case .object(let reference): write(reference.object.record, to: &output, depth)
        case .date(let seconds):
            if let text = CalendarDate.iso8601(seconds) {
                write(text, to: &output)
            } else {
                write(double: seconds, to: &output)
            }
        case .data(let bytes): write(Base64.text(bytes), to: &output)
        case .uuid(let value): write(value.description, to: &output)
        case .url(let text), .type(let text): write(text, to: &output)
        case .null, .nsNull, .float: output.append(contentsOf: "null".utf8)
        }
    }

    private static func write(_ values: [PredicateValue], to output: inout [UInt8], _ depth: Int) {
        output.append(UInt8(ascii: "["))
        for (index, value) in values.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            write(value, to: &output, depth: depth + 1)
        }
        output.append(UInt8(ascii: "]"))
    }

    /// Writes the values of a dictionary, each after its text from `heads`.
    static func write(_ dictionary: ValueDictionary, heads: [[UInt8]], to output: inout [UInt8]) {
        for (index, head) in heads.enumerated() {
            output.append(contentsOf: head)
            write(dictionary.values[index], to: &output, depth: 1)
        }
        output.append(UInt8(ascii: "}"))
    }

    /// The texts that precede the values of a dictionary: `{"name":`, `,"age":`. nil if there are no keys.
    static func heads(of keys: [String]) -> [[UInt8]]? {
        if keys.isEmpty { return nil }
        return keys.enumerated().map { index, key in
            var head = [UInt8(ascii: index == 0 ? "{" : ",")]
            write(key, to: &head)
            head.append(UInt8(ascii: ":"))
            return head
        }
    }

    private static func write(_ dictionary: ValueDictionary, to output: inout [UInt8], _ depth: Int) {
        output.append(UInt8(ascii: "{"))
        for (index, key) in dictionary.keys.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            write(key, to: &output)
            output.append(UInt8(ascii: ":"))
            write(dictionary.values[index], to: &output, depth: depth + 1)
        }
        output.append(UInt8(ascii: "}"))
    }

    private static func write(integer value: Int64, to output: inout [UInt8]) {
        if value >= 0, value < 10 { return output.append(UInt8(truncatingIfNeeded: value) + 0x30) }
        output.append(contentsOf: String(value).utf8)
    }

    /// Writes a point even for whole numbers, `2.0`, so that they are read as doubles again.
    private static func write(double value: Double, to output: inout [UInt8]) {
        output.append(contentsOf: (value.isFinite ? value.description : "null").utf8)
    }

    static func write(_ text: String, to output: inout [UInt8]) {
        let (quotes, escapes, deletes) = (ByteWord.repeating(0x22), ByteWord.repeating(0x5C), ByteWord.repeating(0x7F))
        output.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { bytes in
            guard let base = bytes.baseAddress else { return }
            var (at, seen) = (0, UInt64(0))
            while true {
                let start = at
                ByteWord.pass(base, bytes.count, &at, &seen) { word in
                    ByteWord.find(quotes, in: word) | ByteWord.find(escapes, in: word)
                        | ByteWord.find(deletes, in: word) | ByteWord.findControls(in: word)
                } orIn: { pair in
                    ByteWord.find(quotes, in: pair) | ByteWord.find(escapes, in: pair)
                        | ByteWord.find(deletes, in: pair) | ByteWord.findControls(in: pair)
                }
                output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<at]))
                guard at < bytes.count else { break }
                escape(bytes[at], to: &output)
                at += 1
            }
        }
        output.append(UInt8(ascii: "\""))
    }

    private static func escape(_ byte: UInt8, to output: inout [UInt8]) {
        output.append(0x5C)
        switch byte {
        case 0x22, 0x5C: output.append(byte)
        case 0x0A: output.append(UInt8(ascii: "n"))
        case 0x0D: output.append(UInt8(ascii: "r"))
        case 0x09: output.append(UInt8(ascii: "t"))
        default:
            let digits = Array("0123456789abcdef".utf8)
            output.append(contentsOf: "u00".utf8)
            output.append(contentsOf: [digits[Int(byte >> 4)], digits[Int(byte & 15)]])
        }
    }
}
