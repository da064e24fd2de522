// Entities: the keys of one kind of object, their types, and their tables and columns in a store. PredicateSchema.swift
// combines entities; PredicateSQL/Schema/SchemaReader.swift parses the file format.

extension PredicateSchema {
    /// A kind of object and its keys.
    ///
    ///     PredicateSchema.Entity(
    ///         "Person", table: "person", primaryKey: ["id"],
    ///         attributes: [.init("name", .string), .init("age", .integer, column: "age_years")],
    ///         relationships: [.init("pets", toMany: "Pet", link: .foreignKey("owner_id"))])
    public struct Entity: Sendable, Equatable {
        public var name: String
        /// The name of the table; by default the name of the entity.
        public var table: String
        /// The columns that identify a row; empty without a store.
        public var primaryKey: [String]
        public var attributes: [PredicateSchema.Attribute]
        public var relationships: [PredicateSchema.Relationship]
        /// The entity whose keys this entity inherits.
        public var parent: String?
        /// The column that distinguishes the entities of a shared table.
        public var discriminator: String?
        /// The value of that column for this entity: an integer or a text. An entity with a code is stored in its
        /// ancestor's table.
        public var code: PredicateValue?
        /// The name in the previous version, if it was different; `StoreMigration` reads it.
        public var formerly: String?

        /// Creates an entity. Its table has the same name by default.
        public init(
            _ name: String, table: String? = nil, primaryKey: [String] = [],
            attributes: [PredicateSchema.Attribute] = [],
            relationships: [PredicateSchema.Relationship] = [], parent: String? = nil, discriminator: String? = nil,
            code: PredicateValue? = nil
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
}

extension PredicateSchema {
    /// A key with a value.
    public struct Attribute: Sendable, Equatable {
        public var name: String
        public var type: ExpressionType.Kind
        /// Whether the value may be nil.
        public var isOptional: Bool
        /// The name of the column; by default the name of the attribute.
        public var column: String
        /// For decimals: the number of digits after the point. A store without decimals stores them as integers, in
        /// units of the last digit.
        public var scale: Int?
        /// For doubles: whether the column may hold NaN.
        public var allowsNaN = false
        /// For integers and decimals: the range of values in the column. For decimals it limits the digits before the
        /// point, like `DECIMAL(12, 2)`.
        public var range: ClosedRange<Int64>?
        /// For dates: the form in which the column stores them.
        public var dateStorage = DateStorage.referenceSeconds
        /// For strings: how the column compares them. nil means unknown: queries then require comparison by code
        /// points.
        public var collation: TextCollation?
        /// For strings: columns that contain the text folded with `[c]`, `[d]` or `[cd]`, so that comparisons with
        /// these options can use an index.
        public var folds: [ComparisonOptions: String] = [:]
        /// The only values that the attribute has, or the elements of its lists, such as the cases of an enum; empty if
        /// there may be others. The type checker warns of other constants, completion offers these, and other values
        /// cannot be stored. Cases of a `CaseIterable` type are found by themselves.
        ///
        ///     entity[attribute: "suit"]?.cases = ["clubs", "diamonds", "hearts", "spades"]
        public var cases: [PredicateValue] {
            get { known?.cases ?? [] }
            set { known = KnownValues(cases: newValue, isNeverEmpty, swiftValues) }
        }
        /// For strings: whether the text is never empty, because empty fields of a file are nil.
        package var isNeverEmpty: Bool {
            get { known?.isNeverEmpty ?? false }
            set { known = KnownValues(cases: cases, newValue, swiftValues) }
        }
        /// The values that the Swift type of a published key can represent; nil for all.
        package var swiftValues: SwiftValues? {
            get { known?.swiftValues }
            set { known = KnownValues(cases: cases, isNeverEmpty, newValue) }
        }
        private(set) var known: KnownValues?
        /// The value for new objects without a value. In tables that `StoreMigration` creates, it is the column's
        /// DEFAULT.
        public var defaultValue: PredicateValue?
        /// The name in the previous version, if it was different; `StoreMigration` reads it.
        public var formerly: String?
        /// For a value inside a JSON column: its path in the column's document, such as `$.theme`, `$.size.width`,
        /// `$.tags[0]` or `$."two words"`. The value may then always be nil: a missing key, JSON's null and a value of
        /// another kind than the type are nil.
        ///
        ///     var theme = PredicateSchema.Attribute("meta.theme", .string, column: "meta")
        ///     theme.json = "$.theme"
        ///
        /// Types are `string`, `integer` (a number without fraction and exponent, within 64 bits), `double`, `boolean`,
        /// and lists of these, in which an element of another kind is nil. The name may have points. Stores over SQL
        /// read such attributes; they do not write them.
        public var json: String? {
            didSet { if json != nil { isOptional = true } }
        }

