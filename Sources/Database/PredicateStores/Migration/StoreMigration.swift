// Migrates a SQLite database from one version of its schema to another. MigrationPlan.swift plans the steps;
// MigrationRun.swift executes them.

/// A migration of a SQLite database to another version of its schema.
///
///     let migration = try StoreMigration(path: "todo.sqlite", to: version2, mapping: mapping)
///     for difference in migration.differences { print(difference) }    // Item.isUrgent: added, required boolean
///     try migration.run { print($0.entity, $0.done, "of", $0.total) }
///
/// Tables that are the same in both versions, except for their names and those of their columns, stay unchanged. The
/// others are created again and filled row by row, in one transaction, so a process that is interrupted leaves the old
/// version. Everything else in the database is kept: columns and tables that neither version names, indexes, triggers,
/// views, constraints, defaults, collations, generated columns and the numbers that AUTOINCREMENT has given. What
/// cannot be kept, such as an index on a dropped column, prevents the migration unless its loss is allowed.
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
    private let allowedLosses: Set<String>
    private let isMissing: Bool

    /// Opens a database, reads its version and compares it with another one. Changes nothing.
    ///
    /// - Parameters:
    ///   - path: a file.
    ///   - target: the version to migrate to.
    ///   - source: the version of the database; nil uses the recorded version, or else the part of the new version that
    ///     the tables have.
    ///   - mapping: how objects are made where names and types are not enough.
    ///   - allowedLosses: the names of indexes, triggers, views and constraints that the migration may lose; for a
    ///     constraint without a name, its text.
    ///   - mode: `.create` creates a database that does not exist, with the tables of the new version.
    /// - Throws: `cannotOpen`; `otherVersion` if the database records another version than `source`; `schema`, also for
    ///   a Core Data store, which only Core Data can migrate.
    public init(
        path: String, to target: PredicateSchema, from source: PredicateSchema? = nil,
        mapping: MigrationMapping = MigrationMapping(), allowingLossOf allowedLosses: Set<String> = [],
        mode: SQLStoreMode = .readWrite
    ) throws(StoreFailure) {
        self.path = path
        self.target = target
        self.mapping = mapping
        self.allowedLosses = allowedLosses
        do throws(StoreFailure) {
            let store = try SQLiteStore(path: path)
            if let name = try store.managedVersion()?.identifiers.first {
                throw .schema("Core Data keeps this store in its version '\(name)', and only Core Data can migrate it")
            } else if try store.managedVersion() != nil {
                throw .schema("this is a store of Core Data, and only Core Data can migrate it")
            }
            let recorded = try store.recordedVersion()
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
                !StoreProblem.all.contains(where: { $0.description == reason })
            else { throw error }
            isMissing = true
            self.source = .empty
        }
    }

    /// The differences between the two versions.
    public var differences: [SchemaDifference] { SchemaPairs(old: source, new: target).differences }

    /// Does what `run` does and rolls the transaction back. Reports what `run` would do, and all obstacles.
    ///
    ///     let obstacles = try migration.check().obstacles
    ///
    /// - Parameter progress: called after every thousand old objects, and at the end of each entity.
    /// - Throws: `storedValue` for a value that does not fit the old version; `readOnly`, `unusable` and other errors
    ///   that `run` would throw; `cancelled`. Cost: the time and space of a migration. Other programs can read the
    ///   database meanwhile, but not change it.
    public func check(progress: (MigrationProgress) -> Void = { _ in }) throws(StoreFailure) -> MigrationReport {
        try StoreFailure.only {
            do { return try migrate(isDry: true, progress) } catch let failure as MigrationFailure {
                return failure.report
            }
        }
    }

    /// Migrates the database in one transaction and records the new version.
    ///
    /// - Parameter progress: called after every thousand old objects, and at the end of each entity.
    /// - Throws: `MigrationFailure` with all obstacles; `storedValue` for a value that does not fit the old version;
    ///   `readOnly`; `unusable` if the database is locked or the disk is full; `cancelled`; other errors of the engine.
    ///   After an error the database has the old version. Cost: linear in the rows of the tables that change; memory
    ///   does not depend on their number.
    @discardableResult
    public func run(progress: (MigrationProgress) -> Void = { _ in }) throws -> MigrationReport {
        try migrate(isDry: false, progress)
    }

    /// - Throws: `MigrationFailure` to end the transaction; for a dry run also without obstacles.
    private func migrate(isDry: Bool, _ progress: (MigrationProgress) -> Void) throws -> MigrationReport {
        // SQLite's procedure (MigrationRun.swift), step 1: disable foreign keys, before the transaction. The connection is
        // only for this migration, so the setting ends with it, which is step 12.
        let opened = try SQLiteStore(
            path: isMissing && isDry ? ":memory:" : path, mode: isMissing ? .create : .readWrite, foreignKeys: .off)
        _ = try opened.rows("PRAGMA legacy_alter_table = OFF")
        // Steps 2 and 11: all of it is one transaction.
        return try withoutActuallyEscaping(progress) { progress in
            try opened.transaction {
                // Another program may have migrated the database since it was opened.
                let now = try opened.recordedVersion()
                if let now { try source.check(against: now) }
                let plan = try MigrationPlan(from: source, to: target, mapping, opened, allowingLossOf: allowedLosses)
                if plan.canFill { try rename(plan, opened) }
                var run = try MigrationRun(plan, plan.canFill ? opened.assuming(plan.old) : opened, progress: progress)
                if plan.canFill { try run.run() }
                let report = MigrationReport(
                    differences: plan.differences, steps: run.steps, notes: plan.notes,
                    obstacles: plan.obstacles + run.obstacles)
                if report.obstacles.isEmpty { try record(opened) }
                if isDry || !report.obstacles.isEmpty { throw MigrationFailure(report: report) }
                return report
            }
        }
    }

    /// Renames tables and columns, after dropping the views and triggers that prevent it.
    private func rename(_ plan: MigrationPlan, _ opened: SQLiteStore) throws(StoreFailure) {
        // A temporary table has precedence over a view with its name.
        for name in plan.views.map(SQLiteNames.quoted).sorted() {
            _ = try opened.rows("CREATE TEMP TABLE \(name) AS SELECT * FROM main.\(name)")
        }
        for part in try DatabaseTables(opened).parts.reversed() where plan.trial.droppedFirst.contains(part.key) {
            _ = try opened.rows("DROP \(part.type) IF EXISTS main.\(SQLiteNames.quoted(part.name))")
        }
        for statement in plan.renames { _ = try opened.rows(statement) }
    }

    /// Records the new version, and reads it again: a trigger on the table may ignore the change.
    private func record(_ opened: SQLiteStore) throws(StoreFailure) {
        try opened.writing { (connection) throws(StoreFailure) in try connection.record(target) }
        if try opened.recordedVersion()?.hash == target.hash { return }
        throw .schema("the database does not keep the version in the table \(PredicateSchema.versionTable)")
    }
}
