// Combines Grammar/lexical.abnf and Grammar/predicate.abnf as their headers describe: splits a text into tokens, and
// derives the tokens from a rule. GrammarTests.swift has the tests.
import Foundation
import PredicateTestSupport

/// The language of the two grammars.
struct GrammarLanguage: Sendable {
    struct Token: Hashable, Sendable {
        let kind: String
        let text: String
    }

    let lexical: GrammarMachine
    let syntax: GrammarMachine
    let lexicalSource: ABNFGrammar
    let syntaxSource: ABNFGrammar
    /// The alternatives of `token`, in order.
    private let kinds: [Int]
    private let characters: [Characters]
    /// For each ASCII character, the terminals of lexical.abnf that can begin with it.
    private let ascii: [[Int]]
    private let terminalsOutsideASCII: [Int]
    /// The terminals of predicate.abnf by what they match: a text in lower case, a kind of token, a rule of
    /// lexical.abnf.
    private let byText: [String: [Int]]
    private let byKind: [String: [Int]]
    private let wordShapes: [(terminal: Int, rule: Int)]
    /// The token kind of each quoted string in predicate.abnf.
    private(set) var quotedKinds: [String: String] = [:]
    private let blank: Int
    private let reserved: Int
    /// A letter or a digit.
    private let wordPart: Int

    /// The grammars of this package.
    static let shared: Result<GrammarLanguage, any Error> = Result {
        try GrammarLanguage(lexical: read("lexical.abnf"), syntax: read("predicate.abnf"))
    }

    static let directory = Project.file("Grammar")

    static func read(_ name: String) throws -> String {
        try String(contentsOf: directory.appendingPathComponent(name), encoding: .utf8)
    }

    init(lexical: String, syntax: String) throws {
        lexicalSource = try ABNFGrammar(lexical)
        syntaxSource = try ABNFGrammar(syntax)
        self.lexical = GrammarMachine(lexicalSource)
        self.syntax = GrammarMachine(syntaxSource)
        guard case .choice(let alternatives) = lexicalSource.rules["token"] else {
            throw ABNFError(description: "lexical.abnf has no rule token with alternatives")
        }
        let machine = self.lexical
        func rule(_ name: String) throws -> Int {
            guard let rule = machine.rule(name) else {
                throw ABNFError(description: "lexical.abnf has no rule \(name)")
            }
            return rule
        }
        blank = try rule("blank")
        reserved = try rule("reserved-word")
        wordPart = try rule("word-part")
        let all: [Characters] = try machine.terminals.map {
            switch $0 {
            case .kind(let name): throw ABNFError(description: "lexical.abnf does not define \(name)")
            case .scalars(let range): return .one(range)
            case .text(let text, let caseSensitive):
                let values = text.unicodeScalars.map(\.value)
                return .some(caseSensitive ? values : values.map(Self.lowered), caseSensitive: caseSensitive)
            }
        }
        characters = all
        ascii = (0..<128).map { value in all.indices.filter { all[$0].canBegin(with: UInt32(value)) } }
        terminalsOutsideASCII = all.indices.filter {
            if case .one(let range) = all[$0] { return range.upperBound >= 128 }
            return false
        }
        kinds = try alternatives.map {
            guard case .rule(let name) = $0, let rule = machine.rule(name) else {
                throw ABNFError(description: "an alternative of token is no rule")
            }
            return rule
        }
        let kindNames = Set(kinds.map { machine.names[$0] })
        var byText: [String: [Int]] = [:]
        var byKind: [String: [Int]] = [:]
        var shapes: [(Int, Int)] = []
        for (index, terminal) in self.syntax.terminals.enumerated() {
            switch terminal {
            case .text(let text, _): byText[text.lowercased(), default: []].append(index)
            case .kind(let name) where kindNames.contains(name): byKind[name, default: []].append(index)
            case .kind(let name): shapes.append((index, try rule(name)))
            case .scalars: throw ABNFError(description: "predicate.abnf has a character")
            }
        }
        self.byText = byText
        self.byKind = byKind
        wordShapes = shapes
        for word in syntaxSource.words(of: "predicate-format") { quotedKinds[word] = cut(word)?.first?.kind }
    }

    /// The token kinds that predicate.abnf writes as quoted strings.
    static let quotable: Set<String> = ["reserved-word", "symbol", "identifier", "selector"]

    /// The names of the token kinds.
    var kindNames: [String] { kinds.map { lexical.names[$0] } }

    // MARK: Characters to tokens

