// Tests the grammar interpreter with small grammars that can be checked by eye.
import PredicateTestSupport
import Testing

@Suite struct GrammarInterpreterTests {
    @Test func everyNotationElementIsParsed() throws {
        let grammar = try ABNFGrammar(
            """
            ; a comment with "a quote
            start = "a;b" / %s"X" [ other ] ; behind
                  / 2*3other 1*( %x41-5A %x30 )
            other = *"c" 2"d"
            """)
        #expect(grammar.names == ["start", "other"])
        #expect(
            grammar.rules["start"]
                == .choice([
                    .text("a;b", caseSensitive: false),
                    .sequence([.text("X", caseSensitive: true), .repeated(.rule("other"), least: 0, most: 1)]),
                    .sequence([
                        .repeated(.rule("other"), least: 2, most: 3),
                        .repeated(.sequence([.scalars(0x41...0x5A), .scalars(0x30...0x30)]), least: 1, most: nil),
                    ]),
                ]))
        #expect(grammar.words(of: "start") == ["a;b", "X", "c", "d"])
    }

    @Test(.cases) func refuses() {
        forEachCase(
            ["= \"a\"", "a", "a =", "a = \"b", "a = ( b", "a = %d12", "a = b\na = c", "a = b / / c"] as [String]
        ) { (text) throws in #expect(throws: ABNFError.self) { try ABNFGrammar(text) } }
    }

    /// Ambiguity and unlimited look-ahead, which a deterministic parser would handle wrongly.
    @Test(.cases) func recognises() {
        let cases: [(String, Bool)] = [
            ("aab", true), ("ab", true), ("b", false), ("aaaa", true), ("aaa", false), ("((a))", true), ("((a)", false),
            ("", false),
        ]
        forEachCase(cases) { text, expected in
            let machine = GrammarMachine(
                try ABNFGrammar(
                    """
                    start = 1*"a" "b" / 2pair / nested
                    pair = "a" ["a"] "a" / "a" "a"
                    nested = "(" nested ")" / "a"
                    """))
            let symbols = Array(text)
            let all = Array(machine.terminals.indices)
            var run = GrammarRun(machine, count: symbols.count, candidates: { _ in all }) { terminal, place in
                guard place < symbols.count, case .text(let text, _) = machine.terminals[terminal] else { return nil }
                return String(symbols[place]) == text ? place + 1 : nil
            }
            #expect(run.ends(rule: 0, from: 0).contains(symbols.count) == expected)
            var coverage = GrammarCoverage()
            #expect(run.derive(rule: 0, from: 0, to: symbols.count, into: &coverage) == expected)
            #expect(coverage.rules.contains(0) == expected)
        }
    }

    @Test func everyGeneratedSentenceIsDerivable() throws {
        let language = try GrammarLanguage.shared.get()
        var generator = SentenceGenerator(language, seed: 7)
        for _ in 0..<300 {
            var reading = generator.reading(rule: "predicate-format")
            #expect(language.cut(reading.text) == reading.tokens)
            let derives = reading.derives(from: "predicate-format")
            #expect(derives, "\(reading.text)")
        }
    }

    @Test(.cases) func cuts() {
        let cases: [(String, String)] = [
            ("a==b", "identifier symbol identifier"), ("AnD android #and", "reserved-word identifier escaped-word"),
            ("12abc", "bad-number"), ("1.", "bad-number"), ("1.5e-3x", "bad-number"), ("1.5e-3 x", "number identifier"),
            ("0x1F 0o17 0b101 1E5", "number number number number"), ("0b2", "bad-number"),
            (#""a'b\"c\n\u00e9" 'd"e'"#, "string string"), (#"'\377\400'"#, "bad-string"), (#"'\\400'"#, "string"),
            (#"'\ud83d\ude00'"#, "string"),
            ("%@%K%ld%hhx%Lf%lld", "conversion conversion conversion conversion conversion conversion"),
            ("uti-conforms-to UTI-x", "reserved-word identifier symbol identifier"),
            ("$x:=@count", "variable symbol at-word"), ("a===b", "identifier symbol symbol identifier"),
            ("***", "symbol symbol"),
        ]
        forEachCase(cases) { text, kinds in
            let tokens = try #require(try GrammarLanguage.shared.get().cut(text))
            #expect(tokens.map(\.kind).joined(separator: " ") == kinds)
        }
    }

    @Test(.cases) func cannotCut() {
        let cases: [String] = [
            "é", "a ? b", "'open", #"'\'"#, #"'\x4'"#, #"'\u12'"#, #"'\ud83d'"#, "%k", "%5d", "“a”", "~", ";", "#1",
            "$",
        ]
        forEachCase(cases) { (text) throws in #expect(try GrammarLanguage.shared.get().cut(text) == nil) }
    }
}
