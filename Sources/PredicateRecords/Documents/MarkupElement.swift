// Reads an XML document as a tree of elements, with the file offset of every text. Property lists and data
// models use it. XMLPropertyList is faster, but reads only property lists and keeps no offsets.

import PredicateSyntax

/// An element of an XML document.
package struct MarkupElement: Sendable {
    package let name: String
    /// The offset of its opening tag.
    package let offset: Int
    package internal(set) var attributes: [(name: String, value: SourcedText)] = []
    package internal(set) var children: [MarkupElement] = []
    /// The text between its tags, without the text of its children.
    package internal(set) var text: SourcedText

    /// The text of an attribute, or nil.
    package subscript(name: String) -> String? { attribute(name)?.text }

    package func attribute(_ name: String) -> SourcedText? { attributes.first { $0.name == name }?.value }

    /// Reads a document, which has one root element. Cost: linear.
    ///
    /// Skips comments, processing instructions and a document type without declarations. Decodes the five
    /// predefined entities, character references and CDATA sections.
    ///
    /// - Throws: `DocumentProblem` if the text is not well-formed or nested deeper than `JSON.maximumDepth`.
    package static func parse(_ bytes: [UInt8]) throws(DocumentProblem) -> MarkupElement {
        var reader = MarkupReader(bytes)
        return try reader.document()
    }
}

private struct MarkupReader {
    let bytes: [UInt8]
    var at = 0
    /// The elements without a closing tag so far, outermost first.
    var open: [MarkupElement] = []

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func fault(_ message: String, at offset: Int? = nil) -> DocumentProblem {
        DocumentProblem(offset: offset ?? at, message: message)
    }

    mutating func document() throws(DocumentProblem) -> MarkupElement {
        if bytes.starts(with: byteOrderMark) { at = byteOrderMark.count }
        while at < bytes.count {
            if bytes[at] != UInt8(ascii: "<") {
                try text()
            } else if begins("<!--") {
                try skip("-->", "the comment is not closed")
            } else if begins("<?") {
                try skip("?>", "the instruction is not closed")
            } else if begins("<![CDATA[") {
                try section()
            } else if begins("<!") {
                try documentType()
            } else if let root = try tag() {
                return root
            }
        }
        throw fault(open.last.map { "<\($0.name)> is not closed" } ?? "there is no element")
    }

    /// Reads a tag. Returns the root element when its closing tag was read.
    private mutating func tag() throws(DocumentProblem) -> MarkupElement? {
        let start = at
        at += 1
        let isClosing = at < bytes.count && bytes[at] == UInt8(ascii: "/")
        if isClosing { at += 1 }
        let name = word()
        guard !name.isEmpty else { throw fault("a name is expected") }
        if isClosing {
            skipBlanks()
            guard take(">") else { throw fault("'>' is expected") }
            guard let element = open.popLast(), element.name == name else {
                throw fault("</\(name)> closes nothing", at: start)
            }
            return close(element)
        }
        guard open.count < JSON.maximumDepth else {
            throw fault("nested deeper than \(JSON.maximumDepth) levels", at: start)
        }
        var element = MarkupElement(name: name, offset: start, text: SourcedText(at: at))
        while true {
            skipBlanks()
            if take(">") {
                element.text = SourcedText(at: at)
                open.append(element)
                return nil
            }
            if take("/") {
                guard take(">") else { throw fault("'>' is expected") }
                return close(element)
            }
            element.attributes.append(try attribute())
        }
    }

    private mutating func close(_ element: MarkupElement) -> MarkupElement? {
        guard !open.isEmpty else { return element }
        open[open.count - 1].children.append(element)
        return nil
    }

    private mutating func attribute() throws(DocumentProblem) -> (name: String, value: SourcedText) {
        let name = word()
        skipBlanks()
        guard !name.isEmpty, take("=") else { throw fault("an attribute is expected") }
        skipBlanks()
        guard at < bytes.count, bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'") else {
            throw fault("a quote is expected")
        }
        let quote = bytes[at]
        at += 1
        var value = SourcedText(at: at)
        while at < bytes.count, bytes[at] != quote {
            let byte = bytes[at]
            if byte == UInt8(ascii: "&") {
                let start = at
                value.append(try reference(), from: start..<at)
            } else if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r") {
                value.append([UInt8(ascii: " ")], from: at..<at + 1)  // XML 1.0, 3.3.3
                at += 1
            } else {
                value.append(verbatim: bytes, at..<at + 1)
                at += 1
            }
        }
        guard at < bytes.count else { throw fault("the attribute '\(name)' is not closed") }
        at += 1
        return (name, value)
    }

    private mutating func text() throws(DocumentProblem) {
        let start = at
        while at < bytes.count, bytes[at] != UInt8(ascii: "<"), bytes[at] != UInt8(ascii: "&") { at += 1 }
        guard !open.isEmpty else {
            guard !bytes[start..<at].contains(where: { $0 > 32 }) else { throw fault("text outside", at: start) }
            if at < bytes.count, bytes[at] == UInt8(ascii: "&") { throw fault("text outside") }
            return
        }
        open[open.count - 1].text.append(verbatim: bytes, start..<at)
        guard at < bytes.count, bytes[at] == UInt8(ascii: "&") else { return }
        let place = at
        let decoded = try reference()
        open[open.count - 1].text.append(decoded, from: place..<at)
    }

    private mutating func section() throws(DocumentProblem) {
        let start = at + 9
        at = start
        try skip("]]>", "the CDATA section is not closed")
        guard !open.isEmpty else { throw fault("text outside", at: start) }
        open[open.count - 1].text.append(verbatim: bytes, start..<at - 3)
    }

    private mutating func documentType() throws(DocumentProblem) {
        let start = at
        try skip(">", "the document type is not closed")
        // Declarations can define entities that expand without bound.
        guard !bytes[start..<at].contains(UInt8(ascii: "[")) else {
            throw fault("a document type with declarations of its own is not read", at: start)
        }
    }

    /// Decodes a reference such as `&amp;`, `&#10;` or `&#x3e;`.
    private mutating func reference() throws(DocumentProblem) -> [UInt8] {
        let start = at
        guard let end = bytes[at..<min(at + 12, bytes.count)].firstIndex(of: UInt8(ascii: ";")) else {
            throw fault("'&' must be written '&amp;'")
        }
        let name = String(decoding: bytes[(at + 1)..<end], as: UTF8.self)
        at = end + 1
        let named: [String: Unicode.Scalar] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
        let isHexadecimal = name.hasPrefix("#x")
        let code =
            name.hasPrefix("#") ? UInt32(name.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10) : nil
        guard let scalar = named[name] ?? code.flatMap(Unicode.Scalar.init), let encoded = UTF8.encode(scalar) else {
            throw fault("'&\(name);' is not known", at: start)
        }
        return Array(encoded)
    }

    // MARK: Bytes

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
