// `predicate migrate`: migrates a database to another version of its schema.

import Foundation

extension CommandDescription {
    static let migrate = CommandDescription(
        name: "migrate", summary: "migrates a database to another version of its schema",
        operands: "", operandCount: 0...0,
        options: [
            .migratedDatabase, .fromVersion, .toVersion, .mapping, .allowLosing, .dryRun, .savedPredicates,
            .predicatesEntity, .extensions, .output, .noColor, .help,
        ],
        details: """
            Prints the differences between the versions and the entities whose objects are created again, and migrates the
            database in one transaction. If a migration is not possible, the command prints each obstacle with advice,
            changes nothing, and ends with exit code 4. A missing database is created with the tables of the version.

            The database records its version. Without a record and without --from, the old version consists of the tables
            that --to names; other tables and columns stay unchanged. In a schema file, "version" names the version,
            "formerly" is the former name of an entity, attribute or relationship, and "default" fills an attribute.

            A mapping file has everything else. Its values are expressions, and its conditions predicates, on the old objects:
              { "entities": { "Item": { "from": "Task", "where": "deleted == NO",
                                        "values": { "title": "name", "isUrgent": "name BEGINSWITH 'a'" } } } }
            An entity may have a list of sources, and several entities may have the same source.

            Indexes, triggers, views, constraints, defaults and everything else that the database has are kept. What cannot be
            kept, such as an index on a dropped column, is an obstacle with a name; --allow-losing NAME drops it.

            --predicates checks the saved predicates of --entity with both versions. It lists the predicates that are invalid
            only in the new version; then the exit code is 1. Only Core Data can migrate its stores; for such a store the
            command prints the version of its model.
            """,
        examples: [
            "predicate migrate --database todo.sqlite --to schema-2.json --dry-run",
            "predicate migrate --database todo.sqlite --from schema-1.json --to schema-2.json --mapping mapping.json",
        ]
    ) { try MigrateRun($0).run() }
}

