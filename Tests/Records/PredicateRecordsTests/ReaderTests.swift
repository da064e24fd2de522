// Tests of reading streams: the limits of records, the effect of an invalid record, and that the size of a read does
// not change the result.

import Foundation
import PredicateRecords
import PredicateTestSupport
import Testing

@Suite struct ReaderTests {
    static func row(_ pairs: KeyValuePairs<String, PredicateValue>) -> PredicateValue { record(pairs) }

    @Test(.cases) func jsonArraysAreRead() {
        let cases: [(String, [PredicateValue], [String])] = [
            ("[]", [], []), (" [ ] \n", [], []),
            ("[1, [2], \"a,]\"]", [.integer(1), .array([.integer(2)]), .string("a,]")], []),
            ("{\"a\": 1}\n", [Self.row(["a": .integer(1)])], []), ("7", [.integer(7)], []),
            ("\u{FEFF}[1]", [.integer(1)], []), ("", [], ["1:1 the input holds no JSON value !"]),
            ("[1,2", [.integer(1), .integer(2)], ["1:5 the array is not closed !"]),
            ("[1,{\"a\":", [.integer(1)], ["1:4 the array is not closed !"]),
            ("[1] x", [.integer(1)], ["1:5 text after the array !"]),
            ("{} {}[1]\n{}", [Self.row([:]), Self.row([:]), .integer(1), Self.row([:])], []),
            ("{} 5", [Self.row([:])], ["1:4 text after the JSON value; one value a line is JSON Lines (jsonl) !"]),
            ("[1,,2]", [.integer(1), .integer(2)], ["1:4 the text ends where a value is expected"]),
            ("[1,]", [.integer(1)], ["1:4 nothing comes after the comma before this ']': remove the comma"]),
            ("[1}", [.integer(1)], ["1:4 '}' where the array goes on !"]),
            (
                "[\n {\"a\": x},\n {\"a\": 2}\n]", [Self.row(["a": .integer(2)])],
                ["2:8 unexpected 'x' where a value is expected"]
            ),
            (
                "[{\"a\": \"x},\n 2]", [],
                ["1:12 a control character in a string must be written as an escape", "2:4 the array is not closed !"]
            ),
            ("[{\"é\": ?}, 3]", [.integer(3)], ["1:8 unexpected '?' where a value is expected"]),
        ]
        forEachCase(cases) { text, values, problems in
            for chunkSize in [1, 2, 3, 7, 64] {
                let reading = try read(text, .json, chunkSize: chunkSize)
                #expect(reading.values == values)
                #expect(reading.problems == problems, "\(text.debugDescription)")
            }
        }
    }

