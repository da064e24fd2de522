// Decodes rows as types of the app.

extension PredicateStore {
    /// Returns the objects decoded as a Decodable type. The names of its properties are keys of the entity.
    ///
    ///     struct Person: Decodable {
    ///         var name: String
    ///         var birthday: Date?
    ///         var employer: Company?    // a relationship: name it in `prefetch`
    ///     }
    ///     let adults = try store.fetch(Person.self, StoreRequest("person", where: predicate, prefetch: ["employer"]))
    ///
    /// A published type (`Queryable`) that is Decodable is decoded in the same way, so the same predicates filter its
    /// values. A `Storable` type builds itself instead.
    ///
    /// `unreadable` is called with the failure of each row that cannot be decoded, which is then left out. It
    /// names the row and the key. Without it, the first such row ends the request.
    ///
    /// - Throws: `row` for a property that is not a key, or whose type does not fit the value; what `fetch` throws.
    @_disfavoredOverload
    public func fetch<Row: Decodable>(
        _ type: Row.Type, _ request: StoreRequest, unreadable: ((StoreFailure) -> Void)? = nil
    ) throws(StoreFailure) -> [Row] {
        try rows(request, unreadable) { (object) throws(StoreFailure) in try object.decoded(as: type) }
    }

    func rows<Row>(
        _ request: StoreRequest, _ unreadable: ((StoreFailure) -> Void)?,
        _ row: (StoredObject) throws(StoreFailure) -> Row
    ) throws(StoreFailure) -> [Row] {
        let cursor = try cursor(request)
        var rows: [Row] = []
        while let object = try cursor.next() {
            do throws(StoreFailure) {
                rows.append(try row(object))
            } catch {
                guard let unreadable, case .row = error else { throw error }
                unreadable(error)
            }
        }
        return rows
    }

    /// Returns the one object that a request selects, decoded as a type; nil if there is none.
    ///
    /// - Throws: `notUnique` if there are several; what `fetch` throws.
    @_disfavoredOverload
    public func one<Row: Decodable>(_ type: Row.Type, _ request: StoreRequest) throws(StoreFailure) -> Row? {
        try one(request)?.decoded(as: type)
    }

    /// Returns records decoded as a type, whose coding keys are the properties of the request.
    ///
    ///     struct City: Decodable {
    ///         var name: String?
    ///         var people: Int
    ///         enum CodingKeys: String, CodingKey { case name = "city", people = "@count" }
    ///     }
    ///
    /// - Throws: `row` for a coding key that is not a property, or whose type does not fit the value; what `records`
    ///   throws.
    public func records<Row: Decodable>(_ type: Row.Type, _ request: StoreRequest) throws(StoreFailure) -> [Row] {
        try records(request).map { (record) throws(StoreFailure) in try RowDecoder.row(type, .dictionary(record)) }
    }
}

extension StoredObject {
    /// Decodes the object as a type. The names of its properties are keys of the entity.
    ///
    /// - Throws: `row` for a property that is not a key, or whose type does not fit the value; errors of reading
    ///   relationships.
    public func decoded<Row: Decodable>(as type: Row.Type) throws(StoreFailure) -> Row {
        do throws(StoreFailure) {
            return try RowDecoder.row(type, .object(ObjectReference(self)))
        } catch {
            guard case .row(let type, let key, let reason) = error else { throw error }
            throw .row(type: type, key: key, reason: reason + mark)
        }
    }
}
