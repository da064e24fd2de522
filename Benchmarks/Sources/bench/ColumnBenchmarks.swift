// Runs the seventeen predicates on a million people in columns: processor time on one thread, and elapsed time
// on two. The reference for one thread is handwritten code for the easiest predicate: `count(where:)` on an
// array of the ages.
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

    /// Compares one thread with two, alternately. Prints medians of elapsed time.
    static func threads(_ ids: [String], rounds: Int) async throws {
        print("predicate", "rows", "one, ns/row", "two, ns/row", "ratio", separator: "\t")
        for one in PeopleBenchmarks.cases where ids.isEmpty || ids.contains(one.id) {
            let columns = compiled(one.text)
            var times: [(one: Double, two: Double)] = []
            let calls = 4
            for _ in 0..<rounds {
                var time = (one: 0.0, two: 0.0)
                for _ in 0..<calls {
                    let start = ContinuousClock.now
                    let alone = columns.selection().count
                    let middle = ContinuousClock.now
                    let shared = try await columns.selection(tasks: 2).count
                    let end = ContinuousClock.now
                    if alone != shared { print("\(one.text): \(alone) and \(shared)") }
                    time.one += nanoseconds(middle - start)
                    time.two += nanoseconds(end - middle)
                }
                times.append(time)
            }
            let scale = Double(calls * rows)
            print(
                one.id, columns.count(), Report.text(Harness.quantile(times.map(\.one), 0.5) / scale),
                Report.text(Harness.quantile(times.map(\.two), 0.5) / scale),
                Report.text(Harness.quantile(times.map { $0.one / $0.two }, 0.5)), separator: "\t")
        }
    }

    private static func nanoseconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) * 1e9 + Double(duration.components.attoseconds) / 1e9
    }
}
