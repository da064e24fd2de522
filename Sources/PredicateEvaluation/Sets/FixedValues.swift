// The memory of indexes.

/// Values that never change. Reading them checks no bounds and counts no references, because a match reads hundreds.
// @unchecked Sendable: nothing writes to the memory after `init`.
struct FixedValues<Value: Sendable>: @unchecked Sendable {
    /// The values, as long as this value or a copy of it lives.
    let start: UnsafePointer<Value>
    let count: Int
    private let memory: Memory

    private final class Memory {
        let values: UnsafeMutableBufferPointer<Value>
        init(_ values: UnsafeMutableBufferPointer<Value>) { self.values = values }
        deinit {
            values.deinitialize()
            values.deallocate()
        }
    }

    init(_ values: some Collection<Value>) {
        let buffer = UnsafeMutableBufferPointer<Value>.allocate(capacity: max(1, values.count))
        count = values.count
        let used = UnsafeMutableBufferPointer(rebasing: buffer[..<count])
        _ = used.initialize(fromContentsOf: values)
        start = UnsafePointer(buffer.baseAddress.unsafelyUnwrapped)
        memory = Memory(used)
    }

    @inline(__always) subscript(_ index: Int) -> Value { start[index] }
}
