// 100,000 people for the seventeen predicates of PeopleBenchmarks.swift, generated from a seed: names with and
// without accents, composed and decomposed, short and long texts, nil, lists.
import Foundation
import PredicateEvaluation
import PredicateSyntax

struct Person: Queryable {
    var id: Int
    var firstName: String
    var lastName: String
    var email: String
    var city: String
    var age: Int
    var salary: Double
    var active: Bool
    var createdAt: Date
    var tags: [String]
    var nickname: String?
    var bio: String

    static let keys: KeyTable<Person> = [
        .key("id", \.id), .key("firstName", \.firstName), .key("lastName", \.lastName), .key("email", \.email),
        .key("city", \.city), .key("age", \.age), .key("salary", \.salary), .key("active", \.active),
        .key("createdAt", \.createdAt), .key("tags", \.tags), .key("nickname", \.nickname), .key("bio", \.bio),
    ]
}

/// A person as an instance of a class.
final class PersonObject: Queryable {
    let firstName: String
    let lastName: String
    var city: String
    var age: Int
    var salary: Double
    var active: Bool
    var nickname: String?
    var tags: [String]

    init(_ person: Person) {
        (firstName, lastName, city) = (person.firstName, person.lastName, person.city)
        (age, salary, active) = (person.age, person.salary, person.active)
        (nickname, tags) = (person.nickname, person.tags)
    }

    static let keys: KeyTable<PersonObject> = [
        .key("firstName", \.firstName) { $0.firstName }, .key("lastName", \.lastName) { $0.lastName },
        .key("city", \.city) { $0.city }, .key("age", \.age) { $0.age }, .key("salary", \.salary) { $0.salary },
        .key("active", \.active) { $0.active }, .key("nickname", \.nickname) { $0.nickname },
        .key("tags", \.tags) { $0.tags }, .key("agePath", \.age),
    ]
}

enum People {
    static let rows = 100_000
    static let all = make(rows)
    nonisolated(unsafe) static let objects = all.map(PersonObject.init)

    private static let plainNames = [
        "Alice", "Anna", "Andrew", "Ben", "Carla", "Daniel", "Eleanor", "Ethan", "Frederick", "Greta", "Hugo", "Ines",
        "Jonas", "Klara", "Leon", "Mia", "Nils", "Oskar", "Petra", "Ruth", "Stefan", "Tilda", "Ulf", "Vera", "Wanda",
    ]
    private static let accentedNames = [
        "Émile", "Élodie", "Åke", "Zoë", "Łucja", "Çiğdem", "Ольга", "花子", "Ελένη", "Jürgen",
    ]
    private static let lastNames = [
        "Johnson", "Brown", "Davis", "Wilson", "Moore", "Clark", "Young", "Wright", "Hill", "Baker", "Carter", "Evans",
        "Smithson", "Goldsmith", "Müller", "Núñez", "O'Brien", "Öztürk", "Петров", "van den Broek",
    ]
    private static let cities = [
        "Paris", "Berlin", "London", "San Jose", "San Francisco", "Santa Fe", "san marino", "SAN DIEGO", "São Paulo",
        "Zürich", "東京", "New York", "Rome", "Łódź", "Oslo", "Nairobi", "Seoul", "paris", "Kansas City",
    ]
    private static let labels = [
        "red", "green", "blue", "black", "brown", "beige", "white", "vip", "new", "old", "trial", "gold", "beta", "Red",
    ]
    private static let nicknames = [
        "Zed", "Ziggy", "zippy", "Ace", "Buddy", "Chip", "Duke", "Hawk", "Kit", "Nova", "Żuk", "",
    ]
    private static let words = [
        "lorem", "ipsum", "dolor", "sit", "amet", "consectetur", "adipiscing", "elit", "sed", "eiusmod", "tempor", "ut",
        "labore", "et", "magna", "aliqua", "veniam", "quis", "nostrud", "voluptas", "velit", "esse", "cillum", "culpa",
        "vulputate", "viverra", "tellus", "mollit", "anim", "laborum", "volutpat", "fugiat",
    ]
    private static let rareWords = ["résumé", "RÉSUMÉ", "naïve", "café", "straße", "東京", "👩‍💻", "jalapeño"]

    static func make(_ count: Int) -> [Person] {
        var state: UInt64 = 2024
        func below(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        func pick<T>(_ values: [T]) -> T { values[below(values.count)] }
        return (0..<count).map { id in
            var first = below(100) < 15 ? pick(accentedNames) : pick(plainNames)
            if below(5) == 0 { first = first.decomposedStringWithCanonicalMapping }
            let chance = below(1000)
            let last = chance < 30 ? "Smith" : chance < 34 ? "SMITH" : chance < 38 ? "smith" : pick(lastNames)
            let local = (first + "." + last).lowercased().filter { $0.isASCII && $0.isLetter || $0 == "." }
            let email =
                local + (below(3) == 0 ? "\(below(1000))" : "") + "@"
                + pick(["example", "mail", "corp", "inbox", "uni-x", "test9", "sub.host"]) + "."
                + pick(["com", "com", "com", "com", "org", "net", "io", "co.uk"])
            var bio = (0..<(14 + below(14))).map { _ in pick(words) }
            if below(20) == 0 { bio[below(bio.count)] = pick(rareWords) }
            if below(8) == 0 { bio[below(bio.count)] = "voluptate" }
            if below(25) == 0 { bio[below(bio.count)] = pick(["resume", "Resume"]) }
            return Person(
                id: id, firstName: contiguous(first), lastName: last, email: contiguous(email), city: pick(cities),
                age: 18 + below(73), salary: Double(20000 + below(180_000)), active: below(10) < 7,
                createdAt: Date(timeIntervalSinceReferenceDate: Double(below(500_000_000))),
                tags: (0..<below(6)).map { _ in pick(labels) }, nickname: below(10) < 3 ? nil : pick(nicknames),
                bio: contiguous(bio.joined(separator: " ")))
        }
    }

    private static func contiguous(_ text: String) -> String {
        var text = text
        text.makeContiguousUTF8()
        return text
    }
}
