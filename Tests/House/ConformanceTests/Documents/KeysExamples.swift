// swift-format-ignore-file
// The Swift of "Keys of structs, classes, actors and MainActor types", compiled and run.

import Predicates
import Testing

// Keys {
struct Address: Queryable {
    var city: String
    static let keys: KeyTable<Address> = [.key("city", \.city)]
}

struct Customer: Queryable {
    enum Status: String, QueryableValue { case active, closed }

    var name: String
    var status: Status
    var address: Address?
    var tags: Set<String>
    var initial: String { String(name.prefix(1)) }

    static let keys: KeyTable<Customer> = [
        .key("name", \.name), .key("status", \.status), .key("address", \.address), .key("tags", \.tags),
        .key("initial", \.initial), .key("city", \.address?.city),
    ]
}
// } Keys

// Keys {
class Vehicle: Queryable {
    var wheels: Int
    init(wheels: Int) { self.wheels = wheels }
    static let keys: KeyTable<Vehicle> = [.key("wheels", \.wheels) { $0.wheels }]
}

final class Bicycle: Vehicle {
    init() { super.init(wheels: 2) }
}
// } Keys

// Keys {
struct JobState: Queryable {
    var name: String
    var progress: Double
    static let keys: KeyTable<JobState> = [.key("name", \.name), .key("progress", \.progress)]
}

actor Job {
    private var state = JobState(name: "upload", progress: 0.25)
    func matches(_ matcher: PredicateMatcher<JobState>) -> Bool { matcher.matches(state) }
}

@MainActor final class JobList {
    var jobs = [JobState(name: "upload", progress: 0.25), JobState(name: "index", progress: 1)]
    func running() throws -> [String] { try jobs.filter(FormatPredicate("progress < 1")).map(\.name) }
}
// } Keys

// Keys {
protocol Animal: Queryable {}

struct Dog: Animal {
    var name: String
    static let keys: KeyTable<Dog> = [.key("name", \.name)]
}

struct Owner: Queryable {
    var pets: [any Animal]
    static let keys: KeyTable<Owner> = [.key("pets", any: \.pets)]
}
// } Keys

// Keys {
class Shape: Queryable {
    var sides = 3
    class var keys: KeyTable<Shape> { .once(for: Self.self) { [.key("sides", \.sides)] } }
}

final class Square: Shape {
    override class var keys: KeyTable<Shape> {
        .once(for: Self.self) { [.key("sides", \.sides), .key("isRegular") { $0 is Square }] }
    }
}

struct Box<Item: QueryableValue & Sendable>: Queryable {
    var item: Item
    static var keys: KeyTable<Box> { .once(for: Self.self) { [.key("item", \.item)] } }
}
// } Keys

// Keys {
final class Company: Queryable, Sendable {
    let name: String
    init(name: String) { self.name = name }
    static let keys: KeyTable<Company> = [.key("name", \.name)]
}
// } Keys

// Keys {
@MainActor final class Mailbox: Queryable {
    var title = "Inbox"
    nonisolated static let keys: KeyTable<Mailbox> = [
        .key("title") { mailbox in MainActor.assumeIsolated { mailbox.title } }
    ]
}
// } Keys

@Suite struct KeysExamples {
    @Test func structs() throws {
        // Keys {
        let ada = Customer(name: "Ada", status: .active, address: Address(city: "London"), tags: ["vip"])
        let isActive = try FormatPredicate("status == 'active' AND 'vip' IN tags").evaluate(ada)  // true
        let isInLondon = try FormatPredicate("address.city == city AND initial == 'A'").evaluate(ada)  // true
        // } Keys
        #expect(isActive && isInLondon)

        // Keys {
        let isInRome = try FormatPredicate("address == %@ OR status IN %@", Address(city: "Rome"), [Customer.Status.closed])
        let result = try isInRome.evaluate(ada)  // false
        // } Keys
        #expect(!result)
    }

    @Test func otherTypes() throws {
        // Keys {
        let owners = try [Owner(pets: [Dog(name: "Rex")])].filter("ANY pets.name == %@", "Rex").count  // 1
        // } Keys
        #expect(owners == 1)
    }

    @Test func computedTables() throws {
        // Keys {
        let regular = try [Square()].filter("isRegular == YES").count  // 1
        let full = try [Box(item: 3), Box(item: 4)].filter("item > 3").count  // 1
        // } Keys
        #expect(regular == 1 && full == 1)
    }

    @Test func objectsAsArguments() throws {
        // Keys {
        let company = Company(name: "Analytical Engines")
        let isOurs = try FormatPredicate("SELF == %@", FormatArgument.object(company)).evaluate(company)  // true
        let isSame = try FormatPredicate("SELF == $other").evaluate(company, variables: ["other": company])  // true
        // } Keys
        #expect(isOurs && isSame)
    }

    @Test func classes() throws {
        // Keys {
        let bicycles = try [Bicycle()].filter(FormatPredicate("wheels < 3")).count  // 1
        // } Keys
        #expect(bicycles == 1)
    }

    @Test func isolatedTypes() async throws {
        // Keys {
        let matcher = try FormatPredicate("progress < 1").compiled(for: JobState.self)
        let isRunning = await Job().matches(matcher)  // true
        let names = try await JobList().running()  // ["upload"]
        // } Keys
        #expect(isRunning && names == ["upload"])

        // Keys {
        let boxes = try await MainActor.run { try [Mailbox()].filter("title BEGINSWITH 'In'").count }  // 1
        // } Keys
        #expect(boxes == 1)
    }

    @Test func dictionaries() throws {
        // Keys {
        let rows: [[String: Any]] = [["name": "Ada", "age": 36], ["name": "Bob"]]
        let old = try rows.filter(FormatPredicate("age > 30")).count  // 1
        let short = try ["apple", "pear"].filter("SELF.length < %@", 5)  // ["pear"]
        // } Keys
        #expect(old == 1 && short == ["pear"])
    }
}
