// Compares the grammar and the parser, in both directions. They were written separately from the same description,
// LANGUAGE, and must accept the same texts. A difference is a mistake in one of them; LANGUAGE decides in which.
import Foundation
import PredicateTestSupport
import Testing

@Suite struct GrammarTests {
    let language: GrammarLanguage

    init() throws { language = try GrammarLanguage.shared.get() }

    /// All texts of the golden files, valid and invalid, as predicates and as expressions.
    @Test func grammarAndParserAgreeOnGoldenTexts() throws {
        var comparison = GrammarComparison(language)
        for text in try TestDepth.some(GrammarTexts.all(), every: 5) { comparison.compare(text) }
        comparison.report("readings of golden texts")
        #expect(min(comparison.accepted, comparison.refused) > (TestDepth.isQuick ? TestDepth.size(20) : 150))
    }

    /// Texts that are almost invalid or almost valid.
    @Test(.cases) func borders() {
        forEachCase(GrammarBorders.texts) { text in
            var comparison = GrammarComparison(language)
            comparison.compare(text)
            comparison.report("readings")
        }
    }

    /// The parser accepts all generated sentences.
    @Test(.cases) func generatedSentences() {
        forEachCase(["predicate-format", "expression-format"] as [String]) { rule in
            var generator = SentenceGenerator(language, seed: 1)
            var comparison = GrammarComparison(language)
            let count = TestDepth.count(1500)
            for _ in 0..<count {
                comparison.compare(generator.reading(rule: rule))
            }
            comparison.report("sentences of \(rule)")
            #expect(comparison.accepted >= count)
        }
    }

    /// Canonical texts derive from the grammar and parse to the tree they were printed from.
    @Test(.cases) func canonicalTexts() {
        forEachCase(["predicate-format", "expression-format"] as [String]) { rule in
            var generator = SentenceGenerator(language, seed: 5)
            let generated = (0..<TestDepth.count(500)).map { _ in generator.reading(rule: rule).text }
            var wrong: [String] = []
            for text in try TestDepth.some(GrammarTexts.all()) + generated
            where GrammarComparison.errors(text, rule).isEmpty {
                let printed: String
                let same: Bool
                if rule == "predicate-format" {
                    let tree = FormatParser.predicate(text).tree
                    printed = tree.description
                    same = FormatParser.predicate(printed).tree == tree
                } else {
                    let tree = FormatParser.expression(text).tree
                    printed = tree.description
                    same = FormatParser.expression(printed).tree == tree
                }
                if !same || !language.derives(printed, from: rule) { wrong.append("\(text)\n    printed: \(printed)") }
            }
            if !wrong.isEmpty {
                Issue.record("\(wrong.count) texts do not print back:\n\(wrong.prefix(20).joined(separator: "\n"))")
            }
        }
    }

    /// Texts that differ from valid ones by one token or character: grammar and parser must both accept or both refuse
    /// them.
    @Test func grammarAndParserAgreeOnMutations() throws {
        let texts = try TestDepth.some(GrammarTexts.all(), inCI: 4)
        let language = language
        // The interpreter of the grammar is recursive, and long texts need a large stack.
        let comparison = onSmallStack(kilobytes: 64 << 10) {
            var comparison = GrammarComparison(language)
            var mutator = GrammarMutator(language, seed: 2)
            var generator = SentenceGenerator(language, seed: 3)
            let generated = (0..<TestDepth.count(250)).map { _ in generator.reading(rule: "predicate-format").text }
            for text in texts + generated {
                for mutant in mutator.mutants(of: text, count: 8) { comparison.compare(mutant) }
            }
            return comparison
        }
        comparison.report("mutations")
        #expect(comparison.accepted > 0 && comparison.refused > 0)
    }

