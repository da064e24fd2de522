// The schema: all entities and their keys, used by the type checker and the SQL compiler. A schema is always
// consistent: every relationship has a target, and the keys of an entity have different names.

/// The entities of a database or of published types.
///
///     let schema = try PredicateSchema([
///         .init("Company", attributes: [.init("title", .string)]),
///         .init(
///             "Person", attributes: [.init("age", .integer)],
///             relationships: [.init("employer", to: "Company")]),
///     ])
public struct PredicateSchema: Sendable, Equatable {
    /// A key of an entity. Indirect, so that looking one up copies one word.
    package indirect enum Key: Sendable, Equatable {
        case attribute(PredicateSchema.Attribute)
        case relationship(PredicateSchema.Relationship)
    }

    /// The entities in their original order.
    public var entities: [PredicateSchema.Entity] { index.entities }
    /// The default entity: the given one, or the only one.
    public var defaultEntity: String? { index.defaultEntity }
    /// The name of this version of the schema; nil if it has none. `hash` distinguishes versions without names.
    public var version: String? { index.version }
    /// The prefix of table aliases in SQL, before their number. No table or column of the schema has such a name,
    /// because an engine could confuse it with the alias.
    package var aliasPrefix: String { index.aliasPrefix }
    /// Whether it describes types of Swift rather than a store.
    package var describesTypes = false
    private let index: Index
    /// The frequently used properties of each entity, by its index. Not in the class, where each access to a variable is
    /// checked.
    private var lookups: [Lookup] = []

    /// The other properties. A class, because each check of a predicate copies the schema several times, and a copy of
    /// a class counts one reference.
    private final class Index: Sendable {
        let entities: [PredicateSchema.Entity]
        let defaultEntity: String?
        let version: String?
        let aliasPrefix: String
        let positions: [String: Int]
        /// The attributes inside JSON columns, and the elements of lists, by their places.
        let documents: [String: JSONColumn]

        init(_ entities: [PredicateSchema.Entity], defaultEntity: String?, version: String?) {
            self.entities = entities
            self.version = version
            self.defaultEntity = defaultEntity ?? (entities.count == 1 ? entities.first?.name : nil)
            positions = Dictionary(entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
            aliasPrefix = PredicateSchema.aliasPrefix(entities)
            var documents: [String: JSONColumn] = [:]
            for entity in entities {
                for attribute in entity.attributes where attribute.json != nil {
                    if let found = JSONColumn(attribute) { documents[found.place] = found }
                }
            }
            if !documents.isEmpty {
                for type in JSONColumn.types { documents[JSONColumn.element(type).place] = .element(type) }
            }
            self.documents = documents
        }
    }

    private struct Lookup: Sendable {
        var keys: [String: Key] = [:]
        var types: [String: KeyType] = [:]
        /// Whether names of keys have points.
        let hasPoints: Bool
        let primaryKey: [String]
        let columns: [String]
        let table: String
    }

    /// - Throws: `SchemaError` with all inconsistencies: names that are empty, contain a dot (outside of JSON columns) or occur
    ///   twice; missing targets, parents, inverses or default entity; an entity that is its own ancestor.
    public init(
        _ entities: [PredicateSchema.Entity], defaultEntity: String? = nil, version: String? = nil
    ) throws(SchemaError) {
        index = Index(entities, defaultEntity: defaultEntity, version: version)
        lookups = entities.map(lookup)
        let problems = SchemaValidator(schema: self).problems()
        if !problems.isEmpty { throw SchemaError(problems) }
    }

    /// A schema without entities.
    package static let empty = PredicateSchema()

    private init() {
        index = Index([], defaultEntity: nil, version: nil)
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.entities == right.entities && left.describesTypes == right.describesTypes
            && left.defaultEntity == right.defaultEntity && left.version == right.version
    }

    private static func aliasPrefix(_ entities: [PredicateSchema.Entity]) -> String {
        var names: [String] = []
        for entity in entities {
            names += [entity.table] + entity.primaryKey + [entity.discriminator].compactMap { $0 }
            for attribute in entity.attributes { names += [attribute.column] + attribute.folds.values }
            for relationship in entity.relationships { names += relationship.link?.names ?? [] }
        }
        // Engines may treat `T1` and `t1` as the same name.
        let numbered = names.filter { $0.utf8.first.map { $0 | 0x20 } == UInt8(ascii: "t") }.map { $0.lowercased() }
        var prefix = "t"
        while numbered.contains(where: { $0.hasPrefix(prefix) && $0.utf8.dropFirst(prefix.utf8.count).isNumber }) {
            prefix += "_"
        }
        return prefix
    }

