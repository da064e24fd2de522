// Rows as types of the app.
import PredicateSyntax

extension PredicateStore {
    /// Returns the objects as values of a type, whose properties have the names of keys.
    ///
    ///     struct Person: Decodable {
    ///         var name: String
    ///         var birthday: Date?
    ///         var employer: Company?    // a relationship: name it in `prefetch`
    ///     }
    ///     let adults = try store.fetch(Person.self, FetchRequest("person", where: predicate, prefetch: ["employer"]))
    ///
    /// A published type (`Queryable`) that is Decodable is read in the same way, so the same predicates filter its values.
    ///
    /// - Throws: `row`, for a property that is no key, or whose type cannot be the value; and what `fetch` throws.
    public func fetch<Row: Decodable>(_ type: Row.Type, _ request: FetchRequest) throws(StoreFailure) -> [Row] {
        let cursor = try cursor(request)
        var rows: [Row] = []
        while let object = try cursor.next() { rows.append(try object.decoded(as: type)) }
        return rows
    }

    /// Returns the one object that a request selects as a value of a type; nil if there is none.
    ///
    /// - Throws: `notUnique` if there are several; and what `fetch` throws.
    public func one<Row: Decodable>(_ type: Row.Type, _ request: FetchRequest) throws(StoreFailure) -> Row? {
        try one(request)?.decoded(as: type)
    }

    /// Returns records as values of a type, whose coding keys are the properties of the request.
    ///
    ///     struct City: Decodable {
    ///         var name: String?
    ///         var people: Int
    ///         enum CodingKeys: String, CodingKey { case name = "city", people = "@count" }
    ///     }
    ///
    /// - Throws: `row`, for a key that is no property, or whose type cannot be the value; and what `records` throws.
    public func records<Row: Decodable>(_ type: Row.Type, _ request: FetchRequest) throws(StoreFailure) -> [Row] {
        try records(request).map { (record) throws(StoreFailure) in try RowDecoder.row(type, .dictionary(record)) }
    }
}

extension StoredObject {
    /// The object as a value of a type, whose properties have the names of keys.
    ///
    /// - Throws: `row`, for a property that is no key, or whose type cannot be the value; errors of reading relationships.
    public func decoded<Row: Decodable>(as type: Row.Type) throws(StoreFailure) -> Row {
        let row = try RowDecoder.row(type, .object(ObjectReference(self)))
        try checkFaults()
        return row
    }
}
