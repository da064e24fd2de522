// Records inside a document, keys of records that are not parsed, and records with too many fields.

import Foundation
import PredicateTestSupport
import Testing

@testable import PredicateRecords

@Suite struct PlaceTests {
    private func events(_ text: String, at place: [String], chunkSize: Int) throws -> [String] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
        try text.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        var options = ReaderOptions()
        (options.place, options.chunkSize) = (place, chunkSize)
        let reader = try RecordReader(path: file.path, name: "f", options: options)
        var events: [String] = []
        while let event = reader.next() {
            switch event {
            case .record(let record): events.append("\(record.line): " + JSON.text(record.value))
            case .problem(let problem): events.append(problem.description)
            }
        }
        return events
    }

    /// The size of a read does not change the result.
    @Test func recordsInsideADocumentAreFound() throws {
        let document = """
            {"skip": [{"a": "]}\\""}, {"rows": [1]}], "text": "\\\\",
             "a": {"n": -1.5e3, "r\\u006Fws": [{"x": 1},
               {"x": "}"}], "rest": }
            """
        for chunkSize in [1, 2, 3, 7, 64, 1 << 16] {
            #expect(
                try events(document, at: ["a", "rows"], chunkSize: chunkSize) == [#"2: {"x":1}"#, #"3: {"x":"}"}"#])
            #expect(
                try events(document, at: ["text"], chunkSize: chunkSize) == [
                    "f:1:50: 'text' is neither a list nor an object"
                ])
            #expect(
                try events(document, at: ["skip", "x"], chunkSize: chunkSize) == ["f:1:10: 'skip' is not an object"])
        }
        for broken in ["{", "{\"a\"", "{\"a\":", "{\"b\": [", "{b: 1}", "[]", "", "{\"a\" 1}"] {
            let found = try events(broken, at: ["a"], chunkSize: 1)
            #expect(found.count == 1 && found[0].hasPrefix("f:1:"), "\(broken): \(found)")
        }
    }

    /// Objects with keys in any order, with escapes in keys, and values that are not objects.
    @Test func keysOfBatchesAreThoseOfTheRecords() throws {
        var lines = (0..<200).map { "{\"id\": \($0), \"k\($0 % 7)\": {\"inner\": 1}, \"b\": \"{\\\"c\\\": 1}\"}" }
        lines.insert("{\"\\u0065sc\": 1, \"late\": []}", at: 150)
        lines.insert("[{\"no\": 1}]", at: 20)
        lines.insert("{\"broken\": }", at: 30)
        let reader = RecordReader(bytes: Array((lines.joined(separator: "\n") + "\n").utf8), name: "f.jsonl")
        var found = KeyList()
        while case .batch(let batch) = reader.nextBatch() { found.add(batch.keys()) }
        while case .record(let record)? = reader.next() { found.add(record.value) }
        #expect(found.names == ["id", "k0", "b", "k1", "k2", "k3", "k4", "k5", "k6", "esc", "late"])
    }

    /// The reader counts the extra fields without keeping them. A record without end fails at its third field.
    @Test func recordsOfManyFieldsAreProblems() {
        let few = String(repeating: ",", count: 90_000)
        let many = String(repeating: ",", count: 1_000_000)
        let reader = RecordReader(bytes: Array("a,b\n1,2\n\(few)\n1,2\n3\n1\(many)\n1,2\n".utf8), name: "f.csv")
        var events: [String] = []
        while let event = reader.next() {
            switch event {
            case .record(let record): events.append(JSON.text(record.value))
            case .problem(let problem): events.append("\(problem.line):\(problem.column) \(problem.message)")
            }
        }
        #expect(
            events == [
                #"{"a":1,"b":2}"#, "3:1 the record has 90001 fields, but the header has 2", #"{"a":1,"b":2}"#,
                "5:1 the record has 1 field, but the header has 2",
                "6:4 the record has more than 100000 fields, but the header has 2",
            ])
        let header = RecordReader(bytes: Array("\(many)\n1,2\n".utf8), name: "f.csv")
        guard case .problem(let problem)? = header.next() else {
            Issue.record("a header of a million columns was read")
            return
        }
        #expect(problem.message == "the header has more than 100000 columns" && problem.endsInput)
    }

    /// The fast test accepts the plain numbers that the general parser reads, and nothing else.
    @Test func plainNumbersAreNumbers() {
        var generator = SplitMix(7)
        var count = 0
        for _ in 0..<20_000 {
            let length = Int.random(in: 0...17, using: &generator)
            let bytes = (0..<length).map { _ in Array("0012345-..e+".utf8).randomElement(using: &generator) ?? 0 }
            // The bytes after a field do not belong to it.
            let padded = [UInt8](repeating: 0x35, count: 3) + bytes + Array(",1.2,3,4.5,6,7,8,9".utf8)
            let field = CSVFieldBytes(start: 3, end: 3 + length)
            let isInWords = padded.withUnsafeBufferPointer {
                $0.baseAddress.map { CSVColumnType.number.surelyHas($0, padded.count, field) } ?? false
            }
            // The test by words accepts neither a sign nor an exponent.
            let isPlain =
                length < 16 && !bytes.contains { "+-e".utf8.contains($0) }
                && bytes.withUnsafeBufferPointer { $0.isEmpty || JSONNumber.exact($0) != nil }
            #expect(isInWords == isPlain, "\(String(decoding: bytes, as: UTF8.self))")
            if isPlain, length > 0 { count += 1 }
        }
        #expect(count > 100)
    }
}
