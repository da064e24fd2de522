// Converts Foundation's values to values of the language: arguments of `%@`, entries of dictionaries, published
// keys.
#if Foundation
    public import PredicateModel
    public import PredicateSyntax

    #if canImport(FoundationEssentials)
        public import FoundationEssentials
    #else
        public import Foundation
    #endif

    extension Date: QueryableValue, StandardValue {
        public var predicateValue: PredicateValue { .date(timeIntervalSinceReferenceDate) }
        package static var valueType: QueryType { .date }
    }

    extension UUID: QueryableValue, StandardValue {
        public var predicateValue: PredicateValue { .uuid(UniversalID(self)) }
        package static var valueType: QueryType { .uuid }
    }

    extension URL: QueryableValue, StandardValue {
        public var predicateValue: PredicateValue { .url(absoluteString) }
        package static var valueType: QueryType { .url }
    }

    extension Data: QueryableValue, StandardValue {
        public var predicateValue: PredicateValue { .data(Array(self)) }
        package static var valueType: QueryType { .data }
    }

    extension Decimal: QueryableValue, StandardValue {
        /// Rounded to 38 digits, which only changes values with 39. NaN becomes nil.
        public var predicateValue: PredicateValue {
            // The digits of a large value without its zeros: its text has up to 166.
            guard !isNaN, let magnitude = WideMagnitude("\(significand)") else { return .null }
            return DecimalNumber(rounding: magnitude, exponent: exponent, isNegative: self < 0)
                .map(PredicateValue.decimal) ?? .null
        }
        package static var valueType: QueryType { .decimal }

        package static func read(_ value: PredicateValue) -> Decimal? {
            switch value {
            case .integer(let number): Decimal(number)
            // The shortest text: Decimal(3.133) is 3.132999999999999488.
            case .double(let number): Decimal(string: "\(number)")
            case .decimal(let number): Decimal(string: "\(number)")
            default: nil
            }
        }
    }

    extension UniversalID {
        public init(_ uuid: UUID) {
            let bytes = withUnsafeBytes(of: uuid.uuid) { Array($0) }
            func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
            self.init(high: word(bytes[..<8]), low: word(bytes[8...]))
        }
    }

    extension UUID {
        public init(_ id: UniversalID) {
            func byte(_ word: UInt64, _ position: Int) -> UInt8 {
                UInt8(truncatingIfNeeded: word >> (56 - 8 * position))
            }
            let (h, l) = (id.high, id.low)
            self.init(
                uuid: (
                    byte(h, 0), byte(h, 1), byte(h, 2), byte(h, 3), byte(h, 4), byte(h, 5), byte(h, 6), byte(h, 7),
                    byte(l, 0), byte(l, 1), byte(l, 2), byte(l, 3), byte(l, 4), byte(l, 5), byte(l, 6), byte(l, 7)
                ))
        }
    }

    extension PredicateClock {
        /// A fixed instant.
        ///
        ///     StoreRequest("Task", where: try FormatPredicate("due < now()"), clock: .at(report.date))
        public static func at(_ date: Date) -> PredicateClock { .at(date.timeIntervalSinceReferenceDate) }
    }
#endif
