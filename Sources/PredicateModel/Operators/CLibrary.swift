// The functions of the C library that the language uses: mathematics and the clock. This is the only file of the model
// and the evaluator that imports the platform's C library, which is available with and without the trait Foundation.
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

enum Mathematics {
    static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
    static func exponential(_ value: Double) -> Double { exp(value) }
    static func naturalLogarithm(_ value: Double) -> Double { log(value) }
    static func decimalLogarithm(_ value: Double) -> Double { log10(value) }
    static func sine(_ value: Double) -> Double { sin(value) }
    static func cosine(_ value: Double) -> Double { cos(value) }
    static func arcSine(_ value: Double) -> Double { asin(value) }
}

/// The default clock of `now()`.
package enum SystemClock {
    /// Seconds from 1970-01-01 to 2001-01-01, both at 00:00 UTC.
    private static let epoch = 978_307_200.0

    /// Seconds since 2001-01-01 00:00 UTC.
    @Sendable package static func seconds() -> Double {
        var time = timespec()
        #if os(Windows) || os(WASI)
            // On these platforms Swift cannot import the constant CLOCK_REALTIME.
            _ = timespec_get(&time, TIME_UTC)
        #else
            clock_gettime(CLOCK_REALTIME, &time)
        #endif
        return Double(time.tv_sec) - epoch + Double(time.tv_nsec) / 1e9
    }
}
