// Opens files of records, including compressed ones.

import Foundation
import PredicateRecords

extension CommandInput {
    /// The files of records that names on the command line stand for: a folder for the files in it whose names end as
    /// those of a format, sorted, without those in folders below.
    func recordFiles(_ names: [String]) throws -> [String] {
        try names.flatMap { name -> [String] in
            guard name != "-", entryKind(name, followsLinks: true) == .folder else { return [name] }
            let prefix = name.hasSuffix("/") ? name : name + "/"
            let files = try entries(name)
                .filter { !$0.hasPrefix(".") && RecordFormat.isNamed($0) }.map { prefix + $0 }
                .filter { isFile($0) || entryKind($0, followsLinks: true) == nil }
            guard files.isEmpty else { return files }
            let endings = RecordFormat.extensions.joined(separator: ", ")
            throw CommandEnd.failure(.failed, "the folder '\(name)' has no files of records (\(endings))")
        }
    }

    /// Opens a file of records. A file compressed by gzip or zstd is decompressed by that program. If it is damaged or
    /// cut off, the last event of the reader is a problem.
    ///
    /// - Parameter isWhole: whether to decompress the file to its end before its first record is read. Then a damaged
    ///   file has no records.
    func reader(
        _ name: String, _ options: ReaderOptions, isWhole: Bool = false
    ) throws(RecordProblem) -> RecordReader {
        // A test has no process of its own.
        if descriptor != nil, name != "-", OutputPlace.isOutput(path(name)) {
            throw RecordProblem(file: name, message: "it is also the output: write to another file")
        }
        if keepsPipes, name == "-" || entryKind(name, followsLinks: true) == .file && !isFile(name) {
            let shown = name == "-" ? "<stdin>" : name
            do { return RecordReader(bytes: try bytes(name), name: shown, options: options) } catch {
                let reason = if case CommandEnd.failure(_, let reason) = error { reason } else { "cannot read" }
                throw RecordProblem(file: shown, message: reason)
            }
        }
        #if os(macOS) || os(Linux)
            if name == "-", let descriptor { return try Self.reader(descriptor, options, isWhole) }
            if isFile(name), let program = Decompressor(path(name)) {
                return try program.reader(name, options, isWhole)
            }
        #endif
        return try RecordReader(path: path(name), name: name, options: options)
    }

    #if os(macOS) || os(Linux)
        /// Reads standard input.
        private static func reader(
            _ descriptor: Int32, _ options: ReaderOptions, _ isWhole: Bool
        ) throws(RecordProblem) -> RecordReader {
            let place = SystemFile.place(descriptor)
            var start = [UInt8](repeating: 0, count: 16)
            start.removeLast(start.count - max(0, SystemFile.read(descriptor, &start, start.count)))
            if let place { SystemFile.move(descriptor, to: place) }
            if let program = Decompressor(descriptor, start: start, isFile: place != nil) {
                return try program.reader("<stdin>", options, isWhole)
            }
            return RecordReader(
                descriptor: descriptor, name: "<stdin>", options: options, start: place == nil ? start : [])
        }
    #endif
}

#if os(macOS) || os(Linux)
    /// The process that decompresses a file or standard input.
    private final class Decompressor {
        private let process = Process()
        private let pipe = Pipe()
        private let errors = Pipe()
        /// The decompressed bytes, if they are read after the process has ended.
        private var whole: FileHandle?

        /// Starts the program. nil if the file is not compressed or the program is missing; in the second case, reading
        /// the file reports that it is compressed.
        init?(_ path: String) {
            guard let handle = FileHandle(forReadingAtPath: path),
                let start = try? handle.read(upToCount: 16), run(start, [path], FileHandle.nullDevice)
            else { return nil }
        }

        /// Starts the program with a descriptor as its input.
        /// - Parameters:
        ///   - start: the first bytes, which were already read if the descriptor is not a file.
        ///   - isFile: whether the program can read all bytes from the descriptor itself.
        init?(_ descriptor: Int32, start: [UInt8], isFile: Bool) {
            let whole = FileHandle(fileDescriptor: descriptor)
            if isFile {
                guard run(start, [], whole) else { return nil }
                return
            }
            let feed = Pipe()
            guard run(start, [], feed) else { return nil }
            Thread.detachNewThread {
                let output = feed.fileHandleForWriting
                var bytes = Data(start)
                while !bytes.isEmpty, (try? output.write(contentsOf: bytes)) != nil {
                    bytes = (try? whole.read(upToCount: 1 << 16)) ?? Data()
                }
                try? output.close()
            }
        }

        private func run(_ start: some Collection<UInt8>, _ files: [String], _ input: Any) -> Bool {
            guard let known = ForeignFormat(start)?.reader else { return false }
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = [known.program] + known.arguments + files
            process.standardOutput = pipe
            process.standardError = errors
            process.standardInput = input
            let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
            return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(known.program)") }
                && (try? process.run()) != nil
        }

        deinit {
            if process.isRunning { process.terminate() }
        }

        func reader(
            _ name: String, _ options: ReaderOptions, _ isWhole: Bool
        ) throws(RecordProblem) -> RecordReader {
            var options = options
            // `orders.csv.gz` is CSV.
            let inner = name.split(separator: ".").dropLast().joined(separator: ".")
            options.format = options.format ?? RecordFormat(path: inner)
            if inner.hasSuffix(".tsv") { options.delimiter = options.delimiter ?? "\t" }
            if isWhole { whole = try decompressed(name) }
            let output = whole ?? pipe.fileHandleForReading
            let reader = RecordReader(descriptor: output.fileDescriptor, name: name, options: options)
            reader.owner = self
            if !isWhole { reader.atEnd = { [unowned self] in problem() } }
            return reader
        }

        /// A file without a name that has the decompressed bytes.
        private func decompressed(_ name: String) throws(RecordProblem) -> FileHandle {
            let template = FileManager.default.temporaryDirectory.appendingPathComponent("predicate-XXXXXX").path
            var path = Array(template.utf8CString)
            let descriptor = mkstemp(&path)
            guard descriptor >= 0 else { throw RecordProblem(file: name, message: "there is no room to decompress it") }
            unlink(path)
            let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            do {
                while let bytes = try pipe.fileHandleForReading.read(upToCount: 1 << 16), !bytes.isEmpty {
                    try file.write(contentsOf: bytes)
                }
                try file.seek(toOffset: 0)
            } catch {
                throw RecordProblem(file: name, message: "there is no room to decompress it")
            }
            if let problem = problem() { throw RecordProblem(file: name, message: problem) }
            return file
        }

        /// Waits for the end of the process. Returns why the bytes that it wrote are not the whole content.
        private func problem() -> String? {
            let text = (try? errors.fileHandleForReading.readToEnd()).map { String(decoding: $0, as: UTF8.self) } ?? ""
            process.waitUntilExit()
            if process.terminationReason == .exit, process.terminationStatus == 0 { return nil }
            // The programs print their name and that of the file before the reason.
            let reason =
                text.split(whereSeparator: \.isNewline).last?.split(separator: ":").last ?? "no reason is given"
            return "the compressed data is damaged or cut off: \(reason.trimmingCharacters(in: .whitespaces))"
        }
    }
#endif
