// Conversion of #Predicate to a format string: the text, and equal answers.
import Foundation
import PredicateFoundation
import Testing

struct Order: Queryable, Sendable {
    var total: Int
    var notes: [String] = []
    static let keys: KeyTable<Order> = [.key("total", \.total), .key("notes", \.notes)]
}

struct Address: Queryable, Sendable, Codable {
    var city: String
    var street: String?
    static let keys: KeyTable<Address> = [.key("city", \.city), .key("street", \.street)]
}

struct Client: Queryable, Sendable {
    var name: String
    var nickname: String?
    var age: Int
    var score: Double
    var joined: Date
    var isActive: Bool
    var address: Address?
    var orders: [Order]
    var tags: [String]
    var limits: [String: Int] = [:]
    var aliases: [String?] = []
    var secret = 0

    static let keys: KeyTable<Client> = [
        .key("name", \.name), .key("nickname", \.nickname), .key("age", \.age), .key("score", \.score),
        .key("joined", \.joined), .key("active", \.isActive), .key("address", \.address), .key("orders", \.orders),
        .key("tags", \.tags), .key("limits", \.limits), .key("aliases", \.aliases),
    ]

    static let all: [Client] = [
        Client(
            name: "Ada", nickname: nil, age: 36, score: 1.5, joined: Date(timeIntervalSinceReferenceDate: 10),
            isActive: true, address: Address(city: "London"), orders: [Order(total: 5), Order(total: 12)],
            tags: ["new", "vip"], limits: ["day": 3], aliases: [nil, "x"]),
        Client(
            name: "Élodie", nickname: "Lo", age: 17, score: 8, joined: Date(timeIntervalSinceReferenceDate: -10),
            isActive: false, address: nil, orders: [], tags: [], aliases: ["Lo", nil]),
        Client(
            name: "Bob", nickname: "Bo", age: 52, score: -2, joined: Date(timeIntervalSinceReferenceDate: 0),
            isActive: true, address: Address(city: "Oslo", street: "Bygdøy"),
            orders: [Order(total: 40, notes: ["gift"])],
            tags: ["vip"], limits: ["day": 9, "week": 20]),
    ]
}

@Suite struct MacroTests {
    private func check(_ predicate: Foundation.Predicate<Client>, _ text: String) throws {
        let format = try FormatPredicate(predicate)
        #expect("\(format)" == text)
        #expect(try "\(FormatPredicate(text: text))" == text)
        for client in Client.all {
            #expect(try format.evaluate(client) == predicate.evaluate(client), "\(text): \(client.name)")
        }
    }

