// Which kinds of object there are and what keys they have: what the type checker and the SQL compiler look names up in.
// A schema that exists holds together: no relationship leads nowhere, no name stands for two keys.
public import PredicateSyntax

/// The entities that predicates may speak of.
///
///     let schema = try Schema([
///         Entity("Company", attributes: [Attribute("title", .string)]),
///         Entity(
///             "Person", attributes: [Attribute("age", .integer)],
///             relationships: [Relationship("employer", to: "Company")]),
///     ])
///     schema.keys(of: "Person")  // ["age", "employer"]
public struct Schema: Sendable, Hashable {
    /// One key of an entity. Indirect, so that looking one up copies a word.
    public indirect enum Key: Sendable, Hashable {
        case attribute(Attribute)
        case relationship(Relationship)
    }

    /// In the order in which they were given.
    public let entities: [Entity]
    /// The entity that is meant where none is named: the one that was given as such, or the only one.
    public let defaultEntity: String?
    /// What SQL's names for the rows of its tables begin with, before their numbers. No table and no column has such a name,
    /// which an engine might take for the row's.
    package let aliasPrefix: String
    /// What an unknown key is called: `.unknownKey` where the schema describes published types instead of a store.
    package var unknownKey = DiagnosticID.schemaKey
    private let positions: [String: Int]
    /// What is looked up for every predicate, by the entity's position.
    private var lookups: [Lookup] = []

    private struct Lookup: Sendable, Hashable {
        var keys: [String: Key] = [:]
        var types: [String: KeyType] = [:]
        let primaryKey: [String]
        let columns: [String]
        let table: String
    }

    /// - Throws: everything that does not hold together: names that are empty, hold a dot or stand twice, targets,
    ///   parents, inverses and a default that do not exist, an entity that is its own ancestor.
    public init(_ entities: [Entity], defaultEntity: String? = nil) throws(SchemaError) {
        self.entities = entities
        self.defaultEntity = defaultEntity ?? (entities.count == 1 ? entities.first?.name : nil)
        positions = Dictionary(entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        aliasPrefix = Self.aliasPrefix(entities)
        lookups = entities.map(lookup)
        let problems = SchemaValidator(self).problems()
        if !problems.isEmpty { throw SchemaError(problems) }
    }

    private static func aliasPrefix(_ entities: [Entity]) -> String {
        var names: [String] = []
        for entity in entities {
            names += [entity.table] + entity.primaryKey + [entity.discriminator].compactMap(\.self)
            for attribute in entity.attributes { names += [attribute.column] + attribute.folds.values }
            for relationship in entity.relationships { names += relationship.link?.names ?? [] }
        }
        // Engines may take `T1` for `t1`.
        let numbered = names.filter { $0.utf8.first.map { $0 | 0x20 } == UInt8(ascii: "t") }.map { $0.lowercased() }
        var prefix = "t"
        while numbered.contains(where: { $0.hasPrefix(prefix) && $0.utf8.dropFirst(prefix.utf8.count).isNumber }) {
            prefix += "_"
        }
        return prefix
    }

    /// The entity of a name; nil where there is none.
    public func entity(_ name: String) -> Entity? { positions[name].map { entities[$0] } }

    public var entityNames: [String] { entities.map(\.name) }

    /// A key of an entity, its own or one of an ancestor; nil where there is none. Cost: constant.
    public func key(_ name: String, of entity: String) -> Key? {
        positions[entity].flatMap { lookups[$0].keys[name] }
    }

    /// The type of a key of an entity, its own or one of an ancestor; nil where there is none.
    func type(of key: String, in entity: String) -> KeyType? {
        positions[entity].flatMap { lookups[$0].types[key] }
    }

    private func lookup(_ entity: Entity) -> Lookup {
        let lineage = lineage(of: entity.name)
        let primaryKey = lineage.first { !$0.primaryKey.isEmpty }?.primaryKey ?? []
        var columns = primaryKey
        var keys: [String: Key] = [:]
        func add(_ key: Key, _ name: String) { if keys[name] == nil { keys[name] = key } }
        for entity in lineage {
            columns += entity.attributes.map(\.column)
            for attribute in entity.attributes { add(.attribute(attribute), attribute.name) }
            for relationship in entity.relationships {
                if case .column(let names)? = relationship.link { columns += names }
                add(.relationship(relationship), relationship.name)
            }
        }
        var seen: Set<String> = []
        return Lookup(
            keys: keys, types: keys.mapValues(KeyType.init), primaryKey: primaryKey, columns: columns.filter { seen.insert($0).inserted },
            table: (entity.code == nil ? entity : lineage.first { $0.discriminator != nil } ?? entity).table)
    }

    /// All keys of an entity, its own before those of its ancestors.
    public func keys(of entity: String) -> [String] {
        lineage(of: entity).flatMap { $0.attributes.map(\.name) + $0.relationships.map(\.name) }
    }

    /// The entity, its parent, and so on.
    public func lineage(of entity: String) -> [Entity] {
        var lineage: [Entity] = []
        var next = self.entity(entity)
        // Bounded: the validator asks before it is known that no entity is its own ancestor.
        while let entity = next, lineage.count < entities.count {
            lineage.append(entity)
            next = entity.parent.flatMap(self.entity)
        }
        return lineage
    }

    /// The columns that identify a row of the entity; empty where none do.
    public func primaryKey(of entity: String) -> [String] { positions[entity].map { lookups[$0].primaryKey } ?? [] }

    /// The columns of an entity's rows: the primary key, those of the attributes and those of the to-one
    /// relationships, each once.
    public func columns(of entity: String) -> [String] { positions[entity].map { lookups[$0].columns } ?? [] }

    /// The table that keeps an entity's objects: its own, or the one that it shares with its ancestors.
    public func table(of entity: String) -> String { positions[entity].map { lookups[$0].table } ?? entity }

    /// The column that tells the entities of one table apart, and its values for this entity and its descendants; nil where
    /// all rows are its objects.
    public func codes(of entity: String) -> (column: String, codes: [Value])? {
        guard let first = self.entity(entity), first.parent != nil, first.code != nil,
            let column = lineage(of: entity).first(where: { $0.discriminator != nil })?.discriminator
        else { return nil }
        let codes = entities.filter { each in lineage(of: each.name).contains { $0.name == entity } }.compactMap(\.code)
        return (column, codes)
    }

    /// Whether rows of an ancestor stand in the entity's table, and nothing tells which rows are whose.
    package func sharesUntold(_ entity: String) -> Bool {
        let table = table(of: entity)
        return codes(of: entity) == nil && lineage(of: entity).dropFirst().contains { self.table(of: $0.name) == table }
    }

    /// Whether one object can be of both entities: one is the other, or an ancestor of it.
    public func related(_ one: String, _ other: String) -> Bool {
        one == other || lineage(of: one).contains { $0.name == other } || lineage(of: other).contains { $0.name == one }
    }
}

/// What the type checker needs to know of a key.
struct KeyType: Sendable, Hashable {
    let type: ExpressionType
    let isRelationship: Bool