    @Test func jsonLinesAreRead() throws {
        let text = "{\"a\":1}\r\n\n  \n[2]\n{bad}\n\"é\" ?\n3"
        let reading = try read(text, .jsonl)
        #expect(reading.values == [record(["a": .integer(1)]), .array([.integer(2)]), .integer(3)])
        #expect(reading.texts == ["{\"a\":1}\r", "[2]", "3"])
        #expect(reading.lines == [1, 4, 7])
        #expect(
            reading.problems == [
                "5:2 unexpected 'b' where a key in quotation marks is expected", "6:5 unexpected '?' after the value",
            ])
    }

    static let csvTable: [(text: String, rows: [[PredicateValue]], problems: [String])] = [
        ("a,b\n1,x\n", [[.integer(1), .string("x")]], []),
        ("a,b\r\n1,x\r\n2,y", [[.integer(1), .string("x")], [.integer(2), .string("y")]], []),
        ("a,b\n,\n\"\",\" \"\n", [[.null, .null], [.string(""), .string(" ")]], []),
        ("a,b\n\"x\ny\",\"say \"\"hi\"\"\"\n", [[.string("x\ny"), .string("say \"hi\"")]], []),
        // Where every field has quotation marks, they say nothing of its type.
        ("a,b\n\"x\r\ny\",\"1\"\r\n", [[.string("x\r\ny"), .integer(1)]], []),
        ("a,b\n\"x\",\"1\"\ny,\"2\"\n", [[.string("x"), .string("1")], [.string("y"), .string("2")]], []),
        ("a,b\ntrue,no\nTRUE,yes\n", [[.string("true"), .bool(false)], [.string("TRUE"), .bool(true)]], []),
        ("a,b\ntrue,\n,false\n", [[.bool(true), .null], [.null, .bool(false)]], []),
        ("a,b\n007,-0.5\n1e3,+1\n", [[.string("007"), .double(-0.5)], [.string("1e3"), .integer(1)]], []),
        ("a,b\n7,-0.5\n1e3,\"\"\n", [[.integer(7), .double(-0.5)], [.double(1000), .null]], []),
        ("a,b\n\"\",1\n\"\",true\n", [[.string(""), .string("1")], [.string(""), .string("true")]], []),
        (
            "a,b\n12345678901234567890,2024-05-01\n",
            [[DecimalNumber("12345678901234567890").map(PredicateValue.decimal) ?? .null, .string("2024-05-01")]], []
        ),
        ("a,b\n5\" disk,x\n", [[.string("5\" disk"), .string("x")]], []),
        (
            "a,b\n1\n2,3,4\n5,6\n", [[.integer(5), .integer(6)]],
            ["2:1 the record has 1 field, but the header has 2", "3:1 the record has 3 fields, but the header has 2"]
        ),
        ("a,b\n\"x\"y,1\n2,3\n", [[.integer(2), .integer(3)]], ["2:1 text after the closing quotation mark"]),
        ("a,b\n1,\"é\"x\n", [], ["2:3 text after the closing quotation mark"]),
        (
            "a,b\n1,2\n3,\"x\n4,5\n", [[.integer(1), .integer(2)]],
            ["3:3 the quoted field that begins here never ends !"]
        ),
        ("a,b\n\n\r\n1,2\n", [[.integer(1), .integer(2)]], []), ("a,b\n1,\n", [[.integer(1), .null]], []),
        ("a,b\n1,", [[.integer(1), .null]], []), ("a,b\n1,\r\n", [[.integer(1), .null]], []), ("a,b\n", [], []),
        ("", [], []), ("\u{FEFF}\"a\",b\n1,2", [[.integer(1), .integer(2)]], []),
    ]

    @Test(.cases) func csvIsRead() {
        forEachCase(Self.csvTable) { text, rows, problems in
            for chunkSize in [1, 2, 5, 64] {
                let reading = try read(text, .csv, chunkSize: chunkSize)
                #expect(reading.values == rows.map { record(["a": $0[0], "b": $0[1]]) }, "\(text.debugDescription)")
                #expect(reading.problems == problems)
            }
        }
    }

    @Test(.cases) func anyDelimiterIsRead() {
        forEachCase([";", "\t", "|", "||", "<->", "é"] as [String]) { delimiter in
            let lines = [["a", "b", "c"], ["1", "x|y-,", "\"q\(delimiter)\n\""], ["", "<", ""]]
            let text = lines.map { $0.joined(separator: delimiter) }.joined(separator: "\n")
            guard !"x|y-,".contains(delimiter) else { return }
            for chunkSize in [1, 2, 3, 64] {
                let reading = try read(text, .csv, delimiter: delimiter, chunkSize: chunkSize)
                #expect(reading.problems.isEmpty)
                #expect(
                    reading.values == [
                        record(["a": .integer(1), "b": .string("x|y-,"), "c": .string("q\(delimiter)\n")]),
                        record(["a": .null, "b": .string("<"), "c": .null]),
                    ])
            }
        }
    }

    @Test func headersAreMadeUnique() throws {
        let reading = try read("id,,id,id_2\n1,2,3,4", .csv)
        #expect(
            reading.values == [
                record(["id": .integer(1), "column2": .integer(2), "id_2": .integer(3), "id_2_2": .integer(4)])
            ])
        #expect(try read("\"a", .csv).problems == ["1:1 the quoted field that begins here never ends !"])
        #expect(try read("a\n1", .csv, delimiter: "\"").problems.count == 1)
    }

    /// The records are the same, however many bytes each read returns.
    @Test(.cases) func chunkSizesDoNotChangeRecords() {
        let cases: [(RecordFormat, String)] = [
            (RecordFormat.jsonl, "{\"näme\":\"x\\n\\u00e9\",\"n\":[1,2.5]}\r\n\n{bad\n\"déjà vu\"\n-12e3"),
            (
                .json,
                "\u{FEFF}[ {\"näme\":\"x,]\\\"\",\"n\":[1,{\"a\":[]}]},\n"
                    + "  {\"a\": !},\n\"é,\" , 12 ,\n{\"b\":\"new\nline\"}, 5 ]\n"
            ),
            (.json, "{\n \"a\": [1,2,{\"b\":\"}\"}]\n}\n"),
            (.csv, "\u{FEFF}näme,b,c\r\n\"a \"\"q\"\"\r\nz\",1,\r\n,x\n\"é\",true,\"\"\n1,2,\"end"),
            (.plist, "<plist><array><dict><key>a</key><string>é&amp;</string></dict><real>1</real></array></plist>"),
        ]
        forEachCase(cases) { format, text in
            let whole = try read(text, format)
            #expect(!whole.values.isEmpty)
            for chunkSize in 1...64 {
                #expect(try read(text, format, chunkSize: chunkSize) == whole, "\(chunkSize) bytes at once")
            }
        }
    }

    @Test func recordSizeIsLimited() throws {
        let long = String(repeating: "x", count: 500)
        let lines = try read("1\n\"\(long)\"\n2\n", .jsonl, chunkSize: 16, recordLimit: 100)
        #expect(lines.values == [.integer(1), .integer(2)])
        #expect(lines.problems == ["2:1 the record is longer than 100 bytes"])
        let array = try read("[1,\n\"\(long)\"\n,2]", .json, chunkSize: 16, recordLimit: 100)
        #expect(array.values == [.integer(1), .integer(2)])
        #expect(array.problems == ["2:1 the record is longer than 100 bytes"])
        let rows = try read("a\n1\n\"\(long)\"\n2\n", .csv, chunkSize: 16, recordLimit: 100)
        #expect(rows.values == [record(["a": .integer(1)])])
        #expect(rows.problems == ["3:1 the record is longer than 100 bytes !"])
    }

    @Test(.cases) func formatsAreSniffed() {
        let cases: [(String, [PredicateValue])] = [
            ("[1]", [PredicateValue.integer(1)]),
            ("{\"a\":1}\n{\"a\":2}\n", [record(["a": .integer(1)]), record(["a": .integer(2)])]),
            ("{\n\"a\":1}\n", [record(["a": .integer(1)])]), ("{\"a\":1}", [record(["a": .integer(1)])]),
            ("a,b\n1,2\n", [record(["a": .integer(1), "b": .integer(2)])]), ("<plist><true/></plist>", [.bool(true)]),
            ("", []),
        ]
        forEachCase(cases) { (text, values) throws in #expect(try read(text, nil).values == values) }
    }

    @Test func formatsFollowTheExtension() {
        let names: [(String, RecordFormat?)] = [
            ("a.json", .json), ("/x.y/b.JSONL", .jsonl), ("c.ndjson", .jsonl), ("d.csv", .csv), ("e.tsv", .csv),
            ("f.plist", .plist), ("g", nil), ("h.txt", nil),
        ]
        for (name, format) in names { #expect(RecordFormat(path: name) == format) }
    }

    @Test func tsvFilesUseTabs() throws {
        #expect(
            try read(Array("a\tb\n1\t2".utf8), ReaderOptions(), extension: "tsv").values == [
                record(["a": .integer(1), "b": .integer(2)])
            ])
    }

    @Test func unreadableInputsThrow() throws {
        let problem = #expect(throws: RecordProblem.self) { try RecordReader(path: "/no/such/file.json") }
        #expect(problem?.description == "/no/such/file.json: cannot open: No such file or directory")
        let folder = #expect(throws: RecordProblem.self) { try RecordReader(path: NSTemporaryDirectory()) }
        #expect(folder?.description.hasSuffix(": cannot open: Is a directory") == true)
        #expect(try read([0xFF, 0xFE, 0x61, 0], ReaderOptions()).problems.count == 1)
    }

    /// A pipe that stays open: records are returned as soon as they are complete, and the reader reports that
    /// it waits.
    @Test func pipesReturnCompleteRecords() throws {
        let pipe = Pipe()
        var options = ReaderOptions()
        options.format = .jsonl
        let reader = RecordReader(descriptor: pipe.fileHandleForReading.fileDescriptor, name: "pipe", options: options)
        var waits = 0
        reader.beforeWaiting = {
            waits += 1
            if waits == 1 { try? pipe.fileHandleForWriting.write(contentsOf: Data("1\n2".utf8)) }
            if waits == 2 { try? pipe.fileHandleForWriting.close() }
        }
        var values: [PredicateValue] = []
        while case .record(let record)? = reader.next() { values.append(record.value) }
        #expect(values == [.integer(1), .integer(2)])
        #expect(waits == 2)
        #expect(reader.totalBytes == nil && reader.bytesRead == 3)
    }
}
