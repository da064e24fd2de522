// Recognises files that contain no records that can be read, so that the message names the format instead of the first
// wrong byte.

/// A file in another format, recognised by its first bytes.
package enum ForeignFormat: Sendable {
    case gzip, zstd, sqlite, utf16

    /// The format; nil if it is not recognised.
    package init?(_ bytes: some Collection<UInt8>) {
        let start = Array(bytes.prefix(16))
        if start.starts(with: [0x1F, 0x8B]) {
            self = .gzip
        } else if start.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) {
            self = .zstd
        } else if start.elementsEqual("SQLite format 3\u{0}".utf8) {
            self = .sqlite
        } else if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) {
            self = .utf16
        } else if start.count >= 4, start[0] == 0 && start[2] == 0 || start[1] == 0 && start[3] == 0,
            start[..<4].contains(where: { $0 != 0 })
        {
            self = .utf16
        } else {
            return nil
        }
    }

    /// The program that prints the contents, and its arguments before the name of the file.
    package var reader: (program: String, arguments: [String])? {
        switch self {
        case .gzip: ("gzip", ["-dc", "--"])
        case .zstd: ("zstd", ["-dcq", "--"])
        case .sqlite, .utf16: nil
        }
    }

    /// The name of an input in a command that converts it.
    static func fileArgument(_ name: String) -> String { name == "<stdin>" ? "FILE" : name }

    /// The message: what the input is, and what to do.
    func message(_ name: String) -> String {
        let file = Self.fileArgument(name)
        return switch self {
        case .gzip: "the input is compressed by gzip: gunzip -c \(file) | predicate …"
        case .zstd: "the input is compressed by zstd: zstd -dc \(file) | predicate …"
        case .sqlite: "the input is a SQLite database: predicate fetch PREDICATE --database \(file)"
        case .utf16: "the text is UTF-16; records are read as UTF-8: iconv -f UTF-16 -t UTF-8 \(file) | predicate …"
        }
    }
}
