// Reads compressed files through the programs that decompress them.

import Foundation

#if os(macOS) || os(Linux)
    /// The process that decompresses a file or standard input.
    final class Decompressor {
        /// A reader of the decompressed bytes; nil if the input is not compressed or the program is missing.
        static let reader: CompressedInput.Reading = { input, name, options, isWhole throws(RecordProblem) in
            let program =
                switch input {
                case .file(let path): Decompressor(path)
                case .descriptor(let number, let start, let isFile): Decompressor(number, start: start, isFile: isFile)
                }
            return try program?.reader(name, options, isWhole)
        }

        private let process = Process()
        private let pipe = Pipe()
        private let errors = Pipe()
        /// The decompressed bytes, if they are read after the process has ended.
        private var whole: FileHandle?

        /// Starts the program. nil if the file is not compressed or the program is missing; in the second case, reading
        /// the file reports that it is compressed.
        private init?(_ path: String) {
            guard let handle = FileHandle(forReadingAtPath: path),
                let start = try? handle.read(upToCount: 16), run(start, [path], FileHandle.nullDevice)
            else { return nil }
        }

        /// Starts the program with a descriptor as its input.
        private init?(_ descriptor: Int32, start: [UInt8], isFile: Bool) {
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

        private func reader(
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
#else
    enum Decompressor {
        static let reader: CompressedInput.Reading? = nil
    }
#endif
