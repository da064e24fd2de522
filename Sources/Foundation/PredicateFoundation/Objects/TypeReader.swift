// Reads objects without Objective-C and without a key table. For each type it determines once how objects are
// converted, and the position of each stored property.
import Foundation

/// How to read the objects of one type.
final class TypeReader: Sendable {
    private enum Conversion: Sendable {
        /// A published type, or a value type that the library supports.
        case queryable
        /// An optional, an AnyHashable, or Foundation's object for a Swift value. The type of the content may differ
        /// from object to object.
        case box
        /// A reference type of Foundation, such as NSNumber.
        case foundation
        case list, orderedSet, set, dictionary
        /// An enum or another type with a raw value, which is converted to that value.
        case raw
        case floating
        case object(StoredKeys)
    }

    private static let known = Mutex<[ObjectIdentifier: TypeReader]>([:])
    private static let depthLimit = 200

    let name: String
    private let conversion: Conversion

    /// Returns the reader for an object's type.
    static func of(_ object: Any) -> TypeReader {
        let id = ObjectIdentifier(type(of: object))
        if let reader = known.withLock({ $0[id] }) { return reader }
        let reader = TypeReader(object)
        // Objective-C has one class for all boxes of Swift values.
        if reader.name != "__SwiftValue" { known.withLock { $0[id] = reader } }
        return reader
    }

    private init(_ object: Any) {
        name = "\(type(of: object))"
        conversion = Self.conversion(of: object)
    }

    private static func conversion(of object: Any) -> Conversion {
        let type = type(of: object)
        // First, because casts look through boxes, so they would find the conversion of this object's content.
        if type is any ValueBox.Type { return .box }
        return type is AnyClass ? conversion(ofReference: object, type) : conversion(ofValue: object)
    }

    private static func conversion(ofReference object: Any, _ type: Any.Type) -> Conversion {
        switch object {
        case is NSNull, is NSNumber, is NSString, is NSDate, is NSURL, is NSUUID, is NSData: .foundation
        // The elements may be objects without key tables.
        case is NSArray: .list
        case is any QueryableValue: .queryable
        case is NSOrderedSet: .orderedSet
        case _ where Swift.type(of: swiftValue(object)) != type: .box
        case is any RawRepresentable: .raw
        default: .object(StoredKeys(object))
        }
    }

    /// No cast to a class, which would convert the value to an object: for a set of decimals, Foundation's hash of
    /// NSDecimalNumber never returns.
    private static func conversion(ofValue object: Any) -> Conversion {
        switch object {
        case is [Any]: .list
        case let value as any QueryableValue where !holdsAny(value): .queryable
        case is any PairBox: .dictionary
        case is any MemberBox: .set
        case _ where Mirror(reflecting: object).displayStyle == .collection: .list
        case is any QueryableValue: .queryable
        case is any RawRepresentable: .raw
        case is any BinaryFloatingPoint: .floating
        default: .object(StoredKeys(object))
        }
    }

    /// Whether a value is of unknown type, or a collection of such values. Collections of NSArray are: its elements may
    /// be objects without key tables.
    private static func holdsAny<Value: QueryableValue>(_ value: Value) -> Bool {
        var type = QueryType(of: Value.self).type
        while case .collection(_, let element) = type.kind { type = element }
        return type.kind == .any
    }

    /// The Swift value of an object, such as a dictionary for NSDictionary, and the struct in an object made by
    /// `as AnyObject`; else the object.
    private static func swiftValue(_ object: Any) -> Any {
        #if canImport(ObjectiveC)
            // Casts look into a box themselves.
            switch object {
            case let set as NSSet: set as? Set<AnyHashable> ?? []
            case let dictionary as NSDictionary: dictionary as? [AnyHashable: Any] ?? [:]
            default: object
            }
        #else
            // Foundation converts the elements of its arrays.
            NSArray(object: object)[0]
        #endif
    }

    /// Converts an object of the type to a value.
    ///
    /// - Parameter published: whether objects without a key table have no keys.
    /// - Throws: `limit-exceeded` for collections nested more than 200 deep.
    func value(of object: Any, depth: Int = 0, published: Bool = false) throws(PredicateFailure) -> PredicateValue {
        guard depth < Self.depthLimit else {
            throw PredicateFailure(.limitExceeded, "the object nests collections too deep", "\(Self.depthLimit)")
        }
        func part(_ object: Any) throws(PredicateFailure) -> PredicateValue {
            try HostValue.value(object, depth: depth + 1, published: published)
        }
        switch conversion {
        case .queryable: return (object as? any QueryableValue)?.queryValue ?? .null
        case .box:
            guard let content = content(of: object) else { return .null }
            return try HostValue.value(content, depth: depth, published: published)
        case .foundation: return try PredicateValue(converting: object)
        case .list, .orderedSet: return .array(try elements(of: object).map(part))
        case .set: return .set(try ((object as? any MemberBox)?.members ?? []).map(part))
        case .dictionary:
            var pairs: [(String, PredicateValue)] = []
            for (key, entry) in (object as? any PairBox)?.pairs ?? [] { pairs.append(("\(key)", try part(entry))) }
            return .dictionary(ValueDictionary(pairs))
        case .raw:
            guard let raw = (object as? any RawRepresentable)?.rawValue else { return .null }
            return try part(raw)
        case .floating: return (object as? any BinaryFloatingPoint).map { .double(Double($0)) } ?? .null
        case .object:
            // NSPredicate may hold any object and is not Sendable, so the reference is confined to the calling thread.
            let host = HostObject(object: object, reader: self, isPublishedOnly: published)
            return .object(ObjectReference(confining: host, false))
        }
    }

    private func content(of box: Any) -> Any? {
        type(of: box) is AnyClass ? Self.swiftValue(box) : (box as? any ValueBox)?.content
    }

    private func elements(of object: Any) -> [Any] {
        if let list = object as? [Any] { return list }
        if let set = object as? NSOrderedSet { return set.map { $0 } }
        return Mirror(reflecting: object).children.map(\.value)
    }

    /// The stored properties of an object; nil for other values.
    var keys: StoredKeys? {
        if case .object(let keys) = conversion { keys } else { nil }
    }
}

/// A type whose values contain a value of another type.
protocol ValueBox {
    var content: Any? { get }
}

extension Optional: ValueBox {
    var content: Any? { map { $0 as Any } }
}

extension AnyHashable: ValueBox {
    var content: Any? { base }
}

private protocol MemberBox {
    var members: [Any] { get }
}

extension Set: MemberBox {
    fileprivate var members: [Any] { map { $0 } }
}

private protocol PairBox {
    var pairs: [(Any, Any)] { get }
}

extension Dictionary: PairBox {
    fileprivate var pairs: [(Any, Any)] { map { ($0.key, $0.value) } }
}
