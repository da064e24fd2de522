// The schemas of the random predicates: to-one and to-many relationships of every kind, attributes of every
// type, names that need quoting. A regression names one of the schemas.

import PredicateModel
import PredicateSyntax
import PredicateTestSupport

struct NamedSchema: Sendable {
    let name: String
    let schema: PredicateSchema

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
    private static func shop() throws -> PredicateSchema {
        try PredicateSchema([
            PredicateSchema.Entity(
                "Sale", table: "sale", primaryKey: ["id"],
                attributes: [
                    PredicateSchema.Attribute("code", .string),
                    PredicateSchema.Attribute("amount", .integer).with { $0.range = -1000...1000 },
                    PredicateSchema.Attribute("price", .decimal).with { $0.scale = 10 },
                    PredicateSchema.Attribute("paid", .boolean), PredicateSchema.Attribute("at", .date),
                    PredicateSchema.Attribute("page", .url),
                    PredicateSchema.Attribute("rating", .double).with { $0.allowsNaN = true },
                    PredicateSchema.Attribute("note", .string, isOptional: true),
                    PredicateSchema.Attribute("serial", .uuid), PredicateSchema.Attribute("scan", .data),
                ],
                relationships: [
                    PredicateSchema.Relationship("client", to: "Client", isOptional: false, link: .column("client_id")),
                    PredicateSchema.Relationship("lines", toMany: "Line", link: .foreignKey("sale_id")),
                    PredicateSchema.Relationship(
                        "labels", toMany: "Label", link: .join(table: "sale_label", from: "sale", to: "label")),
                ]),
            PredicateSchema.Entity(
                "Client", table: "client", primaryKey: ["id"],
                attributes: [
                    PredicateSchema.Attribute("id", .integer),
                    PredicateSchema.Attribute("name", .string),
                    PredicateSchema.Attribute("limit", .integer, isOptional: true),
                    PredicateSchema.Attribute("since", .date),
                    PredicateSchema.Attribute("trusted", .boolean, isOptional: true),
                ],
                relationships: [PredicateSchema.Relationship("sales", toMany: "Sale", link: .foreignKey("client_id"))]),
            PredicateSchema.Entity(
                "Line", table: "line", primaryKey: ["id"],
                attributes: [
                    PredicateSchema.Attribute("amount", .integer).with { $0.range = -1000...1000 },
                    PredicateSchema.Attribute("price", .decimal, isOptional: true).with {
                        $0.scale = 10
                        $0.range = -2000...2000
                    },
                    PredicateSchema.Attribute("factor", .double, isOptional: true).with { $0.allowsNaN = true },
                    PredicateSchema.Attribute("text", .string),
                ],
                relationships: [PredicateSchema.Relationship("sale", to: "Sale", link: .column("sale_id"))]),
            PredicateSchema.Entity(
                "Label", table: "label", primaryKey: ["id"],
                attributes: [
                    PredicateSchema.Attribute("name", .string, isOptional: true),
                    PredicateSchema.Attribute("level", .integer, isOptional: true),
                ],
                relationships: [
                    PredicateSchema.Relationship(
                        "sales", toMany: "Sale", link: .join(table: "sale_label", from: "label", to: "sale"))
                ]),
        ])
    }

    /// One entity with three relationships to itself. Everything is optional.
    private static func nodes() throws -> PredicateSchema {
        try PredicateSchema([
            PredicateSchema.Entity(
                "Node", table: "node", primaryKey: ["id"],
                attributes: [
                    PredicateSchema.Attribute("id", .integer),
                    PredicateSchema.Attribute("title", .string, isOptional: true),
                    PredicateSchema.Attribute("alias", .string, isOptional: true),
                    PredicateSchema.Attribute("volume", .integer, isOptional: true),
                    PredicateSchema.Attribute("weight", .double, isOptional: true),
                    PredicateSchema.Attribute("cost", .decimal, isOptional: true).with { $0.scale = 10 },
                    PredicateSchema.Attribute("hidden", .boolean, isOptional: true),
                    PredicateSchema.Attribute("made", .date, isOptional: true),
                    PredicateSchema.Attribute("read", .date, isOptional: true),
                    PredicateSchema.Attribute("hash", .data, isOptional: true),
                    PredicateSchema.Attribute("token", .uuid, isOptional: true),
                    PredicateSchema.Attribute("origin", .url, isOptional: true),
                    PredicateSchema.Attribute("names", .list(of: .string), isOptional: true),
                    PredicateSchema.Attribute("weights", .list(of: .double), isOptional: true),
                    PredicateSchema.Attribute("moments", .list(of: .date)),
                    PredicateSchema.Attribute("flags", .list(of: .boolean), isOptional: true),
                ],
                relationships: [
                    PredicateSchema.Relationship("parent", to: "Node", link: .column("parent_id")),
                    PredicateSchema.Relationship("children", toMany: "Node", link: .foreignKey("parent_id")),
                    PredicateSchema.Relationship(
                        "links", toMany: "Node", link: .join(table: "link", from: "source", to: "target")),
                ])
        ])
    }

