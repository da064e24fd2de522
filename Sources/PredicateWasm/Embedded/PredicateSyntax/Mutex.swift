// WebAssembly has one thread, so there are no locks.

// @unchecked Sendable: there is one thread.
@usableFromInline package struct Mutex<Value>: ~Copyable, @unchecked Sendable {
    @usableFromInline let value: UnsafeMutablePointer<Value>

    @inlinable package init(_ value: consuming sending Value) {
        self.value = .allocate(capacity: 1)
        self.value.initialize(to: value)
    }

    @inlinable deinit {
        value.deinitialize(count: 1)
        value.deallocate()
    }

    @inlinable package borrowing func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try body(&value.pointee)
    }

    @inlinable package borrowing func withLockIfAvailable<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        try body(&value.pointee)
    }
}
