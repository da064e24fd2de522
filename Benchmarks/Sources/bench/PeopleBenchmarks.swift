// The seventeen predicates that all peers answer (Peers/compare.py), against hand-written Swift and Foundation's #Predicate over
// the same structs. The loop copies no record.
import Foundation
import PredicateEvaluation
import PredicateModel

/// One of the seventeen.
struct PeopleQuery {
    let name: String
    let format: String
    /// None where #Predicate cannot say it: [d] on Linux.
    let foundation: Foundation.Predicate<Person>?
    let loop: ([Person]) -> Int

    init(
        _ name: String, _ format: String, _ foundation: Foundation.Predicate<Person>?, loop: @escaping ([Person]) -> Int
    ) {
        self.name = name
        self.format = format
        self.foundation = foundation
        self.loop = loop
    }
}

enum PeopleBenchmarks {
    nonisolated(unsafe) static var rows = 100_000
    static let people = Array(People(rows))

    static var all: [Benchmark] {
        let people = people
        return queries.flatMap { query -> [Benchmark] in
            guard let matcher = try? FormatPredicate(query.format).compiled(for: Person.self) else { return [] }
            let expected = query.loop(people)
            let found = people.count(matching: matcher)
            guard found == expected else {
                print("\(query.name): the predicate counts \(found), the loop \(expected)")
                return []
            }
            let ours = { people.count(matching: matcher) }
            var benchmarks = [
                Benchmark(
                    "people \(query.name) \(query.format)", items: people.count, against: "loop",
                    reference: { query.loop(people) }, ours: ours)
            ]
            if let foundation = query.foundation {
                benchmarks.append(
                    Benchmark(
                        "people \(query.name) \(query.format)", items: people.count, against: "#Predicate",
                        reference: { people.count { (try? foundation.evaluate($0)) == true } }, ours: ours))
            }
            return benchmarks
        }
    }

    private static let cities: Set<String> = ["Paris", "Berlin", "San Jose"]

    // Regex stands in where #Predicate knows no [c] and no suffix.
    static var queries: [PeopleQuery] {
        let smith = #/^smith$/#.ignoresCase()
        let org = #/\.org$/#
        let san = #/^san/#.ignoresCase()
        let address = #/[a-z.]+@[a-z]+\.com/#
        let wholeAddress = #/^[a-z.]+@[a-z]+\.com$/#
        let cities = cities
        return [
            PeopleQuery("P01", "age > 30", #Predicate<Person> { $0.age > 30 }) { count($0) { $0.age > 30 } },
            PeopleQuery(
                "P02", "age >= 21 AND age < 65 AND active == YES",
                #Predicate<Person> { $0.age >= 21 && $0.age < 65 && $0.active == true }
            ) { count($0) { $0.age >= 21 && $0.age < 65 && $0.active } },
            PeopleQuery("P03", "lastName == \"Smith\"", #Predicate<Person> { $0.lastName == "Smith" }) {
                count($0) { $0.lastName == "Smith" }
            },
            PeopleQuery("P04", "lastName ==[c] \"smith\"", #Predicate<Person> { $0.lastName.contains(smith) }) {
                count($0) { $0.lastName.lowercased() == "smith" }
            },
            PeopleQuery("P05", "firstName BEGINSWITH \"A\"", #Predicate<Person> { $0.firstName.starts(with: "A") }) {
                count($0) { $0.firstName.unicodeScalars.first == "A" }
            },
            PeopleQuery("P06", "firstName BEGINSWITH[cd] \"é\"", nil) {
                count($0) { folded($0.firstName).hasPrefix("e") }
            },
            PeopleQuery("P07", "email ENDSWITH \".org\"", #Predicate<Person> { $0.email.contains(org) }) {
                count($0) { $0.email.hasSuffix(".org") }
            },
            PeopleQuery("P08", "bio CONTAINS \"voluptate\"", #Predicate<Person> { $0.bio.contains("voluptate") }) {
                count($0) { $0.bio.contains("voluptate") }
            },
            PeopleQuery("P09", "bio CONTAINS[cd] \"resume\"", nil) { count($0) { folded($0.bio).contains("resume") } },
            PeopleQuery("P10", "city LIKE[c] \"san*\"", #Predicate<Person> { $0.city.contains(san) }) {
                count($0) { $0.city.lowercased().hasPrefix("san") }
            },
            PeopleQuery(
                "P11", "email MATCHES \"[a-z.]+@[a-z]+\\\\.com\"",
                #Predicate<Person> { $0.email.contains(wholeAddress) }
            ) { count($0) { $0.email.wholeMatch(of: address) != nil } },
            PeopleQuery(
                "P12", "city IN {\"Paris\",\"Berlin\",\"San Jose\"}", #Predicate<Person> { cities.contains($0.city) }
            ) { count($0) { $0.city == "Paris" || $0.city == "Berlin" || $0.city == "San Jose" } },
            PeopleQuery("P13", "age BETWEEN {30, 40}", #Predicate<Person> { (30...40).contains($0.age) }) {
                count($0) { $0.age >= 30 && $0.age <= 40 }
            },
            PeopleQuery(
                "P14", "nickname == nil OR nickname BEGINSWITH \"Z\"",
                #Predicate<Person> { $0.nickname == nil || $0.nickname?.starts(with: "Z") == true }
            ) { count($0) { $0.nickname == nil || $0.nickname?.unicodeScalars.first == "Z" } },
            PeopleQuery("P15", "ANY tags == \"red\"", #Predicate<Person> { $0.tags.contains("red") }) {
                count($0) { $0.tags.contains("red") }
            },
            PeopleQuery(
                "P16", "SUBQUERY(tags, $t, $t BEGINSWITH \"b\").@count > 1",
                #Predicate<Person> { $0.tags.filter { $0.starts(with: "b") }.count > 1 }
            ) { count($0) { $0.tags.count(where: { $0.hasPrefix("b") }) > 1 } },
            PeopleQuery(
                "P17", "(age > 30 AND (city == \"Paris\" OR salary > 90000.0)) OR NOT (active == YES)",
                #Predicate<Person> {
                    ($0.age > 30 && ($0.city == "Paris" || $0.salary > 90000.0)) || !($0.active == true)
                }
            ) { count($0) { ($0.age > 30 && ($0.city == "Paris" || $0.salary > 90000)) || !$0.active } },
        ]
    }

    /// The loop as one would write it. Inlined with its test, it reads only the fields that it needs.
    @inline(__always) private static func count(_ people: [Person], _ test: (Person) -> Bool) -> Int {
        var count = 0
        for person in people where test(person) { count += 1 }
        return count
    }

    private static func folded(_ text: String) -> String {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }

    /// For Peers/compare.py: the least time a record of each, and how many it selected.
    static func printLeast(rounds: Int) {
        let people = people
        for query in queries {
            var lines: [(String, () -> Int)] = [("loop", { query.loop(people) })]
            if let matcher = try? FormatPredicate(query.format).compiled(for: Person.self) {
                lines.append(("ours", { people.count(matching: matcher) }))
            }
            if let foundation = query.foundation {
                lines.append(("#Predicate", { people.count { (try? foundation.evaluate($0)) == true } }))
            }
            for (name, run) in lines {
                let least = (0..<rounds).map { _ in Harness.time(1, run) }.min() ?? 0
                print(query.name, name, least / Double(people.count), run(), separator: "\t")
            }
        }
    }
}
