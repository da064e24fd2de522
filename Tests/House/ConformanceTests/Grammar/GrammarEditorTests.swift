// The highlighting for editors: it knows all words of the language, and has the same tokens as the lexer.
import Foundation
import PredicateTestSupport
import Testing

@Suite struct GrammarEditorTests {
    let highlighter: Highlighter

    init() throws { highlighter = try Highlighter(GrammarLanguage.read("editors/predicate.tmLanguage.json")) }

    /// The highlighter's patterns contain all words in capitals, and no others.
    @Test func editorGrammarHasTheKeywords() {
        let words = highlighter.expressions.flatMap {
            $0.matches(of: /\b[A-Z]{2,}(?:-[A-Z]+)*\b/.wordBoundaryKind(.simple)).map { String($0.output) }
        }
        #expect(Set(words) == Set(Keywords.words))
    }

    @Test func editorGrammarHasTheFunctions() throws {
        let grammar = try GrammarLanguage.shared.get().syntaxSource
        let functions = ["nullary-function", "unary-function", "binary-function"].flatMap(grammar.words(of:))
        for function in functions + ["objectFrom:withIndex:"] {
            #expect(highlighter.spans(of: function + "(a)").first?.scope == "support.function.predicate", "\(function)")
        }
    }

    @Test(.cases) func samples() {
        forEachCase(
            [
                (
                    #"age >= 21 AND name BEGINSWITH[cd] "é\n""#,
                    """
                    age variable.other.member | >= keyword.operator.comparison | 21 constant.numeric \
                    | AND keyword.operator.logical \
                    | name variable.other.member | BEGINSWITH keyword.operator.comparison.word \
                    | [ punctuation.definition.options \
                    | cd storage.modifier.options | ] punctuation.definition.options | " punctuation.definition.string.begin \
                    | é string.quoted.double | \\n constant.character.escape | " punctuation.definition.string.end
                    """
                ),
                (
                    "NONE $x.in == %ld",
                    """
                    NONE keyword.control.quantifier | $x variable.other.readwrite | . punctuation.separator.period \
                    | in variable.other.member | == keyword.operator.comparison | %ld constant.other.placeholder
                    """
                ),
                (
                    "SUBQUERY(#in, $y, $y == nil).@count > sum:(a[c])",
                    """
                    SUBQUERY keyword.other.form | ( punctuation.section.brackets | #in variable.other.member \
                    | , punctuation.separator \
                    | $y variable.other.readwrite | , punctuation.separator | $y variable.other.readwrite \
                    | == keyword.operator.comparison \
                    | nil constant.language | ) punctuation.section.brackets | . punctuation.separator \
                    | @count support.function.collection \
                    | > keyword.operator.comparison | sum: support.function | ( punctuation.section.brackets \
                    | a variable.other.member \
                    | [ punctuation.section.brackets | c variable.other.member | ] punctuation.section.brackets \
                    | ) punctuation.section.brackets
                    """
                ),
                (
                    "SELF isKindOfClass: 0x1F ** -2.5e-3 uti-conforms-to a[FIRST]",
                    """
                    SELF variable.language | isKindOfClass: entity.name.function.operator | 0x1F constant.numeric \
                    | ** keyword.operator.arithmetic | - keyword.operator.arithmetic | 2.5e-3 constant.numeric \
                    | uti-conforms-to keyword.operator.comparison.word | a variable.other.member \
                    | [ punctuation.section.brackets \
                    | FIRST support.constant.index | ] punctuation.section.brackets
                    """
                ),
                (
                    #"a === 1. AND b == %s || CI != 'x\x4' ?"#,
                    """
                    a variable.other.member | === invalid.illegal.operator | 1. invalid.illegal.number \
                    | AND keyword.operator.logical \
                    | b variable.other.member | == keyword.operator.comparison | %s invalid.illegal.placeholder \
                    | || keyword.operator.logical \
                    | CI invalid.illegal.reserved | != keyword.operator.comparison | ' punctuation.definition.string.begin \
                    | x string.quoted.single | \\x invalid.illegal.escape | 4 string.quoted.single \
                    | ' punctuation.definition.string.end \
                    | ? invalid.illegal
                    """
                ),
            ] as [(String, String)]
        ) { samples($0.0, $0.1) }
    }

