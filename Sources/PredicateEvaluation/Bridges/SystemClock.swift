// The only code that reads the system's clock. It calls the C library, so that the trait Foundation makes no difference.
#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Android)
    import Android
#elseif canImport(WASILibc)
    import WASILibc
#elseif canImport(ucrt)
    import ucrt
#endif

/// The default clock of `now()`.
package enum SystemClock {
    /// Seconds from 1970-01-01 to 2001-01-01, both at 00:00 UTC.
    private static let epoch = 978_307_200.0

    /// Seconds since 2001-01-01 00:00 UTC.
    @Sendable package static func seconds() -> Double {
        var time = timespec()
        #if os(Windows) || os(WASI)
            // Neither has the constant CLOCK_REALTIME in Swift.
            _ = timespec_get(&time, TIME_UTC)
        #else
            clock_gettime(CLOCK_REALTIME, &time)
        #endif
        return Double(time.tv_sec) - epoch + Double(time.tv_nsec) / 1e9
    }
}
