// Describes how objects of a new version are made from objects of an old one, where names and types are not enough.
import PredicateRecords

/// Describes how the objects of entities are made from those of the previous version.
///
///     var mapping = MigrationMapping()
///     mapping.add("Item", from: "Item", values: ["isUrgent": .predicate(try FormatPredicate("name BEGINSWITH 'a'"))])
///
/// An entity without a mapping is made from the old entity with its name, or with its former name (`formerly`). Keys
/// without a mapped value are filled in the same way. An entity may be made from several entities, and one entity may
/// become several.
///
/// A value is computed on the old object. The value of a relationship is an old object, a list of old objects, or
/// primary keys of the new version. An old object represents the new object with the same primary key.
public struct MigrationMapping: Sendable {
    /// How the value of a key is computed.
    public enum Value: Sendable {
        /// An expression over the old object: `firstName`, `employer.title`, `price * 100`.
        case expression(FormatExpression)
        /// A Boolean: whether the old object matches the predicate.
        case predicate(FormatPredicate)
    }

    /// Makes new objects from an old one: none, one or several. `values` has the keys that the mapping fills.
    ///
    /// An error that it throws prevents the migration.
    public typealias Policy =
        @Sendable (_ old: StoredObject, _ values: [String: PredicateValue]) throws -> [[String: PredicateValue]]

    struct Source: Sendable {
        let entity: String
        let predicate: FormatPredicate
        let values: [String: Value]
        let policy: Policy?
    }

    private(set) var sources: [String: [Source]] = [:]

    /// An empty mapping: objects are made by names and types alone.
    public init() {}

    /// Adds a source for an entity's objects.
    ///
    ///     var mapping = MigrationMapping()
    ///     mapping.add("Address", from: "Person", where: try FormatPredicate("street != nil"), values: [:])
    ///
    /// - Parameters:
    ///   - entity: an entity of the new version.
    ///   - source: an entity of the old version. Its objects include those of entities that inherit from it.
    ///   - predicate: selects the old objects.
    ///   - values: the keys whose values are computed.
    ///   - policy: makes the objects from the old one and its values; nil makes one object with the values.
    public mutating func add(
        _ entity: String, from source: String, where predicate: FormatPredicate = .constant(true),
        values: [String: Value] = [:], policy: Policy? = nil
    ) {
        sources[entity, default: []].append(
            Source(entity: source, predicate: predicate, values: values, policy: policy))
    }

    /// Parses a mapping file, given as parsed JSON.
    ///
    /// ```json
    /// { "entities": {
    ///     "Item": { "from": "Task", "where": "deleted == NO",
    ///               "values": { "title": "name", "isUrgent": "name BEGINSWITH 'a'" } },
    ///     "Contact": [ { "from": "Person" }, { "from": "Company", "values": { "name": "title" } } ] } }
    /// ```
    ///
    /// - Throws: `SchemaError` with all errors and their paths.
    public init(value: PredicateValue) throws(SchemaError) {
        var reader = MappingReader()
        sources = reader.file(value)
        if !reader.problems.isEmpty { throw SchemaError(reader.problems) }
    }
}

private struct MappingReader: FieldReading {
    var problems: [SchemaError.Problem] = []

    mutating func file(_ value: PredicateValue) -> [String: [MigrationMapping.Source]] {
        guard let file = object(value, at: "", ["entities"]) else { return [:] }
        if file["entities"] == nil { report("", "the mapping has no \"entities\"") }
        var found: [String: [MigrationMapping.Source]] = [:]
        for (name, value) in members(file["entities"], at: "entities") {
            let path = "entities." + name
            if case .array(let values) = value {
                for value in values { found[name, default: []] += source(value, path) }
            } else {
                found[name] = source(value, path)
            }
        }
        return found
    }

    private mutating func source(_ value: PredicateValue, _ path: String) -> [MigrationMapping.Source] {
        guard let fields = object(value, at: path, ["from", "where", "values"], or: "an object or a list of objects")
        else { return [] }
        guard let entity = text(fields, "from", path) else {
            if fields["from"] == nil { report(path, "the mapping has no \"from\"") }
            return []
        }
        var predicate = FormatPredicate.constant(true)
        if let text = text(fields, "where", path),
            let found = read(
                path + ".where",
                { () throws(PredicateFailure) in
                    try FormatPredicate(text: text)
                })
        {
            predicate = found
        }
        var values: [String: MigrationMapping.Value] = [:]
        for (key, value) in members(fields["values"], at: path + ".values") {
            let place = "\(path).values.\(key)"
            guard case .string(let text) = value else {
                report(place, "expected an expression as text, not \(value.typeDescription)")
                continue
            }
            // A value may also be a predicate: whether the old object matches it.
            if let predicate = try? FormatPredicate(text: text) {
                values[key] = .predicate(predicate)
            } else {
                values[key] = read(place) { () throws(PredicateFailure) in
                    .expression(try FormatExpression(FormatExpression.parse(text, arguments: .none)))
                }
            }
        }
        return [MigrationMapping.Source(entity: entity, predicate: predicate, values: values, policy: nil)]
    }

    private mutating func read<Found>(_ path: String, _ body: () throws(PredicateFailure) -> Found) -> Found? {
        do throws(PredicateFailure) {
            return try body()
        } catch {
            report(path, error.diagnostics.first { $0.severity == .error }?.message ?? "\(error)")
            return nil
        }
    }
}
