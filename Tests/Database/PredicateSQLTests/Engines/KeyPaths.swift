// The key paths that a schema allows, by the type of their last attribute.

import PredicateSQL

struct KeyPaths: Sendable {
    struct Many: Sendable {
        let path: String
        let target: String
    }

    /// By entity: key paths through at most two to-one relationships.
    private(set) var attributes: [String: [SQLType: [String]]] = [:]
    private(set) var toOne: [String: [String]] = [:]
    private(set) var toMany: [String: [Many]] = [:]
    /// Attributes of the entity itself.
    private(set) var own: [String: [SQLType: [String]]] = [:]
    /// Lists, by the type of their elements.
    private(set) var lists: [String: [SQLType: [String]]] = [:]
    /// Attributes of unknown type. Predicates only compare them with nil.
    private(set) var unknown: [String: [String]] = [:]

    init(_ schema: PredicateSchema) {
        for entity in schema.entities {
            for (prefix, reached) in Self.reached(entity, schema, depth: 2) {
                for attribute in reached.attributes {
                    if let type = attribute.elementType {
                        lists[entity.name, default: [:]][type, default: []].append(prefix + attribute.name)
                    }
                    guard let type = attribute.sqlType else {
                        unknown[entity.name, default: []].append(prefix + attribute.name)
                        continue
                    }
                    attributes[entity.name, default: [:]][type, default: []].append(prefix + attribute.name)
                    if prefix.isEmpty { own[entity.name, default: [:]][type, default: []].append(attribute.name) }
                }
                for relationship in reached.relationships {
                    if relationship.isToMany {
                        toMany[entity.name, default: []].append(
                            Many(path: prefix + relationship.name, target: relationship.target))
                    } else {
                        toOne[entity.name, default: []].append(prefix + relationship.name)
                    }
                }
            }
        }
    }

    private static func reached(_ entity: PredicateSchema.Entity, _ schema: PredicateSchema, depth: Int) -> [(
        String, PredicateSchema.Entity
    )] {
        var found = [("", entity)]
        guard depth > 0 else { return found }
        for relationship in entity.relationships where !relationship.isToMany {
            guard let target = schema.entity(relationship.target) else { continue }
            found += reached(target, schema, depth: depth - 1).map { (relationship.name + "." + $0.0, $0.1) }
        }
        return found
    }
}
