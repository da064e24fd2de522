// The cases of enums: part of a published type's schema, and known to the type checker and to completion.
import PredicateTestSupport
import Predicates
import Testing

private enum Suit: String, QueryableValue, CaseIterable { case clubs, diamonds, hearts, spades }
private enum Level: Int, QueryableValue, CaseIterable { case low = 1, middle, high }
private enum Mood: String, QueryableValue { case calm, loud }
private enum Face: String, QueryableValue, CaseIterable {
    case king, queen
    var predicateValue: PredicateValue { self == .king ? "K" : "Q" }
}

private struct Card: Queryable {
    var suit = Suit.hearts, other: Suit?, level = Level.low, mood = Mood.calm, face = Face.king, pile: [Suit] = []
    static let keys: KeyTable<Card> = [
        .key("suit", \.suit), .key("other", \.other), .key("level", \.level), .key("mood", \.mood),
        .key("face", \.face), .key("pile", \.pile),
    ]
}

@Suite struct CaseTests {
    @Test func casesArePartOfTheSchema() throws {
        let schema = try PredicateSchema(of: Card.self)
        let cases = Dictionary(
            uniqueKeysWithValues: try #require(schema.entity("Card")).attributes.map { ($0.name, $0.cases) })
        let suits: [PredicateValue] = ["clubs", "diamonds", "hearts", "spades"]
        #expect(
            cases == [
                "suit": suits, "other": suits, "pile": suits, "level": [1, 2, 3], "mood": [], "face": ["K", "Q"],
            ])
    }

    /// A predicate with the constants that are reported, and the suggestion.
    private static let texts: [(String, [String])] = [
        ("suit == 'hearts' AND level == 3 AND face == 'K'", []),
        ("suit == 'heart'", ["'heart' \"hearts\""]),
        ("'spade' != other", ["'spade' \"spades\""]),
        ("suit IN {'clubs', 'diamond', 'joker'}", ["'diamond' \"diamonds\"", "'joker'"]),
        ("level == 4 OR level > 4", ["4"]),
        ("level == 2.0 AND suit ==[c] 'HEARTS' AND other == nil", []),
        ("ANY pile == 'heart'", ["'heart' \"hearts\""]),
        ("pile CONTAINS 'heart'", ["'heart' \"hearts\""]),
        ("suit BEGINSWITH 'heart' AND suit == $any AND mood == 'glad'", []),
        ("face == 'king'", ["'king'"]),
    ]

    @Test(.cases) func otherConstantsAreReported() throws {
        let checker = try TypeChecker(schema: try PredicateSchema(of: Card.self), entity: "Card")
        forEachCase(Self.texts) { text, expected in
            let found = checker.check(try FormatPredicate(text)).filter { $0.id.rawValue == "unknown-case" }
            let shown = found.map {
                "\(text[$0.span.range(in: text)])" + ($0.suggestion.map { " " + $0 } ?? "")
            }
            #expect(shown == expected)
            #expect(found.allSatisfy { $0.severity == .warning })
        }
    }

    @Test func aMatcherWarns() throws {
        let matcher = try FormatPredicate("suit == 'heart'").compiled(for: Card.self)
        #expect(matcher.warnings.map(\.message) == ["\"heart\" is no value of 'suit'"])
        #expect(try FormatPredicate("suit == %@", Suit.hearts).compiled(for: Card.self).warnings.isEmpty)
    }

    /// A text with the cursor as `|`, and the first completions.
    private static let completed: [(String, [String])] = [
        ("suit == |", ["\"clubs\"", "\"diamonds\"", "\"hearts\"", "\"spades\""]),
        ("suit == 'he|", ["hearts"]),
        ("suit IN {'clubs', |", ["\"clubs\"", "\"diamonds\"", "\"hearts\"", "\"spades\""]),
        ("level >= |", ["1", "2", "3"]),
        ("ANY pile == |", ["\"clubs\"", "\"diamonds\"", "\"hearts\"", "\"spades\""]),
        ("su| == 'hearts'", ["suit"]),
        ("level > 1 AND mo|", ["mood"]),
        ("mood == |", ["\"sad\""]),
        ("suit BEG|", ["BEGINSWITH"]), ("suit == he|", ["\"hearts\""]), ("suit == HE|", ["\"hearts\""]),
    ]

    /// Keys that are no words, functions of dates, and other names of YES and NO.
    private static let named: [(String, [String])] = [
        ("si|", ["#size"]), ("fi|", ["SELF.\"first name\""]), ("other.fi|", ["\"first name\""]),
        ("signed == t|", ["TRUE"]),
        ("signed == |", ["YES", "NO"]), ("due > |", ["CAST(", "now()", "nil"]),
        ("SELF.\"first name\" BEG|", ["BEGINSWITH"]),
    ]

    @Test(.cases) func completionWritesNames() throws {
        let schema = try PredicateSchema([
            .init(
                "Book",
                attributes: [
                    .init("size", .integer), .init("first name", .string), .init("signed", .boolean),
                    .init("due", .date),
                ], relationships: [.init("other", to: "Book")])
        ])
        forEachCase(Self.named) { text, expected in
            let found = FormatPredicate.completions(of: String(text.dropLast()), schema: schema)
            #expect(Array(found.items.map(\.text).prefix(expected.count)) == expected)
        }
    }

    @Test(.cases) func completionOffersThem() throws {
        let schema = try PredicateSchema(of: Card.self)
        forEachCase(Self.completed) { marked, expected in
            let parts = marked.split(separator: "|", omittingEmptySubsequences: false)
            let text = parts.joined()
            let found = FormatPredicate.completions(
                of: text, at: text.index(text.startIndex, offsetBy: parts[0].count), schema: schema,
                values: { $0 == "mood" ? ["sad"] : [] })
            #expect(Array(found.items.map(\.text).prefix(max(1, expected.count))) == expected)
        }
    }

    @Test func aMessageIsNotAsLongAsTheText() throws {
        let key = String(repeating: "k", count: 100_000)
        let schema = try PredicateSchema([.init("Book", attributes: [.init("title", .string)])])
        let found = try TypeChecker(schema: schema, entity: "Book").check(FormatPredicate(text: key + " == 1"))
        #expect(found.map { $0.message.count } == [Array("Book has no key '…'").count + 1000])
    }

    @Test func aCompletionIsInserted() throws {
        let text = "level > 1 AND su == 'x'"
        let cursor = text.index(text.startIndex, offsetBy: 16)
        let found = FormatPredicate.completions(of: text, at: cursor, schema: try PredicateSchema(of: Card.self))
        let (result, end) = found.inserting(try #require(found.items.first), in: text)
        #expect(result == "level > 1 AND suit == 'x'")
        #expect(result[end...] == "== 'x'")
        #expect(FormatPredicate.completions(of: "").items.contains { $0.text == "NOT" })
    }
}
