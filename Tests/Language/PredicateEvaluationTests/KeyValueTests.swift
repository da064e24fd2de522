import PredicateTestSupport
// Keys, paths, collection operators, indices: LANGUAGE 3.6, 5.3, 5.11, 5.12.
import Predicates
import Testing

import struct Foundation.Date
import class Foundation.NSNull
import struct Foundation.URL

private let shop = v([
    "name": "Shop", "owner": NSNull(), "tags": ["a", "b"],
    "items": [["price": 10, "kind": "x"], ["price": 20, "kind": "y"], ["kind": "x"]],
    "departments": [["ages": [1, 2]], ["ages": [3]]], "sizes": Set([1, 2]), "odd key": 7, "a.b": 8,
    "nested": ["deep": ["deeper": "found"]], "matrix": [[1, 2], [2, 3]], "empty": [Int](), "@type": "Thing", "n": 1.5,
])

struct KeyValueTests {
    /// LANGUAGE 5.3: a key is applied through up to 32 levels of nested collections.
    @Test func nestedCollectionsHaveALimit() throws {
        func nested(_ levels: Int, _ inner: PredicateValue) -> PredicateValue {
            (0..<levels).reduce(inner) { value, _ in .array([value]) }
        }
        let object = v(["key": 7])
        #expect(try value("SELF.key", nested(32, object)) == nested(32, .integer(7)))
        #expect(throws: PredicateFailure.self) { try value("SELF.key", nested(33, object)) }
        // Each operator is applied through one level.
        let operators = { (count: Int) in Array(repeating: "@max", count: count).joined(separator: ".") + ".key" }
        #expect(try value(operators(32), nested(32, object)) == v(7))
        #expect(throws: PredicateFailure.self) { try value(operators(33), nested(33, object)) }
    }

