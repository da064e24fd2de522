// Reads one version of a Core Data model in Xcode's format: `Model.xcdatamodel/contents`, an XML document
// (MarkupElement). The caller chooses the version.

/// One version of a Core Data model.
///
///     let model = try ManagedObjectModel(contents: bytes)
///     let schema = try model.schema()
package struct ManagedObjectModel: Sendable {
    /// A predicate stored in the model, in a fetch request or a fetched property.
    package struct StoredPredicate: Sendable {
        /// The element that contains the predicate: `fetch request 'adults'`, `fetched property 'Person.friends'`.
        package let owner: String
        /// The entity of the fetched objects.
        package let entity: String
        package let text: SourcedText
    }

    package private(set) var entities: [PredicateSchema.Entity] = []
    package private(set) var predicates: [StoredPredicate] = []
    /// For each entity, the keys that are not stored: transient attributes and derived attributes computed by code.
    package private(set) var transientKeys: [String: Set<String>] = [:]
    /// The identifier of this version, which the stores of the model record; nil if it has none.
    package private(set) var identifier: String?

    /// Reads the document and skips unknown elements. Cost: linear.
    ///
    /// - Throws: `DocumentProblem` if the bytes are not XML or not a data model.
    package init(contents: [UInt8]) throws(DocumentProblem) {
        let root = try MarkupElement.parse(contents)
        guard root.name == "model" else {
            throw DocumentProblem(offset: root.offset, message: "<model> is expected, not <\(root.name)>")
        }
        identifier = root["userDefinedModelVersionIdentifier"].flatMap { $0.isEmpty ? nil : $0 }
        for element in root.children {
            switch element.name {
            case "entity": try read(entity: element)
            case "fetchRequest": read(request: element, owner: "fetch request '\(element["name"] ?? "")'")
            default: break
            }
        }
        linkStore()
    }

    /// The entities as a schema: keys, types, optionality, parents, and the tables and columns in Core Data's SQLite
    /// store.
    ///
    /// - Parameters:
    ///   - storedOnly: whether to leave out keys that exist only in memory.
    ///   - version: the name of the version.
    /// - Throws: `SchemaError` if the entities do not fit together, such as a relationship to a missing entity.
    package func schema(storedOnly: Bool = false, version: String? = nil) throws(SchemaError) -> PredicateSchema {
        guard storedOnly else { return try PredicateSchema(entities, version: version) }
        return try PredicateSchema(
            entities.map { entity in
                var entity = entity
                let transient = transientKeys[entity.name] ?? []
                entity.attributes.removeAll { transient.contains($0.name) }
                entity.relationships.removeAll { transient.contains($0.name) }
                return entity
            }, version: version)
    }

    // MARK: Reading

    private mutating func read(entity element: MarkupElement) throws(DocumentProblem) {
        guard let name = element["name"] else {
            throw DocumentProblem(offset: element.offset, message: "an entity has no name")
        }
        var entity = PredicateSchema.Entity(name, parent: element["parentEntity"])
        entity.formerly = element["elementID"]
        for child in element.children {
            guard let key = child["name"] else { continue }
            switch child.name {
            case "attribute":
                let type = Self.type(child["attributeType"])
                var attribute = PredicateSchema.Attribute(key, type, isOptional: child["optional"] == "YES")
                attribute.formerly = child["elementID"]
                attribute.defaultValue = Self.defaultValue(child, attribute)
                entity.attributes.append(attribute)
                if child["transient"] == "YES" { transientKeys[name, default: []].insert(key) }
            case "relationship":
                guard let target = child["destinationEntity"] else { continue }
                let isToMany = child["toMany"] == "YES"
                let inverse = child["inverseEntity"] == target ? child["inverseName"] : nil
                var relationship =
                    isToMany
                    ? PredicateSchema.Relationship(key, toMany: target, inverse: inverse)
                    : PredicateSchema.Relationship(
                        key, to: target, isOptional: child["optional"] == "YES", inverse: inverse)
                relationship.formerly = child["elementID"]
                // The model's rule says what happens to the objects at the other end. Of a relationship to one object,
                // this is not a rule of its own column.
                if isToMany { relationship.onDelete = Self.rule(child["deletionRule"]) }
                entity.relationships.append(relationship)
            case "fetchedProperty":
                for request in child.children where request.name == "fetchRequest" {
                    read(request: request, owner: "fetched property '\(name).\(key)'")
                    if let target = request["entity"] {
                        entity.relationships.append(PredicateSchema.Relationship(key, toMany: target))
                        transientKeys[name, default: []].insert(key)
                    }
                }
            default: break
            }
        }
        entities.append(entity)
    }

    private mutating func read(request element: MarkupElement, owner: String) {
        guard let entity = element["entity"], let text = element.attribute("predicateString"), !text.isEmpty else {
            return
        }
        predicates.append(StoredPredicate(owner: owner, entity: entity, text: text))
    }

    private static func rule(_ name: String?) -> PredicateSchema.DeleteRule? {
        switch name {
        case "Nullify": .nullify
        case "Cascade": .cascade
        case "Deny": .deny
        default: nil
        }
    }

    /// The default value for new objects; nil if there is none, or if the attribute cannot have it.
    private static func defaultValue(
        _ element: MarkupElement, _ attribute: PredicateSchema.Attribute
    ) -> PredicateValue? {
        if attribute.type == .date {
            return element["defaultDateTimeInterval"].flatMap(Double.init).map { .date($0) }
        }
        guard let text = element["defaultValueString"] else { return nil }
        switch attribute.type {
        case .boolean: return .bool(text == "YES")
        case .integer: return Int64(text).map { .integer($0) }
        case .double: return Double(text).map { .double($0) }
        default: return attribute.converted(.string(text))
        }
    }

    /// The type for a value of `attributeType`. A transformable attribute, or one without a type, has the type `any`.
    private static func type(_ name: String?) -> ExpressionType.Kind {
        switch name {
        case "Integer 16", "Integer 32", "Integer 64": .integer
        case "Float", "Double": .double
        case "Decimal": .decimal
        case "String": .string
        case "Boolean": .boolean
        case "Date": .date
        case "Binary": .data
        case "UUID": .uuid
        case "URI": .url
        default: .any
        }
    }

    /// Sets the names of tables and columns as in Core Data's SQLite stores: `ZPERSON`, `Z_PK`, `ZAGE`. Entity numbers
    /// and join tables differ between stores; `SQLiteStore` reads them from the database.
    private mutating func linkStore() {
        let names = Dictionary(entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        let original = entities
        func root(_ name: String) -> String {
            var name = name
            var steps = 0
            while steps < original.count, let index = names[name], let parent = original[index].parent {
                name = parent
                steps += 1
            }
            return name
        }
        for index in entities.indices {
            entities[index].table = "Z" + root(entities[index].name).uppercased()
            entities[index].primaryKey = ["Z_PK"]
            for key in entities[index].attributes.indices {
                entities[index].attributes[key].column = "Z" + entities[index].attributes[key].name.uppercased()
            }
            for key in entities[index].relationships.indices {
                let relationship = entities[index].relationships[key]
                if !relationship.isToMany {
                    entities[index].relationships[key].link = .column("Z" + relationship.name.uppercased())
                } else if let inverse = relationship.inverse, let target = names[relationship.target],
                    original[target].relationships.contains(where: { $0.name == inverse && !$0.isToMany })
                {
                    entities[index].relationships[key].link = .foreignKey("Z" + inverse.uppercased())
                } else if relationship.onDelete == .cascade {
                    // A rule of a join table deletes pairs only, not the objects at their other end.
                    entities[index].relationships[key].onDelete = nil
                }
            }
        }
    }
}
