// The tables of a database that `predicate import` makes from records. Each has a primary key; a nested object or list
// of objects is a table, too.

/// The schema of a new database for records.
struct InferredTables {
    private(set) var schema = PredicateSchema.empty
    /// Which column is the primary key of each table, and why.
    private(set) var notes: [String] = []
    private let source: MemorySource
    /// The entities of the files, with those that the database has.
    var roots: [String] { source.entities }
    /// The names in use, in lower case as SQLite compares them: those of tables, and of the columns of each entity.
    private var taken: [String: Set<String>] = [:]

    /// - Parameters:
    ///   - source: the records.
    ///   - ignored: keys that get no column.
    ///   - existing: the tables of the database: a file of their names is not described.
    /// - Throws: `CommandEnd` for records that are no rows of a table.
    init(_ source: MemorySource, ignoring ignored: Set<String>, besides existing: PredicateSchema = .empty) throws {
        func entity(_ name: String) -> PredicateSchema.Entity? {
            var entity = source.schema.entity(name)
            entity?.attributes.removeAll { ignored.contains($0.name) }
            entity?.relationships.removeAll { ignored.contains($0.name) }
            return entity
        }
        self.source = source
        taken[""] = Set(existing.entities.map { existing.table(of: $0.name).lowercased() })
        var entities: [PredicateSchema.Entity] = []
        for root in source.entities where existing.entity(ofFile: root) == nil {
            guard source.isDescribed(root), let first = entity(root) else {
                let isEmpty = source.recordCount(of: root) == 0
                let reason = isEmpty ? "there are no records" : "some of the records have no keys"
                throw CommandEnd.failure(.failed, "\(reason), so they are no table; --schema SCHEMA.json describes one")
            }
            let known = Set(source.schema.keys(of: root)).union(ignored)
            if let key = source.columns(of: root).first(where: { !known.contains($0) }) {
                let reason = "'\(key)' cannot be a column, because of a dot or @ in its name"
                throw CommandEnd.failure(.failed, "\(reason); --ignore-keys \(key) leaves it out")
            }
            entities.append(first)
        }
        var index = 0
        while index < entities.count {
            entities += entities[index].relationships.compactMap { entity($0.target) }
            try complete(&entities[index])
            index += 1
        }
        for index in entities.indices {
            let name = entities[index].name
            let owner = name.split(separator: ".").last.map(String.init) ?? name
            for number in entities[index].relationships.indices {
                let to = entities[index].relationships[number]
                entities[index].relationships[number].link =
                    to.isToMany
                    ? .foreignKey(unique(owner + "_id", in: to.target)) : .column(unique(to.name + "_id", in: name))
            }
        }
        schema = try PredicateSchema(entities, defaultEntity: entities.first?.name)
    }

    private mutating func unique(_ name: String, in entity: String = "") -> String {
        var (unique, number) = (name, 2)
        while !taken[entity, default: []].insert(unique.lowercased()).inserted {
            (unique, number) = ("\(name)_\(number)", number + 1)
        }
        return unique
    }

    /// Gives an entity its table, its columns, and its primary key: the column `id`, if each object has another value,
    /// else a new one.
    private mutating func complete(_ entity: inout PredicateSchema.Entity) throws {
        entity.table = unique(entity.name.split(separator: ".").joined(separator: "_"))
        for index in entity.attributes.indices {
            entity.attributes[index].column = unique(entity.attributes[index].name, in: entity.name)
        }
        for relationship in entity.relationships { _ = unique(relationship.name, in: entity.name) }
        let id = entity.attributes.first { $0.name.lowercased() == "id" }
        let problem = try id.flatMap { try self.problem(of: $0, in: entity.name) }
        var note = "\(entity.name): the primary key is"
        if let id, problem == nil {
            entity.primaryKey = [id.column]
            note += " '\(id.name)'"
        } else {
            entity.primaryKey = [unique(id == nil ? "id" : "key", in: entity.name)]
            entity.attributes.insert(PredicateSchema.Attribute(entity.primaryKey[0], .integer), at: 0)
            note += " the new column '\(entity.primaryKey[0])'" + (problem.map { ": " + $0 } ?? "")
        }
        notes.append(note)
    }

    /// Why an attribute is no primary key; nil if it is one.
    private func problem(of attribute: PredicateSchema.Attribute, in entity: String) throws -> String? {
        if attribute.isOptional { return "'\(attribute.name)' is nil in a record" }
        guard [.integer, .string, .uuid].contains(attribute.type) else {
            return "'\(attribute.name)' is \(attribute.type.nameForMessages)"
        }
        let root = source.entities.first { entity == $0 || entity.hasPrefix($0 + ".") } ?? entity
        let path = entity.dropFirst(root.count).split(separator: ".").map(String.init) + [attribute.name]
        let double = try repeated { try source.readAgain(root, path, $0) }
        return double.map { "'\(attribute.name)' has \(DisplayText.visible(JSON.text($0), limit: 40)) twice" }
    }

    /// The first value that occurs a second time; nil if there is none. Reads the values again instead of keeping them:
    /// most keys ascend, and of others eight bytes are kept.
    private func repeated(_ each: ((PredicateValue) throws -> Void) throws -> Void) rethrows -> PredicateValue? {
        var (last, ascends) = (Int64.min, true)
        try each { value in
            guard case .integer(let number) = value, number > last else { return ascends = false }
            last = number
        }
        if ascends { return nil }
        var hashes: [Int] = []
        try each { hashes.append($0.hashValue) }
        hashes.sort()
        let twice = Set(zip(hashes, hashes.dropFirst()).filter { $0 == $1 }.map(\.0))
        if twice.isEmpty { return nil }
        var (seen, found): (Set<PredicateValue>, PredicateValue?) = ([], nil)
        try each { value in
            if found == nil, twice.contains(value.hashValue), !seen.insert(value).inserted { found = value }
        }
        return found
    }
}

extension PredicateSchema {
    /// The entity of the table that has the name of a file.
    func entity(ofFile name: String) -> Entity? {
        entities.first { table(of: $0.name).lowercased() == name.lowercased() }
    }
}
