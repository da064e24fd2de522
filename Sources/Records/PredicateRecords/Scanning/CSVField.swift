// Converts a CSV field to a value: nil, a value of the column's inferred type (CSVColumnType), or a value of the type
// that the user gave.

import PredicateModel
import PredicateSyntax

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
    mutating func dropNil(_ base: UnsafePointer<UInt8>, _ texts: [[UInt8]]) {
        guard !isQuoted, start < end else { return }
        let bytes = UnsafeBufferPointer(start: base + start, count: end - start)
        if texts.contains(where: { bytes.elementsEqual($0) }) { end = start }
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
        if type == nil, columnType != .text {
            if !field.isQuoted {
                if let value = columnType.map({ $0.value(field, bytes) }) ?? Self.guess(bytes) { return value }
            } else if columnType != nil, bytes.count == 2 {
                return .null
            }
            if columnType != nil { throw misfit(field, bytes) }
        }
        guard let text = Self.text(bytes, field) else { return nil }
        guard let type else { return .string(text) }
        return try type.convert(.string(text), field: column)
    }

    private func misfit(_ field: CSVFieldBytes, _ bytes: UnsafeBufferPointer<UInt8>) -> FieldTypeProblem {
        let before =
            switch columnType {
            case .number: "numbers"
            case .boolean(let words): "\(words)"
            default: "no value"
            }
        let text = DisplayText.visible(Self.text(bytes, field) ?? "", limit: 40)
        return FieldTypeProblem(
            message: "the column '\(column)' has \(before) before this record and '\(text)' in it; "
                + "if it is text, add --types \(column)=string; if it stands for nothing, add --null '\(text)'",
            column: column)
    }

    /// The number or Boolean of an unquoted field; nil for other text.
    private static func guess(_ bytes: UnsafeBufferPointer<UInt8>) -> PredicateValue? {
        if let number = JSONNumber.exact(bytes) { return number }
        return BooleanWords.standard.value(bytes).map { .bool($0) }
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
