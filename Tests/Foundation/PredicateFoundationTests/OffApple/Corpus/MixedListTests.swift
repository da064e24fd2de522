// Lists of objects of several types, of which only the keys of the predicate are read: entries of dictionaries, and
// stored properties at their offsets. Each answer is compared with the answer for the whole object.
import Foundation
import PredicateFoundation
import Testing

private class Base {
    private let age = 90
    var kind = "base"
    weak var boss: Person?
    unowned let other: Person
    unowned var maybe: Person?
    init(_ other: Person) { (self.other, maybe, boss) = (other, other, other) }
}

@propertyWrapper private struct Clamped { var wrappedValue: Int }

private final class Worker<Tag>: Base, CustomStringConvertible {
    let age: Int?
    let name: String
    @Clamped var level = 3
    lazy var label = "label"
    let color: Color
    let anything: Any
    let tag: Tag
    let parts: [Part]
    let born = Date(timeIntervalSinceReferenceDate: 5)
    let price = Decimal(5)
    let owner: (any CustomStringConvertible)?
    let block: () -> Int = { 1 }
    let pair = (1, "a")
    var description: String { name }
    /// Not called: there is no key-value coding.
    func value(forKey key: String) -> Any? { 1 }
    init(_ name: String, age: Int?, any: Any, tag: Tag) {
        (self.name, self.age, anything, self.tag) = (name, age, any, tag)
        (color, parts, owner) = (.red, [Part(name: "bulb", count: 2)], nil)
        super.init(ada)
    }
}

private enum Payload {
    case none
    case age(Int)
}

/// Its entries are computed.
private final class ComputedDictionary: NSDictionary {
    override var count: Int { 1 }
    override func object(forKey key: Any) -> Any? { key as? String == "age" ? 40 : nil }
    override func keyEnumerator() -> NSEnumerator { NSArray(array: ["age"]).objectEnumerator() }
}

private final class CodedDictionary: NSMutableDictionary {
    private var entries: [String: Any] = ["age": 40]
    override var count: Int { entries.count }
    override func object(forKey key: Any) -> Any? { (key as? String).flatMap { entries[$0] } }
    override func keyEnumerator() -> NSEnumerator { NSArray(array: Array(entries.keys)).objectEnumerator() }
    override func value(forKey key: String) -> Any? { 1 }
}

@Suite struct MixedListTests {
    private static let formats = [
        "age > 30", "age == nil", "name == 'Ada' OR age < 20", "NOT age > 30", "name CONTAINS[c] 'A' AND age >= 17",
        "owner.name == 'Ada'", "ANY parts.count == 2", "tags.@count == 2", "name.length > 2", "self.age > 30",
        "SELF.age > 30", "age IN {36, 40, 90}", "age / 0 == 1 AND age > 1", "age > 100 AND name / 2 == 1",
        "name > 5", "kind == 'base'", "boss.age == 36", "other.name == 'Ada'", "maybe.age == 36",
        "level == 3", "label == 'label'", "color == 'red'", "anything == 5", "anything.name == 'Ada'", "tag == 7",
        "born < CAST(6, 'NSDate')", "price == 5", "block == nil", "pair == nil", "1 == '1'", "%K == 'one'",
        "big > 9223372036854775807", "half == 0.5", "SUBQUERY(parts, $p, $p.count == age).@count == 0",
        "$x == age", "@count > 0", "nested.a.b == 1", "TRUEPREDICATE OR age == 1",
    ]

    private static func objects() -> [Any] {
        let worker = Worker("Ada", age: 36, any: 5, tag: 7)
        _ = worker.label
        let freed = Worker("Bob", age: nil, any: ["name": "Ada"], tag: "t")
        do {
            let boss = Person("Cy", 36)
            freed.boss = boss
        }
        let pairs: [String: Any] = [
            "name": "Ada", "age": 36, "owner": ada, "parts": [Part(name: "a", count: 2)], "tags": ["x", "y"],
            "nested": ["a": ["b": 1]] as [String: Any], "half": 0.5, "big": UInt64.max, "price": Decimal(5),
        ]
        return [
            ada, bob, eve, worker, freed, Worker("Dee", age: 17, any: Optional(5) as Any, tag: Color.red),
            Item("Lamp", price: 1), Gadget("Fan", price: 2), Part(name: "Ada", count: 2), Note("x", pinned: true),
            pairs, NSDictionary(dictionary: pairs), NSMutableDictionary(dictionary: pairs), NSNull(),
            [:] as [String: Any],
            ["age": NSNull(), "name": NSString("Ada")] as [String: Any], ["age": Optional(36) as Any],
            ["age": 40, "name": "Ada"] as [AnyHashable: Any], [1: "one", "age": 36] as [AnyHashable: Any], [1: "one"],
            ["age": 36], ["name": "Ada"], [NSString("age"): 36] as [NSString: Any], ComputedDictionary(),
            CodedDictionary(), 5, "Ada", NSNumber(value: 36), [1, 2], [["age": 36]], Payload.age(36), Payload.none,
            ["age": NSNumber(value: 36.5), "big": NSNumber(value: UInt64.max)], ["age": NSDecimalNumber(value: 36)],
            ["age": NSNumber(value: true), "half": Float(0.5)] as [String: Any], Color.red, { 1 } as () -> Int,
        ]
    }