    init(_ key: Schema.Key) {
        switch key {
        case .attribute(let attribute):
            type = ExpressionType(attribute.type, isOptional: attribute.isOptional)
            isRelationship = false
        case .relationship(let relationship):
            let target = ExpressionType(.entity(relationship.target))
            type = (relationship.isToMany ? ExpressionType(.collection(relationship.shape, of: target)) : target)
                .optional(relationship.isOptional)
            isRelationship = true
        }
    }
}

extension Substring.UTF8View {
    fileprivate var isNumber: Bool { !isEmpty && allSatisfy { (0x30...0x39).contains($0) } }
}

/// Finds what does not hold together, entity by entity.
private struct SchemaValidator {
    let schema: Schema
    var found: [SchemaError.Problem] = []

    init(_ schema: Schema) { self.schema = schema }

    consuming func problems() -> [SchemaError.Problem] {
        var seen: Set<String> = []
        if let name = schema.defaultEntity, schema.entity(name) == nil { reportEntity("entity", name) }
        for entity in schema.entities {
            let path = "entities." + entity.name
            if entity.name.isEmpty { report("entities", "an entity has no name") }
            if !seen.insert(entity.name).inserted { report(path, "there are two entities of this name") }
            checkParent(entity, path)
            checkCode(entity, path)
            checkKeys(entity, path)
            for attribute in entity.attributes { check(attribute, "\(path).attributes.\(attribute.name)") }
            for relationship in entity.relationships {
                check(relationship, of: entity, path + ".relationships." + relationship.name)
            }
        }
        return found
    }

    private mutating func report(_ path: String, _ message: String, suggestion: String? = nil) {
        found.append(SchemaError.Problem(path, message, suggestion: suggestion))
    }

    private mutating func checkParent(_ entity: Entity, _ path: String) {
        guard let parent = entity.parent else { return }
        if schema.entity(parent) == nil {
            reportEntity(path + ".parent", parent)
        } else if schema.lineage(of: parent).contains(where: { $0.name == entity.name }) {
            report(path + ".parent", "the entity is its own ancestor")
        }
    }

