// Rows whose keys are known only at run time: `[String: Any]`, `[String: PredicateValue]`, and dictionaries that share
// a shape. The reference is handwritten code for `[String: Any]`.
import Foundation
import PredicateEvaluation
import PredicateModel
import PredicateSyntax

enum DynamicBenchmarks {
    static let rows = 20_000
    private nonisolated(unsafe) static let dictionaries: [[String: Any]] = Citizen.make(rows).map { citizen in
        [
            "id": citizen.id, "age": citizen.age, "score": citizen.score, "active": citizen.active,
            "firstName": citizen.firstName, "lastName": citizen.lastName, "note": citizen.note,
            "rank": citizen.rank ?? 0, "born": citizen.born, "tags": citizen.tags, "city": citizen.address.city,
            "zip": citizen.address.zip,
        ]
    }
    private static let keys = dictionaries[0].keys.sorted()
    private static let shape = ValueDictionary.Shape(keys)
    private static let records: [PredicateValue] = dictionaries.map { row in
        .dictionary(ValueDictionary(shape: shape, values: keys.map { converted(row[$0] ?? 0) }))
    }
    private static let values: [[String: PredicateValue]] = dictionaries.map { $0.mapValues(converted) }

    private static func converted(_ any: Any) -> PredicateValue { (try? PredicateValue(converting: any)) ?? .null }

    static var all: [Benchmark] {
        group("int >", "age > 65") { $0.count { ($0["age"] as? Int ?? 0) > 65 } }
            + group("string ==", "lastName == 'Smith'") { $0.count { $0["lastName"] as? String == "Smith" } }
            + group("BEGINSWITH[c]", "lastName BEGINSWITH[c] 'sm'") {
                $0.count { ($0["lastName"] as? String)?.lowercased().hasPrefix("sm") ?? false }
            }
            + group("AND of 2", "age > 65 AND lastName == 'Smith'") {
                $0.count { ($0["age"] as? Int ?? 0) > 65 && $0["lastName"] as? String == "Smith" }
            }
            + group("AND with a function", "age > 95 AND lastName.length > 8") {
                $0.count { ($0["age"] as? Int ?? 0) > 95 && ($0["lastName"] as? String ?? "").utf16.count > 8 }
            }
    }

    private static func group(
        _ name: String, _ text: String, _ reference: @escaping ([[String: Any]]) -> Int
    ) -> [Benchmark] {
        do {
            let predicate = try FormatPredicate(text)
            let (any, value, record) = (
                try predicate.compiled(for: [String: Any].self),
                try predicate.compiled(for: [String: PredicateValue].self),
                try predicate.compiled()
            )
            return [
                count("[String: Any], \(name)", reference) { dictionaries.count(matching: any) },
                count("[String: Value], \(name)", reference) { values.count(matching: value) },
                count("records, \(name)", reference) { records.count(matching: record) },
            ]
        } catch {
            print("\(text): \(error)")
            exit(1)
        }
    }

    /// Checks that both give the same count before the measurement.
    private static func count(
        _ name: String, _ reference: @escaping ([[String: Any]]) -> Int, ours: @escaping () -> Int
    ) -> Benchmark {
        let (answer, expected) = (ours(), reference(dictionaries))
        if answer != expected {
            print("\(name): \(answer) instead of \(expected)")
            exit(1)
        }
        return Benchmark(
            "dynamic, \(name)", items: rows, against: "as? by hand", reference: { reference(dictionaries) }, ours: ours)
    }
}
