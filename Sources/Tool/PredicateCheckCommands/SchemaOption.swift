// The options `--schema FILE --entity NAME`: the schema and the entity of predicates.

/// The schema given on the command line.
package struct SchemaOption {
    package let schema: PredicateSchema
    package let environment: PredicateEnvironment
    /// The Core Data model of the schema; nil for a schema file.
    let model: ManagedObjectModel?
    /// The other versions of the model to check.
    let otherVersions: [ModelVersion]
    /// The database that has the schema; nil for other schemas.
    private(set) var database: KnownDatabase?
    /// The entity of the command line, else the schema's default entity; nil if there is neither.
    package let entity: String?

    /// nil without `--schema` and `--database`. Prints the errors of the file with their positions and throws.
    init?(_ invocation: Invocation, _ environment: PredicateEnvironment) throws {
        guard let name = try invocation[.schema] ?? invocation.databaseName() else {
            if invocation.has(.entity) { throw CommandEnd.usage("--entity needs --schema FILE") }
            if invocation.has(.modelVersion) {
                throw CommandEnd.usage("--model-version needs --schema MODEL.xcdatamodeld")
            }
            return nil
        }
        if name == "-", invocation.readsStandardInput {
            throw CommandEnd.usage("standard input cannot be both the schema and the predicates")
        }
        do {
            if let database = try invocation.program.database(invocation, name) {
                (schema, model, otherVersions, self.database) = (database.schema, nil, [], database)
            } else if ModelVersion.isModel(name) {
                let isQuery = ["sql", "fetch"].contains(invocation.command.name)
                let profile = try invocation.profile()
                let storedOnly = isQuery || profile?.lineage.contains("coredata-sqlite") == true
                let versions = try ModelVersion.named(
                    invocation[.modelVersion], of: name, storedOnly: storedOnly, invocation.input)
                schema = try isQuery ? versions.chosen.schema : versions.chosen.schema.withObjectKeys()
                model = versions.chosen.model
                otherVersions = versions.others
            } else {
                if invocation.has(.modelVersion) { throw CommandEnd.usage("'\(name)' is not a model with versions") }
                (schema, model, otherVersions) = (try invocation.parsed(name, PredicateSchema.init(value:)), nil, [])
            }
        } catch let error as SchemaError {
            throw try invocation.end(FileErrors(file: name, bytes: nil, errors: error))
        }
        self.environment = environment
        entity = invocation[.entity] ?? schema.defaultEntity
        // Report an unknown entity once, not for each predicate.
        if let entity { _ = try checker(entity: entity) }
    }

    /// What lint needs.
    var forLint: LintSchema {
        LintSchema(schema: schema, model: model, otherVersions: otherVersions, entity: entity)
    }

    /// The checker for the given entity, else for that of the command line. Throws `PredicateFailure` for an
    /// unknown entity, `NoEntity` if none is given.
    func checker(entity name: String? = nil) throws -> TypeChecker {
        try TypeChecker(schema: schema, entity: try entityName(name), in: environment)
    }

    /// The checkers for the other versions of the model.
    func otherCheckers(entity name: String? = nil) throws -> [VersionChecker] {
        if otherVersions.isEmpty { return [] }
        let name = try entityName(name)
        return otherVersions.map { version in
            VersionChecker(
                version: version.name,
                checker: try? TypeChecker(schema: version.schema, entity: name, in: environment),
                entity: name)
        }
    }

    /// The given entity, else that of the command line.
    package func entityName(_ name: String? = nil) throws(NoEntity) -> String {
        guard let name = name ?? entity else { throw NoEntity(names: schema.entityNames) }
        return name
    }
}

extension PredicateSchema {
    /// The schema of a Core Data model, extended by the keys that every managed object has.
    fileprivate func withObjectKeys() throws(SchemaError) -> PredicateSchema {
        try PredicateSchema(
            entities.map { entity in
                var entity = entity
                for name in ["objectID", "entity"] where entity.parent == nil && key(name, of: entity.name) == nil {
                    entity.attributes.append(Attribute(name, .any))
                }
                return entity
            }, defaultEntity: defaultEntity, version: version)
    }
}

/// No entity is given, and the schema has no default entity.
package struct NoEntity: Error {
    package let names: [String]

    var message: String {
        names.isEmpty ? "the schema has no entities" : "the schema has several entities; name one"
    }

    var hint: String? { names.isEmpty ? nil : "one of " + names.joined(separator: ", ") }

    /// The end of a command that needs the option.
    package var end: CommandEnd { .usage(message, hint: hint.map { "--entity NAME, " + $0 }) }
}

extension Invocation {
    /// The database of the command line; nil without one. Some drivers need no address.
    package func databaseName() throws -> String? {
        if let name = self[.database] ?? self[.driver].map({ _ in "" }) { return name }
        if has(.driverOption) { throw CommandEnd.usage("--option needs --database or --driver") }
        return nil
    }

    /// Whether the predicates come from standard input.
    fileprivate var readsStandardInput: Bool {
        operands.isEmpty && (self[.batch] ?? self[.file] ?? "-") == "-"
    }

    /// The checker of the command line and those of other model versions; nil without `--schema`. Prints errors
    /// in the options and throws.
    func typeChecker(_ environment: PredicateEnvironment) throws -> (checker: TypeChecker, others: [VersionChecker])? {
        do {
            return try schemaOption(environment).map { (try $0.checker(), try $0.otherCheckers()) }
        } catch let problem as NoEntity {
            throw problem.end
        }
    }

    /// Reads a JSON file. Prints the errors in it with their positions, and throws.
    /// - Parameter file: the name of the file in messages.
    package func parsed<Value>(
        _ name: String, as file: String? = nil, _ read: (PredicateValue) throws(SchemaError) -> Value
    ) throws -> Value {
        let bytes = try input.bytes(name)
        let file = file ?? (name == "-" ? "<stdin>" : name)
        do {
            return try read(JSON.parse(bytes))
        } catch let problem as JSONProblem {
            throw CommandEnd.failure(.usage, "\(file):\(problem.line):\(problem.column): \(problem.message)")
        } catch let error as SchemaError {
            throw try end(FileErrors(file: file, bytes: bytes, errors: error))
        }
    }

    /// Prints the errors of a schema file or a profile, and returns the error that ends the command.
    package func end(_ errors: FileErrors) throws -> CommandEnd {
        for line in errors.lines { try output.note(DisplayText.visible(line)) }
        return .exit(.usage)
    }

    /// The schema of the command line; nil without `--schema`. Prints its errors and throws.
    package func schemaOption(_ environment: PredicateEnvironment) throws -> SchemaOption? {
        do {
            return try SchemaOption(self, environment)
        } catch let failure as PredicateFailure {
            let report = Report(self)
            if report.format == .json {
                try output.line(Answer(failure).json)
            } else {
                try report.show(failure.diagnostics, source: "")
            }
            throw CommandEnd.exit(.refused)
        }
    }
}
