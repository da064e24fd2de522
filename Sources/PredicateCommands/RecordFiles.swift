// Opens files of records, including compressed ones.

import Foundation
import PredicateRecords

extension CommandInput {
    /// Opens a file of records. A file compressed by gzip or zstd is decompressed by that program.
    func reader(_ name: String, _ options: ReaderOptions) throws(RecordProblem) -> RecordReader {
        #if os(macOS) || os(Linux)
            if name == "-", let descriptor { return Self.reader(descriptor, options) }
            if isFile(name), let program = Decompressor(path(name)) { return program.reader(name, options) }
        #endif
        return try RecordReader(path: path(name), name: name, options: options)
    }

    #if os(macOS) || os(Linux)
        /// Reads standard input.
        private static func reader(_ descriptor: Int32, _ options: ReaderOptions) -> RecordReader {
            let place = SystemFile.place(descriptor)
            var start = [UInt8](repeating: 0, count: 16)
            start.removeLast(start.count - max(0, SystemFile.read(descriptor, &start, start.count)))
            if let place { SystemFile.move(descriptor, to: place) }
            if let program = Decompressor(descriptor, start: start, isFile: place != nil) {
                return program.reader("<stdin>", options)
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
            process.standardInput = input
            let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
            return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(known.program)") }
                && (try? process.run()) != nil
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