    /// The answer, or the mistakes.
    private static func answer(_ predicate: NSPredicate, _ object: Any) -> String {
        do {
            return "\(try predicate.evaluate(checking: object, substitutionVariables: ["x": 36]))"
        } catch {
            return error.diagnostics.filter { $0.severity == .error }.map(\.id.rawValue).joined(separator: " ")
        }
    }

    /// Each order of two objects: the plan for the first type must not decide about the second one.
    @Test(arguments: formats) func answersAreThoseOfTheWholeObject(_ format: String) throws {
        let objects = Self.objects()
        // SELF is the whole object, so all of it is converted.
        let wholes = try objects.map { object in
            Self.answer(try NSPredicate(checking: "(\(format)) AND (SELF == nil OR SELF != nil)", "1"), object)
        }
        for start in [0, objects.count / 2] {
            let predicate = try NSPredicate(checking: format, "1")
            for index in Array(objects.indices[start...]) + objects.indices[..<start] {
                let answer = Self.answer(predicate, objects[index])
                #expect(answer == wholes[index], "\(format): \(type(of: objects[index]))")
            }
        }
    }

    @Test func listsOfFoundation() throws {
        let dictionaries: [[String: Any]] = [
            ["age": 36, "name": "Ada"], ["age": 17, "name": "Bob"], ["name": "Cy", "note": NSNull()], ["age": 36.5],
            ["age": NSNull(), "nested": ["age": 99]],
        ]
        let list: [Any] = dictionaries + [NSNull(), ada, bob, Worker("Dee", age: 40, any: 1, tag: 1)]
        let old = NSPredicate(format: "age > 30")
        #expect(NSArray(array: list).filtered(using: old).count == 4)
        let mutable = NSMutableArray(array: list)
        mutable.filter(using: old)
        #expect(mutable.count == 4)
        #expect(NSOrderedSet(array: list).filtered(using: old).count == 4)
        // Foundation cannot return a dictionary as the member of a set.
        let five = NSPredicate(format: "SELF == 5")
        #expect(NSSet(array: [Note("x", pinned: true), 5]).filtered(using: five).count == 1)
        let found = NSArray(array: list).filtered(using: NSPredicate(format: "name == 'Ada' AND age != nil"))
        #expect((found.first as? [String: Any])?["age"] as? Int == 36)
        #expect(found.last as? Person === ada)
    }

    /// Nothing of a list or of its objects is kept.
    @Test func changedObjects() throws {
        let old = NSPredicate(format: "age > 30")
        let (list, dictionary) = (NSMutableArray(), NSMutableDictionary())
        let note = Gadget("Fan", price: 5)
        var ages: [Int] = []
        for age in [36, 17, 40, 30] {
            dictionary["age"] = age
            list.add(["age": age])
            #expect(old.evaluate(with: dictionary) == (age > 30))
            ages.append(age)
            #expect(list.filtered(using: old).count == ages.count { $0 > 30 })
            note.volts = age
            #expect(NSPredicate(format: "volts > 30").evaluate(with: note) == (age > 30))
        }
        list.replaceObject(at: 0, with: ["age": "x" as Any?])
        #expect(throws: PredicateFailure.self) { try old.evaluate(checking: list[0]) }
        dictionary.removeObject(forKey: "age")
        #expect(!old.evaluate(with: dictionary))
    }

    @Test func subclasses() throws {
        let predicate = NSPredicate(format: "age == 40")
        let worker = Worker("Ada", age: 40, any: 1, tag: 1)
        #expect(predicate.evaluate(with: worker), "not the property of the superclass with the same name")
        worker.boss = nil
        #expect(NSPredicate(format: "boss == nil").evaluate(with: worker))
        let shared = NSPredicate(format: "price > 1")
        let items = [Item("a", price: 1), Gadget("b", price: 2), Item("c", price: 3)]
        #expect(items.map { shared.evaluate(with: $0) } == [false, true, true])
    }

    @Test func oneFormatOnManyThreads() async {
        // A predicate is immutable.
        nonisolated(unsafe) let predicate = NSPredicate(format: "age > 30 AND name != nil")
        let counts = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    (0..<200).count { number in
                        let objects: [Any] = [
                            ["age": number, "name": "a"], NSDictionary(dictionary: ["age": number, "name": "a"]),
                            Worker("a", age: number, any: 1, tag: number), Person("a", number),
                        ]
                        return predicate.evaluate(with: objects[number % 4])
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts == Array(repeating: 169, count: 8))
    }
}
