// Tests of keys with several columns, read from the foreign keys of a database or declared in Swift. Both kinds of
// store follow them.

import Foundation
import PredicateStores
import PredicateTestSupport
import Testing

@Suite struct CompositeKeyTests {
    private static let tables = [
        "CREATE TABLE tenant (id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
        // The foreign key lists its columns in another order than the primary key.
        """
        CREATE TABLE node (tenant_id INTEGER NOT NULL REFERENCES tenant, number INTEGER NOT NULL, name TEXT NOT NULL,
        parent_number INTEGER, PRIMARY KEY (tenant_id, number),
        FOREIGN KEY (parent_number, tenant_id) REFERENCES node (number, tenant_id))
        """,
        """
        CREATE TABLE mark (tenant_id INTEGER, node_number INTEGER, label_id INTEGER,
        FOREIGN KEY (tenant_id, node_number) REFERENCES node, FOREIGN KEY (tenant_id, label_id) REFERENCES label)
        """,
        "CREATE TABLE label (tenant_id INTEGER, id INTEGER, word TEXT NOT NULL, PRIMARY KEY (tenant_id, id))",
        "INSERT INTO tenant VALUES (1, 'one'), (2, 'two')",
        """
        INSERT INTO node VALUES (1, 1, 'root', NULL), (1, 2, 'leaf', 1), (2, 1, 'other root', NULL),
        (2, 2, 'other leaf', 1), (2, 3, 'other leaf', 2)
        """,
        "INSERT INTO label VALUES (1, 1, 'red'), (2, 1, 'blue')", "INSERT INTO mark VALUES (1, 2, 1), (2, 3, 1)",
    ]

    private static func store(schema: PredicateSchema? = nil) throws -> (SQLiteStore, String) {
        let path = NSTemporaryDirectory() + "composite-\(UInt64.random(in: 0 ... .max)).sqlite"
        let maker = try SQLiteStore(path: path, schema: try PredicateSchema([]), mode: .create)
        for statement in tables { _ = try maker.rows(statement) }
        return (try SQLiteStore(path: path, schema: schema, mode: .readWrite), path)
    }

    @Test func foreignKeysAreRead() throws {
        let (store, path) = try Self.store()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let node = try #require(store.schema.entity("node"))
        #expect(
            node.relationships == [
                PredicateSchema.Relationship(
                    "label", toMany: "label",
                    link: .join(table: "mark", from: ["tenant_id", "node_number"], to: ["tenant_id", "label_id"])),
                PredicateSchema.Relationship("tenant", to: "tenant", isOptional: false, link: .column("tenant_id")),
                PredicateSchema.Relationship("parent", to: "node", link: .column(["tenant_id", "parent_number"])),
                PredicateSchema.Relationship(
                    "node_parent", toMany: "node", link: .foreignKey(["tenant_id", "parent_number"])),
            ])
        #expect(try store.violations(sample: nil).isEmpty)
    }

    @Test(.cases) func predicatesFollowCompositeKeys() {
        let cases: [(String, [String])] = [
            ("parent.name == 'root'", ["leaf"]), ("parent == nil", ["other root", "root"]),
            ("ANY node_parent.name BEGINSWITH 'other'", ["other leaf", "other root"]),
            ("ANY label.word == 'blue'", ["other leaf"]), ("parent.parent != nil", ["other leaf"]),
            ("node_parent.@count == 0", ["leaf", "other leaf"]),
            // Partly evaluated in memory.
            ("parent.name MATCHES[l] '(r)oo(?=t).*' AND tenant.name == 'one'", ["leaf"]),
        ]
        forEachCase(cases) { text, names in
            let (store, path) = try Self.store()
            defer { try? FileManager.default.removeItem(atPath: path) }
            let request = StoreRequest("node", where: try FormatPredicate(text), sort: [PredicateSortKey("name")])
            #expect(try store.fetch(request).map { $0["name"] } == names.map(PredicateValue.string))
            let rows = try store.rows("SELECT tenant_id, number, name, parent_number FROM node")
            func key(_ tenant: PredicateValue, _ number: PredicateValue) -> PredicateValue { .array([tenant, number]) }
            let nodes = rows.map { row in
                let isMarked = row[1] == .integer(row[0] == .integer(1) ? 2 : 3)
                return ValueDictionary([
                    ("tenant_id", row[0]), ("number", row[1]), ("name", row[2]),
                    ("parent", row[3].isNil ? .null : key(row[0], row[3])),
                    ("label", .array(isMarked ? [key(row[0], .integer(1))] : [])),
                ])
            }
            let tenants = [(1, "one"), (2, "two")].map { id, name in
                ValueDictionary([("id", .integer(id)), ("name", .string(name))])
            }
            let labels = [(1, "red"), (2, "blue")].map { id, word in
                ValueDictionary([("tenant_id", .integer(id)), ("id", .integer(1)), ("word", .string(word))])
            }
            let memory = try InMemoryStore(store.schema, ["node": nodes, "tenant": tenants, "label": labels])
            #expect(try memory.fetch(request).map { $0["name"] } == names.map(PredicateValue.string))
        }
    }

    @Test func rowsAreChangedByCompositeKeys() throws {
        let (store, path) = try Self.store()
        defer { try? FileManager.default.removeItem(atPath: path) }
        // The predicate needs a join, so the store selects the keys first.
        let below = StoreRequest("node", where: try FormatPredicate("parent.name == 'other root'"))
        #expect(try store.update(below, set: [KeyAssignment("name", .string("moved"))]) == 1)
        let moved = StoreRequest("node", where: try FormatPredicate("name == 'moved'"))
        let key = PredicateValue.array([.integer(2), .integer(3)])
        #expect(try store.update(moved, set: [KeyAssignment("parent", key)]) == 1)
        #expect(try store.fetch(moved).first?.value(at: "parent.number") == .integer(3))
        #expect(throws: StoreFailure.self) { try store.update(moved, set: [KeyAssignment("parent", .integer(3))]) }
        let object = try #require(try store.fetch(moved).first)
        let reference = PredicateValue.object(ObjectReference(object))
        let same = StoreRequest(
            "node", where: try FormatPredicate("parent == %@ OR SELF == %@", arguments: [reference, reference]))
        #expect(try store.count(same) == 2)
        // An item still refers to the row.
        #expect(throws: StoreFailure.self) { try store.delete(moved) }
        let unbound = try SQLiteStore(path: path, mode: .readWrite, foreignKeys: .off)
        #expect(try unbound.delete(moved) == 1)
    }

    @Test func keyLengthsMustMatch() throws {
        let target = PredicateSchema.Entity("A", primaryKey: ["x", "y"])
        let error = #expect(throws: SchemaError.self) {
            try PredicateSchema([
                target,
                .init("B", primaryKey: ["id"], relationships: [.init("a", to: "A", link: .column("a"))]),
            ])
        }
        #expect(
            error?.description
                == "entities.B.relationships.a.column: the key has one column, but the primary key of A is (x, y)")
    }
}
