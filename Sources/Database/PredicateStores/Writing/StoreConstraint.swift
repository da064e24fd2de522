// Constraint violations, and problems that make a database unusable.

/// A constraint of the database that a change would violate.
public struct StoreConstraint: Sendable, Equatable {
    /// What kind of constraint it is.
    public enum Kind: Sendable, Hashable {
        /// Another row has the same primary key.
        case primaryKey
        /// Another row has the same values in columns that must be unique.
        case unique
        case notNull
        /// A row refers to a row that does not exist, or that the change would delete.
        case foreignKey
        case check
        case other
    }

    public let kind: Kind
    /// The table; nil if the engine does not name it.
    public let table: String?
    /// The columns; empty if the engine does not name them.
    public let columns: [String]
    /// The message of the engine.
    public let message: String

    /// Use this in connections to other engines.
    public init(_ kind: Kind, table: String? = nil, columns: [String] = [], message: String) {
        self.kind = kind
        self.table = table
        self.columns = columns
        self.message = message
    }
}

/// Why a database cannot be used at the moment.
public enum StoreProblem: Sendable, Hashable {
    /// Another connection has locked the database for longer than the store waits.
    case locked
    case damaged
    /// The file is not a database.
    case notADatabase
    case diskFull
    /// A writer was interrupted, and the database was opened read-only. Opening it once for writing rolls back the
    /// unfinished transaction.
    case interrupted

    static let all = [locked, damaged, notADatabase, diskFull, interrupted]

    /// The problem as a message for users.
    public var description: String {
        switch self {
        case .locked: "another program has locked the database"
        case .damaged: "the database is damaged"
        case .notADatabase: "the file is not a SQLite database, or it is encrypted"
        case .diskFull: "the disk is full"
        case .interrupted: "a program ended while it was writing to the database: open it once for writing"
        }
    }
}
