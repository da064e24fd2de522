// Migrates a SQLite database from one version of its schema to another. MigrationPlan.swift plans the steps;
// MigrationRun.swift executes them.
public import PredicateModel
import PredicateSyntax

/// A migration of a SQLite database to another version of its schema.
///
///     let migration = try StoreMigration(path: "todo.sqlite", to: version2, mapping: mapping)
///     for difference in migration.differences { print(difference) }    // Item.isUrgent: added, required boolean
///     try migration.run { print($0.entity, $0.done, "of", $0.total) }
///
/// Tables that are the same in both versions stay unchanged. The others are created again and filled row by row, in one
/// transaction, so a process that is interrupted leaves the old version. Columns and tables that neither version names
/// are kept, and so are indexes and triggers whose columns are kept.
///
/// Without a mapping, a migration adds and drops keys and entities, renames them (`formerly`), makes keys optional or
/// required, fills in defaults, widens types (Boolean to integer, integer to double or decimal where that is exact),
/// and changes relationships between to-one and to-many where no object is lost. A `MigrationMapping` describes
/// everything else.
public struct StoreMigration: Sendable {
    /// The path of the database.
    package let path: String
    /// The version of the database: the one given, else the recorded one, else the part of the new version that the
    /// tables have.
    package let source: PredicateSchema
    /// The version after the migration.
    package let target: PredicateSchema
    private let mapping: MigrationMapping
    private let isMissing: Bool

    /// Opens a database, reads its version and compares it with another one. Changes nothing.
    ///
    /// - Parameters:
    ///   - path: a file.
    ///   - target: the version to migrate to.
    ///   - source: the version of the database; nil uses the recorded version, or else the part of the new version that
    ///     the tables have.
    ///   - mapping: how objects are made where names and types are not enough.
    ///   - mode: `.create` creates a database that does not exist, with the tables of the new version.
    /// - Throws: `cannotOpen`; `otherVersion` if the database records another version than `source`; `schema`, also for
    ///   a Core Data store, which only Core Data can migrate.
    public init(
        path: String, to target: PredicateSchema, from source: PredicateSchema? = nil,
        mapping: MigrationMapping = MigrationMapping(), mode: SQLStoreMode = .readWrite
    ) throws(StoreFailure) {
        self.path = path
        self.target = target
        self.mapping = mapping
        do throws(StoreFailure) {
            let store = try SQLiteStore(path: path)
            if let name = try store.managedVersion()?.identifiers.first {
                throw .schema("Core Data keeps this store in its version '\(name)', and only Core Data can migrate it")
            } else if try store.managedVersion() != nil {
                throw .schema("this is a store of Core Data, and only Core Data can migrate it")
            }
            let recorded = try store.recordedVersion()?.schema
            if let source { try source.check(against: recorded) }
            if let known = source ?? recorded {
                self.source = known
            } else {
                self.source = try DatabaseTables(store).version(like: target)
            }
            isMissing = false
        } catch {
            // A damaged file, or one that is not a database, exists and must not be created.
            guard mode == .create, case .cannotOpen(_, let reason) = error,
                !StoreProblem.allCases.contains(where: { $0.description == reason })
            else { throw error }
            isMissing = true
            self.source = .empty
        }
    }

    /// The differences between the two versions.
    public var differences: [SchemaDifference] { SchemaPairs(old: source, new: target).differences }

    /// Makes the new tables in a temporary database, and reports what `run` would do and all obstacles. The database is
    /// opened read-only.
    ///
    ///     let obstacles = try migration.check().obstacles
    ///
    /// - Parameter progress: called after every thousand old objects, and at the end of each entity.
    /// - Throws: `storedValue` for a value that does not fit the old version; `cancelled`; errors of the engine. Cost:
    ///   the time of a migration, and the same space in temporary files.
    public func check(progress: (MigrationProgress) -> Void = { _ in }) throws(StoreFailure) -> MigrationReport {
        let opened = try isMissing ? SQLiteStore(path: ":memory:", mode: .create) : SQLiteStore(path: path)
        do {
            return try withoutActuallyEscaping(progress) { progress in
                var (run, _) = try prepare(opened, "temp", progress)
                _ = try run.store.rows("BEGIN")
                if run.plan.obstacles.isEmpty { try run.fill() }
                _ = try run.store.rows("ROLLBACK")
                return report(run)
            }
        } catch {
            throw error as? StoreFailure ?? .schema("\(error)")
        }
    }

    /// Migrates the database in one transaction and records the new version.
    ///
    /// - Parameter progress: called after every thousand old objects, and at the end of each entity.
    /// - Throws: `MigrationFailure` with all obstacles; the errors of `check`; `unusable` if the database is locked or
    ///   the disk is full. After an error the database has the old version. Cost: linear in the rows of the tables that
    ///   change; memory does not depend on their number.
    @discardableResult
    public func run(progress: (MigrationProgress) -> Void = { _ in }) throws -> MigrationReport {
        let opened = try SQLiteStore(path: path, mode: isMissing ? .create : .readWrite)
        // Otherwise SQLite would rewrite the names in other tables and views while a table is replaced.
        _ = try opened.rows("PRAGMA foreign_keys = OFF")
        _ = try opened.rows("PRAGMA legacy_alter_table = ON")
        return try withoutActuallyEscaping(progress) { progress in
            try opened.transaction {
                // Another program may have migrated the database since it was opened.
                let now = try opened.recordedVersion()?.schema
                if let now { try source.check(against: now) }
                var (run, tables) = try prepare(opened, "main", progress)
                if run.plan.obstacles.isEmpty { try run.fill() }
                let report = report(run)
                if !report.obstacles.isEmpty { throw MigrationFailure(report: report) }
                try run.replace(tables)
                try opened.writing { (connection) throws(StoreFailure) in try connection.record(target) }
                return report
            }
        }
    }

    private func prepare(
        _ opened: SQLiteStore, _ database: String, _ progress: @escaping (MigrationProgress) -> Void
    ) throws -> (MigrationRun, DatabaseTables) {
        let tables = try DatabaseTables(opened)
        let plan = try MigrationPlan(from: source, to: target, mapping, tables)
        return (try MigrationRun(plan, opened.assuming(plan.old), database: database, progress: progress), tables)
    }

    private func report(_ run: MigrationRun) -> MigrationReport {
        MigrationReport(
            differences: run.plan.differences, steps: run.steps, notes: run.plan.notes,
            obstacles: run.plan.obstacles + run.obstacles)
    }
}
