// What operators and functions of the catalogue do with numbers that are not nil, for loops over lanes: the rules of
// PredicateModel (Arithmetic.swift, NumericFunctions.swift), to which they are tested equal.

/// An operator or a function of two numbers; one of one number gets it twice.
protocol NumberRule: SendableMetatype {
    associatedtype Input: Lane
    associatedtype Output: Lane
    /// A constant, so that loops of what never raises do not ask.
    static var mayRaise: Bool { get }
    static func apply(_ a: Input, _ b: Input) -> (value: Output, raises: Bool)
}

/// A rule of integers that raises where the result is not one.
protocol IntegerRule: NumberRule where Input == Int64, Output == Int64 {}

extension IntegerRule {
    static var mayRaise: Bool { true }
}

enum IntegerSum: IntegerRule {
    @inline(__always) static func apply(_ a: Int64, _ b: Int64) -> (value: Int64, raises: Bool) {
        let (value, overflow) = a.addingReportingOverflow(b)
        return (value, overflow)
    }
}

/// Also `-a`, which is `0 - a`.
enum IntegerDifference: IntegerRule {
    @inline(__always) static func apply(_ a: Int64, _ b: Int64) -> (value: Int64, raises: Bool) {
        let (value, overflow) = a.subtractingReportingOverflow(b)
        return (value, overflow)
    }
}

enum IntegerProduct: IntegerRule {
    @inline(__always) static func apply(_ a: Int64, _ b: Int64) -> (value: Int64, raises: Bool) {
        let (value, overflow) = a.multipliedReportingOverflow(by: b)
        return (value, overflow)
    }
}

enum IntegerQuotient: IntegerRule {
    @inline(__always) static func apply(_ a: Int64, _ b: Int64) -> (value: Int64, raises: Bool) {
        let (value, overflow) = a.dividedReportingOverflow(by: b)
        return (value, overflow)
    }
}

enum IntegerRemainder: IntegerRule {
    @inline(__always) static func apply(_ a: Int64, _ b: Int64) -> (value: Int64, raises: Bool) {
        // Of the least integer and -1 it is 0, too, though the quotient overflows.
        (a.remainderReportingOverflow(dividingBy: b).partialValue, b == 0)
    }
}

enum IntegerMagnitude: IntegerRule {
    @inline(__always) static func apply(_ a: Int64, _ b: Int64) -> (value: Int64, raises: Bool) {
        (a < 0 ? 0 &- a : a, a == .min)
    }
}

/// A rule of doubles, which never raises.
protocol DoubleRule: NumberRule where Input == Double, Output == Double {
    static func result(_ a: Double, _ b: Double) -> Double
}

extension DoubleRule {
    static var mayRaise: Bool { false }
    @inline(__always) static func apply(_ a: Double, _ b: Double) -> (value: Double, raises: Bool) {
        (result(a, b), false)
    }
}

enum DoubleSum: DoubleRule {
    @inline(__always) static func result(_ a: Double, _ b: Double) -> Double { a + b }
}
enum DoubleDifference: DoubleRule {
    @inline(__always) static func result(_ a: Double, _ b: Double) -> Double { a - b }
}
enum DoubleProduct: DoubleRule {
    @inline(__always) static func result(_ a: Double, _ b: Double) -> Double { a * b }
}
enum DoubleQuotient: DoubleRule {
    @inline(__always) static func result(_ a: Double, _ b: Double) -> Double { a / b }
}
enum DoubleNegation: DoubleRule {
    @inline(__always) static func result(_ a: Double, _ b: Double) -> Double { -a }
}
enum DoubleMagnitude: DoubleRule {
    @inline(__always) static func result(_ a: Double, _ b: Double) -> Double { a.magnitude }
}
enum DoubleFloor: DoubleRule {
    @inline(__always) static func result(_ a: Double, _ b: Double) -> Double { a.rounded(.down) }
}
enum DoubleCeiling: DoubleRule {
    @inline(__always) static func result(_ a: Double, _ b: Double) -> Double { a.rounded(.up) }
}
enum DoubleTruncation: DoubleRule {
    @inline(__always) static func result(_ a: Double, _ b: Double) -> Double { a.rounded(.towardZero) }
}
enum SquareRoot: DoubleRule {
    @inline(__always) static func result(_ a: Double, _ b: Double) -> Double { a.squareRoot() }
}

/// An integer beside a double is one.
enum IntegerAsDouble: NumberRule {
    static var mayRaise: Bool { false }
    @inline(__always) static func apply(_ a: Int64, _ b: Int64) -> (value: Double, raises: Bool) { (Double(a), false) }
}
