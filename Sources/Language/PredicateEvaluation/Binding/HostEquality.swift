// Determines two properties of the app's objects other than their keys: whether two are equal, and whether one may be
// sent to other threads. Queryable.swift, AnyValues.swift and HostObject.swift use it.

package enum HostEquality {
    /// Whether two objects are equal: by `==` if they are Equatable, else by identity; nil for structs and enums that
    /// are not Equatable.
    package static func areEqual<Object>(_ object: Object, _ other: Object) -> Bool? {
        if let one = object as? any Equatable { return equal(one, other) }
        guard type(of: object as Any) is AnyClass else { return nil }
        return (object as AnyObject) === (other as AnyObject)
    }

    private static func equal<One: Equatable>(_ one: One, _ other: Any) -> Bool { one == other as? One }
}

/// A value of a type that the language does not support. It has no keys, but can be compared with `==` and tested for
/// nil.
final class OpaqueObject: HostedObject {
    let object: Any
    var host: Any { object }
    init(_ object: Any) { self.object = object }

    func value(forKey key: String) -> PredicateValue? { nil }
    func isEqual(to other: any KeyedObject) -> Bool {
        (other as? OpaqueObject).flatMap { HostEquality.areEqual(object, $0.object) } ?? false
    }
    var publishedKeys: [String] { [] }
    var typeName: String { "\(type(of: object))" }
}

/// Inspects what a value consists of, because a program cannot test at run time whether a type is Sendable.
enum SendableContent {
    private static let depthLimit = 16

    /// Whether a value consists only of values of the language: structs, enums and collections of them.
    static func isIn(_ value: Any, depth: Int = 0) -> Bool {
        if type(of: value) is AnyClass || depth > depthLimit { return false }
        if value is any StandardValue { return true }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        // For an enum, only a raw value is known to be safe. Associated values may be closures.
        case .enum: return value is any QueryableValue && mirror.children.isEmpty
        case .struct, .optional, .tuple, .collection, .set, .dictionary: break
        default: return false
        }
        // A struct without stored properties may be a pointer.
        if mirror.children.isEmpty, mirror.displayStyle == .struct { return value is any QueryableValue }
        return mirror.children.allSatisfy { isIn($0.value, depth: depth + 1) }
    }
}
