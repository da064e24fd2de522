// The option `--profile NAME`: a built-in profile or a file.

import PredicateModel
import PredicateRecords
import PredicateSyntax

/// The built-in profiles.
enum ProfileLibrary {
    private static let files: [(name: String, bytes: [UInt8])] = [
        ("autopkg", PackageResources.autopkg_json), ("cloudkit", PackageResources.cloudkit_json),
        ("coredata-sqlite", PackageResources.coredata_sqlite_json), ("ddm", PackageResources.ddm_json),
        ("maplibre", PackageResources.maplibre_json), ("munki", PackageResources.munki_json),
        ("nsextension", PackageResources.nsextension_json), ("oslog", PackageResources.oslog_json),
        ("photos", PackageResources.photos_json), ("realm", PackageResources.realm_json),
        ("spotlight", PackageResources.spotlight_json),
        ("xcuielementquery", PackageResources.xcuielementquery_json), ("xcuitest", PackageResources.xcuitest_json),
    ]

    static let names = files.map(\.name)

    /// Returns a built-in profile by name, or nil. The tests read all of them.
    static func profile(named name: String) throws -> Profile? {
        guard let file = files.first(where: { $0.name == name }) else { return nil }
        return try read(file.bytes, name: name, file: name, depth: 0) { _ in nil }
    }

    /// Reads a profile and those that it extends.
    ///
    /// - Parameter open: returns the bytes of a file that the profile extends.
    static func read(
        _ bytes: [UInt8], name: String, file: String, depth: Int, open: (String) throws -> [UInt8]?
    ) throws -> Profile {
        do {
            return try extended(bytes, name: name, file: file, depth: depth, open: open)
        } catch let errors as SchemaError {
            throw FileErrors(file: file, bytes: bytes, errors: errors)
        }
    }

    private static func extended(
        _ bytes: [UInt8], name: String, file: String, depth: Int, open: (String) throws -> [UInt8]?
    ) throws -> Profile {
        var reader = ProfileReader()
        let profile: Profile
        do throws(JSONProblem) {
            profile = reader.read(try JSON.parse(bytes), name: name)
        } catch {
            throw CommandEnd.failure(.usage, "\(file):\(error.line):\(error.column): \(error.message)")
        }
        guard reader.problems.isEmpty else { throw SchemaError(reader.problems) }
        guard let parent = reader.parent else { return profile }
        guard depth < 8 else { throw SchemaError([.init("extends", "more than 8 profiles extend each other")]) }
        let base: Profile
        if let known = files.first(where: { $0.name == parent }) {
            base = try read(known.bytes, name: parent, file: parent, depth: depth + 1, open: open)
        } else if let bytes = try open(parent) {
            base = try read(bytes, name: parent, file: parent, depth: depth + 1, open: open)
        } else {
            throw SchemaError([
                .init(
                    "extends", "unknown profile '\(parent)'", suggestion: Suggestions.nearest(to: parent, in: names)
                )
            ])
        }
        return try base.extended(by: profile)
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
