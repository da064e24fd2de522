// Converts Foundation's reference types in an `Any` (AnyValues.swift). Without the trait Foundation there are none.
#if Foundation
    public import Foundation
    public import PredicateSyntax

    extension CGFloat: QueryableValue, StandardValue {
        public var predicateValue: PredicateValue { .double(Double(self)) }
        package static var valueType: QueryType { .double }
    }

    extension NSNumber: QueryableValue, StandardValue {
        /// A Boolean, an integer or a double, depending on how the number was created; a decimal for NSDecimalNumber.
        public var predicateValue: PredicateValue {
            (self as? NSDecimalNumber).map { ($0 as Decimal).predicateValue } ?? PredicateValue.number(self)
        }
        /// `any`, because a Boolean is also an NSNumber.
        package static var valueType: QueryType { .any }
    }

    extension NSString: QueryableValue, StandardValue {
        public var predicateValue: PredicateValue { .string(String(self)) }
        package static var valueType: QueryType { .string }
    }

    extension NSDate: QueryableValue, StandardValue {
        public var predicateValue: PredicateValue { (self as Date).predicateValue }
        package static var valueType: QueryType { .date }
    }

    extension NSURL: QueryableValue, StandardValue {
        public var predicateValue: PredicateValue { (self as URL).predicateValue }
        package static var valueType: QueryType { .url }
    }

    extension NSUUID: QueryableValue, StandardValue {
        public var predicateValue: PredicateValue { (self as UUID).predicateValue }
        package static var valueType: QueryType { .uuid }
    }

    extension NSData: QueryableValue, StandardValue {
        public var predicateValue: PredicateValue { (self as Data).predicateValue }
        package static var valueType: QueryType { .data }
    }

    extension NSNull: QueryableValue, StandardValue {
        public var predicateValue: PredicateValue { .nsNull }
        package static var valueType: QueryType { .any }
    }

    extension NSArray: QueryableValue, StandardValue {
        /// The elements, converted like `PredicateValue(converting:)`. Elements of unsupported types become objects
        /// without keys.
        public var predicateValue: PredicateValue { .array(map { PredicateValue(known: $0) }) }
        package static var valueType: QueryType { .list(.any) }
    }

    // Only objects are cast to classes. A cast converts a value to an object, and Foundation's hash of the
    // NSDecimalNumbers in a converted set never returns.
    extension PredicateValue {
        /// The value of NSNull and NSNumber; nil for other types.
        static func number(_ any: Any) -> PredicateValue? {
            guard Swift.type(of: any) is AnyClass else { return nil }
            return switch any {
            case is NSNull: .nsNull
            case let value as NSNumber: value.predicateValue
            default: nil
            }
        }

        /// NSNumber stores the type of its original value as an Objective-C type code. The code `c` may be a Boolean or
        /// a byte.
        fileprivate static func number(_ number: NSNumber) -> PredicateValue {
            switch String(cString: number.objCType) {
            case "c", "B": (0...1).contains(number.int64Value) ? .bool(number.boolValue) : .integer(number.int64Value)
            case "f": .float(number.floatValue)
            case "d": .double(number.doubleValue)
            case "Q": number.uint64Value.predicateValue
            default: .integer(number.int64Value)
            }
        }

        /// The value of any other reference type; nil for an unsupported type.
        static func reference(_ any: Any) -> PredicateValue? {
            guard Swift.type(of: any) is AnyClass else { return nil }
            return switch any {
            case let value as NSString: value.predicateValue
            case let value as NSDate: value.predicateValue
            case let value as NSURL: value.predicateValue
            case let value as NSUUID: value.predicateValue
            case let value as NSData: value.predicateValue
            default: nil
            }
        }

        /// Whether the value is a Foundation list, whose elements may be nested too deeply.
        static func isForeignList(_ any: Any) -> Bool { Swift.type(of: any) is AnyClass && any is NSArray }
    }
#else
    import PredicateSyntax

    extension PredicateValue {
        static func isForeignList(_ any: Any) -> Bool { false }
        static func number(_ any: Any) -> PredicateValue? { nil }
        static func reference(_ any: Any) -> PredicateValue? { nil }
    }
#endif
