// A million records of persons, and the seventeen predicates that are asked of them here and of other engines elsewhere
// (`bench people FILE` writes the records as JSON Lines for those).
import Foundation
import PredicateEvaluation
import PredicateModel
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
    var createdAt: Double
    var tags: [String]
    var nickname: String?
    var bio: String

    static let keys: KeyTable<Person> = [
        .key("id", \.id), .key("firstName", \.firstName), .key("lastName", \.lastName), .key("email", \.email),
        .key("city", \.city), .key("age", \.age), .key("salary", \.salary), .key("active", \.active),
        .key("createdAt", \.createdAt), .key("tags", \.tags), .key("nickname", \.nickname), .key("bio", \.bio),
    ]
}

enum People {
    static let predicates: [(id: String, name: String, format: String)] = [
        ("P01", "int >", "age > 30"), ("P02", "3-way AND", "age >= 21 AND age < 65 AND active == YES"),
        ("P03", "==", "lastName == 'Smith'"), ("P04", "==[c]", "lastName ==[c] 'smith'"),
        ("P05", "BEGINSWITH", "firstName BEGINSWITH 'A'"), ("P06", "BEGINSWITH[cd]", "firstName BEGINSWITH[cd] 'é'"),
        ("P07", "ENDSWITH", "email ENDSWITH '.org'"), ("P08", "CONTAINS", "bio CONTAINS 'voluptate'"),
        ("P09", "CONTAINS[cd]", "bio CONTAINS[cd] 'resume'"), ("P10", "LIKE[c]", "city LIKE[c] 'san*'"),
        ("P11", "MATCHES", "email MATCHES '[a-z.]+@[a-z]+\\\\.com'"),
        ("P12", "IN strings", "city IN {'Paris', 'Berlin', 'San Jose'}"), ("P13", "BETWEEN", "age BETWEEN {30, 40}"),
        ("P14", "nil OR BEGINSWITH", "nickname == nil OR nickname BEGINSWITH 'Z'"), ("P15", "ANY", "ANY tags == 'red'"),
        ("P16", "SUBQUERY", "SUBQUERY(tags, $t, $t BEGINSWITH 'b').@count > 1"),
        ("P17", "compound", "(age > 30 AND (city == 'Paris' OR salary > 90000.0)) OR NOT (active == YES)"),
    ]

    private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

    private static let firstNames = words(
        """
        Alice Adam Aaron Amelia Anna Andrew Bob Brian Beatrice Carlos Carol Charles Daniel Diana David Edward Emma \
        Ethan Eleanor Frank Fiona George Grace Hannah Henry Ivan Isabel James Julia Kevin Karen Laura Liam Maria \
        Michael Nina Noah Olivia Oscar Paul Patricia Quinn Rachel Robert Sarah Samuel Thomas Tina Ursula Victor Wendy \
        William Xavier Yvonne Zachary Zoe
        """)
    private static let accented = words(
        "Émile Élodie Éric Étienne Ángel Åsa Zoë Renée François José Łukasz Çelik Öykü Олег 美咲 Γιώργος")
    private static let lastNames =
        words(
            """
            Johnson Williams Brown Jones Miller Davis Wilson Anderson Taylor Moore Jackson Martin Lee Thompson White \
            Harris Clark Lewis Robinson Walker Young Allen King Wright Scott Hill Green Adams Baker Nelson Carter \
            Mitchell Roberts Turner Phillips Campbell Parker Evans Edwards Collins Smithson Smythe Blacksmith \
            Goldsmith Müller García Núñez O'Brien Öztürk Иванов 佐藤
            """) + ["van der Berg", "de la Cruz"]
    private static let cities = [
        "Paris", "Berlin", "London", "San Jose", "San Francisco", "Santiago", "San Antonio", "Santa Fe", "san marino",
        "SAN DIEGO", "São Paulo", "Zürich", "Tokyo", "東京", "New York", "Madrid", "Rome", "Warsaw", "Łódź", "Montréal",
        "Oslo", "Sydney", "Lagos", "Nairobi", "Mumbai", "Seoul", "paris", "Lausanne", "Kansas City",
    ]
    private static let domains = ["example", "mail", "corp", "inbox", "acme", "uni-x", "test9", "sub.host"]
    /// By share: 52, 18, 15, 10 and 5 of 100.
    private static let endings = [("com", 52), ("org", 70), ("net", 85), ("io", 95), ("co.uk", 100)]
    private static let tags = words(
        "red green blue black brown beige white vip new old trial gold silver beta promo Red staff lead")
    private static let nicknames =
        words(
            "Zed Ziggy Zaz zippy Ace Buddy Chip Duke Echo Flash Goose Hawk Iggy Jazz Kit Lucky Mac Nova Ozzy Pip Rex "
                + "Sky Tank Żuk") + [""]
    private static let lorem = words(
        """
        lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore \
        magna aliqua enim ad minim veniam quis nostrud exercitation ullamco laboris nisi aliquip ex ea commodo \
        consequat duis aute irure in reprehenderit voluptas velit esse cillum eu fugiat nulla pariatur excepteur sint \
        occaecat cupidatat non proident sunt culpa qui officia deserunt mollit anim id est laborum volutpat vulputate \
        viverra tellus turpis massa tincidunt dui ultrices eros donec ac odio tempus orci dapibus
        """)
    private static let rare = words(
        "résumé Résumé RÉSUMÉ re\u{301}sume\u{301} naïve café façade straße Ærø 東京 Привет 👩‍💻 🇫🇷 jalapeño Ω piñata")