    /// Entities of one table are told apart by a column of the first of them.
    private mutating func checkCode(_ entity: Entity, _ path: String) {
        guard let code = entity.code else { return }
        switch code {
        case .integer, .string: break
        default: report(path + ".code", "a code is an integer or a text")
        }
        if !schema.lineage(of: entity.name).contains(where: { $0.discriminator != nil }) {
            report(path + ".code", "neither the entity nor an ancestor has a \"discriminator\"")
        }
    }

    private mutating func checkKeys(_ entity: Entity, _ path: String) {
        var seen: Set<String> = []
        let attributes = entity.attributes.map { ("attributes", $0.name) }
        let names = attributes + entity.relationships.map { ("relationships", $0.name) }
        for (section, name) in names {
            let place = "\(path).\(section).\(name)"
            if name.isEmpty { report("\(path).\(section)", "a key has no name") }
            if name.contains(".") { report(place, "a key cannot hold a dot, which separates keys") }
            if name.hasPrefix("@") { report(place, "a key cannot begin with @, as collection operators do") }
            if !seen.insert(name).inserted { report(place, "the entity has another key of this name") }
        }
    }

    /// What is said of a column must suit its type.
    private mutating func check(_ attribute: Attribute, _ path: String) {
        func require(_ type: AttributeType, _ isSaid: Bool, _ field: String, _ name: String) -> String? {
            isSaid && attribute.type != type ? "only \(name) have a \"\(field)\"" : nil
        }
        let problems = [
            require(.decimal, attribute.scale != nil, "scale", "decimals"),
            require(.double, attribute.allowsNaN, "nan", "doubles"),
            require(.integer, attribute.range != nil, "minimum and maximum", "integers"),
            require(.date, attribute.dateStorage != .referenceSeconds, "stored", "dates"),
            require(.string, !attribute.folds.isEmpty, "folded", "strings"),
            require(.string, attribute.collation != nil, "collation", "strings"),
        ]
        for problem in problems { if let problem { report(path, problem) } }
        if let name = ExpressionType(attribute.type).entity, schema.entity(name) == nil { reportEntity(path, name) }
        if let scale = attribute.scale, !(0...38).contains(scale) { report(path + ".scale", "a scale is 0 to 38") }
    }

    private mutating func check(_ relationship: Relationship, of entity: Entity, _ path: String) {
        guard schema.entity(relationship.target) != nil else { return reportEntity(path, relationship.target) }
        switch relationship.link {
        case .column where relationship.isToMany:
            report(path, "a to-many relationship has a foreignKey or a join, not a column")
        case .foreignKey where !relationship.isToMany, .join where !relationship.isToMany:
            report(path, "a to-one relationship has a column; add \"many\": true if it leads to many")
        default: checkLengths(relationship, entity, path)
        }
        guard let inverse = relationship.inverse else { return }
        if case .relationship = schema.key(inverse, of: relationship.target) { return }
        let candidates = schema.lineage(of: relationship.target).flatMap { $0.relationships.map(\.name) }
        report(
            path + ".inverse", "\(relationship.target) has no relationship '\(inverse)'",
            suggestion: Suggestions.nearest(to: inverse, in: candidates))
    }

    /// A foreign key is as long as the primary key that it refers to, where that is known.
    private mutating func checkLengths(_ relationship: Relationship, _ entity: Entity, _ path: String) {
        func compare(_ field: String, _ columns: [String], to target: String) {
            let key = schema.primaryKey(of: target)
            guard columns.count != key.count, !key.isEmpty || columns.count > 1 else { return }
            let owned =
                key.isEmpty
                ? "\(target) has no primary key" : "the primary key of \(target) is (\(key.joined(separator: ", ")))"
            let count = columns.count == 1 ? "one column" : "\(columns.count) columns"
            report("\(path).\(field)", "the key has \(count), but \(owned)")
        }
        switch relationship.link {
        case .column(let columns): compare("column", columns, to: relationship.target)
        case .foreignKey(let columns): compare("foreignKey", columns, to: entity.name)
        case .join(_, let from, let to):
            compare("join.from", from, to: entity.name)
            compare("join.to", to, to: relationship.target)
        case nil: break
        }
    }

    private mutating func reportEntity(_ path: String, _ name: String) {
        report(
            path, "there is no entity '\(name)'", suggestion: Suggestions.nearest(to: name, in: schema.entityNames))
    }
}
