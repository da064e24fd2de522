// The type of a published key, as the key table declares it. PublishedSchema.swift converts key tables to entities,
// with the types that the type checker uses (ExpressionType).
import PredicateModel

/// The type of a published key's value: an `ExpressionType`, and the Swift type of its objects, whose key table is read
/// only when a predicate is bound.
///
///     let type: QueryType = .optional(.list(.string))
///
/// The types of the standard library and of Foundation, published types, and enums with raw values have a query type.
/// Other types that conform to `QueryableValue` must return one.
public struct QueryType: Sendable {
    /// The type. Its entity has no name yet; the schema assigns a name to the entity of `object`.
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
    /// An integer, a double or a decimal.
    public static let number = QueryType(.number)
    public static let string = QueryType(.string)
    public static let date = QueryType(.date)
    public static let data = QueryType(.data)
    public static let uuid = QueryType(.uuid)
    public static let url = QueryType(.url)
    /// A value of any type; checked when it is read.
    public static let any = QueryType(.any)

    /// A value or nil.
    public static func optional(_ wrapped: QueryType) -> QueryType {
        QueryType(wrapped.type.optional(), of: wrapped.object)
    }

    public static func list(_ element: QueryType) -> QueryType { QueryType(.list, of: element) }
    public static func set(_ element: QueryType) -> QueryType { QueryType(.set, of: element) }
    /// A dictionary whose keys are texts.
    public static func dictionary(_ value: QueryType) -> QueryType { QueryType(.dictionary, of: value) }

    /// An object of a published type. Its key table is read when a predicate is bound, because types may refer to each
    /// other.
    public static func object(_ type: any Queryable.Type) -> QueryType {
        QueryType(ExpressionType(.entity("")), of: type)
    }
}
