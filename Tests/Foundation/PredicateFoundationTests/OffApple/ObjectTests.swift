// Objects without Objective-C: which stored properties are read, and which are not.
import Foundation
import PredicateFoundation
import Testing

@Suite struct ObjectTests {
    static func matches(_ object: Any?, _ format: String, _ arguments: Any...) throws -> Bool {
        try NSPredicate(checking: format, argumentArray: arguments).evaluate(checking: object)
    }

    @Test func storedProperties() throws {
        let lamp = Gadget("Lamp", price: 9.5, level: .high, color: .red, parts: [Part(name: "bulb", count: 2)])
        lamp.owner = ada
        for format in [
            "title == 'Lamp'", "price < 10", "level == 2", "color == 'red'", "volts == 5", "owner.name == 'Ada'",
            "owner.age > 30", "ANY parts.name == 'bulb'", "parts.@count == 1", "parts[0].count == 2",
            "byName.bulb.count == 2", "SUBQUERY(parts, $p, $p.count > 1).@count == 1", "parts.@sum.count == 2",
        ] {
            #expect(try Self.matches(lamp, format), "\(format)")
        }
        #expect(try Self.matches(lamp, "color == %@", Color.red))
        #expect(try Self.matches(lamp, "%@ IN parts", Part(name: "bulb", count: 2)))
        #expect(try Self.matches(Note("a", pinned: true), "pinned == YES AND text == 'a'"))
        #expect(try Self.matches(Part(name: "x", count: nil), "count == nil"))
    }

    @Test func lazyProperties() throws {
        let item = Item("Lamp", price: 1)
        #expect(throws: PredicateFailure.self) { try Self.matches(item, "label BEGINSWITH 'label'") }
        _ = item.label
        #expect(try Self.matches(item, "label BEGINSWITH 'label'"))
    }

    @Test func unreachableKeysNameTheKeyTable() throws {
        let item = Item("Lamp", price: 1)
        let error = #expect(throws: PredicateFailure.self) { try Self.matches(item, "upper == 'LAMP'") }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("Queryable"))
        #expect(text.contains("upper"))
        let typo = #expect(throws: PredicateFailure.self) { try Self.matches(item, "titel == 'LAMP'") }
        #expect(typo.map { "\($0)" }?.contains("did you mean title?") == true)
    }

    @Test func values() throws {
        #expect(try Self.matches(5, "SELF > 3"))
        #expect(try Self.matches("abc", "SELF LIKE 'a*'"))
        #expect(try Self.matches(NSNumber(value: 5), "SELF BETWEEN {1, 5}"))
        #expect(try Self.matches(["a": 1, "b": ["c": "x"]] as [String: Any], "a == 1 AND b.c == 'x'"))
        #expect(try Self.matches(NSDictionary(dictionary: ["a": 1]), "a == 1 AND missing == nil"))
        #expect(try Self.matches(["item": Item("Lamp", price: 1)], "item.title == 'Lamp'"))
        #expect(try Self.matches(nil, "SELF == nil"))
        #expect(try Self.matches([1, 2, 3], "SELF.@sum.self == 6"))
        #expect(try Self.matches(CGFloat(2), "SELF == 2"))
        #expect(try Self.matches(Optional(3) as Any, "SELF == 3"))
        #expect(try Self.matches(NSNull(), "SELF == nil"))
        #expect(try Self.matches([1: "a"], "1 == 1"))
    }

    @Test func mixedTypes() {
        let objects: [Any] = [ada, Item("Lamp", price: 1), ["name": "Cy"], Employee("Dee", 40)]
        let predicate = NSPredicate(format: "name != nil OR TRUEPREDICATE")
        #expect(objects.filter { (try? predicate.evaluate(checking: $0)) == true }.count == 3)
    }
}