/// One run of the command.
private struct MigrateRun {
    private let invocation: Invocation
    private let report: Report
    private let database: String
    private let path: String
    private let from: PredicateSchema?
    private let to: PredicateSchema
    private let mapping: MigrationMapping

    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        report = Report(invocation)
        guard let name = invocation[.migratedDatabase] else {
            throw CommandEnd.usage("a database is required", hint: "--database FILE.sqlite")
        }
        database = name
        path = invocation.input.path(name)
        guard let target = invocation[.toVersion] else {
            throw CommandEnd.usage("the version to migrate to is required", hint: "--to SCHEMA.json")
        }
        if invocation.has(.savedPredicates) != invocation.has(.predicatesEntity) {
            throw CommandEnd.usage("--predicates and --entity need each other")
        }
        if let sentence = try Self.managedVersion(invocation, target) { throw CommandEnd.failure(.refused, sentence) }
        from = try invocation[.fromVersion].map { try invocation.version($0) }
        to = try invocation.version(target)
        mapping = try invocation[.mapping].map { try invocation.parsed($0, MigrationMapping.init(value:)) } ?? .init()
    }

    /// Returns which version of the model a Core Data store has; nil for other databases.
    private static func managedVersion(_ invocation: Invocation, _ model: String) throws -> String? {
        guard let name = invocation[.migratedDatabase],
            FileManager.default.fileExists(atPath: invocation.input.path(name)),
            let store = try? SQLiteStore(path: invocation.input.path(name)), let version = try? store.managedVersion()
        else { return nil }
        var sentence = "'\(name)' is a store of Core Data, and only Core Data can migrate it"
        if ModelVersion.isModel(model) {
            let isSingle = model.hasSuffix(".xcdatamodel") || model.hasSuffix(".xcdatamodel/")
            let read = try ModelVersion.named(isSingle ? nil : "all", of: model, storedOnly: true, invocation.input)
            let versions = [read.chosen] + read.others
            let fitting = try store.fitting(versions.map(\.schema)).map { schema in
                versions.first { $0.schema == schema }?.name ?? ""
            }
            sentence +=
                fitting.isEmpty
                ? "; no version of the model fits it"
                : "; it is in the version '\(fitting.joined(separator: "' or '"))'"
        } else if let identifier = version.identifiers.first {
            sentence += "; it is in the version '\(identifier)'"
        }
        return sentence
    }

    func run() throws -> ExitCode {
        let broken = try brokenPredicates
        do {
            let isDry = invocation.has(.dryRun)
            let migration = try StoreMigration(
                path: path, to: to, from: from, mapping: mapping,
                allowingLossOf: Set(invocation.values[OptionDescription.allowLosing.name] ?? []), mode: .create)
            let result = try isDry ? migration.check(progress: tell) : migrate(migration)
            try show(result, migration, isDry: isDry)
            let saved = try broken(migration.source)
            if !result.obstacles.isEmpty { return .refused }
            return saved == 0 ? .success : .negative
        } catch let failure as StoreFailure {
            if case .cannotOpen(_, let reason) = failure {
                throw CommandEnd.failure(.failed, "cannot open '\(database)': \(reason)")
            }
            if case .otherVersion(let mismatch) = failure {
                throw CommandEnd.failure(
                    .refused, "the database records \(mismatch.recorded.versionForMessages), not that of --from")
            }
            throw CommandEnd.failure(.failed, failure.description)
        }
    }

    private func migrate(_ migration: StoreMigration) throws -> MigrationReport {
        do {
            return try migration.run(progress: tell)
        } catch let failure as MigrationFailure {
            return failure.report
        }
    }

    /// Prints the progress of a long migration, on a terminal only.
    private func tell(_ progress: MigrationProgress) {
        guard invocation.output.errorIsTerminal, progress.done % 100_000 == 0, progress.done > 0 else { return }
        try? invocation.output.note("\(progress.entity): \(progress.done) of \(progress.total)")
    }

    // MARK: Output

    private func show(_ result: MigrationReport, _ migration: StoreMigration, isDry: Bool) throws {
        let output = invocation.output
        if report.format == .json { return try output.line(JSON.text(fields(result, migration, isDry: isDry))) }
        for difference in result.differences { try output.line(DisplayText.visible(difference.description)) }
        for step in result.steps {
            let left = step.leftOut > 0 ? ", \(step.leftOut) left out by where" : ""
            try output.line(
                DisplayText.visible("\(step.entity): \(step.made) objects from \(step.read) of \(step.source)\(left)"))
        }
        for note in result.notes { try output.line("note: " + DisplayText.visible(note)) }
        for obstacle in result.obstacles { try output.note("error: " + DisplayText.visible(obstacle.description)) }
        let version = migration.target.versionForMessages
        let end =
            !result.obstacles.isEmpty
            ? "nothing was changed" : isDry ? "a dry run: nothing was changed" : "the database has \(version)"
        try output.line(DisplayText.visible(end))
    }

    private func fields(_ result: MigrationReport, _ migration: StoreMigration, isDry: Bool) -> PredicateValue {
        func object(_ fields: [(String, PredicateValue?)]) -> PredicateValue {
            .dictionary(ValueDictionary(fields.compactMap { name, value in value.map { (name, $0) } }))
        }
        func version(_ schema: PredicateSchema) -> PredicateValue {
            object([("version", schema.version.map { .string($0) }), ("hash", .string(schema.hash))])
        }
        let differences = result.differences.map { difference in
            object([
                ("change", .string(difference.id)), ("entity", .string(difference.entity)),
                ("key", difference.key.map { .string($0) }), ("message", .string(difference.description)),
            ])
        }
        let steps = result.steps.map { step in
            object([
                ("entity", .string(step.entity)), ("source", .string(step.source)),
                ("read", .integer(Int64(step.read))), ("made", .integer(Int64(step.made))),
                ("leftOut", .integer(Int64(step.leftOut))),
            ])
        }
        let obstacles = result.obstacles.map { obstacle in
            object([
                ("entity", .string(obstacle.entity)), ("key", obstacle.key.map { .string($0) }),
                ("message", .string(obstacle.message)),
            ])
        }
        return object([
            ("from", version(migration.source)), ("to", version(migration.target)),
            ("migrated", .bool(!isDry && result.obstacles.isEmpty)), ("differences", .array(differences)),
            ("steps", .array(steps)), ("notes", .array(result.notes.map { .string($0) })),
            ("obstacles", .array(obstacles)),
        ])
    }

    // MARK: Saved predicates

    /// Renames the keys of saved predicates. Prints the predicates that change, and those that the old version accepts
    /// and the new one does not; returns the number of the latter.
    private var brokenPredicates: (PredicateSchema) throws -> Int {
        get throws {
            guard let file = invocation[.savedPredicates], let entity = invocation[.predicatesEntity] else {
                return { _ in 0 }
            }
            let environment = try invocation.environment()
            let after = try checker(to, entity, environment)
            return { source in
                let former = to.entity(entity)?.formerly.flatMap { source.entity($0)?.name }
                guard source.entity(former ?? entity) != nil else {
                    throw CommandEnd.usage("the old version has no entity '\(entity)'")
                }
                let before = try checker(source, former ?? entity, environment)
                var count = 0
                try invocation.forEachLine(of: file) { text, shown, line in
                    var reader = TextReader()
                    reader.environment = environment
                    let read = reader.read(text)
                    guard case .predicate(let predicate) = read.tree, !read.checked(by: before).hasErrors else {
                        return
                    }
                    let renamed = try predicate.renamed(from: source, to: to, entity: former ?? entity)
                    let errors = after.check(renamed.root, source: text).filter { $0.severity == .error }
                    guard errors.isEmpty else {
                        count += 1
                        return try report.show(errors, source: text, file: shown, line: line)
                    }
                    guard renamed != predicate else { return }
                    let place = "\(shown ?? "-"):\(line)"
                    try invocation.output.note(DisplayText.visible("\(place): renamed: \(renamed)", limit: 1 << 20))
                }
                if count > 0 {
                    let verb = count == 1 ? "1 predicate is" : "\(count) predicates are"
                    try invocation.output.note("\(verb) broken by the new version")
                }
                return count
            }
        }
    }

    private func checker(_ schema: PredicateSchema, _ entity: String, _ environment: PredicateEnvironment) throws
        -> TypeChecker
    {
        do throws(PredicateFailure) {
            return try TypeChecker(schema: schema, entity: entity, in: environment)
        } catch {
            try report.show(error.diagnostics, source: "")
            throw CommandEnd.exit(.refused)
        }
    }
}

extension Invocation {
    /// Reads a version of a schema: a schema file, or the current version of a data model.
    fileprivate func version(_ name: String) throws -> PredicateSchema {
        if ModelVersion.isModel(name) {
            return try ModelVersion.named(nil, of: name, storedOnly: true, input).chosen.schema
        }
        return try parsed(name, PredicateSchema.init(value:))
    }
}
