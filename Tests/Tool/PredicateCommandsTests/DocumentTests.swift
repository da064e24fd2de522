// Property lists, JSON and YAML as trees with positions, and the positions of predicates in them.

import PredicateRecords
import PredicateTestSupport
import Testing

@testable import PredicateCheckCommands
@testable import PredicateCommands
@testable import PredicateRequests

@Suite struct DocumentTests {
    static let rules = DocumentRules(keys: ["where"])

    /// The predicates of a document, each with the text at its position in the file.
    private func found(_ source: String, _ document: DocumentNode) -> [[String]] {
        let bytes = Array(source.utf8)
        return Self.rules.predicates(in: document, spelling: .verbatim).map { found in
            let span = found.text.span
            #expect(span.end <= bytes.count)
            return [found.owner, found.text.text, String(decoding: bytes[span.range], as: UTF8.self)]
        }
    }

    @Test(.cases) func json() {
        let cases: [(String, String?)] = [
            (#"{"where": "a == \"x\" \u00e9\ud83d\ude00"}"#, "a == \"x\" é\u{1F600}"),
            (#"[{"x": {"where": "a"}}]"#, "a"), ("// c\n{\"where\": \"a\", }", "a"),
            (#"{"where": 1, "x": [true, null, -1.5e3]}"#, nil), (#"{"Predicate": "a"}"#, nil),
            (#"{"Type": "com.apple.activation.simple", "Payload": {"Predicate": "a"}}"#, "a"),
        ]
        forEachCase(cases) { (source, text) throws in
            #expect(found(source, try JSON.document(Array(source.utf8))).map { $0[1] } == (text.map { [$0] } ?? []))
        }
    }

    @Test(.cases) func brokenJSON() {
        forEachCase(
            ["", "{", "[1", "{\"a\"", "{\"a\" 1}", "\"a", "\"\\q\"", "[1 2]", "{a: 1}", "[[", "\"\\u12\""] as [String]
        ) { (source) throws in #expect(throws: DocumentProblem.self) { try JSON.document(Array(source.utf8)) } }
    }

    @Test(.cases) func yaml() {
        let cases: [(String, [String])] = [
            ("where: a == 1", ["a == 1"]), ("- where: a == 1 # c\n- x: y\n  where: b", ["a == 1", "b"]),
            ("where: 'it''s'", ["it's"]), (#"where: "a \"x\" \u00e9\n""#, ["a \"x\" é\n"]),
            ("where: |\n  a\n    == 1\n\nnext: 1", ["a\n  == 1"]), ("where: >-\n  a\n  == 1\n", ["a == 1"]),
            ("where:\n  a ==\n  1\nx: 2", ["a == 1"]), ("where: a ==\n  1\nx: 2", ["a == 1"]),
            ("{where: 'a', x: [1, {where: b}]}", ["a", "b"]), ("x: {where: \"a,\n  b\"}\nwhere: c", ["a, b", "c"]),
            ("---\nwhere: a\n---\nwhere: b\n", ["a", "b"]), ("x:\n- where: a\n- where: b\ny: 1", ["a", "b"]),
            ("\"where\": &anchor !!str a", ["a"]), ("# where: a\n", []), ("where:\n", []),
            ("where: a\r\nx: 1\r\n", ["a"]), ("- - where: a\n  - where: b\n", ["a", "b"]), ("x: y: z\nwhere: a", ["a"]),
            ("  where: a\n where: b", ["a", "b"]),
        ]
        forEachCase(cases) { (source, texts) throws in
            #expect(found(source, try YAMLDocument.parse(Array(source.utf8))).map { $0[1] } == texts)
        }
    }

    @Test func predicatesInPropertyListsAreFound() throws {
        let source = """
            <?xml version="1.0"?><!-- c --><plist><dict><key>conditional_items</key><array><dict>
            <key>condition</key><string>a &lt; &#65;<![CDATA[ && b]]></string></dict></array><key>condition</key>
            <string>not one</string><key>n</key><integer>1</integer><key>installable_condition</key><string>c</string></dict></plist>
            """
        let found = found(source, try .propertyList(Array(source.utf8)))
        #expect(found.map { $0[0] } == ["condition", "installable_condition"])
        #expect(found.map { $0[1] } == ["a < A && b", "c"])
        #expect(found.map { $0[2] } == ["a &lt; &#65;<![CDATA[ && b", "c"])
    }

    @Test(.cases) func brokenMarkup() {
        let cases: [String] = [
            "", "<a>", "<a></b>", "<a b></a>", "<a b=c/>", "<a b=\"c></a>", "x<a/>",
            "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "<a>&b;</a>", "<a>&amp</a>", "<!-- <a/>", "<a><![CDATA[</a>", "<",
            "</a>",
        ]
        forEachCase(cases) { (source) throws in
            #expect(throws: DocumentProblem.self) { try MarkupElement.parse(Array(source.utf8)) }
        }
    }

    /// Every prefix of a document is parsed or rejected, without unlimited recursion.
    @Test func anyPrefixIsReadOrRejected() {
        let sources = [
            "<plist><dict><key>a</key><string b='c'>&lt;x<![CDATA[y]]></string></dict></plist>",
            #"{"a": ["\u00e9\n", {"b": null}], "c": -1}"#,
            "a:\n  - b: |\n      c\n    d: {e: [f, 'g'], \"h\": \"i\\n\"}\n",
        ]
        for source in sources + [
            String(repeating: "[", count: 9_999), String(repeating: "- ", count: 9_999),
            String(repeating: "<a>", count: 9_999),
        ] {
            let bytes = Array(source.utf8)
            for end in stride(from: 0, through: bytes.count, by: bytes.count > 500 ? 777 : 1) {
                let part = Array(bytes[..<end])
                _ = try? DocumentNode.propertyList(part)
                _ = try? JSON.document(part)
                _ = try? YAMLDocument.parse(part)
            }
        }
    }

    /// What a program replaces before it reads a predicate keeps its place.
    @Test func textsOfProgramsArePrepared() throws {
        let autopkg = try #require(try ProfileLibrary.profile(named: "autopkg"))
        let recipe = autopkg.prepared("version >= %minimum% AND x == '%NAME%' AND y == %")
        #expect(recipe.text == "version >= _minimum_ AND x == '%NAME%' AND y == %")
        #expect(recipe.variables == [SourceSpan(11, 20)])
        #expect(autopkg.prepared("%STOP_IF%").text == "TRUEPREDICATE")
        let texts = [
            ("a IN (%B%, \"%C%\", '\\'%D%') OR %E%%é% == %", "a IN (_B_, \"%C%\", '\\'%D%') OR _E__é_ == %"),
            ("%A% == '%B%", "_A_ == '%B%"), ("%%", "%%"), ("%A b%", "%A b%"), ("", ""),
        ]
        for (text, prepared) in texts { #expect(autopkg.prepared(text).text == prepared) }
        let realm = try #require(try ProfileLibrary.profile(named: "realm"))
        let query = realm.prepared("age > $0 AND n == $10 AND s == '$1 SORT(a)' SORT(age DESC) LIMIT(2)")
        #expect(query.text == "age > %@ AND n == %@  AND s == '$1 SORT(a)'                        ")
        #expect(
            realm.prepared("a IN {$0} limit (3) xSORT(a) SORT(f(a)) LIMIT (").text
                == "a IN {%@}           xSORT(a) SORT(f(a)) LIMIT (")
    }

    @Test func filtersOfInterfaceFilesAreFound() throws {
        let source = """
            <document><objects><binding><dictionary key="options"><string key="NSDisplayName">x</string>
            <string key="NSPredicateFormat">name contains $value</string></dictionary></binding></objects></document>
            """
        #expect(found(source, try .propertyList(Array(source.utf8))).map { $0[1] } == ["name contains $value"])
    }

    @Test func fileKindsAreRecognized() {
        let kinds = [
            "a.swift", "b.mm", "c.PLIST", "d.recipe.yaml", "e.json", "M.xcdatamodel/contents", "contents", "x.txt",
            "f.zsh", "g.py", "h.xib",
        ]
        .map { SourceFile($0).kind }
        #expect(
            kinds == [
                .swift, .objectiveC, .propertyList, .yaml, .json, .dataModel, .unknown, .unknown, .shell, .python,
                .propertyList,
            ])
        #expect(SourceFile("tool").kind(of: Array("#!/usr/bin/env bash\n".utf8)) == .shell)
        #expect(SourceFile("tool").kind(of: Array("#!/usr/bin/python3\n# sh\n".utf8)) == .unknown)
        #expect(SourceFile("manifest").isSource && !SourceFile("a.txt").isSource)
        #expect(SourceFile("manifest").kind(of: Array("<?xml?><plist>".utf8)) == .propertyList)
        #expect(SourceFile.decoded([0xFF, 0xFE, 0x61, 0, 0xE9, 0]) == Array("aé".utf8))
        #expect(SourceFile.decoded([0x61, 0xE9]) == Array("aé".utf8))
    }
}
