// Runs the seventeen predicates on a million people in columns, on one thread. The reference is handwritten code for the
// easiest predicate: `count(where:)` on an array of the ages.
import Foundation
import PredicateEvaluation
import PredicateModel
import PredicateSyntax

enum ColumnBenchmarks {
    static let rows = 1_000_000
    private static let people = People.make(rows)
    private static let table = PeopleTable.make(people)
    private static let ages = people.map(\.age)

    static var all: [Benchmark] {
        var all = PeopleBenchmarks.cases.map { one in
            let columns = compiled(one.text)
            return benchmark("\(one.id) \(one.text.prefix(20))") { columns.count() }
        }
        all.append(benchmark("load") { PeopleTable.make(people).count })
        return all
    }

    private static func benchmark(_ name: String, _ ours: @escaping () -> Int) -> Benchmark {
        Benchmark(
            "columns " + name, items: rows, against: "[Int].count(where:)", reference: { ages.count { $0 > 30 } },
            ours: ours)
    }

    /// Checks that columns and structs give the same count before the measurement.
    private static func compiled(_ text: String) -> TableMatcher {
        do throws(PredicateFailure) {
            let predicate = try FormatPredicate(text)
            let columns = try predicate.compiled(for: table)
            let structs = try predicate.compiled(for: Person.self)
            let (one, other) = (columns.count(), people.count(matching: structs))
            if one == other { return columns }
            print("\(text): \(one) instead of \(other)")
        } catch {
            print("\(text): \(error)")
        }
        exit(1)
    }
}
