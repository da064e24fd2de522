// A struct with every kind of field, and rows with difficult values: nil, empty, non-ASCII, NaN, integer
// limits. Seeded, so that failures can be reproduced.
import Foundation
import PredicateTestSupport
import Predicates

struct BlockRow: Queryable {
    struct Address: Queryable {
        var city: String
        var floor: Int?
        static let keys: KeyTable<Address> = [.key("city", \.city), .key("floor", \.floor)]
    }

    var id: Int
    var small: Int8
    var large: UInt64
    var score: Double
    var ratio: Float
    var active: Bool
    var flag: Bool?
    var name: String
    var nick: String?
    var age: Int?
    var short: UInt16?
    var weight: Double?
    var born: Date
    var seen: Date?
    var tags: [String]
    var labels: [String]?
    var address: Address
    var home: Address?
    var initials: String { String(name.prefix(1)) }

    static let keys: KeyTable<BlockRow> = [
        .key("id", \.id), .key("small", \.small), .key("large", \.large), .key("score", \.score),
        .key("ratio", \.ratio), .key("active", \.active), .key("flag", \.flag), .key("name", \.name),
        .key("nick", \.nick), .key("age", \.age), .key("short", \.short), .key("weight", \.weight),
        .key("born", \.born), .key("seen", \.seen), .key("tags", \.tags), .key("labels", \.labels),
        .key("address", \.address), .key("home", \.home), .key("initials", \.initials), .key("street", \.home?.city),
    ]

    static let texts = [
        "", "a", "A", "abc", "ABC", "abcdefgh", "abcdefghi", "Ärger", "a\u{308}rger", "ÄRGER", "straße", "STRASSE", "İ",
        "\u{301}", "e\u{301}", "é", "한글", "日本語のテキスト", "👨‍👩‍👧", "K", "\u{212A}",
        "a longer text that does not fit into sixteen bytes",
        "A LONGER TEXT that does not fit into sixteen bytes, Ärger included", "x\u{0}y", "line\nbreak", "zebra",
    ]
    static let integers = [
        Int.min, .min + 1, -1 << 53, -129, -128, -1, 0, 1, 2, 3, 30, 64, 127, 128, 255, 1 << 53, 1 << 53 + 1, .max - 1,
        .max,
    ]
    static let doubles = [
        0, -0.0, 1, 1.5, -1.5, 0.1, .nan, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
        9_007_199_254_740_994, 9.3e18, 3, 30,
    ]

    static func make(_ count: Int, seed: UInt64 = 1) -> [BlockRow] {
        var random = SplitMix(seed)
        return (0..<count).map { _ in BlockRow(&random) }
    }

    init(_ random: inout SplitMix) {
        func text(_ random: inout SplitMix) -> String { random.pick(Self.texts) }
        func list(_ random: inout SplitMix) -> [String] { (0..<random.below(4)).map { _ in random.pick(Self.texts) } }
        id = random.pick(Self.integers)
        small = Int8(truncatingIfNeeded: random.pick(Self.integers))
        large =
            random.below(4) == 0
            ? .max - UInt64(random.below(3)) : UInt64(truncatingIfNeeded: random.pick(Self.integers))
        score = random.pick(Self.doubles)
        ratio = Float(random.pick(Self.doubles))
        active = random.below(2) == 0
        flag = [nil, true, false][random.below(3)]
        name = text(&random)
        nick = random.below(3) == 0 ? nil : text(&random)
        age = random.below(3) == 0 ? nil : random.pick(Self.integers)
        short = random.below(3) == 0 ? nil : UInt16(truncatingIfNeeded: random.pick(Self.integers))
        weight = random.below(3) == 0 ? nil : random.pick(Self.doubles)
        born = Date(timeIntervalSinceReferenceDate: random.pick([0, 1, 1.5, -5, 1e9, .infinity]))
        seen = random.below(3) == 0 ? nil : Date(timeIntervalSinceReferenceDate: random.pick([0, 1, 2]))
        tags = list(&random)
        labels = random.below(3) == 0 ? nil : list(&random)
        address = Address(city: text(&random), floor: random.below(3) == 0 ? nil : random.below(5))
        home = random.below(2) == 0 ? nil : Address(city: text(&random), floor: nil)
    }
}