    static func make(_ count: Int) -> [Person] {
        var random = Generator()
        var people: [Person] = []
        people.reserveCapacity(count)
        for id in 1...count { people.append(make(id, &random)) }
        return people
    }

    private static func make(_ id: Int, _ random: inout Generator) -> Person {
        var first = random.below(100) < 15 ? random.pick(accented) : random.pick(firstNames)
        switch random.below(100) {
        case 0..<3: first = first.lowercased()
        case 3..<5: first = first.uppercased()
        default: break
        }
        if random.below(5) == 0 { first = first.decomposedStringWithCanonicalMapping }
        let last: String
        switch random.below(1000) {
        case 0..<30: last = "Smith"
        case 30..<34: last = "SMITH"
        case 34..<38: last = "smith"
        default: last = random.pick(lastNames)
        }
        let share = random.below(100)
        let ending = endings.first { share < $0.1 }?.0 ?? "com"
        var account = local(first, "user") + "." + local(last, "name")
        switch random.below(100) {
        case 0..<35: account += "\(random.below(1000))"
        case 35..<40: account = account.prefix(1).uppercased() + account.dropFirst()
        case 40..<45: account += "_\(id % 97)"
        default: break
        }
        var tags: [String] = []
        let tagCount = random.below(6)
        while tags.count < tagCount {
            let tag = random.pick(Self.tags)
            if !tags.contains(tag) { tags.append(tag) }
        }
        let share01 = random.unit()
        return Person(
            id: id, firstName: first, lastName: last, email: "\(account)@\(random.pick(domains)).\(ending)",
            city: random.pick(cities), age: 18 + random.below(73),
            salary: (20_000_00 + share01 * share01 * 180_000_00).rounded() / 100, active: random.below(10) < 7,
            createdAt: (1.2e12 + random.unit() * 5e11).rounded() / 1000, tags: tags,
            nickname: random.below(10) < 3 ? nil : random.pick(nicknames), bio: bio(&random))
    }

    private static func local(_ name: String, _ otherwise: String) -> String {
        let plain = name.decomposedStringWithCanonicalMapping.utf8.map { $0 | 0x20 }.filter { (97...122).contains($0) }
        return plain.isEmpty ? otherwise : String(decoding: plain, as: UTF8.self)
    }

    /// 80 to 200 characters; in 12 of 100 the word that CONTAINS looks for, in 4 what CONTAINS[cd] does.
    private static func bio(_ random: inout Generator) -> String {
        let target = 80 + random.below(121)
        var words: [String] = []
        var length = 0
        var begins = true
        while true {
            var word = random.pick(lorem)
            if begins { word = word.prefix(1).uppercased() + word.dropFirst() }
            begins = random.below(10) == 0
            if begins { word += "." } else if random.below(12) == 0 { word += "," }
            if length + word.utf8.count + 1 > target { break }
            length += word.utf8.count + 1
            words.append(word)
        }
        if random.below(100) < 5 { words[random.below(words.count)] = random.pick(rare) }
        if random.below(100) < 12 { words[random.below(words.count)] = "voluptate" }
        if random.below(100) < 4 { words[random.below(words.count)] = random.pick(["resume", "Resume", "RESUME"]) }
        var text = words.joined(separator: " ")
        while text.utf8.count < 80 { text += " sed" }
        return text
    }

    private static let shape = ValueDictionary.Shape(Person.keys.names)

    /// A person as a reader of records gives it.
    static func value(_ person: Person) -> Value {
        .dictionary(
            ValueDictionary(
                shape: shape,
                values: [
                    .integer(Int64(person.id)), .string(person.firstName), .string(person.lastName),
                    .string(person.email), .string(person.city), .integer(Int64(person.age)), .double(person.salary),
                    .bool(person.active), .double(person.createdAt), .array(person.tags.map(Value.string)),
                    person.nickname.map(Value.string) ?? .null, .string(person.bio),
                ]))
    }

    static func table(_ people: [Person]) -> Table {
        var builder = TableBuilder()
        for person in people { builder.append(value(person)) }
        return builder.finish()
    }

    /// Writes JSON Lines. No text here needs an escape.
    static func write(_ people: [Person], to path: String) throws {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        guard let file = FileHandle(forWritingAtPath: path) else { throw CocoaError(.fileWriteUnknown) }
        var text = ""
        for person in people {
            let nickname = person.nickname.map { "\"\($0)\"" } ?? "null"
            text += """
                {"id":\(person.id),"firstName":"\(person.firstName)","lastName":"\(person.lastName)",\
                "email":"\(person.email)","city":"\(person.city)","age":\(person.age),"salary":\(person.salary),\
                "active":\(person.active),"createdAt":\(person.createdAt),\
                "tags":[\(person.tags.map { "\"\($0)\"" }.joined(separator: ","))],"nickname":\(nickname),\
                "bio":"\(person.bio)"}

                """
            if text.utf8.count > 1 << 20 {
                try file.write(contentsOf: Data(text.utf8))
                text = ""
            }
        }
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
    }

    /// The same numbers everywhere.
    private struct Generator {
        var state: UInt64 = 20_240_917

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            return mixed ^ mixed >> 31
        }
        mutating func below(_ limit: Int) -> Int { Int(next() >> 33) % limit }
        mutating func unit() -> Double { Double(next() >> 11) / Double(1 << 53) }
        mutating func pick<T>(_ values: [T]) -> T { values[below(values.count)] }
    }
}
