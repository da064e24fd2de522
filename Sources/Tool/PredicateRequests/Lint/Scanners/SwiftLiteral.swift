// Decodes a Swift string literal: replaces escapes and removes the indentation of multi-line literals. Each
// byte keeps its place in the source.

extension SourceLiteral {
    /// The identifier that replaces an interpolation, whose text is known only at run time.
    static let placeholder = Array("_".utf8)

    /// The decoded text and the places of interpolations; nil if a compiler would reject the literal.
    func swiftText(
        _ bytes: [UInt8], _ template: TextTemplate? = nil
    ) -> (text: SourcedText, holes: [FoundPredicate.Hole])? {
        guard isReadable else { return nil }
        var decoder = SwiftLiteralDecoder(bytes, self)
        decoder.template = template
        return decoder.decode() ? (decoder.text, decoder.holes) : nil
    }
}

private struct SwiftLiteralDecoder {
    let bytes: [UInt8]
    let literal: SourceLiteral
    var text: SourcedText
    var holes: [FoundPredicate.Hole] = []
    var template: TextTemplate?
    private var at: Int
    private var end: Int
    private var indentation = 0
    private var nextInterpolation = 0

    init(_ bytes: [UInt8], _ literal: SourceLiteral) {
        self.bytes = bytes
        self.literal = literal
        at = literal.content.lowerBound
        end = literal.content.upperBound
        text = SourcedText(at: at)
    }

    mutating func decode() -> Bool {
        if literal.isMultiline {
            guard enterLines() else { return false }
            skipIndentation()
        }
        while at < end {
            if template?.read(bytes, &at, end, &text, &holes) == true { continue }
            switch bytes[at] {
            case UInt8(ascii: "\\") where isEscape(at):
                guard escape() else { return false }
            case UInt8(ascii: "\r") where literal.isMultiline && at + 1 < end && bytes[at + 1] == UInt8(ascii: "\n"):
                text.append([UInt8(ascii: "\n")], from: at..<at + 2)
                at += 2
                skipIndentation()
            case UInt8(ascii: "\n"):
                text.append(verbatim: bytes, at..<at + 1)
                at += 1
                skipIndentation()
            default:
                text.append(verbatim: bytes, at..<at + 1)
                at += 1
            }
        }
        if text.isEmpty { text = SourcedText(at: end) }
        return true
    }

    /// Enters a multi-line literal: nothing may follow `"""` on its line. The indentation of the last line is
    /// removed from every line.
    private mutating func enterLines() -> Bool {
        while at < end, bytes[at] != UInt8(ascii: "\n") {
            guard bytes[at] <= 32 else { return false }
            at += 1
        }
        guard at < end else { return false }
        at += 1
        var last = end
        while last > at, bytes[last - 1] == UInt8(ascii: " ") || bytes[last - 1] == UInt8(ascii: "\t") { last -= 1 }
        guard last == at || bytes[last - 1] == UInt8(ascii: "\n") else { return false }
        indentation = end - last
        end = last > at ? last - 1 : last
        if end > at, last > at, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return true
    }

    private mutating func skipIndentation() {
        let limit = min(end, at + indentation)
        while at < limit, bytes[at] == UInt8(ascii: " ") || bytes[at] == UInt8(ascii: "\t") { at += 1 }
    }

    private func isEscape(_ offset: Int) -> Bool {
        let stop = offset + 1 + literal.hashes
        return stop < literal.content.upperBound
            && bytes[(offset + 1)..<stop].allSatisfy { $0 == UInt8(ascii: "#") }
    }

    private mutating func escape() -> Bool {
        let start = at
        at += 1 + literal.hashes
        let letter = bytes[at]
        at += 1
        switch letter {
        case UInt8(ascii: "n"): text.append([10], from: start..<at)
        case UInt8(ascii: "t"): text.append([9], from: start..<at)
        case UInt8(ascii: "r"): text.append([13], from: start..<at)
        case UInt8(ascii: "0"): text.append([0], from: start..<at)
        case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"): text.append([letter], from: start..<at)
        case UInt8(ascii: "u"): return scalar(from: start)
        case UInt8(ascii: "("): return interpolation(from: start)
        case UInt8(ascii: "\n"), UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
            return continuation(from: start)
        default: return false
        }
        return true
    }

    /// Decodes `\u{1F600}`.
    private mutating func scalar(from start: Int) -> Bool {
        guard at < end, bytes[at] == UInt8(ascii: "{"),
            let close = bytes[at..<min(end, at + 10)].firstIndex(of: UInt8(ascii: "}")),
            let code = UInt32(String(decoding: bytes[(at + 1)..<close], as: UTF8.self), radix: 16),
            let scalar = Unicode.Scalar(code), let encoded = UTF8.encode(scalar)
        else { return false }
        at = close + 1
        text.append(encoded, from: start..<at)
        return true
    }

    /// Handles a backslash at the end of a line, which joins it to the next line.
    private mutating func continuation(from start: Int) -> Bool {
        guard literal.isMultiline else { return false }
        at -= 1
        while at < end, bytes[at] != UInt8(ascii: "\n") {
            guard bytes[at] <= 32 else { return false }
            at += 1
        }
        if at < end { at += 1 }
        skipIndentation()
        return true
    }

    private mutating func interpolation(from start: Int) -> Bool {
        guard nextInterpolation < literal.interpolations.count else { return false }
        let inside = literal.interpolations[nextInterpolation]
        nextInterpolation += 1
        at = inside.upperBound + 1
        let source = start..<at
        if let key = SwiftLiteral.keyPath(bytes, inside) {
            text.append(key.utf8, from: source)
        } else {
            text.appendHole(source, &holes)
        }
        return true
    }
}

enum SwiftLiteral {
    /// The key path of `#keyPath(Person.employer.name)`.
    static func keyPath(_ bytes: [UInt8], _ range: Range<Int>) -> String? {
        guard bytes[range].first(where: { !$0.isSpace }) == UInt8(ascii: "#") else { return nil }
        let text = String(decoding: bytes[range], as: UTF8.self).filter { !$0.isWhitespace }
        guard text.hasPrefix("#keyPath("), text.hasSuffix(")") else { return nil }
        let parts = text.dropFirst(9).dropLast().split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(SourceCursor.isWordByte) }) else {
            return nil
        }
        // Types, also nested ones, begin with a capital letter.
        let keys = parts.drop { $0.first?.isUppercase == true }
        return keys.isEmpty ? nil : keys.joined(separator: ".")
    }
}
