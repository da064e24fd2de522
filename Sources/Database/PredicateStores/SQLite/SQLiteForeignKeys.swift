// Enforces foreign keys on a SQLite connection. https://www.sqlite.org/foreignkeys.html
//
// Opening checks only the definitions of the tables. The rows are checked before the first statement that writes, because
// a program that only reads does not need it. All rows are checked: SQLite only counts the violations of a transaction,
// so deleting a row that referred to no row before would hide a new one of its kind.

/// Whether a SQLite store enforces foreign keys.
public enum ForeignKeyEnforcement: Sendable, Hashable {
    /// A change that leaves a row that refers to no row throws `constraint`. Databases that already contradict their
    /// foreign keys are opened without enforcement; `foreignKeyViolations` has the reasons. Before the first change,
    /// `PRAGMA foreign_key_check` reads all rows, once for an opened database: about a second for a million keys.
    case enforced
    /// Like `enforced`, but without the check of the rows, for databases that are known to have no row that refers to
    /// no row. If there is one after all, a transaction that deletes it can leave a new one: SQLite only counts them.
    case trusted
    /// Foreign keys, and delete rules, have no effect.
    case off
}

/// What a connection knows about the foreign keys of its database.
struct SQLiteForeignKeys {
    enum State {
        /// Not wanted, or not on this connection.
        case off
        /// Enforced, but the rows are not checked yet.
        case unchecked
        case enforced
        /// Not enforced, because the tables or the rows contradict the keys.
        case contradicted
    }

    var state = State.off
    /// The keys that the tables declared when the schema of the database had this version.
    var keys: [DatabaseTable.ForeignKey] = []
    var version: Int64 = -1
    var violations: [StoreViolation] = []
    /// Whether this transaction checks them only at its end.
    var areDeferred = false

    /// Whether SQLite enforces them.
    var isEnforced: Bool {
        switch state {
        case .unchecked, .enforced: true
        case .off, .contradicted: false
        }
    }

    /// The foreign key that a table declares for some columns. SQLite compares names without case.
    func key(_ table: String, _ columns: [String]) -> DatabaseTable.ForeignKey? {
        let wanted = Set(columns.map { $0.lowercased() })
        return keys.first {
            $0.table.lowercased() == table.lowercased() && Set($0.columns.map { $0.lowercased() }) == wanted
        }
    }
}

extension SQLStore where Connection == SQLiteConnection {
    /// Why the store does not enforce foreign keys: tables that are missing, keys that are not unique, and rows that
    /// refer to no row. Empty if it enforces them. The rows are checked before the first change, so those that refer to
    /// no row are listed after it.
    ///
    ///     for violation in try store.foreignKeyViolations { print("foreign keys are not enforced: \(violation)") }
    ///
    /// - Throws: errors of the engine. Cost: constant.
    public var foreignKeyViolations: [StoreViolation] {
        get throws(StoreFailure) { try session.use { $0.foreignKeys.violations } }
    }
}

extension SQLiteConnection {
    /// Turns enforcement on, unless the tables contradict their foreign keys. Has no effect inside a transaction.
    func enforceForeignKeys(checkingRows: Bool) throws(StoreFailure) {
        foreignKeys = SQLiteForeignKeys()
        try refreshForeignKeys()
        try run("PRAGMA foreign_keys = ON")
        foreignKeys.violations = try brokenForeignKeys(foreignKeys.keys)
        foreignKeys.state = checkingRows ? .unchecked : .enforced
        if !foreignKeys.violations.isEmpty { try stopEnforcing() }
    }

    private func stopEnforcing() throws(StoreFailure) {
        try run("PRAGMA foreign_keys = OFF")
        foreignKeys.state = .contradicted
    }

    /// Reads the keys again if tables were created or changed.
    func refreshForeignKeys() throws(StoreFailure) {
        let version = try value("PRAGMA schema_version") { $0.integer(0) } ?? 0
        if version == foreignKeys.version { return }
        foreignKeys.keys = try declaredForeignKeys()
        foreignKeys.version = version
    }

    /// All contradictions to the foreign keys, whether they are enforced or not.
    func foreignKeyViolations() throws(StoreFailure) -> [StoreViolation] {
        let isOn = try value("PRAGMA foreign_keys") { $0.integer(0) == 1 } ?? false
        let keys = try declaredForeignKeys()
        if !isOn { try run("PRAGMA foreign_keys = ON") }
        let broken = try brokenForeignKeys(keys)
        if !isOn { try run("PRAGMA foreign_keys = OFF") }
        let whole = keys.filter { key in !broken.contains { $0.table == key.table } }
        return broken + (try danglingRows(whole).map(\.violation))
    }

