// Inserts objects of published types together with the objects of their to-many relationships. PredicateStore.swift is
// the public interface.

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

    /// Throws if too many relationships lead to an object.
    static func check(depth: Int, _ entity: String) throws(StoreFailure) {
        if depth > maximumDepth {
            throw .schema("objects of \(entity) contain each other: insert them one by one")
        }
    }

    /// Converts the values of an object's published keys: relationships to keys and dictionaries.
    ///
    /// - Parameter link: where the relationship is stored that leads to the object.
    mutating func convert(
        _ record: inout ValueDictionary, _ entity: String, from link: PredicateSchema.Relationship.Link? = nil,
        depth: Int = 0
    ) throws(StoreFailure) {
        try Self.check(depth: depth, entity)
        var known = known(record.shape, entity)
        // The keys that the dictionary does not have.
        var left = known.unknown
        // The store makes a primary key that is nil.
        for position in known.primaryKey where record.values[position].isNil && !left.contains(position) {
            left.append(position)
        }
        for (position, relationship) in known.relationships {
            // The owner is known by the relationship that leads here.
            if let link, relationship.link == link.reversed {
                left.append(position)
            } else if relationship.isToMany {
                let children = try children(record.values[position], relationship, depth)
                if children.isEmpty { left.append(position) }
                record.replaceValue(at: position, with: .array(children))
            } else {
                let key = try owner(record.values[position], relationship, entity) {
                    known.primaryKey.map { record.values[$0] }
                }
                record.replaceValue(at: position, with: key)
            }
        }
        if left.isEmpty { return }
        if known.shapes[left] == nil {
            let keys = record.keys.indices.filter { !left.contains($0) }.map { record.keys[$0] }
            known.shapes[left] = ValueDictionary.Shape(keys)
            self.known[entity] = known
        }
        guard let shape = known.shapes[left] else { return }
        let values = record.values.indices.filter { !left.contains($0) }.map { record.values[$0] }
        record = ValueDictionary(shape: shape, values: values)
    }

    /// The key of the object of a to-one relationship.
    ///
    /// - Parameter own: the key of the object that has the relationship.
    mutating func owner(
        _ value: PredicateValue, _ relationship: KnownRelationship, _ entity: String, _ own: () -> [PredicateValue]
    ) throws(StoreFailure) -> PredicateValue {
        let names = relationship.targetKey
        var key = value
        if case .object(let reference) = value {
            hasOwners = true
            let object = reference.object
            key =
                names.count == 1
                ? object.value(forKey: names[0]) ?? .null : names.map { object.value(forKey: $0) ?? .null }.asKey
        }
        // Often several objects in a row have the same owner.
        if relationship.last == key { return key }
        let parts = key.key(of: names.count) ?? [.null]
        if parts.contains(where: \.isNil) {
            guard case .object = value else { return key }
            throw .schema("the object in '\(relationship.name)' of \(entity) has no key")
        }
        relationship.last = key
        if references[relationship.target]?[parts] == nil {
            references[relationship.target, default: [:]][parts] = Reference(
                relationship: relationship.name, entity: entity, key: own())
        }
        return key
    }

    /// A relationship of published objects.
    final class KnownRelationship {
        let name: String
        let target: String
        let isToMany: Bool
        /// The primary key of the target.
        let targetKey: [String]
        let link: PredicateSchema.Relationship.Link?
        /// The last key that was added to `references`.
        fileprivate var last: PredicateValue?

        init(_ relationship: PredicateSchema.Relationship, in schema: PredicateSchema) {
            (name, target, isToMany) = (relationship.name, relationship.target, relationship.isToMany)
            targetKey = schema.keyAttributes(of: relationship.target)
            link = schema.link(of: relationship)
        }
    }

    /// What the keys of objects are in an entity, looked up once for all objects with the same keys.
    struct KnownKeys {
        let shape: ValueDictionary.Shape
        /// The positions of keys that the entity does not have.
        let unknown: [Int]
        let relationships: [(position: Int, relationship: KnownRelationship)]
        /// The positions of the primary key.
        let primaryKey: [Int]
        /// The shapes of dictionaries by the keys that they do not have.
        fileprivate var shapes: [[Int]: ValueDictionary.Shape] = [:]
    }

    mutating func known(_ shape: ValueDictionary.Shape, _ entity: String) -> KnownKeys {
        let keys = shape.keys
        if let known = known[entity], known.shape === shape || known.shape.keys == keys { return known }
        let columns = schema.primaryKey(of: entity)
        var unknown: [Int] = []
        var relationships: [(Int, KnownRelationship)] = []
        for (position, key) in keys.enumerated() {
            switch schema.key(key, of: entity) {
            case .attribute: break
            case .relationship(let found): relationships.append((position, KnownRelationship(found, in: schema)))
            case nil: if !columns.contains(key) { unknown.append(position) }
            }
        }
        let found = KnownKeys(
            shape: shape, unknown: unknown, relationships: relationships,
            primaryKey: schema.keyAttributes(of: entity).compactMap { keys.firstIndex(of: $0) })
        known[entity] = found
        return found
    }

    private mutating func children(
        _ value: PredicateValue, _ relationship: KnownRelationship, _ depth: Int
    ) throws(StoreFailure) -> [PredicateValue] {
        var children: [PredicateValue] = []
        for element in value.elements ?? [] {
            hasChildren = true
            guard case .object(let reference) = element else {
                children.append(element)
                continue
            }
            var child = reference.object.publishedRecord
            try convert(&child, relationship.target, from: relationship.link, depth: depth + 1)
            children.append(.dictionary(child))
        }
        return children
    }
}

