// Tests of writers: writing the same format returns the bytes that were read; another format has the same values.

import Foundation
import PredicateRecords
import PredicateTestSupport
import Testing

@Suite struct WriterTests {
    static func options(_ format: RecordFormat, keys: String? = nil, delimiter: String? = nil) -> WriterOptions {
        var options = WriterOptions(format: format)
        options.keys = keys.flatMap(FieldPath.list)
        options.delimiter = delimiter
        return options
    }

    @Test(.cases) func sameFormatKeepsTheText() {
        let cases: [(RecordFormat, String, String)] = [
            (
                RecordFormat.jsonl, "{\"b\" : 1.50, \"a\":\"\\u00e9\"}\n[ ]\n",
                "{\"b\" : 1.50, \"a\":\"\\u00e9\"}\n[ ]\n"
            ),
            (.jsonl, " 1\r\n2", " 1\r\n2\n"), (.jsonl, "", ""), (.json, "[]", "[]\n"),
            (.json, "[ {\"a\" : 1.50} ,2]", "[\n{\"a\" : 1.50},\n2\n]\n"), (.json, "{\"a\":1}", "[\n{\"a\":1}\n]\n"),
            (.csv, "\"a\",b\r\n\"1\",\"x\ny\"\r\n1.50,\r\n", "\"a\",b\r\n\"1\",\"x\ny\"\r\n1.50,\r\n"),
            (.csv, "a,b\n", "a,b\n"), (.csv, "", ""), (.csv, ",a,a\n1,2,3", ",a,a\n1,2,3\n"),
        ]
        forEachCase(cases) { (format, text, expected) throws in
            #expect(try rewritten(text, from: format, Self.options(format)) == expected)
        }
    }

    @Test(.cases) func otherText() {
        let cases: [(RecordFormat, RecordFormat, String?, String, String)] = [
            (
                RecordFormat.jsonl, RecordFormat.csv, nil, "{\"a\":1,\"b\":\"x\"}\n{\"b\":\"1\",\"c\":3}\n",
                "a,b\n1,x\n,\"1\"\n"
            ),
            (
                .jsonl, .csv, "b,d.e", "{\"a\":1,\"b\":\"x,y\",\"d\":{\"e\":[1,\"q\"]}}",
                "b,d.e\n\"x,y\",\"[1,\"\"q\"\"]\"\n"
            ),
            (.jsonl, .csv, "b", "", "b\n"), (.jsonl, .csv, nil, "1\n\"a\"\n", "value\n1\na\n"),
            (.csv, .csv, "b", "a,b\n1,\n2,\"\"\n", "b\n\"\"\n\"\"\n"),
            (.csv, .jsonl, nil, "a,b\n1,\"2\"\n,x\n", "{\"a\":1,\"b\":\"2\"}\n{\"a\":null,\"b\":\"x\"}\n"),
            (.jsonl, .json, "a.b,z", "{\"a\":[{\"b\":1},{\"b\":2}]}", "[\n{\"a.b\":[1,2],\"z\":null}\n]\n"),
            (.jsonl, .json, nil, "", "[]\n"),
        ]
        forEachCase(cases) { (from, to, keys, text, expected) throws in
            #expect(try rewritten(text, from: from, Self.options(to, keys: keys)) == expected)
        }
    }

    @Test func csvDelimitersAreWritten() throws {
        let text = "a;b\n1;x,y\n"
        #expect(try rewritten(text, from: .csv, Self.options(.csv), delimiter: ";") == text)
        let commas = try rewritten(text, from: .csv, Self.options(.csv, delimiter: ","), delimiter: ";")
        #expect(commas == "a,b\n1,\"x,y\"\n")
    }

