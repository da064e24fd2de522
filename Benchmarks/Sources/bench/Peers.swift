// The functions for Peers/compare.py: writes the people as lines, prints the seventeen predicates, and measures our
// plans and Swift code without this package.
import Foundation
import PredicateEvaluation
import PredicateModel

enum Peers {
    /// One person: fields separated by tabs, tags by bars, nil as `\N`. No text contains a tab, a bar or a line
    /// feed.
    static func line(_ person: Person) -> String {
        let fields = [
            String(person.id), person.firstName, person.lastName, person.email, person.city, String(person.age),
            String(person.salary), person.active ? "1" : "0", String(person.createdAt.timeIntervalSinceReferenceDate),
            person.tags.joined(separator: "|"), person.nickname ?? "\\N", person.bio,
        ]
        return fields.joined(separator: "\t") + "\n"
    }

    /// Prints the minimum time per record and the number of selected records for each method.
    static func measure(_ count: Int, rounds: Int) {
        let people = People.make(count)
        let table = PeopleTable.make(people)
        for one in PeopleBenchmarks.cases {
            let structs: PredicateMatcher<Person> = PeopleBenchmarks.compiled(one.text)
            var lines = [("loop", { one.loop(people) }), ("structs", { people.count(matching: structs) })]
            if let columns = try? FormatPredicate(one.text).compiled(for: table) {
                lines.append(("columns", { columns.count() }))
            }
            if let tuned = Tuned.loops[one.id] { lines.append(("tuned", { tuned(people) })) }
            if let foundation = foundation[one.id] {
                lines.append(("#Predicate", { people.count { (try? foundation.evaluate($0)) == true } }))
            }
            for (name, run) in lines {
                _ = run()
                let rounds = name == "#Predicate" ? max(1, rounds / 5) : rounds
                let least = (0..<rounds).map { _ in Harness.time(1, run) }.min() ?? 0
                print(one.id, name, least / Double(people.count), run(), separator: "\t")
            }
        }
    }

    /// The predicates as #Predicate, with a Regex for [c] and suffixes. [d] is not possible on Linux.
    private static var foundation: [String: Foundation.Predicate<Person>] {
        let smith = #/^smith$/#.ignoresCase()
        let org = #/\.org$/#
        let san = #/^san/#.ignoresCase()
        let address = #/^[a-z.]+@[a-z]+\.com$/#
        let cities: Set<String> = ["Paris", "Berlin", "San Jose"]
        return [
            "P01": #Predicate<Person> { $0.age > 30 },
            "P02": #Predicate<Person> { $0.age >= 21 && $0.age < 65 && $0.active == true },
            "P03": #Predicate<Person> { $0.lastName == "Smith" },
            "P04": #Predicate<Person> { $0.lastName.contains(smith) },
            "P05": #Predicate<Person> { $0.firstName.starts(with: "A") },
            "P07": #Predicate<Person> { $0.email.contains(org) },
            "P08": #Predicate<Person> { $0.bio.contains("voluptate") },
            "P10": #Predicate<Person> { $0.city.contains(san) },
            "P11": #Predicate<Person> { $0.email.contains(address) },
            "P12": #Predicate<Person> { cities.contains($0.city) },
            "P13": #Predicate<Person> { (30...40).contains($0.age) },
            "P14": #Predicate<Person> { $0.nickname == nil || $0.nickname?.starts(with: "Z") == true },
            "P15": #Predicate<Person> { $0.tags.contains("red") },
            "P16": #Predicate<Person> { $0.tags.filter { $0.starts(with: "b") }.count > 1 },
            "P17": #Predicate<Person> {
                ($0.age > 30 && ($0.city == "Paris" || $0.salary > 90000.0)) || !($0.active == true)
            },
        ]
    }
}
