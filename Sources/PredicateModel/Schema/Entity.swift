// What one kind of object has: the keys that a predicate may name, their types, and where a store keeps them. How
// entities hang together is Schema.swift; the file format is SchemaReader.swift.

public import PredicateSyntax

/// A kind of object and its keys.
///
///     Entity("Person", table: "person", primaryKey: ["id"],
///            attributes: [Attribute("name", .string), Attribute("age", .integer, column: "age_years")],
///            relationships: [Relationship("pets", toMany: "Pet", link: .foreignKey("owner_id"))])
public struct Entity: Sendable, Hashable {
    public var name: String
    public var table: String
    /// The columns that identify a row; empty where no store is involved.
    public var primaryKey: [String]
    public var attributes: [Attribute]
    public var relationships: [Relationship]
    /// The entity whose keys this one has too.
    public var parent: String?
    /// The column that says of which entity a row is, where descendants share the table.
    public var discriminator: String?
    /// What stands in that column for this entity: an integer or a text. The entity is then kept in its ancestor's table.
    public var code: Value?

    /// - Parameter table: the entity's own name, unless told.
    public init(
        _ name: String, table: String? = nil, primaryKey: [String] = [], attributes: [Attribute] = [],
        relationships: [Relationship] = [], parent: String? = nil, discriminator: String? = nil, code: Value? = nil
    ) {
        self.name = name
        self.table = table ?? name
        self.primaryKey = primaryKey
        self.attributes = attributes
        self.relationships = relationships
        self.parent = parent
        self.discriminator = discriminator
        self.code = code
    }
}

/// A key that holds a value.
public struct Attribute: Sendable, Hashable {
    public var name: String
    public var type: AttributeType
    /// Whether the value may be nil.
    public var isOptional: Bool
    public var column: String
    /// Of decimals: the digits behind the point. A store without decimals keeps them as integers, in units of the last one.
    public var scale: Int?
    /// Of doubles: whether the column may hold NaN.
    public var allowsNaN = false
    /// Of integers: what the column may hold.
    public var range: ClosedRange<Int64>?
    /// Of dates: how the column holds them.
    public var dateStorage = DateStorage.referenceSeconds
    /// Of strings: how the column compares them; nil where nobody said, and queries require that it is by code points.
    public var collation: TextCollation?
    /// Of strings: the columns that hold the text as `[c]`, `[d]` or `[cd]` fold it, so that an index serves these too.
    public var folds: [ComparisonOptions: String] = [:]

    /// - Parameter column: the attribute's own name, unless told.
    public init(_ name: String, _ type: AttributeType, isOptional: Bool = false, column: String? = nil) {
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.column = column ?? name
    }

    /// The attribute, with something more said of its column.
    ///
    ///     Attribute("price", .decimal).with { $0.scale = 2 }
    public func with(_ change: (inout Attribute) -> Void) -> Attribute {
        var changed = self
        change(&changed)
        return changed
    }
}

/// How a column compares texts unless told.
public enum TextCollation: String, Sendable, Hashable, CaseIterable {
    /// By code points: SQLite's `BINARY`, PostgreSQL's `"C"`, MariaDB's `utf8mb4_nopad_bin`.
    case binary
    /// In another way. Statements tell it the binary one, which an index of the column serves for equality and lists only.
    case other
}

/// How a column holds dates.
public enum DateStorage: String, Sendable, Hashable, CaseIterable {
    /// A double: seconds since 2001-01-01 00:00 UTC.
    case referenceSeconds = "seconds-2001"
    /// Integers since 1970-01-01 00:00 UTC.
    case seconds = "seconds-1970"
    case milliseconds = "milliseconds-1970"
    case microseconds = "microseconds-1970"
    /// The engine's own type of six decimals without a zone, in UTC: `timestamp`, `DATETIME(6)`, `DateTime64(6)`,
    /// `TIMESTAMP_NTZ`; in SQLite, which has none, the text `2024-01-31 13:45:00.000001`. Years 1 to 9999, no infinities.
    case timestamp = "timestamp"
    /// The engine's own type of moments: `timestamptz`, `TIMESTAMP` of Spark and MariaDB, `DateTime64(6)`; in SQLite the
    /// same text.
    case timestampWithZone = "timestamptz"

    /// The date, in seconds since 2001-01-01 00:00 UTC, that an integer of the column stands for, or a microsecond since
    /// 1970 of a timestamp; nothing is rounded twice.
    ///
    ///     DateStorage.milliseconds.seconds(of: 978_307_200_500)  // 0.5
    public func seconds(of ticks: Int64) -> Double {
        if self == .referenceSeconds { return Double(ticks) }
        return (Double(ticks) - 978_307_200 * ticksPerSecond) / ticksPerSecond
    }

    /// How many of the column's integers make a second.
    package var ticksPerSecond: Double {
        switch self {
        case .referenceSeconds, .seconds: 1
        case .milliseconds: 1000
        case .microseconds, .timestamp, .timestampWithZone: 1_000_000
        }
    }
}

/// A key that leads to other objects.
public struct Relationship: Sendable, Hashable {
    /// Where a store keeps it. Keys of several columns stand in the order of the primary key that they refer to.
    ///
    ///     Relationship("parent", to: "Node", link: .column(["tenant", "parent_id"]))
    public enum Link: Sendable, Hashable {
        /// To one: the columns of this entity's table that hold the target's primary key.
        case column([String])
        /// To many: the columns of the target's table that hold this entity's primary key.
        case foreignKey([String])
        /// To many: a table of pairs, with the columns for this entity's key and those for the target's.
        case join(table: String, from: [String], to: [String])

        public static func column(_ name: String) -> Link { .column([name]) }
        public static func foreignKey(_ name: String) -> Link { .foreignKey([name]) }
        public static func join(table: String, from: String, to: String) -> Link {
            .join(table: table, from: [from], to: [to])
        }

        /// Of its table and its columns.
        var names: [String] {
            switch self {
            case .column(let columns), .foreignKey(let columns): columns
            case .join(let table, let from, let to): [table] + from + to
            }
        }
    }

    public var name: String
    /// The entity that it leads to.
    public var target: String
    public var isToMany: Bool
    /// Whether it may be nil. A to-many relationship is empty instead, unless told.
    public var isOptional: Bool
    /// Of a to-many relationship, a list or a set where a published type says which.
    public var shape = ExpressionType.Shape.toMany
    /// nil where no store is involved.
    public var link: Link?
    /// The relationship of the target that leads back.
    public var inverse: String?

    /// To at most one object.
    public init(
        _ name: String, to target: String, isOptional: Bool = true, link: Link? = nil, inverse: String? = nil
    ) {
        self.name = name
        self.target = target
        self.isOptional = isOptional
        self.link = link
        self.inverse = inverse
        isToMany = false
    }

    /// To any number of objects.
    public init(
        _ name: String, toMany target: String, isOptional: Bool = false, link: Link? = nil, inverse: String? = nil
    ) {
        self.init(name, to: target, isOptional: isOptional, link: link, inverse: inverse)
        isToMany = true
    }
}
