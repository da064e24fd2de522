// Converts values to objects of Swift and Foundation. AnyValues.swift does the reverse.
#if Foundation
    import Foundation
    public import PredicateSyntax
#else
    package import PredicateSyntax
#endif

/// A value of the language that holds an object of the app.
package protocol HostedObject: KeyedObject {
    var host: Any { get }
    /// The values of the published keys. The dictionaries of a type's objects share their keys.
    var published: ValueDictionary { get }
}

extension HostedObject {
    package var published: ValueDictionary { record }
}

extension PredicateValue {
    #if Foundation
        /// The value as an object: String, NSNumber, Date, UUID, URL, Data or NSDecimalNumber; arrays, dictionaries and
        /// NSSet of these, with NSNull for nil inside; or the app's own object. nil for nil.
        ///
        ///     PredicateValue.array([1, .null]).anyValue    // [1, <null>]
        public var anyValue: Any? {
            switch self {
            case .null: nil
            case .nsNull: NSNull()
            case .bool(let value): NSNumber(value: value)
            case .integer(let value): NSNumber(value: value)
            case .float(let value): NSNumber(value: value)
            case .double(let value): NSNumber(value: value)
            case .decimal(let value): NSDecimalNumber(string: "\(value)")
            case .string(let text): text
            case .type(let name): name
            case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
            case .data(let bytes): Data(bytes)
            case .uuid(let id): UUID(id)
            case .url(let text): URL(string: text) ?? text
            case .array(let elements): elements.map { $0.anyValue ?? NSNull() }
            case .set(let members): Self.anySet(members)
            case .dictionary(let dictionary):
                Dictionary(
                    zip(dictionary.keys, dictionary.values.map { $0.anyValue ?? NSNull() }),
                    uniquingKeysWith: { _, last in last })
            case .object: host
            }
        }

        /// An NSSet; a Swift set if it contains decimals, because Foundation's hash of NSDecimalNumber never returns.
        private static func anySet(_ members: [PredicateValue]) -> Any {
            let hasDecimals = members.contains { if case .decimal = $0 { true } else { false } }
            guard hasDecimals else { return NSSet(array: members.map { $0.anyValue ?? NSNull() }) }
            return Set(members.map { AnyHashable($0.anyHashable) })
        }

        private var anyHashable: any Hashable {
            if case .decimal(let number) = self { return Decimal(string: "\(number)") ?? Decimal.nan }
            return anyValue as? any Hashable ?? NSNull()
        }
    #else
        var anyValue: Any? { host }
    #endif

    /// The app's object.
    private var host: Any? {
        guard case .object(let reference) = self else { return nil }
        return (reference.object as? any HostedObject)?.host ?? reference.object
    }
}
