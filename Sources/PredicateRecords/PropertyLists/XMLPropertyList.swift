// A reader of XML property lists that keeps Booleans, the order of keys, the line of an error, and the `CF$UID`
// of keyed archives. It reads only the XML that property lists use: elements, the predefined entities, comments
// and CDATA; it ignores attributes.

import PredicateSyntax

struct XMLPropertyList {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var at = 0
    private var shapes = ShapeCache()

    static func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws(DocumentProblem) -> PredicateValue {
        var reader = XMLPropertyList(bytes: bytes)
        let hasRoot = try reader.openRoot()
        guard let tag = try reader.tag(), !tag.isClosing else { throw reader.fault("a value is expected") }
        let value = try reader.value(tag, depth: 0)
        if hasRoot { try reader.close("plist") }
        if try reader.tag() != nil { throw reader.fault("text after the property list") }
        return value
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    private struct Tag: Equatable {
        var name: String
        var isClosing = false
        var isEmpty = false
        var offset: Int
    }

    private func fault(_ message: String) -> DocumentProblem { DocumentProblem(offset: at, message: message) }

    private mutating func openRoot() throws(DocumentProblem) -> Bool {
        let start = at
        if let tag = try tag(), tag.name == "plist", !tag.isClosing, !tag.isEmpty { return true }
        at = start
        return false
    }

    // MARK: Values

    private mutating func value(_ tag: Tag, depth: Int) throws(DocumentProblem) -> PredicateValue {
        guard depth < JSON.maximumDepth else { throw fault("nested deeper than \(JSON.maximumDepth) levels") }
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
            throw DocumentProblem(offset: tag.offset, message: "<\(tag.name)> is not an element of property lists")
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
        while !tag.isEmpty {
            guard let next = try self.tag() else { throw fault("<array> is not closed") }
            if next.isClosing {
                try expect(next, "array")
                break
            }
            values.append(try value(next, depth: depth + 1))
        }
        return .array(values)
    }

    private mutating func dictionary(_ tag: Tag, _ depth: Int) throws(DocumentProblem) -> PredicateValue {
        var keys: [String] = []
        var values: [PredicateValue] = []
        while !tag.isEmpty {
            guard let next = try self.tag() else { throw fault("<dict> is not closed") }
            if next.isClosing {
                try expect(next, "dict")
                break
            }
            guard next.name == "key" else { throw DocumentProblem(offset: next.offset, message: "<key> is expected") }
            let key = try text(next)
            guard let valueTag = try self.tag(), !valueTag.isClosing else {
                throw fault("the key '\(key.prefix(40))' has no value")
            }
            keys.append(key)
            values.append(try value(valueTag, depth: depth + 1))
        }
        return .dictionary(shapes.dictionary(keys, values))
    }

    private mutating func close(_ name: String) throws(DocumentProblem) {
        guard let tag = try tag() else { throw fault("<\(name)> is not closed") }
        try expect(tag, name)
    }

    private func expect(_ tag: Tag, _ name: String) throws(DocumentProblem) {
        guard tag.isClosing, tag.name == name else {
            throw DocumentProblem(offset: tag.offset, message: "</\(name)> is expected")
        }
    }

    // MARK: Markup

    /// Reads the next tag; nil at the end. Skips comments, processing instructions, the document type and white
    /// space.
    private mutating func tag() throws(DocumentProblem) -> Tag? {
        while true {
            while at < bytes.count, isBlank(bytes[at]) { at += 1 }
            guard at < bytes.count else { return nil }
            if skips("<?", to: "?>") || skips("<!--", to: "-->") { continue }
            if begins("<!DOCTYPE") {
                guard let end = find(">", from: at) else { throw fault("the document type is not closed") }
                // Declarations can define entities that expand without bound.
                guard !bytes[at..<end].contains(UInt8(ascii: "[")) else {
                    throw fault("a document type with declarations of its own is not read")
                }
                at = end + 1
                continue
            }
            return try readTag()
        }
    }

    private mutating func readTag() throws(DocumentProblem) -> Tag {
        let offset = at
        guard bytes[at] == UInt8(ascii: "<") else { throw fault("text where a tag is expected") }
        guard let end = find(">", from: at) else { throw fault("a tag is not closed") }
        var body = bytes[(at + 1)..<end]
        at = end + 1
        var tag = Tag(name: "", offset: offset)
        if body.first == UInt8(ascii: "/") {
            tag.isClosing = true
            body = body.dropFirst()
        }
        if body.last == UInt8(ascii: "/") {
            tag.isEmpty = true
            body = body.dropLast()
        }
        tag.name = String(decoding: body.prefix { !isBlank($0) }.prefix(64), as: UTF8.self)
        return tag
    }

    /// Reads the text of an element and its closing tag.
    private mutating func text(_ tag: Tag) throws(DocumentProblem) -> String {
        if tag.isEmpty { return "" }
        var text: [UInt8] = []
        while at < bytes.count {
            let byte = bytes[at]
            if byte == UInt8(ascii: "&") {
                try entity(&text)
            } else if byte != UInt8(ascii: "<") {
                text.append(byte)
                at += 1
            } else if begins("<![CDATA[") {
                guard let end = find("]]>", from: at) else { throw fault("the CDATA section is not closed") }
                text.append(contentsOf: bytes[(at + 9)..<end])
                at = end + 3
            } else if !skips("<!--", to: "-->") {
                try close(tag.name)
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw DocumentProblem(offset: tag.offset, message: "a byte sequence that is not UTF-8")
                }
                return string
            }
        }
        throw fault("<\(tag.name)> is not closed")
    }

