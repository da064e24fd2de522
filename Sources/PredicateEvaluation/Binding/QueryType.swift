// The type of a published key, as a table states it. PublishedSchema.swift makes entities of tables; from there on the types
// are those of the checker (ExpressionType).
import PredicateModel

/// The type of what a published key holds.
///
///     static var queryType: QueryType { .optional(.list(.string)) }
///
/// The types of the standard library and of Foundation have theirs; a type of your own needs one where it conforms to
/// `QueryableValue` by hand.
public struct QueryType: Sendable {
    /// The type. An entity in it has no name yet, since a name is given by the schema: it is that of `object`.
    let type: ExpressionType
    /// The published type of the objects.
    let object: (any Queryable.Type)?

    private init(_ type: ExpressionType, of object: (any Queryable.Type)? = nil) {
        self.type = type
        self.object = object
    }

    private init(_ kind: ExpressionType.Kind) { self.init(ExpressionType(kind)) }

    private init(_ shape: ExpressionType.Shape, of element: QueryType) {
        self.init(ExpressionType(.collection(shape, of: element.type)), of: element.object)
    }

    public static let boolean = QueryType(.boolean)
    public static let integer = QueryType(.integer)
    public static let double = QueryType(.double)
    public static let decimal = QueryType(.decimal)
    /// A number that is an integer, a double or a decimal as the object has it.
    public static let number = QueryType(.number)
    public static let string = QueryType(.string)
    public static let date = QueryType(.date)
    public static let data = QueryType(.data)
    public static let uuid = QueryType(.uuid)
    public static let url = QueryType(.url)
    /// Any value: not checked before it is read.
    public static let any = QueryType(.any)

    /// The type, or nil.
    public static func optional(_ wrapped: QueryType) -> QueryType {
        QueryType(wrapped.type.optional(), of: wrapped.object)
    }

    public static func list(_ element: QueryType) -> QueryType { QueryType(.list, of: element) }
    public static func set(_ element: QueryType) -> QueryType { QueryType(.set, of: element) }
    /// With keys that are texts.
    public static func dictionary(_ value: QueryType) -> QueryType { QueryType(.dictionary, of: value) }

    /// Objects of a published type. Its table is read where a predicate is bound, so that types may refer to one another.
    public static func object(_ type: any Queryable.Type) -> QueryType {
        QueryType(ExpressionType(.entity("")), of: type)
    }
}
