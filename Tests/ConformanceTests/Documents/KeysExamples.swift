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
    func matches(_ matcher: Matcher<JobState>) -> Bool { matcher.matches(state) }
}

@MainActor final class JobList {
    var jobs = [JobState(name: "upload", progress: 0.25), JobState(name: "index", progress: 1)]
    func running() throws -> [String] { try jobs.filter(FormatPredicate("progress < 1")).map(\.name) }
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
    }

    @Test func dictionaries() throws {
        // Keys {
        let rows: [[String: Any]] = [["name": "Ada", "age": 36], ["name": "Bob"]]
        let old = try rows.filter(FormatPredicate("age > 30")).count  // 1
        let words: [PredicateValue] = [.string("apple"), .string("pear")]
        let short = try words.filter(FormatPredicate("SELF.length < 5")).count  // 1
        // } Keys
        #expect(old == 1 && short == 1)
    }
}
