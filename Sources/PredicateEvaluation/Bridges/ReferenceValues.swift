// Foundation's reference types in an `Any` (AnyValues.swift). Without the trait Foundation there are none.
import PredicateSyntax

#if Foundation
    import Foundation

    extension PredicateValue {
        /// The value of NSNull, NSDecimalNumber and NSNumber; nil for other types.
        static func number(_ any: Any) -> PredicateValue? {
            switch any {
            case is NSNull: .nsNull
            case let value as NSDecimalNumber: (value as Decimal).predicateValue
            case let value as NSNumber: number(value)
            default: nil
            }
        }

        /// NSNumber keeps the type of its original value as an Objective-C type code. The code `c` may be a Boolean
        /// or a byte.
        private static func number(_ number: NSNumber) -> PredicateValue {
            switch String(cString: number.objCType) {
            case "c", "B": (0...1).contains(number.int64Value) ? .bool(number.boolValue) : .integer(number.int64Value)
            case "f": .float(number.floatValue)
            case "d": .double(number.doubleValue)
            case "Q": number.uint64Value.predicateValue
            default: .integer(number.int64Value)
            }
        }

        /// The value of the other reference types; nil for a type without values.
        static func reference(_ any: Any) -> PredicateValue? {
            switch any {
            case let value as NSString: .string(String(value))
            case let value as NSDate: (value as Date).predicateValue
            case let value as NSURL: (value as URL).predicateValue
            case let value as NSUUID: (value as UUID).predicateValue
            case let value as NSData: (value as Data).predicateValue
            default: nil
            }
        }
    }
#else
    extension PredicateValue {
        static func number(_ any: Any) -> PredicateValue? { nil }
        static func reference(_ any: Any) -> PredicateValue? { nil }
    }
#endif
