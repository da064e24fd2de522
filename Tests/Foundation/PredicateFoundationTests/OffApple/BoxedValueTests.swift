// Properties whose static type says nothing about the value: Any, AnyObject, AnyHashable, enums with payloads; and sets
// of decimals.
import Foundation
import PredicateFoundation
import Testing

private class Holder {
    var value: Any?
    init(_ value: Any?) { self.value = value }
}

private class ObjectHolder {
    var value: AnyObject?
    init(_ value: AnyObject?) { self.value = value }
}

private struct HashableHolder { var value: AnyHashable }
private enum State {
    case open
    case paid(on: Int)
    case named(String)
}
private struct Invoice { var state: State }
private struct Prices {
    var prices: Set<Decimal>
    var byPrice: [Decimal: String] = [:]
    var nested: Any? = nil
}

private struct Changing: CustomReflectable {
    var names: [String]
    var customMirror: Mirror {
        Mirror(self, children: names.map { (label: $0, value: $0.count) }, displayStyle: .struct)
    }
}

@Suite struct BoxedValueTests {
    private static let values: [(any Sendable, String)] = [
        ([1, 2], "ANY value == 2"), ("abc", "value == 'abc'"), (7, "value == 7"), (2.5, "value > 2"),
        (true, "value == YES"), (Part(name: "bulb", count: 2), "value.name == 'bulb'"),
        (["a": 1], "value.a == 1"), (Set(["x"]), "'x' IN value"), (Color.red, "value == 'red'"),
        (Date(timeIntervalSinceReferenceDate: 5), "value > CAST(4, 'NSDate')"), (Decimal(5), "value == 5"),
        ([Part(name: "bulb", count: 2)], "ANY value.count == 2"),
    ]

    /// Each order of two values: the kind of the first one must not decide about the second one.
    @Test func theKindIsThatOfTheValue() throws {
        for (first, format) in Self.values {
            for (second, other) in Self.values {
                for (value, format) in [(first, format), (second, other)] {
                    let name = Comment(rawValue: "\(format): \(value as Any)")
                    #expect(try ObjectTests.matches(Holder(value), format), name)
                    #expect(try ObjectTests.matches(ObjectHolder(value as AnyObject), format), name)
                    #expect(try ObjectTests.matches(["value": value] as [String: Any], format), name)
                    #expect(try ObjectTests.matches(Holder(Optional(Optional(value)) as Any), format), name)
                    if let value = value as? any Hashable {
                        #expect(try ObjectTests.matches(HashableHolder(value: AnyHashable(value)), format), name)
                    }
                }
                #expect(try ObjectTests.matches(Holder(nil), "value == nil"))
                #expect(try ObjectTests.matches(ObjectHolder(nil), "value == nil"))
                #expect(try !ObjectTests.matches(Holder(first), "value == nil"))
            }
        }
    }

    /// A list of Foundation holds any objects, also in a collection whose type predicates can read.
    @Test func listsOfObjectsInTypedCollections() throws {
        let staff = [Item("Lamp", price: 2), Item("Desk", price: 8)] as NSArray
        let cases: [(Any, String)] = [
            (["staff": staff], "ANY staff.price == 2"), (["staff": staff], "staff.@avg.price == 5"),
            (["staff": staff], "SUBQUERY(staff, $s, $s.price > 2).@count == 1"),
            (["staff": staff], "average:(staff.price) == 5"), (["staff": staff], "staff[0].title == 'Lamp'"),
            (["staff": Optional(staff)], "ANY staff.price == 2"), (["staff": [staff]], "staff[0][1].price == 8"),
            (["a": ["staff": staff]], "ANY a.staff.price == 2"),
            (["staff": ContiguousArray([staff])], "staff[0][1].price == 8"),
            (ContiguousArray([staff]), "SELF[0][1].price == 8"), (Set([staff]), "SELF.@count == 1"),
            (Holder(["staff": staff]), "ANY value.staff.price == 2"),
            (["n": NSNumber(value: 7)], "n == 7"), (["b": 2, "a": 1], "a == 1 AND b == 2"),
        ]
        for (object, format) in cases { #expect(try ObjectTests.matches(object, format), "\(format): \(object)") }
        let average = NSExpression(forFunction: "average:", arguments: [NSExpression(forKeyPath: "staff.price")])
        #expect(average.expressionValue(with: ["staff": staff], context: nil) as? Double == 5)
        let argument = NSPredicate(format: "SUBQUERY(%@, $s, ANY $s.in.price == 2).@count == 1", [["in": staff]])
        #expect(argument.evaluate(with: nil))
    }

    @Test func enumsWithPayloads() throws {
        let states: [State] = [.paid(on: 5), .open, .named("x"), .paid(on: 6)]
        let found = try states.map { try ObjectTests.matches(Invoice(state: $0), "state.paid.on > 5") }
        #expect(found == [false, false, false, true])
        #expect(try ObjectTests.matches(Invoice(state: .named("x")), "state.named == 'x'"))
        #expect(try ObjectTests.matches(Invoice(state: .open), "state.named == nil"))
    }

    @Test func customMirrors() throws {
        for names in [["a"], [], ["bb", "a"], ["c", "bb"]] {
            for name in ["a", "bb", "c"] {
                let object = Changing(names: names)
                if names.contains(name) {
                    #expect(try ObjectTests.matches(object, "%K == %d", name, name.count), "\(names) \(name)")
                } else {
                    #expect(throws: PredicateFailure.self) { try ObjectTests.matches(object, "\(name) == 1") }
                }
            }
        }
    }

    /// In a child process: Foundation's hash of NSDecimalNumber never returns and ends it.
    @Test func setsOfDecimals() async { await #expect(processExitsWith: .success) { try Self.useSetsOfDecimals() } }

    private static func useSetsOfDecimals() throws {
        let tenth = try #require(Decimal(string: "0.1"))
        let set: Set<Decimal> = [1, 2, tenth]
        let prices = Prices(prices: set, byPrice: [tenth: "low"], nested: [set, [tenth: set]] as [Any])
        let any: [String: Any] = ["prices": set, "nested": [set], "maybe": Optional(set) as Any]
        for (object, format) in [
            (prices as Any, "ANY prices == 1"), (prices, "%@ IN prices"), (prices, "prices.@count == 3"),
            (prices, "prices == %@"), (prices, "nested.@count == 2"), (prices, "prices UNION %@ == prices"),
            (any, "2 IN prices"), (any, "prices == %@"), (set, "SELF.@sum.self == 3.1"),
            (Optional(set) as Any, "1 IN SELF"), (any, "ANY maybe == 2"),
        ] {
            let argument: Any = format.contains("%@ IN") ? tenth : set
            #expect(try ObjectTests.matches(object, format, argument), "\(format)")
        }
        for value in [set, [set], ["a": set], Optional(set) as Any] as [Any] {
            _ = try PredicateValue(converting: value).anyValue
            _ = try NSExpression(checking: "%@", value).expressionValue(checking: value)
        }
        let value = try PredicateValue(converting: set)
        #expect(value.as(Set<Decimal>.self) == set)
        #expect(value.anyValue as? Set<Decimal> == set)
        #expect(!NSPredicate(format: "a == 1").isEqual(set))
        let block = NSPredicate { object, _ in (object as? Set<Decimal>)?.count == 3 }
        #expect(NSCompoundPredicate(andPredicateWithSubpredicates: [block]).evaluate(with: set))
    }
}
