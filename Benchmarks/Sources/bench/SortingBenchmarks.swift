// Sorting by sort keys, compared with `sorted` and the closure that an app would write.
import PredicateEvaluation
import PredicateModel

enum SortingBenchmarks {
    private static let people = Array(People.all.prefix(20_000))
    // Safe: only one thread measures.
    private nonisolated(unsafe) static let objects = people.map(PersonObject.init)

    static var all: [Benchmark] {
        [
            sorting([PredicateSortKey("age")]) { $0.age < $1.age },
            sorting([PredicateSortKey("salary", descending: true)]) { $0.salary > $1.salary },
            sorting([PredicateSortKey("email")]) { $0.email < $1.email },
            sorting([PredicateSortKey("lastName"), PredicateSortKey("id")]) {
                ($0.lastName, $0.id) < ($1.lastName, $1.id)
            },
            Benchmark(
                "sort class age", items: objects.count, against: "sorted { … }",
                reference: { objects.sorted { $0.age < $1.age }[0].age },
                ours: { (try? objects.sorted(by: [PredicateSortKey("age")]))?[0].age ?? 0 }),
            Benchmark(
                "sort class lastName", items: objects.count, against: "sorted { … }",
                reference: { objects.sorted { $0.lastName < $1.lastName }[0].age },
                ours: { (try? objects.sorted(by: [PredicateSortKey("lastName")]))?[0].age ?? 0 }),
            Benchmark(
                "sort values SELF", items: people.count, against: "sorted()",
                reference: { people.map(\.salary).sorted().count },
                ours: { (try? people.map(\.salary).sorted(by: [PredicateSortKey("SELF")]))?.count ?? 0 }),
        ]
    }

    private static func sorting(_ keys: [PredicateSortKey], _ precedes: @escaping (Person, Person) -> Bool) -> Benchmark
    {
        Benchmark(
            "sort \(keys.map(\.description).joined(separator: ","))", items: people.count, against: "sorted { … }",
            reference: { people.sorted(by: precedes)[0].id },
            ours: { (try? people.sorted(by: keys))?[0].id ?? 0 })
    }
}
