// Compares two versions of a schema.

/// A difference between two versions of a schema.
///
/// ```text
/// Item.isUrgent: added, a boolean
/// ```
public struct SchemaDifference: Sendable, Equatable, CustomStringConvertible {
    /// The kind of difference.
    package enum Kind: String, Sendable, Hashable {
        case added, dropped, renamed
        /// The type, or the entity that a relationship refers to, has changed.
        case retyped
        /// A required key is now optional, or the reverse.
        case optionality
        /// The default for new objects has changed.
        case defaultValue = "default"
        /// A to-one relationship is now to-many, or the reverse.
        case cardinality
        /// The table, column, range or form of storage has changed.
        case storage
    }

    package let kind: Kind
    /// The identifier of the kind of difference: `renamed`.
    public var id: String { kind.rawValue }
    /// The entity by its name in the new version, or by its old name if it was dropped.
    public let entity: String
    /// The attribute or relationship; nil for the entity itself.
    public let key: String?
    /// The change as a phrase: `was integer, is double`.
    public let detail: String

    /// One line for users.
    public var description: String {
        let phrase =
            switch kind {
            case .added, .dropped, .renamed: kind.rawValue + (detail.isEmpty ? "" : ", " + detail)
            default: detail
            }
        return (key.map { "\(entity).\($0)" } ?? entity) + ": " + phrase
    }
}

/// Pairs the entities and keys of a new version with those of an old one: by former names, else by equal names.
struct SchemaPairs {
    let old: PredicateSchema
    let new: PredicateSchema

    /// The old entity that a new one is made from, unless a mapping names another.
    func source(of entity: PredicateSchema.Entity) -> PredicateSchema.Entity? {
        if let name = entity.formerly, let found = old.entity(name) { return found }
        let isTaken = new.entities.contains { $0.name != entity.name && $0.formerly == entity.name }
        return isTaken ? nil : old.entity(entity.name)
    }

    func source(of attribute: PredicateSchema.Attribute, _ entity: String, from source: String) -> PredicateSchema
        .Attribute?
    {
        name(attribute.name, attribute.formerly, entity) { name in
            if case .attribute(let found)? = old.key(name, of: source) { found } else { nil }
        }
    }

    func source(
        of relationship: PredicateSchema.Relationship, _ entity: String, from source: String
    ) -> PredicateSchema.Relationship? {
        name(relationship.name, relationship.formerly, entity) { name in
            if case .relationship(let found)? = old.key(name, of: source) { found } else { nil }
        }
    }

    private func name<Found>(
        _ name: String, _ formerly: String?, _ entity: String, _ find: (String) -> Found?
    ) -> Found? {
        if let formerly, let found = find(formerly) { return found }
        let own = new.lineage(of: entity)
        let isTaken =
            own.flatMap(\.attributes).contains { $0.name != name && $0.formerly == name }
            || own.flatMap(\.relationships).contains { $0.name != name && $0.formerly == name }
        return isTaken ? nil : find(name)
    }

    // MARK: Differences

    /// All differences, in the order of the new version; dropped entities and keys come last.
    var differences: [SchemaDifference] {
        var found: [SchemaDifference] = []
        var kept: Set<String> = []
        for entity in new.entities {
            guard let source = source(of: entity) else {
                found.append(SchemaDifference(kind: .added, entity: entity.name, key: nil, detail: ""))
                continue
            }
            kept.insert(source.name)
            found += differences(entity, source)
        }
        for entity in old.entities where !kept.contains(entity.name) {
            found.append(SchemaDifference(kind: .dropped, entity: entity.name, key: nil, detail: ""))
        }
        return found
    }

    private func differences(
        _ entity: PredicateSchema.Entity, _ source: PredicateSchema.Entity
    ) -> [SchemaDifference] {
        var found: [SchemaDifference] = []
        func add(_ kind: SchemaDifference.Kind, _ key: String?, _ detail: String) {
            found.append(SchemaDifference(kind: kind, entity: entity.name, key: key, detail: detail))
        }
        func compare(_ kind: SchemaDifference.Kind, _ key: String?, _ old: String, _ new: String) {
            if old != new { add(kind, key, "was \(old), is \(new)") }
        }
        if source.name != entity.name { add(.renamed, nil, "was \(source.name)") }
        compare(.storage, nil, old.place(of: source.name), new.place(of: entity.name))
        var kept: Set<String> = []
        for attribute in entity.attributes {
            guard let former = self.source(of: attribute, entity.name, from: source.name) else {
                add(.added, attribute.name, attribute.shown)
                continue
            }
            kept.insert(former.name)
            if former.name != attribute.name { add(.renamed, attribute.name, "was \(former.name)") }
            compare(.retyped, attribute.name, former.type.shown, attribute.type.shown)
            compare(.optionality, attribute.name, former.necessity, attribute.necessity)
            compare(.defaultValue, attribute.name, former.shownDefault, attribute.shownDefault)
            if former.place != attribute.place, former.name == attribute.name {
                compare(.storage, attribute.name, "in \(former.place)", "in \(attribute.place)")
            }
            if former.type == attribute.type { compare(.storage, attribute.name, former.form, attribute.form) }
        }
        for relationship in entity.relationships {
            guard let former = self.source(of: relationship, entity.name, from: source.name) else {
                add(.added, relationship.name, "to \(relationship.target)")
                continue
            }
            kept.insert(former.name)
            if former.name != relationship.name { add(.renamed, relationship.name, "was \(former.name)") }
            let target = new.entity(relationship.target).flatMap { self.source(of: $0)?.name }
            if target != former.target {
                add(.retyped, relationship.name, "was to \(former.target), is to \(relationship.target)")
            }
            compare(.cardinality, relationship.name, former.cardinality, relationship.cardinality)
            if former.isToMany == relationship.isToMany {
                compare(.optionality, relationship.name, former.necessity, relationship.necessity)
                compare(.storage, relationship.name, former.place, relationship.place)
            }
        }
        for name in source.attributes.map(\.name) + source.relationships.map(\.name) where !kept.contains(name) {
            add(.dropped, name, "")
        }
        return found
    }
}

extension PredicateSchema {
    /// Where the entity's objects are stored: `in item, with the key id`.
    fileprivate func place(of entity: String) -> String {
        let code = self.entity(entity)?.code.map { ", with the code \($0)" } ?? ""
        return "in \(table(of: entity)), with the key \(primaryKey(of: entity).joined(separator: ", "))\(code)"
    }
}

extension PredicateSchema.Attribute {
    fileprivate var necessity: String { isOptional ? "optional" : "required" }
    fileprivate var shownDefault: String { defaultValue.map { "with the default \($0)" } ?? "without a default" }
    fileprivate var shown: String {
        "\(necessity) \(type.shown)" + (defaultValue.map { ", default \($0)" } ?? "")
    }
    /// The storage form of the column's values.
    fileprivate var form: String {
        let form = TableDefinition.Column(self, isRequired: false).form
        let columns = folds.values.sorted()
        return form + (columns.isEmpty ? "" : ", folded in " + columns.joined(separator: ", "))
    }
}

extension PredicateSchema.Relationship {
    fileprivate var necessity: String { isOptional ? "optional" : "required" }
    fileprivate var cardinality: String { isToMany ? "to-many" : "to-one" }
    fileprivate var place: String {
        switch link {
        case .column(let columns): "in \(columns.joined(separator: ", "))"
        case .foreignKey(let columns): "by the key \(columns.joined(separator: ", "))"
        case .join(let table, let from, let to): "in \(table) (\((from + to).joined(separator: ", ")))"
        case nil: "not stored"
        }
    }
}
