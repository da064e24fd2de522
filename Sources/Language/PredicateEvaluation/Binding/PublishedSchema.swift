// The schema of a published type: one entity for each type, with attributes and relationships for its keys. It is built
// once for each type. Binding.swift checks predicates against it.

extension PredicateSchema {
    /// The schema of a published type: its entity, and those of the published types that its keys refer to.
    ///
    ///     let schema = try PredicateSchema(of: Person.self)
    ///     try TypeChecker(schema: schema, entity: "Person").check(FormatPredicate(text: "nam == 'Ada'"))
    ///
    /// An entity has the name of its type; if two types have the same name, the second one's includes the module. The
    /// type itself is the default entity. Keys for an object, or a list or set of objects, are relationships; other
    /// keys are attributes. `init(of:version:)` of several types makes the schema of a store.
    /// - Throws: `SchemaError` for keys that no predicate can name, or that are published twice.
    /// - Complexity: linear in the keys of all these types for the first call, then constant.
    public init(of type: (some Queryable).Type) throws(SchemaError) {
        self = try PublishedSchema.of(type).get()
    }

    /// The same for code that throws failures of predicates.
    /// - Throws: `key-table`.
    package static func published(by type: (some Queryable).Type) throws(PredicateFailure) -> PredicateSchema {
        do throws(SchemaError) {
            return try PublishedSchema.of(type).get()
        } catch {
            throw PredicateFailure(
                error.problems.map { PredicateDiagnostic(.keyTable, at: .none, $0.description) }, source: "")
        }
    }
}

enum PublishedSchema {
    typealias Outcome = Result<PredicateSchema, SchemaError>

    private struct Known {
        let storage: any AnyObject & Sendable
        let properties: [KeyProperty]
        let outcome: Outcome
    }

    private static let known = Mutex<[ObjectIdentifier: Known]>([:])

    /// Returns the schema of a type. It is rebuilt only if the type computes its table and the keys have changed.
    static func of<Root: Queryable>(_ type: Root.Type) -> Outcome {
        let id = ObjectIdentifier(type)
        let table = Root.keys
        if let known = known.withLock({ $0[id] }) {
            if known.storage === table.storage || known.properties == table.properties { return known.outcome }
        }
        // Called outside of the lock, because it runs code of the app.
        var builder = SchemaBuilder()
        let outcome = builder.schema(of: type)
        known.withLock { $0[id] = Known(storage: table.storage, properties: table.properties, outcome: outcome) }
        return outcome
    }
}

/// A key of a table, and the type of its values.
struct KeyProperty: Sendable, Equatable {
    let name: String
    let type: ObjectIdentifier
}

/// Builds the entities of types. StoredSchema.swift adds what a store needs.
struct SchemaBuilder {
    /// Limits for types that refer to ever more types, such as `Box<Box<…>>`: the number of keys on the path from the
    /// first type to another one, and the number of types. Keys beyond the limits have any type.
    private static let (depthLimit, countLimit) = (64, 1024)

    private var names: [ObjectIdentifier: String] = [:]
    private var taken: Set<String> = []
    /// All types found so far. Their keys are read in this order.
    private var types: [(name: String, type: any Queryable.Type, depth: Int)] = []
    /// The depth of the type whose keys are being read.
    private var depth = -1
    private(set) var problems: [SchemaError.Problem] = []

    /// The entities of types, and of those that their keys refer to.
    mutating func entities(of roots: [any Queryable.Type]) -> [PredicateSchema.Entity] {
        for root in roots { _ = name(of: root) }
        var entities: [PredicateSchema.Entity] = []
        while entities.count < types.count {
            let next = types[entities.count]
            depth = next.depth
            entities.append(next.type.entity(next.name, &self))
        }
        return entities
    }

    /// Lets a type change its entity, which is the one at this index.
    func describe(_ index: Int, _ entity: inout PredicateSchema.Entity) { types[index].type.describe(&entity) }

