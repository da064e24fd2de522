// What a change violates, and what makes a database unusable.

/// A constraint of the database that a change would violate.
public struct StoreConstraint: Sendable, Hashable {
    /// What kind of constraint it is.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Another row has the same primary key.
        case primaryKey = "primary-key"
        /// Another row has the same values.
        case unique
        case notNull = "not-null"
        /// A row refers to another one that does not exist, or would no longer.
        case foreignKey = "foreign-key"
        case check
        case other
    }

    public let kind: Kind
    /// The table; nil if the engine does not name it.
    public let table: String?
    /// The columns; empty if the engine does not name them.
    public let columns: [String]
    /// The engine's sentence.
    public let message: String

    /// For connections to other engines.
    public init(_ kind: Kind, table: String? = nil, columns: [String] = [], message: String) {
        self.kind = kind
        self.table = table
        self.columns = columns
        self.message = message
    }
}

/// Why a database cannot be used now.
public enum StoreProblem: String, Sendable, Hashable, CaseIterable {
    /// Another connection has locked the database for longer than the store waits.
    case locked
    case damaged
    /// The file is no database.
    case notADatabase = "not-a-database"
    case diskFull = "disk-full"
    /// A writer was interrupted, and the database was opened read-only. Opening it for writing once undoes the writer's last
    /// transaction.
    case interrupted

    /// A sentence for people.
    public var description: String {
        switch self {
        case .locked: "another program has locked the database"
        case .damaged: "the database is damaged"
        case .notADatabase: "it is no SQLite database, or an encrypted one"
        case .diskFull: "the disk is full"
        case .interrupted: "a program ended while it wrote to the database: open it for writing once"
        }
    }
}
