// The constant types that Foundation's predicates can compare. Foundation requires them to be Codable and Sendable.
// Sendable cannot be checked at run time, so the types are listed here.
import Foundation

/// A type of constants in Foundation's predicates.
protocol PredicateConstant: StandardValue, Equatable, Codable, Sendable {}

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
extension String: PredicateConstant {}
extension Date: PredicateConstant {}
extension UUID: PredicateConstant {}
extension URL: PredicateConstant {}
extension Data: PredicateConstant {}
extension Bool: PredicateConstant {}
extension Decimal: PredicateConstant {}
