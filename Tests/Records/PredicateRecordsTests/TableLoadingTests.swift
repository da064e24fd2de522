// Tests of loading the records of files into tables.
import PredicateEvaluation
import PredicateRecords
import PredicateTestSupport
import Testing

struct TableLoadingTests {
    static let inputs: [(name: String, text: String)] = [
        (
            "a.jsonl",
            "{\"id\": 1, \"tags\": [\"a\", null], \"in\": {\"x\": 1.5}}\n{\"tags\": [], \"id\": 2}\n3\n{\"id\": null}\n"
        ),
        ("a.json", "[{\"id\": 1, \"name\": \"é\"}, {\"name\": \"e\u{301}\", \"id\": 2.5}, {}]"),
        ("a.csv", "id,name,when\n1,Ada,2001-01-01T00:00:05Z\n2,,\n"),
    ]

    @Test(.cases) func rowsEqualTheRecords() {
        forEachCase(Self.inputs.indices) { index in
            var options = ReaderOptions()
            options.types = try FieldTypes("when=date,id=integer")
            if index != 2 { options.types = FieldTypes() }
            let (name, text) = Self.inputs[index]
            let reader = RecordReader(bytes: Array(text.utf8), name: name, options: options)
            var values: [PredicateValue] = []
            while case .record(let record)? = reader.next() { values.append(record.value) }
            var builder = PredicateTableBuilder()
            for value in values { builder.append(value) }
            let table = builder.finish()
            #expect(values.count > 1)
            #expect((0..<table.count).map { "\(table[$0])" } == values.map { "\($0)" })
            let predicate = try FormatPredicate("id > 1 OR name == 'é'")
            #expect(try table.filter(predicate) == values.filter(predicate))
        }
    }
}
