// The kinds of files that have predicates. Linter.swift checks a file.

/// A file to check.
package struct SourceFile {
    package enum Kind {
        case swift, objectiveC, python, shell, propertyList, json, yaml, dataModel
        /// A text file with one predicate on each line.
        case predicates
        /// Unknown from the name: a Munki manifest has no extension.
        case unknown
    }

    /// The path, starting with the operand of the command line.
    package let path: String
    package let kind: Kind

    package init(_ path: String) {
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
    package var isSource: Bool {
        let name = path.split(separator: "/").last ?? ""
        return kind != .unknown || !name.contains(".")
    }

    /// The kind, from the first bytes if the name does not determine it.
    package func kind(of bytes: [UInt8]) -> Kind {
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
    package static func decoded(_ bytes: [UInt8]) -> [UInt8] {
        let isBig = bytes.starts(with: [0xFE, 0xFF])
        if isBig || bytes.starts(with: [0xFF, 0xFE]) {
            let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
                let pair = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
                return isBig ? pair.0 << 8 | pair.1 : pair.1 << 8 | pair.0
            }
            return Array(String(decoding: units, as: UTF16.self).utf8)
        }
        guard String(validUTF8: bytes) == nil else { return bytes }
        return bytes.flatMap { $0 < 0x80 ? [$0] : Array(String(Unicode.Scalar($0)).utf8) }
    }
}
