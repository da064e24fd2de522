// Reads objects without Objective-C and without a key table. For each type it determines once how objects are
// converted, and the position of each stored property.
import Foundation
import PredicateEvaluation
import PredicateSyntax
import Synchronization

/// How to read the objects of one type.
final class TypeReader: Sendable {
    private enum Kind: Sendable {
        /// A published type, or a value type that the library supports.
        case queryable
        case optional
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
    private let kind: Kind

    /// Returns the reader for an object's type.
    static func of(_ object: Any) -> TypeReader {
        let id = ObjectIdentifier(type(of: object))
        if let reader = known.withLock({ $0[id] }) { return reader }
        let reader = TypeReader(object)
        known.withLock { $0[id] = reader }
        return reader
    }

    private init(_ object: Any) {
        name = "\(type(of: object))"
        kind = Self.kind(of: object)
    }

    private static func kind(of object: Any) -> Kind {
        switch object {
        case is NSNull, is NSNumber, is NSString, is NSDate, is NSURL, is NSUUID, is NSData: .foundation
        // The elements may be objects without key tables.
        case is NSArray: .list
        case is any QueryableValue: .queryable
        case is any OptionalObject: .optional
        case is NSOrderedSet: .orderedSet
        case is [Any]: .list
        case is [AnyHashable: Any]: .dictionary
        case is Set<AnyHashable>: .set
        case is any RawRepresentable: .raw
        case is any BinaryFloatingPoint: .floating
        default:
            Mirror(reflecting: object).displayStyle == .collection ? .list : .object(StoredKeys(object))
        }
    }

    /// Converts an object of the type to a value.
    ///
    /// - Throws: `limit-exceeded` for collections nested more than 200 deep.
    func value(of object: Any, depth: Int = 0) throws(PredicateFailure) -> PredicateValue {
        guard depth < Self.depthLimit else {
            throw PredicateFailure(
                Diagnostic(.limitExceeded, at: .none, "the object nests collections too deep", "\(Self.depthLimit)"))
        }
        switch kind {
        case .queryable: return (object as? any QueryableValue)?.queryValue ?? .null
        case .optional:
            guard let wrapped = (object as? any OptionalObject)?.wrapped else { return .null }
            return try TypeReader.of(wrapped).value(of: wrapped, depth: depth)
        case .foundation: return try PredicateValue(converting: object)
        case .list, .orderedSet: return .array(try values(elements(of: object), depth))
        case .set:
            let members = (object as? Set<AnyHashable>).map { $0.map(\.base) } ?? []
            return .set(try values(members, depth))
        case .dictionary: return try dictionary(object, depth)
        case .raw: return try raw(object, depth)
        case .floating: return (object as? any BinaryFloatingPoint).map { .double(Double($0)) } ?? .null
        case .object:
            // NSPredicate may hold any object and is not Sendable, so the reference is confined to the calling thread.
            return .object(ObjectReference(confining: HostObject(object, self), false))
        }
    }

    private func elements(of object: Any) -> [Any] {
        if let list = object as? [Any] { return list }
        if let set = object as? NSOrderedSet { return set.map { $0 } }
        return Mirror(reflecting: object).children.map(\.value)
    }

    private func values(_ objects: [Any], _ depth: Int) throws(PredicateFailure) -> [PredicateValue] {
        var values: [PredicateValue] = []
        values.reserveCapacity(objects.count)
        for object in objects { values.append(try TypeReader.of(object).value(of: object, depth: depth + 1)) }
        return values
    }

    private func dictionary(_ object: Any, _ depth: Int) throws(PredicateFailure) -> PredicateValue {
        var pairs: [(String, PredicateValue)] = []
        for (key, entry) in object as? [AnyHashable: Any] ?? [:] {
            pairs.append(("\(key.base)", try TypeReader.of(entry).value(of: entry, depth: depth + 1)))
        }
        return .dictionary(ValueDictionary(pairs))
    }

    private func raw(_ object: Any, _ depth: Int) throws(PredicateFailure) -> PredicateValue {
        guard let raw = (object as? any RawRepresentable)?.anyRawValue else { return .null }
        return try TypeReader.of(raw).value(of: raw, depth: depth + 1)
    }

    /// The stored properties of an object; nil for other values.
    var keys: StoredKeys? {
        if case .object(let keys) = kind { keys } else { nil }
    }
}

extension RawRepresentable {
    fileprivate var anyRawValue: Any { rawValue }
}

/// An optional of any type.
protocol OptionalObject {
    var wrapped: Any? { get }
}

extension Optional: OptionalObject {
    var wrapped: Any? { map { $0 as Any } }
}