    /// Every rule and alternative of the grammars is used.
    @Test(.enabled(if: !TestDepth.isQuick, "a quick run leaves it to CI")) func everyRuleIsUsed() throws {
        var generator = SentenceGenerator(language, seed: 4)
        for _ in 0..<1500 {
            for rule in ["predicate-format", "expression-format"] { _ = generator.reading(rule: rule) }
        }
        var syntax = generator.coverage
        var lexical = generator.lexicalCoverage
        for text in try GrammarTexts.all() {
            var reading = GrammarLanguage.Reading(language, text)
            for rule in ["predicate-format", "expression-format"] { reading.note(rule, in: &syntax, &lexical) }
        }
        // Rules for invalid tokens, and the rule that names the token kinds.
        for (rule, text) in [
            ("bad-number", "1."), ("bad-number", "12abc"), ("bad-string", #"'"a\n"\400"b\n'"#),
            ("bad-string", #""'a\n'\777'b\n""#),
        ] {
            let rule = try #require(language.lexical.rule(rule))
            #expect(language.derives(text, fromLexical: rule, noting: &lexical))
        }
        for kind in ["reserved-word", "symbol"] {
            let rule = try #require(language.lexical.rule(kind))
            for word in language.lexicalSource.words(of: kind) {
                #expect(language.derives(word, fromLexical: rule, noting: &lexical))
            }
        }
        expectUsed(language.syntax, syntax, apartFrom: [])
        expectUsed(language.lexical, lexical, apartFrom: ["token"])
    }

    private func expectUsed(_ machine: GrammarMachine, _ coverage: GrammarCoverage, apartFrom known: Set<String>) {
        var unused: [String] = []
        for (index, name) in machine.names.enumerated() where !known.contains(name) {
            if !coverage.rules.contains(index) { unused.append(name) }
            for (number, alternative) in machine.alternatives(of: index).enumerated()
            where !coverage.alternatives.contains(alternative) {
                unused.append("alternative \(number) of \(name)")
            }
        }
        #expect(unused == [])
    }

    /// No rule refers to an undefined name, and every rule is used.
    @Test func everyNameIsDefined() {
        let lexical = language.lexicalSource
        let syntax = language.syntaxSource
        #expect(lexical.references.subtracting(lexical.names) == [])
        #expect(syntax.references.subtracting(syntax.names).subtracting(lexical.names) == [])
        let unused = Set(syntax.names).subtracting(syntax.references)
        #expect(unused == ["predicate-format", "expression-format"])
        let unusedKinds = Set(language.kindNames).subtracting(syntax.references)
        #expect(unusedKinds == ["reserved-word", "symbol", "bad-number", "bad-string"])
    }

    /// Every quoted text in predicate.abnf is a token of lexical.abnf, of a kind that can be quoted.
    @Test func everyQuotedWordIsAToken() {
        for word in language.syntaxSource.words(of: "predicate-format") {
            let tokens = language.cut(word)
            #expect(tokens?.map(\.text) == [word], "\(word)")
            #expect(GrammarLanguage.quotable.contains(tokens?.first?.kind ?? ""), "\(word)")
        }
    }
}

/// Compares grammar and parser for texts, as predicates and as expressions, and collects differences.
struct GrammarComparison {
    let language: GrammarLanguage
    private(set) var accepted = 0
    private(set) var refused = 0
    private var disagreements: [String] = []

    init(_ language: GrammarLanguage) { self.language = language }

    mutating func compare(_ text: String) { compare(GrammarLanguage.Reading(language, text)) }

    mutating func compare(_ text: GrammarLanguage.Reading) {
        var reading = text
        let text = reading.text
        for rule in ["predicate-format", "expression-format"] {
            let errors = Self.errors(text, rule)
            // The text may have more errors after this one.
            if errors.contains(where: Self.beyondGrammar.contains) { continue }
            let derives = reading.derives(from: rule)
            if derives { accepted += 1 } else { refused += 1 }
            if derives != errors.isEmpty {
                let ids = errors.map(\.rawValue).joined(separator: " ")
                let what = derives ? "derives, the parser refuses (\(ids))" : "refuses, the parser accepts"
                disagreements.append("\(rule) \(what): \(text)")
            }
        }
    }

    func report(_ what: String) {
        guard !disagreements.isEmpty else { return }
        let some = disagreements.prefix(40).joined(separator: "\n")
        Issue.record("\(disagreements.count) of \(accepted + refused) \(what):\n\(some)")
    }

    static func errors(_ text: String, _ rule: String) -> [DiagnosticID] {
        let diagnostics =
            rule == "predicate-format"
            ? FormatParser.predicate(text).diagnostics : FormatParser.expression(text).diagnostics
        return diagnostics.filter { $0.severity == .error }.map(\.id)
    }

    /// Errors that the grammar cannot express, as the headers of the grammar files list them.
    private static let beyondGrammar: Set<DiagnosticID> = [.numberOverflow, .limitExceeded]
}

/// Makes texts that differ by one token or character.
struct GrammarMutator {
    let language: GrammarLanguage
    private var random: SplitMix
    /// One token of each kind, and each word and symbol of the grammar.
    private let others: [String]

    init(_ language: GrammarLanguage, seed: UInt64) {
        self.language = language
        random = SplitMix(seed)
        let words = language.syntaxSource.words(of: "predicate-format")
        others =
            Set(words).sorted() + [
                "a", "x1", "cd", "#in", "#b", "@count", "$x", "'s'", "\"t\"", "1", "2.5", "0x1F", "1e3", "%@", "%K",
                "%d", "%f", "CI", "1.", "f:", "f:g:",
            ]
    }

    mutating func mutants(of text: String, count: Int) -> [String] {
        guard let tokens = language.cut(text)?.map(\.text), !tokens.isEmpty else { return [] }
        return (0..<count).map { _ in random.below(3) == 0 ? characters(text) : self.tokens(tokens) }
    }

    private mutating func tokens(_ tokens: [String]) -> String {
        var tokens = tokens
        let place = random.below(tokens.count)
        switch random.below(5) {
        case 0: tokens.remove(at: place)
        case 1: tokens.insert(tokens[place], at: place)
        case 2: tokens.swapAt(place, min(place + 1, tokens.count - 1))
        case 3: tokens.insert(others[random.below(others.count)], at: place)
        default: tokens[place] = others[random.below(others.count)]
        }
        return tokens.joined(separator: " ")
    }

    private mutating func characters(_ text: String) -> String {
        var scalars = Array(text.unicodeScalars)
        let place = random.below(scalars.count)
        let pool = Array("aZ_09.'\"\\%@#$()[]{}<>=!&|+-*/^:, \n?~é;xu".unicodeScalars)
        switch random.below(4) {
        case 0: scalars.remove(at: place)
        case 1: scalars.insert(scalars[place], at: place)
        case 2: scalars.insert(pool[random.below(pool.count)], at: place)
        default: scalars[place] = pool[random.below(pool.count)]
        }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }
}
