// A small database with hostile data, in two forms: tables for an engine, and objects for the evaluator.

import PredicateSQL
import PredicateTestSupport

struct DataSet: Sendable {
    struct Column: Sendable {
        let name: String
        let type: SQLType
        let isOptional: Bool
        /// Whether the column contains lists of its type.
        var isList = false
        /// Whether it contains JSON documents.
        var isDocument = false
        /// For dates that are not stored as doubles. A date is rounded to the nearest value of the column.
        var encoding: Encoding?
        /// The entity that the column refers to, if it is part of a foreign key.
        var target: String?
        var part = 0
        /// The number of the column's foreign key. Columns of one foreign key share it, and no other key of the
        /// table has it.
        var foreignKey = 0
        /// For integers and decimals.
        var range: ClosedRange<Int64>?
        /// For decimals that are stored as integers: the number of digits after the point.
        var scale = 10
        var isTimestamp: Bool { type == .timestamp || type == .timestampWithZone }
        /// For doubles.
        var allowsNaN = false
        /// The values that the column may contain, if there are only a few; otherwise empty.
        var choices: [PredicateValue] = []

        /// A random number of the range; a decimal has up to two places.
        func value(in range: ClosedRange<Int64>, _ random: inout some RandomNumberGenerator) -> PredicateValue {
            guard type == .decimal else { return .integer(Int64.random(in: range, using: &random)) }
            let quarters = Int64.random(in: range.lowerBound * 4...range.upperBound * 4, using: &random)
            return .decimal(DecimalNumber(coefficient: quarters * 25, exponent: -2))
        }
    }

    struct Table: Sendable {
        let name: String
        /// The columns that identify a row. They come first. Empty for join tables.
        let keys: [String]
        let columns: [Column]
        var rows: [[PredicateValue]]

        /// The key column, if there is only one.
        var key: String? { keys.count == 1 ? keys[0] : nil }

        func position(_ column: String) -> Int? { columns.firstIndex { $0.name == column } }

        func values(_ columns: [String], _ row: [PredicateValue]) -> [PredicateValue] {
            columns.map { row[position($0) ?? 0] }
        }

        /// The numbers of the keys that these columns contain, for each row.
        func numbers(_ columns: [String]) -> [Int64?] {
            let positions = columns.map { position($0) ?? 0 }
            return rows.map { row in KeyNumber.of(positions.map { row[$0] }) }
        }

        func number(_ row: [PredicateValue]) -> Int64? { KeyNumber.of(Array(row.prefix(keys.count))) }
    }

    let named: NamedSchema
    /// The tables of the entities in the schema's order, then the join tables.
    var tables: [Table]

    var schema: PredicateSchema { named.schema }

    func table(_ name: String) -> Table? { tables.first { $0.name == name } }

    /// A data set without rows.
    init(_ named: NamedSchema) {
        self.named = named
        tables = named.schema.entities.filter { $0.code == nil }.map { Self.table($0, named.schema) }
        for entity in named.schema.entities {
            for relationship in entity.relationships {
                guard case .join(let name, let from, let to)? = relationship.link, table(name) == nil else { continue }
                let columns =
                    Self.columns(from, to: entity.name, foreignKey: 1)
                    + Self.columns(to, to: relationship.target, foreignKey: 2)
                tables.append(Table(name: name, keys: [], columns: columns, rows: []))
            }
        }
    }

    private static func columns(
        _ names: [String], to target: String, foreignKey: Int, isOptional: Bool = false
    ) -> [Column] {
        names.enumerated().map { part, name in
            Column(
                name: name, type: .integer, isOptional: isOptional, target: target, part: part, foreignKey: foreignKey)
        }
    }