    /// The entity with a name, or nil.
    public func entity(_ name: String) -> PredicateSchema.Entity? { position(of: name).map { entities[$0] } }

    private func position(of entity: String) -> Int? {
        // Most published types have a schema of one entity. Comparing its name takes less time than hashing it.
        entities.count == 1 ? (entities[0].name == entity ? 0 : nil) : index.positions[entity]
    }

    /// The attributes inside JSON columns, and the elements of lists, by their places; empty without such attributes.
    package var documents: [String: JSONColumn] { index.documents }

    package var entityNames: [String] { entities.map { $0.name } }

    /// A key of an entity or of its ancestors, or nil. Cost: constant.
    package func key(_ name: String, of entity: String) -> Key? {
        position(of: entity).flatMap { lookups[$0].keys[name] }
    }

    /// The attribute at the end of a key path, and its entity; nil if the path has another end.
    package func attribute(at path: [String], of entity: String) -> (attribute: Attribute, entity: String)? {
        var owner = entity
        for name in path.dropLast() {
            guard case .relationship(let step)? = key(name, of: owner) else { return nil }
            owner = step.target
        }
        guard let last = path.last, case .attribute(let found)? = key(last, of: owner) else { return nil }
        return (found, owner)
    }

    /// The type of an entity's own or inherited key; nil if it has none.
    func type(of key: String, in entity: String) -> KeyType? {
        position(of: entity).flatMap { lookups[$0].types[key] }
    }

    /// Joins the keys from an index that together are the name of an attribute with points: `meta.theme`.
    package func joining(_ keys: [String], at index: Int, of entity: String) -> [String] {
        guard let position = position(of: entity), lookups[position].hasPoints else { return keys }
        var name = keys[index]
        for next in keys.indices.dropFirst(index + 1) {
            name += "." + keys[next]
            if lookups[position].keys[name] != nil { return keys[..<index] + [name] + keys[(next + 1)...] }
        }
        return keys
    }

    /// Joins the keys of a path that are names with points.
    package func joining(_ path: [String], of entity: String) -> [String] {
        if documents.isEmpty { return path }
        var (keys, index, owner) = (path, 0, Optional(entity))
        while index < keys.count, let entity = owner {
            keys = joining(keys, at: index, of: entity)
            owner = if case .relationship(let key)? = key(keys[index], of: entity) { key.target } else { nil }
            index += 1
        }
        return keys
    }

    private func lookup(_ entity: PredicateSchema.Entity) -> Lookup {
        let lineage = lineage(of: entity.name)
        let primaryKey = lineage.first { !$0.primaryKey.isEmpty }?.primaryKey ?? []
        var columns = primaryKey
        var keys: [String: Key] = [:]
        func add(_ key: Key, _ name: String) { if keys[name] == nil { keys[name] = key } }
        for entity in lineage {
            columns += entity.attributes.map { $0.place }
            for attribute in entity.attributes { add(.attribute(attribute), attribute.name) }
            for relationship in entity.relationships {
                if case .column(let names)? = relationship.link { columns += names }
                add(.relationship(relationship), relationship.name)
            }
        }
        return Lookup(
            keys: keys, types: keys.mapValues(KeyType.init), hasPoints: keys.keys.contains { $0.utf8.contains(0x2E) },
            primaryKey: primaryKey,
            columns: columns.distinct(),
            table: (entity.code == nil ? entity : lineage.first { $0.discriminator != nil } ?? entity).table)
    }

    /// Throws `unknown-entity`, with the nearest name, if there is no entity with this name.
    package func require(entity name: String) throws(PredicateFailure) {
        guard entity(name) == nil else { return }
        throw PredicateFailure(.unknownEntity, name, suggestion: Suggestions.nearest(to: name, in: entityNames))
    }

    /// All keys of an entity, followed by those of its ancestors.
    package func keys(of entity: String) -> [String] {
        lineage(of: entity).flatMap { $0.attributes.map { $0.name } + $0.relationships.map { $0.name } }
    }

    /// The entity, its parent, and so on.
    package func lineage(of entity: String) -> [PredicateSchema.Entity] {
        var lineage: [PredicateSchema.Entity] = []
        var next = self.entity(entity)
        // Bounded, because the validator calls this before it has excluded cycles.
        while let entity = next, lineage.count < entities.count {
            lineage.append(entity)
            next = entity.parent.flatMap(self.entity)
        }
        return lineage
    }

    /// The columns that identify a row of the entity; empty if there are none.
    package func primaryKey(of entity: String) -> [String] {
        position(of: entity).map { lookups[$0].primaryKey } ?? []
    }

