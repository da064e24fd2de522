// The tables of a database that `predicate import` makes: those of the schema of the records. Each has a primary key, and
// each nested object or list of objects is a table, too.

import PredicateModel
import PredicateRecords
import PredicateSyntax

/// The schema of a new database for records.
struct InferredTables {
    private(set) var schema = PredicateSchema.empty
    /// Which column is the primary key of each table, and why.
    private(set) var notes: [String] = []
    private let records: [PredicateValue]

    /// - Parameters:
    ///   - source: the records, with one entity.
    ///   - ignored: keys that get no column.
    /// - Throws: `CommandEnd` for records that are no rows of a table.
    init(_ source: MemorySource, ignoring ignored: Set<String>) throws {
        let root = source.entities[0]
        guard source.isDescribed(root), var first = source.schema.entity(root) else {
            let isEmpty = source.count(of: root, isCancelled: { false }) == 0
            throw CommandEnd.failure(
                .failed,
                isEmpty
                    ? "there are no records, so the types of the columns are unknown; --schema SCHEMA.json gives them"
                    : "a table needs records with keys; some of these are other values")
        }
        records = try source.select(Selection(entity: root, predicate: .constant(true))).records
        first.ignore(ignored)
        let known = Set(source.schema.keys(of: root)).union(ignored)
        if let other = source.columns(of: root).first(where: { !known.contains($0) }) {
            throw CommandEnd.failure(
                .failed,
                "'\(other)' cannot be a column, for keys have no dots and do not begin with @: "
                    + "--ignore-keys \(other) leaves it out")
        }
        var entities = [first]
        var names = Names()
        while let index = entities.indices.first(where: { entities[$0].primaryKey.isEmpty }) {
            entities[index].table = names.unique(entities[index].name.split(separator: ".").joined(separator: "_"))
            for relationship in entities[index].relationships {
                guard var nested = source.schema.entity(relationship.target) else { continue }
                nested.ignore(ignored)
                entities.append(nested)
            }
            setKey(of: &entities[index])
        }
        for index in entities.indices { Self.link(index, in: &entities) }
        do {
            schema = try PredicateSchema(entities, defaultEntity: root)
        } catch {
            throw CommandEnd.failure(.failed, "the records have no schema: \(error)")
        }
    }

    /// Makes the column `id` the primary key, if each object has another value; otherwise a new column.
    private mutating func setKey(of entity: inout PredicateSchema.Entity) {
        var names = Names()
        // A column for each attribute, also for two whose names differ only in case.
        for index in entity.attributes.indices {
            entity.attributes[index].column = names.unique(entity.attributes[index].name)
        }
        let problem: String?
        if let id = entity.attributes.first(where: { $0.name.lowercased() == "id" }) {
            problem = self.problem(of: id, in: entity.name)
            if problem == nil {
                entity.primaryKey = [id.column]
                notes.append("\(entity.name): the primary key is '\(id.name)'")
                return
            }
        } else {
            problem = nil
        }
        for relationship in entity.relationships { _ = names.unique(relationship.name) }
        let name = names.unique(problem == nil ? "id" : "key")
        entity.attributes.insert(PredicateSchema.Attribute(name, .integer), at: 0)
        entity.primaryKey = [name]
        notes.append("\(entity.name): the primary key is the new column '\(name)'" + (problem.map { ": " + $0 } ?? ""))
    }

    /// Why an attribute is no primary key; nil if it is one.
    private func problem(of attribute: PredicateSchema.Attribute, in entity: String) -> String? {
        if attribute.isOptional { return "'\(attribute.name)' is nil in a record" }
        guard [.integer, .string, .uuid].contains(attribute.type) else {
            return "'\(attribute.name)' is \(attribute.type.nameForMessages)"
        }
        let path = entity.split(separator: ".").dropFirst().map(String.init)
        let objects = path.reduce(records) { objects, key in
            objects.flatMap { object -> [PredicateValue] in
                guard let value = object[member: key] else { return [] }
                if case .array(let elements) = value { return elements }
                return [value]
            }
        }
        var seen: Set<PredicateValue> = []
        let double = objects.lazy.compactMap { $0[member: attribute.name] }.first { !seen.insert($0).inserted }
        return double.map { "'\(attribute.name)' has \(DisplayText.visible(JSON.text($0), limit: 40)) twice" }
    }

    /// Gives the relationships of an entity their columns: in its table, or for lists in that of the elements.
    private static func link(_ index: Int, in entities: inout [PredicateSchema.Entity]) {
        let owner = entities[index].name.split(separator: ".").last ?? ""
        for number in entities[index].relationships.indices {
            let relationship = entities[index].relationships[number]
            let other = entities.firstIndex { $0.name == relationship.target } ?? index
            var names = Names(entities[relationship.isToMany ? other : index])
            let column = names.unique("\(relationship.isToMany ? String(owner) : relationship.name)_id")
            entities[index].relationships[number].link = relationship.isToMany ? .foreignKey(column) : .column(column)
        }
    }

    /// Names that differ without regard to case, as SQLite needs them.
    private struct Names {
        private var taken: Set<String> = []

        init() {}

        init(_ entity: PredicateSchema.Entity) {
            let columns = entity.relationships.flatMap { relationship -> [String] in
                if case .column(let columns)? = relationship.link { columns } else { [] }
            }
            taken = Set(
                (entity.attributes.map(\.column) + entity.relationships.map(\.name) + columns).map { $0.lowercased() })
        }

        mutating func unique(_ name: String) -> String {
            var unique = name
            var number = 2
            while !taken.insert(unique.lowercased()).inserted { (unique, number) = ("\(name)_\(number)", number + 1) }
            return unique
        }
    }
}

extension PredicateSchema.Entity {
    fileprivate mutating func ignore(_ keys: Set<String>) {
        attributes.removeAll { keys.contains($0.name) }
        relationships.removeAll { keys.contains($0.name) }
    }
}
