// Protocols with which a Swift type publishes the keys that predicates can read. There is no reflection: other
// properties are not accessible.
public import PredicateSyntax

/// A type whose values predicates can use: numbers, texts, dates, collections of these, published types, and
/// enums with such raw values.
///
///     enum Status: String, QueryableValue { case open, done }     // needs no members
public protocol QueryableValue: SendableMetatype {
    /// The value in the predicate language.
    var queryValue: PredicateValue { get }
    /// The type of these values in the predicate language. Predicates are checked against it when they are bound.
    ///
    ///     struct Money: QueryableValue {
    ///         var cents: Int
    ///         var queryValue: Value { .integer(Int64(cents)) }
    ///         static var queryType: QueryType { .integer }
    ///     }
    static var queryType: QueryType { get }
}

/// A type whose objects predicates can test.
///
///     struct Person { var name: String; var age: Int; var employer: Company? }
///     extension Person: Queryable {
///         static let keys: KeyTable<Person> = [
///             .key("name", \.name), .key("age", \.age), .key("employer", \.employer),
///         ]
///     }
///
/// Works for classes (final or not), computed properties, optionals, nested published types and collections of
/// them. A subclass uses the table of the class that conforms.
public protocol Queryable: QueryableValue {
    /// The type of the table's key paths: `Self`, or for a subclass the class that conforms.
    associatedtype Keyed = Self
    static var keys: KeyTable<Keyed> { get }
}

extension Queryable {
    public var queryValue: PredicateValue { .object(ObjectReference(QueryableObject<Self>(self))) }

    public static var queryType: QueryType { .object(Self.self) }
}

extension QueryableValue where Self: RawRepresentable, RawValue: QueryableValue {
    public var queryValue: PredicateValue { rawValue.queryValue }
    public static var queryType: QueryType { RawValue.queryType }
}

/// An object accessed through its key table.
struct QueryableObject<Object: Queryable>: KeyedObject {
    let object: Object
    init(_ object: Object) { self.object = object }

    func value(forKey key: String) -> PredicateValue? {
        // Always succeeds: `Keyed` is `Self` or its superclass.
        guard let keyed = object as? Object.Keyed else { return nil }
        return Object.keys[key]?.read(keyed)
    }

    func isEqual(to other: any KeyedObject) -> Bool {
        guard let other = other as? QueryableObject<Object> else { return false }
        if let one = object as? any Equatable { return Self.equal(one, other.object) }
        guard Object.self is AnyObject.Type else { return false }
        return (object as AnyObject) === (other.object as AnyObject)
    }

    private static func equal<Other: Equatable>(_ one: Other, _ other: Object) -> Bool { one == other as? Other }

    var publishedKeys: [String] { Object.keys.names }
    var typeName: String { "\(Object.self)" }
}
