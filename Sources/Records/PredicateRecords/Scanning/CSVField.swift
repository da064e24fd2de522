// Converts a CSV field to a value: nil, a value of the column's inferred type (CSVColumnType), or a value of the type
// that the user gave.

/// The range of a field, including its quotation marks.
struct CSVFieldBytes {
    var start = 0
    var end = 0
    var isQuoted = false
    /// Whether it has doubled quotation marks.
    var isEscaped = false
    /// Whether text follows the closing quotation mark, which is an error.
    var isBroken = false

    /// Makes the field empty if it is one of the texts that are nil.
    ///
    /// - Parameter inQuotes: whether every field of the file has quotation marks.
    mutating func dropNil(_ base: UnsafePointer<UInt8>, _ texts: [[UInt8]], inQuotes: Bool) {
        guard !isQuoted || inQuotes, start < end else { return }
        let bytes = inner(UnsafeBufferPointer(start: base + start, count: end - start))
        if texts.contains(where: { bytes.elementsEqual($0) }) { (end, isQuoted) = (start, false) }
    }

    /// The bytes of the field without its quotation marks.
    func inner(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        isQuoted && bytes.count >= 2 ? UnsafeBufferPointer(rebasing: bytes[1..<bytes.count - 1]) : bytes
    }
}

/// A column to read.
struct CSVField {
    let column: String
    /// The type that the user gave.
    let type: FieldType?
    /// The inferred type of the column; nil if it is not read.
    var columnType: CSVColumnType?
    /// The inferred type of the column, unless the user gave a type.
    var decided: CSVColumnType? { type == nil ? columnType : nil }

    /// The value of a field. Returns nil if the field is not UTF-8.
    /// - Throws: if the field does not fit the type. The problem names the column if its type was inferred.
    func value(
        _ field: CSVFieldBytes, _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(FieldTypeProblem) -> PredicateValue? {
        if !field.isQuoted, bytes.isEmpty { return .null }
        // An empty text of a file with quotation marks everywhere is nil, unless it is a text.
        if let type, columnType?.isQuoted == true, bytes.count == 2, type.type != .string { return .null }
        if type == nil, columnType?.isText != true {
            if !field.isQuoted {
                if let value = columnType.map({ $0.value(field, bytes) }) ?? Self.guess(bytes) { return value }
            } else if columnType != nil, bytes.count == 2 {
                return .null
            }
            if columnType != nil { throw misfit(field, bytes) }
        }
        guard let text = Self.text(bytes, field) else { return nil }
        guard let type else { return .string(text) }
        do { return try type.convert(.string(text), field: column) } catch {
            // A word in a column of numbers or dates, such as NA.
            let isWord = text.utf8.count <= 8 && !text.utf8.contains { $0.isDigit || $0 <= 0x20 }
            throw FieldTypeProblem(message: error.message + (isWord ? Self.advice(ofNil: text) : ""))
        }
    }

    private func misfit(_ field: CSVFieldBytes, _ bytes: UnsafeBufferPointer<UInt8>) -> FieldTypeProblem {
        let before =
            switch columnType {
            case .number, .quotedNumber: "numbers"
            case .boolean(let words), .quotedBoolean(let words): "\(words)"
            default: "no value"
            }
        let text = DisplayText.visible(Self.text(bytes, field) ?? "", limit: 40)
        return FieldTypeProblem(
            message: "the column '\(column)' has \(before) before this record and '\(text)' in it; "
                + "if it is text, add --types \(column)=string" + Self.advice(ofNil: text),
            column: column)
    }

    private static func advice(ofNil text: String) -> String { "; if it stands for nothing, add --null '\(text)'" }

    /// The number or Boolean of an unquoted field; nil for other text.
    private static func guess(_ bytes: UnsafeBufferPointer<UInt8>) -> PredicateValue? {
        if let number = number(bytes) { return number }
        return BooleanWords.standard.value(bytes).map { .bool($0) }
    }

    /// A JSON number, also as other programs write it: `.5`, `5.`, `+5`, and an integer beyond 64 bits, as a decimal.
    static func number(_ bytes: UnsafeBufferPointer<UInt8>) -> PredicateValue? {
        if let number = JSONNumber.exact(bytes) { return number }
        guard bytes.allSatisfy({ $0.isDigit || ".eE+-".utf8.contains($0) }), bytes.contains(where: { $0.isDigit })
        else { return nil }
        var text = Array(bytes)
        if text[0] == UInt8(ascii: "+"), text.count > 1, text[1] != UInt8(ascii: "-") { text.removeFirst() }
        if text.last == UInt8(ascii: ".") { text.append(UInt8(ascii: "0")) }
        let sign = text[0] == UInt8(ascii: "-") ? 1 : 0
        if text[sign] == UInt8(ascii: ".") { text.insert(UInt8(ascii: "0"), at: sign) }
        return text.withUnsafeBufferPointer { JSONNumber.exact($0, hasDecimals: true) }
    }

    /// The text without its quotation marks; nil if it is not UTF-8.
    static func text(_ bytes: UnsafeBufferPointer<UInt8>, _ field: CSVFieldBytes) -> String? {
        guard field.isQuoted else { return String(validUTF8: bytes) }
        guard bytes.count >= 2 else { return "" }
        let inner = UnsafeBufferPointer(rebasing: bytes[1..<bytes.count - 1])
        guard field.isEscaped else { return String(validUTF8: inner) }
        var unescaped: [UInt8] = []
        var skipsQuote = false
        for byte in inner {
            if byte == UInt8(ascii: "\""), skipsQuote {
                skipsQuote = false
            } else {
                unescaped.append(byte)
                skipsQuote = byte == UInt8(ascii: "\"")
            }
        }
        return String(validUTF8: unescaped)
    }
}