    /// The tokens of a text; nil if it cannot be split.
    func cut(_ text: String) -> [Token]? {
        let scalars = Array(text.unicodeScalars)
        var run = lexicalRun(scalars)
        var tokens: [Token] = []
        var place = 0
        while true {
            while let end = run.ends(rule: blank, from: place).last { place = end }
            if place == scalars.count { return tokens }
            guard let (kind, end) = longest(&run, from: place) else { return nil }
            tokens.append(Token(kind: lexical.names[kind], text: Self.text(scalars[place..<end])))
            place = end
        }
    }

    private func longest(_ run: inout GrammarRun, from place: Int) -> (kind: Int, end: Int)? {
        var best: (kind: Int, end: Int)?
        for kind in kinds {
            let ends = run.ends(rule: kind, from: place)
            let end = kind == reserved ? ends.last { run.ends(rule: wordPart, from: $0).isEmpty } : ends.last
            if let end, end > best?.end ?? place { best = (kind, end) }
        }
        return best
    }

    private func lexicalRun(_ scalars: [Unicode.Scalar]) -> GrammarRun {
        let exact = scalars.map(\.value)
        let lowered = exact.map(Self.lowered)
        let candidates: (Int) -> [Int] = { [ascii, terminalsOutsideASCII] place in
            exact[place] < 128 ? ascii[Int(exact[place])] : terminalsOutsideASCII
        }
        return GrammarRun(lexical, count: exact.count, candidates: candidates) { [characters] terminal, place in
            guard place < exact.count else { return nil }
            switch characters[terminal] {
            case .one(let range): return range.contains(exact[place]) ? place + 1 : nil
            case .some(let expected, let caseSensitive):
                let end = place + expected.count
                guard end <= exact.count else { return nil }
                let found = caseSensitive ? exact[place..<end] : lowered[place..<end]
                return found.elementsEqual(expected) ? end : nil
            }
        }
    }

    fileprivate static func lowered(_ value: UInt32) -> UInt32 { value >= 0x41 && value <= 0x5A ? value + 32 : value }

    /// The characters that a terminal of lexical.abnf matches.
    private enum Characters {
        case one(ClosedRange<UInt32>)
        case some([UInt32], caseSensitive: Bool)

        func canBegin(with value: UInt32) -> Bool {
            switch self {
            case .one(let range): range.contains(value)
            case .some(let expected, let caseSensitive):
                expected.first == (caseSensitive ? value : GrammarLanguage.lowered(value))
            }
        }
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }

    /// Whether a text derives from a rule of lexical.abnf.
    func derives(_ text: String, fromLexical rule: Int, noting coverage: inout GrammarCoverage) -> Bool {
        let scalars = Array(text.unicodeScalars)
        var run = lexicalRun(scalars)
        return run.derive(rule: rule, from: 0, to: scalars.count, into: &coverage)
    }

    // MARK: Tokens to predicates

    /// Whether a whole text derives from a rule of predicate.abnf.
    func derives(_ text: String, from rule: String) -> Bool {
        var reading = Reading(self, text)
        return reading.derives(from: rule)
    }

    /// A text with cached results.
    struct Reading {
        private let language: GrammarLanguage
        let text: String
        let tokens: [Token]?
        private var run: GrammarRun?

        init(_ language: GrammarLanguage, _ text: String) { self.init(language, text, language.cut(text)) }

        fileprivate init(_ language: GrammarLanguage, _ text: String, _ tokens: [Token]?) {
            self.language = language
            self.text = text
            self.tokens = tokens
            run = tokens.map(language.syntaxRun)
        }

        mutating func derives(from rule: String) -> Bool {
            guard let count = tokens?.count, let rule = language.syntax.rule(rule) else { return false }
            return run?.ends(rule: rule, from: 0).contains(count) ?? false
        }

        /// Records the rules of both grammars used by one derivation.
        mutating func note(_ rule: String, in syntax: inout GrammarCoverage, _ lexical: inout GrammarCoverage) {
            guard derives(from: rule), let tokens, let rule = language.syntax.rule(rule) else { return }
            _ = run?.derive(rule: rule, from: 0, to: tokens.count, into: &syntax)
            for token in tokens {
                guard let kind = language.lexical.rule(token.kind) else { continue }
                _ = language.derives(token.text, fromLexical: kind, noting: &lexical)
            }
        }
    }

    private func syntaxRun(_ tokens: [Token]) -> GrammarRun {
        let fitting = tokens.map(terminals(for:))
        return GrammarRun(syntax, count: tokens.count, candidates: { fitting[$0] }) { terminal, place in
            place < tokens.count && fitting[place].contains(terminal) ? place + 1 : nil
        }
    }

