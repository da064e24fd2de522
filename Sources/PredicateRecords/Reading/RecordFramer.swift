// What every format does for RecordReader: find the next record in the input, turn it into a value, and go on after a
// bad one where the format allows it.

import PredicateSyntax

/// One record as a framer found it.
struct RecordFrame {
    var value: Value
    /// Its text; valid until the framer is asked again. Empty where the format has none.
    var raw: UnsafeBufferPointer<UInt8>
    var line: Int
}

/// A bad record, or a bad end of the input.
struct FrameFault: Error {
    let position: TextPosition
    let message: String
    /// Nothing can be read after it.
    let endsInput: Bool

    init(position: TextPosition, message: String, endsInput: Bool) {
        self.position = position
        self.message = message
        self.endsInput = endsInput
    }

    /// A field that is not of its type: told by the record's line.
    init(_ problem: FieldTypeProblem, in frame: RecordFrame) {
        var position = TextPosition()
        position.line = frame.line
        self.init(position: position, message: problem.message, endsInput: false)
    }
}

protocol RecordFramer {
    /// Where the next record, or what stands before it, begins.
    var position: TextPosition { get set }
    /// The next record; nil at the end.
    mutating func next() throws(FrameFault) -> RecordFrame?
    /// How many of the input's bytes are whole records that need not be read in turn (RecordBatch.swift); 0 where that
    /// cannot be said.
    mutating func wholeRecords() throws(FrameFault) -> Int
}

extension RecordFramer {
    mutating func wholeRecords() throws(FrameFault) -> Int { 0 }
}

extension InputBuffer {
    /// `fill`, its failure as a fault that ends the input.
    func fill(at position: TextPosition) throws(FrameFault) -> Bool {
        do throws(TextFault) { return try fill() } catch {
            throw FrameFault(position: position, message: error.message, endsInput: true)
        }
    }

    /// Moves to the first byte that is not JSON white space; nil at the end of the input.
    func skipSpace(_ position: inout TextPosition) throws(FrameFault) -> UInt8? {
        while true {
            let bytes = self.bytes
            let blank = bytes.firstIndex { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 } ?? bytes.count
            position.advance(over: slice(0..<blank))
            consume(blank)
            if let byte = self.bytes.first { return byte }
            if try !fill(at: position) { return nil }
        }
    }
}

func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

/// Without white space at both ends.
func trimmed(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var range = 0..<bytes.count
    while let last = range.last, isBlank(bytes[last]) { range.removeLast() }
    while let first = range.first, isBlank(bytes[first]) { range.removeFirst() }
    return UnsafeBufferPointer(rebasing: bytes[range])
}

func recordTooLong(_ limit: Int) -> String { "the record is longer than \(limit) bytes" }
