// The public face of our JSON: text to values and back. Foundation's would lose the difference between 1, 1.0 and true,
// the order of keys and the place of an error. See JSONParser for reading, JSONWriter for writing.

public import PredicateSyntax

/// JSON as RFC 8259 defines it, strictly: no comments, no trailing commas, no lone surrogates, valid UTF-8 only.
public enum JSON {
    /// Deepest nesting that is read, in JSON and property lists. Reading, comparing and releasing values recurse, and
    /// threads other than the main one have 512 KB of stack on Apple platforms.
    public static let maximumDepth = 128

    /// Reads one value and nothing after it. A byte order mark is skipped; of a repeated key the last value counts.
    ///
    /// A number without fraction and exponent that fits 64 bits is an `.integer`, any other a `.double`.
    ///
    ///     try JSON.parse(#"{"id": 1, "price": 2.0}"#)     // ["id": .integer(1), "price": .double(2)]
    ///
    /// - Throws: `JSONProblem` with line, column and byte offset. Linear in the text.
    public static func parse(_ text: String) throws(JSONProblem) -> Value { try parse(Array(text.utf8)) }

    /// Reads one value from UTF-8 bytes; see `parse(_: String)`.
    public static func parse(_ bytes: [UInt8]) throws(JSONProblem) -> Value {
        let result = bytes.withUnsafeBufferPointer { buffer in
            var parser = JSONParser()
            let skipped = buffer.starts(with: byteOrderMark) ? byteOrderMark.count : 0
            let text = UnsafeBufferPointer(rebasing: buffer[skipped...])
            do throws(TextFault) {
                return Result<Value, JSONProblem>.success(try parser.parse(text))
            } catch {
                var position = TextPosition()
                position.advance(over: UnsafeBufferPointer(rebasing: text[..<min(error.offset, text.count)]))
                return .failure(
                    JSONProblem(
                        line: position.line, column: position.column, offset: position.offset + skipped,
                        message: error.message))
            }
        }
        return try result.get()
    }

    /// The value as compact JSON text for people and other programs. Keys keep their order.
    ///
    /// What JSON lacks is written as its nearest form: dates as ISO 8601 text, sets as arrays, data as Base64 text,
    /// UUIDs, URLs and classes as text, decimals as numbers, NaN and the infinities as null. `TaggedJSON.text` loses
    /// nothing.
    public static func text(_ value: Value) -> String {
        var output: [UInt8] = []
        JSONWriter.write(value, to: &output)
        return String(decoding: output, as: UTF8.self)
    }
}

/// Why a text is not JSON, and where.
public struct JSONProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// Counted from 1; columns count Unicode scalars.
    public let line: Int
    public let column: Int
    /// In bytes, from 0.
    public let offset: Int
    public let message: String

    public var description: String { "line \(line), column \(column): \(message)" }
}

let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

/// What a parser finds wrong, `offset` bytes into the text it was given.
struct TextFault: Error {
    let offset: Int
    let message: String
}

/// Where a reader stands in its input.
struct TextPosition {
    var line = 1
    /// In Unicode scalars, from 1.
    var column = 1
    var offset = 0

    mutating func advance(over bytes: UnsafeBufferPointer<UInt8>) {
        var lastLine = bytes[...]
        if let newline = bytes.lastIndex(of: UInt8(ascii: "\n")) {
            line += ByteCount.newlines(UnsafeBufferPointer(rebasing: bytes[...newline]))
            column = 1
            lastLine = bytes[(newline + 1)...]
        }
        column += ByteCount.scalars(UnsafeBufferPointer(rebasing: lastLine))
        offset += bytes.count
    }

    func advanced(over bytes: UnsafeBufferPointer<UInt8>) -> TextPosition {
        var copy = self
        copy.advance(over: bytes)
        return copy
    }
}
