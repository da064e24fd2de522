// The interface of our JSON reader and writer. Foundation's JSON loses the difference between 1, 1.0 and true, the
// order of keys, and the position of an error. JSONParser reads, JSONWriter writes.

/// JSON as RFC 8259 defines it, strictly: no comments, no trailing commas, no lone surrogates, valid UTF-8 only.
package enum JSON {
    /// The maximum nesting depth that is read, in JSON and property lists. Reading, comparing and releasing values are
    /// recursive, and threads other than the main thread have 512 KB of stack on Apple platforms.
    package static let maximumDepth = 128

    /// Reads a text that is exactly one value. Skips a byte order mark; for a repeated key the last value is
    /// used. Cost: linear.
    ///
    /// A number without fraction and exponent is an `.integer`, or a `.decimal` beyond 64 bits; any other is a `.double`.
    ///
    ///     try JSON.parse(#"{"id": 1, "price": 2.0}"#)     // ["id": .integer(1), "price": .double(2)]
    ///
    /// - Throws: `JSONProblem` with line, column and byte offset.
    package static func parse(_ text: String) throws(JSONProblem) -> PredicateValue { try parse(Array(text.utf8)) }

    /// Reads one value from UTF-8 bytes; see `parse(_: String)`.
    /// - Parameter replacesHalves: whether an escape for half of a surrogate pair is read as U+FFFD. Programs whose texts
    ///   are UTF-16 may write such escapes.
    package static func parse(
        _ bytes: [UInt8], replacesHalves: Bool = false
    ) throws(JSONProblem) -> PredicateValue {
        try bytes.withUnsafeBufferPointer { (buffer) throws(JSONProblem) in
            var parser = JSONParser()
            parser.replacesHalves = replacesHalves
            let skipped = buffer.starts(with: byteOrderMark) ? byteOrderMark.count : 0
            let text = UnsafeBufferPointer(rebasing: buffer[skipped...])
            do throws(DocumentProblem) { return try parser.parse(text) } catch {
                let position = TextPosition().advanced(over: text.prefix(error.offset))
                throw JSONProblem(
                    line: position.line, column: position.column, offset: position.offset + skipped,
                    message: error.message)
            }
        }
    }

    /// Reads JSON and keeps the positions of its texts. As many tools do, it allows comments, trailing commas and
    /// several values, which become a list.
    package static func document(_ bytes: [UInt8]) throws(DocumentProblem) -> DocumentNode {
        try bytes.withUnsafeBufferPointer { (buffer) throws(DocumentProblem) in
            var cursor = JSONCursor(file: buffer)
            cursor.isLenient = true
            return try cursor.document(bytes)
        }
    }

    /// The offset of the value at a path of names, such as `entities.Person.attributes.age`, in a text that `parse`
    /// accepts. Names may contain dots. If there is no such value, returns the offset of the innermost existing value
    /// on the path.
    package static func offset(of path: String, in bytes: [UInt8]) -> Int {
        JSONCursor.read(bytes, from: 0) { $0.offset(of: path) }
    }

    /// The value as compact JSON text. Keys keep their order.
    ///
    /// Values that JSON lacks are written in the nearest form: dates as ISO 8601 text, sets as arrays, data as Base64
    /// text, UUIDs, URLs and classes as text, decimals as numbers, NaN and the infinities as null. `TaggedJSON.text`
    /// writes every value exactly.
    package static func text(_ value: PredicateValue) -> String {
        var output: [UInt8] = []
        JSONWriter.write(value, to: &output)
        return String(decoding: output, as: UTF8.self)
    }
}

/// The reason and the position of a text that is not JSON.
package struct JSONProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// From 1; columns count Unicode scalars.
    package let line: Int
    package let column: Int
    /// The offset in bytes, from 0.
    package let offset: Int
    package let message: String

    package var description: String { "line \(line), column \(column): \(message)" }
}

let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

/// A position in the input of a reader.
package struct TextPosition {
    package var line = 1
    /// In Unicode scalars, from 1.
    package var column = 1
    package var offset = 0

    init() {}

    /// The position of an offset; an offset after the end counts as the end.
    package init(of offset: Int, in bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { advance(over: $0.prefix(offset)) }
    }

    mutating func advance(over bytes: Slice<UnsafeBufferPointer<UInt8>>) {
        advance(over: UnsafeBufferPointer(rebasing: bytes))
    }

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

    func advanced(over bytes: Slice<UnsafeBufferPointer<UInt8>>) -> TextPosition {
        var copy = self
        copy.advance(over: bytes)
        return copy
    }
}