    /// The terminals of predicate.abnf that match a token.
    private func terminals(for token: Token) -> [Int] {
        var found = byKind[token.kind] ?? []
        guard Self.quotable.contains(token.kind) else { return found }
        found += byText[token.text.lowercased(), default: []].filter {
            if case .text(let text, true) = syntax.terminals[$0] { return text == token.text }
            return true
        }
        guard token.kind == "identifier" || token.kind == "reserved-word" else { return found }
        let scalars = Array(token.text.unicodeScalars)
        var run = lexicalRun(scalars)
        for (terminal, rule) in wordShapes where run.ends(rule: rule, from: 0).last == scalars.count {
            found.append(terminal)
        }
        return found
    }
}

/// Generates random texts: tokens from predicate.abnf, their characters and spaces from lexical.abnf.
struct SentenceGenerator {
    let language: GrammarLanguage
    var coverage = GrammarCoverage()
    var lexicalCoverage = GrammarCoverage()
    private var syntax: GrammarGenerator
    private var lexical: GrammarGenerator
    private var random: SplitMix

    init(_ language: GrammarLanguage, seed: UInt64) {
        self.language = language
        syntax = GrammarGenerator(language.syntax, seed: seed)
        lexical = GrammarGenerator(language.lexical, seed: seed &+ 1)
        random = SplitMix(seed &+ 2)
    }

    private mutating func sentence(rule: String) -> [GrammarLanguage.Token] {
        guard let rule = language.syntax.rule(rule) else { return [] }
        let length = 3 + random.below(24)
        return syntax.sentence(rule: rule, length: length, noting: &coverage).map {
            token(language.syntax.terminals[$0])
        }
    }

    /// A random token for a terminal of predicate.abnf.
    private mutating func token(_ terminal: GrammarMachine.Terminal) -> GrammarLanguage.Token {
        switch terminal {
        case .scalars: return .init(kind: "", text: "")
        case .text(let text, let caseSensitive):
            return .init(kind: language.quotedKinds[text] ?? "", text: caseSensitive ? text : cased(text))
        case .kind(let name):
            guard let rule = language.lexical.rule(name) else { return .init(kind: "", text: "") }
            while true {
                var attempt = lexicalCoverage
                let text = characters(lexical.sentence(rule: rule, length: 12, noting: &attempt))
                // Reject a word that is a reserved word, and a conversion that continues.
                guard let tokens = language.cut(text), tokens.count == 1, let token = tokens.first,
                    token.kind == name || !language.kindNames.contains(name), fits(token)
                else { continue }
                lexicalCoverage = attempt
                return token
            }
        }
    }

    /// Only texts with a meaning: an integer must fit in 64 bits.
    private func fits(_ token: GrammarLanguage.Token) -> Bool { token.kind != "number" || token.text.count <= 12 }

    private mutating func characters(_ terminals: [Int]) -> String {
        var text = String.UnicodeScalarView()
        for terminal in terminals {
            switch language.lexical.terminals[terminal] {
            case .kind: break
            case .text(let word, let caseSensitive):
                text.append(contentsOf: (caseSensitive ? word : cased(word)).unicodeScalars)
            case .scalars(let range):
                // Prefer the start of a range, because large ranges begin with ASCII.
                let width = random.below(4) > 0 ? min(range.count, 96) : range.count
                let value = range.lowerBound + UInt32(random.below(width))
                if let scalar = Unicode.Scalar(value) { text.append(scalar) }
            }
        }
        return String(text)
    }

    private mutating func blank() -> String {
        language.lexical.rule("blank").map {
            characters(lexical.sentence(rule: $0, length: 1, noting: &lexicalCoverage))
        } ?? ""
    }

    private mutating func cased(_ word: String) -> String {
        switch random.below(4) {
        case 0: word.lowercased()
        case 1: String(word.map { random.below(2) == 0 ? Character($0.lowercased()) : Character($0.uppercased()) })
        default: word
        }
    }

    /// Writes a sentence as text, with few spaces between tokens.
    mutating func reading(rule: String) -> GrammarLanguage.Reading {
        let tokens = sentence(rule: rule)
        var text = ""
        for (index, token) in tokens.enumerated() {
            if index > 0 { text += random.below(3) > 0 ? " " : random.below(2) > 0 ? "" : blank() }
            text += token.text
        }
        if language.cut(text) != tokens { text = tokens.map(\.text).joined(separator: " ") }
        return GrammarLanguage.Reading(language, text, tokens)
    }
}
