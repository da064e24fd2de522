// The built-in profiles, and profiles that extend others. ProfileReader.swift reads one file.

/// The errors of a schema file or a profile.
package struct FileErrors: Error {
    package let file: String
    /// The JSON text; nil for a data model.
    package let bytes: [UInt8]?
    let errors: SchemaError

    package init(file: String, bytes: [UInt8]?, errors: SchemaError) {
        (self.file, self.bytes, self.errors) = (file, bytes, errors)
    }

    /// A line for each error, with its place in the file.
    package var lines: [String] {
        errors.problems.map { problem in
            guard let bytes else { return "\(file): \(problem)" }
            let place = TextPosition(of: JSON.offset(of: problem.path, in: bytes), in: bytes)
            return "\(file):\(place.line):\(place.column): \(problem)"
        }
    }
}

/// Why a profile cannot be read.
package enum ProfileFailure: Error {
    case json(JSONProblem, file: String)
    case fields(FileErrors)

    package var lines: [String] {
        switch self {
        case .json(let problem, let file): ["\(file):\(problem.line):\(problem.column): \(problem.message)"]
        case .fields(let errors): errors.lines
        }
    }
}

/// The built-in profiles that were read, each when it was first needed.
package final class KnownProfiles {
    private var known: [String: Profile?] = [:]

    package init() {}

    subscript(name: String) -> Profile? {
        if let profile = known[name] { return profile }
        let profile = try? ProfileLibrary.profile(named: name)
        known[name] = .some(profile)
        return profile
    }
}

/// The built-in profiles.
package enum ProfileLibrary {
    private static let files: [(name: String, bytes: [UInt8])] = [
        ("autopkg", PackageResources.autopkg_json), ("cloudkit", PackageResources.cloudkit_json),
        ("coredata-sqlite", PackageResources.coredata_sqlite_json), ("ddm", PackageResources.ddm_json),
        ("maplibre", PackageResources.maplibre_json), ("munki", PackageResources.munki_json),
        ("nsextension", PackageResources.nsextension_json), ("oslog", PackageResources.oslog_json),
        ("photos", PackageResources.photos_json), ("realm", PackageResources.realm_json),
        ("spotlight", PackageResources.spotlight_json),
        ("xcuielementquery", PackageResources.xcuielementquery_json), ("xcuitest", PackageResources.xcuitest_json),
    ]

    package static let names = files.map { $0.name }

    /// Returns a built-in profile by name, or nil. The tests read all of them.
    package static func profile(named name: String) throws(ProfileFailure) -> Profile? {
        guard let file = files.first(where: { $0.name == name }) else { return nil }
        return try read(file.bytes, name: name, file: name, depth: 0) { _ in nil }
    }

    /// Reads a profile and those that it extends.
    ///
    /// - Parameter open: returns the bytes of a file that the profile extends; nil if there is no such profile.
    package static func read(
        _ bytes: [UInt8], name: String, file: String, depth: Int, open: (String) -> [UInt8]?
    ) throws(ProfileFailure) -> Profile {
        try extended(bytes, name: name, file: file, depth: depth, open: open).profile
    }

    /// A profile, and its JSON together with that of the profiles it extends.
    private static func extended(
        _ bytes: [UInt8], name: String, file: String, depth: Int, open: (String) -> [UInt8]?
    ) throws(ProfileFailure) -> (profile: Profile, json: PredicateValue) {
        func failure(_ problems: [SchemaError.Problem]) -> ProfileFailure {
            .fields(FileErrors(file: file, bytes: bytes, errors: SchemaError(problems)))
        }
        var reader = ProfileReader()
        let json: PredicateValue
        do throws(JSONProblem) {
            json = try JSON.parse(bytes)
        } catch {
            throw .json(error, file: file)
        }
        let own = reader.read(json, name: name)
        guard reader.problems.isEmpty else { throw failure(reader.problems) }
        guard let parent = reader.parent else { return (own, json) }
        guard depth < 8 else { throw failure([.init("extends", "more than 8 profiles extend each other")]) }
        guard let parentBytes = files.first(where: { $0.name == parent })?.bytes ?? open(parent) else {
            let nearest = Suggestions.nearest(to: parent, in: names)
            throw failure([.init("extends", "unknown profile '\(parent)'", suggestion: nearest)])
        }
        let base = try extended(parentBytes, name: parent, file: parent, depth: depth + 1, open: open)
        let whole = merged(base.json, json)
        var profile = reader.read(whole, name: name)
        guard reader.problems.isEmpty else { throw failure(reader.problems) }
        profile.lineage = own.lineage + base.profile.lineage
        return (profile, whole)
    }

    /// The JSON of a profile with that of one that extends it: objects have the fields of both, lists the elements of both.
    /// A construct that `only` or `not` of the second one names leaves the other one of the first.
    private static func merged(_ base: PredicateValue, _ child: PredicateValue) -> PredicateValue {
        switch (base, child) {
        case (.dictionary(var fields), .dictionary(let others)):
            if case .dictionary(var not)? = fields["not"], case .array(let only)? = others["only"] {
                for case .string(let name) in only { not[name] = nil }
                fields["not"] = .dictionary(not)
            }
            if case .array(let only)? = fields["only"], case .dictionary(let not)? = others["not"] {
                fields["only"] = .array(only.filter { name in !not.keys.contains { name == .string($0) } })
            }
            for (name, value) in zip(others.keys, others.values) {
                fields[name] = fields[name].map { merged($0, value) } ?? value
            }
            return .dictionary(fields)
        case (.array(let values), .array(let others)): return .array(values + others)
        default: return child
        }
    }
}
