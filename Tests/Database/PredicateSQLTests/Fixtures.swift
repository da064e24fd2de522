// The schema for the SQL tests: people, their bosses and their orders.

import PredicateSQL
import PredicateTestSupport

extension SQLDialect {
    /// The dialects for tests that compile a lot for each dialect. A quick run uses only two, which differ in most
    /// capabilities.
    static let tested: [SQLDialect] = TestDepth.isQuick ? [.sqlite, .postgreSQL] : all
}

enum Fixtures {
    static func schema() throws -> PredicateSchema {
        try PredicateSchema([
            .init(
                "Person", table: "person", primaryKey: ["id"],
                attributes: [
                    .init("name", .string), .init("nick", .string, isOptional: true),
                    .init("age", .integer, isOptional: true, column: "age_years"), .init("rank", .integer),
                    .init("height", .double, isOptional: true), .init("weight", .double), .init("active", .boolean),
                    .init("vip", .boolean, isOptional: true), .init("born", .date, isOptional: true),
                    .init("photo", .data, isOptional: true), .init("token", .uuid, isOptional: true),
                    .init("debt", .decimal, isOptional: true).with { $0.scale = 10 },
                    .init("extra", .any, isOptional: true), .init("tags", .list(of: .string), isOptional: true),
                    .init("marks", .list(of: .integer)),
                ],
                relationships: [
                    .init("boss", to: "Person", link: .column("boss_id")),
                    .init("orders", toMany: "Order", link: .foreignKey("person_id")),
                    PredicateSchema.Relationship(
                        "friends", toMany: "Person", link: .join(table: "friendship", from: "a", to: "b")),
                ]),
            .init(
                "Order", table: "orders", primaryKey: ["id"],
                attributes: [
                    .init("total", .integer, isOptional: true), .init("note", .string, isOptional: true),
                    .init("weight", .double, isOptional: true), .init("labels", .list(of: .string)),
                ],
                relationships: [
                    .init("owner", to: "Person", link: .column("person_id")),
                    .init("items", toMany: "Item", link: .foreignKey("order_id")),
                ]),
            .init(
                "Item", table: "item", primaryKey: ["id"],
                attributes: [.init("title", .string, isOptional: true), .init("count", .integer)]),
        ])
    }
}
