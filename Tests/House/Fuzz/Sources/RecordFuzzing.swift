// Files of records: reading in parts must give the same events as reading at once, and a value that is written, read
// and written again must give the same bytes.

import Foundation
import PredicateFoundation
import PredicateModel
import PredicateRecords
import PredicateSyntax

enum RecordFuzzing {
    private static let formats: [RecordFormat?] = [nil, .json, .jsonl, .csv, .plist]

    /// The values of the first byte that are useful for a kind of file. They select the format; from 5 on, the reader
    /// is verbatim.
    static let choices: [String: [UInt8]] = [
        "json": [1], "jsonl": [2], "csv": [3, 8], "plist": [4, 9], "archive": [4, 9], "txt": [0],
    ]

    static func complaint(_ input: [UInt8]) -> String? {
        guard let choice = input.first else { return nil }
        let bytes = Array(input.dropFirst())
        var options = ReaderOptions()
        options.format = formats[Int(choice) % formats.count]
        options.isVerbatim = Int(choice) / formats.count % 2 == 1
        options.recordLimit = 1 << 16
        let whole = events(RecordReader(bytes: bytes, name: "input", options: options))
        options.chunkSize = 1 + Int(choice) / 12
        let file = ScratchFile("records", bytes)
        guard let reader = try? RecordReader(path: file.path, name: "input", options: options) else { return nil }
        let pieces = events(reader)
        if whole.texts != pieces.texts { return "in pieces: \(pieces.texts)\nat once: \(whole.texts)" }
        _ = try? FormatPredicate(archive: Data(bytes))
        return difference(whole.values)
    }

    private static func events(_ reader: RecordReader) -> (texts: [String], values: [PredicateValue]) {
        var (texts, values) = ([String](), [PredicateValue]())
        while texts.count < 2000, let event = reader.next() {
            switch event {
            case .record(let record):
                values.append(record.value)
                texts.append("\(record.line) \(record.value) \(record.text)")
            case .problem(let problem): texts.append("\(problem)")
            }
        }
        return (texts, values)
    }

    private static func difference(_ values: [PredicateValue]) -> String? {
        let list = PredicateValue.array(values)
        let text = JSON.text(list)
        do throws(JSONProblem) {
            let again = JSON.text(try JSON.parse(text))
            return again == text ? nil : "as JSON: \(text), then \(again)"
        } catch {
            return "our JSON is not read: \(error), \(text)"
        }
    }
}

/// A file that contains an input, in memory if the system has such a folder. Each process reuses its files.
struct ScratchFile {
    static let folder: String = {
        let shared = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
        let folder = "\(shared)/predicate-fuzz-\(getpid())"
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return folder
    }()

    let path: String

    init(_ name: String, _ bytes: [UInt8]) {
        path = "\(Self.folder)/\(name)"
        guard let file = fopen(path, "w") else { fatalError("cannot write \(path)") }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }
}