    /// Keys of two columns, in every kind of relationship, and entities that share a table.
    private static func sites() throws -> PredicateSchema {
        try PredicateSchema([
            PredicateSchema.Entity(
                "Site", table: "site", primaryKey: ["zone", "number"],
                attributes: [
                    PredicateSchema.Attribute("zone", .integer),
                    PredicateSchema.Attribute("name", .string, isOptional: true),
                    PredicateSchema.Attribute("volume", .integer, isOptional: true),
                    PredicateSchema.Attribute("height", .double, isOptional: true),
                ],
                relationships: [
                    PredicateSchema.Relationship(
                        "parent", to: "Site", link: .column(["parent_zone", "parent_number"])),
                    PredicateSchema.Relationship(
                        "children", toMany: "Site", link: .foreignKey(["parent_zone", "parent_number"])),
                    PredicateSchema.Relationship(
                        "visits", toMany: "Visit", link: .foreignKey(["site_zone", "site_number"])),
                    PredicateSchema.Relationship(
                        "partners", toMany: "Site",
                        link: .join(
                            table: "partner", from: ["one_zone", "one_number"], to: ["other_zone", "other_number"])),
                ]),
            PredicateSchema.Entity(
                "Visit", table: "visit", primaryKey: ["id"],
                attributes: [
                    PredicateSchema.Attribute("note", .string),
                    // A range so small that every sum is exact.
                    PredicateSchema.Attribute("score", .integer, isOptional: true).with { $0.range = -1000...1000 },
                    PredicateSchema.Attribute("began", .date).with { $0.dateStorage = .timestamp },
                    PredicateSchema.Attribute("ended", .date, isOptional: true).with { $0.dateStorage = .timestamp },
                    PredicateSchema.Attribute("told", .date, isOptional: true).with {
                        $0.dateStorage = .timestampWithZone
                    },
                    PredicateSchema.Attribute("scores", .list(of: .integer)),
                ],
                relationships: [
                    PredicateSchema.Relationship("site", to: "Site", link: .column(["site_zone", "site_number"])),
                    PredicateSchema.Relationship("agent", to: "Agent", link: .column("agent_id")),
                    PredicateSchema.Relationship("boss", to: "Boss", link: .column("boss_id")),
                ]),
            PredicateSchema.Entity(
                "Agent", table: "agent", primaryKey: ["id"],
                attributes: [
                    PredicateSchema.Attribute("name", .string),
                    PredicateSchema.Attribute("rank", .integer, isOptional: true),
                ],
                relationships: [
                    PredicateSchema.Relationship("chief", to: "Boss", link: .column("chief_id")),
                    PredicateSchema.Relationship("visits", toMany: "Visit", link: .foreignKey("agent_id")),
                ],
                discriminator: "kind"),
            PredicateSchema.Entity(
                "Boss", attributes: [PredicateSchema.Attribute("bonus", .integer, isOptional: true)],
                relationships: [PredicateSchema.Relationship("agents", toMany: "Agent", link: .foreignKey("chief_id"))],
                parent: "Agent", code: .integer(2)),
        ])
    }

    /// Names that every engine must quote, and names that look like generated aliases.
    private static func odd() throws -> PredicateSchema {
        try PredicateSchema([
            PredicateSchema.Entity(
                "Group", table: "group", primaryKey: ["the id"],
                attributes: [
                    PredicateSchema.Attribute("order", .integer, isOptional: true, column: "order by"),
                    PredicateSchema.Attribute("rank", .integer, column: "a`b"),
                    PredicateSchema.Attribute("name", .string, column: "a\"b"),
                    PredicateSchema.Attribute("label", .string, isOptional: true, column: "é'x"),
                    PredicateSchema.Attribute("score", .double, isOptional: true, column: "select").with {
                        $0.allowsNaN = true
                    },
                    PredicateSchema.Attribute("turn", .integer, isOptional: true, column: "t0"),
                    PredicateSchema.Attribute("sign", .string, isOptional: true, column: "T1"),
                    // The generated name for the column of a list's elements.
                    PredicateSchema.Attribute("words", .list(of: .string), isOptional: true, column: "value"),
                ],
                relationships: [
                    PredicateSchema.Relationship("owner", to: "User", link: .column("user")),
                    PredicateSchema.Relationship("users", toMany: "User", link: .foreignKey("table")),
                ]),
            PredicateSchema.Entity(
                "User", table: "user \"of\" `it`", primaryKey: ["from"],
                attributes: [
                    PredicateSchema.Attribute("name", .string, isOptional: true, column: "where"),
                    PredicateSchema.Attribute("level", .integer, isOptional: true, column: "?"),
                    PredicateSchema.Attribute("big", .double, column: ":p1"),
                    PredicateSchema.Attribute("mark", .double, isOptional: true, column: "t0"),
                    PredicateSchema.Attribute("turns", .list(of: .integer), isOptional: true, column: "t2"),
                ],
                relationships: [
                    PredicateSchema.Relationship("group", to: "Group", link: .column("table")),
                    PredicateSchema.Relationship(
                        "friends", toMany: "User", link: .join(table: "in", from: "or", to: "and")),
                ]),
        ])
    }
}
