// The interface of a format to RecordReader: find the next record, parse it, and continue after an invalid record if
// the format allows it.

struct RecordFrame {
    var value: PredicateValue
    /// Its bytes; valid until the next call of the framer. Empty for formats without text.
    var raw: UnsafeBufferPointer<UInt8>
    var line: Int
}

/// An invalid record, or an invalid end of the input.
struct FrameFault: Error {
    let position: TextPosition
    let message: String
    /// Whether nothing can be read after it.
    let endsInput: Bool
    /// The CSV column whose inferred type a field does not fit.
    var column: String?
}

extension FrameFault {
    /// A fault after which nothing can be read.
    init(_ message: String, endsAt position: TextPosition) {
        self.init(position: position, message: message, endsInput: true)
    }

    /// A field that does not fit its type, reported at the line of the record.
    init(_ problem: FieldTypeProblem, in frame: RecordFrame) {
        var position = TextPosition()
        position.line = frame.line
        self.init(position: position, message: problem.message, endsInput: false)
    }
}

protocol RecordFramer {
    /// The position of the next record or of the text before it.
    var position: TextPosition { get set }
    /// Reads the next record; nil at the end.
    mutating func next() throws(FrameFault) -> RecordFrame?
    /// The number of buffered bytes that form whole records and can be split off as a batch (RecordBatch); 0 if
    /// unknown.
    mutating func wholeRecords() throws(FrameFault) -> Int
}

extension RecordFramer {
    mutating func wholeRecords() throws(FrameFault) -> Int { 0 }
}

/// A framer of any format. A class instead of an existential, which Embedded Swift lacks.
class AnyFramer {
    var position: TextPosition {
        get { TextPosition() }
        set {}
    }
    func next() throws(FrameFault) -> RecordFrame? { nil }
    func wholeRecords() throws(FrameFault) -> Int { 0 }
}

final class Framer<Format: RecordFramer>: AnyFramer {
    private(set) var format: Format

    init(_ format: Format) { self.format = format }

    override var position: TextPosition {
        get { format.position }
        set { format.position = newValue }
    }
    override func next() throws(FrameFault) -> RecordFrame? { try format.next() }
    override func wholeRecords() throws(FrameFault) -> Int { try format.wholeRecords() }
}

extension InputBuffer {
    /// Like `fill`, but a failure is a fault that ends the input.
    func fill(at position: TextPosition) throws(FrameFault) -> Bool {
        do throws(DocumentProblem) { return try fill() } catch {
            throw FrameFault(error.message, endsAt: position)
        }
    }

    /// Reads the whole input, for formats that cannot be read in pieces.
    func fillWhole(limit: Int, _ name: String, at position: TextPosition) throws(FrameFault) {
        while try fill(at: position) {
            guard count <= limit else {
                throw FrameFault("\(name) is larger than \(limit) bytes; it has to fit in memory", endsAt: position)
            }
        }
    }

    /// Drops the first bytes, and moves the position after them.
    func consume(_ count: Int, _ position: inout TextPosition) {
        position.advance(over: slice(0..<count))
        consume(count)
    }

    /// Moves to the first byte that is not JSON white space; nil at the end of the input.
    func skipSpace(_ position: inout TextPosition) throws(FrameFault) -> UInt8? {
        while true {
            let bytes = self.bytes
            consume(bytes.firstIndex { !$0.isSpace } ?? bytes.count, &position)
            if let byte = self.bytes.first { return byte }
            if try !fill(at: position) { return nil }
        }
    }
}

/// Removes white space at both ends.
func trimmed(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    var range = 0..<bytes.count
    while let last = range.last, bytes[last].isSpace { range.removeLast() }
    while let first = range.first, bytes[first].isSpace { range.removeFirst() }
    return UnsafeBufferPointer(rebasing: bytes[range])
}

func recordTooLong(_ limit: Int) -> String { "the record is longer than \(limit) bytes" }