    private func samples(_ text: String, _ expected: String) {
        let found = highlighter.spans(of: text).map {
            "\($0.text) \($0.scope.replacingOccurrences(of: ".predicate", with: ""))"
        }
        #expect(found.joined(separator: " | ") == expected)
    }

    /// Compares all tokens of every valid text.
    @Test func editorGrammarAgreesWithTheLexer() throws {
        var wrong: [String] = []
        var tokens = 0
        for text in try GrammarTexts.all() where !FormatParser.predicate(text).hasErrors {
            let scopes = highlighter.scopes(of: text)
            var before: TokenKind?
            for token in Lexer.tokens(of: text) where token.kind != .end {
                tokens += 1
                let scope = scopes[token.span.start]
                if !Self.scopes(token.kind, behindDot: before == .dot).contains(where: scope.hasPrefix) {
                    wrong.append("\(token.kind) at \(token.span.start) is '\(scope)': \(text)")
                }
                before = token.kind
            }
        }
        if !wrong.isEmpty {
            Issue.record("\(wrong.count) of \(tokens) tokens:\n\(wrong.prefix(20).joined(separator: "\n"))")
        }
        #expect(tokens > 100)
    }

    /// The allowed scopes for the first character of a token.
    private static func scopes(_ kind: TokenKind, behindDot: Bool) -> [String] {
        let key = "variable.other.member"
        switch kind {
        case .identifier: return [key, "support.function", "entity.name.function", "storage.modifier.options"]
        case .keyword(let keyword):
            // After a dot, CAST is a key or the special form CAST("…", "$key").
            if behindDot { return keyword == .cast ? [key, "keyword.other.form"] : [key] }
            switch keyword {
            case .any, .some, .all, .none: return ["keyword.control"]
            case .selfObject, .anyKey: return ["variable.language"]
            case .first, .last, .size: return ["support.constant.index"]
            case .subquery, .ternary, .function, .cast, .fetch: return ["keyword.other.form"]
            default: return ["constant.language"]
            }
        case .escapedIdentifier: return [key]
        case .atWord: return ["support.function.collection", key]
        case .variable: return ["variable.other.readwrite"]
        case .selector: return ["support.function", "entity.name.function"]
        case .string: return ["punctuation.definition.string.begin"]
        case .integer, .floatingPoint: return ["constant.numeric"]
        case .conversion: return ["constant.other.placeholder"]
        case .comparison, .and, .or, .not, .binary, .assign: return behindDot ? [key] : ["keyword.operator"]
        case .leftBracket, .rightBracket: return ["punctuation"]
        case .dot, .comma: return ["punctuation.separator"]
        case .leftParenthesis, .rightParenthesis, .leftBrace, .rightBrace: return ["punctuation.section"]
        case .end, .term, .error: return []
        }
    }
}

/// Applies a TextMate grammar to a text: at each position it uses the pattern with the earliest match. If several match
/// there, it uses the first one in the list.
struct Highlighter {
    struct Span {
        let text: String
        let scope: String
    }

    private struct Rule: Decodable {
        var name: String?
        var match: String?
        var begin: String?
        var end: String?
        var include: String?
        var patterns: [Rule]?
        var captures: [String: Capture]?
        var beginCaptures: [String: Capture]?
        var endCaptures: [String: Capture]?
    }
    private struct Capture: Decodable { let name: String }
    private struct File: Decodable {
        let scopeName: String
        let patterns: [Rule]
        let repository: [String: Rule]
    }
    private struct Pattern {
        let rule: Rule
        let expression: NSRegularExpression
        let end: NSRegularExpression?
        let inner: [Pattern]
    }

    private let patterns: [Pattern]
    /// The regular expressions of the grammar.
    let expressions: [String]

