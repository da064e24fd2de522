// The memory of a column's numbers. Its address never changes, so that plans can read it as rows (Rows.swift).

/// Values of one type without gaps.
///
/// @unchecked Sendable: nothing writes to the memory after `init`, and the owner is only kept.
final class PackedValues: @unchecked Sendable {
    let start: UnsafeRawPointer
    let stride: Int
    private let count: Int
    /// What keeps the memory; nil if it is our own.
    private let owner: AnyObject?

    init<Number: BitwiseCopyable>(_ values: [Number]) {
        stride = MemoryLayout<Number>.stride
        count = values.count
        let memory = UnsafeMutableRawPointer.allocate(byteCount: count * stride, alignment: 16)
        values.withUnsafeBytes {
            memory.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(memory), byteCount: $0.count)
        }
        start = UnsafeRawPointer(memory)
        owner = nil
    }

    /// Values in the memory of another owner, which is kept as long as they are, and changes nothing.
    init(borrowing start: UnsafeRawPointer, stride: Int, count: Int, owner: AnyObject) {
        (self.start, self.stride, self.count, self.owner) = (start, stride, count, owner)
    }

    static let none = PackedValues([UInt8]())

    deinit { if owner == nil { start.deallocate() } }

    /// All values as bytes.
    @inline(__always) var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: start.assumingMemoryBound(to: UInt8.self), count: count &* stride)
    }

    /// Returns a value. Like a subscript of an array, it traps for a row that does not exist.
    func value<Number: BitwiseCopyable>(at row: Int, as type: Number.Type) -> Number {
        precondition(row >= 0 && row < count, "no such row")
        return start.load(fromByteOffset: row * stride, as: Number.self)
    }

    /// The values of consecutive rows of a table, as rows.
    @inline(__always) func rows(_ rows: Rows) -> Rows {
        Rows(start: start + rows.first &* stride, stride: stride, count: rows.count, first: rows.first)
    }
}