    private static func table(_ root: PredicateSchema.Entity, _ schema: PredicateSchema) -> Table {
        var columns = root.primaryKey.map { Column(name: $0, type: .integer, isOptional: false) }
        func add(_ column: Column) {
            if !columns.contains(where: { $0.name == column.name }) { columns.append(column) }
        }
        let entities = schema.entities.filter { schema.table(of: $0.name) == root.table }
        if let discriminator = root.discriminator {
            add(
                Column(
                    name: discriminator, type: .integer, isOptional: true,
                    choices: entities.compactMap(\.code) + [.integer(0)]))
        }
        var foreignKey = 0
        for entity in entities {
            for attribute in entity.attributes {
                if attribute.json != nil {
                    add(Column(name: attribute.column, type: .text, isOptional: true, isDocument: true))
                    continue
                }
                add(
                    Column(
                        name: attribute.column, type: attribute.storedType, isOptional: attribute.isOptional,
                        isList: attribute.elementType != nil,
                        encoding: attribute.type == .date ? Encoding(attribute) : nil,
                        range: attribute.range, scale: attribute.scale ?? 10, allowsNaN: attribute.allowsNaN,
                        choices: Affinities.choices(attribute, root.table)))
                for folded in attribute.folds.values.sorted() {
                    add(Column(name: folded, type: .text, isOptional: attribute.isOptional))
                }
            }
            for relationship in entity.relationships {
                guard case .column(let names)? = relationship.link else { continue }
                foreignKey += 1
                Self.columns(
                    names, to: relationship.target, foreignKey: foreignKey, isOptional: relationship.isOptional
                ).forEach(add)
            }
        }
        for other in schema.entities {
            for relationship in other.relationships where entities.contains(where: { $0.name == relationship.target }) {
                guard case .foreignKey(let names)? = relationship.link else { continue }
                foreignKey += 1
                Self.columns(names, to: other.name, foreignKey: foreignKey, isOptional: true).forEach(add)
            }
        }
        return Table(name: root.table, keys: root.primaryKey, columns: columns, rows: [])
    }

    /// Rows as texts, by table and then by column. A missing column is nil, or an empty list if it must be a
    /// list.
    init(_ named: NamedSchema, rows: [String: [[String: String]]], storing engine: Engine) throws {
        self.init(named)
        for (index, table) in tables.enumerated() {
            for row in rows[table.name] ?? [] {
                tables[index].rows.append(
                    try table.columns.map { column in
                        guard let value = WireValue.value(row[column.name], column) else {
                            throw EngineFailure("\(table.name).\(column.name) is no \(column.type)")
                        }
                        return engine.storable(value, in: column)
                    })
            }
        }
    }

    // MARK: Random rows

    /// Up to eight rows for each entity. A quarter of the optional values are nil, and a tenth of the foreign keys
    /// refer to no row. `engine` determines what can be stored.
    init(_ named: NamedSchema, storing engine: Engine, _ random: inout SplitMix) {
        self.init(named)
        let schema = named.schema
        var counts: [String: Int] = [:]
        for entity in schema.entities {
            counts[entity.name] = random.chance(8) ? 0 : 2 + Int(random.next() % 7)
            // Rows of a shared table belong to one of its entities only.
            if entity.code != nil { counts[entity.name] = entity.parent.flatMap { counts[$0] } }
        }
        // If a required relationship refers to an entity without rows, there can be no rows.
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
        _ table: Table, _ number: Int, _ counts: [String: Int], _ engine: Engine, _ random: inout SplitMix
    ) -> [PredicateValue]? {
        var row = table.keys.indices.map { KeyNumber.part($0, of: Int64(number), table.keys.count) }
        // The row that the foreign key refers to. A part of the key may be nil.
        var others: [Int: Int64] = [:]
        for column in table.columns.dropFirst(row.count) {
            if column.isDocument {
                // Does not draw from the generator of the other columns.
                var copy = random
                var own = SplitMix(state: copy.next() ^ 0x6A73_6F6E)
                row.append(Documents.random(engine, &own))
            } else if column.isOptional, random.chance(25) {
                row.append(engine.storable(.null, in: column))
            } else if !column.choices.isEmpty {
                row.append(random.pick(column.choices))
            } else if let target = column.target {
                let count = counts[target] ?? 0
                if count == 0, !column.isOptional { return nil }
                if count == 0 {
                    row.append(.null)
                } else {
                    let other =
                        others[column.foreignKey]
                        ?? {
                            let draw = random.next()
                            let isMissing = (draw >> 32) % 10 == 0
                            return Int64(draw % UInt64(count)) + (isMissing ? Int64(count) : 0)
                        }()
                    others[column.foreignKey] = other
                    let length = table.columns.count(where: { $0.foreignKey == column.foreignKey })
                    row.append(KeyNumber.part(column.part, of: other, length))
                }
            } else if column.isList {
                row.append(engine.storable(.array(elements(column.type, &random)), in: column))
            } else if column.allowsNaN, engine.storesNaN, random.chance(20) {
                row.append(.double(.nan))
            } else {
                let value = column.range.map { column.value(in: $0, &random) }
                row.append(engine.storable(value ?? Pools.value(column.type, &random), in: column))
            }
        }
        return row
    }