    @Test(.cases) func pathsHaveTheirValue() {
        let cases: [(String, PredicateValue)] = [
            ("name", v("Shop")), ("missing", .null), ("missing.further", .null), ("owner", .null),
            ("owner.name", .null), ("nested.deep.deeper", v("found")), ("name.length", v(4)),
            ("name.description", v("Shop")), ("name.self", v("Shop")), ("tags.length", v([1, 1])),
            ("items.kind", v(["x", "y", "x"])), ("items.price", .array([v(10), v(20), .nsNull])),
            ("departments.ages", v([[1, 2], [3]])), ("departments.ages.@count", v(2)), ("SELF.name", v("Shop")),
            ("SELF.#self.name", v("Shop")), ("n.stringValue", v("1.5")), ("sizes.description", .set([v("1"), v("2")])),
            ("items.@count", v(3)), ("items.@sum.price", v(30)), ("items.@avg.price", v(10.0)),
            ("items.@min.price", v(10)), ("items.@max.price", v(20)),
            ("items.@unionOfObjects.kind", v(["x", "y", "x"])), ("items.@unionOfObjects.price", v([10, 20])),
            ("items.@distinctUnionOfObjects.kind", v(["x", "y"])), ("matrix.@unionOfArrays.#self", v([1, 2, 2, 3])),
            ("matrix.@distinctUnionOfArrays.#self", v([1, 2, 3])),
            ("matrix.@distinctUnionOfSets.#self", .set([v(1), v(2), v(3)])), ("tags.@max.#self", v("b")),
            ("empty.@count", v(0)), ("empty.@sum.x", v(0)), ("empty.@avg.x", .null), ("empty.@max.x", .null),
            ("empty.@unionOfObjects.x", v([Int]())), ("missing.@count", .null), ("missing.@sum.x", .null),
            ("sizes.@count", v(2)), ("sizes.@sum.#self", v(3)), ("@type", v("Thing")), ("nested.@count", v(1)),
            ("nested.@allKeys", v(["deep"])), ("nested.@allValues", v([["deeper": "found"]])),
            ("items.@max.kind.length", v(1)), ("departments.@unionOfArrays.ages", v([1, 2, 3])),
        ]
        forEachCase(cases) { (text, expected) throws in #expect(try value(text, shop) == expected, "\(text)") }
    }

    @Test(.cases) func invalidPathsThrow() {
        let cases: [(String, String)] = [
            ("name.missing == 1", "unknown-key"), ("n.length == 1", "string-operand"), ("tags.foo == 1", "unknown-key"),
            ("items.@sum == 1", "function-arguments"), ("items.@average.price == 1", "unknown-collection-operator"),
            ("name.@count == 1", "not-a-collection"), ("items.@sum.kind == 1", "operand-type"),
            ("@K == YES", "unknown-collection-operator"), ("nested.@sum.x == 1", "not-a-collection"),
            ("items.@max.#self == 1", "operand-type"), ("name.class == nil", "unknown-key"),
            ("items.@unionOfArrays.kind == nil", "not-a-collection"),
        ]
        forEachCase(cases) { text, id in #expect(answer(text, shop) == id, "\(text)") }
    }

    /// Every key of nil, `NSNull` or a nil element is nil.
    @Test func everyKeyOfNilIsNil() throws {
        for object in [PredicateValue.null, .nsNull] {
            #expect(try value("a.b.c", object) == .null)
            #expect(try value("@count", object) == .null)
            #expect(try value("length", object) == .null)
        }
        #expect(try value("key", .array([.nsNull, v(["key": 1])])) == .array([.nsNull, v(1)]))
        #expect(try value("key", .set([.nsNull, v(["key": 1]), v(["key": 1.0])])) == .set([v(1)]))
    }

    @Test(.cases) func indicesHaveTheirValue() {
        let cases: [(String, PredicateValue)] = [
            ("(items.price)[0]", v(10)), ("tags[1]", v("b")), ("tags[FIRST]", v("a")), ("tags[LAST]", v("b")),
            ("tags[SIZE]", v(2)), ("empty[FIRST]", .null), ("empty[LAST]", .null), ("empty[SIZE]", v(0)),
            ("missing[0]", .null), ("missing[SIZE]", .null), ("nested['deep']", v(["deeper": "found"])),
            ("nested['none']", .null), ("nested[1]", .null), ("nested[SIZE]", v(1)), ("sizes[SIZE]", v(2)),
            ("tags[missing]", .null), ("{1, 2, 3}[1 + 1]", v(3)), ("tags[1.0]", v("b")), ("matrix[1][0]", v(2)),
            ("items[LAST].kind", v("x")), ("objectFrom:withIndex:(tags, LAST)", v("b")), ("SELF['odd key']", v(7)),
            ("TERNARY(1 == 1, tags, empty)[0]", v("a")),
        ]
        forEachCase(cases) { (text, expected) throws in #expect(try value(text, shop) == expected, "\(text)") }
    }

    @Test(.cases) func invalidIndicesThrow() {
        let cases: [(String, String)] = [
            ("tags[2] == 1", "index-out-of-range"), ("tags[-1] == 1", "index-out-of-range"),
            ("tags['a'] == 1", "operand-type"), ("sizes[0] == 1", "operand-type"),
            ("nested[FIRST] == 1", "operand-type"), ("name[0] == 1", "not-a-collection"),
            ("name[SIZE] == 4", "not-a-collection"), ("nested.deep[0] == 1", "index-after-path"),
            ("SELF.tags[0] == 'a'", "index-after-path"), ("$x.tags[0] == 'a'", "index-after-path"),
        ]
        forEachCase(cases) { text, id in #expect(answer(text, shop, variables: ["x": shop]) == id, "\(text)") }
    }

    @Test func indexAfterPathHasAFixIt() throws {
        let failure = #expect(throws: PredicateFailure.self) {
            try FormatPredicate("a.d[0][1] == 1").evaluate(v(["a": ["d": [[1, 2]]]]))
        }
        let diagnostic = try #require(failure?.diagnostics.first)
        #expect(diagnostic.severity == .error)
        #expect(diagnostic.details.last == "(a.d)[0][1]")
        #expect(diagnostic.fixIts.map(\.replacement) == ["(", ")"])
        #expect(diagnostic.fixIts.map(\.span) == [SourceSpan(0, 0), SourceSpan(3, 3)])
    }

    @Test func computedStepsAreEvaluated() throws {
        #expect(try value("SELF.$k", shop, variables: ["k": "name"]) == v("Shop"))
        #expect(try value("nested.$k", shop, variables: ["k": "deep.deeper"]) == v("found"))
        #expect(try value("items.$k", shop, variables: ["k": "@count"]) == v(3))
        #expect(try value("items.$k", shop, variables: ["k": "@sum.price"]) == v(30))
        #expect(try value("nested.$k", shop, variables: ["k": nil]) == .null)
        #expect(try value("SELF.\"odd key\"", shop) == v(7))
        #expect(try value("SELF.\"a.b\"", shop) == v(8))
        #expect(answer("nested.$k == 1", shop, variables: ["k": 1]) == "operand-type")
    }

    /// When the shape of the rows changes, the cached position of a key is searched again.
    @Test func shapesMayAlternate() throws {
        let rows = (0..<100).map { n -> PredicateValue in
            n % 3 == 0 ? v(["b": 0, "a": n]) : n % 3 == 1 ? .dictionary(ValueDictionary([("a", v(n))])) : v(["c": n])
        }
        let matcher = try FormatPredicate("a >= 50").compiled()
        #expect(rows.indices(matching: matcher) == (50..<100).filter { $0 % 3 != 2 })
    }

    @Test func collectionsInsideCollectionsAreBounded() throws {
        var list = v("x")
        for _ in 0..<31 { list = .array([list]) }
        #expect(try value("SELF.length", list) != .null)
        for _ in 0..<200 { list = .array([list]) }
        #expect(answer("length == 1", list) == "limit-exceeded")
    }
}

/// Methods of values as keys of published types.
struct MethodKeyTests {
    private struct Site: Queryable {
        var host: String
        static let keys: KeyTable<Site> = [.key("host", \.host)]
    }

    private struct Bookmark: Queryable {
        var file: String
        var url: URL?
        var seen: Date
        var site: Site
        static let keys: KeyTable<Bookmark> = [
            .key("file", \.file), .key("url", \.url), .key("seen", \.seen), .key("site", \.site),
        ]
    }

    private static let bookmarks = [
        Bookmark(
            file: "papers/a.PDF", url: URL(string: "https://a.org/x.html?q"), seen: Date(timeIntervalSince1970: 10),
            site: Site(host: "own")),
        Bookmark(file: "b.txt", url: nil, seen: Date(timeIntervalSince1970: -10), site: Site(host: "other")),
    ]

    @Test(.cases) func methodsAreKeys() {
        let cases: [(String, Int)] = [
            ("file.lastPathComponent ENDSWITH[c] '.pdf'", 1), ("file.pathExtension IN {'txt', 'md'}", 1),
            ("url.host == 'a.org' AND url.pathExtension == 'html'", 1), ("url.host == nil", 1),
            ("url.path.lastPathComponent == 'x.html' OR url.query == nil", 2),
            ("seen.timeIntervalSince1970 > 0", 1), ("seen.timeIntervalSince1970 == -10", 1),
            // The key of the type, not the method.
            ("site.host == 'own'", 1),
        ]
        forEachCase(cases) { text, count in
            let predicate = try FormatPredicate(text)
            #expect(try Self.bookmarks.filter(predicate).count == count, "\(text)")
        }
    }

    @Test(.cases) func otherTypesHaveNoSuchMethod() {
        forEachCase(["file.host == 'a'", "url.host > 5", "site.path == 'a'", "seen.pathExtension == 'a'"]) { text in
            let predicate = try FormatPredicate(text)
            #expect(throws: PredicateFailure.self) { try predicate.compiled(for: Bookmark.self) }
        }
    }
}
