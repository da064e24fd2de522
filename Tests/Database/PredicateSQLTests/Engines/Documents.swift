// JSON columns in the schemas of the random predicates: a column of documents in every table, and attributes inside it.
// The documents have generators of their own, so that everything else is the same as without them.

import Foundation
import PredicateRecords
import PredicateSQL
import PredicateTestSupport

enum Documents {
    static let column = "meta 'data\""
    static let key = "meta"

    /// The key of a document, or of the object `deep` in it, for each attribute.
    private static let attributes: [(name: String, path: String, type: ExpressionType.Kind)] = [
        ("theme", "$.theme", .string), ("note", "$.deep.\"two words\"", .string), ("first", "$.tags[0]", .string),
        ("size", "$.size", .integer), ("count", "$.deep.count", .integer), ("ratio", "$.ratio", .double),
        ("weight", "$.deep.weight", .double), ("on", "$.on", .boolean), ("tags", "$.tags", .list(of: .string)),
        ("sizes", "$.sizes", .list(of: .integer)), ("ratios", "$.ratios", .list(of: .double)),
        ("flags", "$.deep.flags", .list(of: .boolean)),
    ]

    /// The entity with the attributes, unless it inherits them.
    static func adding(to entity: PredicateSchema.Entity) -> PredicateSchema.Entity {
        guard entity.parent == nil else { return entity }
        var entity = entity
        entity.attributes += attributes.map { name, path, type in
            PredicateSchema.Attribute(key + "." + name, type, isOptional: true, column: column).with { $0.json = path }
        }
        return entity
    }

    // MARK: Values

    // Without a number such as 1e2, which PostgreSQL's jsonb has as the integer 100.
    private static let others = [
        "null", "true", "\"5\"", "5", "5.0", "15e-1", "-0", "-0.0", "0.1", "123456789012345678901234567890",
        "9223372036854775808", "[]", "{}", "[1]", "{\"count\": 3}", "\"\"",
    ]

    /// A document; nil for an empty column.
    static func random(_ engine: Engine, _ random: inout SplitMix) -> PredicateValue {
        if random.chance(10) { return .null }
        if random.chance(5) { return .string(random.pick(["null", "[]", "\"theme\"", "5"])) }
        var values: [String: String] = [:]
        for (_, path, type) in attributes where path != "$.tags[0]" {
            if random.chance(25) { continue }
            let element = if case .collection(_, let element) = type { SQLType(element.kind) } else { SQLType(type) }
            values[path] =
                random.chance(15)
                ? random.pick(others) : text(element ?? .text, isList: SQLType(type) == nil, engine, &random)
        }
        func object(_ prefix: String) -> [String] {
            values.keys.sorted().filter { $0.hasPrefix(prefix) && !$0.dropFirst(prefix.count).contains(".") }.map {
                let key = $0.dropFirst(prefix.count)
                return "\(key.hasPrefix("\"") ? String(key) : "\"\(key)\""): \(values[$0] ?? "")"
            }
        }
        let deep = "\"deep\": {" + object("$.deep.").joined(separator: ", ") + "}"
        let members = object("$.") + (random.chance(85) ? [deep] : [])
        return .string("{" + members.joined(separator: ", ") + "}")
    }

    private static func text(_ type: SQLType, isList: Bool, _ engine: Engine, _ random: inout SplitMix) -> String {
        guard isList else { return json(engine.storable(Pools.value(type, &random))) }
        var elements: [String] = []
        for _ in 0..<random.pick([0, 1, 1, 2, 3]) {
            elements.append(random.chance(15) ? random.pick(others) : text(type, isList: false, engine, &random))
        }
        return "[" + elements.joined(separator: ", ") + "]"
    }

    private static func json(_ value: PredicateValue) -> String {
        switch value {
        case .string(let text):
            (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
        case .double(let number): number.isFinite ? "\(number)" : "null"
        case .bool(let flag): "\(flag)"
        default: WireValue.text(value) ?? "null"
        }
    }

    // MARK: Reading

    /// The values of the attributes, by the ends of their names.
    static func members(of document: PredicateValue) -> PredicateValue {
        let found = if case .string(let text) = document { try? JSON.parse(text) } else { nil as PredicateValue? }
        return .dictionary(
            ValueDictionary(
                attributes.map { name, path, type in
                    (name, JSONPath(path).flatMap { found?.value(at: $0, as: type) } ?? .null)
                }))
    }

    /// A value of the type in the document of a row.
    static func someValue(
        _ type: SQLType, in row: [PredicateValue], of table: DataSet.Table, _ random: inout SplitMix
    ) -> PredicateValue? {
        guard let position = table.position(column), case .dictionary(let members) = members(of: row[position]) else {
            return nil
        }
        let found = members[random.pick(attributes).name] ?? .null
        let element = if case .array(let elements) = found { elements.first ?? .null } else { found }
        return SQLType(element) == type ? element : nil
    }
}

extension NamedSchema {
    /// The same schemas with JSON columns.
    static func allWithDocuments() throws -> [NamedSchema] {
        try all().map { named in
            NamedSchema(
                name: named.name + " with documents",
                schema: try PredicateSchema(named.schema.entities.map(Documents.adding)))
        }
    }
}
