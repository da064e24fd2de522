// Which thread runs. The only file of the syntax that imports the platform's library.
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
