// Data in plain Swift with a schema, and changes of both. It is the reference for migrations: it computes the expected
// rows of a database without the package.
import Foundation
import PredicateStores
import PredicateTestSupport
import Testing

struct MigrationWorld {
    enum Kind: CaseIterable {
        case boolean, integer, double, decimal, cents, string, date, milliseconds, uuid

        var type: ExpressionType.Kind {
            switch self {
            case .boolean: .boolean
            case .integer: .integer
            case .double: .double
            case .decimal, .cents: .decimal
            case .string: .string
            case .date, .milliseconds: .date
            case .uuid: .uuid
            }
        }

        /// A value of this kind, as the database stores it.
        func value(_ random: inout SplitMix) -> PredicateValue {
            let number = Int64(random.below(200)) - 100
            switch self {
            case .boolean: return .integer(number & 1)
            case .integer, .cents, .milliseconds: return .integer(number)
            case .double, .date: return .double(Double(number) / 4)
            case .decimal: return .string("\(number).5")
            case .string: return .string(random.pick(["", "a", "É'", "日本", "-1"]) + "\(number)")
            case .uuid:
                return .string(
                    UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, UInt8(number + 100))).uuidString)
            }
        }

        /// The kinds that contain all values of this kind, with the function that converts a value.
        var wider: [(Kind, (PredicateValue) -> PredicateValue)] {
            func integer(_ value: PredicateValue) -> Int64 {
                if case .integer(let number) = value { number } else { 0 }
            }
            switch self {
            case .boolean: return [(.integer, { $0 })]
            case .integer:
                return [
                    (.double, { .double(Double(integer($0))) }), (.decimal, { .string("\(integer($0))") }),
                    (.cents, { .integer(integer($0) * 100) }),
                ]
            case .date:
                return [
                    (
                        .milliseconds,
                        {
                            if case .double(let seconds) = $0 {
                                .integer(Int64((seconds + 978_307_200) * 1000))
                            } else {
                                $0
                            }
                        }
                    )
                ]
            default: return []
            }
        }
    }

    struct Attribute {
        var name: String
        var kind: Kind
        var isOptional: Bool
        var formerly: String?
        /// The initial value, as the database stores it.
        var initial: PredicateValue?
    }

    enum Link { case column, foreignKey, join }

    struct Relationship {
        var name: String
        var target: String
        var link: Link
        var formerly: String?
    }

    struct Entity {
        var name: String
        var attributes: [Attribute]
        var relationships: [Relationship] = []
        var formerly: String?
        /// The values by primary key.
        var rows: [Int64: [String: PredicateValue]] = [:]
        /// The keys of related objects, by relationship and key.
        var links: [String: [Int64: Set<Int64>]] = [:]
    }

    var entities: [Entity] = []
    var mapping = MigrationMapping()

    // MARK: Making

    init(_ random: inout SplitMix) throws {
        entities = ["A", "B", "S", "M", "N"].map { Self.entity($0, &random) }
        func owned(_ index: Int, _ name: String, _ link: Link, isAmbiguous: Bool) {
            entities[index].relationships.append(Relationship(name: name, target: "B", link: link))
            let targets = entities[1].rows.keys.sorted()
            var free = targets.shuffled(using: &random)
            for key in entities[index].rows.keys.sorted() where !targets.isEmpty {
                let count = link == .column ? random.below(2) : isAmbiguous ? random.below(4) : random.below(2)
                var found: Set<Int64> = []
                for _ in 0..<count {
                    // If each object has only one owner, every kind of link can store the relationship.
                    if isAmbiguous, link != .foreignKey {
                        found.insert(random.pick(targets))
                    } else if let one = free.popLast() {
                        found.insert(one)
                    }
                }
                entities[index].links[name, default: [:]][key] = found
            }
        }
        owned(0, "one", .column, isAmbiguous: random.chance(50))
        owned(0, "owned", .foreignKey, isAmbiguous: random.chance(50))
        owned(0, "paired", .join, isAmbiguous: random.chance(50))
        owned(2, "ref", .column, isAmbiguous: true)
    }

    private static func entity(_ name: String, _ random: inout SplitMix) -> Entity {
        var attributes = [Attribute(name: "n", kind: .integer, isOptional: true)]
        for index in 0..<random.below(5) {
            attributes.append(
                Attribute(name: "k\(index)", kind: random.pick(Kind.allCases), isOptional: random.chance(50)))
        }
        var entity = Entity(name: name, attributes: attributes)
        for _ in 0..<random.below(10) {
            entity.rows[Int64(random.below(1000)) + 1] = Dictionary(
                uniqueKeysWithValues: attributes.map {
                    ($0.name, $0.isOptional && random.chance(30) ? .null : $0.kind.value(&random))
                })
        }
        return entity
    }

    // MARK: Schema

    func schema(version: String) throws -> PredicateSchema {
        try PredicateSchema(
            entities.map { entity in
                var made = PredicateSchema.Entity(entity.name, table: "t" + entity.name, primaryKey: ["id"])
                made.formerly = entity.formerly
                made.attributes = [PredicateSchema.Attribute("id", .integer)] + entity.attributes.map(Self.attribute)
                made.relationships = entity.relationships.map { Self.relationship($0, of: entity.name) }
                return made
            }, version: version)
    }

    private static func attribute(_ attribute: Attribute) -> PredicateSchema.Attribute {
        var made = PredicateSchema.Attribute(attribute.name, attribute.kind.type, isOptional: attribute.isOptional)
        made.formerly = attribute.formerly
        if attribute.kind == .cents { made.scale = 2 }
        if attribute.kind == .milliseconds { made.dateStorage = .milliseconds }
        made.defaultValue = attribute.initial.map { value in
            switch (attribute.kind, value) {
            case (.boolean, .integer(let number)): .bool(number == 1)
            case (.cents, .integer(let number)): .decimal(DecimalNumber(coefficient: number, exponent: -2))
            case (.decimal, .string(let text)): .decimal(DecimalNumber(text) ?? DecimalNumber(0))
            case (.date, .double(let seconds)): .date(seconds)
            case (.milliseconds, .integer(let number)): .date(Double(number) / 1000 - 978_307_200)
            case (.uuid, .string(let text)): UniversalID(text).map { .uuid($0) } ?? .null
            default: value
            }
        }
        return made
    }

    private static func relationship(_ one: Relationship, of entity: String) -> PredicateSchema.Relationship {
        var made =
            switch one.link {
            case .column: PredicateSchema.Relationship(one.name, to: one.target, link: .column(one.name + "_id"))
            case .foreignKey:
                PredicateSchema.Relationship(one.name, toMany: one.target, link: .foreignKey("\(entity)_\(one.name)"))
            case .join:
                PredicateSchema.Relationship(
                    one.name, toMany: one.target, link: .join(table: "j\(entity)_\(one.name)", from: "own", to: "other")
                )
            }
        made.formerly = one.formerly
        return made
    }

    // MARK: Database

    /// Every expected table of the database: each row as its values by column.
    var tables: [String: Set<[String: PredicateValue]>] {
        var tables: [String: [[String: PredicateValue]]] = [:]
        var owners: [String: [Int64: [String: PredicateValue]]] = [:]
        for entity in entities {
            for one in entity.relationships where one.link == .foreignKey {
                for key in entities.first(where: { $0.name == one.target })?.rows.keys.sorted() ?? [] {
                    let owner = entity.links[one.name]?.first { $0.value.contains(key) }?.key
                    owners[one.target, default: [:]][key, default: [:]]["\(entity.name)_\(one.name)"] =
                        owner.map { .integer($0) } ?? .null
                }
            }
        }
        for entity in entities {
            tables["t" + entity.name] = entity.rows.map { key, values in
                var row = values.merging(["id": .integer(key)]) { $1 }
                for one in entity.relationships where one.link == .column {
                    row[one.name + "_id"] = entity.links[one.name]?[key]?.first.map { .integer($0) } ?? .null
                }
                return row.merging(owners[entity.name]?[key] ?? [:]) { $1 }
            }
            for one in entity.relationships where one.link == .join {
                tables["j\(entity.name)_\(one.name)"] = (entity.links[one.name] ?? [:]).flatMap { key, others in
                    others.map { ["own": .integer(key), "other": .integer($0)] }
                }
            }
        }
        return tables.mapValues { Set($0) }
    }

    /// Inserts the rows by SQL.
    func fill(_ store: SQLiteStore) throws {
        for (table, rows) in tables.sorted(by: { $0.key < $1.key }) {
            for row in rows {
                let columns = row.keys.sorted()
                _ = try store.rows(
                    "INSERT INTO \"\(table)\" (\(columns.map { "\"\($0)\"" }.joined(separator: ", "))) VALUES "
                        + "(\(columns.map { _ in "?" }.joined(separator: ", ")))", columns.map { row[$0] ?? .null })
            }
        }
    }

    /// The actual tables of a database, read with SQL.
    static func tables(in store: SQLiteStore) throws -> [String: Set<[String: PredicateValue]>] {
        var tables: [String: Set<[String: PredicateValue]>] = [:]
        for name in try store.rows("SELECT name FROM sqlite_master WHERE type = 'table'").compactMap(\.[0].stringValue)
        where name != PredicateSchema.versionTable {
            let columns = try store.rows("SELECT name FROM pragma_table_info(?)", [.string(name)]).compactMap(
                \.[0].stringValue)
            let rows = try store.rows("SELECT * FROM \"\(name)\"").map { row in
                Dictionary(uniqueKeysWithValues: zip(columns, row))
            }
            #expect(Set(rows).count == rows.count, "\(name) has a row twice")
            tables[name] = Set(rows)
        }
        return tables
    }
}
