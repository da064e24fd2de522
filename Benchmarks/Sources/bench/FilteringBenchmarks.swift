// Counts and filters 100,000 structs of twelve properties. The reference is handwritten code instead of the
// predicate: an idiomatic `count(where:)`, and for some predicates a loop that copies nothing.
import Foundation
import PredicateEvaluation
import PredicateModel
import PredicateSyntax

struct Citizen: Queryable {
    struct Address: Queryable {
        var city: String
        var zip: String
        static let keys: KeyTable<Address> = [.key("city", \.city), .key("zip", \.zip)]
    }

    var id: Int
    var age: Int
    var score: Double
    var active: Bool
    var firstName: String
    var lastName: String
    var note: String
    var nick: String?
    var rank: Int?
    var born: Date
    var tags: [String]
    var address: Address

    static let keys: KeyTable<Citizen> = [
        .key("id", \.id), .key("age", \.age), .key("score", \.score), .key("active", \.active),
        .key("firstName", \.firstName), .key("lastName", \.lastName), .key("note", \.note), .key("nick", \.nick),
        .key("rank", \.rank), .key("born", \.born), .key("tags", \.tags), .key("address", \.address),
    ]

    static let firstNames = [
        "Ada", "Anna", "Bob", "Chloé", "Dmitri", "Elena", "Finn", "Grace", "Hannah", "Ivan", "Jürgen", "Katherine",
        "Liam",
        "Maximiliana", "Noor", "Olivia", "Pedro", "Quinn", "Rosa", "Søren",
    ]
    static let lastNames = [
        "Smith", "Smirnova", "Schmidt", "Martin", "Müller", "Garcia", "Johansson", "Featherstonehaugh", "Okafor",
        "Tanaka",
        "Rossi", "Kowalska", "Papadopoulos", "de la Cruz", "Andersen", "Nguyen",
    ]
    static let cities = [
        "Oslo", "Rome", "Lisbon", "San Francisco", "Reykjavík", "Kraków", "Bandar Seri Begawan", "Paris",
    ]
    static let words = [
        "lorem", "ipsum", "dolor", "sit", "amet", "consectetur", "adipiscing", "elit", "sed", "eiusmod", "tempor",
        "labore",
        "magna", "aliqua", "veniam", "quis",
    ]
    static let labels = ["new", "vip", "staff", "guest", "banned", "newsletter subscriber"]

    static func make(_ count: Int) -> [Citizen] {
        var state: UInt64 = 42
        func below(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        func pick<T>(_ values: [T]) -> T { values[below(values.count)] }
        return (0..<count).map { id in
            Citizen(
                id: id, age: below(100), score: Double(below(1_000_000)) / 1000, active: below(2) == 0,
                firstName: pick(firstNames), lastName: pick(lastNames) + (below(4) == 0 ? "-" + pick(lastNames) : ""),
                note: (0..<(8 + below(8))).map { _ in pick(words) }.joined(separator: " ")
                    + (below(50) == 0 ? " needle" : ""),
                nick: below(3) == 0 ? nil : pick(firstNames), rank: below(3) == 0 ? nil : below(1000),
                born: Date(timeIntervalSinceReferenceDate: Double(below(1_000_000_000)) - 500_000_000),
                tags: (0..<below(4)).map { _ in pick(labels) },
                address: Address(city: pick(cities), zip: "\(10000 + below(90000))"))
        }
    }
}

enum FilteringBenchmarks {
    static let rows = 100_000
    private static let citizens = Citizen.make(rows)
    private static let date = Date(timeIntervalSinceReferenceDate: 0)
    private static let ids: Set<Int> = [3, 15, 22, 37, 41, 58, 76, 93]
    private static let names: Set<String> = ["Smith", "Rossi", "Nguyen", "Tanaka", "Okafor", "de la Cruz"]

    private static let hyphenated = PeopleBenchmarks.regularExpression("^[A-Z][a-z]+(-[A-Z][a-z]+)?$")
    private static let needle = PeopleBenchmarks.regularExpression("^.*needle[a-z ]*$")

    static var all: [Benchmark] { counts + filters }

