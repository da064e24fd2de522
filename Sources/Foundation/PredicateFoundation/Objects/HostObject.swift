// Objects without a key table as values of predicates.
import Foundation

/// An object whose stored properties are read as keys.
final class HostObject: HostedObject {
    let object: Any
    var host: Any { object }
    let reader: TypeReader
    /// Whether it has no keys, because the text of the predicate may come from a user.
    let isPublishedOnly: Bool

    init(object: Any, reader: TypeReader, isPublishedOnly: Bool) {
        (self.object, self.reader, self.isPublishedOnly) = (object, reader, isPublishedOnly)
    }

    func value(forKey key: String) -> PredicateValue? {
        guard !isPublishedOnly, let stored = reader.keys?.read(key, of: object) else { return nil }
        return try? HostValue.value(stored)
    }

    func isEqual(to other: any KeyedObject) -> Bool {
        (other as? HostObject).flatMap { HostEquality.areEqual(object, $0.object) } ?? false
    }

    var publishedKeys: [String] { isPublishedOnly ? [] : reader.keys?.names ?? [] }

    /// The subject of messages about missing keys.
    var typeName: String {
        isPublishedOnly
            ? "\(reader.name), of which a FormatPredicate reads published keys (Queryable) only,"
            : "\(reader.name), which has no key table (Queryable) and is read by its stored properties,"
    }
}

/// Converts objects to values.
enum HostValue {
    static func value(
        _ object: Any?, depth: Int = 0, published: Bool = false
    ) throws(PredicateFailure) -> PredicateValue {
        guard let object else { return .null }
        // The types are compared, because casts would take longer than most predicates.
        func scalar<Object>(_ object: Object) -> PredicateValue? {
            if Object.self == String.self { return .string(unsafeBitCast(object, to: String.self)) }
            if Object.self == Int.self { return .integer(Int64(unsafeBitCast(object, to: Int.self))) }
            if Object.self == Bool.self { return .bool(unsafeBitCast(object, to: Bool.self)) }
            guard Object.self == NSNumber.self else { return nil }
            return withUnsafeBytes(of: object) { $0.load(as: NSNumber.self).predicateValue }
        }
        if let scalar = _openExistential(object, do: scalar) { return scalar }
        return try TypeReader.of(object).value(of: object, depth: depth, published: published)
    }

    static func variables(_ objects: [String: Any]) throws(PredicateFailure) -> PredicateVariables {
        var variables: PredicateVariables = [:]
        for (name, object) in objects { variables[name] = try argument(object) }
        return variables
    }

    /// An argument of `%@`: a value, or the tree of an NSExpression.
    static func argument(_ object: Any?) throws(PredicateFailure) -> FormatArgument {
        #if !canImport(ObjectiveC)
            if let expression = reference(object, as: ExpressionClass.self) {
                return .expression(BlockFormula.expression(expression).root.root)
            }
        #endif
        // NSPredicate may hold any object, and is not Sendable.
        return .value(try value(object).unconfined)
    }

    /// The object as a class; nil for other objects. A cast of a value would convert it to an object.
    static func reference<Class: AnyObject>(_ object: Any?, as type: Class.Type) -> Class? {
        guard let object else { return nil }
        let kind = Swift.type(of: object)
        if kind is any ValueBox.Type { return reference((object as? any ValueBox)?.content, as: type) }
        return kind is AnyClass ? object as? Class : nil
    }
}
