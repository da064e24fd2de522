// Compares the reader of batches, with some fields only, with the plain reader: it finds the same records, texts, lines
// and problems in the same order, for all bytes and all sizes of reads.

import Foundation
import PredicateRecords
import PredicateTestSupport
import Testing

@Suite struct BatchTests {
    static let fields = ["b", "name", "näme", "missing"]

    /// The results of both readers, restricted to the wanted fields. `JSON.text` distinguishes 1, 1.0 and true.
    /// true.
    struct Found: Equatable {
        var events: [String] = []

        mutating func add(_ value: PredicateValue, _ text: some Sequence<UInt8>, line: Int) {
            events.append(
                "\(line): \(Self.shown(value)) \(String(decoding: Array(text), as: UTF8.self).debugDescription)")
        }

        mutating func add(_ problem: RecordProblem) {
            events.append("\(problem) at \(problem.offset)\(problem.endsInput ? " !" : "")")
        }

        static func shown(_ value: PredicateValue) -> String {
            guard case .dictionary(let dictionary) = value else { return JSON.text(value) }
            return fields.map { "\($0)=\(JSON.text(dictionary[$0] ?? .null))" }.joined(separator: " ")
        }
    }

    static func value(_ key: String, in record: PredicateValue) -> PredicateValue? {
        if case .dictionary(let fields) = record { fields[key] } else { nil }
    }

    static func plain(_ path: String, _ options: ReaderOptions) throws -> Found {
        var found = Found()
        let reader = try RecordReader(path: path, name: "in", options: options)
        while let event = reader.next() { add(event, to: &found) }
        return found
    }

    static func inBatches(_ path: String, _ options: ReaderOptions, isWhole: Bool) throws -> Found {
        var options = options
        options.fields = fields
        var found = Found()
        var hasEnded = false
        var valuesOfNumbers: [Int: [PredicateValue?]] = [:]
        let reader = try RecordReader(path: path, name: "in", options: options)
        var batchReader: BatchReader?
        while case .batch(let batch) = reader.nextBatch() {
            let batches = batchReader ?? BatchReader(batch.source, options: options)
            batchReader = batches
            batches.read(batch) { result in
                switch result {
                case .failure(let problem):
                    found.add(problem)
                    hasEnded = problem.endsInput
                case .success(let record):
                    if let number = record.number {
                        let values = options.keyFields.map { value($0, in: record.value) }
                        #expect(valuesOfNumbers.updateValue(values, forKey: number) ?? values == values)
                    }
                    let kept = batches.record(record, isWhole: isWhole, keepsText: true)
                    #expect(kept.text.elementsEqual(batch.text(of: record)))
                    #expect(kept.line == batches.line)
                    found.add(isWhole ? kept.value : record.value, kept.text, line: kept.line)
                }
                return !hasEnded
            }
            if hasEnded { return found }
        }
        while let event = reader.next() { add(event, to: &found) }
        return found
    }

    private static func add(_ event: RecordEvent, to found: inout Found) {
        switch event {
        case .record(let record): found.add(record.value, record.text, line: record.line)
        case .problem(let problem): found.add(problem)
        }
    }

    static func check(_ bytes: [UInt8], _ format: RecordFormat, types: String? = nil) throws {
        let file = TemporaryFile(bytes)
        var options = ReaderOptions()
        options.format = format
        if let types { options.types = try FieldTypes(types) }
        options.chunkSize = 1 << 16
        let expected = try plain(file.path, options)
        for (chunkSize, batchSize) in [(1 << 16, 1), (1, 1), (7, 20), (16, 64), (64, 200)] {
            options.chunkSize = chunkSize
            options.batchSize = batchSize
            for (isWhole, keys) in [(false, []), (true, ["b"]), (false, ["missing", "name", "b"])] {
                options.keyFields = keys
                let found = try inBatches(file.path, options, isWhole: isWhole)
                let text = String(decoding: bytes, as: UTF8.self).debugDescription
                if found != expected {
                    Issue.record(
                        "\(text), \(chunkSize) bytes at once, batches of \(batchSize): \(found), not \(expected)")
                }
            }
        }
    }

