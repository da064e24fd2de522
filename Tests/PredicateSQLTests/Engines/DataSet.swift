// A small database with hostile data, told twice: as tables for an engine, and as objects for the evaluator.

import PredicateModel
import PredicateSQL
import PredicateSyntax

struct DataSet: Sendable {
    struct Column: Sendable {
        let name: String
        let type: SQLType
        let isOptional: Bool
        /// The entity whose key it holds.
        var target: String?
        /// Of integers.
        var range: ClosedRange<Int64>?
    }

    struct Table: Sendable {
        let name: String
        let key: String?
        let columns: [Column]
        var rows: [[Value]]

        func position(_ column: String) -> Int? { columns.firstIndex { $0.name == column } }
    }

    let named: NamedSchema
    /// Those of the entities in the schema's order, then those of pairs.
    var tables: [Table]

    var schema: Schema { named.schema }

    func table(_ name: String) -> Table? { tables.first { $0.name == name } }

    /// No rows yet.
    init(_ named: NamedSchema) {
        self.named = named
        tables = named.schema.entities.map { Self.table($0, named.schema) }
        for entity in named.schema.entities {
            for relationship in entity.relationships {
                guard case .join(let name, let from, let to)? = relationship.link, table(name) == nil else { continue }
                let columns = [
                    Column(name: from, type: .integer, isOptional: false, target: entity.name),
                    Column(name: to, type: .integer, isOptional: false, target: relationship.target),
                ]
                tables.append(Table(name: name, key: nil, columns: columns, rows: []))
            }
        }
    }

    private static func table(_ entity: Entity, _ schema: Schema) -> Table {
        let key = entity.primaryKey[0]
        var columns = [Column(name: key, type: .integer, isOptional: false)]
        func add(_ column: Column) {
            if !columns.contains(where: { $0.name == column.name }) { columns.append(column) }
        }
        for attribute in entity.attributes {
            add(
                Column(
                    name: attribute.column, type: attribute.sqlType ?? .text, isOptional: attribute.isOptional,
                    range: attribute.range))
        }
        for relationship in entity.relationships {
            guard case .column(let name)? = relationship.link else { continue }
            add(
                Column(
                    name: name, type: .integer, isOptional: relationship.isOptional, target: relationship.target))
        }
        for other in schema.entities {
            for relationship in other.relationships where relationship.target == entity.name {
                guard case .foreignKey(let name)? = relationship.link else { continue }
                add(Column(name: name, type: .integer, isOptional: true, target: other.name))
            }
        }
        return Table(name: entity.table, key: key, columns: columns, rows: [])
    }

    // MARK: Random rows

    /// Up to eight rows an entity; a quarter of what is optional is nil; `engine` says what cannot be stored.
    init(_ named: NamedSchema, storing engine: Engine, _ random: inout Seeded) {
        self.init(named)
        let schema = named.schema
        var counts: [String: Int] = [:]
        for entity in schema.entities { counts[entity.name] = random.chance(8) ? 0 : 2 + Int(random.next() % 7) }
        // Where nobody is, nobody can be required.
        for _ in schema.entities {
            for table in tables {
                let isStarved = table.columns.contains { !$0.isOptional && $0.target.map { counts[$0] == 0 } ?? false }
                guard isStarved, let entity = schema.entities.first(where: { $0.table == table.name }) else { continue }
                counts[entity.name] = 0
            }
        }
        for index in tables.indices {
            let entity = schema.entities.first { $0.table == tables[index].name }
            let count = entity.flatMap { counts[$0.name] } ?? Int(random.next() % 12)
            for number in 0..<count {
                let row = Self.row(tables[index], number, counts, engine, &random)
                if let row { tables[index].rows.append(row) }
            }
        }
    }

    private static func row(
        _ table: Table, _ number: Int, _ counts: [String: Int], _ engine: Engine, _ random: inout Seeded
    ) -> [Value]? {
        var row: [Value] = []
        for column in table.columns {
            if column.name == table.key {
                row.append(.integer(Int64(number)))
            } else if column.isOptional, random.chance(25) {
                row.append(.null)
            } else if let target = column.target {
                let count = counts[target] ?? 0
                if count == 0, !column.isOptional { return nil }
                row.append(count == 0 ? .null : .integer(Int64(random.next() % UInt64(count))))
            } else {
                let value = column.range.map { Value.integer(Int64.random(in: $0, using: &random)) }
                row.append(engine.storable(value ?? Pools.value(column.type, &random)))
            }
        }
        return row
    }

