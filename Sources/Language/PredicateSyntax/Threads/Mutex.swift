// A lock for values that several threads use. The Mutex of the standard library has the same interface, but needs macOS
// 15 and iOS 18.
#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(WinSDK)
    import WinSDK
#endif

/// A value protected by a lock of the system. Code under the lock must not take the same lock again.
///
///     private let counts = Mutex<[String: Int]>([:])
///     counts.withLock { $0["a"] = 1 }
///
/// - Complexity: creating it allocates memory, because the system's locks must not move.
// @unchecked Sendable: `withLock` is the only access to the value.
@usableFromInline package struct Mutex<Value>: ~Copyable, @unchecked Sendable {
    @usableFromInline let lock: SystemLock
    @usableFromInline let value: UnsafeMutablePointer<Value>

    @inlinable package init(_ value: consuming sending Value) {
        lock = SystemLock(before: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment)
        self.value = lock.end.assumingMemoryBound(to: Value.self)
        self.value.initialize(to: value)
    }

    @inlinable deinit {
        value.deinitialize(count: 1)
        lock.destroy()
    }

    /// Waits for the lock, and keeps it while the body runs.
    @inlinable package borrowing func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value.pointee)
    }

    /// Runs the body only if the lock is free; returns nil if it is not.
    @inlinable package borrowing func withLockIfAvailable<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        guard lock.tryLock() else { return nil }
        defer { lock.unlock() }
        return try body(&value.pointee)
    }
}

/// A lock at the start of a block of memory. The value that it protects is stored after it.
@usableFromInline struct SystemLock {
    #if canImport(Darwin)
        private typealias Primitive = os_unfair_lock
    #elseif canImport(WinSDK)
        private typealias Primitive = SRWLOCK
    #elseif canImport(Glibc) || canImport(Musl) || canImport(Android)
        private typealias Primitive = pthread_mutex_t
    #else
        /// Unused: Wasm has one thread.
        private typealias Primitive = UInt8
    #endif

    private let start: UnsafeMutableRawPointer
    @usableFromInline let end: UnsafeMutableRawPointer
    private var primitive: UnsafeMutablePointer<Primitive> { start.assumingMemoryBound(to: Primitive.self) }

    @usableFromInline init(before size: Int, alignment: Int) {
        let offset = (MemoryLayout<Primitive>.size + alignment - 1) / alignment * alignment
        start = .allocate(byteCount: offset + size, alignment: max(alignment, MemoryLayout<Primitive>.alignment))
        end = start + offset
        #if canImport(Darwin)
            primitive.initialize(to: os_unfair_lock())
        #elseif canImport(WinSDK)
            InitializeSRWLock(primitive)
        #elseif canImport(Glibc) || canImport(Musl) || canImport(Android)
            pthread_mutex_init(primitive, nil)
        #endif
    }

    @usableFromInline func destroy() {
        #if canImport(Glibc) || canImport(Musl) || canImport(Android)
            pthread_mutex_destroy(primitive)
        #endif
        start.deallocate()
    }

    @usableFromInline func lock() {
        #if canImport(Darwin)
            os_unfair_lock_lock(primitive)
        #elseif canImport(WinSDK)
            AcquireSRWLockExclusive(primitive)
        #elseif canImport(Glibc) || canImport(Musl) || canImport(Android)
            pthread_mutex_lock(primitive)
        #endif
    }

    @usableFromInline func tryLock() -> Bool {
        #if canImport(Darwin)
            os_unfair_lock_trylock(primitive)
        #elseif canImport(WinSDK)
            TryAcquireSRWLockExclusive(primitive) != 0
        #elseif canImport(Glibc) || canImport(Musl) || canImport(Android)
            pthread_mutex_trylock(primitive) == 0
        #else
            true
        #endif
    }

    @usableFromInline func unlock() {
        #if canImport(Darwin)
            os_unfair_lock_unlock(primitive)
        #elseif canImport(WinSDK)
            ReleaseSRWLockExclusive(primitive)
        #elseif canImport(Glibc) || canImport(Musl) || canImport(Android)
            pthread_mutex_unlock(primitive)
        #endif
    }
}
