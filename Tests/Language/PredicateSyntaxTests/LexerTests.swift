// Tests of lexing, row by row (LANGUAGE 1). Every row also checks that the spans cover the text without overlap.
import PredicateSyntax
import Testing

@Suite struct LexerTests {
    typealias Row = (text: String, kinds: [TokenKind])

    private func check(_ rows: [Row], options: LanguageOptions = []) {
        for (text, kinds) in rows {
            let tokens = Lexer.tokens(of: text, options: options)
            #expect(tokens.map(\.kind) == kinds + [.end], "\(text)")
            #expect(Self.gap(tokens, in: Array(text.utf8)) == nil, "\(text)")
        }
    }

    /// The first byte that is not a space and is in no token or in several.
    private static func gap(_ tokens: [Token], in bytes: [UInt8]) -> Int? {
        var position = 0
        for token in tokens {
            guard token.span.start >= position else { return token.span.start }
            for index in position..<token.span.start
            where !(bytes[index] == 32 || 9...10 ~= bytes[index] || bytes[index] == 13) { return index }
            position = token.span.end
        }
        return position == bytes.count ? nil : position
    }

    @Test func wordsAreTokens() {
        check([
            ("name", [.identifier]), ("_a1", [.identifier]), ("A_b_2", [.identifier]), ("android", [.identifier]),
            ("aNd", [.and]), ("OR", [.or]), ("not", [.not]), ("nil", [.keyword(.nil)]), ("Null", [.keyword(.null)]),
            ("SELF", [.keyword(.selfObject)]), ("yes", [.keyword(.yes)]), ("anykey", [.keyword(.anyKey)]),
            ("BEGINSWITH", [.comparison(.beginsWith)]), ("endswith", [.comparison(.endsWith)]),
            ("In", [.comparison(.in)]), ("between", [.comparison(.between)]), ("Contains", [.comparison(.contains)]),
            ("LIKE", [.comparison(.like)]), ("matches", [.comparison(.matches)]),
            ("UTI-CONFORMS-TO", [.comparison(.utiConformsTo)]), ("uti-equals", [.comparison(.utiEquals)]),
            ("UTI-EQUALSx", [.identifier, .binary(.subtract), .identifier]), ("uti", [.identifier]),
            ("uti-", [.identifier, .binary(.subtract)]), ("tokenMatches", [.comparison(.tokenMatches)]),
            ("union", [.binary(.union)]), ("INTERSECT", [.binary(.intersect)]), ("Minus", [.binary(.minus)]),
            ("TruePredicate", [.keyword(.truePredicate)]), ("FALSEPREDICATE", [.keyword(.falsePredicate)]),
            ("subquery", [.keyword(.subquery)]), ("ternary", [.keyword(.ternary)]), ("size", [.keyword(.size)]),
        ])
    }

    @Test func everyKeywordInAnyCase() {
        for word in Keywords.words {
            for spelling in [word, word.lowercased(), word.prefix(1) + word.dropFirst().lowercased()] {
                let tokens = Lexer.tokens(of: spelling)
                #expect(tokens.count == 2 && tokens[0].kind != .identifier, "\(spelling)")
                #expect(Keywords.isReserved(spelling), "\(spelling)")
            }
            #expect(Lexer.tokens(of: word + "x")[0].kind == .identifier || word.contains("-"))
        }
    }

    @Test func sigilsAndSelectorsAreTokens() {
        check([
            ("$x", [.variable]), ("$_1", [.variable]), ("$ x", [.error(.unexpectedCharacter), .identifier]),
            ("#like", [.escapedIdentifier]), ("#name", [.escapedIdentifier]), ("#", [.error(.unexpectedCharacter)]),
            ("@count", [.atWord]), ("@K", [.atWord]), ("@", [.error(.unexpectedCharacter)]),
            ("@1", [.error(.unexpectedCharacter), .integer]), ("@status(a.b)", [.term]), ("@status(a", [.term]),
            ("f:", [.selector]), ("add:to:", [.selector]), ("a:b", [.selector, .identifier]),
            ("a:=", [.identifier, .assign]), ("$x:=1", [.variable, .assign, .integer]),
            ("$x := 1", [.variable, .assign, .integer]), ("a:b:=", [.selector, .identifier, .assign]),
            (":", [.error(.unexpectedCharacter)]),
        ])
    }

    @Test func numbersAreTokens() {
        check([
            ("0", [.integer]), ("42", [.integer]), ("007", [.integer]), ("0x1F", [.integer]), ("0XfF", [.integer]),
            ("0o17", [.integer]), ("0b101", [.integer]), ("1.5", [.floatingPoint]), ("1e5", [.floatingPoint]),
            ("1E+5", [.floatingPoint]), ("2.5e-3", [.floatingPoint]), ("1.", [.error(.malformedNumber)]),
            ("1.x", [.error(.malformedNumber)]), ("1..2", [.error(.malformedNumber)]), (".5", [.dot, .integer]),
            ("1e", [.error(.malformedNumber)]), ("1e+", [.error(.malformedNumber), .binary(.add)]),
            ("12ab", [.error(.malformedNumber)]), ("0x", [.error(.malformedNumber)]),
            ("0xG", [.error(.malformedNumber)]), ("0b12", [.error(.malformedNumber)]),
            ("0o8", [.error(.malformedNumber)]), ("-5", [.binary(.subtract), .integer]),
        ])
    }

