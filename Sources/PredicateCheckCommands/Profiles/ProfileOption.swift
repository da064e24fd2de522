// The option `--profile NAME`: a built-in profile or a file.

import PredicateModel
import PredicateRecords
import PredicateSyntax

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

    package static let names = files.map(\.name)

    /// Returns a built-in profile by name, or nil. The tests read all of them.
    static func profile(named name: String) throws -> Profile? {
        guard let file = files.first(where: { $0.name == name }) else { return nil }
        return try read(file.bytes, name: name, file: name, depth: 0) { _ in nil }
    }

    /// Reads a profile and those that it extends.
    ///
    /// - Parameter open: returns the bytes of a file that the profile extends.
    package static func read(
        _ bytes: [UInt8], name: String, file: String, depth: Int, open: (String) throws -> [UInt8]?
    ) throws -> Profile {
        try extended(bytes, name: name, file: file, depth: depth, open: open).profile
    }

    /// A profile, and its JSON together with that of the profiles it extends.
    private static func extended(
        _ bytes: [UInt8], name: String, file: String, depth: Int, open: (String) throws -> [UInt8]?
    ) throws -> (profile: Profile, json: PredicateValue) {
        var reader = ProfileReader()
        do {
            let json: PredicateValue
            do throws(JSONProblem) {
                json = try JSON.parse(bytes)
            } catch {
                throw CommandEnd.failure(.usage, "\(file):\(error.line):\(error.column): \(error.message)")
            }
            let own = reader.read(json, name: name)
            guard reader.problems.isEmpty else { throw SchemaError(reader.problems) }
            guard let parent = reader.parent else { return (own, json) }
            guard depth < 8 else { throw SchemaError([.init("extends", "more than 8 profiles extend each other")]) }
            guard let bytes = try files.first(where: { $0.name == parent })?.bytes ?? open(parent) else {
                let nearest = Suggestions.nearest(to: parent, in: names)
                throw SchemaError([.init("extends", "unknown profile '\(parent)'", suggestion: nearest)])
            }
            let base = try extended(bytes, name: parent, file: parent, depth: depth + 1, open: open)
            let whole = merged(base.json, json)
            var profile = reader.read(whole, name: name)
            guard reader.problems.isEmpty else { throw SchemaError(reader.problems) }
            profile.lineage = own.lineage + base.profile.lineage
            return (profile, whole)
        } catch let errors as SchemaError {
            throw FileErrors(file: file, bytes: bytes, errors: errors)
        }
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

extension Invocation {
    /// The profile of the command line, or nil. Prints the errors of a profile and throws.
    func profile() throws -> Profile? {
        guard let name = self[.profile] else { return nil }
        do {
            if let known = try ProfileLibrary.profile(named: name) { return known }
            guard name.hasSuffix(".json") || name.contains("/") else {
                throw CommandEnd.usage(
                    "unknown profile '\(name)'",
                    hint: OptionParser.didYouMean(name, ProfileLibrary.names)
                        ?? "the profiles are \(ProfileLibrary.names.joined(separator: ", ")); or give a file")
            }
            let folder = name.lastIndex(of: "/").map { String(name[...$0]) } ?? ""
            return try ProfileLibrary.read(input.bytes(name), name: name, file: name, depth: 0) { parent in
                guard parent.hasSuffix(".json") else { return nil }
                return try input.ofRegularFiles.bytes(parent.hasPrefix("/") ? parent : folder + parent)
            }
        } catch let errors as FileErrors {
            throw try end(errors)
        }
    }
}
