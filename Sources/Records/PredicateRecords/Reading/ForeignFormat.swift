// Recognises files that contain no records that can be read, so that the message names the format instead of the first
// wrong byte.

/// A file in another format, recognised by its first bytes.
package enum ForeignFormat: Sendable {
    case gzip, zstd, bzip2, xz, sqlite, duckdb, parquet, zip, utf16

    /// Bytes by which a format is recognised, and their offset.
    private static let signatures: [(format: Self, offset: Int, bytes: [UInt8])] = [
        (.gzip, 0, [0x1F, 0x8B]), (.zstd, 0, [0x28, 0xB5, 0x2F, 0xFD]), (.xz, 0, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]),
        (.sqlite, 0, Array("SQLite format 3\u{0}".utf8)), (.duckdb, 8, Array("DUCK".utf8)),
        (.parquet, 0, Array("PAR1".utf8)), (.zip, 0, [0x50, 0x4B, 3, 4]), (.utf16, 0, [0xFF, 0xFE]),
        (.utf16, 0, [0xFE, 0xFF]),
    ]

    /// The format; nil if it is not recognised.
    package init?(_ bytes: some Collection<UInt8>) {
        let start = Array(bytes.prefix(16))
        if start.starts(with: "BZh".utf8), start.dropFirst(4).starts(with: [0x31, 0x41, 0x59]) {
            self = .bzip2
        } else if let found = Self.signatures.first(where: { start.dropFirst($0.offset).starts(with: $0.bytes) }) {
            self = found.format
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
        case .bzip2, .xz, .sqlite, .duckdb, .parquet, .zip, .utf16: nil
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
        case .bzip2: "the input is compressed by bzip2: bunzip2 -c \(file) | predicate …"
        case .xz: "the input is compressed by xz: xz -dc \(file) | predicate …"
        case .duckdb: "the input is a DuckDB database: predicate fetch PREDICATE --database duckdb:\(file)"
        case .parquet:
            "the input is a Parquet file: duckdb -c \"COPY (FROM '\(file)') TO '\(file).jsonl' (FORMAT json)\""
        case .zip:
            "the input is a zip archive, or a spreadsheet: unzip -p \(file) | predicate …, or save the sheet as CSV"
        case .sqlite: "the input is a SQLite database: predicate fetch PREDICATE --database \(file)"
        case .utf16: "the text is UTF-16; records are read as UTF-8: iconv -f UTF-16 -t UTF-8 \(file) | predicate …"
        }
    }
}
