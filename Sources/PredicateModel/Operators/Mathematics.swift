// The functions of the C mathematics library that the language uses. The only file that imports the platform's
// library.
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