    /// A value of a type that some row holds.
    func someValue(_ type: SQLType, _ random: inout Seeded) -> Value? {
        let table = random.pick(tables)
        let positions = table.columns.indices.filter {
            table.columns[$0].type == type && table.columns[$0].target == nil
        }
        guard !positions.isEmpty, !table.rows.isEmpty else { return nil }
        let value = random.pick(table.rows)[random.pick(positions)]
        return value.isNil ? nil : value
    }
}

/// The rows by their keys, for objects that read on from one another.
final class ObjectGraph {
    let schema: Schema
    private var rows: [String: [Int64: [Value]]] = [:]
    private let tables: [String: DataSet.Table]

    init(_ data: DataSet) {
        schema = data.schema
        tables = Dictionary(uniqueKeysWithValues: data.tables.map { ($0.name, $0) })
        for table in data.tables where table.key != nil {
            rows[table.name] = Dictionary(
                table.rows.map { (Self.key($0[0]) ?? -1, $0) }, uniquingKeysWith: { first, _ in first })
        }
    }

    private static func key(_ value: Value) -> Int64? {
        if case .integer(let key) = value { key } else { nil }
    }

    func object(_ entity: String, _ key: Int64) -> Value {
        .object(ObjectReference(RowObject(graph: self, entity: entity, key: key)))
    }

    func keys(of entity: String) -> [Int64] {
        guard let name = schema.entity(entity)?.table, let table = tables[name] else { return [] }
        return table.rows.compactMap { Self.key($0[0]) }
    }

    func objects(of entity: String) -> [(key: Int64, object: Value)] {
        keys(of: entity).map { ($0, object(entity, $0)) }
    }

    private func value(_ column: String, _ entity: String, _ key: Int64) -> Value {
        guard let name = schema.entity(entity)?.table, let position = tables[name]?.position(column) else {
            return .null
        }
        return rows[name]?[key]?[position] ?? .null
    }

    func read(_ name: String, of entity: String, _ key: Int64) -> Value? {
        switch schema.key(name, of: entity) {
        case nil: return nil
        case .attribute(let attribute): return value(attribute.column, entity, key)
        case .relationship(let relationship):
            let target = relationship.target
            switch relationship.link {
            case nil: return .null
            case .column(let column):
                return Self.key(value(column, entity, key)).map { object(target, $0) } ?? .null
            case .foreignKey(let column):
                let table = schema.entity(target).flatMap { tables[$0.table] }
                let owned = table?.rows.filter { $0[table?.position(column) ?? 0] == .integer(key) } ?? []
                return .array(owned.compactMap { Self.key($0[0]) }.map { object(target, $0) })
            case .join(let pairs, let from, let to):
                let table = tables[pairs]
                let mine = table?.rows.filter { $0[table?.position(from) ?? 0] == .integer(key) } ?? []
                let found = mine.compactMap { Self.key($0[table?.position(to) ?? 1]) }
                return .array(found.map { object(target, $0) })
            }
        }
    }
}

private struct RowObject: KeyedObject {
    let graph: ObjectGraph
    let entity: String
    let key: Int64

    func value(forKey name: String) -> Value? { graph.read(name, of: entity, key) }
    func isEqual(to other: any KeyedObject) -> Bool {
        guard let other = other as? RowObject else { return false }
        return entity == other.entity && key == other.key
    }
    var publishedKeys: [String] { graph.schema.keys(of: entity) }
    var typeName: String { entity }
}

extension Attribute {
    /// nil where SQL does not know what is inside.
    var sqlType: SQLType? {
        switch type {
        case .boolean: .boolean
        case .integer: .integer
        case .double: .double
        case .decimal: .decimal
        case .string: .text
        case .date: .date
        case .data: .data
        case .uuid: .uuid
        case .url: .url
        case .any, .list, .set, .dictionary: nil
        }
    }
}
