// `--schema FILE --entity NAME`: what a command line or a request says that a predicate is about.

import PredicateModel
import PredicateRecords
import PredicateSyntax

extension OptionDescription {
    static let schema = OptionDescription(
        "--schema", value: "FILE",
        "check keys and types against a schema: a JSON file, - (standard input), a data model")
    static let entity = OptionDescription(
        "--entity", value: "NAME", "the schema's entity that is tested; may be left out where there is one only")
    static let modelVersion = OptionDescription(
        "--model-version", value: "NAME", "the version of a Core Data model, or all; the current one unless told")
}

/// The schema of a command line.
struct SchemaOption {
    let schema: Schema
    let language: LanguageOptions
    /// The Core Data model that the schema is from; nil where it is from a schema file.
    let model: ManagedObjectModel?
    /// The other versions of it that are asked about.
    let otherVersions: [ModelVersion]
    private let entity: String?

    /// nil where there is no `--schema`. What is wrong with the file is shown, each finding with its place in it.
    init?(_ invocation: Invocation, _ language: LanguageOptions) throws {
        guard let name = invocation[.schema] else {
            if invocation.has(.entity) { throw CommandEnd.usage("--entity needs --schema FILE") }
            if invocation.has(.modelVersion) {
                throw CommandEnd.usage("--model-version needs --schema MODEL.xcdatamodeld")
            }
            return nil
        }
        if name == "-", invocation.readsStandardInput {
            throw CommandEnd.usage("standard input cannot be both the schema and the predicates")
        }
        let shown = name == "-" ? "<stdin>" : name
        do {
            if ModelVersion.isModel(name) {
                let profile = try invocation.profile()
                let storedOnly =
                    ["sql", "fetch"].contains(invocation.command.name)
                    || profile?.lineage.contains("coredata-sqlite") == true
                let versions = try ModelVersion.named(
                    invocation[.modelVersion], of: name, storedOnly: storedOnly, invocation.input)
                (schema, model) = (versions.chosen.schema, versions.chosen.model)
                otherVersions = versions.others
            } else {
                if invocation.has(.modelVersion) { throw CommandEnd.usage("'\(name)' is no model with versions") }
                (schema, model, otherVersions) = (try Schema(value: JSON.parse(invocation.input.bytes(name))), nil, [])
            }
        } catch let problem as JSONProblem {
            throw CommandEnd.failure(.usage, "\(shown):\(problem.line):\(problem.column): \(problem.message)")
        } catch let error as SchemaError {
            for problem in error.problems {
                try invocation.output.note(DisplayText.visible("\(shown): \(problem)"))
            }
            throw CommandEnd.exit(.usage)
        }
        self.language = language
        entity = invocation[.entity] ?? schema.defaultEntity
        // A wrong name is told once, not for each predicate.
        if let entity { _ = try checker(entity: entity) }
    }

    /// The entity of the command line, or the schema's only one; nil where none is named.
    var namedEntity: String? { entity }

    /// The checker for an entity that a request names, else for that of the command line. Throws a `PredicateFailure`
    /// where the schema has no such entity, a `NoEntity` where none is named.
    func checker(entity name: String? = nil) throws -> TypeChecker {
        try TypeChecker(schema: schema, entity: try entityName(name), options: language)
    }

    /// The checkers of the other versions of the model that are asked about.
    func otherCheckers(entity name: String? = nil) throws -> [VersionChecker] {
        if otherVersions.isEmpty { return [] }
        let name = try entityName(name)
        return otherVersions.map { version in
            VersionChecker(
                version: version.name,
                checker: try? TypeChecker(schema: version.schema, entity: name, options: language),
                entity: name)
        }
    }

    /// The entity that a request names, else that of the command line.
    func entityName(_ name: String? = nil) throws(NoEntity) -> String {
        guard let name = name ?? entity else { throw NoEntity(names: schema.entityNames) }
        return name
    }
}

/// What another version of a model says of a predicate.
struct VersionChecker {
    let version: String
    /// nil where the version does not have the entity.
    let checker: TypeChecker?
    let entity: String

    /// What the version breaks.
    func breaks(_ read: PredicateText) -> [Diagnostic] {
        guard let checker else {
            let whole = SourceSpan(0, read.source.utf8.count)
            return [Diagnostic(.modelVersion, at: whole, version, "there is no entity '\(entity)'", "")]
        }
        return read.checked(by: checker).diagnostics.filter { $0.severity == .error }.map {
            Diagnostic(.modelVersion, at: $0.span, version, $0.message, $0.label ?? "")
        }
    }
}

/// No entity is named, and the schema does not have exactly one.
struct NoEntity: Error {
    let names: [String]

    var message: String {
        names.isEmpty ? "the schema has no entities" : "the schema has several entities, and none is named"
    }

    var hint: String? { names.isEmpty ? nil : "one of " + names.joined(separator: ", ") }
}

extension Invocation {
    /// Whether the predicates come from standard input.
    fileprivate var readsStandardInput: Bool {
        operands.isEmpty && (self[.batch] ?? self[.files] ?? "-") == "-"
    }

    /// The checker of the command line, and those of the other versions that are asked about; nil without `--schema`. What
    /// is wrong with its options is shown.
    func typeChecker(_ language: LanguageOptions) throws -> (checker: TypeChecker, others: [VersionChecker])? {
        do {
            return try schemaOption(language).map { (try $0.checker(), try $0.otherCheckers()) }
        } catch let problem as NoEntity {
            throw CommandEnd.usage(problem.message, hint: problem.hint.map { "--entity NAME, " + $0 })
        }
    }

    /// The schema of the command line; nil without `--schema`. What is wrong with it is shown.
    func schemaOption(_ language: LanguageOptions) throws -> SchemaOption? {
        do {
            return try SchemaOption(self, language)
        } catch let failure as PredicateFailure {
            let report = Report(self)
            if report.form == .json {
                try output.line(Answer(failure).json)
            } else {
                try report.show(failure.diagnostics, source: "")
            }
            throw CommandEnd.exit(.refused)
        }
    }
}
