// The files and folders that `predicate lint` reads.

extension CommandInput {
    /// Folders that contain no sources of the project. They are searched only if named on the command line.
    static let skippedFolders: Set = [".git", ".build", "node_modules", "Pods", "Carthage"]

    package enum EntryKind { case file, folder, other }

    /// The kind of entry at a path; nil if there is none. Follows a symbolic link only if `followsLinks`.
    package func entryKind(_ name: String, followsLinks: Bool) -> EntryKind? {
        switch SystemFile.type(ofPath: path(name), followsLinks: followsLinks) {
        case nil: nil
        case .folder?: .folder
        case .file?: .file
        case .other?: followsLinks ? .file : .other
        }
    }

    /// The names in a folder, sorted so that the output is stable. Bytes that are not UTF-8 become U+FFFD.
    package func entries(_ folder: String) throws -> [String] {
        guard let names = SystemFile.entries(path(folder)) else {
            throw CommandEnd.failure(.failed, "cannot read the folder '\(folder)'")
        }
        return names.filter { $0 != "." && $0 != ".." }.sorted()
    }

    /// The files below the operands, each once and in order, and the reasons why folders cannot be read. Of a data model,
    /// only the current version is included.
    func sourceFiles(_ operands: [String]) throws -> (files: [SourceFile], problems: [String]) {
        var files: [SourceFile] = []
        var problems: [String] = []
        var found: Set<[Substring]> = []
        // Entries still to visit, in reverse order.
        var pending = operands.reversed().map { ($0, true) }
        while let (name, isNamed) = pending.popLast() {
            switch entryKind(name, followsLinks: isNamed) {
            case nil where isNamed: problems.append("cannot read '\(name)': there is no such file")
            // Reading it reports that its name is not UTF-8.
            case nil where name.contains("\u{FFFD}") && SourceFile(name).isSource: files.append(SourceFile(name))
            case nil, .other: break
            case .file:
                let file = SourceFile(name)
                let isNew = found.insert(name.split(separator: "/").filter { $0 != "." }).inserted
                if isNew, isNamed || file.isSource || isPropertyList(file) { files.append(file) }
            case .folder:
                do {
                    let entries = try entries(ofProject: name)
                    pending += entries.reversed().map { ($0, false) }
                } catch CommandEnd.failure(_, let reason) {
                    problems.append(reason)
                }
            }
        }
        return (files, problems)
    }

    /// Whether a file whose name has no known extension is a property list: `manifests/mac1.example.com`.
    private func isPropertyList(_ file: SourceFile) -> Bool {
        guard file.kind == .unknown, let head = OpenFile(path(file.path))?.read(upTo: 512) else { return false }
        // Other texts, such as documentation, may contain a property list.
        let isText = head.first { $0 > 32 } == UInt8(ascii: "<")
        return (isText || PropertyList.isBinary(head)) && file.kind(of: head) == .propertyList
    }

    /// The entries of a folder that may be sources, as paths.
    private func entries(ofProject folder: String) throws -> [String] {
        let path = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        if path.hasSuffix(".xcdatamodeld") { return [try ModelVersion.currentFolder(of: path, self)] }
        let prefix = path == "." ? "" : path.hasSuffix("/") ? path : path + "/"
        return try entries(path).filter { !Self.skippedFolders.contains($0) }.map { prefix + $0 }
    }
}