    @Test func stringsAreTokens() {
        check([
            ("'a'", [.string]), ("\"a\"", [.string]), ("''", [.string]), ("'\"'", [.string]), ("\"'\"", [.string]),
            (#"'a\'b'"#, [.string]), (#""\\""#, [.string]), (#"'\'"#, [.error(.unterminatedString)]),
            ("'a", [.error(.unterminatedString)]), ("\"", [.error(.unterminatedString)]),
            ("'a''b'", [.string, .string]), ("'%@ $x'", [.string]), ("'日本'", [.string]),
            ("“a”", [.error(.typographicQuote)]), ("‘a", [.error(.typographicQuote), .identifier]),
            ("«a»", [.error(.typographicQuote)]),
        ])
    }

    @Test func operatorsAreTokens() {
        check([
            ("=", [.comparison(.equal)]), ("==", [.comparison(.equal)]), ("!=", [.comparison(.notEqual)]),
            ("<>", [.comparison(.notEqual)]), ("<", [.comparison(.lessThan)]), ("<=", [.comparison(.lessThanOrEqual)]),
            ("=<", [.comparison(.lessThanOrEqual)]), (">", [.comparison(.greaterThan)]),
            (">=", [.comparison(.greaterThanOrEqual)]), ("=>", [.comparison(.greaterThanOrEqual)]),
            ("===", [.error(.unknownOperator)]), ("!==", [.error(.unknownOperator)]),
            ("<=>", [.error(.unknownOperator)]), ("=~", [.error(.unknownOperator)]),
            ("= =", [.comparison(.equal), .comparison(.equal)]), ("!", [.not]), ("!!", [.not, .not]),
            ("==!", [.comparison(.equal), .not]), ("=!", [.comparison(.equal), .not]), ("&&", [.and]), ("||", [.or]),
            ("&", [.binary(.bitwiseAnd)]), ("|", [.binary(.bitwiseOr)]), ("^", [.binary(.bitwiseXor)]),
            ("<<", [.binary(.shiftLeft)]), (">>", [.binary(.shiftRight)]), ("+", [.binary(.add)]),
            ("-", [.binary(.subtract)]), ("*", [.binary(.multiply)]), ("/", [.binary(.divide)]),
            ("**", [.binary(.power)]), ("***", [.binary(.power), .binary(.multiply)]), (":=", [.assign]),
            (
                "(){}[],.",
                [
                    .leftParenthesis, .rightParenthesis, .leftBrace, .rightBrace, .leftBracket, .rightBracket, .comma,
                    .dot,
                ]
            ),
            ("&amp;", [.error(.xmlEntity)]), ("&quot;a", [.error(.xmlEntity), .identifier]),
            ("&x", [.binary(.bitwiseAnd), .identifier]), ("/* a */ b", [.error(.comment), .identifier]),
            ("/* a", [.error(.comment)]), ("// a\nb", [.error(.comment), .identifier]),
            ("?", [.error(.unexpectedCharacter)]), ("\\", [.error(.unexpectedCharacter)]),
            ("~", [.error(.unexpectedCharacter)]), (";", [.error(.unexpectedCharacter)]),
        ])
    }

    @Test func conversionsAreTokens() {
        check([
            ("%@", [.conversion]), ("%K", [.conversion]), ("%ld", [.conversion]), ("%5.2f", [.conversion]),
            ("%1$@", [.conversion]), ("%%", [.conversion]), ("%", [.conversion]), ("% d", [.conversion, .identifier]),
            ("%@%@", [.conversion, .conversion]), ("%@*", [.conversion, .binary(.multiply)]),
            ("%K.%K", [.conversion, .dot, .conversion]),
        ])
    }

    @Test func spacesAreSkippedAndOtherCharactersAreErrors() {
        check([
            ("", []), (" \t\r\n ", []), ("\u{0B}", [.error(.unexpectedCharacter)]),
            ("a\tb", [.identifier, .identifier]),
            ("a\u{0}b", [.identifier, .error(.unexpectedCharacter), .identifier]),
            ("a\u{A0}b", [.identifier, .error(.unexpectedCharacter), .identifier]), ("größe", [.error(.nonASCIIKey)]),
            ("a≤1", [.identifier, .error(.unexpectedCharacter), .integer]),
        ])
        check(
            [("größe", [.identifier]), ("日本 == 1", [.identifier, .comparison(.equal), .integer])],
            options: .unicodeIdentifiers)
    }

    @Test func endIsReturnedRepeatedly() {
        var lexer = Lexer("a ")
        #expect(lexer.next().span == SourceSpan(0, 1))
        for _ in 0..<3 { #expect(lexer.next().span == SourceSpan(2, 2)) }
    }
}
