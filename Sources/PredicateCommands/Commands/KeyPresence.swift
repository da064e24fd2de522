// Finds out which keys named on the command line occur in some record. A key that occurs in no record is nil
// everywhere, which is usually a mistake.

import PredicateModel
import PredicateRecords
import PredicateSyntax

struct KeyPresence {
    /// The number of records whose keys are used for suggestions.
    private static let sample = 100

    private struct Wanted {
        let option: OptionDescription?
        /// Sets of keys, of which one must occur.
        let alternatives: [Set<String>]
    }

    private var wanted: [Wanted] = []
    /// The keys that no record had so far.
    private(set) var unseen: Set<String> = []
    private var known = KeyList()
    private var first: RecordBatch?

    /// Expects the keys of one of these sets. `option` is nil for the keys of the predicate.
    mutating func expect(_ alternatives: [Set<String>], by option: OptionDescription? = nil) {
        guard !alternatives.contains(where: \.isEmpty) else { return }
        wanted.append(Wanted(option: option, alternatives: alternatives))
        for keys in alternatives { unseen.formUnion(keys) }
    }

    /// Expects the whole path as a key, or its first key.
    mutating func expect(path: String, by option: OptionDescription?) {
        expect([[path], [String(path.prefix { $0 != "." })]], by: option)
    }

    // MARK: Keys of records

    mutating func note(_ batch: RecordBatch) {
        note(batch.source)
        if first == nil, batch.source.columns.isEmpty { first = batch }
    }

    mutating func note(_ source: RecordSource) {
        guard !source.columns.isEmpty else { return }
        unseen.subtract(source.columns)
        known.add(source.columns)
    }

    mutating func note(_ record: PredicateValue) {
        guard !unseen.isEmpty, case .dictionary(let dictionary) = record else { return }
        unseen.subtract(dictionary.keys)
        known.add(record)
    }

    mutating func note(seen: Set<String>) {
        if !seen.isEmpty { unseen.subtract(seen) }
    }

    // MARK: The end of the input

    /// For each key that no record had, the option that names it and the message.
    func missing() -> [(option: OptionDescription?, message: String)] {
        guard !unseen.isEmpty else { return [] }
        var known = known
        if let first { known.add(first.keys(limit: Self.sample)) }
        guard !known.names.isEmpty else { return [] }
        var told: Set<String> = []
        var found: [(option: OptionDescription?, message: String)] = []
        for wanted in wanted where !wanted.alternatives.contains(where: { $0.isDisjoint(with: unseen) }) {
            for key in wanted.alternatives.last?.intersection(unseen).sorted() ?? [] where told.insert(key).inserted {
                let nearest = Suggestions.nearest(to: key, in: known.names).map { "; did you mean \($0)?" }
                found.append((wanted.option, "no record has key '\(key)'" + (nearest ?? "")))
            }
        }
        return found
    }
}