    /// The columns of an entity's rows, each once: the primary key, those of attributes and those of to-one
    /// relationships.
    package func columns(of entity: String) -> [String] { position(of: entity).map { lookups[$0].columns } ?? [] }

    /// The table that stores the entity's objects: its own, or one shared with its ancestors.
    package func table(of entity: String) -> String { position(of: entity).map { lookups[$0].table } ?? entity }

    /// The discriminator column and its values for this entity and its descendants; nil if all rows of the
    /// table are its objects.
    package func codes(of entity: String) -> (column: String, codes: [PredicateValue])? {
        guard let first = self.entity(entity), first.parent != nil, first.code != nil,
            let column = lineage(of: entity).first(where: { $0.discriminator != nil })?.discriminator
        else { return nil }
        let codes = entities.filter { each in lineage(of: each.name).contains { $0.name == entity } }.compactMap {
            $0.code
        }
        return (column, codes)
    }

    /// The first ancestor in the same table, or the entity itself: all rows of the table are its objects.
    package func entity(sharingTableOf entity: String) -> String {
        let table = table(of: entity)
        return lineage(of: entity).last { self.table(of: $0.name) == table }?.name ?? entity
    }

    /// Whether the table also has rows of an ancestor, but no discriminator.
    package func hasAncestorRowsWithoutCode(_ entity: String) -> Bool {
        let table = table(of: entity)
        return codes(of: entity) == nil && lineage(of: entity).dropFirst().contains { self.table(of: $0.name) == table }
    }

    /// Whether an object can belong to both entities: they are equal, or one is an ancestor of the other.
    package func related(_ one: String, _ other: String) -> Bool {
        one == other || lineage(of: one).contains { $0.name == other } || lineage(of: other).contains { $0.name == one }
    }
}

/// The type of a key, as the type checker needs it.
struct KeyType: Sendable {
    let type: ExpressionType
    let isRelationship: Bool
    private(set) var known: PredicateSchema.KnownValues?