    /// If a second file has other columns, its rows are written with the header of the first file.
    @Test func otherColumnsFollowTheFirstHeader() throws {
        let first = TemporaryFile(Array("a,b\n1,\"2\"\n".utf8), extension: "csv")
        let second = TemporaryFile(Array("b,a,c\n3,\"4\",5\n".utf8), extension: "csv")
        let output = TemporaryFile()
        let handle = try #require(FileHandle(forWritingAtPath: output.path))
        let writer = RecordWriter(descriptor: handle.fileDescriptor, options: Self.options(.csv))
        for file in [first, second] {
            let reader = try RecordReader(path: file.path)
            while case .record(let record)? = reader.next() { try writer.write(record) }
        }
        try writer.finish()
        #expect(String(decoding: output.bytes, as: UTF8.self) == "a,b\n1,\"2\"\n\"4\",3\n")
        #expect(writer.count == 2)
    }

    static let rows: [PredicateValue] = [
        record([
            "text": .string("déjà \"vu\"\r\n, 1"), "number": .integer(-5), "real": .double(2), "flag": .bool(false),
            "digits": .string("12"), "word": .string("true"), "empty": .string(""), "nothing": .null,
            "zero": .string("007"),
        ]),
        record([
            "text": .string("<&>'"), "number": .integer(.max), "real": .double(1e-7), "flag": .bool(true),
            "digits": .string("-1e5"), "word": .string("nil"), "empty": .null, "nothing": .null, "zero": .string(" "),
        ]),
    ]

    @Test(.cases) func writtenValuesAreReadBack() {
        forEachCase([RecordFormat.json, .jsonl, .csv] as [RecordFormat]) { format in
            var options = ReaderOptions()
            options.format = format
            let reading = try read(try written(Self.rows, Self.options(format)), options)
            #expect(reading.problems.isEmpty)
            #expect(reading.values == Self.rows)
        }
    }

    /// CSV has no NaN and no infinity. Their fields are nil, and the column keeps its numbers.
    @Test func infinityIsNoTextInCSV() throws {
        func row(_ numbers: PredicateValue...) -> PredicateValue {
            .dictionary(ValueDictionary(zip(["a", "b"], numbers)))
        }
        let numbers: [PredicateValue] = [
            .double(.infinity), .double(-.infinity), .double(.nan), .float(.infinity), .date(.nan), .double(2),
        ]
        var options = ReaderOptions()
        options.format = .csv
        let nils = Array(repeating: PredicateValue.null, count: 5) + [.double(2)]
        let two = try read(try written(numbers.map { row($0, .integer(1)) }, Self.options(.csv)), options)
        #expect(two.values == nils.map { row($0, .integer(1)) } && two.problems == [])
        let one = try read(try written(numbers.map { row($0) }, Self.options(.csv)), options)
        #expect(one.values == nils.map { row($0) } && one.problems == [])
    }

    @Test func closedPipesThrow() throws {
        SystemFile.prepareStreams()
        let pipe = Pipe()
        let writer = RecordWriter(descriptor: pipe.fileHandleForWriting.fileDescriptor, options: Self.options(.jsonl))
        try writer.write(.integer(1))
        try writer.flush()
        #expect(try pipe.fileHandleForReading.read(upToCount: 2) == Data("1\n".utf8))
        try pipe.fileHandleForReading.close()
        try writer.write(.integer(2))
        #expect(throws: OutputProblem.closed) { try writer.finish() }
        #expect(throws: OutputProblem.failed("Bad file descriptor")) {
            let writer = RecordWriter(descriptor: -1, options: Self.options(.jsonl))
            try writer.write(.integer(1))
            try writer.finish()
        }
    }

    /// Writes more than any buffer holds to a pipe with a slow reader. No byte may be lost.
    @Test func largeOutputsAreComplete() throws {
        let rows = (0..<20_000).map {
            record(["id": .integer(Int64($0)), "text": .string(String(repeating: "é", count: 20))])
        }
        var options = ReaderOptions()
        options.format = .json
        #expect(try read(try written(rows, Self.options(.json)), options).values == rows)
    }
}
