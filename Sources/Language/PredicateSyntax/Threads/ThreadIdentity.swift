// The identity and the free stack of the current thread.
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

/// A number that identifies a running thread.
@usableFromInline enum ThreadIdentity {
    /// A number that no thread has.
    @usableFromInline static var any: UInt { 0 }

    /// The number of this thread. Wasm has one thread.
    @usableFromInline static var current: UInt {
        #if os(Windows)
            UInt(GetCurrentThreadId())
        #elseif os(WASI) || arch(wasm32)
            1
        #else
            number(pthread_self())
        #endif
    }

    /// Thread identifiers are numbers or addresses, depending on the platform.
    private static func number<Thread>(_ thread: Thread) -> UInt { unsafeBitCast(thread, to: UInt.self) }
}

#if canImport(Glibc) || canImport(Musl)
    /// The headers declare this function only for GNU sources, and Swift's modules are not built as such.
    @_silgen_name("pthread_getattr_np")
    private func readAttributes(_ thread: pthread_t, _ attributes: UnsafeMutablePointer<pthread_attr_t>) -> CInt
#elseif canImport(Android)
    private func readAttributes(_ thread: pthread_t, _ attributes: UnsafeMutablePointer<pthread_attr_t>) -> CInt {
        pthread_getattr_np(thread, attributes)
    }
#endif

/// The free stack of the current thread, which bounds the height of trees.
package enum ThreadStack {
    /// The stack needed for the maximum heights, such as `PredicateLimits.nesting`. Threads on Apple platforms have 512
    /// KB.
    private static let needed = 448 << 10

    /// The maximum height on this thread: `limit`, or less if the stack is small. With musl, threads have 128 KB, which
    /// is enough for a quarter.
    /// - Parameters:
    ///   - limit: the maximum height on a stack of 512 KB.
    ///   - height: the height to test. The stack size is read only if this is at least a fifth of the limit.
    package static func height(_ limit: Int, for height: Int32) -> Int {
        guard Int(height) > limit / 5, let free, free < needed else { return limit }
        return limit * free / needed
    }

    /// The bytes between the current frame and the end of the stack; nil if the system does not report it.
    private static var free: Int? {
        #if os(Windows) || os(WASI) || arch(wasm32)
            return nil
        #else
            var mark = 0
            #if canImport(Darwin)
                let thread = pthread_self()
                let end = UInt(bitPattern: pthread_get_stackaddr_np(thread)) - UInt(pthread_get_stacksize_np(thread))
            #else
                var attributes = pthread_attr_t()
                guard readAttributes(pthread_self(), &attributes) == 0 else { return nil }
                defer { pthread_attr_destroy(&attributes) }
                var start: UnsafeMutableRawPointer?
                var size = 0
                guard pthread_attr_getstack(&attributes, &start, &size) == 0 else { return nil }
                let end = UInt(bitPattern: start)
            #endif
            let here = withUnsafeMutablePointer(to: &mark) { UInt(bitPattern: $0) }
            return here > end ? Int(here - end) : nil
        #endif
    }
}