    /// An empty list or a few elements. Some are nil and some occur twice.
    private static func elements(_ type: SQLType, _ random: inout SplitMix) -> [PredicateValue] {
        var elements: [PredicateValue] = []
        for _ in 0..<random.pick([0, 1, 1, 2, 3, 4]) {
            let isCopy = !elements.isEmpty && random.chance(20)
            elements.append(isCopy ? random.pick(elements) : random.chance(20) ? .null : Pools.value(type, &random))
        }
        return elements
    }

    /// A value of a type that some row contains, in a column or in a list.
    func someValue(_ type: SQLType, _ random: inout SplitMix) -> PredicateValue? {
        let table = random.pick(tables)
        let positions = table.columns.indices.filter {
            let column = table.columns[$0]
            return (column.type == type || column.isTimestamp && type == .date) && column.target == nil
                && !column.isDocument
        }
        if table.columns.contains(where: \.isDocument), !table.rows.isEmpty,
            let value = Documents.someValue(type, in: random.pick(table.rows), of: table, &random)
        {
            return value
        }
        guard !positions.isEmpty, !table.rows.isEmpty else { return nil }
        var value = random.pick(table.rows)[random.pick(positions)]
        if case .array(let elements) = value { value = elements.isEmpty ? .null : random.pick(elements) }
        return value.isNil ? nil : value
    }
}

/// Converts a row's number to a key of one or two columns, and back. One of two columns alone does not identify the
/// row.
enum KeyNumber {
    static func part(_ part: Int, of number: Int64, _ length: Int) -> PredicateValue {
        .integer(length == 1 ? number : part == 0 ? number / 3 : number % 3)
    }

    /// The number of a key; nil if a part of the key is nil.
    static func of(_ values: [PredicateValue]) -> Int64? {
        values.reduce(0) { sum, value in
            guard let sum, case .integer(let part) = value else { return nil }
            return sum * 3 + part
        }
    }
}

/// The rows by their keys, for objects that refer to each other through relationships.
final class ObjectGraph {
    let schema: PredicateSchema
    private var rows: [String: [Int64: [PredicateValue]]] = [:]
    private let tables: [String: DataSet.Table]
    private let positions: [String: [String: Int]]
    /// A cache, because predicates read the same relationships many times. The keys are the entity or join table, and
    /// the columns.
    private var found: [[String]: [Int64: [Int64]]] = [:]
    private var documents: [String: PredicateValue] = [:]

    init(_ data: DataSet) {
        schema = data.schema
        positions = Dictionary(
            uniqueKeysWithValues: data.tables.map { table in
                (table.name, Dictionary(uniqueKeysWithValues: table.columns.enumerated().map { ($1.name, $0) }))
            })
        tables = Dictionary(uniqueKeysWithValues: data.tables.map { ($0.name, $0) })
        for table in data.tables where !table.keys.isEmpty {
            rows[table.name] = Dictionary(
                table.rows.map { (table.number($0) ?? -1, $0) }, uniquingKeysWith: { first, _ in first })
        }
    }

    func object(_ entity: String, _ key: Int64, isMissing: Bool = false) -> PredicateValue {
        .object(ObjectReference(confining: RowObject(graph: self, entity: entity, key: key, isMissing: isMissing)))
    }

    func keys(of entity: String) -> [Int64] {
        guard let table = tables[schema.table(of: entity)] else { return [] }
        return table.rows.filter { holds($0, entity, table) }.compactMap(table.number)
    }

    /// Whether a row belongs to the entity.
    private func holds(_ row: [PredicateValue], _ entity: String, _ table: DataSet.Table) -> Bool {
        guard let (column, codes) = schema.codes(of: entity), let position = table.position(column) else { return true }
        return codes.contains(row[position])
    }

    /// The objects of an entity whose columns contain the key of a row.
    private func objects(of entity: String, where columns: [String], hold key: Int64) -> [PredicateValue] {
        guard let table = tables[schema.table(of: entity)] else { return [] }
        let keys = group([entity] + columns) {
            zip(table.numbers(columns), table.rows).map { other, row in
                (other, holds(row, entity, table) ? table.number(row) : nil)
            }
        }
        return keys[key, default: []].map { object(entity, $0) }
    }

    /// Groups the second numbers by the first; leaves out pairs with nil.
    private func group(_ place: [String], _ pairs: () -> [(Int64?, Int64?)]) -> [Int64: [Int64]] {
        if let known = found[place] { return known }
        var groups: [Int64: [Int64]] = [:]
        for case (let first?, let second?) in pairs() { groups[first, default: []].append(second) }
        found[place] = groups
        return groups
    }

