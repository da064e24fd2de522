// A class with nested structs, for everything that blocks cannot read at an offset: properties of classes,
// computed and observed properties, optionals of structs and objects, lists of numbers, structs and objects.
import Foundation
import PredicateTestSupport
import Predicates

class BlockObject: Queryable {
    struct Pet: Queryable {
        var name: String
        var nick: String?
        var age: Int?
        var weight: Double
        var toys: [String]
        var title: String { "the " + name }
        static let keys: KeyTable<Pet> = [
            .key("name", \.name), .key("nick", \.nick), .key("age", \.age), .key("weight", \.weight),
            .key("toys", \.toys), .key("title", \.title),
        ]
    }

    /// A struct with padding, and with an optional object of the enclosing class.
    struct Home: Queryable {
        var city: String
        var floor: Int?
        var isOwn: Bool
        var pet: Pet?
        var shout: String { city.uppercased() }
        static let keys: KeyTable<Home> = [
            .key("city", \.city), .key("floor", \.floor), .key("isOwn", \.isOwn), .key("pet", \.pet),
            .key("shout", \.shout),
        ]
    }

    let id: Int
    var name: String
    var nick: String?
    var age: Int? { didSet {} }
    var score: Double
    var active: Bool
    var born: Date
    var tags: [String]
    var labels: [String]?
    var numbers: [Int]
    var marks: [Double]
    var bits: [UInt8]
    var pets: [Pet]
    var home: Home?
    var parent: BlockObject?
    var children: [BlockObject] = []
    var initials: String { String(name.prefix(2)) }
    lazy var lazyName = name + "!"

    class var keys: KeyTable<BlockObject> { allKeys }
    private static let allKeys: KeyTable<BlockObject> = [
        .key("id", \.id), .key("name", \.name), .key("nick", \.nick) { $0.nick }, .key("age", \.age) { $0.age },
        .key("score", \.score), .key("active", \.active), .key("born", \.born), .key("tags", \.tags),
        .key("labels", \.labels), .key("numbers", \.numbers), .key("marks", \.marks), .key("bits", \.bits),
        .key("pets", \.pets), .key("home", \.home), .key("parent", \.parent), .key("children", \.children),
        .key("initials", \.initials), .key("lazyName", \.lazyName), .key("city", \.home?.city),
    ]

    init(_ random: inout SplitMix) {
        func texts(_ random: inout SplitMix) -> [String] {
            (0..<random.below(4)).map { _ in random.pick(BlockRow.texts) }
        }
        func pet(_ random: inout SplitMix) -> Pet {
            Pet(
                name: random.pick(BlockRow.texts), nick: random.below(3) == 0 ? nil : random.pick(BlockRow.texts),
                age: random.below(3) == 0 ? nil : random.below(5), weight: random.pick(BlockRow.doubles),
                toys: texts(&random))
        }
        id = random.pick(BlockRow.integers)
        name = random.pick(BlockRow.texts)
        nick = random.below(3) == 0 ? nil : random.pick(BlockRow.texts)
        age = random.below(3) == 0 ? nil : random.below(5)
        score = random.pick(BlockRow.doubles)
        active = random.below(2) == 0
        born = Date(timeIntervalSinceReferenceDate: Double(random.below(3)))
        tags = texts(&random)
        labels = random.below(3) == 0 ? nil : texts(&random)
        numbers = (0..<random.below(5)).map { _ in random.pick(BlockRow.integers) }
        marks = (0..<random.below(3)).map { _ in random.pick(BlockRow.doubles) }
        bits = (0..<random.below(30)).map { _ in UInt8(random.below(4)) }
        pets = (0..<random.below(4)).map { _ in pet(&random) }
        home =
            random.below(3) == 0
            ? nil
            : Home(
                city: random.pick(BlockRow.texts), floor: random.below(3) == 0 ? nil : random.below(4),
                isOwn: random.below(2) == 0, pet: random.below(2) == 0 ? nil : pet(&random))
    }

    static func make(_ count: Int, seed: UInt64 = 5) -> [BlockObject] {
        var random = SplitMix(seed)
        let all = (0..<count).map { _ in BlockObject(&random) }
        for object in all {
            object.parent = random.below(3) == 0 ? nil : random.pick(all)
            object.children = (0..<random.below(3)).map { _ in random.pick(all) }
        }
        return all
    }
}

/// Uses the key table of its superclass.
final class BlockSubobject: BlockObject {}

/// The object as a part of a struct.
struct BlockHolder: Queryable {
    var id: Int
    var object: BlockObject
    var other: BlockObject?
    var home: BlockObject.Home?
    var pets: [BlockObject.Pet]

    static let keys: KeyTable<BlockHolder> = [
        .key("id", \.id), .key("object", \.object), .key("other", \.other), .key("home", \.home), .key("pets", \.pets),
        .key("foremost", \.pets.first),
    ]

    static func make(_ objects: [BlockObject]) -> [BlockHolder] {
        objects.map { BlockHolder(id: $0.id, object: $0, other: $0.parent, home: $0.home, pets: $0.pets) }
    }
}
