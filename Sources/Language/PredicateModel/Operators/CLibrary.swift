// The functions of the C library that the language uses: mathematics, the clock and its time zone. This is the only file
// of the model and the evaluator that imports the platform's C library, which is available with and without the trait
// Foundation.

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

extension PredicateTimeZone {
    #if canImport(WASILibc)
        package static var local: PredicateTimeZone { .utc }
    #else
        /// The time zone of the machine, which `TZ` changes. It is a fixed offset if its clocks never change.
        package static let local: PredicateTimeZone = {
            // Four instants of each year from 1900 to 2040.
            let offsets = Set((-404..<160).map { localOffset(Double($0) * 7_889_400) })
            guard offsets.count == 1, let offset = offsets.first else {
                return PredicateTimeZone("local", secondsFromUTC: localOffset)
            }
            return PredicateTimeZone(secondsFromUTC: offset)
        }()

        /// An instant with the same offset for which the system has rules. The calendar, and so the rules of the last
        /// known year, repeat after 400 years; before 1800 a zone has its first offset.
        package static func inRules(_ instant: Double) -> Double {
            guard instant.isFinite else { return 0 }
            let (first, century, cycle) = (-6_342_710_400.0, 3_155_673_600.0, 146_097 * 86_400.0)
            if instant < century + cycle { return max(instant, first) }
            return century + (instant - century).truncatingRemainder(dividingBy: cycle)
        }

        @Sendable private static func localOffset(_ instant: Double) -> Int {
            let instant = inRules(instant)
            var (time, parts) = (time_t((instant + 978_307_200).rounded(.down)), tm())
            #if os(Windows)
                localtime_s(&parts, &time)
            #else
                localtime_r(&time, &parts)
            #endif
            let date = CalendarDate(
                year: Int(parts.tm_year) + 1_900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday),
                hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: Double(parts.tm_sec))
            return Int(date.secondsSince2001 - instant.rounded(.down))
        }
    #endif
}
