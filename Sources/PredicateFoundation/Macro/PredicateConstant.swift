// The constant types that Foundation's predicates can compare. Foundation requires them to be Codable and Sendable.
// Sendable cannot be checked at run time, so the types are listed here.
import Foundation
import PredicateEvaluation
import PredicateModel
import PredicateSyntax

/// A type of constants in Foundation's predicates.
protocol PredicateConstant: Equatable, Codable, Sendable {
    /// The constant of a value; nil if the value is of another type.
    static func constant(_ value: PredicateValue) -> Self?
}

extension PredicateConstant where Self: FixedWidthInteger {
    static func constant(_ value: PredicateValue) -> Self? {
        switch value {
        case .integer(let number): Self(exactly: number)
        case .double(let number): Self(exactly: number)
        default: nil
        }
    }
}

extension PredicateConstant where Self: BinaryFloatingPoint {
    static func constant(_ value: PredicateValue) -> Self? {
        switch value {
        case .integer(let number): Self(exactly: number)
        case .double(let number): Self(exactly: number)
        case .float(let number): Self(exactly: number)
        case .decimal(let number): Double("\(number)").map { Self($0) }
        default: nil
        }
    }
}

/// Types whose values are already objects of the type in `HostValue`.
protocol ObjectConstant: PredicateConstant {}

extension ObjectConstant {
    static func constant(_ value: PredicateValue) -> Self? { HostValue.object(value) as? Self }
}

extension Int: PredicateConstant {}
extension Int8: PredicateConstant {}
extension Int16: PredicateConstant {}
extension Int32: PredicateConstant {}
extension Int64: PredicateConstant {}
extension UInt: PredicateConstant {}
extension UInt8: PredicateConstant {}
extension UInt16: PredicateConstant {}
extension UInt32: PredicateConstant {}
extension UInt64: PredicateConstant {}
extension Double: PredicateConstant {}
extension Float: PredicateConstant {}
extension CGFloat: PredicateConstant {}
extension String: ObjectConstant {}
extension Date: ObjectConstant {}
extension UUID: ObjectConstant {}
extension URL: ObjectConstant {}
extension Data: ObjectConstant {}

extension Bool: PredicateConstant {
    static func constant(_ value: PredicateValue) -> Bool? {
        switch value {
        case .bool(let answer): answer
        case .integer(0): false
        case .integer(1): true
        default: nil
        }
    }
}

extension Decimal: PredicateConstant {
    static func constant(_ value: PredicateValue) -> Decimal? {
        switch value {
        case .integer(let number): Decimal(number)
        // The shortest text: Decimal(3.133) is 3.132999999999999488.
        case .double(let number): Decimal(string: "\(number)")
        case .decimal(let number): Decimal(string: "\(number)")
        default: nil
        }
    }
}

/// An optional of a constant type.
protocol OptionalConstant {
    static var wrappedConstant: (any PredicateConstant.Type)? { get }
}

extension Optional: OptionalConstant {
    static var wrappedConstant: (any PredicateConstant.Type)? { Wrapped.self as? any PredicateConstant.Type }
}
