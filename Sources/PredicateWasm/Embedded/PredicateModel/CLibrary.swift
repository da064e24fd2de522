// The functions of the C library that the language uses, and the clock of the program that loads the module.

@_extern(c) private func pow(_ base: Double, _ exponent: Double) -> Double
@_extern(c) private func exp(_ value: Double) -> Double
@_extern(c) private func log(_ value: Double) -> Double
@_extern(c) private func log10(_ value: Double) -> Double
@_extern(c) private func sin(_ value: Double) -> Double
@_extern(c) private func cos(_ value: Double) -> Double
@_extern(c) private func asin(_ value: Double) -> Double
/// Seconds since 1970-01-01 00:00 UTC.
@_extern(c) private func predicate_clock() -> Double

enum Mathematics {
    static func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
    static func exponential(_ value: Double) -> Double { exp(value) }
    static func naturalLogarithm(_ value: Double) -> Double { log(value) }
    static func decimalLogarithm(_ value: Double) -> Double { log10(value) }
    static func sine(_ value: Double) -> Double { sin(value) }
    static func cosine(_ value: Double) -> Double { cos(value) }
    static func arcSine(_ value: Double) -> Double { asin(value) }
}

package enum SystemClock {
    @Sendable package static func seconds() -> Double { predicate_clock() - 978_307_200 }
}
