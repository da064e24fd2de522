// Helpers that read and write through real file descriptors, as the command does.

import Foundation
import PredicateRecords
import PredicateSyntax
import Testing

/// A file that is removed at the end of the test.
final class TemporaryFile {
    let path: String

    init(_ bytes: [UInt8] = [], extension: String = "data") {
        path = FileManager.default.temporaryDirectory.path + "/records-\(UUID().uuidString).\(`extension`)"
        // FileManager would sync the file to the disk, which is slow for thousands of small inputs.
        if let file = fopen(path, "w") {
            _ = bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
            fclose(file)
        }
    }

    deinit { unlink(path) }

    var bytes: [UInt8] { FileManager.default.contents(atPath: path).map(Array.init) ?? [] }
}

/// Everything that one input contains. Events are texts, so that two runs can be compared.
struct Reading: Equatable {
    var values: [PredicateValue] = []
    var texts: [String] = []
    var lines: [Int] = []
    /// `line:column message`, with a `!` if the input ends there.
    var problems: [String] = []
}

func read(_ bytes: [UInt8], _ options: ReaderOptions, extension: String = "data") throws -> Reading {
    let file = TemporaryFile(bytes, extension: `extension`)
    let reader = try RecordReader(path: file.path, options: options)
    var reading = Reading()
    while let event = reader.next() {
        switch event {
        case .record(let record):
            reading.values.append(record.value)
            reading.texts.append(String(decoding: record.text, as: UTF8.self))
            reading.lines.append(record.line)
        case .problem(let problem):
            reading.problems.append(
                "\(problem.line):\(problem.column) \(problem.message)\(problem.endsInput ? " !" : "")")
        }
    }
    return reading
}

func read(
    _ text: String, _ format: RecordFormat?, types: String? = nil, delimiter: String? = nil, chunkSize: Int = 1 << 16,
    recordLimit: Int = 16 << 20
) throws -> Reading {
    var options = ReaderOptions()
    options.format = format
    if let types { options.types = try FieldTypes(types) }
    options.delimiter = delimiter
    options.chunkSize = chunkSize
    options.recordLimit = recordLimit
    return try read(Array(text.utf8), options)
}

/// The output of a writer for values.
func written(_ values: [PredicateValue], _ options: WriterOptions) throws -> [UInt8] {
    try output(options) { writer in for value in values { try writer.write(value) } }
}

/// The output of a writer for the records of a text.
func rewritten(_ text: String, from: RecordFormat, _ options: WriterOptions, delimiter: String? = nil) throws -> String
{
    let file = TemporaryFile(Array(text.utf8))
    var readerOptions = ReaderOptions()
    readerOptions.format = from
    readerOptions.delimiter = delimiter
    let reader = try RecordReader(path: file.path, options: readerOptions)
    let bytes = try output(options) { writer in
        while case .record(let record)? = reader.next() { try writer.write(record) }
        try writer.finish(reader.source)
    }
    return String(decoding: bytes, as: UTF8.self)
}

extension RecordWriter {
    /// Writes to a descriptor. The caller closes it.
    convenience init(descriptor: Int32, options: WriterOptions) {
        self.init(options: options) { (bytes) throws(OutputProblem) in try OutputFile.write(bytes, to: descriptor) }
    }
}

private func output(_ options: WriterOptions, _ body: (RecordWriter) throws -> Void) throws -> [UInt8] {
    let file = TemporaryFile()
    let handle = try #require(FileHandle(forWritingAtPath: file.path))
    let writer = RecordWriter(descriptor: handle.fileDescriptor, options: options)
    try body(writer)
    try writer.finish()
    try handle.close()
    return file.bytes
}

/// A dictionary with its keys in the given order.
func record(_ pairs: KeyValuePairs<String, PredicateValue>) -> PredicateValue {
    .dictionary(ValueDictionary(pairs.map { ($0.key, $0.value) }))
}
