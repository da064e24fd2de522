// A set of predicates finds the same as testing all its matchers.
import Foundation
import PredicateRules
import PredicateTestSupport
import Testing

/// An article with every kind of key.
private struct Article: Queryable {
    var price: Double
    var stock: Int?
    var title: String
    var note: String?
    var tags: [String]
    var author: Author?
    var created: Date
    var isNew: Bool

    static let keys: KeyTable<Article> = [
        .key("price", \.price), .key("stock", \.stock), .key("title", \.title), .key("note", \.note),
        .key("tags", \.tags), .key("author", \.author), .key("created", \.created), .key("isNew", \.isNew),
    ]
}

private final class Author: Queryable, Sendable {
    let name: String
    let scores: [Int]
    init(_ name: String, _ scores: [Int]) { (self.name, self.scores) = (name, scores) }
    static let keys: KeyTable<Author> = [.key("name", \.name), .key("scores", \.scores)]
}

@Suite struct SetTests {
    // MARK: Equal to a scan

    @Test func findsWhatAScanFindsForAnyValues() throws {
        var random = RandomPredicates(30)
        var (pairs, hits) = (0, 0)
        let wanted = TestDepth.count(40_000, full: 2_000_000)
        while pairs < wanted {
            random.isTyped = random.random.chance(30)
            let set = try PredicateSet<Int, PredicateValue>()
            var matchers: [Int: PredicateMatcher<PredicateValue>] = [:]
            for id in 0..<60 {
                let predicate = FormatPredicate(random.predicate(depth: 2))
                guard let matcher = try? predicate.compiled() else {
                    #expect(throws: PredicateFailure.self) { try set.insert(predicate, for: id) }
                    continue
                }
                try set.insert(predicate, for: id)
                matchers[id] = matcher
            }
            for _ in 0..<40 {
                let object = random.object()
                let expected = matchers.keys.filter { matchers[$0]?.matches(object) ?? false }.sorted()
                let found = set.matching(object)
                pairs += matchers.count
                hits += found.count
                guard found != expected else { continue }
                for id in Set(found).symmetricDifference(expected) {
                    Issue.record("\(set[id]?.description ?? "") for \(object): \(found.contains(id))")
                }
                return
            }
        }
        #expect(hits > pairs / 10)
    }

    private static let texts = [
        "", "a", "ab", "Abc", "ABCDEF", "straße", "STRASSE", "é", "e\u{301}", "한글", "x-ab-y", "💡",
    ]

    private static func article(_ random: inout SplitMix) -> Article {
        Article(
            price: random.pick([0, 1, 1.5, 2, 19.99, -3, .nan, .infinity]),
            stock: random.chance(30) ? nil : random.below(6), title: random.pick(texts),
            note: random.chance(40) ? nil : random.pick(texts),
            tags: (0..<random.below(3)).map { _ in random.pick(texts) },
            author: random.chance(30)
                ? nil : Author(random.pick(texts), (0..<random.below(3)).map { _ in random.below(4) }),
            created: Date(timeIntervalSinceReferenceDate: Double(random.below(5))), isNew: random.chance(50))
    }

    private static func term(_ random: inout SplitMix) -> String {
        let order = random.pick(["==", "<", "<=", ">", ">=", "!="])
        let text = "'" + random.pick(texts) + "'"
        let place = random.pick(["BEGINSWITH", "CONTAINS", "ENDSWITH", "==", "LIKE"])
        let options = random.pick(["", "", "[c]", "[d]", "[cd]", "[n]"])
        let number = random.pick(["0", "1", "2", "1.5", "3", "19.99", "-1"])
        return switch random.below(14) {
        case 0: "price \(order) \(number)"
        case 1: "stock \(order) \(number)"
        case 2: "stock IN {\(random.below(6)), \(random.below(6)).0, nil}"
        case 3: "price BETWEEN {\(number), \(random.below(4))}"
        case 4: "title \(place)\(options) \(text)"
        case 5: "note \(place)\(options) \(text)"
        case 6: "note \(random.pick(["==", "!=", "<="])) nil"
        case 7: "ANY tags \(place)\(options) \(text)"
        case 8: "\(text) IN tags"
        case 9: "author.name \(place)\(options) \(text)"
        case 10: "ANY author.scores \(order) \(random.below(4))"
        case 11: "created \(order) CAST(\(random.below(5)), 'NSDate')"
        case 12: "tags.@count \(order) \(random.below(3))"
        default: "isNew == \(random.pick(["YES", "NO"]))"
        }
    }

