// Published types as a schema: an entity for each type, its keys with their types, relationships where a key holds objects.
// It is made once for each type and kept. TypedBinding.swift checks predicates against it.
public import PredicateModel
import PredicateSyntax
import Synchronization

extension Schema {
    /// The schema of a published type: an entity for it and for each published type that its keys lead to.
    ///
    ///     let schema = try Schema(of: Person.self)
    ///     schema.keys(of: "Person")                                     // ["name", "age", "employer"]
    ///     try TypeChecker(schema: schema, entity: "Person").check(FormatPredicate.parse("nam == 'Ada'"))
    ///
    /// An entity has the name of its type; of two types of one name the second is named with its module. The type itself is
    /// the default entity. Keys that hold an object, or a list or set of objects, are relationships, all others attributes.
    /// - Throws: the keys that no predicate could name, or that are published twice.
    /// - Complexity: constant, once a type's schema has been made; then linear in the number of keys of all types.
    public init(of type: (some Queryable).Type) throws(SchemaError) {
        self = try PublishedSchema.of(type).get()
    }
}

enum PublishedSchema {
    typealias Outcome = Result<Schema, SchemaError>

    private struct Known {
        let table: KeyTableIdentity
        let outcome: Outcome
    }

    private static let known = Mutex<[ObjectIdentifier: Known]>([:])

    /// The schema of a type, made when it is first asked for. Whoever computes a table anew each time gets a new schema
    /// where the keys are others than before.
    static func of<Root: Queryable>(_ type: Root.Type) -> Outcome {
        let id = ObjectIdentifier(type)
        let table = Root.keys.identity
        if let known = known.withLock({ $0[id] }), known.table == table { return known.outcome }
        // Not under the lock: a table is the code of the host.
        var builder = SchemaBuilder()
        let outcome = builder.schema(of: type)
        known.withLock { $0[id] = Known(table: table, outcome: outcome) }
        return outcome
    }
}

/// The keys of a table and the types of their properties.
struct KeyTableIdentity: Equatable {
    /// Tables that share their keys' storage are the same table.
    let storage: any AnyObject & Sendable
    let keys: @Sendable () -> [(name: String, property: ObjectIdentifier)]

    static func == (one: Self, other: Self) -> Bool {
        if one.storage === other.storage { return true }
        let (keys, others) = (one.keys(), other.keys())
        return keys.count == others.count && zip(keys, others).allSatisfy(==)
    }
}

/// Follows the keys of a type to all others.
private struct SchemaBuilder {
    /// Types of types without end, `Box<Box<…>>`, end here: so many keys from the first type, or so many in all. What
    /// lies beyond is any value.
    private static let (depthLimit, countLimit) = (64, 1024)

    private var names: [ObjectIdentifier: String] = [:]
    private var taken: Set<String> = []
    /// The types whose keys are to be read, and those whose keys have been.
    private var types: [(name: String, type: any Queryable.Type, depth: Int)] = []
    /// Of the type whose keys are being read.
    private var depth = -1
    private var problems: [SchemaError.Problem] = []

    mutating func schema(of root: any Queryable.Type) -> PublishedSchema.Outcome {
        let first = name(of: root)
        var entities: [Entity] = []
        while entities.count < types.count {
            let next = types[entities.count]
            depth = next.depth
            entities.append(next.type.entity(next.name, &self))
        }
        if !problems.isEmpty { return .failure(SchemaError(problems)) }
        do throws(SchemaError) {
            var schema = try Schema(entities, defaultEntity: first)
            schema.unknownKey = .unknownKey
            return .success(schema)
        } catch {
            return .failure(error)
        }
    }

    /// The entity of a type; nil where there are too many.
    mutating func name(of type: any Queryable.Type) -> String? {
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

    mutating func add<Root>(_ key: Key<Root>, to entity: inout Entity) {
        report(key.name, entity)
        let stated = key.type()
        var type = stated.type
        if let object = stated.object {
            guard let target = name(of: object) else {
                return entity.attributes.append(Attribute(key.name, .any, isOptional: true))
            }
            type = type.naming(target)
            if let relationship = Relationship(key.name, type) { return entity.relationships.append(relationship) }
        }
        entity.attributes.append(Attribute(key.name, type.kind, isOptional: type.isOptional))
    }

    private mutating func report(_ key: String, _ entity: Entity) {
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
    fileprivate static func entity(_ name: String, _ builder: inout SchemaBuilder) -> Entity {
        var entity = Entity(name)
        if let keyed = Keyed.self as? any Queryable.Type, ObjectIdentifier(keyed) != ObjectIdentifier(Self.self) {
            // A subclass has the keys of the class that conforms.
            entity.parent = builder.name(of: keyed)
            if entity.parent != nil { return entity }
        }
        for key in keys.keys { builder.add(key, to: &entity) }
        return entity
    }
}

extension ExpressionType {
    /// The same, with the name of its entity.
    fileprivate func naming(_ entity: String) -> ExpressionType {
        switch kind {
        case .entity: ExpressionType(.entity(entity), isOptional: isOptional)
        case .collection(let shape, let element):
            ExpressionType(.collection(shape, of: element.naming(entity)), isOptional: isOptional)
        default: self
        }
    }
}

extension Relationship {
    /// nil where the type is not an object, nor a list or set of objects.
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
