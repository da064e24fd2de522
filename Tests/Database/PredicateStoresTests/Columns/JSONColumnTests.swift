// Tests of attributes inside JSON columns. SQL selects the same objects as evaluation in memory, and all engines read the
// same values as a reader of whole documents.

import Foundation
import PredicateRecords
import PredicateStores
import PredicateTestSupport
import Testing

@Suite struct JSONColumnTests {
    private typealias Attribute = PredicateSchema.Attribute

    private static let attributes: [(name: String, type: ExpressionType.Kind, path: String)] = [
        ("meta.theme", .string, "$.theme"), ("meta.size", .integer, "$.size"), ("meta.ratio", .double, "$.ratio"),
        ("meta.on", .boolean, "$.on"), ("meta.tags", .list(of: .string), "$.tags"),
        ("meta.nums", .list(of: .integer), "$.nums"), ("meta.flags", .list(of: .boolean), "$.flags"),
        ("firstTag", .string, "$.tags[0]"), ("odd", .string, "$.\"it's {0}\".c"), ("sizeText", .string, "$.size"),
    ]

    private static func schema() throws -> PredicateSchema {
        try PredicateSchema([
            PredicateSchema.Entity(
                "Doc", table: "doc", primaryKey: ["id"],
                attributes: [Attribute("id", .integer)]
                    + attributes.map { name, type, path in
                        Attribute(name, type, column: "meta").with { $0.json = path }
                    },
                relationships: [
                    .init("parent", to: "Doc", link: .column("parent")),
                    .init("children", toMany: "Doc", link: .foreignKey("parent")),
                ])
        ])
    }

    // MARK: Documents

    private static let values = [
        "null", "true", "false", "\"dark\"", "\"Dark\"", "\"\"", "\"\u{E9}\"", #""e\u0301""#, #""\ud83d\ude00""#,
        "\"5\"", #""a\"b\\c""#, #""a\u0000b""#, #""a\\u0000b""#, #""\\\u0000""#, "5", "0", "-7", "5.0", "1.5", "-0.25",
        "1000000.125", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
        "123456789012345678901234567890", "1e308", "[]", #"["a", "b", null, 5, true, "\u00e9"]"#, #"["dark"]"#,
        #"["dark\u0000", "dark", "\\u0000"]"#, #"[1, 2, 2.5, "1", null, 9223372036854775808, -3]"#,
        "[true, false, 1, null]", #"{"c": "x"}"#, "{}",
    ]
    private static let keys = ["theme", "size", "ratio", "on", "tags", "nums", "flags", "it's {0}"]

