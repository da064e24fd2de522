// The type of a published key, as the key table declares it. PublishedSchema.swift converts key tables to entities,
// with the types that the type checker uses (ExpressionType).

/// A type of the standard library or Foundation, whose type in the language is known.
package protocol TypedValue {
    static var valueType: QueryType { get }
}

/// A `TypedValue` that contains no objects of the app.
package protocol StandardValue: QueryableValue, TypedValue {
    /// The value as this type if the conversion is exact, else nil.
    static func read(_ value: PredicateValue) -> Self?
}

/// The type of a published key's value: an `ExpressionType`, and the Swift type of its objects, whose key table is read
/// only when a predicate is bound.
@usableFromInline package struct QueryType: Sendable {
    /// The type. Its entity has no name yet; the schema assigns a name to the entity of `object`.
    package let type: ExpressionType
    /// The published type of the objects.
    let object: (any Queryable.Type)?

    private init(_ type: ExpressionType, of object: (any Queryable.Type)? = nil) {
        self.type = type
        self.object = object
    }

    /// The type of the values of a Swift type.
    @usableFromInline package init<Value: QueryableValue>(of type: Value.Type) {
        if let type = type as? any Queryable.Type {
            self = .object(type)
        } else if let type = type as? any TypedValue.Type {
            self = type.valueType
        } else {
            self.init(Value.queryType)
        }
    }

    private init(_ kind: ExpressionType.Kind) { self.init(ExpressionType(kind)) }

    private init(_ shape: ExpressionType.Shape, of element: QueryType) {
        self.init(ExpressionType(.collection(shape, of: element.type)), of: element.object)
    }

    package static let boolean = QueryType(.boolean)
    package static let integer = QueryType(.integer)
    package static let double = QueryType(.double)
    package static let decimal = QueryType(.decimal)
    /// An integer, a double or a decimal.
    package static let number = QueryType(.number)
    package static let string = QueryType(.string)
    package static let date = QueryType(.date)
    package static let data = QueryType(.data)
    package static let uuid = QueryType(.uuid)
    package static let url = QueryType(.url)
    /// A value of any type; checked when it is read.
    package static let any = QueryType(.any)

    /// A value or nil.
    package static func optional(_ wrapped: QueryType) -> QueryType {
        QueryType(wrapped.type.optional(), of: wrapped.object)
    }

    package static func list(_ element: QueryType) -> QueryType { QueryType(.list, of: element) }
    package static func set(_ element: QueryType) -> QueryType { QueryType(.set, of: element) }
    /// A dictionary whose keys are texts.
    package static func dictionary(_ value: QueryType) -> QueryType { QueryType(.dictionary, of: value) }

    /// An object of a published type. Its key table is read when a predicate is bound, because types may refer to each
    /// other.
    package static func object(_ type: any Queryable.Type) -> QueryType {
        QueryType(ExpressionType(.entity("")), of: type)
    }
}