    fileprivate mutating func schema(of root: any Queryable.Type) -> PublishedSchema.Outcome {
        let entities = entities(of: [root])
        if !problems.isEmpty { return .failure(SchemaError(problems)) }
        do throws(SchemaError) {
            var schema = try PredicateSchema(entities, defaultEntity: types.first?.name)
            schema.describesTypes = true
            return .success(schema)
        } catch {
            return .failure(error)
        }
    }

    /// Returns the entity name of a type; nil beyond the limits.
    fileprivate mutating func name(of type: any Queryable.Type) -> String? {
        let id = ObjectIdentifier(type)
        if let name = names[id] { return name }
        guard depth < Self.depthLimit, types.count < Self.countLimit else { return nil }
        var name = "\(type)"
        if taken.contains(name) { name = String(reflecting: type) }
        while taken.contains(name) { name += "'" }
        taken.insert(name)
        names[id] = name
        types.append((name, type, depth + 1))
        return name
    }

    fileprivate mutating func add<Root>(_ key: PublishedKey<Root>, to entity: inout PredicateSchema.Entity) {
        report(key.name, entity)
        let stated = key.type()
        var type = stated.type
        if let object = stated.object {
            guard let target = name(of: object) else {
                return entity.attributes.append(PredicateSchema.Attribute(key.name, .any, isOptional: true))
            }
            type = type.naming(target)
            if let relationship = PredicateSchema.Relationship(key.name, type) {
                return entity.relationships.append(relationship)
            }
        }
        var attribute = PredicateSchema.Attribute(key.name, type.kind, isOptional: type.isOptional)
        attribute.swiftValues = PredicateSchema.SwiftValues(of: key.valueType)
        attribute.cases = PredicateValue.cases(of: key.valueType)
        entity.attributes.append(attribute)
    }

    private mutating func report(_ key: String, _ entity: PredicateSchema.Entity) {
        let problem: String? =
            if key.isEmpty {
                "a key without a name"
            } else if key.contains(".") {
                "the key '\(key)'; no predicate can name it, because a dot separates keys"
            } else if key.hasPrefix("@") {
                "the key '\(key)'; no predicate can name it, because @ begins a collection operator"
            } else if entity.attributes.contains(where: { $0.name == key })
                || entity.relationships.contains(where: { $0.name == key })
            {
                "the key '\(key)' more than once"
            } else {
                nil
            }
        if let problem { problems.append(SchemaError.Problem("", "\(entity.name) publishes \(problem)")) }
    }
}

extension Queryable {
    fileprivate static var keyNames: [String] { keys.names }

    fileprivate static func entity(_ name: String, _ builder: inout SchemaBuilder) -> PredicateSchema.Entity {
        var entity = PredicateSchema.Entity(name)
        if let keyed = Keyed.self as? any Queryable.Type, ObjectIdentifier(keyed) != ObjectIdentifier(Self.self) {
            // A subclass has the keys of the class that declares the conformance, and those that its own table adds.
            entity.parent = builder.name(of: keyed)
            if entity.parent != nil {
                let inherited = Set(keyed.keyNames)
                for key in keys.keys where !inherited.contains(key.name) { builder.add(key, to: &entity) }
                return entity
            }
        }
        for key in keys.keys { builder.add(key, to: &entity) }
        return entity
    }
}

extension ExpressionType {
    /// Returns the type with the name of its entity.
    fileprivate func naming(_ entity: String) -> ExpressionType {
        switch kind {
        case .entity: ExpressionType(.entity(entity), isOptional: isOptional)
        case .collection(let shape, let element):
            ExpressionType(.collection(shape, of: element.naming(entity)), isOptional: isOptional)
        default: self
        }
    }
}

extension PredicateSchema.Relationship {
    /// nil unless the type is an object, or a list or set of objects.
    fileprivate init?(_ name: String, _ type: ExpressionType) {
        switch type.kind {
        case .entity(let target): self.init(name, to: target, isOptional: type.isOptional)
        case .collection(let shape, let element) where shape != .dictionary && !element.isOptional:
            guard case .entity(let target) = element.kind else { return nil }
            self.init(name, toMany: target, isOptional: type.isOptional)
            self.shape = shape
        default: return nil
        }
    }
}