    private static var counts: [Benchmark] {
        [
            count("int >", "age > 65") { $0.count { $0.age > 65 } },
            count("int >, loop", "age > 65", against: "loop over indices") {
                var count = 0
                for index in $0.indices where $0[index].age > 65 { count += 1 }
                return count
            },
            count("double <", "score < 250") { $0.count { $0.score < 250 } },
            count("bool", "active == YES") { $0.count { $0.active } },
            count("date <", "born < CAST(0, 'NSDate')") { $0.count { $0.born < date } },
            count("string ==", "lastName == 'Smith'") { $0.count { $0.lastName == "Smith" } },
            count("string ==, loop", "lastName == 'Smith'", against: "loop over indices") {
                var count = 0
                for index in $0.indices where $0[index].lastName == "Smith" { count += 1 }
                return count
            },
            count("nested string ==", "address.city == 'Rome'") { $0.count { $0.address.city == "Rome" } },
            count("BEGINSWITH", "lastName BEGINSWITH 'Sm'") { $0.count { $0.lastName.hasPrefix("Sm") } },
            count("BEGINSWITH[c]", "lastName BEGINSWITH[c] 'sm'") {
                $0.count { $0.lastName.lowercased().hasPrefix("sm") }
            },
            count("==[c]", "lastName ==[c] 'smith'") { $0.count { $0.lastName.lowercased() == "smith" } },
            count("CONTAINS short", "lastName CONTAINS 'son'") { $0.count { $0.lastName.contains("son") } },
            count("CONTAINS long", "note CONTAINS 'needle'") { $0.count { $0.note.contains("needle") } },
            count("CONTAINS[cd] long", "note CONTAINS[cd] 'NEEDLE'") {
                $0.count { $0.note.range(of: "NEEDLE", options: [.caseInsensitive, .diacriticInsensitive]) != nil }
            },
            count("LIKE", "lastName LIKE 'S*a'") {
                $0.count { $0.lastName.hasPrefix("S") && $0.lastName.hasSuffix("a") }
            },
            count("LIKE, prefix", "lastName LIKE 'Sm*'") { $0.count { $0.lastName.hasPrefix("Sm") } },
            count("LIKE, suffix", "lastName LIKE '*son'") { $0.count { $0.lastName.hasSuffix("son") } },
            count("LIKE, inside", "lastName LIKE '*son*'") { $0.count { $0.lastName.contains("son") } },
            count("LIKE[c]", "lastName LIKE[c] 's?i*a'") {
                $0.count {
                    let name = $0.lastName.lowercased()
                    return name.hasPrefix("s") && name.dropFirst(2).hasPrefix("i") && name.hasSuffix("a")
                }
            },
            count("ENDSWITH", "lastName ENDSWITH 'son'") { $0.count { $0.lastName.hasSuffix("son") } },
            count("CONTAINS[c] long", "note CONTAINS[c] 'NEEDLE'") {
                $0.count { $0.note.lowercased().contains("needle") }
            },
            count("MATCHES", "lastName MATCHES '[A-Z][a-z]+(-[A-Z][a-z]+)?'", against: "NSRegularExpression") {
                $0.count { PeopleBenchmarks.matches(hyphenated, $0.lastName) }
            },
            count("MATCHES, literal inside", "note MATCHES '.*needle[a-z ]*'", against: "NSRegularExpression") {
                $0.count { PeopleBenchmarks.matches(needle, $0.note) }
            },
            count("BETWEEN", "age BETWEEN {30, 40}") { $0.count { $0.age >= 30 && $0.age <= 40 } },
            count("nil OR prefix", "nick == nil OR nick BEGINSWITH 'A'") {
                $0.count { $0.nick?.hasPrefix("A") ?? true }
            },
            count("IN ints", "age IN {3, 15, 22, 37, 41, 58, 76, 93}") { $0.count { ids.contains($0.age) } },
            count("IN strings", "lastName IN {'Smith', 'Rossi', 'Nguyen', 'Tanaka', 'Okafor', 'de la Cruz'}") {
                $0.count { names.contains($0.lastName) }
            },
            count("optional int >", "rank > 500") { $0.count { ($0.rank ?? 0) > 500 } },
            count("optional nil", "nick == nil") { $0.count { $0.nick == nil } },
            count("ANY tags", "ANY tags == 'vip'") { $0.count { $0.tags.contains("vip") } },
            count("ANY tags BEGINSWITH", "ANY tags BEGINSWITH 'n'") {
                $0.count { $0.tags.contains { $0.hasPrefix("n") } }
            },
            count("SUBQUERY", "SUBQUERY(tags, $t, $t BEGINSWITH 'n').@count > 1") {
                $0.count { $0.tags.count { $0.hasPrefix("n") } > 1 }
            },
            count("@count", "tags.@count > 2") { $0.count { $0.tags.count > 2 } },
            count("AND of 3", "age > 20 AND score < 900 AND lastName ENDSWITH 'a'") {
                $0.count { $0.age > 20 && $0.score < 900 && $0.lastName.hasSuffix("a") }
            },
            count(
                "compound of 5",
                "(age > 20 AND (address.city == 'Rome' OR score > 900)) OR NOT (active == YES OR rank > 500)"
            ) {
                $0.count {
                    $0.age > 20 && ($0.address.city == "Rome" || $0.score > 900) || !($0.active || ($0.rank ?? 0) > 500)
                }
            },
            count(
                "compound of 6",
                "age > 20 AND score < 900 AND active == YES"
                    + " AND (nick == nil OR nick BEGINSWITH 'A' OR lastName CONTAINS 'son')"
            ) {
                $0.count {
                    $0.age > 20 && $0.score < 900 && $0.active
                        && ($0.nick == nil || $0.nick?.hasPrefix("A") == true || $0.lastName.contains("son"))
                }
            },
            count("AND of 2", "age > 65 AND lastName BEGINSWITH 'Sm'") {
                $0.count { $0.age > 65 && $0.lastName.hasPrefix("Sm") }
            },
            count("compound of 4", "(age > 65 OR score < 100) AND active == YES AND NOT lastName CONTAINS 'son'") {
                $0.count { ($0.age > 65 || $0.score < 100) && $0.active && !$0.lastName.contains("son") }
            },
            count("AND with a function", "age > 95 AND lastName.length > 8") {
                $0.count { $0.age > 95 && $0.lastName.utf16.count > 8 }
            },
            count("length", "lastName.length > 8") { $0.count { $0.lastName.utf16.count > 8 } },
            count("lowercase:", "lowercase:(lastName) == 'smith'") { $0.count { $0.lastName.lowercased() == "smith" } },
            count("sum", "id + age > 50000") { $0.count { $0.id + $0.age > 50000 } },
            count("optional product", "rank * 2 > age") { $0.count { $0.rank.map { $0 * 2 } ?? .min > $0.age } },
            count("remainder", "modulus:by:(id, 3) == 1") { $0.count { $0.id % 3 == 1 } },
            count("abs:", "abs:(score - 500) < 100") { $0.count { abs($0.score - 500) < 100 } },
            count("two fields", "age < rank") { $0.count { row in row.rank.map { row.age < $0 } ?? false } },
        ]
    }