    private static func text(_ random: inout SplitMix, _ depth: Int) -> String {
        switch random.below(depth > 0 ? 8 : 4) {
        case 0..<4: term(&random)
        case 4: "NOT (" + text(&random, depth - 1) + ")"
        case 5: "(" + text(&random, depth - 1) + " OR " + text(&random, depth - 1) + ")"
        default: "(" + text(&random, depth - 1) + " AND " + text(&random, depth - 1) + ")"
        }
    }

    @Test func findsWhatAScanFindsForObjects() throws {
        var random = SplitMix(31)
        for _ in 0..<TestDepth.count(12, full: 400) {
            let set = try PredicateSet<String, Article>()
            var matchers: [(String, PredicateMatcher<Article>)] = []
            var predicates: [(String, FormatPredicate)] = []
            for id in 0..<80 {
                let predicate = try FormatPredicate(Self.text(&random, 2))
                matchers.append(("\(id)", try predicate.compiled(for: Article.self)))
                predicates.append(("\(id)", predicate))
            }
            try set.insert(contentsOf: predicates)
            for _ in 0..<30 {
                let article = Self.article(&random)
                let expected = matchers.filter { $0.1.matches(article) }.map(\.0)
                let found = set.matching(article)
                for id in Set(found).symmetricDifference(expected) {
                    Issue.record("\(set[id]?.description ?? "") for \(article): \(found.contains(id))")
                }
                #expect(found == expected)
            }
        }
    }

    /// Numbers and texts that indexes read where a struct stores them, beside constants that are nearly equal.
    @Test func readsStoredPropertiesInPlace() throws {
        struct Stored: Queryable {
            var integer: Int
            var long: Int64
            var double: Double
            var text: String
            var texts: [String]
            static let keys: KeyTable<Stored> = [
                .key("integer", \.integer), .key("long", \.long), .key("double", \.double), .key("text", \.text),
                .key("texts", \.texts),
            ]
        }
        let numbers = [
            "0", "1", "1.0", "-1", "YES", "9007199254740992", "9007199254740993", "9007199254740992.0", "0.5",
        ]
        let words = ["", "é", "e\u{301}", "fifteen bytes !", "sixteen bytes !!", "a text of more than sixteen bytes"]
        var texts: [String] = []
        for key in ["integer", "long", "double"] {
            for number in numbers {
                texts += ["\(key) == \(number)", "\(key) <= \(number)", "\(key) BETWEEN {\(number), 3}"]
            }
        }
        for word in words {
            texts += [
                "text == '\(word)'", "text ==[cd] '\(word)'", "text ENDSWITH '\(word)'", "text CONTAINS[c] '\(word)'",
            ]
            texts += [
                "ANY texts == '\(word)'", "texts CONTAINS '\(word)'", "'\(word)' IN text", "ANY texts LIKE '\(word)*'",
            ]
        }
        let predicates = try texts.enumerated().map { ($0, try FormatPredicate($1)) }
        let set = try PredicateSet<Int, Stored>()
        try set.insert(contentsOf: predicates)
        let matchers = try predicates.map { try $0.1.compiled(for: Stored.self) }
        var hits = 0
        for integer in [0, 1, -1, 9_007_199_254_740_992, 9_007_199_254_740_993, .max] {
            for double in [0, 0.5, -0.0, .nan, .infinity, 9_007_199_254_740_992] {
                for (index, word) in (words + ["FIFTEEN BYTES !", "x sixteen bytes !!"]).enumerated() {
                    let stored = Stored(
                        integer: integer, long: Int64(integer), double: double, text: word,
                        texts: Array(words.prefix(index)))
                    let found = set.matching(stored)
                    #expect(found == matchers.indices.filter { matchers[$0].matches(stored) }, "\(stored)")
                    hits += found.count
                }
            }
        }
        #expect(hits > 1000)
    }

    @Test func textsNumbersAndDictionariesAreObjectsToo() throws {
        let words = try PredicateSet<Int, String>()
        try words.insert(FormatPredicate("SELF BEGINSWITH[c] 'AB'"), for: 1)
        try words.insert(FormatPredicate("SELF.length > 3"), for: 2)
        try words.insert(FormatPredicate("SELF IN {'abc', 'abcd'}"), for: 3)
        #expect(words.matching(each: ["abc", "abcd", "x"]) == [[1, 3], [1, 2, 3], []])
        let rows = PredicateSet<Int, [String: Any]>()
        try rows.insert(FormatPredicate("a.b == 1 OR c CONTAINS 'x'"), for: 1)
        try rows.insert(FormatPredicate("missing == nil AND a.@count == 1"), for: 2)
        #expect(rows.matching(["a": ["b": 1.0], "odd": Thread.self]) == [1, 2])
        #expect(rows.matching(["c": ["x", "y"]]) == [1])
    }

