// The schema for the SQL tests: people, their bosses and their orders.

import PredicateModel
import PredicateSQL
import PredicateSyntax
import PredicateTestSupport

extension SQLDialect {
    /// The dialects for tests that compile a lot for each dialect. A quick run uses only two, which differ in most
    /// capabilities.
    static let tested: [SQLDialect] = TestDepth.isQuick ? [.sqlite, .postgreSQL] : all
}

enum Fixtures {
    static func schema() throws -> PredicateSchema {
        try PredicateSchema([
            PredicateSchema.Entity(
                "Person", table: "person", primaryKey: ["id"],
                attributes: [
                    PredicateSchema.Attribute("name", .string),
                    PredicateSchema.Attribute("nick", .string, isOptional: true),
                    PredicateSchema.Attribute("age", .integer, isOptional: true, column: "age_years"),
                    PredicateSchema.Attribute("rank", .integer),
                    PredicateSchema.Attribute("height", .double, isOptional: true),
                    PredicateSchema.Attribute("weight", .double),
                    PredicateSchema.Attribute("active", .boolean),
                    PredicateSchema.Attribute("vip", .boolean, isOptional: true),
                    PredicateSchema.Attribute("born", .date, isOptional: true),
                    PredicateSchema.Attribute("photo", .data, isOptional: true),
                    PredicateSchema.Attribute("token", .uuid, isOptional: true),
                    PredicateSchema.Attribute("debt", .decimal, isOptional: true).with { $0.scale = 10 },
                    PredicateSchema.Attribute("extra", .any, isOptional: true),
                    PredicateSchema.Attribute("tags", .list(of: .string), isOptional: true),
                    PredicateSchema.Attribute("marks", .list(of: .integer)),
                ],
                relationships: [
                    PredicateSchema.Relationship("boss", to: "Person", link: .column("boss_id")),
                    PredicateSchema.Relationship("orders", toMany: "Order", link: .foreignKey("person_id")),
                    PredicateSchema.Relationship(
                        "friends", toMany: "Person", link: .join(table: "friendship", from: "a", to: "b")),
                ]),
            PredicateSchema.Entity(
                "Order", table: "orders", primaryKey: ["id"],
                attributes: [
                    PredicateSchema.Attribute("total", .integer, isOptional: true),
                    PredicateSchema.Attribute("note", .string, isOptional: true),
                    PredicateSchema.Attribute("weight", .double, isOptional: true),
                    PredicateSchema.Attribute("labels", .list(of: .string)),
                ],
                relationships: [
                    PredicateSchema.Relationship("owner", to: "Person", link: .column("person_id")),
                    PredicateSchema.Relationship("items", toMany: "Item", link: .foreignKey("order_id")),
                ]),
            PredicateSchema.Entity(
                "Item", table: "item", primaryKey: ["id"],
                attributes: [
                    PredicateSchema.Attribute("title", .string, isOptional: true),
                    PredicateSchema.Attribute("count", .integer),
                ]),
        ])
    }
}
