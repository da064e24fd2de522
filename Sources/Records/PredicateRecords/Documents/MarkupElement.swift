// Reads an XML document as a tree of elements, with the file offset of every text. Lint and data models use it.
// XMLPropertyList reads the same tags and texts (MarkupScanner) as values, without offsets.

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
        try bytes.withUnsafeBufferPointer { (buffer) throws(DocumentProblem) in
            var scanner = MarkupScanner(buffer)
            // The elements without a closing tag so far, outermost first.
            var open: [MarkupElement] = []
            while let piece = try scanner.next() {
                switch piece {
                case .text(let range):
                    guard let last = open.indices.last else {
                        guard scanner.isBlank(range) else { throw scanner.textOutside(range) }
                        continue
                    }
                    open[last].text.append(verbatim: bytes, range)
                case .character(let scalar, let range):
                    guard let last = open.indices.last else { throw scanner.textOutside(range) }
                    open[last].text.append(String(scalar).utf8, from: range)
                case .tag(let tag):
                    if let root = try read(tag, scanner, bytes, &open) { return root }
                }
            }
            throw scanner.fault(open.last.map { "<\($0.name)> is not closed" } ?? "there is no element")
        }
    }

    /// Opens or closes an element. Returns the root element when it is closed.
    private static func read(
        _ tag: MarkupScanner.Tag, _ scanner: MarkupScanner, _ bytes: [UInt8], _ open: inout [MarkupElement]
    ) throws(DocumentProblem) -> MarkupElement? {
        let element: MarkupElement
        if tag.isClosing {
            guard let last = open.popLast(), last.name == tag.name else {
                throw scanner.fault("</\(tag.name)> has no opening tag", at: tag.offset)
            }
            element = last
        } else {
            try DocumentProblem.check(depth: open.count, at: tag.offset)
            var opened = MarkupElement(name: tag.name, offset: tag.offset, text: SourcedText(at: scanner.at))
            for (name, range) in tag.attributes {
                opened.attributes.append((name, try scanner.attributeValue(range, bytes)))
            }
            guard tag.isEmpty else {
                open.append(opened)
                return nil
            }
            element = opened
        }
        guard let parent = open.indices.last else { return element }
        open[parent].children.append(element)
        return nil
    }
}