        /// Creates an attribute. Its column has the same name by default.
        public init(_ name: String, _ type: ExpressionType.Kind, isOptional: Bool = false, column: String? = nil) {
            self.name = name
            self.type = type
            self.isOptional = isOptional
            self.column = column ?? name
        }
    }
}

/// The default collation of a text column.
public enum TextCollation: String, Sendable, Hashable, CaseIterable {
    /// By code points: SQLite's `BINARY`, PostgreSQL's `"C"`, MariaDB's `utf8mb4_nopad_bin`.
    case binary
    /// Any other collation. Statements then name the binary collation, for which the column's index serves only
    /// equality and lists.
    case other
}

/// The form in which a column stores dates.
public enum DateStorage: String, Sendable, Hashable, CaseIterable {
    /// A double: seconds since 2001-01-01 00:00 UTC.
    case referenceSeconds = "seconds-2001"
    /// Integers since 1970-01-01 00:00 UTC.
    case seconds = "seconds-1970"
    case milliseconds = "milliseconds-1970"
    case microseconds = "microseconds-1970"
    /// The engine's timestamp type without a zone, in UTC, with six decimals: `timestamp`, `DATETIME(6)`,
    /// `DateTime64(6)`, `TIMESTAMP_NTZ`. In SQLite, which has no such type, the text
    /// `2024-01-31 13:45:00.000001`. Years 1 to 9999, no infinities.
    case timestamp = "timestamp"
    /// Texts in UTC, as SQLite's functions and many programs write them. Years 1 to 9999. All values have the same form,
    /// so that their order as texts is their order in time.
    case day = "YYYY-MM-DD"
    case text = "YYYY-MM-DD hh:mm:ss"
    case iso8601 = "YYYY-MM-DDThh:mm:ssZ"
    case iso8601Milliseconds = "YYYY-MM-DDThh:mm:ss.sssZ"
    /// A double: the Julian day of SQLite's `julianday`.
    case julianDay = "julian"
    /// The engine's timestamp type with a zone: `timestamptz`, `TIMESTAMP` of Spark and MariaDB,
    /// `DateTime64(6)`; in SQLite the same text.
    case timestampWithZone = "timestamptz"

    /// Other names in schema files.
    package static let synonyms: [String: DateStorage] = ["unix": .seconds, "unix-ms": .milliseconds]

    /// Converts an integer of the column (for a text, the units of its last digits since 1970) to seconds since
    /// 2001-01-01 00:00 UTC, with a single rounding.
    ///
    ///     DateStorage.milliseconds.seconds(of: 978_307_200_500)    // 0.5
    package func seconds(of ticks: Int64) -> Double {
        if self == .referenceSeconds { return Double(ticks) }
        return (Double(ticks) - 978_307_200 * ticksPerSecond) / ticksPerSecond
    }

    /// The column's units per second.
    package var ticksPerSecond: Double {
        switch self {
        case .referenceSeconds, .seconds, .text, .iso8601, .julianDay: 1
        case .milliseconds, .iso8601Milliseconds: 1000
        case .day: 1 / 86400
        case .microseconds, .timestamp, .timestampWithZone: 1_000_000
        }
    }
}

extension PredicateSchema {
    /// A key that refers to other objects.
    public struct Relationship: Sendable, Equatable {
        /// How a store represents the relationship. The columns of a composite key are listed in the order of the
        /// primary key that they refer to.
        ///
        ///     PredicateSchema.Relationship("parent", to: "Node", link: .column(["tenant", "parent_id"]))
        public enum Link: Sendable, Equatable {
            /// To-one: the columns of this entity's table that hold the target's primary key.
            case column([String])
            /// To-many: the columns of the target's table that hold this entity's primary key.
            case foreignKey([String])
            /// To-many: a join table, with the columns for this entity's key and those for the target's.
            case join(table: String, from: [String], to: [String])

            /// To-one, for a key with one column.
            public static func column(_ name: String) -> Link { .column([name]) }
            /// To-many, for a key with one column.
            public static func foreignKey(_ name: String) -> Link { .foreignKey([name]) }
            /// To-many through a join table, for keys with one column.
            public static func join(table: String, from: String, to: String) -> Link {
                .join(table: table, from: [from], to: [to])
            }

            /// The same link, seen from the other side.
            package var reversed: Link {
                switch self {
                case .column(let columns): .foreignKey(columns)
                case .foreignKey(let columns): .column(columns)
                case .join(let table, let from, let to): .join(table: table, from: to, to: from)
                }
            }

            /// The columns of a foreign key; nil for a join table.
            package var foreignKey: [String]? {
                switch self {
                case .column(let columns), .foreignKey(let columns): columns
                case .join: nil
                }
            }

            /// The names of the table and the columns.
            var names: [String] {
                switch self {
                case .column(let columns), .foreignKey(let columns): columns
                case .join(let table, let from, let to): [table] + from + to
                }
            }
        }

        public var name: String
        /// The entity it refers to.
        public var target: String
        /// Whether it refers to any number of objects. Otherwise it refers to at most one.
        public var isToMany: Bool
        /// Whether it may be nil. By default a to-many relationship is empty instead.
        public var isOptional: Bool
        /// Whether a to-many relationship is a list or a set; `toMany` if that is unknown.
        package var shape = ExpressionType.Shape.toMany
        /// How a store represents it; nil without a store.
        public var link: Link?
        /// The inverse relationship of the target.
        public var inverse: String?
        /// What deleting an object does to those that refer to it by the link; nil if only the table decides. Stores over
        /// SQLite use the table's own ON DELETE if it has one.
        public var onDelete: PredicateSchema.DeleteRule?
        /// The name in the previous version, if it was different; `StoreMigration` reads it.
        public var formerly: String?

        /// A relationship to at most one object.
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

        /// A relationship to any number of objects.
        public init(
            _ name: String, toMany target: String, isOptional: Bool = false, link: Link? = nil, inverse: String? = nil
        ) {
            self.init(name, to: target, isOptional: isOptional, link: link, inverse: inverse)
            isToMany = true
        }
    }
}