    private mutating func entity(_ text: inout [UInt8]) throws(DocumentProblem) {
        let limit = min(at + 12, bytes.count)
        guard let end = bytes[at..<limit].firstIndex(of: UInt8(ascii: ";")) else {
            throw fault("'&' must be written '&amp;'")
        }
        let name = String(decoding: bytes[(at + 1)..<end], as: UTF8.self)
        let scalar: Unicode.Scalar?
        switch name {
        case "amp": scalar = "&"
        case "lt": scalar = "<"
        case "gt": scalar = ">"
        case "quot": scalar = "\""
        case "apos": scalar = "'"
        default:
            let isHexadecimal = name.hasPrefix("#x")
            let digits = name.dropFirst(isHexadecimal ? 2 : 1)
            let code = name.hasPrefix("#") ? UInt32(digits, radix: isHexadecimal ? 16 : 10) : nil
            scalar = code.flatMap(Unicode.Scalar.init)
        }
        guard let scalar, let encoded = UTF8.encode(scalar) else { throw fault("'&\(name);' is not known") }
        text.append(contentsOf: encoded)
        at = end + 1
    }

    private func begins(_ prefix: StaticString) -> Bool {
        let count = prefix.utf8CodeUnitCount
        guard at + count <= bytes.count else { return false }
        for offset in 0..<count where bytes[at + offset] != prefix.utf8Start[offset] { return false }
        return true
    }

    private mutating func skips(_ prefix: StaticString, to end: StaticString) -> Bool {
        guard begins(prefix) else { return false }
        let found = find(end, from: at + prefix.utf8CodeUnitCount)
        at = found.map { $0 + end.utf8CodeUnitCount } ?? bytes.count
        return true
    }

    private func find(_ text: StaticString, from start: Int) -> Int? {
        let count = text.utf8CodeUnitCount
        guard start + count <= bytes.count else { return nil }
        for candidate in start...(bytes.count - count) where bytes[candidate] == text.utf8Start[0] {
            if (1..<max(count, 1)).allSatisfy({ bytes[candidate + $0] == text.utf8Start[$0] }) { return candidate }
        }
        return nil
    }
}
