// Opens files of records, including compressed ones.

/// An input that may be compressed.
package enum CompressedInput {
    case file(_ path: String)
    /// - Parameters:
    ///   - start: the first bytes, which were already read if the descriptor is not a file.
    ///   - isFile: whether another program can read all bytes from the descriptor itself.
    case descriptor(Int32, start: [UInt8], isFile: Bool)

    /// Returns nil if the input is not compressed or the program that decompresses it is missing.
    package typealias Reading =
        @Sendable (CompressedInput, _ name: String, ReaderOptions, _ isWhole: Bool) throws(RecordProblem)
        -> RecordReader?
}

extension CommandInput {
    /// The files of records that names on the command line stand for: a folder for the files in it whose names end as
    /// those of a format, sorted, without those in folders below.
    package func recordFiles(_ names: [String]) throws -> [String] {
        try names.flatMap { name -> [String] in
            guard name != "-", entryKind(name, followsLinks: true) == .folder else { return [name] }
            let prefix = name.hasSuffix("/") ? name : name + "/"
            let files = try entries(name)
                .filter { !$0.hasPrefix(".") && RecordFormat.isNamed($0) }.map { prefix + $0 }
                .filter { isFile($0) || entryKind($0, followsLinks: true) == nil }
            guard files.isEmpty else { return files }
            let endings = RecordFormat.extensions.map { "." + $0.name }.joined(separator: ", ")
            throw CommandEnd.failure(.failed, "the folder '\(name)' has no files of records (\(endings))")
        }
    }

    /// Opens a file of records. A file compressed by gzip or zstd is decompressed by that program. If it is damaged or
    /// cut off, the last event of the reader is a problem.
    ///
    /// - Parameter isWhole: whether to decompress the file to its end before its first record is read. Then a damaged
    ///   file has no records.
    package func reader(
        _ name: String, _ options: ReaderOptions, isWhole: Bool = false
    ) throws(RecordProblem) -> RecordReader {
        // A test has no process of its own.
        if descriptor != nil, name != "-", OutputPlace.isOutput(path(name)) {
            throw RecordProblem(file: name, message: "it is also the output: write to another file")
        }
        let isInput = name == "-"
        let isPipe = isInput || entryKind(name, followsLinks: true) == .file && !isFile(name)
        if keepsPipes && isPipe || isInput && descriptor == nil {
            let shown = isInput ? "<stdin>" : name
            do { return RecordReader(bytes: try bytes(name), name: shown, options: options) } catch {
                let reason = if case CommandEnd.failure(_, let reason) = error { reason } else { "cannot read" }
                throw RecordProblem(file: shown, message: reason)
            }
        }
        #if os(macOS) || os(Linux)
            if isInput, let descriptor { return try reader(descriptor, options, isWhole) }
            if isFile(name), let reader = try decompressing?(.file(path(name)), name, options, isWhole) {
                return reader
            }
        #endif
        return try RecordReader(path: path(name), name: name, options: options)
    }

    #if os(macOS) || os(Linux)
        /// Reads standard input.
        private func reader(
            _ descriptor: Int32, _ options: ReaderOptions, _ isWhole: Bool
        ) throws(RecordProblem) -> RecordReader {
            let place = SystemFile.place(descriptor)
            let start = SystemFile.bytes(descriptor, upTo: 16) ?? []
            if let place { SystemFile.move(descriptor, to: place) }
            let compressed = CompressedInput.descriptor(descriptor, start: start, isFile: place != nil)
            if let reader = try decompressing?(compressed, "<stdin>", options, isWhole) { return reader }
            return RecordReader(
                descriptor: descriptor, name: "<stdin>", options: options, start: place == nil ? start : [])
        }
    #endif
}

extension CommandInput {
    private static let databaseMagic = Array("SQLite format 3\0".utf8)
    private static let databaseExtensions: Set = ["sqlite", "sqlite3", "db", "db3"]

    /// Whether a file is a SQLite database, by its extension or its first bytes.
    package func isDatabase(_ name: String) -> Bool {
        let file = name.split(separator: "/").last ?? ""
        if let dot = file.lastIndex(of: "."),
            Self.databaseExtensions.contains(file[file.index(after: dot)...].lowercased())
        {
            return true
        }
        guard isFile(name), let next = try? source(name), let bytes = try? next() else { return false }
        return bytes.starts(with: Self.databaseMagic)
    }
}
