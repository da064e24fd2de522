// Warnings by the types of records (RecordTypes.swift): none for a predicate that is fine.

import GoldenCases
import PredicateRecords
import PredicateTestSupport
import Testing

@testable import PredicateCheckCommands
@testable import PredicateCommands

@Suite struct RecordTypesTests {
    /// The golden cases that compare values of different types.
    private static let mixed: Set<String> = [
        "not in a list", "a number is no text, silently", "a text differs from a number", "a set is no array",
        "a date is no number", "a union is no array",
    ]

    /// The warnings that the types of a record add.
    private static func warnings(_ subject: GoldenSubject, _ record: PredicateValue) -> [PredicateDiagnostic] {
        guard case .predicate(let node) = subject.tree else { return [] }
        let predicate = FormatPredicate(node, source: subject.format)
        let text = PredicateText(.predicate(predicate), subject.diagnostics, subject.format)
        let shape = FieldShape()
        shape.add(record)
        let known = Set(subject.diagnostics.map(\.id))
        return text.warned(by: shape.checker(subject.environment)).diagnostics.filter { found in
            // Without types, comparisons with nil and with empty texts are found, too.
            let isByText = ["nil never", "an empty text never"].contains { found.message.contains($0) }
            return !known.contains(found.id) && !isByText
        }
    }

    @Test func fineGoldenCasesHaveNoWarning() throws {
        var (count, found) = (0, Set<String>())
        for path in Project.files(under: "Tests/Golden/evaluation", suffix: ".golden") {
            for golden in try GoldenFile(Project.text(path)).cases {
                let subject = try GoldenSubject(golden)
                guard subject.parses, let record = subject.input else { continue }
                count += 1
                let warnings = Self.warnings(subject, record)
                if warnings.isEmpty { continue }
                found.insert(golden.title)
                if !Self.mixed.contains(golden.title) {
                    Issue.record("\(path): '\(golden.title)': \(warnings.map(\.message))")
                }
            }
        }
        #expect(found == Self.mixed && count > 300)
    }

    /// The types of records are merged from batches in any split, and collecting ends early.
    @Test func batchesAreMerged() throws {
        let records = [
            #"{"a": null}"#, #"{"a": 1, "b": [{"c": 1}]}"#, #"{"a": 2.5, "b": [{"c": "x"}]}"#, #"{"a": "x"}"#,
        ]
        let values = try records.map { try JSON.parse($0) }
        func text(_ format: String) -> PredicateText { TextReader().read(format) }
        let whole = FieldShape()
        for value in values { whole.add(value) }
        for split in 0...values.count {
            let (first, second) = (FieldShape(), FieldShape())
            for value in values[..<split] { first.add(value) }
            for value in values[split...] { second.add(value) }
            first.merge(second)
            #expect(first.type == whole.type && first.count == whole.count)
            #expect(first.entities(named: "r") == whole.entities(named: "r"))
            #expect(!first.merge(second))
        }
        let check = RecordCheck(text("a == \"x\""))
        var types = RecordTypes([check])
        var batch = BatchTypes(types.open, of: .jsonl)
        batch.add(values[0])
        types.add(batch.shape)
        #expect(types.open.count == 1)
        batch = BatchTypes(types.open, of: .jsonl)
        for value in values { batch.add(value) }
        types.add(batch.shape)
        #expect(types.open.isEmpty)
    }

    /// A column is Boolean only if each field is one of one pair of words.
    @Test(.cases) func columnsOfBooleans() {
        let cases: [(String, String)] = [
            ("true false", "false,true"), ("True False  True", "false,nil,true"), ("YES NO", "false,true"),
            ("yes no", "false,true"), ("NO NO", "\"NO\""), ("true", "true"), ("True FALSE", "\"FALSE\",\"True\""),
            ("yes true", "\"true\",\"yes\""), ("yes Maybe", "\"Maybe\",\"yes\""), ("true 1", "\"1\",\"true\""),
            ("tRue fAlse", "\"fAlse\",\"tRue\""), ("\"yes\" no", "\"no\",\"yes\""),
        ]
        forEachCase(cases) { fields, expected in
            let lines = fields.split(separator: " ", omittingEmptySubsequences: false).map { "\($0),1" }
            let bytes = Array(("a,b\n" + lines.joined(separator: "\n") + "\n").utf8)
            for fields in [nil, ["a"]] as [[String]?] {
                var options = ReaderOptions()
                (options.format, options.fields) = (.csv, fields)
                let reader = RecordReader(bytes: bytes, name: "t.csv", options: options)
                var values: Set<String> = []
                while case .record(let record)? = reader.next() {
                    if case .dictionary(let row) = record.value {
                        values.insert(row["a"].map { $0.isNil ? "nil" : JSON.text($0) } ?? "nil")
                    }
                }
                #expect(values.sorted().joined(separator: ",") == expected)
            }
        }
    }
}