    @Test func comparisons() throws {
        let least = 18
        let names = ["Ada", "Bob"]
        try check(#Predicate { $0.age > least && $0.name != "Bob" }, #"age > 18 AND name != "Bob""#)
        try check(#Predicate { $0.age <= 17 || $0.isActive }, "age <= 17 OR active == 1")
        try check(#Predicate { !($0.age < 30) && $0.score >= 1.5 }, "(NOT age < 30) AND score >= 1.5")
        try check(#Predicate { $0.isActive == false }, "active == 0")
        try check(#Predicate { names.contains($0.name) }, #"name IN {"Ada", "Bob"}"#)
        try check(#Predicate { $0.name.contains("d") }, #"name CONTAINS "d""#)
        try check(#Predicate { $0.name.starts(with: "A") }, #"name BEGINSWITH "A""#)
        try check(#Predicate { (17...36).contains($0.age) }, "age BETWEEN {17, 36}")
        try check(#Predicate { (17..<36).contains($0.age) }, "age >= 17 AND age < 36")
        try check(#Predicate { $0.age > 1 && $0.age > 2 && $0.age > 3 }, "age > 1 AND age > 2 AND age > 3")
        try check(#Predicate { _ in true }, "TRUEPREDICATE")
    }

    @Test func optionals() throws {
        try check(#Predicate { $0.nickname == nil }, "nickname == nil")
        try check(#Predicate { ($0.nickname ?? "?") == "Lo" }, #"TERNARY(nickname != nil, nickname, "?") == "Lo""#)
        try check(#Predicate { $0.address?.city == "Oslo" }, #"address.city == "Oslo""#)
        try check(#Predicate { $0.nickname != "Lo" }, #"nickname != "Lo""#)
        try check(
            #Predicate { $0.address.flatMap { $0.street ?? "?" } == "?" },
            #"TERNARY(address != nil, TERNARY(address.street != nil, address.street, "?"), nil) == "?""#)
        try check(
            #Predicate { ($0.address.flatMap { _ in true }) ?? false },
            "TERNARY(TERNARY(address != nil, 1, nil) != nil, TERNARY(address != nil, 1, nil), 0) == 1")
        try check(#Predicate { $0.address.flatMap { $0.street } == nil }, "address.street == nil")
        try check(#Predicate { ($0.age > 20 ? $0.score : 0) > 1 }, "TERNARY(age > 20, score, 0.0) > 1.0")
    }

    /// Swift finds the empty text in every text, the language in none.
    @Test func emptyTexts() throws {
        let typed = ""
        try check(#Predicate { $0.name.contains(typed) }, "TRUEPREDICATE")
        try check(#Predicate { $0.name.starts(with: typed) && $0.age > 20 }, "TRUEPREDICATE AND age > 20")
        try check(#Predicate { ($0.nickname?.contains(typed)) == nil }, "TERNARY(nickname != nil, 1, nil) == nil")
        try check(
            #Predicate { $0.name.contains($0.nickname ?? "") },
            #"""
            TERNARY(nickname != nil, nickname, "") == "" OR name CONTAINS TERNARY(nickname != nil, nickname, "")
            """#)
        try check(#Predicate { $0.name.isEmpty }, #"name == """#)
        try check(#Predicate { !$0.name.isEmpty }, #"NOT name == """#)
    }

    @Test func arithmetic() throws {
        try check(#Predicate { $0.age + 1 == 37 }, "age + 1 == 37")
        try check(#Predicate { $0.age * 2 - 4 > 30 }, "(age * 2) - 4 > 30")
        try check(#Predicate { $0.age / 5 == 7 }, "age / 5 == 7")
        try check(#Predicate { $0.score / 4 > 1 }, "score / 4.0 > 1.0")
        try check(#Predicate { $0.age % 2 == 0 }, "modulus:by:(age, 2) == 0")
        try check(#Predicate { -$0.age < -20 }, "-age < -20")
    }

    @Test func collections() throws {
        try check(#Predicate { $0.tags.contains("vip") }, #""vip" IN tags"#)
        try check(#Predicate { $0.orders.contains { $0.total > 9 } }, "SUBQUERY(orders, $x1, $x1.total > 9).@count > 0")
        try check(
            #Predicate { $0.orders.allSatisfy { $0.total > 9 } }, "SUBQUERY(orders, $x1, NOT $x1.total > 9).@count == 0"
        )
        try check(
            #Predicate { $0.orders.filter { $0.total > 3 }.count == 2 },
            "SUBQUERY(orders, $x1, $x1.total > 3).@count == 2")
        try check(
            #Predicate { client in client.orders.contains { order in order.notes.contains { $0 == "gift" } } },
            #"SUBQUERY(orders, $x1, SUBQUERY($x1.notes, $x2, $x2 == "gift").@count > 0).@count > 0"#)
        try check(#Predicate { $0.tags.count > 1 }, "tags.@count > 1")
        try check(#Predicate { $0.limits["day"] == 3 }, #"limits["day"] == 3"#)
        try check(
            #Predicate { !$0.tags.isEmpty && $0.tags[0] == "vip" }, #"(NOT tags.@count == 0) AND tags[0] == "vip""#)
    }

    /// A filter as apps write it: a struct that the closure captures.
    @Test func capturedValues() throws {
        struct Filter: Codable {
            var name = "Ada"
            var least = 18
            var names: [String] = ["Ada", "Bob"]
            var ages = 17...36
            var nested: Address? = Address(city: "Oslo")
            var limits = ["day": 3]
            var none: String?
            var double: Int { least * 2 }
        }
        let filter = Filter()
        try check(#Predicate { $0.name == filter.name && $0.age > filter.least }, #"name == "Ada" AND age > 18"#)
        try check(#Predicate { filter.names.contains($0.name) }, #"name IN {"Ada", "Bob"}"#)
        try check(#Predicate { filter.ages.contains($0.age) }, "age BETWEEN {17, 36}")
        try check(#Predicate { $0.age < filter.double }, "age < 36")
        try check(#Predicate { $0.name == filter.names[1] }, #"name == "Bob""#)
        try check(#Predicate { filter.names[0..<1].contains($0.name) }, #"name IN {"Ada"}"#)
        try check(#Predicate { $0.address?.city == filter.nested?.city }, #"address.city == "Oslo""#)
        try check(#Predicate { $0.name == filter.none ?? "Bob" }, #"name == "Bob""#)
        try check(#Predicate { $0.nickname == filter.none }, "nickname == nil")
        try check(#Predicate { $0.limits["day"] == filter.limits["day"] }, #"limits["day"] == 3"#)
        try check(
            #Predicate { $0.limits["day", default: 9] == filter.limits["x", default: 9] },
            #"TERNARY(limits["day"] != nil, limits["day"], 9) == 9"#)
        try check(
            #Predicate { $0.orders.contains { $0.total > filter.least } },
            "SUBQUERY(orders, $x1, $x1.total > 18).@count > 0")
        try check(#Predicate { $0.age > filter.name.count }, "age > 3")
        try check(#Predicate { (filter.least..<36).contains($0.age) }, "age >= 18 AND age < 36")
    }

    /// In Swift a list of optionals may contain nil.
    @Test func listsOfOptionals() throws {
        let names: [String?] = [nil, "Lo"]
        let others: [String?] = ["Lo"]
        try check(#Predicate { names.contains($0.nickname) }, #"nickname == nil OR nickname IN {"Lo"}"#)
        try check(#Predicate { others.contains($0.nickname) }, #"nickname IN {"Lo"}"#)
        try check(#Predicate { $0.aliases.contains($0.nickname) }, "SUBQUERY(aliases, $x1, $x1 == nickname).@count > 0")
        try check(#Predicate { $0.aliases.contains("Lo") }, #""Lo" IN aliases"#)
        try check(#Predicate { $0.aliases.contains(nil) }, "SUBQUERY(aliases, $x1, $x1 == nil).@count > 0")
    }

    /// Each row of the list in the article *From #Predicate*.
    @Test func macrosThatTheLanguageCannotExpress() throws {
        let text = "d"
        let tags = ["vip"]
        let secret = Secret()
        let pattern = try Regex("a+")
        let predicates: [(String, Foundation.Predicate<Client>)] = [
            ("a cast", #Predicate { ($0.nickname as Any) as? Int == nil }),
            ("a type test", #Predicate { ($0.nickname as Any) is Int }),
            ("a length of a text", #Predicate { $0.name.count > 3 }),
            ("a forced cast", #Predicate { (($0.nickname as Any) as! Int) == 1 }),
            ("a character of a text", #Predicate { $0.name.first == $0.nickname?.first }),
            ("a regular expression", #Predicate { $0.name.contains(pattern) }),
            ("a part of a list", #Predicate { $0.tags[0..<1].contains("vip") }),
            ("a list in a list", #Predicate { $0.tags.contains(tags) }),
            ("a list at the start of a list", #Predicate { $0.tags.starts(with: tags) }),
            ("an unpublished property", #Predicate { $0.secret == 1 }),
            ("an unpublished constant", #Predicate { $0.age > 1 && secret == secret && $0.name == text }),
        ]
        for (name, predicate) in predicates {
            #expect(throws: PredicateConversionError.self, "\(name)") { try FormatPredicate(predicate) }
        }
    }

    private struct Secret: Equatable, Codable { var number = 1 }

    @Test func macrosThatTheLanguageCannotExpressThrow() throws {
        let secret = #Predicate<Client> { $0.age > 3 && $0.secret == 1 }
        let error = #expect(throws: PredicateConversionError.self) { try FormatPredicate(secret) }
        #expect(error?.place == "&& > ==")
        #expect(error?.reason.contains("secret") == true)
        let length = #Predicate<Client> { $0.name.count > 3 }
        let characters = #expect(throws: PredicateConversionError.self) { try FormatPredicate(length) }
        #expect(characters?.reason == "the language counts the UTF-16 units of a text, not its characters")
        let cast = #Predicate<Client> { (($0.nickname as Any) as? Int) == nil }
        #expect(throws: PredicateConversionError.self) { try FormatPredicate(cast) }
    }
}

/// Foundation's predicates from a text.
@Suite struct FoundationPredicateTests {
    @Test func answersAreTheSame() throws {
        for text in [
            "age > 18", "age == 17", "age != 17", "18 < age", "name == 'Ada'", "name != 'Ada'", "active == YES",
            "active == NO", "score >= 1.5", "score < 2", "TRUEPREDICATE", "FALSEPREDICATE", "nickname == nil",
            "nickname != nil", "nickname == 'Lo'", "nickname > 'Bp'", "nickname CONTAINS 'o'",
            "age > 18 AND name != 'Ada'", "age > 40 OR name == 'Ada' OR active == NO", "NOT age > 18",
            "age BETWEEN {17, 36}", "name IN {'Ada', 'Bob'}", "age IN {17, 52}", "name IN {}", "name CONTAINS 'd'",
            "name BEGINSWITH 'A'", "'vip' IN tags", "tags CONTAINS 'vip'", "ANY tags == 'new'", "ALL tags == 'vip'",
            "ANY orders.total > 9", "ALL orders.total > 9", "tags.@count > 1", "orders.@count == 0",
            "address.city == 'Oslo'", "address.city != nil", "joined > CAST(0, 'NSDate')",
            "CAST('1999-01-01', 'NSDate') > joined", "joined BETWEEN {CAST(-10, 'NSDate'), CAST(5, 'NSDate')}",
            "name CONTAINS ''", "name BEGINSWITH ''", "nickname CONTAINS ''", "NOT nickname BEGINSWITH ''",
            "ANY tags CONTAINS ''", "address == nil", "address != nil", "address.street == 'Bygdøy'",
            "address.street == nil", "(age > 18 OR active == NO) AND NOT name == 'Bob'", "age BETWEEN {36, 17}",
            "name BETWEEN {'C', 'A'}", "age BETWEEN {nil, 40}", "nickname BETWEEN {'M', 'A'}",
            "nickname IN {nil, 'Lo'}", "nickname IN {nil}", "NOT nickname IN {nil, 'Lo'}", "score BETWEEN {8, -2}",
            "ANY orders.total BETWEEN {12, 5}", "ANY tags IN {nil, 'vip'}", "ALL tags IN {'vip', nil}",
            "{17, 36} CONTAINS age", "nickname <= nil", "nickname < nil", "name CONTAINS nil", "ANY orders.total != 9",
            "ALL tags != nil",
        ] {
            let format = try FormatPredicate(text: text)
            let predicate = try format.foundationPredicate(for: Client.self)
            let again = try FormatPredicate(predicate)
            for client in Client.all {
                let expected = try format.evaluate(client)
                #expect(try predicate.evaluate(client) == expected, "\(text): \(client.name)")
                #expect(try again.evaluate(client) == expected, "\(again): \(client.name)")
            }
        }
        let joined = try FormatPredicate("joined >= %@", Date(timeIntervalSinceReferenceDate: 0))
        let predicate = try joined.foundationPredicate(for: Client.self)
        #expect(try Client.all.filter(predicate).map(\.name) == ["Ada", "Bob"])
    }

    /// `Decimal(3.133)` is 3.132999999999999488.
    @Test func decimalConstants() throws {
        struct Ware: Queryable {
            var price: Decimal
            static let keys: KeyTable<Ware> = [.key("price", \.price)]
        }
        let ware = Ware(price: try #require(Decimal(string: "3.133")))
        let predicate = try FormatPredicate("price == 3.133").foundationPredicate(for: Ware.self)
        #expect(try predicate.evaluate(ware))
    }

    @Test func predicatesThatFoundationCannotExpressThrow() throws {
        let failures = [
            ("name ==[c] 'ada'", "option [c]"), ("name LIKE 'a*'", "this way"), ("nam == 'Ada'", "no key 'nam'"),
            ("age + 1 > 2", "not supported"), ("age == 'old'", "this way"), ("NOT name MATCHES 'a'", "this way"),
        ]
        for (text, reason) in failures {
            let error = #expect(throws: PredicateConversionError.self) {
                try FormatPredicate(text).foundationPredicate(for: Client.self)
            }
            #expect(error?.reason.contains(reason) == true, "\(text): \(error.map { "\($0)" } ?? "")")
        }
        let error = #expect(throws: PredicateConversionError.self) {
            try FormatPredicate("age > 1 AND NOT name LIKE 'a*'").foundationPredicate(for: Client.self)
        }
        #expect(error?.place == #"AND, part 2 > NOT > name LIKE "a*""#)
    }
}