    // MARK: Inputs

    static let jsonValues = [
        "1", "-0", "0.5e-3", "1E400", "1e5", "01", "1.", "-", ".5", "+1", "12345678901234567890", "true", "tru", "nul",
        "null", "false", "\"plain\"", "\"é\u{1F600}\"", "\"\\u00e9\\ud83d\\ude00\\n\"", "\"\\ud83d\"", "\"\\udc00\"",
        "\"\\ud83d\\u0041\"", "\"\\x\"", "\"tab\there\"", "\"\u{0}\"", "\"open", "[]", "[1, [2, {}], \"]\"]", "[1,]",
        "{}", "{\"b\": 1}", "{\"b\" 1}", "{,}", "", "\"a longer text, longer than a few words of eight bytes\"",
        String(repeating: "[", count: 127) + String(repeating: "]", count: 127),
        String(repeating: "[", count: 128) + String(repeating: "]", count: 128),
        String(repeating: "9", count: 400), "\"\\\\\\\"\"", "\"\u{7F}\\/\"",
    ]

    static let objects = jsonValues.flatMap { value in
        ["{\"a\": \(value), \"b\": 2}", "{\"a\":1,\"b\":\(value),\"näme\":\"x\"}", "{\"name\" : \(value) }"]
    }

    static let otherObjects = [
        "{\"b\": 1, \"b\": 2}", "{\"\\u0062\": 1}", "{\"b\": 1, \"a\\u0062\": 3}", "{\"b\": 1} x", "{\"b\": 1",
        "{b: 1}", "{\"a\":1,\"b\":2,}", "{\"a\":1 \"b\":2}", "{}", "{ }", " {\"b\" : 3 } \r", "\t", "7", "[1,2]",
        "\"b\"", "nope", "{\"\(String(repeating: "k", count: 300))\": 1, \"b\": 5}",
        "{" + (0..<200).map { "\"k\($0)\": \($0)" }.joined(separator: ", ") + ", \"b\": 6}",
    ]

    static let rows = [
        "1,x,2", "\"1\",\"x\"\"y\",\"new\nline\"", "1,x", "1,x,2,3", ",,", "\"\",\"\",\"\"", "\"a\"b,1,2", "a\"b\",1,2",
        "true,false,TRUE", "007,1e3,-0.5", "é,\u{1F600},\"ü,\"", "", "\r", "a,b,\r", "\"a\"\r,b,c",
        "\"a\",\"b\",\"c\"\r", "\"a\"\r\r,b,c\r\r", "a,b\r,c", "\"a,\",\",\",\"\"\"\"", "\"\"\"\",\"a\"\"\",\"\"\"a\"",
        "a longer field than a word,b,c", "12345678901234567890,2024-05-01,\" \"", "\u{0},\u{1},\t",
    ]

    static func lines(_ parts: [String], _ generator: inout SplitMix) -> [UInt8] {
        let count = Int.random(in: 1...12, using: &generator)
        let chosen = (0..<count).compactMap { _ in parts.randomElement(using: &generator) }
        let text = chosen.joined(separator: Bool.random(using: &generator) ? "\n" : "\r\n")
        return Array((text + (Bool.random(using: &generator) ? "\n" : "")).utf8)
    }

    /// Bytes with a meaning in some format, and bytes that are not UTF-8.
    static let bytesOfInterest: [UInt8] =
        Array("\"\\,:{}[]\n\r\t 0-.eut".utf8) + [0, 0x1F, 0x80, 0xC3, 0xED, 0xA0, 0xF4, 0xFF]

