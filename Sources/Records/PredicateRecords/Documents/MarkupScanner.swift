// Splits an XML document into tags and texts. MarkupElement builds a tree from them, XMLPropertyList a value.

/// Returns the tags and texts of a document in order. Skips comments, processing instructions and a document type
/// without declarations.
struct MarkupScanner {
    struct Tag {
        let name: String
        let offset: Int
        var isClosing = false
        /// `<name/>`
        var isEmpty = false
        /// The names, and the ranges of the values between their quotation marks.
        var attributes: [(name: String, range: Range<Int>)] = []
    }

    enum Piece {
        case tag(Tag)
        /// Text exactly as in the file, also inside a CDATA section.
        case text(Range<Int>)
        /// A reference, such as `&amp;`, `&#10;` or `&#x3e;`.
        case character(Unicode.Scalar, Range<Int>)
    }

    let bytes: UnsafeBufferPointer<UInt8>
    var at = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        if bytes.starts(with: byteOrderMark) { at = byteOrderMark.count }
    }

    /// Reads the next piece; nil at the end.
    mutating func next() throws(DocumentProblem) -> Piece? {
        while at < bytes.count {
            let start = at
            if bytes[at] == UInt8(ascii: "&") { return .character(try reference(), start..<at) }
            guard bytes[at] == UInt8(ascii: "<") else {
                while at < bytes.count, bytes[at] != UInt8(ascii: "<"), bytes[at] != UInt8(ascii: "&") { at += 1 }
                return .text(start..<at)
            }
            if begins("<!--") {
                try skip("-->", "the comment is not closed")
            } else if begins("<?") {
                try skip("?>", "the instruction is not closed")
            } else if begins("<![CDATA[") {
                try skip("]]>", "the CDATA section is not closed")
                return .text((start + 9)..<(at - 3))
            } else if begins("<!") {
                try skip(">", "the document type is not closed")
                // Declarations can define entities that expand without bound.
                guard !bytes[start..<at].contains(UInt8(ascii: "[")) else {
                    throw fault("a document type with declarations is not supported", at: start)
                }
            } else {
                return .tag(try tag())
            }
        }
        return nil
    }

    private mutating func tag() throws(DocumentProblem) -> Tag {
        let start = at
        at += 1
        let isClosing = take("/")
        var tag = Tag(name: word(), offset: start, isClosing: isClosing)
        guard !tag.name.isEmpty else { throw fault("a name is expected") }
        while true {
            skipBlanks()
            if take(">") { return tag }
            guard !isClosing else { throw fault("'>' is expected") }
            if take("/") {
                guard take(">") else { throw fault("'>' is expected") }
                tag.isEmpty = true
                return tag
            }
            tag.attributes.append(try attribute())
        }
    }

    private mutating func attribute() throws(DocumentProblem) -> (name: String, range: Range<Int>) {
        let name = word()
        skipBlanks()
        guard !name.isEmpty, take("=") else { throw fault("an attribute is expected") }
        skipBlanks()
        guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'") else {
            throw fault("a quote is expected")
        }
        let start = at + 1
        guard let end = bytes[start...].firstIndex(of: bytes[at]) else {
            throw fault("the attribute '\(name)' is not closed")
        }
        at = end + 1
        return (name, start..<end)
    }

    /// Decodes the value of an attribute.
    func attributeValue(_ range: Range<Int>, _ file: [UInt8]) throws(DocumentProblem) -> SourcedText {
        var value = SourcedText(at: range.lowerBound)
        var scanner = self
        scanner.at = range.lowerBound
        while scanner.at < range.upperBound {
            let start = scanner.at
            switch bytes[start] {
            case UInt8(ascii: "&"):
                value.append(String(try scanner.reference()).utf8, from: start..<scanner.at)
            case UInt8(ascii: "\n"), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
                value.append([UInt8(ascii: " ")], from: start..<start + 1)  // XML 1.0, 3.3.3
                scanner.at += 1
            default:
                value.append(verbatim: file, start..<start + 1)
                scanner.at += 1
            }
        }
        return value
    }

    private static let entities: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
    ]

    private mutating func reference() throws(DocumentProblem) -> Unicode.Scalar {
        let start = at
        guard let end = bytes[at..<min(at + 12, bytes.count)].firstIndex(of: UInt8(ascii: ";")) else {
            throw fault("'&' must be written '&amp;'")
        }
        let name = String(decoding: bytes[(at + 1)..<end], as: UTF8.self)
        at = end + 1
        let isHexadecimal = name.hasPrefix("#x")
        let code =
            name.hasPrefix("#") ? UInt32(name.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10) : nil
        guard let scalar = Self.entities[name] ?? code.flatMap(Unicode.Scalar.init) else {
            throw fault("unknown entity '&\(name);'", at: start)
        }
        return scalar
    }

    // MARK: Bytes and faults

    func fault(_ message: String, at offset: Int? = nil) -> DocumentProblem {
        DocumentProblem(offset: offset ?? at, message: message)
    }

    func textOutside(_ range: Range<Int>) -> DocumentProblem {
        fault("text outside the root element", at: range.lowerBound)
    }

    func isBlank(_ range: Range<Int>) -> Bool { bytes[range].allSatisfy { $0 <= 32 } }

    private mutating func word() -> String {
        let start = at
        while at < bytes.count, bytes[at] > 32, !"=/><\"'".utf8.contains(bytes[at]) { at += 1 }
        return String(decoding: bytes[start..<at], as: UTF8.self)
    }

    private mutating func skipBlanks() {
        while at < bytes.count, bytes[at] <= 32 { at += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard at < bytes.count, UInt32(bytes[at]) == character.value else { return false }
        at += 1
        return true
    }

    private func begins(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard at + count <= bytes.count else { return false }
        for index in 0..<count where bytes[at + index] != text.utf8Start[index] { return false }
        return true
    }

    private mutating func skip(_ end: StaticString, _ message: String) throws(DocumentProblem) {
        let start = at
        while at < bytes.count {
            if begins(end) {
                at += end.utf8CodeUnitCount
                return
            }
            at += 1
        }
        throw fault(message, at: start)
    }
}
