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
    private var known: [String: KnownKeys] = [:]

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
        let record = (object as? any HostedObject)?.published ?? object.record
        var known = known(record.keys, entity)
        var values: [PredicateValue] = []
        values.reserveCapacity(record.count)
        // The keys that the dictionary does not have.
        var left: [Int] = []
        for (index, value) in record.values.enumerated() {
            let kind = known.kinds[index]
            // The store makes a primary key that is nil.
            if kind == .unknown || known.primaryKey.contains(index) && value.isNil {
                left.append(index)
                continue
            }
            guard kind == .relationship, let (relationship, targetKey) = known.relationships[index] else {
                values.append(value)
                continue
            }
            // The owner is known by the relationship that leads here.
            if let link, schema.link(of: relationship) == link.reversed {
                left.append(index)
            } else if relationship.isToMany {
                let children = try children(value, relationship, depth)
                if children.isEmpty { left.append(index) } else { values.append(.array(children)) }
            } else {
                let key = try owner(value, relationship, targetKey, entity) {
                    known.primaryKey.map { record.values[$0] }
                }
                values.append(key)
            }
        }
        if known.shapes[left] == nil {
            let keys = record.keys.indices.filter { !left.contains($0) }.map { record.keys[$0] }
            known.shapes[left] = ValueDictionary.Shape(keys)
            self.known[entity] = known
        }
        return known.shapes[left].map { ValueDictionary(shape: $0, values: values) } ?? record
    }

    /// The key of the object of a to-one relationship.
    ///
    /// - Parameter own: the key of the object that has the relationship.
    private mutating func owner(
        _ value: PredicateValue, _ relationship: PredicateSchema.Relationship, _ targetKey: [String], _ entity: String,
        _ own: () -> [PredicateValue]
    ) throws(StoreFailure) -> PredicateValue {
        var key = value
        if case .object(let reference) = value {
            hasOwners = true
            key = targetKey.map { reference.object.value(forKey: $0) ?? .null }.asKey
        }
        let parts = key.key(of: targetKey.count) ?? [.null]
        if parts.contains(where: \.isNil) {
            guard case .object = value else { return key }
            throw .schema("the object in '\(relationship.name)' of \(entity) has no key")
        }
        if references[relationship.target]?[parts] == nil {
            references[relationship.target, default: [:]][parts] = Reference(
                relationship: relationship.name, entity: entity, key: own())
        }
        return key
    }

    /// What the keys of objects are in an entity, looked up once for all objects with the same keys.
    private struct KnownKeys {
        enum Kind { case unknown, value, relationship }

        let keys: [String]
        let kinds: [Kind]
        /// The relationships by position, each with the key of its entity.
        let relationships: [Int: (PredicateSchema.Relationship, [String])]
        /// The positions of the primary key.
        let primaryKey: [Int]
        /// The shapes of dictionaries by the keys that they do not have.
        var shapes: [[Int]: ValueDictionary.Shape] = [:]
    }

    private mutating func known(_ keys: [String], _ entity: String) -> KnownKeys {
        if let known = known[entity], known.keys == keys { return known }
        let columns = schema.primaryKey(of: entity)
        var relationships: [Int: (PredicateSchema.Relationship, [String])] = [:]
        let kinds = keys.enumerated().map { index, key -> KnownKeys.Kind in
            switch schema.key(key, of: entity) {
            case .attribute: return .value
            case .relationship(let relationship):
                relationships[index] = (relationship, schema.keyAttributes(of: relationship.target))
                return .relationship
            case nil: return columns.contains(key) ? .value : .unknown
            }
        }
        let found = KnownKeys(
            keys: keys, kinds: kinds, relationships: relationships,
            primaryKey: schema.keyAttributes(of: entity).compactMap { keys.firstIndex(of: $0) })
        known[entity] = found
        return found
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
