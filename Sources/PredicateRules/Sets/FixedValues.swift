// The memory of the indexes of a predicate set.

/// An immutable array. Reading it does no bounds checks and no reference counting, because a match reads hundreds of
/// values. It is only used by snapshots of the set, which the state of the match keeps alive.
// @unchecked Sendable: nothing writes to the memory after `init`.
struct FixedValues<Value: Sendable>: @unchecked Sendable {
    /// The values. Valid as long as this value or a copy of it exists.
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

    var array: [Value] { Array(memory.values) }
}
