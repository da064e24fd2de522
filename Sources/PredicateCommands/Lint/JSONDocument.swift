// Reads JSON and keeps the places of its texts. `JSON.parse` reads values for evaluation and does not keep
// places.

import PredicateRecords
import PredicateSyntax

struct JSONDocument {
    private let bytes: [UInt8]
    private var at = 0

    /// Reads a document. Comments and trailing commas are allowed, as in many tools. Cost: linear.
    ///
    /// - Throws: `DocumentProblem` for other text that is not JSON, and for nesting deeper than
    ///   `JSON.maximumDepth`.
    static func parse(_ bytes: [UInt8]) throws(DocumentProblem) -> DocumentNode {
        var reader = JSONDocument(bytes: bytes)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.at = 3 }
        return try reader.value(depth: 0)
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private func fault(_ message: String) -> DocumentProblem { DocumentProblem(offset: at, message: message) }

    private mutating func skipBlanks() {
        while at < bytes.count {
            if bytes[at] <= 32 {
                at += 1
            } else if bytes[at] == UInt8(ascii: "/"), at + 1 < bytes.count, bytes[at + 1] == UInt8(ascii: "/") {
                while at < bytes.count, bytes[at] != UInt8(ascii: "\n") { at += 1 }
            } else {
                return
            }
        }
    }

    private mutating func value(depth: Int) throws(DocumentProblem) -> DocumentNode {
        guard depth < JSON.maximumDepth else { throw fault("nested deeper than \(JSON.maximumDepth) levels") }
        skipBlanks()
        guard at < bytes.count else { throw fault("a value is expected") }
        switch bytes[at] {
        case UInt8(ascii: "\""): return .text(try text())
        case UInt8(ascii: "{"):
            var members: [(String, DocumentNode)] = []
            while try item(close: UInt8(ascii: "}")) {
                guard bytes[at] == UInt8(ascii: "\"") else { throw fault("a key is expected") }
                let key = try text().text
                skipBlanks()
                guard at < bytes.count, bytes[at] == UInt8(ascii: ":") else { throw fault("':' is expected") }
                at += 1
                members.append((key, try value(depth: depth + 1)))
            }
            return .mapping(members)
        case UInt8(ascii: "["):
            var values: [DocumentNode] = []
            while try item(close: UInt8(ascii: "]")) { values.append(try value(depth: depth + 1)) }
            return .list(values)
        default:
            let start = at
            while at < bytes.count, bytes[at] > 32, !",]}:".utf8.contains(bytes[at]) { at += 1 }
            guard at > start else { throw fault("a value is expected") }
            return .other
        }
    }

    /// Skips the opening bracket or a comma. Returns false after the closing bracket.
    private mutating func item(close: UInt8) throws(DocumentProblem) -> Bool {
        skipBlanks()
        guard at < bytes.count else { throw fault("the text ends inside brackets") }
        if bytes[at] != close {
            guard "[{,".utf8.contains(bytes[at]) else { throw fault("',' is expected") }
            at += 1
            skipBlanks()
            guard at < bytes.count else { throw fault("the text ends inside brackets") }
            guard bytes[at] == close else { return true }
        }
        at += 1
        return false
    }

    /// Reads a string, from its opening quotation mark.
    private mutating func text() throws(DocumentProblem) -> SourcedText {
        let open = at
        at += 1
        var text = SourcedText(at: at)
        while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
            guard bytes[at] == UInt8(ascii: "\\") else {
                text.append(verbatim: bytes, at..<at + 1)
                at += 1
                continue
            }
            let start = at
            let decoded = try escape()
            text.append(decoded, from: start..<at)
        }
        guard at < bytes.count else { throw DocumentProblem(offset: open, message: "the string is not closed") }
        at += 1
        return text
    }

    private mutating func escape() throws(DocumentProblem) -> [UInt8] {
        let simple: [Unicode.Scalar: UInt8] = [
            "n": 10, "t": 9, "r": 13, "b": 8, "f": 12, "\\": 92, "\"": 34, "/": 47,
        ]
        guard at + 1 < bytes.count else { throw fault("the string is not closed") }
        let letter = Unicode.Scalar(bytes[at + 1])
        if let byte = simple[letter] {
            at += 2
            return [byte]
        }
        guard letter == "u", let high = unit(at + 2) else { throw fault("not an escape of JSON") }
        at += 6
        var units = [high]
        if UTF16.isLeadSurrogate(high), at + 1 < bytes.count, bytes[at] == UInt8(ascii: "\\"),
            bytes[at + 1] == UInt8(ascii: "u"), let low = unit(at + 2)
        {
            units.append(low)
            at += 6
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    private func unit(_ start: Int) -> UInt16? {
        guard start + 4 <= bytes.count else { return nil }
        return UInt16(String(decoding: bytes[start..<start + 4], as: UTF8.self), radix: 16)
    }
}
