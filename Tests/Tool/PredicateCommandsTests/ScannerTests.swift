// The scanners of program sources, with one form of literal per line: which literals are found and which are skipped.

import PredicateRecords
import PredicateTestSupport
import Testing

@testable import PredicateCheckCommands
@testable import PredicateCommands
@testable import PredicateRequests

@Suite struct ScannerTests {
    /// A source and the texts found in it.
    struct Case: Sendable, CustomTestStringConvertible {
        let source: String
        let texts: [String]

        init(_ source: String, _ texts: String...) {
            self.source = source
            self.texts = texts
        }

        var testDescription: String { source }
    }

    static let swiftCases: [Case] = [
        Case(#"NSPredicate(format: "a == 1")"#, "a == 1"),
        Case(#"NSPredicate.init(format: "a == 1")"#, "a == 1"),
        Case(#"NSPredicate ( format : "a == 1" , x)"#, "a == 1"),
        Case(#"NSExpression(format: "a + 1")"#, "a + 1"),
        Case(#"FormatPredicate("a == %@", 1)"#, "a == %@"),
        Case(#"FormatPredicate(text: "a == 1")"#, "a == 1"),
        Case(#"FormatExpression("a + %@", 1)"#, "a + %@"),
        Case(#"NSPredicate(format: "a == \"x\" AND b == '\\n' \t\u{41}")"#, "a == \"x\" AND b == '\\n' \tA"),
        Case(##"NSPredicate(format: #"a == "x\n""#)"##, "a == \"x\\n\""),
        Case(##"NSPredicate(format: #"a == \#u{41}"#)"##, "a == A"),
        Case(###"NSPredicate(format: ##"a == "#x"##)"###, "a == \"#x"),
        Case(##"NSPredicate(format: #"""#)"##, "\""),
        Case("NSPredicate(format: \"\"\"\n    a == 1\n      AND b\\\n     == 2\n    \"\"\")", "a == 1\n  AND b == 2"),
        Case("NSPredicate(format: \"\"\"\n\ta == \"x\"\n\n\tOR b\n\t\"\"\")", "a == \"x\"\n\nOR b"),
        Case("NSPredicate(format: \"\"\"\r\n  a\r\n  == 1\r\n  \"\"\")", "a\n== 1"),
        Case("NSPredicate(format: #\"\"\"\n  a == \"\\d\"\n  \"\"\"#)", "a == \"\\d\""),
        Case(#"NSPredicate(format: "a " + "== " + "1")"#, "a == 1"),
        Case(#"NSPredicate(format: ("a " + /* " */ "== 1"))"#, "a == 1"),
        Case(#"NSPredicate(format: "\(#keyPath(Person.employer.name)) == %@", x)"#, "employer.name == %@"),
        Case(#"NSPredicate(format: #keyPath(Person.name) + " == %@", x)"#, "name == %@"),
        Case(#"NSPredicate(format: "a == '\(f("x)"))' OR b == 1")"#, "a == '_' OR b == 1"),
        Case(#"NSPredicate(format: prefix + "== 1")"#, "_== 1"),
        Case(#"NSPredicate(format: String(format: "a == '%@'", x))"#, "a == '_'"),
        Case(#"f("\(NSPredicate(format: "a == 1"))")"#, "a == 1"),
        Case(#"NSPredicate(format: "ALL a", NSPredicate(format: "b == 1"))"#, "ALL a", "b == 1"),
        Case("let r = /\"/; NSPredicate(format: \"a == 1\")", "a == 1"),
        Case("let r = #/\"/#; NSPredicate(format: \"a == 1\")", "a == 1"),
        Case("let x = a / b; let s = \"/\"; NSPredicate(format: \"a == 1\")", "a == 1"),
        // Both branches of a condition, and named constants.
        Case(#"NSPredicate(format: flag ? "a == 1" : "b == 1", x)"#, "a == 1", "b == 1"),
        Case(#"NSPredicate(format: (a?.b ?? c) ? "a" : (d as? Bool) == true ? "b" : "c" + e)"#, "a", "b", "c_"),
        Case(#"NSPredicate(format: a ?? b ? "a == 1" : other)"#, "a == 1"),
        Case(#"let format = "a == 1"; let p = NSPredicate(format: format)"#, "a == 1"),
        Case(
            #"static let format: String = "a == %@" /* */ } NSPredicate(format: Self.format + " OR b", x)"#,
            "a == %@ OR b"),
        Case(#"let f = "a"; NSPredicate(format: f); NSPredicate(format: f)"#, "a"),
        Case(#"let p: NSPredicate? = .init(format: "a == 1")"#, "a == 1"),
        Case(#"request.predicate = .init(format: "a"); f(subpredicate: .init(format: "b"))"#, "a", "b"),
        Case(#"let e: NSExpression = .init(format: "a + 1")"#, "a + 1"),
        // Formats in variables. Of one that changes, only the texts with insertions are read.
        Case(#"let f = "a"; if true { let f = "b"; NSPredicate(format: f) }"#, "b"),
        Case(#"let f = "a == " + b; NSPredicate(format: f)"#, "a == _"),
        Case(
            #"let f = String(format: "%@ == %%@ AND b == %-5.2ld", a); NSPredicate(format: f, x)"#, "_ == %@ AND b == _"
        ),
        Case(
            #"func g(a: [X]) { var f = ""; for x in a { f += "a == '\(x)' || " }; NSPredicate(format: f) }"#,
            "a == '_' || "),
        Case(#"var f = "a == 1"; f = "\(f) AND b == '\(x)'"; NSPredicate(format: f)"#, "a == 1_ AND b == '_'"),
        Case(#"var f = "a"; f.append(" == '" + x + "'"); NSPredicate(format: f)"#, "a == '_'"),
        // Not a predicate.
        Case(#"let s: String = .init(format: "%d predicates", 1)"#), Case(#"predicate(.init(format: "a"))"#),
        Case(#"let f = "a"; func g(f: String) { NSPredicate(format: f) }"#),
        Case(#"var f = "a"; NSPredicate(format: f)"#), Case(#"var f = "a"; f += " == 1 OR"; NSPredicate(format: f)"#),
        Case(#"let f = "a"; for f in fs { NSPredicate(format: f) }"#),
        Case(#"let f = "a"; fs.map { f in NSPredicate(format: f) }"#),
        Case(#"let f = "a"; if case let .some(f) = x { NSPredicate(format: f) }"#),
        Case(#"func g() { let f = "a" + x }; func h() { NSPredicate(format: f) }"#),
        Case(#"let f = "a".b; NSPredicate(format: f)"#), Case(#"NSPredicate(format: text)"#),
        Case(#"NSPredicate(block: { _, _ in "x" == y })"#), Case(#"NSPredicate(value: true)"#),
        Case(#"// NSPredicate(format: "a")"#), Case(#"/* /* NSPredicate(format: "a") */ NSPredicate(format: "b") */"#),
        Case(#"let s = "NSPredicate(format: \"a\")""#), Case(##"let s = #"NSPredicate(format: "a")"#"##),
        Case(#"MyNSPredicate(format: "a")"#), Case(#"NSPredicate(format: flag ? a : b)"#),
        Case("NSPredicate(format: \"a == 1\n)"), Case(#"NSPredicate(format: "\q")"#), Case(#"NSPredicate("#),
        Case(#"NSPredicate(format: "a" "#, "a"), Case(#"NSPredicate(format: "\("#),
    ]

    @Test(.cases) func swiftPredicatesAreFound() {
        forEachCase(Self.swiftCases) { sample in
            let found = SwiftScanner.predicates(in: Array(sample.source.utf8))
            #expect(found.map(\.text.text) == sample.texts)
        }
    }

    static let objectiveCCases: [Case] = [
        Case(#"[NSPredicate predicateWithFormat:@"a == 1"]"#, "a == 1"),
        Case(#"[NSExpression expressionWithFormat:@"a + 1"]"#, "a + 1"),
        Case(#"[NSPredicate predicateWithFormat: @"a " @"== " "1", x]"#, "a == 1"),
        Case(#"[NSPredicate predicateWithFormat:(@"a == 1")]"#, "a == 1"),
        Case(#"[NSPredicate predicateWithFormat:@"a == \"\x41\102\u00e9\U0001F600\"" ]"#, "a == \"ABé\u{1F600}\""),
        Case(#"[NSPredicate predicateWithFormat:@"\303\251 == '\xe9'"]"#, "Ã© == 'é'"),
        Case(#"[NSPredicate predicateWithFormat:@"'\303\251' == 1"]"#, "'é' == 1"),
        Case("[NSPredicate predicateWithFormat:@\"a \\\n== 1\"]", "a == 1"),
        Case(#"[NSPredicate predicateWithFormat:@"a" argumentArray:@[x]]"#, "a"),
        Case(#"[NSPredicate predicateWithFormat:[NSString stringWithFormat:@"a == '%@'", x]]"#, "a == '_'"),
        Case(#"[NSPredicate predicateWithFormat:[NSString stringWithFormat:@"%@ == %%@", k], x]"#, "_ == %@"),
        Case(#"[NSPredicate predicateWithFormat:[@"a == " stringByAppendingString:x]]"#, "a == _"),
        Case(
            #"- (void)f { NSString *a = [NSString stringWithFormat:@"a == '%@'", x]; [P predicateWithFormat:a]; }"#,
            "a == '_'"),
        Case(
            #"{ NSMutableString *a = [@"a" mutableCopy]; [a appendFormat:@" == %@ OR ", x]; [P predicateWithFormat:a]; }"#,
            "a == _ OR "),
        Case(
            #"{ NSString *a = @"a == "; a = [a stringByAppendingFormat:@"%d", 1]; [P predicateWithFormat:a]; }"#,
            "a == _"),
        Case("char c = '\"';\n[NSPredicate predicateWithFormat:@\"a\"]", "a"),
        Case("auto s = R\"x(\")x\"; [NSPredicate predicateWithFormat:@\"a\"]", "a"),
        Case("#define A \\\n \"\n[NSPredicate predicateWithFormat:@\"a\"]", "a"),
        Case(#"[NSPredicate predicateWithFormat:flag?@"a":@"b" @"c"]"#, "a", "bc"),
        Case(#"[NSPredicate predicateWithFormat:(flag ? @"a" : other) argumentArray:x]"#, "a"),
        Case(#"static NSString *const kA = @"a " @"== 1"; [NSPredicate predicateWithFormat:kA, x]"#, "a == 1"),
        Case("#define P [NSPredicate \\\n predicateWithFormat:@\"a\"]\n", "a"),
        Case("#define P(x, f, ...) [NSPredicate predicateWithFormat:(f), __VA_ARGS__]\nP(1, @\"a\", 2);", "a"),
        Case("#define F @\"a\"\n[NSPredicate predicateWithFormat:F]", "a"),
        // Not a predicate.
        Case(#"NSString *a = @"a"; a = b; [NSPredicate predicateWithFormat:a]"#),
        Case(#"NSString *a = @"a"; - (void)f:(NSString *)a { [NSPredicate predicateWithFormat:a]; }"#),
        Case(#"NSString *a = [@"a" b]; [NSPredicate predicateWithFormat:a]"#),
        Case(#"NSMutableString *a = [@"a" mutableCopy]; [a appendString:@" == 1 OR"]; [P predicateWithFormat:a]"#),
        Case(#"[NSPredicate predicateWithFormat:format]"#), Case(#"// [NSPredicate predicateWithFormat:@"a"]"#),
        Case(#"/* [NSPredicate predicateWithFormat:@"a"] */"#),
        Case(#"+ (NSPredicate *)predicateWithFormat:(NSString *)format, ...;"#),
        Case("#define P [NSPredicate predicateWithFormat:format]\n"),
        Case(#"@"[NSPredicate predicateWithFormat:@\"a\"]""#), Case(#"[NSPredicate predicateWithFormat:@"a"#),
        Case(#"[NSPredicate predicateWithFormat:NSLocalizedString(@"a", nil)]"#),
        Case(#"[NSPredicate predicateWithFormat:@"\q"]"#), Case("[NSPredicate predicateWithFormat:"),
    ]

    @Test(.cases) func objectiveCPredicatesAreFound() {
        forEachCase(Self.objectiveCCases) { sample in
            let found = ObjectiveCScanner.predicates(in: Array(sample.source.utf8))
            #expect(found.map(\.text.text) == sample.texts)
        }
    }

    static let pythonCases: [Case] = [
        Case(#"P.predicateWithFormat_("a == %@", "x")"#, "a == %@"),
        Case(#"P.predicateWithFormat_('a == "\d"')"#, #"a == "\d""#),
        Case(#"P.predicateWithFormat_(r"a == '\d\n'")"#, #"a == '\d\n'"#),
        Case(#"P.predicateWithFormat_(u"a\x20== 1")"#, "a == 1"),
        Case(#"P.predicateWithFormat_(f"a == '{x!r:>10}' AND {{1}} == b")"#, "a == '_' AND {1} == b"),
        Case(#"P.predicateWithFormat_(rf"a == '\d{x}'")"#, #"a == '\d_'"#),
        Case(#"P.predicateWithFormat_("a == '%s' AND %%K == %-5.2f" % (x, y), k)"#, "a == '_' AND %K == _"),
        Case(#"P.predicateWithFormat_("a == '%(name)s'" % x)"#, "a == '_'"),
        Case(#"P.predicateWithFormat_("a == '{}' AND b == {y.z}".format(x, y=z))"#, "a == '_' AND b == _"),
        Case(#"P.predicateWithFormat_("a == '" + x + "'")"#, "a == '_'"),
        Case("P.predicateWithFormat_(('a == %d '\n 'AND b == 1') % x)", "a == _ AND b == 1"),
        Case("P.predicateWithFormat_(\"\"\"a == 1\n AND \"b\" == c\"\"\")", "a == 1\n AND \"b\" == c"),
        Case(#"P.predicateWithFormat_('''a == '\'''')"#, "a == ''"),
        Case(#"P.predicateWithFormat_argumentArray_("a == %@", [x])"#, "a == %@"),
        Case("def f(x):\n  f = f'a == {x}'\n  P.predicateWithFormat_(f)", "a == _"),
        Case("q = 'a == 1'\nfor x in y:\n  q += ' OR a == %s' % x\nP.predicateWithFormat_(q)", "a == 1 OR a == _"),
        Case("q = 'a == 1'\nq = q + ' OR a == %s' % x\nP.predicateWithFormat_(q)", " OR a == _"),
        Case("F = 'a == 1'\ndef f():\n  P.predicateWithFormat_(F)", "a == 1"),
        // Not a predicate.
        Case("F = 'a == 1'\ndef f(F):\n  P.predicateWithFormat_(F)"), Case("P.predicateWithFormat_(x)"),
        Case("# P.predicateWithFormat_('a')"), Case(#""P.predicateWithFormat_('a')""#),
        Case("P.predicateWithFormat_('''a"), Case(#"P.predicateWithFormat_("a" if b else "c")"#),
    ]

    @Test(.cases) func pythonPredicatesAreFound() {
        forEachCase(Self.pythonCases) { sample in
            let found = ObjectiveCScanner.predicates(in: Array(sample.source.utf8), isPython: true)
            #expect(found.map(\.text.text) == sample.texts)
        }
    }

    /// The number of arguments of a call; nil if it cannot be counted.
    @Test(.cases) func argumentCounts() {
        let cases: [(String, Int?)] = [
            (#"NSPredicate(format: "a")"#, 0), (#"NSPredicate(format: "a", x, f(y, z))"#, 2),
            (#"NSPredicate(format: "a", x,)"#, 1), (#"NSPredicate(format: "a", argumentArray: [x, [y, z]])"#, 2),
            (#"NSPredicate(format: "a", argumentArray: [])"#, 0),
            (#"NSPredicate(format: "a", argumentArray: xs)"#, nil),
            (#"NSPredicate(format: "a", argumentArray: [x] + xs)"#, nil),
            (#"NSPredicate(format: "a", arguments: list)"#, nil), (#"FormatPredicate("a", arguments: [1, 2])"#, 2),
            (#"FormatPredicate("a", { x, y in 1 }, "(")"#, 2), (#"NSPredicate(format: "a", x"#, nil),
            (#"[NSPredicate predicateWithFormat:@"a"]"#, 0),
            (#"[NSPredicate predicateWithFormat:@"a", x, [y z:1, 2]]"#, 2),
            (#"[NSPredicate predicateWithFormat:@"a", x, nil]"#, 2),
            (#"[NSPredicate predicateWithFormat:@"a" argumentArray:@[x, @[y, z]]]"#, 2),
            (#"[NSPredicate predicateWithFormat:@"a" argumentArray:xs]"#, nil),
            (#"[NSPredicate predicateWithFormat:@"a" arguments:list]"#, nil),
        ]
        forEachCase(cases) { source, count in
            let bytes = Array(source.utf8)
            let found =
                source.hasPrefix("[") ? ObjectiveCScanner.predicates(in: bytes) : SwiftScanner.predicates(in: bytes)
            #expect(found.count == 1)
            #expect(found.first?.arguments == (count == nil ? .hidden : found.first?.arguments))
            if let count, case .shown(let spans, _)? = found.first?.arguments { #expect(spans.count == count) }
            if count != nil { #expect(found.first?.arguments != .hidden) }
        }
    }

    /// The program that reads a predicate, from the position of the predicate.
    @Test(.cases) func callSites() {
        let cases: [(String, String?)] = [
            (#"CKQuery(recordType: "X", predicate: NSPredicate(format: "a"))"#, "cloudkit"),
            (#"let p = NSPredicate(format: "a"); f(p); CKQuery(recordType: "X", predicate: p)"#, "cloudkit"),
            (#"let p: NSPredicate? = NSPredicate(format: "a"); CKQuery(recordType: x, predicate: p)"#, "cloudkit"),
            (#"try s.getEntries(at: x, matching: NSPredicate(format: "a"))"#, "oslog"),
            (#"import XCTest; app.buttons.matching(NSPredicate(format: "a"))"#, "xcuielementquery"),
            (#"import XCTest; app.cells.element(matching: .init(format: "a"))"#, nil),
            (#"app.matching(NSPredicate(format: "a"))"#, nil),
            (#"let q = NSMetadataQuery(); q.predicate = NSPredicate(format: "a")"#, "spotlight"),
            (#"let o = PHFetchOptions(); o.predicate = .init(format: "a")"#, "photos"),
            (
                #"func f(r: NSFetchRequest<Person>) { r.predicate = NSPredicate(format: "a") }"#,
                "coredata-sqlite Person"
            ),
            (#"let r = Person.fetchRequest(); r.predicate = NSPredicate(format: "a")"#, "coredata-sqlite Person"),
            (
                #"let r = NSFetchRequest<A>(entityName: "B"); r.predicate = NSPredicate(format: "a")"#,
                "coredata-sqlite A"
            ),
            (#"let r = NSFetchRequest(entityName: "B"); r.predicate = NSPredicate(format: "a")"#, "coredata-sqlite B"),
            (#"@FetchRequest(sortDescriptors: [], predicate: NSPredicate(format: "a")) var x"#, "coredata-sqlite"),
            (#"let l = MLNFillStyleLayer(a); l.predicate = NSPredicate(format: "a")"#, "maplibre"),
            (#"x.filtered(using: NSPredicate(format: "a"))"#, "memory"),
            (#"let p = NSPredicate(format: "a"); p.evaluate(with: x)"#, "memory"),
            (#"f(NSPredicate(format: "a"))"#, nil), (#"return NSPredicate(format: "a")"#, nil),
            (#"[request setPredicate:[NSPredicate predicateWithFormat:@"a"]];"#, nil),
            (
                #"NSFetchRequest *r = [NSFetchRequest fetchRequestWithEntityName:@"B"]; r.predicate = [NSPredicate predicateWithFormat:@"a"];"#,
                "coredata-sqlite B"
            ),
            (#"[[CKQuery alloc] initWithRecordType:t predicate:[NSPredicate predicateWithFormat:@"a"]];"#, "cloudkit"),
            (#"[a filteredArrayUsingPredicate:[NSPredicate predicateWithFormat:@"a"]];"#, "memory"),
        ]
        forEachCase(cases) { source, expected in
            let bytes = Array(source.utf8)
            let isSwift = !source.contains("predicateWithFormat")
            let found = isSwift ? SwiftScanner.predicates(in: bytes) : ObjectiveCScanner.predicates(in: bytes)
            let site = found.first?.site
            let parts = [site?.profile, site?.entity, site?.isInMemory == true ? "memory" : nil].compactMap(\.self)
            let shown = parts.joined(separator: " ")
            // `.init` in an argument is not a reliable sign of a predicate.
            #expect(shown == expected ?? "", "\(source)")
        }
    }

    @Test(.cases) func callPatterns() {
        let cases: [(String, String, [String])] = [
            ("find(where:)", #"find(where: "a", 1)"#, ["a"]),
            ("Store.find(_:where:)", #"s.find(1, where: "a")"#, ["a"]), ("find(_:)", #"find("a")"#, ["a"]),
            ("find(where:)", #"find("a")"#, []), ("PRED(_:)", #"PRED(@"a", 1);"#, ["a"]),
            ("fetch:where:", #"[s fetch:x where:@"a"];"#, ["a"]), ("fetch:where:", #"[s load:x where:@"a"];"#, []),
        ]
        forEachCase(cases) { sample in
            let pattern = CallPattern(sample.0)
            let bytes = Array(sample.1.utf8)
            let isSwift = !sample.1.contains("@")
            let found =
                isSwift
                ? SwiftScanner.predicates(in: bytes, calls: [pattern].compactMap(\.self))
                : ObjectiveCScanner.predicates(in: bytes, calls: [pattern].compactMap(\.self))
            #expect(found.map(\.text.text) == sample.2, "\(sample.0)")
        }
        #expect(["find", "find()", "find(where)", "", "(a:)", "a b:"].allSatisfy { CallPattern($0) == nil })
    }

    @Test(.cases) func pathsOfConfigurations() {
        let cases: [(String, String, Bool)] = [
            ("UITests", "UITests/a/b.swift", true), ("UITests", "App/UITests/b.swift", false),
            ("**/UITests", "App/UITests/b.swift", true), ("*.swift", "b.swift", true), ("a*c*e.m", "abcde.m", true),
            ("a*c*e.m", "abde.m", false), ("*/b", "a/b/c", true), ("a/**/d", "a/b/c/d", true), ("a/b", "a", false),
        ]
        forEachCase(cases) { sample in
            let matches = LintConfiguration.matches(sample.0.split(separator: "/"), sample.1.split(separator: "/"))
            #expect(matches == sample.2, "\(sample.0)")
        }
    }

    /// Many `**` compare each part of the pattern with each name at most once, not exponentially often.
    @Test func pathsAreComparedOnce() {
        let pattern = Array(repeating: ["**", "a"], count: 12).flatMap(\.self).map { Substring($0) } + ["b"]
        let path = Array(repeating: "a" as Substring, count: 24)
        var comparisons = 0
        let matches = LintConfiguration.matches(pattern, path) {
            comparisons += 1
            return $0 == $1
        }
        #expect(!matches && comparisons <= 13 * 24)
    }

    /// Any bytes, cut at any position: no trap, and all spans are inside the file.
    @Test func anyPrefixOfAnySourceIsRead() {
        for sample in Self.swiftCases + Self.objectiveCCases + Self.pythonCases {
            let bytes = Array(sample.source.utf8)
            for end in 0...bytes.count {
                let part = Array(bytes[..<end])
                let python = ObjectiveCScanner.predicates(in: part, isPython: true)
                for found in SwiftScanner.predicates(in: part) + ObjectiveCScanner.predicates(in: part) + python {
                    #expect(found.text.span.end <= part.count)
                    #expect(found.holes.allSatisfy { $0.source.end <= part.count })
                }
            }
        }
    }

    @Test func nestingHasALimit() {
        let depth = 100_000
        let source = String(repeating: "\"\\(", count: depth) + String(repeating: ")\"", count: depth)
        #expect(SwiftScanner.predicates(in: Array(("NSPredicate(format: \"a\")" + source).utf8)).count == 1)
        let calls = String(repeating: "NSPredicate(format: \"a\", ", count: 20_000)
        #expect(SwiftScanner.predicates(in: Array(calls.utf8)).count == 20_000)
    }
}
