// The memory of the indexes of a predicate set. Indexes are pointers into it, so reading them counts no references.
// Counting them took half of the time of a match.

/// Owns the arrays of the indexes of one run, or of one snapshot. The state of a match retains its snapshot, and the
/// snapshot retains this memory.
// @unchecked Sendable: only the initialisers of the owner add arrays; afterwards nothing writes.
final class IndexMemory: @unchecked Sendable {
    private var releases: [() -> Void] = []

    deinit { for release in releases { release() } }

    /// Copies values into this memory.
    func fixed<Value: Sendable>(_ values: some Collection<Value>) -> FixedValues<Value> {
        let count = values.count
        guard count > 0 else { return FixedValues(start: Self.none(), count: 0) }
        let buffer = UnsafeMutableBufferPointer<Value>.allocate(capacity: count)
        _ = buffer.initialize(fromContentsOf: values)
        releases.append {
            buffer.deinitialize()
            buffer.deallocate()
        }
        return FixedValues(start: UnsafePointer(buffer.baseAddress.unsafelyUnwrapped), count: count)
    }

    /// The address of an empty array, which nothing reads.
    private static func none<Value>() -> UnsafePointer<Value> {
        UnsafePointer(bitPattern: MemoryLayout<Value>.alignment).unsafelyUnwrapped
    }
}

/// An immutable array in the memory of a run. Reading it does no bounds checks and no reference counting.
// @unchecked Sendable: nothing writes to the memory after it was filled.
struct FixedValues<Value: Sendable>: @unchecked Sendable {
    /// The values. Valid as long as the memory exists.
    let start: UnsafePointer<Value>
    let count: Int

    @inline(__always) subscript(_ index: Int) -> Value { start[index] }

    var array: [Value] { Array(UnsafeBufferPointer(start: start, count: count)) }
}
