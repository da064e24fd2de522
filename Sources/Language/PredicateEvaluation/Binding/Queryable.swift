// The protocols with which a Swift type publishes the keys that predicates can read. Reflection is not used, so other
// properties are not accessible.

/// A type whose values predicates can use: numbers, texts, dates, collections of these, published types, and
/// enums with such raw values.
///
///     enum Status: String, QueryableValue { case open, done }     // needs no members
///     struct Money: QueryableValue {
///         var cents: Int
///         var predicateValue: PredicateValue { .integer(Int64(cents)) }
///         static var queryType: ExpressionType.Kind { .integer }
///     }
///
/// A value of such a type can also be an argument of `%@` and the value of a variable. `predicateValue` depends on the
/// value alone: for an enum without associated values, a compiled predicate computes it once for each case.
public protocol QueryableValue: PredicateValueConvertible, SendableMetatype {
    /// The value as a predicate reads it from a key: `predicateValue`, but objects are not tested for being Sendable.
    var queryValue: PredicateValue { get }
    /// The type of these values in the predicate language. Predicates are checked against it when they are bound. By
    /// default any type; each value is then checked when it is read.
    static var queryType: ExpressionType.Kind { get }
}

extension QueryableValue {
    public var queryValue: PredicateValue { predicateValue }
    public static var queryType: ExpressionType.Kind { .any }
}

/// A type whose objects predicates can test.
///
///     struct Person: Queryable {
///         var name: String, age: Int, employer: Company?
///         static let keys: KeyTable<Person> = [
///             .key("name", \.name), .key("age", \.age), .key("employer", \.employer),
///         ]
///     }
///
/// Works for classes (final or not), computed properties, optionals, nested published types and collections of them. A
/// subclass uses the table of the class that conforms. A generic class, or a class whose subclasses override `keys`,
/// computes its table and caches it with `KeyTable.once`.
///
/// An object can be an argument of `%@` if it may be sent to other threads. A struct of values may; for other objects
/// use `FormatArgument.object(_:)`.
public protocol Queryable: QueryableValue {
    /// The type of the table's key paths: `Self`, or for a subclass the class that conforms.
    associatedtype Keyed = Self
    static var keys: KeyTable<Keyed> { get }
    /// Changes how a store keeps the objects: names of the table and its columns, the primary key, links of
    /// relationships and their delete rules, defaults, and keys that are not stored. By default nothing.
    ///
    ///     struct Item: Queryable {
    ///         var name: String, isActive: Bool, maker: Company?
    ///         static let keys: KeyTable<Item> = [
    ///             .key("name", \.name), .key("isActive", \.isActive), .key("maker", \.maker),
    ///         ]
    ///         static func describe(_ entity: inout PredicateSchema.Entity) {
    ///             entity.table = "item"
    ///             entity[attribute: "isActive"]?.defaultValue = true
    ///             entity[relationship: "maker"]?.link = .column("company_id")
    ///         }
    ///     }
    ///
    /// `PredicateSchema(of:)` calls it with the entity that it has derived from the keys.
    static func describe(_ entity: inout PredicateSchema.Entity)
}

extension Queryable {
    public var queryValue: PredicateValue { .object(ObjectReference(confining: QueryableObject<Self>(self))) }

    public var predicateValue: PredicateValue {
        .object(ObjectReference(confining: QueryableObject<Self>(self), !SendableContent.isIn(self)))
    }

    public static func describe(_ entity: inout PredicateSchema.Entity) {}

    static func value(of object: Any) -> PredicateValue? { (object as? Self)?.queryValue }

    /// The object as the type whose keys are published. Always succeeds: `Keyed` is `Self` or its superclass.
    var keyed: Keyed? {
        // The bit cast is safe, because both are the same type. A dynamic cast would test that for each object.
        Keyed.self == Self.self ? unsafeBitCast(self, to: Keyed.self) : self as? Keyed
    }

    /// The values of the published keys of objects. The dictionaries share their keys.
    package static func records(of objects: [Self]) -> [ValueDictionary] {
        let keys = keys
        return objects.compactMap { $0.keyed.map(keys.record) }
    }
}

extension FormatArgument {
    /// An argument that is an object of a published type. Predicates can read its published keys.
    ///
    ///     try FormatPredicate("employer == %@", FormatArgument.object(company))
    ///
    /// A struct of values can be passed directly: `FormatPredicate("address == %@", address)`.
    public static func object(_ object: some Queryable & Sendable) -> FormatArgument {
        .value(.object(ObjectReference(confining: QueryableObject(object), false)))
    }
}

extension QueryableValue where Self: RawRepresentable, RawValue: QueryableValue {
    public var predicateValue: PredicateValue { rawValue.predicateValue }
    public static var queryType: ExpressionType.Kind { QueryType(of: RawValue.self).type.kind }
}

/// An object accessed through its key table.
final class QueryableObject<Object: Queryable>: HostedObject, KeyComparedObject {
    let object: Object
    var host: Any { object }
    init(_ object: Object) { self.object = object }

    func value(forKey key: String) -> PredicateValue? {
        object.keyed.flatMap { Object.keys.value(key, of: $0) }
    }

    func readValue(forKey key: String) -> PredicateValue? { value(forKey: key) }

    func isEqual(to other: any KeyedObject) -> Bool { Self.value(self).isEqual(to: Self.value(other)) }

    private static func value(_ object: any KeyedObject) -> PredicateValue {
        .object(ObjectReference(confining: object))
    }

    /// Structs that are not Equatable are compared by their keys.
    func equality(with other: any KeyedObject) -> Bool? {
        guard let other = other as? QueryableObject<Object> else { return false }
        return HostEquality.areEqual(object, other.object)
    }

    var publishedKeys: [String] { Object.keys.names }
    var published: ValueDictionary {
        object.keyed.map { Object.keys.record(of: $0) } ?? record
    }
    var typeName: String { "\(Object.self)" }
}
