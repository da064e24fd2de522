// Operators and functions on numbers that are not nil, for loops over lanes. A test checks that they equal the
// rules of PredicateModel (Arithmetic.swift, NumericFunctions.swift).

/// An operator or function of two numbers. A function of one number receives it twice.
protocol NumberRule: SendableMetatype {
    associatedtype Input: Lane
    associatedtype Output: Lane
    /// A constant, so that loops over rules that never throw have no check.
    static var mayRaise: Bool { get }
    static func apply(_ a: Input, _ b: Input) -> (value: Output, raises: Bool)
}

/// An integer rule that throws on overflow.
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

/// Also used for `-a`, computed as `0 - a`.
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
        // For the minimum integer and -1 the result is 0, even though the quotient overflows.
        (a.remainderReportingOverflow(dividingBy: b).partialValue, b == 0)
    }
}

enum IntegerMagnitude: IntegerRule {
    @inline(__always) static func apply(_ a: Int64, _ b: Int64) -> (value: Int64, raises: Bool) {
        (a < 0 ? 0 &- a : a, a == .min)
    }
}

/// A double rule, which never throws.
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

/// Converts an integer operand to a double.
enum IntegerAsDouble: NumberRule {
    static var mayRaise: Bool { false }
    @inline(__always) static func apply(_ a: Int64, _ b: Int64) -> (value: Double, raises: Bool) { (Double(a), false) }
}
