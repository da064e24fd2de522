// The schemas of the random predicates: to-one and to-many relationships of every kind, attributes of every
// type, names that need quoting. A regression names one of the schemas.

import PredicateModel
import PredicateSyntax

struct NamedSchema: Sendable {
    let name: String
    let schema: Schema

    static func all() throws -> [NamedSchema] {
        [
            NamedSchema(name: "people", schema: try Fixtures.schema()), NamedSchema(name: "shop", schema: try shop()),
            NamedSchema(name: "nodes", schema: try nodes()), NamedSchema(name: "odd", schema: try odd()),
            NamedSchema(name: "sites", schema: try sites()),
            NamedSchema(name: "affinities", schema: try Affinities.schema()),
        ]
    }

    /// Attributes are required unless the test needs an optional one. It has a required to-one relationship and
    /// a join table.
    private static func shop() throws -> Schema {
        try Schema([
            Entity(
                "Sale", table: "sale", primaryKey: ["id"],
                attributes: [
                    Attribute("code", .string), Attribute("amount", .integer).with { $0.range = -1000...1000 },
                    Attribute("price", .decimal).with { $0.scale = 10 },
                    Attribute("paid", .boolean), Attribute("at", .date), Attribute("page", .url),
                    Attribute("rating", .double).with { $0.allowsNaN = true },
                    Attribute("note", .string, isOptional: true),
                    Attribute("serial", .uuid), Attribute("scan", .data),
                ],
                relationships: [
                    Relationship("client", to: "Client", isOptional: false, link: .column("client_id")),
                    Relationship("lines", toMany: "Line", link: .foreignKey("sale_id")),
                    Relationship(
                        "labels", toMany: "Label", link: .join(table: "sale_label", from: "sale", to: "label")),
                ]),
            Entity(
                "Client", table: "client", primaryKey: ["id"],
                attributes: [
                    Attribute("name", .string), Attribute("limit", .integer, isOptional: true),
                    Attribute("since", .date), Attribute("trusted", .boolean, isOptional: true),
                ],
                relationships: [Relationship("sales", toMany: "Sale", link: .foreignKey("client_id"))]),
            Entity(
                "Line", table: "line", primaryKey: ["id"],
                attributes: [
                    Attribute("amount", .integer).with { $0.range = -1000...1000 },
                    Attribute("price", .decimal, isOptional: true).with { $0.scale = 10 },
                    Attribute("factor", .double, isOptional: true).with { $0.allowsNaN = true },
                    Attribute("text", .string),
                ],
                relationships: [Relationship("sale", to: "Sale", link: .column("sale_id"))]),
            Entity(
                "Label", table: "label", primaryKey: ["id"],
                attributes: [
                    Attribute("name", .string, isOptional: true), Attribute("level", .integer, isOptional: true),
                ],
                relationships: [
                    Relationship("sales", toMany: "Sale", link: .join(table: "sale_label", from: "label", to: "sale"))
                ]),
        ])
    }

    /// One entity with three relationships to itself. Everything is optional.
    private static func nodes() throws -> Schema {
        try Schema([
            Entity(
                "Node", table: "node", primaryKey: ["id"],
                attributes: [
                    Attribute("title", .string, isOptional: true), Attribute("alias", .string, isOptional: true),
                    Attribute("volume", .integer, isOptional: true), Attribute("weight", .double, isOptional: true),
                    Attribute("cost", .decimal, isOptional: true).with { $0.scale = 10 },
                    Attribute("hidden", .boolean, isOptional: true),
                    Attribute("made", .date, isOptional: true), Attribute("read", .date, isOptional: true),
                    Attribute("hash", .data, isOptional: true), Attribute("token", .uuid, isOptional: true),
                    Attribute("origin", .url, isOptional: true),
                    Attribute("names", .list(of: .string), isOptional: true),
                    Attribute("weights", .list(of: .double), isOptional: true),
                    Attribute("moments", .list(of: .date)),
                    Attribute("flags", .list(of: .boolean), isOptional: true),
                ],
                relationships: [
                    Relationship("parent", to: "Node", link: .column("parent_id")),
                    Relationship("children", toMany: "Node", link: .foreignKey("parent_id")),
                    Relationship("links", toMany: "Node", link: .join(table: "link", from: "source", to: "target")),
                ])
        ])
    }

