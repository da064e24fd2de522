// The values of constants, arguments and objects. PredicateModel defines their equality, order and arithmetic.
// See LANGUAGE 2.1 and 5.4.

/// A constant of a tree, or the value of an expression.
///
/// `==` and `hash(into:)` are structural, for comparing trees: `YES` equals the number 1 (both print `1`), but
/// 1 and 1.0 differ, because `5 / 2` and `5 / 2.0` do.
public enum PredicateValue: Sendable {
    /// `nil`
    case null
    /// `NSNull`: evaluates as nil, prints `<null>`.
    case nsNull
    /// `YES`, `NO`: the numbers 1 and 0.
    case bool(Bool)
    case integer(Int64)
    /// A double that was given as a 32-bit float: it equals the double but prints a shorter text.
    case float(Float)
    case double(Double)
    indirect case decimal(DecimalNumber)
    case string(String)
    /// Seconds since 2001-01-01 00:00:00 UTC.
    case date(Double)
    case data([UInt8])
    case uuid(UniversalID)
    case url(String)
    case array([PredicateValue])
    /// Distinct elements in their original order.
    case set([PredicateValue])
    case dictionary(ValueDictionary)
    /// A class, given by its name only. It is never looked up.
    case type(String)
    /// An object of the app, accessed through its published keys.
    indirect case object(ObjectReference)
}

extension PredicateValue: Hashable {
    /// Equality. Not an operator of this type: `"a" == false`, two literals, would be a comparison of two values of this type.
    @inline(never)
    @_implements(Equatable,==(_:_:))
    public static func areEqual(_ left: PredicateValue, _ right: PredicateValue) -> Bool {
        switch (left, right) {
        case (.null, .null), (.nsNull, .nsNull): true
        case (.bool(let a), .bool(let b)): a == b
        case (.bool(let a), .integer(let b)), (.integer(let b), .bool(let a)): b == (a ? 1 : 0)
        case (.integer(let a), .integer(let b)): a == b
        case (.float(let a), .float(let b)): a == b || (a.isNaN && b.isNaN)
        case (.double(let a), .double(let b)): a == b || (a.isNaN && b.isNaN)
        case (.decimal(let a), .decimal(let b)): a == b
        case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
        case (.date(let a), .date(let b)): a == b || (a.isNaN && b.isNaN)
        case (.data(let a), .data(let b)): a == b
        case (.uuid(let a), .uuid(let b)): a == b
        case (.url(let a), .url(let b)): a == b
        case (.array(let a), .array(let b)): a == b
        case (.set(let a), .set(let b)): a.count == b.count && Set(a) == Set(b)
        case (.dictionary(let a), .dictionary(let b)): a == b
        case (.type(let a), .type(let b)): a == b
        case (.object(let a), .object(let b)): a == b
        default: false
        }
    }

    @inline(never)
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .nsNull: hasher.combine(1)
        case .bool(let value): hasher.combine(Int64(value ? 1 : 0))
        case .integer(let value): hasher.combine(value)
        case .float(let value): hasher.combine(value.isNaN ? Float.nan.bitPattern : (value + 0).bitPattern)
        case .double(let value), .date(let value):
            hasher.combine(value.isNaN ? Double.nan.bitPattern : (value + 0).bitPattern)
        case .decimal(let value): hasher.combine(value)
        case .string(let value), .url(let value), .type(let value): hasher.combine(value)
        case .data(let value): hasher.combine(value)
        case .uuid(let value): hasher.combine(value)
        case .array(let value): hasher.combine(value)
        case .set(let value):
            hasher.combine(value.count)
            hasher.combine(
                value.reduce(0) { mixed, member in
                    var hasher = Hasher()
                    member.hashIfScalar(into: &hasher)
                    return mixed ^ hasher.finalize()
                })
        case .dictionary(let value): hasher.combine(value)
        case .object(let value): hasher.combine(value)
        }
    }

    /// Hashes an element of a set or dictionary, but ignores collections and objects. This distinguishes most records,
    /// at linear cost for any depth.
    func hashIfScalar(into hasher: inout Hasher) {
        switch self {
        case .array, .set, .dictionary, .object: break
        default: hash(into: &hasher)
        }
    }
}

