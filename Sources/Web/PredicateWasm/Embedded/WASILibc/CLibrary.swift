// The C library of WebAssembly as Swift sees it: the functions that the model calls. The toolchain has no such module for
// Embedded Swift.

@_extern(c) public func pow(_ base: Double, _ exponent: Double) -> Double
@_extern(c) public func exp(_ value: Double) -> Double
@_extern(c) public func log(_ value: Double) -> Double
@_extern(c) public func log10(_ value: Double) -> Double
@_extern(c) public func sin(_ value: Double) -> Double
@_extern(c) public func cos(_ value: Double) -> Double
@_extern(c) public func asin(_ value: Double) -> Double

public struct timespec {
    public var tv_sec: Int64 = 0
    public var tv_nsec: Int64 = 0
    public init() {}
}

public var CLOCK_REALTIME: Int32 { 0 }

/// The clock of the program that loads the module.
public func clock_gettime(_ clock: Int32, _ time: inout timespec) {
    let seconds = predicate_clock()
    time.tv_sec = Int64(seconds)
    time.tv_nsec = Int64((seconds - seconds.rounded(.down)) * 1e9)
}

@_extern(c) func predicate_clock() -> Double
