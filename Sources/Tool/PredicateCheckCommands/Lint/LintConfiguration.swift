// `.predicate.json`: options of `lint` and `lsp` for the files of a folder, and for paths in it. They are defaults of
// the command line options with the same names, so each option is parsed and checked in one place.

/// A configuration file:
///
///     { "schema": "App/Model.xcdatamodeld", "calls": ["find(where:)"], "ignore": ["wildcard-equality"],
///       "paths": { "UITests": { "profile": "xcuielementquery" }, "**/Photos*": { "entity": "Asset" } } }
struct LintConfiguration: FieldReading {
    static let fileName = ".predicate.json"

    var problems: [SchemaError.Problem] = []
    /// The folder of the file; ends with a slash.
    private let folder: String
    private var options: [String: [String]] = [:]
    private var paths: [(pattern: [Substring], options: [String: [String]])] = []

    /// The fields that hold one text, a list, or a file name.
    private static let texts: [String: OptionDescription] = [
        "schema": .schema, "entity": .entity, "modelVersion": .modelVersion, "profile": .profile,
        "baseline": .baseline,
    ]
    private static let lists: [String: OptionDescription] = [
        "keys": .key, "calls": .call, "select": .select, "ignore": .ignore, "extensions": .extensions,
    ]
    private static let files: Set = ["schema", "baseline"]
    private static let names = texts.keys.sorted() + lists.keys.sorted() + ["strict"]

    /// - Parameter folder: the folder of the file, as an absolute path that ends with a slash.
    init(_ value: PredicateValue, folder: String) {
        self.folder = folder
        guard let fields = object(value, at: "", Self.names + ["paths"]) else { return }
        options = read(fields, at: "")
        for (path, value) in members(fields["paths"], at: "paths") {
            guard let fields = object(value, at: "paths.\(path)", Self.names) else { continue }
            paths.append((path.split(separator: "/"), read(fields, at: "paths.\(path)")))
        }
    }

    private mutating func read(_ fields: ValueDictionary, at path: String) -> [String: [String]] {
        var options: [String: [String]] = [:]
        let prefix = path.isEmpty ? "" : path + "."
        for (name, option) in Self.texts {
            guard let text = text(fields, name, path) else { continue }
            let isPath = text.contains("/") || text.hasSuffix(".json")
            let isFile = Self.files.contains(name) || name == "profile" && isPath
            options[option.name] = [isFile && !text.hasPrefix("/") ? folder + text : text]
        }
        for (name, option) in Self.lists where fields[name] != nil {
            options[option.name] = texts(fields[name], at: prefix + name)
        }
        if flag(fields, "strict", path) == true { options[OptionDescription.strict.name] = [""] }
        return options
    }

    /// The options for a file, and a key that is the same for all files with the same options. For a text, a later path
    /// replaces an earlier one; lists are concatenated.
    ///
    /// - Parameter file: the absolute path.
    func options(for file: String) -> (key: String, values: [String: [String]]) {
        guard file.hasPrefix(folder) else { return (folder, options) }
        let components = file.dropFirst(folder.count).split(separator: "/")
        var values = options
        var key = folder
        for (index, rule) in paths.enumerated() where Self.matches(rule.pattern, components) {
            key += ":\(index)"
            for (name, new) in rule.options {
                let isList = [OptionDescription.ignore, .key, .call].contains { $0.name == name }
                values[name] = isList ? values[name, default: []] + new : new
            }
        }
        return (key, values)
    }

    /// Whether a pattern matches a path or one of its parent folders: `*` is any text within a name, `**` any number of
    /// folders. Compares each part of the pattern with each name at most once.
    static func matches(
        _ pattern: [Substring], _ path: [Substring],
        name matches: (_ pattern: Substring, _ name: Substring) -> Bool = LintConfiguration.matches
    ) -> Bool {
        // For each index in the path, whether the parts of the pattern from some part on match the names from there on.
        var rest = [Bool](repeating: true, count: path.count + 1)
        for part in pattern.reversed() {
            if part == "**" {
                rest[path.count] = false
                for index in path.indices.reversed() { rest[index] = rest[index] || rest[index + 1] }
            } else {
                for index in path.indices { rest[index] = rest[index + 1] && matches(part, path[index]) }
                rest[path.count] = false
            }
        }
        return rest[0]
    }

    private static func matches(_ pattern: Substring, _ name: Substring) -> Bool {
        let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
        guard parts.count > 1, let first = parts.first, let last = parts.last else { return pattern == name }
        guard name.count >= first.count + last.count, name.hasPrefix(first), name.hasSuffix(last) else { return false }
        var rest = name.dropFirst(first.count).dropLast(last.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let found = rest.firstRange(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }
}

/// A linter, and the options of the command for its files.
struct ConfiguredLinter {
    let linter: Linter
    /// Whether a warning fails the run.
    let isStrict: Bool
    /// The baseline: a file with accepted findings, or nil.
    let baseline: String?

    init(_ invocation: Invocation) throws {
        let environment = try invocation.environment()
        linter = Linter(
            environment: environment, profile: try invocation.profile(),
            schema: try invocation.schemaOption(environment)?.forLint,
            keys: invocation.values[OptionDescription.key.name] ?? [], calls: try invocation.callPatterns(),
            filter: try invocation.findingFilter())
        isStrict = invocation.has(.strict)
        baseline = invocation[.baseline]
    }
}

/// The linters of a run: one for all files with the same options.
final class Linters {
    private let invocation: Invocation
    private var configurations: [String: LintConfiguration?] = [:]
    private var linters: [String: ConfiguredLinter] = [:]

    /// The linter of the command line, without a configuration.
    let standard: ConfiguredLinter

    /// Reads the options of the command line first, so that a mistake in them is reported once.
    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        standard = try ConfiguredLinter(invocation)
    }

    /// The linter for a file, by the options of the command line and of the nearest configuration.
    func linter(for path: String) throws -> ConfiguredLinter {
        let file = invocation.input.absolutePath(path)
        guard let configuration = try configuration(above: file) else { return standard }
        let (key, options) = configuration.options(for: file)
        if let known = linters[key] { return known }
        let values = options.merging(invocation.values) { $1 }
        let linter = try ConfiguredLinter(invocation.reading(invocation.input.ofRegularFiles, values))
        linters[key] = linter
        return linter
    }

    /// The nearest configuration file in the folders above a path.
    private func configuration(above path: String) throws -> LintConfiguration? {
        guard path != "/", let slash = path.lastIndex(of: "/") else { return nil }
        let folder = String(path[...slash])
        if let known = configurations[folder] { return known }
        let file = folder + LintConfiguration.fileName
        let found =
            SystemFile.type(ofPath: file) != nil
            ? try read(file, folder) : try configuration(above: String(path[..<slash]))
        configurations[folder] = .some(found)
        return found
    }

    private func read(_ file: String, _ folder: String) throws -> LintConfiguration {
        try invocation.reading(invocation.input.ofRegularFiles).parsed(file, as: shown(file)) {
            (value) throws(SchemaError) -> LintConfiguration in
            let configuration = LintConfiguration(value, folder: folder)
            guard configuration.problems.isEmpty else { throw SchemaError(configuration.problems) }
            return configuration
        }
    }

    /// The path relative to the current folder if the file is below it.
    private func shown(_ file: String) -> String {
        let current = invocation.input.directory ?? SystemFile.currentFolder
        let folder = current.hasSuffix("/") ? current : current + "/"  // The root is `/` itself.
        return file.hasPrefix(folder) ? String(file.dropFirst(folder.count)) : file
    }
}
