// A million records in columns, asked the seventeen predicates: on one thread, as processor time, and on two, as time on
// the wall. The reference on one thread is what our own plan for structs takes for the same records.
import Foundation
import PredicateEvaluation
import PredicateModel
import PredicateSyntax

enum ColumnBenchmarks {
    static let rows = 1_000_000
    private static let people = People.make(rows)
    private static let table = People.table(people)
    private static let ages = people.map(\.age)

    static var all: [Benchmark] {
        People.predicates.map { id, name, format in
            let columns = compiled(format)
            return Benchmark(
                "columns \(id) \(name)", items: rows, against: "[Int].count(where:)", reference: { ages.count { $0 > 30 } }
            ) { columns.count() }
        } + [
            Benchmark("columns load", items: rows, against: "[Int].count(where:)", reference: { ages.count { $0 > 30 } })
            { People.table(people).count }
        ]
    }

    /// Checks that columns and structs answer alike before anything is measured.
    private static func compiled(_ format: String) -> TableMatcher {
        do throws(PredicateFailure) {
            let predicate = try FormatPredicate(format)
            let columns = try predicate.compiled(for: table)
            let structs = try predicate.compiled(for: Person.self)
            let (one, other) = (columns.count(), people.count(matching: structs))
            if one == other { return columns }
            print("\(format): \(one) instead of \(other)")
        } catch {
            print("\(format): \(error)")
        }
        exit(1)
    }

    /// One thread against two, in turns; medians of the time on the wall.
    static func threads(_ ids: [String], rounds: Int) async throws {
        print("predicate", "rows", "one, ns/row", "two, ns/row", "ratio", separator: "\t")
        for (id, name, format) in People.predicates where ids.isEmpty || ids.contains(id) {
            let columns = compiled(format)
            var times: [(one: Double, two: Double)] = []
            let calls = 4
            for _ in 0..<rounds {
                var time = (one: 0.0, two: 0.0)
                for _ in 0..<calls {
                    let start = ContinuousClock.now
                    let one = columns.selection().count
                    let middle = ContinuousClock.now
                    let two = try await columns.selection(tasks: 2).count
                    let end = ContinuousClock.now
                    if one != two { print("\(format): \(one) and \(two)") }
                    time.one += nanoseconds(middle - start)
                    time.two += nanoseconds(end - middle)
                }
                times.append(time)
            }
            let scale = Double(calls * rows)
            print(
                "\(id) \(name)", columns.count(), Report.text(Harness.quantile(times.map(\.one), 0.5) / scale),
                Report.text(Harness.quantile(times.map(\.two), 0.5) / scale),
                Report.text(Harness.quantile(times.map { $0.one / $0.two }, 0.5)), separator: "\t")
        }
    }

    private static func nanoseconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) * 1e9 + Double(duration.components.attoseconds) / 1e9
    }
}