    init(_ json: String) throws {
        let file = try JSONDecoder().decode(File.self, from: Data(json.utf8))
        func compile(_ rules: [Rule]) throws -> [Pattern] {
            try rules.flatMap { rule -> [Pattern] in
                if let include = rule.include {
                    guard let included = file.repository[String(include.dropFirst())] else {
                        throw ABNFError(description: "no \(include) in the repository")
                    }
                    return try compile([included])
                }
                guard let text = rule.match ?? rule.begin else { return try compile(rule.patterns ?? []) }
                return [
                    Pattern(
                        rule: rule, expression: try NSRegularExpression(pattern: text),
                        end: try rule.end.map { try NSRegularExpression(pattern: $0) },
                        inner: rule.begin == nil ? [] : try compile(rule.patterns ?? []))
                ]
            }
        }
        patterns = try compile(file.patterns)
        func texts(_ rules: [Rule]) -> [String] {
            rules.flatMap { [$0.match, $0.begin, $0.end].compactMap { $0 } + texts($0.patterns ?? []) }
        }
        expressions = texts(file.patterns + file.repository.values)
    }

    /// The coloured pieces of a text, in order, without spaces and text without a scope.
    func spans(of text: String) -> [Span] {
        let units = Array(text.utf16)
        let scopes = unitScopes(of: text)
        var spans: [Span] = []
        var start = 0
        while start < units.count {
            var end = start + 1
            while end < units.count, scopes[end].piece == scopes[start].piece { end += 1 }
            let piece = String(decoding: units[start..<end], as: UTF16.self)
            if !piece.allSatisfy(\.isWhitespace), !scopes[start].scope.isEmpty {
                spans.append(Span(text: piece, scope: scopes[start].scope))
            }
            start = end
        }
        return spans
    }

    /// The scope of each UTF-8 byte.
    func scopes(of text: String) -> [String] {
        let units = unitScopes(of: text)
        var scopes: [String] = []
        var unit = 0
        for scalar in text.unicodeScalars {
            for _ in 0..<UTF8.width(scalar) { scopes.append(units[unit].scope) }
            unit += UTF16.width(scalar)
        }
        return scopes
    }

    private typealias Unit = (scope: String, piece: Int)

    private func unitScopes(of text: String) -> [Unit] {
        var units = [Unit](repeating: ("", -1), count: text.utf16.count)
        var piece = 0
        func paint(_ range: NSRange, _ scope: String?) {
            guard let scope, range.location != NSNotFound, range.length > 0 else { return }
            piece += 1
            for index in range.location..<(range.location + range.length) { units[index] = (scope, piece) }
        }
        func paint(_ match: NSTextCheckingResult, _ name: String?, _ captures: [String: Capture]?) {
            paint(match.range, name)
            for (number, capture) in (captures ?? [:]).sorted(by: { $0.key < $1.key }) {
                if let number = Int(number), number < match.numberOfRanges {
                    paint(match.range(at: number), capture.name)
                }
            }
        }
        var open: Pattern?
        var place = 0
        while place < units.count {
            let rest = NSRange(location: place, length: units.count - place)
            func first(_ expression: NSRegularExpression) -> NSTextCheckingResult? {
                expression.firstMatch(
                    in: text, options: [.withTransparentBounds, .withoutAnchoringBounds], range: rest)
            }
            var best: (match: NSTextCheckingResult, pattern: Pattern)?
            for pattern in open?.inner ?? patterns {
                guard let match = first(pattern.expression), match.range.length > 0 else { continue }
                if match.range.location < best?.match.range.location ?? .max { best = (match, pattern) }
            }
            if let pattern = open {
                let end = pattern.end.flatMap(first)
                let stop = min(end?.range.location ?? units.count, best?.match.range.location ?? units.count)
                paint(NSRange(location: place, length: stop - place), pattern.rule.name)
                if let end, end.range.location == stop {
                    paint(end, pattern.rule.name, pattern.rule.endCaptures)
                    open = nil
                    place = end.range.location + end.range.length
                    continue
                }
            }
            guard let best else { break }
            paint(best.match, best.pattern.rule.name, best.pattern.rule.captures ?? best.pattern.rule.beginCaptures)
            if best.pattern.end != nil { open = best.pattern }
            place = best.match.range.location + best.match.range.length
        }
        return units
    }
}
