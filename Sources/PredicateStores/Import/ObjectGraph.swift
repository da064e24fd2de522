// Inserts objects of published types together with the objects of their to-many relationships. PredicateStore.swift is
// the public interface.
import PredicateEvaluation
import PredicateModel
import PredicateSQL
import PredicateSyntax

/// Converts objects of published types to dictionaries, without the keys that their entities do not have.
struct ObjectGraph {
    let schema: PredicateSchema
    /// Whether some object has objects in a to-many relationship.
    private(set) var hasChildren = false
    /// Whether some object has an object in a to-one relationship.
    private(set) var hasOwners = false
    /// The keys of to-one relationships by entity, with an object that refers to each.
    private(set) var references: [String: [[PredicateValue]: Reference]] = [:]

    struct Reference {
        let relationship: String
        let entity: String
        let key: [PredicateValue]
    }

    /// The number of to-many relationships that may lead to an object. More are a cycle.
    private static let maximumDepth = 32

    init(_ schema: PredicateSchema) { self.schema = schema }

    /// - Parameter link: where the relationship is stored that leads to the object.
    mutating func dictionary(
        _ object: any KeyedObject, _ entity: String, from link: PredicateSchema.Relationship.Link? = nil,
        depth: Int = 0
    ) throws(StoreFailure) -> ValueDictionary {
        if depth > Self.maximumDepth {
            throw .schema("objects of \(entity) contain each other: insert them one by one")
        }
        var fields: [(String, PredicateValue)] = []
        for key in object.publishedKeys {
            let value = object.value(forKey: key) ?? .null
            // The store makes a primary key that is nil.
            if value.isNil, schema.keyAttributes(of: entity).contains(key) { continue }
            switch schema.key(key, of: entity) {
            case .attribute: fields.append((key, value))
            case .relationship(let relationship) where relationship.isToMany:
                if let link, schema.link(of: relationship) == link.reversed { continue }
                let children = try children(value, relationship, depth)
                if !children.isEmpty { fields.append((key, .array(children))) }
            case .relationship(let relationship):
                // The owner is known by the relationship that leads here.
                if let link, schema.link(of: relationship) == link.reversed { continue }
                let found = schema.key(of: value, in: relationship)
                fields.append((key, found))
                let parts = found.key(of: schema.primaryKey(of: relationship.target).count) ?? [.null]
                let isNil = parts.contains(where: \.isNil)
                if case .object = value {
                    hasOwners = true
                    if isNil { throw .schema("the object in '\(key)' of \(entity) has no key") }
                }
                if isNil || references[relationship.target]?[parts] != nil { continue }
                let own = schema.keyAttributes(of: entity).map { object.value(forKey: $0) ?? .null }
                references[relationship.target, default: [:]][parts] = Reference(
                    relationship: key, entity: entity, key: own)
            case nil: if schema.primaryKey(of: entity).contains(key) { fields.append((key, value)) }
            }
        }
        return ValueDictionary(fields)
    }

    private mutating func children(
        _ value: PredicateValue, _ relationship: PredicateSchema.Relationship, _ depth: Int
    ) throws(StoreFailure) -> [PredicateValue] {
        var children: [PredicateValue] = []
        for element in value.elements ?? [] {
            hasChildren = true
            guard case .object(let reference) = element else {
                children.append(element)
                continue
            }
            let child = try dictionary(
                reference.object, relationship.target, from: schema.link(of: relationship), depth: depth + 1)
            children.append(.dictionary(child))
        }
        return children
    }
}

extension PredicateStore {
    /// Inserts objects of a published type with their children.
    func write(_ objects: [some Queryable], _ entity: String, updates: Bool) throws(StoreFailure) -> Int {
        var graph = ObjectGraph(schema)
        var dictionaries: [ValueDictionary] = []
        for object in objects {
            guard case .object(let reference) = object.queryValue else { continue }
            dictionaries.append(try graph.dictionary(reference.object, entity))
        }
        if graph.hasChildren || graph.hasOwners, let store = self as? any ImportTarget {
            return try store.write(dictionaries, graph, entity, updates: updates)
        }
        // Another store refuses children.
        return try updates ? upsert(dictionaries, into: entity) : insert(dictionaries, into: entity)
    }
}

extension ImportTarget {
    fileprivate func write(
        _ objects: [ValueDictionary], _ graph: ObjectGraph, _ entity: String, updates: Bool
    ) throws(StoreFailure) -> Int {
        try StoreFailure.only {
            try importing { store in
                var count = objects.count
                if graph.hasChildren {
                    var options = ImportOptions()
                    options.updates = updates
                    let importer = Importer(store, options, failsFast: true)
                    let layout = try store.layouts.layout(entity)
                    for object in objects { try importer.add(.dictionary(object), layout, at: "", hasTexts: false) }
                    try importer.finish()
                } else {
                    count = try updates ? store.upsert(objects, into: entity) : store.insert(objects, into: entity)
                }
                try store.require(graph.references)
                return count
            }
        }
    }

    /// Throws if a key of a to-one relationship refers to no object.
    private func require(_ references: [String: [[PredicateValue]: ObjectGraph.Reference]]) throws(StoreFailure) {
        for (entity, references) in references {
            let layout = try layouts.layout(entity)
            let missing = try missing(Set(references.keys), layout)
            guard let key = missing.first, let reference = references[key] else { continue }
            let message =
                "'\(reference.relationship)' of \(reference.entity) \(ImportedRow.text(reference.key)) refers to "
                + "\(entity) \(ImportedRow.text(key)), which does not exist"
            throw .constraint(StoreConstraint(.foreignKey, message: message))
        }
    }

    /// Returns those of the keys that no row has.
    func missing(
        _ keys: Set<[PredicateValue]>, _ layout: EntityLayout
    ) throws(StoreFailure) -> Set<[PredicateValue]> {
        let keys = Array(keys)
        return Set(zip(keys, try objects(layout, withKeys: keys)).filter { $1.isEmpty }.map(\.0))
    }
}