    @Test func datesAreRangesToo() throws {
        let days = (0..<5).map { Date(timeIntervalSinceReferenceDate: Double($0)) }
        let set = try PredicateSet<Int, Article>()
        try set.insert(FormatPredicate("created > %@", days[2]), for: 1)
        try set.insert(FormatPredicate("created >= %@ AND created < %@", days[1], days[3]), for: 2)
        try set.insert(FormatPredicate("created BETWEEN {%@, %@}", days[4], days[3]), for: 3)
        #expect(set.statistics.indexed == ["range": 3])
        let articles = days.map { day in
            Article(price: 0, stock: 0, title: "", tags: [], author: nil, created: day, isNew: true)
        }
        #expect(set.matching(each: articles) == [[], [2], [2], [1, 3], [1, 3]])
    }

    @Test(.cases) func typedTextsAreRead() throws {
        let environment = PredicateEnvironment(language: [.typedTexts])
        let article = Article(
            price: 0, stock: 0, title: "2001-01-01", tags: [], author: nil,
            created: Date(timeIntervalSinceReferenceDate: 0), isNew: true)
        let texts = [
            "created == '2001-01-01'", "created == '2001-01-01' AND created == '2001-01-01T00:00Z'",
            "created IN {'2001-01-01'}", "created < '2001-01-02'", "title == '2001-01-01'",
            "created BETWEEN {'2001-01-01', '2001-01-01'}",
        ]
        forEachCase(texts) { text in
            let set = try PredicateSet<Int, Article>()
            try set.insert(FormatPredicate(text, in: environment), for: 1)
            #expect(set.matching(article) == [1])
        }
    }

    // MARK: Changes

    @Test func changesOneByOneKeepTheAnswers() throws {
        var random = SplitMix(32)
        let set = try PredicateSet<Int, PredicateValue>()
        var known: [Int: Int64] = [:]
        for step in 0..<TestDepth.count(900, full: 20_000) {
            let id = random.below(300)
            if random.chance(30) {
                #expect((set.remove(id) != nil) == (known.removeValue(forKey: id) != nil))
            } else {
                let number = Int64(random.below(20))
                try set.insert(FormatPredicate("n == %@", number), for: id)
                known[id] = number
            }
            guard step % 9 == 0 else { continue }
            let wanted = Int64(random.below(20))
            let found = set.matching(.dictionary(ValueDictionary([("n", .integer(wanted))])))
            #expect(found.sorted() == known.filter { $0.value == wanted }.keys.sorted())
            #expect(set.count == known.count)
        }
        set.removeAll()
        #expect(set.count == 0 && set.matching(.dictionary(ValueDictionary([("n", .integer(1))]))).isEmpty)
    }

