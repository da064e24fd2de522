// Opens files of records, also compressed ones.

import Foundation
import PredicateRecords

extension CommandInput {
    /// Opens a file of records. A file that is compressed by gzip or zstd is read through that program.
    func reader(_ name: String, _ options: ReaderOptions) throws(RecordProblem) -> RecordReader {
        #if os(macOS) || os(Linux)
            if let program = Decompressor(path(name)) { return program.reader(name, options) }
        #endif
        return try RecordReader(path: path(name), name: name, options: options)
    }
}

#if os(macOS) || os(Linux)
    /// The program that decompresses a file.
    private final class Decompressor {
        private let process = Process()
        private let pipe = Pipe()

        /// Starts the program. nil for a file that is not compressed, and without the program; then reading the file says
        /// what it is.
        init?(_ path: String) {
            let type = try? FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            guard type == .typeRegular || type == .typeSymbolicLink, let handle = FileHandle(forReadingAtPath: path),
                let start = try? handle.read(upToCount: 16), let known = ForeignFormat(start)?.reader
            else { return nil }
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = [known.program] + known.arguments + [path]
            process.standardOutput = pipe
            process.standardInput = FileHandle.nullDevice
            let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
            guard folders.contains(where: { FileManager.default.isExecutableFile(atPath: "\($0)/\(known.program)") }),
                (try? process.run()) != nil
            else { return nil }
        }

        deinit {
            if process.isRunning { process.terminate() }
        }

        func reader(_ name: String, _ options: ReaderOptions) -> RecordReader {
            var options = options
            // `orders.csv.gz` is CSV.
            let inner = name.split(separator: ".").dropLast().joined(separator: ".")
            options.format = options.format ?? RecordFormat(path: inner)
            if inner.hasSuffix(".tsv") { options.delimiter = options.delimiter ?? "\t" }
            let reader = RecordReader(
                descriptor: pipe.fileHandleForReading.fileDescriptor, name: name, options: options)
            reader.owner = self
            return reader
        }
    }
#endif