extension KeyedObject {
    /// The values of the published keys.
    var publishedRecord: ValueDictionary { (self as? any HostedObject)?.published ?? record }
}

extension PredicateStore {
    /// Inserts objects of a published type with their children. Returns their number, and the primary key of each if
    /// `returnsKeys`.
    func write<Object: Queryable>(
        _ objects: [Object], _ entity: String, updates: Bool, returnsKeys: Bool = false
    ) throws(StoreFailure) -> Written {
        var graph = ObjectGraph(schema)
        var records = Object.records(of: objects)
        if let store = self as? any ImportTarget {
            return try store.write(&records, &graph, entity, updates: updates, returnsKeys: returnsKeys)
        }
        // Another store refuses children.
        for index in records.indices { try graph.convert(&records[index], entity) }
        return try write(records, entity, updates: updates, returnsKeys: returnsKeys)
    }

    fileprivate func write(
        _ records: [ValueDictionary], _ entity: String, updates: Bool, returnsKeys: Bool
    ) throws(StoreFailure) -> Written {
        if returnsKeys {
            let keys = try insertReturningKeys(records, into: entity)
            return (keys.count, keys)
        }
        return (try updates ? upsert(records, into: entity) : insert(records, into: entity), [])
    }
}

typealias Written = (count: Int, keys: [[PredicateValue]])

extension ImportTarget {
    fileprivate func write(
        _ records: inout [ValueDictionary], _ graph: inout ObjectGraph, _ entity: String, updates: Bool,
        returnsKeys: Bool
    ) throws(StoreFailure) -> Written {
        var rows = graph
        let keys = returnsKeys ? try givenKeys(of: records, entity) : []
        if !updates, let keys, let groups = try rows.groups(of: records, entity, layouts) {
            let isWritten = try StoreFailure.only {
                try importing { store in
                    guard try store.insert(groups) else { return false }
                    try store.require(rows.references)
                    return true
                }
            }
            if isWritten { return (records.count, keys) }
        }
        for index in records.indices { try graph.convert(&records[index], entity) }
        let objects = records
        guard graph.hasChildren || graph.hasOwners else {
            return try write(objects, entity, updates: updates, returnsKeys: returnsKeys)
        }
        return try StoreFailure.only { [graph] in
            try importing { store in
                var written: Written = (objects.count, [])
                if graph.hasChildren {
                    var options = ImportOptions()
                    options.updates = updates
                    let importer = Importer(store, options, failsFast: true)
                    let layout = try store.layouts.layout(entity)
                    written.keys = try objects.map { try importer.add(.dictionary($0), layout, at: "", .none) }
                    try importer.finish()
                } else {
                    written = try store.write(objects, entity, updates: updates, returnsKeys: returnsKeys)
                }
                try store.require(graph.references)
                return written
            }
        }
    }

    /// The primary keys of records; nil if the database has to make some.
    private func givenKeys(
        of records: [ValueDictionary], _ entity: String
    ) throws(StoreFailure) -> [[PredicateValue]]? {
        let layout = try layouts.layout(entity)
        try layout.requireKey()
        let names = layout.keyNames
        var keys: [[PredicateValue]] = []
        for record in records {
            var key: [PredicateValue] = []
            for name in names {
                guard case .attribute(let attribute)? = schema.key(name, of: entity),
                    let value = record[name].flatMap({ attribute.assigned($0) }), !value.isNil
                else { return nil }
                key.append(value)
            }
            keys.append(key)
        }
        return keys
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
        // Most keys exist. The others are looked up as objects, because a collation may treat another key as equal.
        let keys = Array(keys.count > 8 ? keys.subtracting(try found(Array(keys), layout)) : keys)
        return Set(zip(keys, try objects(layout, withKeys: keys)).filter { $1.isEmpty }.map(\.0))
    }
}