    static func mutate(_ bytes: inout [UInt8], _ generator: inout SplitMix) {
        for _ in 0..<Int.random(in: 0...3, using: &generator) where !bytes.isEmpty {
            let at = Int.random(in: 0..<bytes.count, using: &generator)
            let byte = bytesOfInterest.randomElement(using: &generator) ?? 0
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: bytes[at] = byte
            case 1: bytes.remove(at: at)
            default: bytes.insert(byte, at: at)
            }
        }
    }

    // MARK: Tests

    @Test func everyObjectIsReadAsByTheReader() throws {
        for text in Self.objects + Self.otherObjects {
            try Self.check(Array("{\"b\":0}\n\(text)\n{\"a\": 0, \"b\": 9}\n".utf8), .jsonl)
            try Self.check(Array("[{\"b\":0}, \(text),\n {\"a\": 0, \"b\": 9}]".utf8), .json)
        }
    }

    @Test func everyRowIsReadAsByTheReader() throws {
        for text in Self.rows {
            try Self.check(Array("a,b,näme\n\(text)\n1,2,3\n".utf8), .csv)
            try Self.check(Array("b\n\(text)\n1\n".utf8), .csv)
            try Self.check(Array("a,b,näme\n\(text)\n1,2,3\n".utf8), .csv, types: "a=integer,b=string")
        }
    }

    @Test func mutatedLinesAreReadAsByTheReader() throws {
        var generator = SplitMix(0)
        for round in 0..<TestDepth.count(250) {
            var bytes = Self.lines(Self.objects + Self.otherObjects, &generator)
            Self.mutate(&bytes, &generator)
            let types = round % 4 == 0 ? "b=integer,a=double" : round % 4 == 1 ? "a.b=date" : nil
            try Self.check(bytes, .jsonl, types: types)
        }
    }

    @Test func mutatedArraysAreReadAsByTheReader() throws {
        var generator = SplitMix(1000)
        let parts = (Self.objects + Self.otherObjects).map { $0 + "," }
        for round in 0..<TestDepth.count(250) {
            var bytes = [0x5B] + Self.lines(parts, &generator) + Array("{\"b\": 0}]".utf8)
            Self.mutate(&bytes, &generator)
            try Self.check(bytes, .json, types: round % 4 == 0 ? "b=integer" : nil)
        }
    }

    @Test func mutatedRowsAreReadAsByTheReader() throws {
        var generator = SplitMix(2000)
        for round in 0..<TestDepth.count(250) {
            var bytes = Array("a,b,näme\n".utf8) + Self.lines(Self.rows, &generator)
            Self.mutate(&bytes, &generator)
            try Self.check(bytes, .csv, types: round % 4 == 0 ? "a=integer,b=boolean" : nil)
        }
    }

    /// Every pair and triple of bytes at the borders of UTF-8, in a skipped field.
    @Test func invalidUTF8IsReadAsByTheReader() throws {
        let borders: [UInt8] = [
            0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEE, 0xEF, 0xF0,
            0xF1, 0xF4, 0xF5, 0xFF,
        ]
        var lines: [UInt8] = []
        var table = Array("a,b\n".utf8)
        for first in borders {
            for second in borders {
                for rest in [[], [0x80], [0x80, 0x80], [0xBF, 0xBF, 0x41]] as [[UInt8]] {
                    let text = [first, second] + rest
                    lines += Array("{\"a\": \"".utf8) + text + Array("\", \"b\": 1}\n".utf8)
                    table += text + Array(",1\n".utf8)
                }
            }
        }
        for (bytes, format) in [(lines, RecordFormat.jsonl), (table, .csv)] {
            let file = TemporaryFile(bytes)
            var options = ReaderOptions()
            options.format = format
            let expected = try Self.plain(file.path, options)
            #expect(try Self.inBatches(file.path, options, isWhole: false) == expected)
        }
    }

    /// With an open pipe, a batch contains the available records, and the reader waits only if requested.
    @Test func batchesOfAPipeHaveTheAvailableRecords() throws {
        let pipe = Pipe()
        func write(_ text: String) { pipe.fileHandleForWriting.write(Data(text.utf8)) }
        var options = ReaderOptions()
        options.format = .jsonl
        let reader = RecordReader(descriptor: pipe.fileHandleForReading.fileDescriptor, name: "pipe", options: options)
        func next(waits: Bool = false) -> String {
            switch reader.nextBatch(waits: waits) {
            case .batch(let batch):
                var texts: [String] = []
                BatchReader(batch.source, options: options).read(batch) { result in
                    if case .success(let record) = result {
                        texts.append(String(decoding: batch.text(of: record), as: UTF8.self))
                    }
                    return true
                }
                return texts.joined(separator: " ")
            case .wouldWait: return "would wait"
            case .rest: return "rest"
            }
        }
        #expect(next() == "would wait")
        write("11111111\n2")
        #expect(next() == "11111111")
        #expect(next() == "would wait")
        write("2\n")
        #expect(next() == "22")
        #expect(next() == "would wait")
        write("3\n4\n")
        #expect(next(waits: true) == "3 4")
        write("5")
        #expect(next() == "would wait")
        try pipe.fileHandleForWriting.close()
        #expect(next() == "rest")
        guard case .record(let last)? = reader.next() else {
            Issue.record("the last line is lost")
            return
        }
        #expect(last.value == .integer(5) && last.line == 5)
    }

    @Test func batchesAreCutIfTheFormatAllowsIt() throws {
        let rows = (0..<2000).map { "{\"b\": \($0), \"a\": \"\(String(repeating: "x", count: $0 % 50))\"}" }
        let file = TemporaryFile(Array(rows.joined(separator: "\n").utf8))
        var options = ReaderOptions()
        options.format = .jsonl
        options.batchSize = 1000
        options.chunkSize = 500
        let reader = try RecordReader(path: file.path, options: options)
        var count = 0
        while case .batch = reader.nextBatch() { count += 1 }
        #expect(count > 50)
        // No batches are possible for a delimiter of several bytes, a property list, or a record that is larger than
        // several batches.
        options.format = .csv
        options.delimiter = "||"
        let other = try RecordReader(path: file.path, options: options)
        guard case .rest = other.nextBatch() else {
            Issue.record("a batch where none can be cut")
            return
        }
    }

    /// Texts that return have a number; if most texts are new, no more numbers are given. In both cases equal numbers mean
    /// equal values.
    @Test(arguments: [RecordFormat.csv, .jsonl]) func textsThatReturnAreNumbered(_ format: RecordFormat) throws {
        func numbered(_ count: Int, _ key: (Int) -> Int) throws -> Int {
            let lines = (0..<count).map {
                format == .csv ? "\(key($0)),a text of \($0)\n" : "{\"b\":\(key($0)),\"name\":\"a text of \($0)\"}\n"
            }
            let file = TemporaryFile(Array(((format == .csv ? "b,name\n" : "") + lines.joined()).utf8))
            var options = ReaderOptions()
            (options.format, options.fields, options.keyFields) = (format, ["name", "b"], ["b"])
            let reader = try RecordReader(path: file.path, options: options)
            var (row, values, found, isRight) = (0, [Int: Int](), 0, true)
            var batches: BatchReader?
            while case .batch(let batch) = reader.nextBatch() {
                let read = batches ?? BatchReader(batch.source, options: options)
                batches = read
                read.read(batch) { result in
                    guard let record = try? result.get() else { return false }
                    isRight = isRight && Self.value("b", in: record.value) == .integer(Int64(key(row)))
                    if let number = record.number {
                        found += 1
                        isRight = isRight && values.updateValue(key(row), forKey: number) ?? key(row) == key(row)
                    }
                    row += 1
                    return true
                }
            }
            #expect(row == count && isRight)
            return found
        }
        #expect(try numbered(3000) { $0 * 7919 % 1000 } > 2950)
        #expect((8100...8192).contains(try numbered(9000) { $0 }))
    }
}