    @Test func aRefusedPredicateChangesNothing() throws {
        let set = try PredicateSet<Int, Article>()
        try set.insert(FormatPredicate("price > 1"), for: 1)
        let wrong = try FormatPredicate("prize > 1")
        #expect(throws: PredicateFailure.self) { try set.insert(wrong, for: 1) }
        #expect(throws: PredicateFailure.self) {
            try set.insert(contentsOf: [(2, FormatPredicate("price > 2")), (3, FormatPredicate("price > $x"))])
        }
        #expect(set[1]?.description == "price > 1" && set.count == 1)
    }

    /// A set checks only comparisons whose form it does not know yet.
    @Test func knownFormsRefuseWhatACheckRefuses() throws {
        let keys = ["price", "stock", "title", "tags", "author", "author.name", "created", "isNew", "nope", "SELF"]
        let operators = ["==", "!=", "<", ">=", "IN", "CONTAINS", "BETWEEN", "BEGINSWITH[c]"]
        let constants = [
            "3", "2.5", "'x'", "nil", "YES", "{1, 2}", "{1, 2, 3}", "{'a', 'b'}", "{}", "{1, 'a'}", "{nil, 1}",
            "{{1}, 2}",
        ]
        var texts: [String] = []
        for key in keys {
            for name in operators {
                for constant in constants {
                    texts += ["\(key) \(name) \(constant)", "\(constant) \(name) \(key)"]
                    texts += ["ANY \(key) \(name) \(constant)", "NOT (isNew == YES OR \(key) \(name) \(constant))"]
                }
            }
        }
        var random = SplitMix(31)
        let set = try PredicateSet<Int, Article>()
        var refused = 0
        for turn in 0..<TestDepth.count(60_000) {
            guard let predicate = try? FormatPredicate(texts[random.below(texts.count)]) else { continue }
            let isValid = (try? predicate.compiled(for: Article.self)) != nil
            let isInserted = (try? set.insert(predicate, for: turn % 64)) != nil
            refused += isValid ? 0 : 1
            guard isInserted != isValid else { continue }
            Issue.record("\(predicate): \(isInserted)")
        }
        #expect(refused > TestDepth.count(5000))
    }

    /// Each identifier's predicate changes between two that both select the object. So every match must find every
    /// identifier exactly once while other tasks change the set.
    @Test func matchingSeesOneState() async throws {
        let set = try PredicateSet<Int, PredicateValue>()
        let forms = try ["n == 1", "n > 0", "n IN {1, 2}", "NOT n > 1", "n != 7"].map { try FormatPredicate($0) }
        let count = 40
        try set.insert(contentsOf: (0..<count).map { ($0, forms[0]) })
        let object = PredicateValue.dictionary(ValueDictionary([("n", .integer(1))]))
        let rounds = TestDepth.count(300, full: 20_000)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for task in 0..<2 {
                group.addTask {
                    for round in 0..<rounds {
                        let id = (round &* 7 &+ task) % count
                        try set.insert(forms[(round + task) % forms.count], for: id)
                    }
                    return true
                }
                group.addTask {
                    for _ in 0..<rounds where set.matching(object).sorted() != Array(0..<count) { return false }
                    return true
                }
            }
            for try await answer in group { #expect(answer) }
        }
    }

    @Test func tablesAndAllCoresHaveTheSameMatches() async throws {
        var random = RandomPredicates(31)
        let set = try PredicateSet<Int, PredicateValue>()
        for id in 0..<40 { try? set.insert(FormatPredicate(random.predicate(depth: 2)), for: id) }
        // Enough for several parts.
        let objects = (0..<700).map { _ in random.object() }
        let expected = objects.map { set.matching($0) }
        #expect(expected.contains { !$0.isEmpty })
        #expect(try await set.matching(concurrently: objects) == expected)

        var builder = PredicateTableBuilder()
        for object in objects { builder.append(object) }
        let table = builder.finish()
        #expect(set.matching(each: table) == (0..<table.count).map { set.matching(table[$0]) })
        #expect(set.matching(each: table) == expected)
    }

    @Test func liveQueries() throws {
        let set = try PredicateSet<String, PredicateValue>()
        try set.insert(contentsOf: [
            ("cheap", FormatPredicate("price < 10")), ("garden", FormatPredicate("tags CONTAINS 'garden'")),
            ("dear", FormatPredicate("price > 100")),
        ])
        let (old, new) = (v(["price": 5, "tags": ["garden"]]), v(["price": 500, "tags": ["garden", "tools"]]))
        let changes = set.changes(from: old, to: new)
        #expect(changes.entered == ["dear"] && changes.stayed == ["garden"] && changes.left == ["cheap"])
        #expect(set.changes(from: nil, to: new).entered == ["garden", "dear"])
        #expect(set.changes(from: new, to: nil).left == ["garden", "dear"])
    }

    // MARK: Statistics

    @Test(.cases) func indexes() {
        // Each predicate with the kind of its index, or with a part of the reason why it has no index.
        let cases: [(String, String)] = [
            ("a == 1", "equality"), ("a IN {1, 2}", "equality"), ("1 == a", "equality"), ("'x' IN l", "text"),
            ("NOT a != 1", "equality"), ("a == 1 OR b == 2", "equality"), ("a > 1 AND b == 2", "equality"),
            ("a == nil", "missing"), ("a > 1", "range"), ("NOT (a != 1 OR b > 3)", "equality"),
            ("a > 1 AND a < 3", "range"), ("1 < a", "range"), ("s BEGINSWITH[cd] 'x'", "text"),
            ("s LIKE 'ab*'", "text"), ("ANY l == 'x'", "equality"), ("ANY d.l > 3", "range"), ("a IN {}", "none"),
            ("a == 1 + 1", "equality"), ("NOT (NOT a == 1)", "equality"), ("TRUEPREDICATE", "nearly every"),
            ("a != 1", "most objects"), ("a == b", "compares a key with a constant"), ("s ==[l] 'x'", "locale"),
            ("s > 'x'", "order of texts"), ("s MATCHES 'x.*'", "pattern"), ("a == 1 OR b != 2", "most objects"),
            ("l == {1, 2}", "collection"), ("a == 1 AND b > c", "equality"),
        ]
        forEachCase(cases) { text, expected in
            let set = try PredicateSet<Int, PredicateValue>()
            try set.insert(FormatPredicate(text), for: 1)
            let statistics = set.statistics
            let kind = statistics.indexed.first?.key ?? statistics.unindexed.first?.reason
            #expect((kind ?? "none").contains(expected), "\(text): \(kind ?? "none")")
            #expect((statistics.unsatisfiable == 1) == (expected == "none"))
        }
    }
}
