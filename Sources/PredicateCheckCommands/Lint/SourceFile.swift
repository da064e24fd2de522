// The files and folders that `predicate lint` reads. Linter.swift checks each file.

import PredicateRecords
import PredicateSyntax

/// A file to check.
struct SourceFile {
    enum Kind {
        case swift, objectiveC, python, shell, propertyList, json, yaml, dataModel
        /// A text file with one predicate on each line.
        case predicates
        /// Unknown from the name: a Munki manifest has no extension.
        case unknown
    }

    /// The path, starting with the operand of the command line.
    let path: String
    let kind: Kind

    init(_ path: String) {
        self.path = path
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let dot = name.dropFirst().lastIndex(of: ".")
        switch dot.map({ name[name.index(after: $0)...].lowercased() }) {
        case "swift": kind = .swift
        case "m", "mm", "h", "hh", "hpp", "c", "cc", "cpp", "pch": kind = .objectiveC
        case "py": kind = .python
        case "sh", "bash", "zsh", "ksh", "command": kind = .shell
        case "plist", "recipe", "pkginfo", "mobileconfig", "xib", "storyboard": kind = .propertyList
        case "json": kind = .json
        case "yaml", "yml": kind = .yaml
        case "predicate", "predicates": kind = .predicates
        case nil where name == "contents" && path.contains(".xcdatamodel/"): kind = .dataModel
        default: kind = .unknown
        }
    }

    /// Whether a file with this name is read when a folder is searched. A file named on the command line is always
    /// read.
    var isSource: Bool {
        let name = path.split(separator: "/").last ?? ""
        return kind != .unknown || !name.contains(".")
    }

    /// The kind, from the first bytes if the name does not determine it.
    func kind(of bytes: [UInt8]) -> Kind {
        guard kind == .unknown else { return kind }
        let head = bytes.prefix(512)
        let text = String(decoding: head, as: UTF8.self)
        if PropertyList.isBinary(bytes) || text.contains("<plist") { return .propertyList }
        if text.hasPrefix("#!"), text.prefix(while: { !$0.isNewline }).hasSuffix("sh") { return .shell }
        let first = head.first { $0 > 32 }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[") ? .json : .unknown
    }

    /// The bytes as UTF-8. UTF-16 with a byte order mark is converted. Other bytes that are not UTF-8 are read
    /// as Latin-1, which keeps lines and columns.
    static func decoded(_ bytes: [UInt8]) -> [UInt8] {
        let isBig = bytes.starts(with: [0xFE, 0xFF])
        if isBig || bytes.starts(with: [0xFF, 0xFE]) {
            var units: [UInt16] = []
            for index in stride(from: 2, to: bytes.count - 1, by: 2) {
                let pair = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
                units.append(isBig ? pair.0 << 8 | pair.1 : pair.1 << 8 | pair.0)
            }
            return Array(String(decoding: units, as: UTF16.self).utf8)
        }
        guard String(validUTF8: bytes) == nil else { return bytes }
        return bytes.flatMap { $0 < 0x80 ? [$0] : Array(String(Unicode.Scalar($0)).utf8) }
    }
}

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

    /// The files below the operands, in order, and the reasons why folders cannot be read. Of a data model, only the
    /// current version is included.
    func sourceFiles(_ operands: [String]) throws -> (files: [SourceFile], problems: [String]) {
        var files: [SourceFile] = []
        var problems: [String] = []
        // Entries still to visit, in reverse order.
        var pending = operands.reversed().map { ($0, true) }
        while let (name, isNamed) = pending.popLast() {
            switch entryKind(name, followsLinks: isNamed) {
            case nil where isNamed: throw CommandEnd.failure(.failed, "cannot read '\(name)': there is no such file")
            // Reading it reports that its name is not UTF-8.
            case nil where name.contains("\u{FFFD}") && SourceFile(name).isSource: files.append(SourceFile(name))
            case nil, .other: break
            case .file:
                let file = SourceFile(name)
                if isNamed || file.isSource { files.append(file) }
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

    /// The entries of a folder that may be sources, as paths.
    private func entries(ofProject folder: String) throws -> [String] {
        let path = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        if path.hasSuffix(".xcdatamodeld") { return [try ModelVersion.currentFolder(of: path, self)] }
        let prefix = path == "." ? "" : path.hasSuffix("/") ? path : path + "/"
        return try entries(path).filter { !Self.skippedFolders.contains($0) }.map { prefix + $0 }
    }
}