    func objects(of entity: String) -> [(key: Int64, object: PredicateValue)] {
        keys(of: entity).map { ($0, object(entity, $0)) }
    }

    private func value(_ column: String, _ entity: String, _ key: Int64) -> PredicateValue {
        let name = schema.table(of: entity)
        guard let position = positions[name]?[column] else { return .null }
        return rows[name]?[key]?[position] ?? .null
    }

    /// The attributes inside a JSON column, which are read as keys of a key.
    private func document(_ name: String, _ text: PredicateValue) -> PredicateValue? {
        guard name == Documents.key, !schema.documents.isEmpty else { return nil }
        if let known = documents[text.description] { return known }
        let members = Documents.members(of: text)
        documents[text.description] = members
        return members
    }

    /// The value of a key of the row that a foreign key names but that does not exist.
    func readMissing(_ name: String, of entity: String, _ key: Int64) -> PredicateValue? {
        guard let found = schema.key(name, of: entity) else { return document(name, .null) }
        guard let referenced = schema.referencedAttribute(of: entity) else { return .null }
        switch found {
        case .attribute(let attribute): return attribute == referenced ? .integer(key) : .null
        case .relationship(let relationship):
            return relationship.isToMany ? read(name, of: entity, key) : .null
        }
    }

    func read(_ name: String, of entity: String, _ key: Int64) -> PredicateValue? {
        switch schema.key(name, of: entity) {
        case nil: return document(name, value(Documents.column, entity, key))
        case .attribute(let attribute): return value(attribute.column, entity, key)
        case .relationship(let relationship):
            let target = relationship.target
            switch relationship.link {
            case nil: return .null
            case .column(let columns):
                guard let other = KeyNumber.of(columns.map { value($0, entity, key) }) else { return .null }
                return object(target, referredTo: other)
            case .foreignKey(let columns): return .array(objects(of: target, where: columns, hold: key))
            case .join(let pairs, let from, let to):
                guard let table = tables[pairs] else { return .null }
                let others = group([pairs] + from + to) { Array(zip(table.numbers(from), table.numbers(to))) }
                return .array(others[key, default: []].map { object(target, referredTo: $0) })
            }
        }
    }

    /// The object that a key refers to, even if the entity has no such row.
    private func object(_ entity: String, referredTo key: Int64) -> PredicateValue {
        objects(of: entity, where: schema.primaryKey(of: entity), hold: key).first
            ?? object(entity, key, isMissing: true)
    }
}

private final class RowObject: KeyedObject {
    let graph: ObjectGraph
    let entity: String
    let key: Int64
    let isMissing: Bool

    init(graph: ObjectGraph, entity: String, key: Int64, isMissing: Bool) {
        (self.graph, self.entity, self.key, self.isMissing) = (graph, entity, key, isMissing)
    }

    func value(forKey name: String) -> PredicateValue? {
        isMissing ? graph.readMissing(name, of: entity, key) : graph.read(name, of: entity, key)
    }
    func isEqual(to other: any KeyedObject) -> Bool {
        guard let other = other as? RowObject else { return false }
        return graph.schema.table(of: entity) == graph.schema.table(of: other.entity) && key == other.key
    }
    var publishedKeys: [String] { graph.schema.keys(of: entity) }
    var typeName: String { entity }
}

extension PredicateSchema.Attribute {
    /// The type of the attribute's column.
    var storedType: SQLType {
        switch dateStorage {
        case .timestamp: .timestamp
        case .timestampWithZone: .timestampWithZone
        case .seconds, .milliseconds, .microseconds: .integer
        case .julianDay: .double
        case .day, .text, .iso8601, .iso8601Milliseconds: .text
        case .referenceSeconds: sqlType ?? elementType ?? .text
        }
    }

    /// nil if SQL does not know the type.
    var sqlType: SQLType? { type.sqlType }

    /// The type of the elements of a list; nil if the attribute is not a list.
    var elementType: SQLType? {
        if case .collection(.list, let element) = type { element.kind.sqlType } else { nil }
    }
}

extension ExpressionType.Kind {
    fileprivate var sqlType: SQLType? {
        switch self {
        case .boolean: .boolean
        case .integer: .integer
        case .double: .double
        case .decimal: .decimal
        case .string: .text
        case .date: .date
        case .data: .data
        case .uuid: .uuid
        case .url: .url
        case .any, .null, .number, .entity, .collection: nil
        }
    }
}