    private static func documents(in place: Place) -> [String?] {
        let hasMalformed = place.type == "text"
        // A statement of PostgreSQL that reads U+0000 inside JSON fails.
        let values = place.storesNUL ? values : values.filter { !$0.contains(#"\u0000"#) }
        var random = SplitMix(47)
        let made = (0..<TestDepth.count(400, full: 2_000)).map { _ -> String? in
            let members = keys.filter { _ in random.chance(70) }.map { "\"\($0)\": \(random.pick(values))" }
            return "{" + members.joined(separator: ", ") + "}"
        }
        let malformed: [String?] = ["{\"theme\": \"dark\"", "", "{'theme': 'dark'}", "{\"theme\": \"dark\",}"]
        return made + [nil, "[]", "\"theme\"", "5", "null"] + (hasMalformed ? malformed : [])
    }

    /// The value of an attribute by a reader of whole documents.
    private static func expected(_ document: String?, _ path: String, _ type: ExpressionType.Kind) -> PredicateValue {
        guard let document, let value = try? JSON.parse(document), let path = JSONPath(path) else { return .null }
        return value.value(at: path, as: type)
    }

    // MARK: Stores

    private enum Place: Sendable, CustomTestStringConvertible {
        case sqlite
        /// A dialect that does not read JSON, so that rows have whole documents.
        case ansi
        case other(Backend)

        static let here = [Place.sqlite, .ansi] + Backend.here.map(Place.other)

        var testDescription: String {
            switch self {
            case .sqlite: "SQLite"
            case .ansi: "SQLite as another engine"
            case .other(let backend): backend.rawValue
            }
        }

        var type: String {
            switch self {
            case .sqlite, .ansi: "text"
            case .other(.postgreSQL): "jsonb"
            case .other: "json"
            }
        }

        var storesNUL: Bool {
            switch self {
            case .other(.postgreSQL), .other(.postgreSQLOverADBC): false
            default: true
            }
        }

        func store() throws -> any TestedStore {
            let schema = try JSONColumnTests.schema()
            let table = "doc (id bigint PRIMARY KEY, meta \(type), parent bigint)"
            switch self {
            case .sqlite:
                let store = try SQLiteStore(path: ":memory:", schema: schema, mode: .readWrite)
                _ = try store.rows("CREATE TABLE \(table)")
                return store
            case .ansi:
                let connection = try SQLiteConnection(":memory:", flags: 2, busyMilliseconds: 0)
                let store = try SQLStore(schema: schema, dialect: .ansi, connection: connection)
                _ = try store.rows("CREATE TABLE \(table)")
                return store
            case .other(let backend): return try backend.store(schema, [table])
            }
        }
    }

    private static func fill(_ store: any TestedStore, _ documents: [String?]) throws {
        var start = 0
        while start < documents.count {
            let rows = documents[start..<min(start + 100, documents.count)].enumerated().map { index, document in
                let text = document.map { "'" + $0.replacing("'", with: "''") + "'" } ?? "NULL"
                let id = start + index
                return "(\(id), \(text), \(id % 7 == 0 ? "NULL" : String(id / 3)))"
            }
            _ = try store.rows("INSERT INTO doc VALUES " + rows.joined(separator: ", "))
            start += 100
        }
    }

    private static let predicates = [
        "meta.theme == 'dark'", "meta.theme != 'dark'", "meta.theme == nil", "NOT meta.theme == nil",
        "meta.theme ==[c] 'DARK'", "meta.theme BEGINSWITH 'd'", "meta.theme CONTAINS 'a'",
        "meta.theme ENDSWITH '\u{E9}'", "meta.theme LIKE '*a?k'", "meta.theme IN {'dark', '5', nil}",
        "meta.theme < 'b'", "meta.theme >= 'dark'", "meta.theme MATCHES '[a-z]+'", "meta.theme == sizeText",
        "meta.theme.length > 2", "meta.theme == ''", "meta.size == 5", "meta.size > 0", "meta.size <= 5",
        "meta.size BETWEEN {0, 9}", "meta.size IN {5, -7, 8}", "meta.size + 1 > 5", "meta.size == 9223372036854775807",
        "meta.size < -100", "meta.size == meta.ratio", "meta.size != 5", "sizeText == '5'", "meta.ratio == 1.5",
        "meta.ratio > 1", "meta.ratio * 2 >= 3", "meta.ratio != 5", "meta.ratio == nil", "meta.ratio < 1e300",
        "meta.on == YES", "meta.on != YES", "meta.on == NO", "meta.on == nil", "ANY meta.tags == 'a'",
        "'dark' IN meta.tags", "ANY meta.tags BEGINSWITH 'd'", "NONE meta.tags == 'b'", "ALL meta.tags != 'b'",
        "ANY meta.tags == nil", "meta.tags == nil", "meta.tags.@count > 2", "ANY meta.tags IN {'a', 'z'}",
        "ANY meta.tags < 'b'", "ANY meta.nums > 1", "meta.nums.@count == 7", "ANY meta.nums == nil", "3 IN meta.nums",
        "-3 IN meta.nums", "ANY meta.flags == YES", "ANY meta.flags == nil", "firstTag == 'a'", "firstTag != nil",
        "odd == 'x'", "odd == nil AND firstTag == nil", "parent.meta.theme == 'dark'", "parent.meta.size > meta.size",
        "ANY children.meta.theme == 'dark'", "children.@max.meta.size > 4", "children.@sum.meta.ratio > 3",
        "children.@count > 1 AND ANY children.odd == 'x'",
        "SUBQUERY(children, $c, $c.meta.theme == 'dark' AND ANY $c.meta.tags == 'a').@count > 0",
        "TERNARY(meta.on == YES, meta.theme, firstTag) == 'dark'",
    ]

    @Test(arguments: Place.here) private func enginesAgreeWithMemory(_ place: Place) throws {
        let store = try place.store()
        let documents = Self.documents(in: place)
        try Self.fill(store, documents)
        let all = try store.fetch(StoreRequest("Doc", sort: [PredicateSortKey("id")]))
        #expect(all.count == documents.count)
        for (object, document) in zip(all, documents) {
            for (name, type, path) in Self.attributes {
                let expected = Self.expected(document, path, type)
                #expect(object.value(at: name) == expected, "\(name) in \(document ?? "NULL")")
            }
        }
        for text in Self.predicates {
            let predicate = try FormatPredicate(text)
            let request = StoreRequest("Doc", where: predicate, sort: [PredicateSortKey("id")])
            let expected = try all.filter(predicate).map { $0["id"] }
            #expect(try store.fetch(request).map { $0["id"] } == expected, "\(text)")
            #expect(try store.count(request) == expected.count, "\(text)")
        }
        for key in ["meta.theme", "meta.size", "meta.ratio", "meta.on"] {
            let keys = [PredicateSortKey(key, descending: key == "meta.size"), PredicateSortKey("id")]
            let expected = try all.sorted(by: keys).map { $0["id"] }
            #expect(try store.fetch(StoreRequest("Doc", sort: keys)).map { $0["id"] } == expected, "\(key)")
        }
        // Related objects are read by another statement.
        for (object, document) in zip(all, documents) {
            let children = object.objects("children")
            #expect(children.allSatisfy { $0.value(at: "parent.id") == object["id"] }, "\(document ?? "")")
            guard case .integer(let parent) = object.value(at: "parent.id"), parent < documents.count else { continue }
            let expected = Self.expected(documents[Int(parent)], "$.theme", .string)
            #expect(object.value(at: "parent.meta.theme") == expected)
        }
    }

    /// On engines that read JSON, nothing is left to memory.
    @Test(.cases) func conditionsAreExact() throws {
        let schema = try Self.schema()
        let inexact = ["children.@sum.meta.ratio > 3", "meta.theme.length > 2", "meta.theme MATCHES '[a-z]+'"]
        for dialect in [SQLDialect.sqlite, .sqlitePlain, .postgreSQL, .duckDB] {
            for text in Self.predicates where !inexact.contains(text) {
                if dialect == .sqlitePlain, text.contains("[c]") { continue }
                let query = try FormatPredicate(text).sql(dialect, entity: "Doc", in: schema)
                #expect(query.residual == nil, "\(dialect), \(text): \(query.reasons)")
            }
        }
        let query = try FormatPredicate("meta.theme == 'dark'").sql(.mySQL, entity: "Doc", in: schema)
        #expect(query.reasons.map(\.sentence) == ["values inside JSON are read in memory"])
        #expect(query.residual != nil)
    }

    // MARK: Indexes

    @Test func adviceNamesAnIndexThatServes() throws {
        let place = Place.sqlite
        let store = try #require(try place.store() as? SQLiteStore)
        try Self.fill(store, Self.documents(in: place))
        for text in [
            "meta.theme == 'dark'", "meta.theme BEGINSWITH 'da'", "meta.size > 5", "meta.size BETWEEN {1, 3}",
            "meta.ratio == 1.5", "meta.on == YES", "odd IN {'x', 'y'}",
        ] {
            let request = StoreRequest("Doc", where: try FormatPredicate(text))
            #expect(try store.explain(request) == ["SCAN t0"], "\(text)")
            let advice = try #require(try store.plan(request).advice.first, "\(text)").split(separator: "\n")
            let name = try #require(advice[1].split(separator: "\"").dropFirst().first)
            _ = try store.rows(String(advice[1].dropLast()))
            #expect(try store.explain(request).first?.hasPrefix("SEARCH t0 USING INDEX \(name) ") ?? false, "\(text)")
            let refreshed = try store.refreshed(schema: Self.schema())
            #expect(try refreshed.plan(request).advice.isEmpty, "\(text)")
            _ = try store.rows("DROP INDEX \"\(name)\"")
        }
        for text in ["meta.theme != 'dark'", "ANY meta.tags == 'a'", "meta.theme ==[c] 'x'"] {
            let request = StoreRequest("Doc", where: try FormatPredicate(text))
            #expect(try store.plan(request).advice.isEmpty, "\(text)")
        }
    }

    @Test(.enabled(if: Backend.here.contains(.postgreSQL))) func adviceServesPostgreSQL() throws {
        let place = Place.other(.postgreSQL)
        let store = try place.store()
        try Self.fill(store, Self.documents(in: place))
        for text in ["meta.theme == 'dark'", "meta.size > 5", "meta.ratio == 1.5", "meta.on == YES"] {
            let plan = try store.plan(StoreRequest("Doc", where: try FormatPredicate(text)))
            let advice = try #require(plan.advice.first, "\(text)").split(separator: "\n")
            let name = try #require(advice[1].split(separator: "\"").dropFirst().first)
            _ = try store.rows(String(advice[1].dropLast()))
            _ = try store.rows("SET enable_seqscan = off")
            let lines = try store.rows("EXPLAIN " + plan.statement.text, plan.statement.bindings)
            #expect("\(lines)".contains(name), "\(text): \(lines)")
            _ = try store.rows("DROP INDEX \"\(name)\"")
        }
    }

    // MARK: Writing

    @Test func documentsAreNotWrittenInParts() throws {
        let store = try Place.sqlite.store()
        let expected = "it is inside the JSON column 'meta', whose document is written as a whole"
        for (key, value) in [("meta.theme", PredicateValue.string("x")), ("odd", .null)] {
            let message = errorText { try store.insert([ValueDictionary([("id", 1), (key, value)])], into: "Doc") }
            #expect(message.contains(expected))
            let update = errorText {
                try store.update(StoreRequest("Doc"), set: [KeyAssignment(key, value)])
            }
            #expect(update.contains(expected))
        }
        try store.insert([ValueDictionary([("id", 1)])], into: "Doc")
        #expect(try store.fetch(StoreRequest("Doc")).map { $0.value(at: "meta.theme") } == [.null])
    }

    /// The whole column may be an attribute, too; tables are created from it.
    @Test func theColumnIsWrittenAsAnAttribute() throws {
        var schema = try Self.schema()
        let refusal = errorText { try SQLiteStore(path: ":memory:", mode: .create).create(schema) }
        #expect(refusal.contains("add an attribute for the whole column"))
        var entity = schema.entities[0]
        entity.attributes.append(Attribute("document", .string, isOptional: true, column: "meta"))
        schema = try PredicateSchema([entity])
        let store = try SQLiteStore(path: ":memory:", schema: schema, mode: .create)
        try store.create(schema)
        #expect(try store.violations().isEmpty)
        let document = PredicateValue.string(#"{"theme": "dark", "tags": ["a"]}"#)
        try store.insert([ValueDictionary([("id", 1), ("document", document)])], into: "Doc")
        let request = StoreRequest("Doc", where: try FormatPredicate("meta.theme == 'dark' AND ANY meta.tags == 'a'"))
        #expect(try store.count(request) == 1)
        try store.update(request, set: [KeyAssignment("document", .string("{}"))])
        #expect(try store.count(request) == 0)
        #expect(try store.fetch(StoreRequest("Doc")).map { $0["document"] } == [.string("{}")])
    }

    /// Records and groups have the values, too.
    @Test func recordsHaveValues() throws {
        let store = try Place.sqlite.store()
        try Self.fill(store, ["{\"theme\": \"dark\", \"size\": 2}", "{\"theme\": \"dark\", \"size\": 3}", "{}"])
        var request = StoreRequest("Doc")
        request.groupBy = ["meta.theme"]
        request.properties = ["meta.theme", "@count", "@sum.meta.size"]
        let found = try store.records(request).map { $0.values.map(\.description).sorted().joined(separator: " ") }
        #expect(Set(found) == ["\"dark\" 2 5", "0 1 nil"])
    }

    /// A store in memory has the values of the attributes themselves.
    @Test func memoryHasTheAttributes() throws {
        let tags = PredicateValue.array([.string("a")])
        let object = ValueDictionary([("id", 1), ("meta.theme", .string("dark")), ("meta.tags", tags)])
        let store = try InMemoryStore(Self.schema(), ["Doc": [object]])
        let predicate = try FormatPredicate("meta.theme == 'dark' AND 'a' IN meta.tags AND meta.size == nil")
        #expect(try store.count(StoreRequest("Doc", where: predicate)) == 1)
        try store.update(StoreRequest("Doc"), set: [KeyAssignment("meta.theme", .string("x"))])
        #expect(try store.fetch(StoreRequest("Doc")).map { $0["meta.theme"] } == [.string("x")])
        #expect(try store.count(StoreRequest("Doc", where: predicate)) == 0)
    }

    /// A migration keeps the documents, also in a table that is created again.
    @Test func migrationsKeepDocuments() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("json-\(UUID()).sqlite").path
        defer { WritingTests.remove(path) }
        var entity = try Self.schema().entities[0]
        let old = try PredicateSchema([entity], version: "1")
        let store = try SQLiteStore(path: path, schema: old, mode: .create)
        _ = try store.rows("CREATE TABLE doc (id INTEGER PRIMARY KEY, meta TEXT, parent INTEGER)")
        _ = try store.rows("INSERT INTO doc VALUES (1, '{\"theme\": \"dark\", \"size\": 5}', NULL)")
        entity.attributes.removeAll { $0.name == "sizeText" }
        entity.attributes += [
            Attribute("note", .integer, isOptional: true),
            Attribute("meta.deep", .integer, column: "meta").with { $0.json = "$.size" },
        ]
        let new = try PredicateSchema([entity], version: "2")
        try StoreMigration(path: path, to: new, from: old).run()
        let migrated = try SQLiteStore(path: path)
        #expect(migrated.schema == new)
        let request = StoreRequest("Doc", where: try FormatPredicate("meta.theme == 'dark' AND meta.deep == 5"))
        #expect(try migrated.count(request) == 1)
    }

    // MARK: Schemas

    @Test(.cases) func wrongSchemasAreErrors() {
        let type = "a value inside JSON is a string, an integer, a double, a boolean, or a list of these"
        let path = "expected a path such as $.theme, $.size.width, $.tags[0] or $.\"two words\""
        let cases: [(String, String, ExpressionType.Kind, String)] = [
            ("a", "$", .string, path), ("a", "theme", .string, path), ("a", "$.", .string, path),
            ("a", "$..b", .string, path), ("a", "$.*", .string, path), ("a", "$.a[*]", .string, path),
            ("a", "$.\"a", .string, path), ("a", "$.a[1", .string, path), ("a", "$.a b", .string, path),
            ("a", "$.\"\\\"\"", .string, path), ("a", "$.a'b", .string, path), ("a", "$.a", .date, type),
            ("a..b", "$.a", .string, "a part between points is empty or begins with @"),
            ("id.b", "$.a", .string, "the entity has another key 'id', so 'id.b' would be read from its value"),
        ]
        forEachCase(cases) { (name, json, type, message) throws in
            do throws(SchemaError) {
                let attribute = Attribute(name, type, column: "meta").with { $0.json = json }
                _ = try PredicateSchema([.init("Doc", attributes: [.init("id", .integer), attribute])])
                Issue.record("no error")
            } catch { #expect(error.problems.map(\.message) == [message]) }
        }
    }

    /// A path becomes a literal, whose quotation marks are doubled.
    @Test func pathsAreQuoted() throws {
        let schema = try Self.schema()
        for dialect in [SQLDialect.sqlite, .postgreSQL, .duckDB] {
            let query = try FormatPredicate("odd == 'x'").sql(dialect, entity: "Doc", in: schema)
            #expect(query.text.contains("$.\"it''s {0}\".c"), "\(query.text)")
        }
    }

    @Test func unknownKeysHaveSuggestions() throws {
        let schema = try Self.schema()
        for (text, shown) in [
            ("meta.thme == 'dark'", "Doc has no key 'meta.thme'"),
            ("parent.meta.thme.length == 3", "Doc has no key 'meta.thme'"),
        ] {
            let failure = #expect(throws: PredicateFailure.self) {
                try FormatPredicate(text).sql(.sqlite, entity: "Doc", in: schema)
            }
            let found = failure?.diagnostics.first
            #expect(found?.message == shown && found?.suggestion == "meta.theme", "\(text)")
            let place = text.utf8.prefix(found?.fixIts.first?.span.end ?? 0)
            #expect(place.suffix(9).elementsEqual("meta.thme".utf8), "\(text)")
        }
        #expect(throws: PredicateFailure.self) {
            try FormatPredicate("meta.size BEGINSWITH 'dark'").sql(.sqlite, entity: "Doc", in: schema)
        }
    }
}