    /// Keys of two columns, in every kind of relationship, and entities that share a table.
    private static func sites() throws -> Schema {
        try Schema([
            Entity(
                "Site", table: "site", primaryKey: ["zone", "number"],
                attributes: [
                    Attribute("zone", .integer), Attribute("name", .string, isOptional: true),
                    Attribute("volume", .integer, isOptional: true), Attribute("height", .double, isOptional: true),
                ],
                relationships: [
                    Relationship("parent", to: "Site", link: .column(["parent_zone", "parent_number"])),
                    Relationship("children", toMany: "Site", link: .foreignKey(["parent_zone", "parent_number"])),
                    Relationship("visits", toMany: "Visit", link: .foreignKey(["site_zone", "site_number"])),
                    Relationship(
                        "partners", toMany: "Site",
                        link: .join(
                            table: "partner", from: ["one_zone", "one_number"], to: ["other_zone", "other_number"])),
                ]),
            Entity(
                "Visit", table: "visit", primaryKey: ["id"],
                attributes: [
                    Attribute("note", .string),
                    // So small that a sum is exact.
                    Attribute("score", .integer, isOptional: true).with { $0.range = -1000...1000 },
                    Attribute("began", .date).with { $0.dateStorage = .timestamp },
                    Attribute("ended", .date, isOptional: true).with { $0.dateStorage = .timestamp },
                    Attribute("told", .date, isOptional: true).with { $0.dateStorage = .timestampWithZone },
                    Attribute("scores", .list(of: .integer)),
                ],
                relationships: [
                    Relationship("site", to: "Site", link: .column(["site_zone", "site_number"])),
                    Relationship("agent", to: "Agent", link: .column("agent_id")),
                    Relationship("boss", to: "Boss", link: .column("boss_id")),
                ]),
            Entity(
                "Agent", table: "agent", primaryKey: ["id"],
                attributes: [Attribute("name", .string), Attribute("rank", .integer, isOptional: true)],
                relationships: [
                    Relationship("chief", to: "Boss", link: .column("chief_id")),
                    Relationship("visits", toMany: "Visit", link: .foreignKey("agent_id")),
                ],
                discriminator: "kind"),
            Entity(
                "Boss", attributes: [Attribute("bonus", .integer, isOptional: true)],
                relationships: [Relationship("agents", toMany: "Agent", link: .foreignKey("chief_id"))],
                parent: "Agent", code: .integer(2)),
        ])
    }

    /// Names that every engine must quote, and names that look like generated aliases.
    private static func odd() throws -> Schema {
        try Schema([
            Entity(
                "Group", table: "group", primaryKey: ["the id"],
                attributes: [
                    Attribute("order", .integer, isOptional: true, column: "order by"),
                    Attribute("rank", .integer, column: "a`b"), Attribute("name", .string, column: "a\"b"),
                    Attribute("label", .string, isOptional: true, column: "é'x"),
                    Attribute("score", .double, isOptional: true, column: "select").with { $0.allowsNaN = true },
                    Attribute("turn", .integer, isOptional: true, column: "t0"),
                    Attribute("sign", .string, isOptional: true, column: "T1"),
                    // The generated name for the column of a list's elements.
                    Attribute("words", .list(of: .string), isOptional: true, column: "value"),
                ],
                relationships: [
                    Relationship("owner", to: "User", link: .column("user")),
                    Relationship("users", toMany: "User", link: .foreignKey("table")),
                ]),
            Entity(
                "User", table: "user \"of\" `it`", primaryKey: ["from"],
                attributes: [
                    Attribute("name", .string, isOptional: true, column: "where"),
                    Attribute("level", .integer, isOptional: true, column: "?"),
                    Attribute("big", .double, column: ":p1"),
                    Attribute("mark", .double, isOptional: true, column: "t0"),
                    Attribute("turns", .list(of: .integer), isOptional: true, column: "t2"),
                ],
                relationships: [
                    Relationship("group", to: "Group", link: .column("table")),
                    Relationship("friends", toMany: "User", link: .join(table: "in", from: "or", to: "and")),
                ]),
        ])
    }
}
