// The schema for the SQL tests: people, their bosses and their orders.

import PredicateModel
import PredicateSQL
import PredicateSyntax
import PredicateTestSupport

extension Dialect {
    /// The dialects for tests that compile much for each: in a quick run only two, which differ in most
    /// capabilities.
    static let tested: [Dialect] = TestDepth.isQuick ? [.sqlite, .postgreSQL] : all
}

enum Fixtures {
    static func schema() throws -> Schema {
        try Schema([
            Entity(
                "Person", table: "person", primaryKey: ["id"],
                attributes: [
                    Attribute("name", .string), Attribute("nick", .string, isOptional: true),
                    Attribute("age", .integer, isOptional: true, column: "age_years"), Attribute("rank", .integer),
                    Attribute("height", .double, isOptional: true), Attribute("weight", .double),
                    Attribute("active", .boolean), Attribute("vip", .boolean, isOptional: true),
                    Attribute("born", .date, isOptional: true), Attribute("photo", .data, isOptional: true),
                    Attribute("token", .uuid, isOptional: true),
                    Attribute("debt", .decimal, isOptional: true).with { $0.scale = 10 },
                    Attribute("extra", .any, isOptional: true),
                    Attribute("tags", .list(of: .string), isOptional: true), Attribute("marks", .list(of: .integer)),
                ],
                relationships: [
                    Relationship("boss", to: "Person", link: .column("boss_id")),
                    Relationship("orders", toMany: "Order", link: .foreignKey("person_id")),
                    Relationship("friends", toMany: "Person", link: .join(table: "friendship", from: "a", to: "b")),
                ]),
            Entity(
                "Order", table: "orders", primaryKey: ["id"],
                attributes: [
                    Attribute("total", .integer, isOptional: true), Attribute("note", .string, isOptional: true),
                    Attribute("weight", .double, isOptional: true), Attribute("labels", .list(of: .string)),
                ],
                relationships: [
                    Relationship("owner", to: "Person", link: .column("person_id")),
                    Relationship("items", toMany: "Item", link: .foreignKey("order_id")),
                ]),
            Entity(
                "Item", table: "item", primaryKey: ["id"],
                attributes: [Attribute("title", .string, isOptional: true), Attribute("count", .integer)]),
        ])
    }
}