    init(_ key: PredicateSchema.Key) {
        switch key {
        case .attribute(let attribute):
            type = ExpressionType(attribute.type, isOptional: attribute.isOptional || attribute.json != nil)
            isRelationship = false
            known = attribute.known
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

/// Finds the inconsistencies of a schema.
private struct SchemaValidator {
    let schema: PredicateSchema
    var found: [SchemaError.Problem] = []

    consuming func problems() -> [SchemaError.Problem] {
        var seen: Set<String> = []
        if let name = schema.defaultEntity, schema.entity(name) == nil { reportEntity("entity", name) }
        for entity in schema.entities {
            let path = "entities." + entity.name
            if entity.name.isEmpty { report("entities", "an entity has no name") }
            if !seen.insert(entity.name).inserted { report(path, "two entities have this name") }
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

    private mutating func checkParent(_ entity: PredicateSchema.Entity, _ path: String) {
        guard let parent = entity.parent else { return }
        if schema.entity(parent) == nil {
            reportEntity(path + ".parent", parent)
        } else if schema.lineage(of: parent).contains(where: { $0.name == entity.name }) {
            report(path + ".parent", "the entity is its own ancestor")
        }
    }

    /// Entities that share a table need a discriminator column in the first of them.
    private mutating func checkCode(_ entity: PredicateSchema.Entity, _ path: String) {
        guard let code = entity.code else { return }
        switch code {
        case .integer, .string: break
        default: report(path + ".code", "a code is an integer or a text")
        }
        if !schema.lineage(of: entity.name).contains(where: { $0.discriminator != nil }) {
            report(path + ".code", "neither the entity nor an ancestor has a \"discriminator\"")
        }
    }

    private mutating func checkKeys(_ entity: PredicateSchema.Entity, _ path: String) {
        var seen: Set<String> = []
        let attributes = entity.attributes.map { ("attributes", $0.name, $0.json != nil) }
        let names = attributes + entity.relationships.map { ("relationships", $0.name, false) }
        for (section, name, isInJSON) in names {
            let place = "\(path).\(section).\(name)"
            if name.isEmpty { report("\(path).\(section)", "a key has no name") }
            if name.contains("."), !isInJSON { report(place, "a key cannot have a dot, which separates keys") }
            if isInJSON { checkPoints(name, place, names.map { $0.1 }) }
            if name.hasPrefix("@") { report(place, "a key cannot begin with @, as collection operators do") }
            if !seen.insert(name).inserted { report(place, "the entity has another key of this name") }
        }
    }

    /// Checks the parts of a name with points: none is empty, and no other key leads to it.
    private mutating func checkPoints(_ name: String, _ place: String, _ names: [String]) {
        let parts = name.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
        if parts.contains(where: { $0.isEmpty || $0.first == UInt8(ascii: "@") }) {
            report(place, "a part between points is empty or begins with @")
        }
        for key in names where name.utf8.starts(with: (key + ".").utf8) {
            report(place, "the entity has another key '\(key)', so '\(name)' would be read from its value")
        }
    }

    /// Checks an attribute inside a JSON column.
    private mutating func check(json text: String, _ attribute: PredicateSchema.Attribute, _ path: String) {
        if JSONPath(text) == nil {
            report(path + ".json", "expected a path such as $.theme, $.size.width, $.tags[0] or $.\"two words\"")
        }
        if !attribute.type.isInJSON {
            report(path, "a value inside JSON is a string, an integer, a double, a boolean, or a list of these")
        }
        let others = [
            ("scale", attribute.scale != nil), ("nan", attribute.allowsNaN), ("folded", !attribute.folds.isEmpty),
            ("minimum and maximum", attribute.range != nil), ("collation", attribute.collation != nil),
            ("default", attribute.defaultValue != nil), ("cases", !attribute.cases.isEmpty),
        ]
        for (field, isGiven) in others where isGiven { report(path, "a value inside JSON has no \"\(field)\"") }
    }

    /// Checks that the properties of a column fit its type.
    private mutating func check(_ attribute: PredicateSchema.Attribute, _ path: String) {
        if let json = attribute.json { check(json: json, attribute, path) }
        func require(_ type: ExpressionType.Kind, _ isGiven: Bool, _ field: String, _ name: String) -> String? {
            isGiven && attribute.type != type ? "only \(name) have a \"\(field)\"" : nil
        }
        let problems = [
            require(.decimal, attribute.scale != nil, "scale", "decimals"),
            require(.double, attribute.allowsNaN, "nan", "doubles"),
            attribute.type == .decimal
                ? nil : require(.integer, attribute.range != nil, "minimum and maximum", "integers and decimals"),
            require(.date, attribute.dateStorage != .referenceSeconds, "stored", "dates"),
            require(.string, !attribute.folds.isEmpty, "folded", "strings"),
            require(.string, attribute.collation != nil, "collation", "strings"),
            attribute.defaultValue.map { attribute.holds($0) } ?? true
                ? nil : "the column cannot store the default; expected: \(attribute.type.nameForMessages)",
        ]
        for problem in problems { if let problem { report(path, problem) } }
        let one = PredicateSchema.Attribute("", attribute.caseType)
        for value in attribute.cases where value.isNil || one.converted(value) != value {
            report(path + ".cases", "\(value) is no value of the type \(attribute.caseType.nameForMessages)")
        }
        if let name = ExpressionType(attribute.type).entity, schema.entity(name) == nil { reportEntity(path, name) }
        if let scale = attribute.scale, !(0...38).contains(scale) { report(path + ".scale", "a scale is 0 to 38") }
    }

    private mutating func check(
        _ relationship: PredicateSchema.Relationship, of entity: PredicateSchema.Entity, _ path: String
    ) {
        guard schema.entity(relationship.target) != nil else { return reportEntity(path, relationship.target) }
        switch relationship.link {
        case .column where relationship.isToMany:
            report(path, "a to-many relationship has a foreignKey or a join, not a column")
        case .foreignKey where !relationship.isToMany, .join where !relationship.isToMany:
            report(path, "a to-one relationship has a column; add \"many\": true if it is to-many")
        default: checkLengths(relationship, entity, path)
        }
        guard let inverse = relationship.inverse else { return }
        if case .relationship(let other) = schema.key(inverse, of: relationship.target) {
            if let rule = relationship.onDelete, let known = other.onDelete, rule != known,
                relationship.link?.foreignKey != nil, relationship.link?.foreignKey == other.link?.foreignKey
            {
                report(path + ".onDelete", "the inverse relationship '\(inverse)' has '\(known.rawValue)'")
            }
            return
        }
        let candidates = schema.lineage(of: relationship.target).flatMap { $0.relationships.map { $0.name } }
        report(
            path + ".inverse", "\(relationship.target) has no relationship '\(inverse)'",
            suggestion: Suggestions.nearest(to: inverse, in: candidates))
    }

    /// A foreign key must have as many columns as the primary key it refers to.
    private mutating func checkLengths(
        _ relationship: PredicateSchema.Relationship, _ entity: PredicateSchema.Entity, _ path: String
    ) {
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