/// Literals are values: `5`, `2.5`, `"Ada"`, `true`, `[1, 2]`. The value nil is written `.null`, because a comparison with
/// the literal `nil` tests whether there is a value.
///
///     StoreRequest("person", matching: ["city": "Bonn", "employer": .null])
extension PredicateValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByStringInterpolation, ExpressibleByArrayLiteral
{
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .double(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: PredicateValue...) { self = .array(elements) }
}

extension PredicateValue: CustomStringConvertible {
    /// The value as predicates print it: `"Ada"`, `{1, 2}`, `nil`.
    public var description: String {
        var text = ""
        ValuePrinter.write(self, into: &text)
        return text
    }

    /// The text of a text or URL; nil for other values. `as(_:)` supports other types.
    public var stringValue: String? {
        switch self {
        case .string(let text), .url(let text): text
        default: nil
        }
    }
}

extension PredicateValue {
    /// Whether the value is nil or `NSNull`.
    @inlinable public var isNil: Bool {
        switch self {
        case .null, .nsNull: true
        default: false
        }
    }
}

/// The 16 bytes of a UUID. PredicateEvaluation converts it from and to Foundation's UUID.
public struct UniversalID: Hashable, Sendable, CustomStringConvertible {
    /// The first 8 bytes, the first byte being the most significant.
    package let high: UInt64
    /// The last 8 bytes.
    package let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Parses `8-4-4-4-12` hexadecimal digits in either case; nil for other text.
    public init?(_ text: some StringProtocol) {
        var digits: [UInt64] = []
        for (position, byte) in text.utf8.enumerated() {
            if [8, 13, 18, 23].contains(position) {
                guard byte == UInt8(ascii: "-") else { return nil }
            } else {
                guard let digit = byte.hexadecimalDigit else { return nil }
                digits.append(UInt64(digit))
            }
        }
        guard digits.count == 32 else { return nil }
        high = digits[..<16].reduce(0) { $0 << 4 | $1 }
        low = digits[16...].reduce(0) { $0 << 4 | $1 }
    }

    /// The UUID in upper case, like Foundation's: `E621E1F8-C36C-495A-93FC-0C247A3E6E5F`.
    public var description: String {
        func hex(_ value: UInt64, _ digits: Int) -> String {
            String(value, radix: 16, uppercase: true).zeroPadded(to: digits)
        }
        return [
            hex(high >> 32, 8), hex(high >> 16 & 0xFFFF, 4), hex(high & 0xFFFF, 4), hex(low >> 48, 4),
            hex(low & 0xFFFF_FFFF_FFFF, 12),
        ].joined(separator: "-")
    }
}

/// An object of the app as predicates see it: only its published keys. Works without reflection.
public protocol KeyedObject: AnyObject {
    /// The value of a published key; nil if the key is not published.
    func value(forKey key: String) -> PredicateValue?
    /// The value of a published key; nil if the key is not published. Evaluation reads keys with it. Implement it for
    /// values that are read on demand: if it throws, the evaluation throws `failed-read`, whose failure has the error
    /// as its `cause`. The default calls `value(forKey:)`.
    func readValue(forKey key: String) throws -> PredicateValue?
    /// Whether both are the same object or equal objects.
    func isEqual(to other: any KeyedObject) -> Bool
    /// The published keys, for suggestions.
    var publishedKeys: [String] { get }
    /// The name of the type, for messages.
    var typeName: String { get }
}

extension KeyedObject {
    @inlinable public func readValue(forKey key: String) throws -> PredicateValue? { value(forKey: key) }

    /// The values of the published keys.
    package var record: ValueDictionary {
        ValueDictionary(publishedKeys.map { ($0, value(forKey: $0) ?? .null) })
    }
}
