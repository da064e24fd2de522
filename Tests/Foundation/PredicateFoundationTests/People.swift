// The objects of this module's tests: a published class, and types without a key table.
import Foundation
import PredicateFoundation

// The class names without deprecation warnings, as an app may also write them.
typealias NSExpression = NSPredicate.NSExpression
typealias NSComparisonPredicate = NSPredicate.NSComparisonPredicate

/// A published class.
class Person: Queryable {
    let name: String
    let age: Int
    let city: String?
    let born: Date
    let tags: [String]
    let boss: Person?

    init(_ name: String, _ age: Int, city: String? = nil, tags: [String] = [], boss: Person? = nil) {
        self.name = name
        self.age = age
        self.city = city
        self.tags = tags
        self.boss = boss
        born = Date(timeIntervalSinceReferenceDate: Double(30 - age) * 31_556_952)
    }

    class var keys: KeyTable<Person> { table }
    private static let table: KeyTable<Person> = [
        .key("name", \.name) { $0.name }, .key("age", \.age) { $0.age }, .key("city", \.city) { $0.city },
        .key("born", \.born) { $0.born }, .key("tags", \.tags) { $0.tags }, .key("boss", \.boss) { $0.boss },
    ]
}

final class Employee: Person {}

enum Level: Int { case low = 1, high = 2 }
enum Color: String { case red, blue }

/// A class without a key table.
class Item {
    var title: String
    var price: Double
    var level: Level
    var color: Color?
    var owner: Person?
    var parts: [Part]
    var byName: [String: Part]
    lazy var label: String = "label of \(title)"
    var upper: String { title.uppercased() }

    init(_ title: String, price: Double, level: Level = .low, color: Color? = nil, parts: [Part] = []) {
        self.title = title
        self.price = price
        self.level = level
        self.color = color
        self.parts = parts
        byName = Dictionary(uniqueKeysWithValues: parts.map { ($0.name, $0) })
    }
}

struct Part: Equatable {
    var name: String
    var count: Int?
}

final class Gadget: Item {
    var volts = 5
}

/// A subclass of NSObject.
final class Note: NSObject {
    let text: String
    let pinned: Bool
    init(_ text: String, pinned: Bool) {
        self.text = text
        self.pinned = pinned
    }
}

// Safe: no test changes these persons.
nonisolated(unsafe) let ada = Person("Ada", 36, city: "London", tags: ["math", "code"])
nonisolated(unsafe) let bob = Person("Bob", 17, city: "Paris", boss: ada)
nonisolated(unsafe) let eve = Employee("Eve", 28, tags: ["code"], boss: bob)
nonisolated(unsafe) let people: [Person] = [ada, bob, eve]

func names(_ format: String, _ arguments: Any?...) throws -> [String] {
    let predicate = try NSPredicate(checking: format, argumentArray: arguments as [Any])
    return (people as NSArray).filtered(using: predicate).compactMap { ($0 as? Person)?.name }
}

/// Foundation's own class.
func compound(_ type: Foundation.NSCompoundPredicate.LogicalType, _ parts: [NSPredicate])
    -> Foundation.NSCompoundPredicate
{
    Foundation.NSCompoundPredicate(type: type, subpredicates: parts)
}
