// The schemas of the random predicates: to-one and to-many relationships of every kind, attributes of every
// type, names that need quoting. A regression names one of the schemas.

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
            .init(
                "Sale", table: "sale", primaryKey: ["id"],
                attributes: [
                    .init("code", .string), .init("amount", .integer).with { $0.range = -1000...1000 },
                    .init("price", .decimal).with { $0.scale = 10 }, .init("paid", .boolean), .init("at", .date),
                    .init("page", .url), .init("rating", .double).with { $0.allowsNaN = true },
                    .init("note", .string, isOptional: true), .init("serial", .uuid), .init("scan", .data),
                ],
                relationships: [
                    .init("client", to: "Client", isOptional: false, link: .column("client_id")),
                    .init("lines", toMany: "Line", link: .foreignKey("sale_id")),
                    PredicateSchema.Relationship(
                        "labels", toMany: "Label", link: .join(table: "sale_label", from: "sale", to: "label")),
                ]),
            .init(
                "Client", table: "client", primaryKey: ["id"],
                attributes: [
                    .init("id", .integer), .init("name", .string), .init("limit", .integer, isOptional: true),
                    .init("since", .date), .init("trusted", .boolean, isOptional: true),
                ],
                relationships: [.init("sales", toMany: "Sale", link: .foreignKey("client_id"))]),
            .init(
                "Line", table: "line", primaryKey: ["id"],
                attributes: [
                    .init("amount", .integer).with { $0.range = -1000...1000 },
                    .init("price", .decimal, isOptional: true).with {
                        $0.scale = 10
                        $0.range = -2000...2000
                    },
                    .init("factor", .double, isOptional: true).with { $0.allowsNaN = true }, .init("text", .string),
                ],
                relationships: [.init("sale", to: "Sale", link: .column("sale_id"))]),
            .init(
                "Label", table: "label", primaryKey: ["id"],
                attributes: [.init("name", .string, isOptional: true), .init("level", .integer, isOptional: true)],
                relationships: [
                    PredicateSchema.Relationship(
                        "sales", toMany: "Sale", link: .join(table: "sale_label", from: "label", to: "sale"))
                ]),
        ])
    }

    /// One entity with three relationships to itself. Everything is optional.
    private static func nodes() throws -> PredicateSchema {
        try PredicateSchema([
            .init(
                "Node", table: "node", primaryKey: ["id"],
                attributes: [
                    .init("id", .integer), .init("title", .string, isOptional: true),
                    .init("alias", .string, isOptional: true), .init("volume", .integer, isOptional: true),
                    .init("weight", .double, isOptional: true),
                    .init("cost", .decimal, isOptional: true).with { $0.scale = 10 },
                    .init("hidden", .boolean, isOptional: true), .init("made", .date, isOptional: true),
                    .init("read", .date, isOptional: true), .init("hash", .data, isOptional: true),
                    .init("token", .uuid, isOptional: true), .init("origin", .url, isOptional: true),
                    .init("names", .list(of: .string), isOptional: true),
                    .init("weights", .list(of: .double), isOptional: true), .init("moments", .list(of: .date)),
                    .init("flags", .list(of: .boolean), isOptional: true),
                ],
                relationships: [
                    .init("parent", to: "Node", link: .column("parent_id")),
                    .init("children", toMany: "Node", link: .foreignKey("parent_id")),
                    PredicateSchema.Relationship(
                        "links", toMany: "Node", link: .join(table: "link", from: "source", to: "target")),
                ])
        ])
    }

    /// Keys of two columns, in every kind of relationship, and entities that share a table.
    private static func sites() throws -> PredicateSchema {
        try PredicateSchema([
            .init(
                "Site", table: "site", primaryKey: ["zone", "number"],
                attributes: [
                    .init("zone", .integer), .init("name", .string, isOptional: true),
                    .init("volume", .integer, isOptional: true), .init("height", .double, isOptional: true),
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
            .init(
                "Visit", table: "visit", primaryKey: ["id"],
                attributes: [
                    .init("note", .string),
                    // A range so small that every sum is exact.
                    .init("score", .integer, isOptional: true).with { $0.range = -1000...1000 },
                    .init("began", .date).with { $0.dateStorage = .timestamp },
                    .init("ended", .date, isOptional: true).with { $0.dateStorage = .timestamp },
                    .init("told", .date, isOptional: true).with {
                        $0.dateStorage = .timestampWithZone
                    },
                    .init("scores", .list(of: .integer)),
                ],
                relationships: [
                    .init("site", to: "Site", link: .column(["site_zone", "site_number"])),
                    .init("agent", to: "Agent", link: .column("agent_id")),
                    .init("boss", to: "Boss", link: .column("boss_id")),
                ]),
            .init(
                "Agent", table: "agent", primaryKey: ["id"],
                attributes: [.init("name", .string), .init("rank", .integer, isOptional: true)],
                relationships: [
                    .init("chief", to: "Boss", link: .column("chief_id")),
                    .init("visits", toMany: "Visit", link: .foreignKey("agent_id")),
                ],
                discriminator: "kind"),
            .init(
                "Boss", attributes: [.init("bonus", .integer, isOptional: true)],
                relationships: [.init("agents", toMany: "Agent", link: .foreignKey("chief_id"))],
                parent: "Agent", code: .integer(2)),
        ])
    }

    /// Names that every engine must quote, and names that look like generated aliases.
    private static func odd() throws -> PredicateSchema {
        try PredicateSchema([
            .init(
                "Group", table: "group", primaryKey: ["the id"],
                attributes: [
                    .init("order", .integer, isOptional: true, column: "order by"),
                    .init("rank", .integer, column: "a`b"), .init("name", .string, column: "a\"b"),
                    .init("label", .string, isOptional: true, column: "é'x"),
                    .init("score", .double, isOptional: true, column: "select").with {
                        $0.allowsNaN = true
                    },
                    .init("turn", .integer, isOptional: true, column: "t0"),
                    .init("sign", .string, isOptional: true, column: "T1"),
                    // The generated name for the column of a list's elements.
                    .init("words", .list(of: .string), isOptional: true, column: "value"),
                ],
                relationships: [
                    .init("owner", to: "User", link: .column("user")),
                    .init("users", toMany: "User", link: .foreignKey("table")),
                ]),
            .init(
                "User", table: "user \"of\" `it`", primaryKey: ["from"],
                attributes: [
                    .init("name", .string, isOptional: true, column: "where"),
                    .init("level", .integer, isOptional: true, column: "?"), .init("big", .double, column: ":p1"),
                    .init("mark", .double, isOptional: true, column: "t0"),
                    .init("turns", .list(of: .integer), isOptional: true, column: "t2"),
                ],
                relationships: [
                    .init("group", to: "Group", link: .column("table")),
                    PredicateSchema.Relationship(
                        "friends", toMany: "User", link: .join(table: "in", from: "or", to: "and")),
                ]),
        ])
    }
}
