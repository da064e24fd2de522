// Filters in the JSON of react-querybuilder, written by hand from its documentation; and hostile ones.
import Foundation
@testable import PredicateEditor
import PredicateRecords
import PredicateTestSupport
import Testing

@Suite struct FormTests {
    /// JSON, and the predicate of the filter. Each is written again as equal JSON.
    static let forms: [(json: String, predicate: String)] = [
        (#"{"combinator": "and", "rules": []}"#, "TRUEPREDICATE"),
        (
            #"""
            {"id": "r", "combinator": "and", "not": false, "rules": [
                {"id": "a", "field": "title", "operator": "beginsWith", "valueSource": "value", "value": "Stev"},
                {"id": "b", "field": "rating", "operator": "in", "value": "3,4, 5"},
                {"id": "c", "field": "price", "operator": ">", "value": "2.5", "disabled": true},
                {"id": "d", "combinator": "or", "not": true, "rules": [
                    {"field": "title", "operator": "=", "valueSource": "field", "value": "comment"},
                    {"field": "isLoved", "operator": "=", "value": true}]}]}
            """#,
            #"""
            title BEGINSWITH "Stev" AND rating IN {3, 4, 5} AND price > 2.5 \#
            AND (NOT (title == comment OR isLoved == 1))
            """#
        ),
        (
            #"""
            {"combinator": "OR", "rules": [{"field": "rating", "operator": "between", "value": "1,4"},
            {"field": "rating", "operator": "notBetween", "value": [2, 3]}]}
            """#,
            "rating BETWEEN {1, 4} OR (NOT rating BETWEEN {2, 3})"
        ),
        (
            #"""
            {"combinator": "and", "rules": [{"field": "title", "operator": "in", "value": "a\\,b,c"},
            {"field": "comment", "operator": "null", "value": ""}]}
            """#,
            #"title IN {"a,b", "c"} AND comment == nil"#
        ),
        (
            #"""
            {"combinator": "and", "rules": [
                {"field": "tags", "operator": "=", "match": {"mode": "some"},
                 "value": {"combinator": "and", "rules": [{"field": "", "operator": "contains", "value": "x"}]}},
                {"field": "artists", "operator": "=", "match": {"mode": "atLeast", "threshold": 2},
                 "value": {"id": "i", "combinator": "and", "rules": [
                    {"field": "born", "operator": ">", "value": 1950}]}},
                {"field": "tags", "operator": "=", "match": {"mode": "none", "threshold": null},
                 "value": {"combinator": "or", "not": false, "rules": [{"field": "", "operator": "=", "value": "y"}]}}]}
            """#,
            #"ANY tags CONTAINS "x" AND SUBQUERY(artists, $x, $x.born > 1950).@count >= 2 AND (NOT ANY tags == "y")"#
        ),
        (
            #"""
            {"combinator": "and", "not": true, "rules": [{"field": "added", "operator": "inTheLast",
            "value": {"n": 7, "unit": "days"}}, {"field": "", "operator": "predicate",
            "value": "price * 2 < 5"}]}
            """#,
            "NOT (added BETWEEN {today() - days:(7), now()} AND price * 2 < 5)"
        ),
        (
            #"""
            {"combinator": "and", "rules": [{"field": "tags", "operator": "=", "match": {"mode": "some"},
            "value": {"combinator": "and", "rules": [
                {"field": "", "operator": "=", "valueSource": "field", "value": "title"}]}}]}
            """#,
            "ANY tags == title"
        ),
        // What is muted, incomplete or not known is kept, and left out of the predicate.
        (
            #"""
            {"combinator": "and", "rules": [{"field": "rating", "operator": "=", "value": 1},
            {"field": "rating", "operator": "=", "value": 2, "muted": true}, {"combinator": "or", "rules": [],
            "note": {"a": [1, 2.5, null]}}]}
            """#,
            "rating == 1"
        ),
        (
            #"{"combinator": "and", "rules": [{"field": "rating", "operator": "soundsLike", "value": {"$x": [1]}}]}"#,
            "TRUEPREDICATE"
        ),
        (
            #"{"combinator": "and", "rules": [{"field": "nothing", "operator": "=", "value": -0.5}, {"any": 1}, {}]}"#,
            "TRUEPREDICATE"
        ),
        (
            #"""
            {"combinator": "and", "rules": [{"field": "artists", "operator": "=", "match": {"mode": "atLeast",
            "threshold": 0.5}, "value": {"combinator": "and", "rules": [{"field": "born", "operator": "=",
            "value": 1}]}}]}
            """#,
            "TRUEPREDICATE"
        ),
    ]

    @Test(.cases) func forms() throws {
        let fields = try Song.fields()
        forEachCase(Self.forms) { json, predicate in
            let value = try JSON.parse(json)
            let filter = try EditorGroup(form: value)
            #expect(filter.predicate(fields).description == predicate)
            #expect(filter.form == value)
            // By Codable, too, and with edits.
            let decoded = try JSONDecoder().decode(EditorGroup.self, from: Data(json.utf8))
            #expect(decoded == filter)
            #expect(try JSON.parse(String(decoding: JSONEncoder().encode(decoded), as: UTF8.self)) == value)
            var edited = filter
            edited.append(EditorRow("rating", .equal, 5))
            let again = try EditorGroup(form: edited.form)
            #expect(again == edited)
            #expect(again.items.dropLast().map(\.id) == filter.items.map(\.id) || !json.contains(#""id": "a""#))
        }
    }

    @Test func independentCombinatorsAreRead() throws {
        let json = #"""
            {"rules": [{"field": "rating", "operator": "=", "value": 1}, "or",
            {"field": "rating", "operator": "=", "value": 2}, "and", {"field": "price", "operator": "=", "value": 3}],
            "not": true, "id": "x"}
            """#
        let filter = try EditorGroup(form: try JSON.parse(json))
        let fields = try Song.fields()
        #expect(filter.predicate(fields).description == "NOT (rating == 1 OR (rating == 2 AND price == 3))")
        #expect(filter.id == "x")
        #expect(try EditorGroup(form: filter.form) == filter)
        #expect("\(filter.form)".contains("combinator"))
    }

    /// An edit writes the row anew, and keeps the members that are not known.
    @Test func editsKeepTheRest() throws {
        let json =
            #"""
            {"combinator": "and", "z": 1, "rules": [{"id": "a", "field": "rating", "operator": "=",
            "value": "3", "disabled": true}]}
            """#
        var filter = try EditorGroup(form: try JSON.parse(json))
        filter["a"]?.row?.operator = .less
        filter.match = .none
        let expected =
            #"""
            {"combinator": "or", "not": true, "z": 1, "rules": [{"id": "a", "field": "rating", "operator": "<",
            "value": "3", "disabled": true}]}
            """#
        let form = try JSON.parse(expected)
        #expect(filter.form == form)
    }

    @Test func idsAreDifferent() throws {
        let rule = #"{"id": "a", "field": "rating", "operator": "=", "value": 1}"#
        let filter = try EditorGroup(
            form: try JSON.parse(#"{"id": "a", "combinator": "and", "rules": [\#(rule), \#(rule)]}"#))
        #expect(Set([filter.id] + filter.items.map(\.id)).count == 3)
        let row = EditorRow("rating", .equal, 1)
        #expect(row == EditorRow("rating", .equal, 1))
        #expect(row.id != EditorRow("rating", .equal, 1).id)
        #expect(row.hashValue == EditorRow("rating", .equal, 1).hashValue)
        #expect(try JSONDecoder().decode(EditorRow.self, from: JSONEncoder().encode(row)) == row)
    }

    // MARK: - Hostile

    @Test(.cases) func hostileFormsAreErrors() {
        let deep = String(repeating: #"{"combinator":"and","rules":["#, count: 60) + String(repeating: "]}", count: 60)
        let deepest = String(repeating: "[", count: 100_000)
        let rule = #"{"field": "rating", "operator": "=", "value": 1}"#
        let wide =
            #"{"combinator":"and","rules":["# + [String](repeating: rule, count: 10_001).joined(separator: ",") + "]}"
        let forms = [
            "", "null", "1", "[]", "{}", #"{"rules": 5}"#, #"{"combinator": "and"}"#,
            #"{"combinator": "xor", "rules": []}"#, #"{"combinator": 1, "rules": []}"#,
            #"{"combinator": "and", "rules": [1]}"#, #"{"combinator": "and", "rules": [[]]}"#,
            #"{"combinator": "and", "rules": [null]}"#, #"{"rules": [{}, "nor", {}]}"#, #"{"rules": [{}, {}]}"#,
            #"{"combinator": "and", "rules": [{"rules": "x"}]}"#, deep, deepest, wide,
        ]
        forEachCase(TestDepth.isQuickest ? forms.dropLast() : forms[...]) { (form) throws in
            #expect(throws: (any Error).self) { try JSONDecoder().decode(EditorGroup.self, from: Data(form.utf8)) }
        }
    }

    /// Values of any kind are kept, and their rows have problems.
    @Test(.cases) func hostileValuesAreProblems() throws {
        let fields = try Song.fields()
        let values = [
            "null", "[]", "{}", "1e300", "-1", "99999999999999999999", "[[[[1]]]]", #""""#,
            #"{"n": 1e300, "unit": "days"}"#, #"{"n": 9223372036854775807, "unit": "years"}"#,
            #"{"n": -1, "unit": "days"}"#, #"{"n": 1, "unit": "eons"}"#, #""' OR 1 == 1""#, #"{"$date": "x"}"#,
            "[null, null]", "true", "[1, 2, 3]",
        ]
        forEachCase(pairs(values, fields.all.map(\.keyPath))) { value, keyPath in
            for form in EditorOperator.forms.map(\.base) + [.predicate] {
                let json =
                    #"""
                    {"combinator": "and", "rules": [{"field": "\#(keyPath)", "operator": "\#(form.rawValue)",
                    "value": \#(value)}]}
                    """#
                let filter = try EditorGroup(form: try JSON.parse(json))
                let predicate = filter.predicate(fields)
                let problems = filter.problems(fields)
                #expect(problems.isEmpty != (predicate == .constant(true)))
                #expect(problems.allSatisfy { !$0.sentence().contains("{text}") })
            }
        }
    }

    /// Changed bytes and parts give a filter or an error. A filter that is read is written and read again.
    @Test func mutantsAreReadOrRefused() throws {
        var random = SplitMix(4610)
        let fields = try Song.fields()
        let tokens = [
            "\"rules\"", "\"combinator\"", "\"and\"", "\"not\"", "true", "null", "[", "]", "{", "}", ",", ":",
            "\"match\"", "1e99", "\"field\"", "\"operator\"", "\"value\"", "\"predicate\"", "\"some\"", "\"id\"",
            "-9223372036854775808", "\"\\u0000\"",
        ]
        var read = 0
        for _ in 0..<TestDepth.count(10_000) {
            var text = random.pick(Self.forms).json
            for _ in 0..<random.below(3) {
                let (old, new) = (random.pick(tokens), random.pick(tokens))
                if let place = text.range(of: old) { text.replaceSubrange(place, with: new) }
            }
            var bytes = Array(text.utf8)
            for _ in 0..<random.below(3) {
                let place = random.below(bytes.count)
                switch random.below(4) {
                case 0: bytes[place] = UInt8(random.below(256))
                case 1: bytes.removeSubrange(place..<min(bytes.count, place + random.below(20)))
                case 2: bytes.insert(contentsOf: random.pick(tokens).utf8, at: place)
                default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + random.below(60))], at: place)
                }
                if bytes.isEmpty { bytes = [123] }
            }
            guard let filter = try? JSONDecoder().decode(EditorGroup.self, from: Data(bytes)) else { continue }
            read += 1
            #expect(try EditorGroup(form: filter.form) == filter)
            _ = filter.sentence(fields, .german)
            let predicate = filter.predicate(fields)
            #expect(EditorGroup(predicate, fields: fields).problems(fields) == [])
        }
        #expect(read > TestDepth.count(10_000) / 10)
    }
}