    private static var filters: [Benchmark] {
        [("filter, 35 of 100", "age >= 65"), ("filter, 1 of 100", "age == 65")].map { name, text in
            let limit = text.contains("==") ? 65..<66 : 65..<100
            let matcher = compiled(text)
            return Benchmark(
                name, items: rows, against: "filter by hand",
                reference: { citizens.filter { limit.contains($0.age) }.count }
            ) { citizens.filter(matcher).count }
        }
    }

    private static func compiled(_ text: String) -> PredicateMatcher<Citizen> {
        do throws(PredicateFailure) {
            return try FormatPredicate(text).compiled(for: Citizen.self)
        } catch {
            print("\(text): \(error)")
            exit(1)
        }
    }

    /// Checks that both give the same count before the measurement.
    private static func count(
        _ name: String, _ text: String, against referenceName: String = "count(where:)",
        _ reference: @escaping ([Citizen]) -> Int
    ) -> Benchmark {
        let matcher = compiled(text)
        let (answer, expected) = (citizens.count(matching: matcher), reference(citizens))
        if answer != expected {
            print("\(text): \(answer) instead of \(expected)")
            exit(1)
        }
        return Benchmark("count, \(name)", items: rows, against: referenceName, reference: { reference(citizens) }) {
            citizens.count(matching: matcher)
        }
    }
}