    /// The foreign keys that SQLite cannot enforce. It finds them when it prepares a statement.
    private func brokenForeignKeys(_ keys: [DatabaseTable.ForeignKey]) throws(StoreFailure) -> [StoreViolation] {
        var tables: Set<String> = []
        try run("SELECT lower(name) FROM sqlite_master WHERE type = 'table'") { tables.insert($0.text(0)) }
        var found: [StoreViolation] = []
        for key in keys {
            func report(_ sentence: String) {
                found.append(
                    StoreViolation(
                        kind: .brokenKey, table: key.table, column: key.columns.joined(separator: ", "),
                        sentence: sentence))
            }
            if !tables.contains(key.parent.lowercased()) {
                report("refers to the table \(key.parent), which does not exist")
            } else if try isMismatched(key) {
                report("refers to columns of \(key.parent) that are not unique")
            }
        }
        return found
    }

    /// Whether the foreign key refers to columns that are neither a primary key nor UNIQUE.
    private func isMismatched(_ key: DatabaseTable.ForeignKey) throws(StoreFailure) -> Bool {
        do throws(StoreFailure) {
            finish(try begin("DELETE FROM \(SQLiteNames.quoted(key.table))", []))
        } catch {
            if case .engine(_, let message, _, _) = error, message.hasPrefix("foreign key mismatch") {
                return message.hasSuffix("referencing \"\(key.parent)\"")
            }
            if case .cancelled = error { throw error }
        }
        return false
    }

    /// Checks the rows before the first change. If some refer to no row, enforcement ends.
    func checkForeignKeys() throws(StoreFailure) {
        // The statements of the check change nothing.
        foreignKeys.state = .enforced
        do throws(StoreFailure) {
            try refreshForeignKeys()
            foreignKeys.violations = try danglingRows(foreignKeys.keys).map(\.violation)
            if !foreignKeys.violations.isEmpty { try stopEnforcing() }
        } catch {
            foreignKeys.state = .unchecked
            throw error
        }
    }

    /// The rows that refer to no row, by foreign key.
    private func danglingRows(_ keys: [DatabaseTable.ForeignKey]) throws(StoreFailure) -> [DanglingRows] {
        var found: [DanglingRows] = []
        for (index, key) in keys.enumerated() where index == 0 || keys[index - 1].table != key.table {
            var places: [Int64: Int] = [:]
            // Columns of the result: table, rowid, parent, number of the foreign key.
            try run("PRAGMA foreign_key_check(\(SQLiteNames.quoted(key.table)))") { row in
                if let place = places[row.integer(3)] { return found[place].count += 1 }
                places[row.integer(3)] = found.count
                let columns = keys.first { $0.table == key.table && $0.name == row.text(3) }?.columns ?? []
                found.append(
                    DanglingRows(
                        table: key.table, columns: columns, target: row.text(2),
                        first: row.isNull(1) ? nil : row.integer(1)))
            }
        }
        return found
    }

    /// Lets rows refer to rows that the same transaction inserts later.
    public func deferForeignKeys() throws(StoreFailure) {
        // The statement makes SQLite prepare all others again, so it runs once per transaction.
        if !foreignKeys.isEnforced || foreignKeys.areDeferred { return }
        foreignKeys.areDeferred = true
        try refreshForeignKeys()
        if !foreignKeys.keys.isEmpty { try run("PRAGMA defer_foreign_keys = ON") }
    }

    public func commit() throws(StoreFailure) {
        do throws(StoreFailure) {
            try run("COMMIT")
        } catch {
            // The transaction is still open, so the check sees its rows.
            throw try namingRows(error)
        }
    }

    /// The error of a foreign key with the rows that refer to no row. They must be stored.
    private func namingRows(_ failure: StoreFailure) throws(StoreFailure) -> StoreFailure {
        guard failure.isUnnamedReference, let rows = try danglingRows(foreignKeys.keys).first else {
            return failure
        }
        return rows.failure
    }

    /// Runs a change that a foreign key has refused once more, to find the rows that would refer to no row. The caller
    /// rolls it back.
    func naming(
        _ failure: StoreFailure, _ change: () throws(StoreFailure) -> Void
    ) throws(StoreFailure) -> StoreFailure {
        guard failure.isUnnamedReference, foreignKeys.isEnforced, !foreignKeys.areDeferred else { return failure }
        try run("PRAGMA defer_foreign_keys = ON")
        defer { try? run("PRAGMA defer_foreign_keys = OFF") }
        try change()
        return try namingRows(failure)
    }
}

extension StoreFailure {
    /// Whether a foreign key was violated, and the engine does not name it.
    var isUnnamedReference: Bool {
        guard case .constraint(let constraint) = self else { return false }
        return constraint.kind == .foreignKey && constraint.table == nil
    }
}

/// Rows of a table that refer to no row.
struct DanglingRows {
    let table: String
    let columns: [String]
    let target: String
    var count = 1
    /// The row number of the first one; nil if the table has none.
    let first: Int64?

    var violation: StoreViolation {
        StoreViolation(
            kind: .danglingKey, table: table, column: columns.isEmpty ? nil : columns.joined(separator: ", "),
            sentence: "refers to rows of \(target) that do not exist", rows: count, firstRow: first)
    }

    /// The error of a change that would leave them.
    var failure: StoreFailure {
        .constraint(StoreConstraint(.foreignKey, table: table, columns: columns, message: violation.description))
    }
}
