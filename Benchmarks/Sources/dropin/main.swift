// dropin [--count N] [ROUNDS]: what the names of NSPredicate cost on platforms other than Apple's, in a file that imports
// PredicateCompatibility in place of Foundation: 100,000 dictionaries in an NSArray, and objects with stored properties.
// Benchmarks/Peers/dropin.py runs it beside GNUstep, which filters the same records.
//
// A line for each predicate and each way to filter: format, way, milliseconds of processor time, matches. The time is the
// median of all rounds, in which the ways alternate.
import PredicateCompatibility
import PredicateEvaluation

#if canImport(Glibc)
    import Glibc
#endif

#if !canImport(ObjectiveC)
    /// A class without a key table, which is read by its stored properties.
    final class Customer: NSObject {
        let name: String
        let age: Int
        let city: String
        let active: Bool

        init(_ number: Int) {
            (name, age, city, active) = Records.values(number)
        }
    }

    enum Records {
        private static let names = ["Anna", "Smith", "Bob", "Blacksmith", "Clara", "Arthur", "Dora", "Emil"]
        private static let cities = ["Paris", "Berlin", "Lyon", "Rome", "Oslo", "Madrid", "Vienna"]

        static func values(_ number: Int) -> (name: String, age: Int, city: String, active: Bool) {
            ("\(names[number % 8]) \(number)", number * 37 % 90, cities[number % 7], number % 3 != 0)
        }

        static func dictionary(_ number: Int) -> [String: Any] {
            let (name, age, city, active) = values(number)
            return ["name": name, "age": age, "city": city, "active": active]
        }
    }

    let formats = [
        "age > 30", "age >= 21 AND age < 65 AND active == YES", "city == 'Paris' OR name BEGINSWITH 'A'",
        "name CONTAINS[c] 'smith'", "name LIKE '*1'",
    ]

    func milliseconds(_ body: () throws -> Int) rethrows -> (Double, Int) {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
        }
        let start = now()
        let matches = try body()
        return (now() - start, matches)
    }

    var arguments = Array(CommandLine.arguments.dropFirst())
    var count = 100_000
    if let option = arguments.firstIndex(of: "--count"), option + 1 < arguments.count {
        count = Int(arguments[option + 1]) ?? count
        arguments.removeSubrange(option...(option + 1))
    }
    let rounds = arguments.first.flatMap { Int($0) } ?? 5
    let chosen = arguments.dropFirst()

    let dictionaries = (0..<count).map(Records.dictionary)
    let objects = (0..<count).map(Customer.init)
    let array = NSArray(array: dictionaries)
    let mutable = NSMutableArray(array: dictionaries)
    let objectArray = NSArray(array: objects)
    // Foundation gives all dictionaries with the same number of keys one hash, so sets have objects.
    let orderedSet = NSOrderedSet(array: objects)
    let set = NSSet(array: objects)
    let every = NSPredicate { _, _ in true }

    func filtered(_ list: NSMutableArray, _ predicate: NSPredicate) -> Int {
        guard let copy = list.mutableCopy() as? NSMutableArray else { return 0 }
        copy.filter(using: predicate)
        return copy.count
    }

    var ways: [(name: String, run: (NSPredicate, FormatPredicate) throws -> Int)] = [
        ("NSArray, a block: true", { _, _ in array.filtered(using: every).count }),
        ("NSArray", { predicate, _ in array.filtered(using: predicate).count }),
        ("NSMutableArray, a block: true", { _, _ in filtered(mutable, every) }),
        ("NSMutableArray", { predicate, _ in filtered(mutable, predicate) }),
        ("[[String: Any]].filter", { _, format in try dictionaries.filter(format).count }),
        ("evaluate(with: [String: Any])", { predicate, _ in dictionaries.count { predicate.evaluate(with: $0) } }),
        ("NSArray of objects, a block: true", { _, _ in objectArray.filtered(using: every).count }),
        ("NSArray of objects", { predicate, _ in objectArray.filtered(using: predicate).count }),
        ("NSOrderedSet of objects", { predicate, _ in orderedSet.filtered(using: predicate).count }),
        ("NSSet of objects", { predicate, _ in set.filtered(using: predicate).count }),
    ]
    ways.removeAll { way in !chosen.isEmpty && !chosen.contains(way.name) }

    for format in formats {
        let (predicate, text) = (NSPredicate(format: format), try FormatPredicate(text: format))
        var times = ways.map { _ in [Double]() }
        var matches = ways.map { _ in 0 }
        for _ in 0..<rounds {
            for (index, way) in ways.enumerated() {
                let (spent, found) = try milliseconds { try way.run(predicate, text) }
                times[index].append(spent)
                matches[index] = found
            }
        }
        for (index, way) in ways.enumerated() {
            let median = times[index].sorted()[rounds / 2]
            print(format, way.name, (median * 10).rounded() / 10, matches[index], separator: "\t")
        }
    }
#endif
