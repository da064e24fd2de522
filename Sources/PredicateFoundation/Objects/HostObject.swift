// Objects without a key table as values of predicates, and the conversion of values to objects.
import Foundation
import PredicateEvaluation
import PredicateModel
import PredicateSyntax

/// An object whose stored properties are read as keys.
final class HostObject: KeyedObject {
    let object: Any
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
        guard let other = other as? HostObject else { return false }
        if let one = object as? any Equatable { return Self.equal(one, other.object) }
        guard type(of: object) is AnyClass, type(of: other.object) is AnyClass else { return false }
        return (object as AnyObject) === (other.object as AnyObject)
    }

    private static func equal<One: Equatable>(_ one: One, _ other: Any) -> Bool { one == other as? One }

    var publishedKeys: [String] { isPublishedOnly ? [] : reader.keys?.names ?? [] }

    /// The subject of messages about missing keys.
    var typeName: String {
        isPublishedOnly
            ? "\(reader.name), of which a FormatPredicate reads published keys (Queryable) only,"
            : "\(reader.name), which has no key table (Queryable) and is read by its stored properties,"
    }
}

/// Converts between objects and values.
enum HostValue {
    /// The value of any object.
    static func value(_ object: Any?, published: Bool = false) throws(PredicateFailure) -> PredicateValue {
        guard let object else { return .null }
        return try TypeReader.of(object).value(of: object, published: published)
    }

    /// The values of the variables of a predicate.
    static func variables(_ objects: [String: Any]) throws(PredicateFailure) -> PredicateVariables {
        var variables: PredicateVariables = [:]
        for (name, object) in objects { variables[name] = try argument(object) }
        return variables
    }

    /// An argument of `%@`: a value, or the tree of an NSExpression.
    static func argument(_ object: Any?) throws(PredicateFailure) -> FormatArgument {
        #if !canImport(ObjectiveC)
            if let expression = reference(object, as: ExpressionClass.self) {
                return .expression(Formula.expression(expression).root.root)
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

    /// Converts a value to the object that NSPredicate passes to blocks: NSNumber for numbers, the app's own objects
    /// unchanged.
    static func object(_ value: PredicateValue) -> Any? {
        switch value {
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
        case .array(let elements): elements.map { object($0) ?? NSNull() }
        case .set(let members): set(members)
        case .dictionary(let dictionary):
            Dictionary(
                zip(dictionary.keys, dictionary.values.map { object($0) ?? NSNull() }),
                uniquingKeysWith: { _, last in last })
        case .object(let reference): host(reference)
        }
    }

    /// An NSSet; a Swift set if it contains decimals, because Foundation's hash of NSDecimalNumber never returns.
    private static func set(_ members: [PredicateValue]) -> Any {
        let hasDecimals = members.contains { if case .decimal = $0 { true } else { false } }
        guard hasDecimals else { return NSSet(array: members.map { object($0) ?? NSNull() }) }
        return Set(members.map { AnyHashable(hashable($0)) })
    }

    private static func hashable(_ value: PredicateValue) -> any Hashable {
        if case .decimal(let number) = value { return Decimal(string: "\(number)") ?? Decimal.nan }
        return object(value) as? any Hashable ?? NSNull()
    }

    /// Returns the app's object. Objects of published types are wrapped in an internal type of PredicateEvaluation.
    private static func host(_ reference: ObjectReference) -> Any? {
        if let host = reference.object as? HostObject { return host.object }
        return Mirror(reflecting: reference.object).descendant("object")
    }
}
