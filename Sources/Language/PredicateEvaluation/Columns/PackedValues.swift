// The memory of a column's numbers. Its address never changes, so plans can read it as rows (Rows.swift).

/// Values of one type without gaps.
///
/// @unchecked Sendable: nothing writes to the memory after `init`.
final class PackedValues: @unchecked Sendable {
    let start: UnsafeRawPointer
    let stride: Int
    private let count: Int

    init<Number: BitwiseCopyable>(_ values: [Number]) {
        stride = MemoryLayout<Number>.stride
        count = values.count
        let memory = UnsafeMutableRawPointer.allocate(byteCount: count * stride, alignment: 16)
        values.withUnsafeBytes {
            memory.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(memory), byteCount: $0.count)
        }
        start = UnsafeRawPointer(memory)
    }

    static let none = PackedValues([UInt8]())

    deinit { start.deallocate() }

    /// Returns a value. Like an array subscript, it traps for a row that does not exist.
    func value<Number: BitwiseCopyable>(at row: Int, as type: Number.Type) -> Number {
        precondition(row >= 0 && row < count, "no such row")
        return start.load(fromByteOffset: row * stride, as: Number.self)
    }

    /// The values of consecutive rows of a table, as rows.
    @inline(__always) func rows(_ rows: Rows) -> Rows {
        Rows(start: start + rows.first &* stride, stride: stride, count: rows.count, first: rows.first)
    }
}
