// Reads Core Data models from folders. `Model.xcdatamodeld` contains a folder `NAME.xcdatamodel` for each version, and
// a property list that names the current version.

extension ModelVersion {
    package static func isModel(_ path: String) -> Bool {
        let path = trimmed(path)
        return path.hasSuffix(".xcdatamodeld") || path.hasSuffix(".xcdatamodel")
    }

    private static func trimmed(_ path: String) -> String {
        path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// Reads a version by name, or the current version. `others` has the other versions if all are requested.
    ///
    /// - Parameter storedOnly: leaves out the keys that exist only in memory.
    package static func named(
        _ name: String?, of path: String, storedOnly: Bool, _ input: CommandInput
    ) throws -> (chosen: ModelVersion, others: [ModelVersion]) {
        let path = trimmed(path)
        guard path.hasSuffix(".xcdatamodeld") else {
            if name != nil { throw CommandEnd.usage("'\(path)' is a single version; it takes no --model-version") }
            return (try read(path, storedOnly, input), [])
        }
        let names = try versions(in: path, input)
        let current = try currentVersion(of: path, names, input)
        guard let name, name != "all" else {
            let others =
                name == nil
                ? [] : try names.filter { $0 != current }.map { try read("\(path)/\($0)", storedOnly, input) }
            return (try read("\(path)/\(current)", storedOnly, input), others)
        }
        guard let folder = names.first(where: { $0 == name + ".xcdatamodel" || $0 == name }) else {
            let known = names.map { String($0.dropLast(".xcdatamodel".count)) }
            throw CommandEnd.unknown(
                "the model has no version", name, among: known,
                else: "the versions are \(known.joined(separator: ", ")), and all")
        }
        return (try read("\(path)/\(folder)", storedOnly, input), [])
    }

    /// The folder of the current version.
    static func currentFolder(of path: String, _ input: CommandInput) throws -> String {
        try path + "/" + currentVersion(of: path, versions(in: path, input), input)
    }

    private static func versions(in path: String, _ input: CommandInput) throws -> [String] {
        let names = try input.entries(path).filter { $0.hasSuffix(".xcdatamodel") }
        guard !names.isEmpty else { throw CommandEnd.failure(.failed, "'\(path)' has no .xcdatamodel in it") }
        return names
    }

    /// The version named by `.xccurrentversion`. A model that never had a second version has no such file; then the
    /// last version in alphabetical order.
    private static func currentVersion(of path: String, _ names: [String], _ input: CommandInput) throws -> String {
        guard try input.entries(path).contains(".xccurrentversion"),
            case .dictionary(let list)? = try? PropertyList.parse(
                input.ofRegularFiles.bytes(path + "/.xccurrentversion")),
            case .string(let name)? = list["_XCCurrentVersionName"], names.contains(name)
        else { return names.last ?? "" }
        return name
    }

    private static func read(_ folder: String, _ storedOnly: Bool, _ input: CommandInput) throws -> ModelVersion {
        let file = folder + "/contents"
        let bytes = try input.ofRegularFiles.bytes(file)
        do {
            let model = try ManagedObjectModel(contents: bytes)
            let name = folder.split(separator: "/").last.map { String($0.dropLast(".xcdatamodel".count)) } ?? folder
            let schema = try model.schema(storedOnly: storedOnly, version: model.identifier ?? name)
            return ModelVersion(name: name, model: model, schema: schema)
        } catch let problem as DocumentProblem {
            let place = TextPosition(of: problem.offset, in: bytes)
            throw CommandEnd.failure(.usage, "\(file):\(place.line):\(place.column): \(problem.message)")
        }
    }
}
