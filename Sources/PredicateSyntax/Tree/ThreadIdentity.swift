// Which thread runs, and how much stack it has. The only file of the syntax that imports the platform's library.
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

/// A number for each thread that runs.
@usableFromInline enum ThreadIdentity {
    /// No thread has it.
    @usableFromInline static var any: UInt { 0 }

    /// The number of this thread. Wasm has one thread.
    @usableFromInline static var current: UInt {
        #if os(Windows)
            UInt(GetCurrentThreadId())
        #elseif os(WASI)
            1
        #else
            number(pthread_self())
        #endif
    }

    /// Threads are numbers or addresses, by platform.
    private static func number<Thread>(_ thread: Thread) -> UInt { unsafeBitCast(thread, to: UInt.self) }
}

#if canImport(Glibc) || canImport(Musl)
    /// The headers declare it only for GNU sources, which Swift's modules of them are not.
    @_silgen_name("pthread_getattr_np")
    private func readAttributes(_ thread: pthread_t, _ attributes: UnsafeMutablePointer<pthread_attr_t>) -> CInt
#elseif canImport(Android)
    private func readAttributes(_ thread: pthread_t, _ attributes: UnsafeMutablePointer<pthread_attr_t>) -> CInt {
        pthread_getattr_np(thread, attributes)
    }
#endif

/// The stack of this thread, which bounds the height of trees.
package enum ThreadStack {
    /// The stack for the greatest heights, such as `PredicateLimits.nesting`. Threads of Apple platforms have 512 KB.
    private static let needed = 448 << 10

    /// The greatest height on this thread: `limit`, or less if the stack is small. Threads of musl have 128 KB, which is
    /// enough for a fourth.
    /// - Parameters:
    ///   - limit: the greatest height on a stack of 512 KB.
    ///   - height: the height in question. Only a fifth of the limit and more asks for the size of the stack.
    package static func height(_ limit: Int, for height: Int32) -> Int {
        guard Int(height) > limit / 5, let free, free < needed else { return limit }
        return limit * free / needed
    }

    /// The bytes between the current frame and the end of the stack; nil where the system does not say it.
    private static var free: Int? {
        #if os(Windows) || os(WASI)
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
