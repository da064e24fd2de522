// The schema of published types for a store: tables, columns, primary keys and the links of relationships.
// PublishedSchema.swift finds the entities and their keys.

extension PredicateSchema {
    /// The schema of a store for published types, and for the types that their keys refer to.
    ///
    ///     struct Author: Queryable {
    ///         var id: Int?, name: String, books: [Book]?
    ///         static let keys: KeyTable<Author> = [.key("id", \.id), .key("name", \.name), .key("books", \.books)]
    ///     }
    ///     struct Book: Queryable {
    ///         var id: Int?, title: String, author: Author?
    ///         static let keys: KeyTable<Book> = [.key("id", \.id), .key("title", \.title), .key("author", \.author)]
    ///     }
    ///     // Author(id, name) and Book(id, title, author_id); books is the inverse of author
    ///     let schema = try PredicateSchema(of: [Author.self, Book.self])
    ///
    /// - A table has the name of its type, and a column that of its key. An enum is stored as its raw value. The key
    ///   `id` is the primary key. A key whose type is Optional may be nil.
    /// - An object in a key is a to-one relationship. Its column has the names of the key and of the other primary key.
    /// - A list or set of objects is a to-many relationship. Its inverse is the one key of the other type that refers
    ///   back: a to-one relationship, whose column links both, or a to-many relationship, and then a join table does.
    ///   Without an inverse, the other table has a column for it.
    ///
    /// - A date is a double, the only form that holds every `Date`. `dates` gives another one to all of them:
    ///   `.timestampWithZone` is PostgreSQL's `timestamptz` and what the other engines call a time, with six decimals.
    ///
    /// `Queryable.describe` of a type gives other names, links, rules and defaults.
    ///
    /// - Throws: `SchemaError` for keys that no predicate can name, that are published twice, or that no store can hold;
    ///   for a relationship to a type without a primary key, or with several possible inverses.
    public init(
        of types: [any Queryable.Type], version: String? = nil, dates: DateStorage = .referenceSeconds
    ) throws(SchemaError) {
        var builder = SchemaBuilder()
        var stored = StoredEntities(builder.entities(of: types), dates)
        for index in stored.entities.indices { builder.describe(index, &stored.entities[index]) }
        stored.link()
        let problems = builder.problems + stored.problems
        if !problems.isEmpty { throw SchemaError(problems) }
        try self.init(stored.entities, version: version)
    }
}

/// Adds to the entities of published types what a store needs.
private struct StoredEntities {
    var entities: [PredicateSchema.Entity]
    private(set) var problems: [SchemaError.Problem] = []

    init(_ published: [PredicateSchema.Entity], _ dates: DateStorage) {
        entities = published
        for index in entities.indices {
            for place in entities[index].attributes.indices { adapt(&entities[index].attributes[place], dates) }
            entities[index][attribute: "id"]?.isOptional = false
        }
    }

    /// Replaces types that columns do not have.
    private func adapt(_ attribute: inout PredicateSchema.Attribute, _ dates: DateStorage) {
        switch attribute.type {
        case .date: attribute.dateStorage = dates
        // Unsigned integers beyond 64 bits are refused when they are written.
        case .number: attribute.type = .integer
        case .collection(.set, let element): attribute.type = .collection(.list, of: element)
        default: break
        }
    }

    private mutating func report(_ entity: PredicateSchema.Entity, _ key: String, _ message: String) {
        problems.append(SchemaError.Problem("entities.\(entity.name).\(key)", message))
    }

    /// Completes primary keys and links.
    mutating func link() {
        for (index, entity) in entities.enumerated() {
            if entity.primaryKey.isEmpty, let key = entity[attribute: "id"] {
                entities[index].primaryKey = [key.column]
            }
            for attribute in entity.attributes {
                guard case .collection(.dictionary, _) = attribute.type else { continue }
                report(entity, attribute.name, "a store has no dictionaries; remove the key in 'describe'")
            }
        }
        for rank in 0...2 {
            for index in entities.indices {
                for name in entities[index].relationships.map({ $0.name }) {
                    // An earlier relationship may have linked it as its inverse.
                    guard let now = entities[index][relationship: name], now.link == nil, Self.rank(now) == rank else {
                        continue
                    }
                    link(now, of: entities[index], at: index)
                }
            }
        }
    }

    /// To-one relationships are linked first, then those whose inverse is given.
    private static func rank(_ relationship: PredicateSchema.Relationship) -> Int {
        relationship.isToMany ? relationship.inverse == nil ? 2 : 1 : 0
    }

    private mutating func link(
        _ relationship: PredicateSchema.Relationship, of entity: PredicateSchema.Entity, at index: Int
    ) {
        let name = relationship.name
        let owner = relationship.isToMany ? entity.name : relationship.target
        let key = primaryKey(of: owner)
        if key.isEmpty {
            return report(entity, name, "\(owner) needs a primary key: publish 'id', or set primaryKey in 'describe'")
        }
        func columns(_ name: String, _ key: [String]) -> [String] { key.map { "\(name)_\($0)" } }
        guard relationship.isToMany, let target = entities.firstIndex(where: { $0.name == relationship.target }) else {
            entities[index][relationship: name]?.link = .column(columns(name, key))
            return
        }
        let backs = entities[target].relationships.filter { other in
            other.target == entity.name && !(target == index && other.name == name)
                && relationship.inverse ?? other.name == other.name && other.inverse ?? name == name
        }
        let toOne = backs.filter { !$0.isToMany }
        let found = toOne.isEmpty ? backs : toOne
        guard let inverse = found.first else {
            entities[index][relationship: name]?.link = .foreignKey(columns("\(entity.name)_\(name)", key))
            return
        }
        let rivals = entity.relationships.filter {
            $0.isToMany && $0.target == relationship.target && $0.link == nil && $0.inverse == nil
        }
        let isGiven = relationship.inverse != nil || inverse.inverse != nil
        if !isGiven, found.count > 1 || rivals.count > 1 && !(target == index && inverse.isToMany) {
            let ways = found.map { "'\($0.name)'" }.joined(separator: " or ")
            let advice = "set 'inverse' or 'link' in 'describe'"
            return report(entity, name, "its inverse may be \(ways) of \(relationship.target): \(advice)")
        }
        let pairs = PredicateSchema.Relationship.Link.join(
            table: "\(entity.name)_\(name)", from: columns(inverse.name, key),
            to: columns(name, primaryKey(of: relationship.target)))
        let link = inverse.link?.reversed ?? pairs
        entities[index][relationship: name]?.link = link
        entities[index][relationship: name]?.inverse = inverse.name
        entities[target][relationship: inverse.name]?.link = link.reversed
        entities[target][relationship: inverse.name]?.inverse = name
    }

    /// The primary key of an entity, or of the nearest ancestor that has one.
    private func primaryKey(of name: String) -> [String] {
        guard let entity = entities.first(where: { $0.name == name }) else { return [] }
        if entity.primaryKey.isEmpty, let parent = entity.parent { return primaryKey(of: parent) }
        return entity.primaryKey
    }
}
