// Reads an XML property list as a value. Keeps Booleans, the order of keys, the line of an error, and the `CF$UID` of
// keyed archives. MarkupScanner reads the tags and texts.

struct XMLPropertyList {
    private typealias Tag = MarkupScanner.Tag

    private var scanner: MarkupScanner
    private var shapes = ShapeCache()

    static func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws(DocumentProblem) -> PredicateValue {
        var reader = XMLPropertyList(scanner: MarkupScanner(bytes))
        var tag = try reader.tag()
        let root = tag?.name == "plist" && tag?.isClosing == false && tag?.isEmpty == false
        if root { tag = try reader.tag() }
        guard let tag, !tag.isClosing else { throw reader.scanner.fault("a value is expected") }
        let value = try reader.value(tag, depth: 0)
        if root { try reader.close("plist") }
        if try reader.tag() != nil { throw reader.scanner.fault("text after the property list") }
        return value
    }

    // MARK: Values

    private mutating func value(_ tag: Tag, depth: Int) throws(DocumentProblem) -> PredicateValue {
        try DocumentProblem.check(depth: depth, at: scanner.at)
        switch tag.name {
        case "true", "false":
            if !tag.isEmpty { try close(tag.name) }
            return .bool(tag.name == "true")
        case "array": return try array(tag, depth)
        case "dict": return try dictionary(tag, depth)
        case "string": return .string(try text(tag))
        case "integer", "real", "date", "data":
            let text = try text(tag)
            guard let value = scalar(tag.name, text.filter { !$0.isWhitespace || tag.name == "date" }) else {
                throw DocumentProblem(
                    offset: tag.offset, message: "not the text of <\(tag.name)>: '\(text.prefix(40))'")
            }
            return value
        default:
            throw scanner.fault("<\(tag.name)> is not an element of property lists", at: tag.offset)
        }
    }

    private func scalar(_ name: String, _ text: String) -> PredicateValue? {
        switch name {
        case "integer":
            let isHexadecimal = text.hasPrefix("0x") || text.hasPrefix("0X")
            if isHexadecimal { return Int64(text.dropFirst(2), radix: 16).map(PredicateValue.integer) }
            if let number = Int64(text) { return .integer(number) }
            return text.contains(where: { ".eE".contains($0) }) ? nil : DecimalNumber(text).map(PredicateValue.decimal)
        case "real": return Double(text).map(PredicateValue.double)
        case "date": return CalendarDate.seconds(iso8601: text).map(PredicateValue.date)
        default: return Base64.bytes(text).map(PredicateValue.data)
        }
    }

    private mutating func array(_ tag: Tag, _ depth: Int) throws(DocumentProblem) -> PredicateValue {
        var values: [PredicateValue] = []
        while let next = try next(in: tag) { values.append(try value(next, depth: depth + 1)) }
        return .array(values)
    }

    private mutating func dictionary(_ tag: Tag, _ depth: Int) throws(DocumentProblem) -> PredicateValue {
        var keys: [String] = []
        var values: [PredicateValue] = []
        while let next = try next(in: tag) {
            guard next.name == "key" else { throw scanner.fault("<key> is expected", at: next.offset) }
            let key = try text(next)
            guard let valueTag = try self.tag(), !valueTag.isClosing else {
                throw scanner.fault("the key '\(key.prefix(40))' has no value")
            }
            keys.append(key)
            values.append(try value(valueTag, depth: depth + 1))
        }
        return .dictionary(shapes.dictionary(keys, values))
    }

    // MARK: Tags and texts

    /// Reads the next tag; nil at the end.
    private mutating func tag() throws(DocumentProblem) -> Tag? {
        while let piece = try scanner.next() {
            switch piece {
            case .tag(let tag): return tag
            case .text(let range) where scanner.isBlank(range): continue
            case .text(let range), .character(_, let range):
                throw scanner.fault("text where a tag is expected", at: range.lowerBound)
            }
        }
        return nil
    }

    /// Reads the next opening tag inside an element; nil after its closing tag.
    private mutating func next(in tag: Tag) throws(DocumentProblem) -> Tag? {
        if tag.isEmpty { return nil }
        guard let next = try self.tag() else { throw scanner.fault("<\(tag.name)> is not closed") }
        guard next.isClosing else { return next }
        try expect(next, tag.name)
        return nil
    }

    private mutating func close(_ name: String) throws(DocumentProblem) {
        guard let tag = try tag() else { throw scanner.fault("<\(name)> is not closed") }
        try expect(tag, name)
    }

    private func expect(_ tag: Tag, _ name: String) throws(DocumentProblem) {
        guard tag.isClosing, tag.name == name else { throw scanner.fault("</\(name)> is expected", at: tag.offset) }
    }

    /// Reads the text of an element and its closing tag.
    private mutating func text(_ tag: Tag) throws(DocumentProblem) -> String {
        if tag.isEmpty { return "" }
        var text: [UInt8] = []
        while let piece = try scanner.next() {
            switch piece {
            case .text(let range): text.append(contentsOf: scanner.bytes[range])
            case .character(let scalar, _): text.append(contentsOf: String(scalar).utf8)
            case .tag(let closing):
                try expect(closing, tag.name)
                guard let string = String(validUTF8: text) else {
                    throw scanner.fault("a byte sequence that is not UTF-8", at: tag.offset)
                }
                return string
            }
        }
        throw scanner.fault("<\(tag.name)> is not closed")
    }
}
