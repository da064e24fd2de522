// The records that every peer reads: people, seeded, the same for each count of them. Names with accents (some decomposed), lists,
// nil, texts of 80 to 200 characters. `bench people N` writes them with tabs, so that drivers in any language need no parser.
import PredicateEvaluation

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

/// The people, one after another; the first of many are the people of few.
struct People: Sequence, IteratorProtocol {
    private var made = 0
    private let count: Int
    private var state: UInt64 = 20_260_401

    init(_ count: Int) { self.count = count }

    mutating func next() -> Person? {
        guard made < count else { return nil }
        made += 1
        let first = firstName()
        let last = lastName()
        let email = address(first, last)
        let depth = fraction()
        return Person(
            id: made, firstName: first, lastName: last, email: email, city: pick(Self.cities), age: 18 + below(73),
            salary: (2_000_000 + depth * depth * 18_000_000).rounded() / 100, active: chance(0.7),
            createdAt: (1.2e12 + fraction() * 5e11).rounded() / 1000, tags: tags(),
            nickname: chance(0.3) ? nil : pick(Self.nicknames), bio: bio())
    }

    private mutating func below(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % limit
    }
    private mutating func fraction() -> Double { Double(below(1 << 30)) / Double(1 << 30) }
    private mutating func chance(_ share: Double) -> Bool { fraction() < share }
    private mutating func pick(_ words: [String]) -> String { words[below(words.count)] }

    private mutating func firstName() -> String {
        let name = chance(0.15) ? pick(Self.accentedNames) : pick(Self.plainNames)
        let roll = fraction()
        let cased = roll < 0.03 ? name.lowercased() : roll < 0.05 ? name.uppercased() : name
        return chance(0.2) ? cased.unicodeScalars.map(Self.decomposed).joined() : cased
    }

    private mutating func lastName() -> String {
        let roll = fraction()
        return roll < 0.03 ? "Smith" : roll < 0.034 ? "SMITH" : roll < 0.038 ? "smith" : pick(Self.lastNames)
    }

    private mutating func address(_ first: String, _ last: String) -> String {
        func letters(_ text: String, _ other: String) -> String {
            let kept = text.lowercased().filter { $0.isASCII && $0.isLetter }
            return kept.isEmpty ? other : kept
        }
        var local = letters(first, "user") + "." + letters(last, "name")
        let roll = fraction()
        if roll < 0.35 {
            local += String(below(1000))
        } else if roll < 0.40 {
            local = local.prefix(1).uppercased() + local.dropFirst()
        } else if roll < 0.45 {
            local += "_\(made % 97)"
        }
        let kind = fraction()
        let end = kind < 0.52 ? "com" : kind < 0.70 ? "org" : kind < 0.85 ? "net" : kind < 0.95 ? "io" : "co.uk"
        return local + "@" + pick(Self.domains) + "." + end
    }

    private mutating func tags() -> [String] {
        let wanted = below(6)
        var tags: [String] = []
        while tags.count < wanted {
            let tag = pick(Self.labels)
            if !tags.contains(tag) { tags.append(tag) }
        }
        return tags
    }

    private mutating func bio() -> String {
        let length = 80 + below(121)
        var words: [String] = []
        var size = 0
        while size < length {
            words.append(pick(Self.latin))
            size += words[words.count - 1].count + 1
        }
        words[0] = words[0].prefix(1).uppercased() + words[0].dropFirst()
        if chance(0.05) { words[below(words.count)] = pick(Self.foreign) }
        if chance(0.12) { words[below(words.count)] = "voluptate" }
        if chance(0.04) { words[below(words.count)] = pick(["resume", "Resume", "RESUME", "résumé", "RÉSUMÉ"]) }
        return words.joined(separator: " ")
    }

    /// Canonically decomposed, for the accents that occur here.
    private static func decomposed(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "É": "E\u{301}"
        case "é": "e\u{301}"
        case "Á": "A\u{301}"
        case "á": "a\u{301}"
        case "ë": "e\u{308}"
        case "Ö": "O\u{308}"
        case "ö": "o\u{308}"
        case "ü": "u\u{308}"
        case "ç": "c\u{327}"
        default: String(scalar)
        }
    }

    private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

    private static let plainNames = words(
        "Ada Agnes Albert Alma Anton Astrid Bella Boris Bruno Carla Clara Conrad Dora Edgar Edith Elsa Emil Esther Felix Flora "
            + "Gita Gustav Hanna Hector Hugo Ida Igor Irene Jakob Jonas Judith Kai Karl Lena Leo Lotte Magda Max Mina Nils Nora "
            + "Otto Paula Pia Ralf Rita Rosa Selma Silas Tara Theo Uma Vera Viggo Walter Wilma Yara Yusuf Zelda Zita")
    private static let accentedNames = words(
        "Émile Élise Éva Ágnes Ásta Zoë Noémie Gonçalo Jörg Łucja Özlem Søren Ирина 花子 Ελένη Inés")
    private static let lastNames =
        words(
            "Abbott Baxter Berger Carlsen Castro Dietrich Duarte Eriksen Farkas Fischer Fontaine Goldsmith Hansen Horvat Ito Jensen "
                + "Kaplan Keller Kovacs Lambert Larsen Lindgren Lopez Marino Meyer Moreau Nakamura Novak Olsen Orlov Petrov Quist "
                + "Ramos Richter Sato Silva Smithers Smythe Sousa Tanaka Toth Ulrich Vargas Vogel Weber Yilmaz Zimmer Locksmith "
                + "Müller Peña Nuñez O'Neill Öberg Кузнецов 田中")
        + ["van Dijk", "de la Rosa"]
    private static let cities =
        words(
            "Paris Berlin London Santiago Tokyo Madrid Rome Warsaw Oslo Sydney Lagos Nairobi Mumbai Seoul paris Lausanne"
        )
        + [
            "San Jose", "San Francisco", "San Antonio", "Santa Fe", "san marino", "SAN DIEGO", "São Paulo", "Zürich",
            "東京",
            "New York", "Łódź", "Montréal", "Kansas City",
        ]
    private static let domains = words("example mail corp inbox acme uni-x test9 sub.host")
    private static let labels = words(
        "red green blue black brown beige white vip new old trial gold silver beta promo Red staff lead")
    private static let nicknames =
        words(
            "Zed Ziggy Zap zippy Ace Bud Chip Dot Echo Fox Gus Hawk Iggy Jazz Kit Lux Mac Nova Oz Pip Rex Sky Tex Żuk")
        + [""]
    private static let latin = words(
        "lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna "
            + "aliqua enim ad minim veniam quis nostrud exercitation ullamco laboris nisi aliquip ex ea commodo consequat duis "
            + "aute irure in reprehenderit voluptas velit esse cillum eu fugiat nulla pariatur excepteur sint occaecat volutpat "
            + "vulputate viverra ultrices donec ac odio tempus orci dapibus")
    private static let foreign = words("naïve café façade straße Ærø 東京 Привет 👩‍💻 🇫🇷 jalapeño Ω piñata")
}

extension Person {
    /// One line: fields with tabs between, tags with bars, nil as `\N`. None of the texts holds a tab, a bar or a line feed.
    var line: String {
        let fields = [
            String(id), firstName, lastName, email, city, String(age), String(salary), active ? "1" : "0",
            String(createdAt),
            tags.joined(separator: "|"), nickname ?? "\\N", bio,
        ]
        return fields.joined(separator: "\t") + "\n"
    }
}
