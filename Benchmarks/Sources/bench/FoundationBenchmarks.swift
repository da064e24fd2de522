// NSPredicate on platforms where Foundation does not parse formats: tests one object at a time, compared with
// `PredicateMatcher.matches`, and filters arrays, compared with the closure that an app would write.
import Foundation
import PredicateEvaluation
import PredicateFoundation
import PredicateModel

#if !canImport(ObjectiveC)
    enum FoundationBenchmarks {
        private static let members = Citizen.make(1000).map(Member.init)

        /// Formats with closures of the same meaning.
        private static var cases: [(text: String, block: (Member) -> Bool)] {
            [
                ("age >= 21", { $0.age >= 21 }),
                ("age >= 21 AND rank != nil", { $0.age >= 21 && $0.rank != nil }),
                ("lastName BEGINSWITH 'S'", { $0.lastName.hasPrefix("S") }),
            ]
        }

        static var all: [Benchmark] { cases.flatMap { evaluation($0.text) + filtering($0.text, $0.block) } }

        private static func evaluation(_ text: String) -> [Benchmark] {
            let predicate = NSPredicate(format: text)
            guard let matcher = try? FormatPredicate(text: text).compiled(for: Member.self) else { return [] }
            return [
                Benchmark(
                    "nspredicate evaluate \(text)", items: members.count, against: "PredicateMatcher.matches",
                    reference: { members.reduce(0) { $0 + (matcher.matches($1) ? 1 : 0) } },
                    ours: { members.reduce(0) { $0 + (predicate.evaluate(with: $1) ? 1 : 0) } })
            ]
        }

        private static func filtering(_ text: String, _ block: @escaping (Member) -> Bool) -> [Benchmark] {
            let predicate = NSPredicate(format: text)
            let byHand = NSPredicate { object, _ in (object as? Member).map(block) ?? false }
            let array = NSArray(array: members)
            return [
                Benchmark(
                    "nspredicate filtered \(text)", items: members.count, against: "NSPredicate(block:)",
                    reference: { array.filtered(using: byHand).count },
                    ours: { array.filtered(using: predicate).count })
            ]
        }
    }
#else
    /// Apple's NSPredicate is not measured here.
    enum FoundationBenchmarks {
        static var all: [Benchmark] { [] }
    }
#endif
