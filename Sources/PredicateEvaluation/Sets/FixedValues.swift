// The memory of the indexes of a set of predicates.

/// An array that never changes. Reading it checks no bounds and counts no references: a match reads hundreds of values. Its
/// users belong to a snapshot of the set, which the state of the match keeps.
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

    var array: [Value] { Array(memory.values) }
}
