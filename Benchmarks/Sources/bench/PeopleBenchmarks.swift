// Seventeen predicates on 100,000 people, as structs and as objects. Each is compared with `count(where:)`, a
// loop that copies nothing, and code tuned for the predicate (Tuned.swift).
import Foundation
import PredicateEvaluation
import PredicateModel
import PredicateSyntax

enum PeopleBenchmarks {
    struct Case: Sendable {
        let id: String
        let text: String
        /// Idiomatic `count(where:)`.
        let count: @Sendable ([Person]) -> Int
        let loop: @Sendable ([Person]) -> Int
    }

    private static let cities: Set<String> = ["Paris", "Berlin", "San Jose"]
    private static let mail = regularExpression("^[a-z.]+@[a-z]+\\.com$")

    static func regularExpression(_ pattern: String) -> NSRegularExpression {
        do { return try NSRegularExpression(pattern: pattern) } catch {
            print("\(pattern): \(error)")
            exit(1)
        }
    }

    static func matches(_ expression: NSRegularExpression, _ text: String) -> Bool {
        expression.firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count)) != nil
    }

    @inline(__always) private static func loop(_ people: [Person], _ test: (Int) -> Bool) -> Int {
        var count = 0
        for index in people.indices where test(index) { count += 1 }
        return count
    }

    static let cases: [Case] = [
        Case(
            id: "P01", text: "age > 30", count: { $0.count { $0.age > 30 } },
            loop: { p in loop(p) { p[$0].age > 30 } }),
        Case(
            id: "P02", text: "age >= 21 AND age < 65 AND active == YES",
            count: { $0.count { $0.age >= 21 && $0.age < 65 && $0.active } },
            loop: { p in loop(p) { p[$0].age >= 21 && p[$0].age < 65 && p[$0].active } }),
        Case(
            id: "P03", text: "lastName == 'Smith'", count: { $0.count { $0.lastName == "Smith" } },
            loop: { p in loop(p) { p[$0].lastName == "Smith" } }),
        Case(
            id: "P04", text: "lastName ==[c] 'smith'", count: { $0.count { $0.lastName.lowercased() == "smith" } },
            loop: { p in loop(p) { p[$0].lastName.lowercased() == "smith" } }),
        Case(
            id: "P05", text: "firstName BEGINSWITH 'A'",
            count: { $0.count { $0.firstName.unicodeScalars.first == "A" } },
            loop: { p in loop(p) { p[$0].firstName.unicodeScalars.first == "A" } }),
        Case(
            id: "P06", text: "firstName BEGINSWITH[cd] 'é'",
            count: { $0.count { folded($0.firstName, "é") } }, loop: { p in loop(p) { folded(p[$0].firstName, "é") } }),
        Case(
            id: "P07", text: "email ENDSWITH '.org'", count: { $0.count { $0.email.hasSuffix(".org") } },
            loop: { p in loop(p) { p[$0].email.hasSuffix(".org") } }),
        Case(
            id: "P08", text: "bio CONTAINS 'voluptate'", count: { $0.count { $0.bio.contains("voluptate") } },
            loop: { p in loop(p) { p[$0].bio.contains("voluptate") } }),
        Case(
            id: "P09", text: "bio CONTAINS[cd] 'resume'", count: { $0.count { holds($0.bio, "resume") } },
            loop: { p in loop(p) { holds(p[$0].bio, "resume") } }),
        Case(
            id: "P10", text: "city LIKE[c] 'san*'", count: { $0.count { $0.city.lowercased().hasPrefix("san") } },
            loop: { p in loop(p) { p[$0].city.lowercased().hasPrefix("san") } }),
        Case(
            id: "P11", text: "email MATCHES '[a-z.]+@[a-z]+\\\\.com'",
            count: { $0.count { matches(mail, $0.email) } }, loop: { p in loop(p) { matches(mail, p[$0].email) } }),
        Case(
            id: "P12", text: "city IN {'Paris', 'Berlin', 'San Jose'}",
            count: { $0.count { cities.contains($0.city) } },
            loop: { p in loop(p) { cities.contains(p[$0].city) } }),
        Case(
            id: "P13", text: "age BETWEEN {30, 40}", count: { $0.count { $0.age >= 30 && $0.age <= 40 } },
            loop: { p in loop(p) { p[$0].age >= 30 && p[$0].age <= 40 } }),
        Case(
            id: "P14", text: "nickname == nil OR nickname BEGINSWITH 'Z'",
            count: { $0.count { $0.nickname?.hasPrefix("Z") ?? true } },
            loop: { p in loop(p) { p[$0].nickname?.hasPrefix("Z") ?? true } }),
        Case(
            id: "P15", text: "ANY tags == 'red'", count: { $0.count { $0.tags.contains("red") } },
            loop: { p in loop(p) { p[$0].tags.contains("red") } }),
        Case(
            id: "P16", text: "SUBQUERY(tags, $t, $t BEGINSWITH 'b').@count > 1",
            count: { $0.count { $0.tags.count { $0.hasPrefix("b") } > 1 } },
            loop: { p in loop(p) { p[$0].tags.count { $0.hasPrefix("b") } > 1 } }),
        Case(
            id: "P17", text: "(age > 30 AND (city == 'Paris' OR salary > 90000.0)) OR NOT (active == YES)",
            count: { $0.count { $0.age > 30 && ($0.city == "Paris" || $0.salary > 90000) || !$0.active } },
            loop: { p in
                loop(p) { p[$0].age > 30 && (p[$0].city == "Paris" || p[$0].salary > 90000) || !p[$0].active }
            }),
    ]

    private static func folded(_ text: String, _ prefix: String) -> Bool {
        text.range(of: prefix, options: [.anchored, .caseInsensitive, .diacriticInsensitive]) != nil
    }
    private static func holds(_ text: String, _ needle: String) -> Bool {
        text.range(of: needle, options: [.caseInsensitive, .diacriticInsensitive]) != nil
    }

    static var all: [Benchmark] { cases.flatMap(benchmarks) + objects }

    private static func benchmarks(_ one: Case) -> [Benchmark] {
        let matcher: PredicateMatcher<Person> = compiled(one.text)
        let ours = { People.all.count(matching: matcher) }
        var references = [("count(where:)", one.count), ("loop", one.loop)]
        if let tuned = Tuned.loops[one.id] { references.append(("tuned", tuned)) }
        let expected = ours()
        return references.map { name, reference in
            let answer = reference(People.all)
            if answer != expected { print("\(one.text): \(expected), but \(answer) by \(name)") }
            return Benchmark(
                "\(one.id) \(one.text.prefix(24))", items: People.rows, against: name,
                reference: { reference(People.all) }, ours: ours)
        }
    }

    /// Arrays of class instances.
    private static var objects: [Benchmark] {
        [
            object("int >", "age > 30") { $0.count { $0.age > 30 } },
            object("int > by key path alone", "agePath > 30") { $0.count { $0.age > 30 } },
            object("string ==", "lastName == 'Smith'") { $0.count { $0.lastName == "Smith" } },
            object("BEGINSWITH", "lastName BEGINSWITH 'Sm'") { $0.count { $0.lastName.hasPrefix("Sm") } },
            object("optional", "nickname == nil OR nickname BEGINSWITH 'Z'") {
                $0.count { $0.nickname?.hasPrefix("Z") ?? true }
            },
            object("ANY", "ANY tags == 'red'") { $0.count { $0.tags.contains("red") } },
            object("compound", "(age > 30 AND (city == 'Paris' OR salary > 90000.0)) OR NOT (active == YES)") {
                $0.count { $0.age > 30 && ($0.city == "Paris" || $0.salary > 90000) || !$0.active }
            },
        ]
    }

    private static func object(
        _ name: String, _ text: String, _ reference: @escaping ([PersonObject]) -> Int
    ) -> Benchmark {
        let matcher: PredicateMatcher<PersonObject> = compiled(text)
        let (answer, expected) = (People.objects.count(matching: matcher), reference(People.objects))
        if answer != expected { print("\(text): \(answer), but \(expected) by hand") }
        return Benchmark(
            "objects, \(name)", items: People.rows, against: "count(where:)", reference: { reference(People.objects) }
        ) { People.objects.count(matching: matcher) }
    }

    static func compiled<Root: Queryable>(_ text: String) -> PredicateMatcher<Root> {
        do throws(PredicateFailure) {
            return try FormatPredicate(text).compiled(for: Root.self)
        } catch {
            print("\(text): \(error)")
            exit(1)
        }
    }
}
