// Finds out which keys named on the command line occur in some record. A key that occurs in no record is nil
// everywhere, which is usually a mistake.

struct KeyPresence {
    /// The number of records whose keys are used for suggestions.
    private static let sample = 100

    /// Whether a key whose value is nil in all records counts as missing.
    private let wantsValues: Bool
    /// Sets of keys, of which one must occur, and the option that names them.
    private var wanted: [(option: OptionDescription?, alternatives: [Set<String>])] = []
    /// The keys that no record had so far.
    private var unseen: Set<String> = []
    /// The keys to find in batches. Whether a key has values is known from the types of the records.
    var unseenInBatches: Set<String> { wantsValues ? [] : unseen }
    /// The unseen keys that records may have with the value nil.
    private var unclear: Set<String> = []
    private var known = KeyList()
    private var nested = NestedKeys()
    private var sampled = 0
    private var first: RecordBatch?

    init(wantsValues: Bool = false) { self.wantsValues = wantsValues }

    /// Expects the keys of one of these sets. `option` is nil for the keys of the predicate.
    mutating func expect(_ alternatives: [Set<String>], by option: OptionDescription? = nil) {
        guard !alternatives.contains(where: \.isEmpty) else { return }
        wanted.append((option, alternatives))
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

    mutating func note(_ source: RecordInput) {
        guard !source.columns.isEmpty else { return }
        unseen.subtract(source.columns)
        known.add(source.columns)
    }

    mutating func note(_ record: PredicateValue) {
        guard !unseen.isEmpty, case .dictionary(let dictionary) = record else { return }
        unseen.subtract(dictionary.keys)
        known.add(record)
        if sampled < Self.sample { nested.add(dictionary) }
        sampled += 1
    }

    /// Notes the keys of a batch.
    /// - Parameter unclear: keys that occur in the text of the records, perhaps only in nested objects.
    mutating func note(seen: Set<String>, unclear: Set<String>) {
        if !seen.isEmpty { unseen.subtract(seen) }
        if !unclear.isEmpty { self.unclear.formUnion(unclear) }
    }

    // MARK: The end of the input

    /// For each key that no record had, the option that names it, the key and the message.
    func missing() -> [(option: OptionDescription?, key: String, message: String)] {
        guard !unseen.isEmpty else { return [] }
        var (known, nested) = (known, nested)
        let sample = first?.sample(Self.sample) ?? []
        nested.isDocument = sampled + sample.count == 1
        for record in sample {
            known.add(record)
            if case .dictionary(let dictionary) = record { nested.add(dictionary) }
        }
        guard !known.names.isEmpty else { return [] }
        // An unclear key is missing if the first records have it only in nested objects.
        let unseen = unseen.filter { key in
            !unclear.contains(key) || !known.names.contains(key) && nested.hint(key) != nil
        }
        var told: Set<String> = []
        var found: [(option: OptionDescription?, key: String, message: String)] = []
        for wanted in wanted where !wanted.alternatives.contains(where: { $0.isDisjoint(with: unseen) }) {
            // Missing keys are errors of some options, so a key that may be nil is not one.
            if wanted.option != nil, !unclear.isDisjoint(with: unseen) { continue }
            for key in wanted.alternatives.last?.intersection(unseen).sorted() ?? [] where told.insert(key).inserted {
                // A predicate names the first part of a path, an option the whole.
                let hint =
                    wanted.option == nil
                    ? dotted(key, known.names).map { "; some have '\($0)': write SELF[\"\($0)\"]" } : nil
                // A key without values is known.
                let others = known.names.filter { $0 != key }
                let nearest = Suggestions.nearest(to: key, in: others).map { "; did you mean \($0)?" }
                let isValue = wantsValues || unclear.contains(key)
                let subject = isValue ? "no record has a value for key" : "no record has key"
                found.append((wanted.option, key, "\(subject) '\(key)'" + (hint ?? nested.hint(key) ?? nearest ?? "")))
            }
        }
        return found
    }

    /// A field whose name has a dot, such as a column `address.city`, if its first part is the key.
    private func dotted(_ key: String, _ names: [String]) -> String? { names.first { $0.hasPrefix(key + ".") } }
}

/// The keys of the objects inside of records, to suggest where a missing key is.
private struct NestedKeys {
    private typealias Parent = (owner: String, isList: Bool)

    private var parents: [String: Parent] = [:]
    /// Whether the input is one object, so that `--at` may read the list inside.
    var isDocument = false
    /// Whether all values of the last record are objects with the same keys.
    private var isKeyed = false

    mutating func add(_ record: ValueDictionary) {
        let shapes = record.values.map { value -> Set<String> in
            if case .dictionary(let object) = value { Set(object.keys) } else { [] }
        }
        isKeyed = shapes.count > 1 && !shapes[0].isEmpty && shapes.allSatisfy { $0 == shapes[0] }
        for (owner, value) in zip(record.keys, record.keys.map { record[$0] ?? .null }) {
            switch value {
            case .dictionary(let object): add(object, (owner: owner, isList: false))
            case .array(let elements):
                if case .dictionary(let object)? = elements.first { add(object, (owner: owner, isList: true)) }
            default: break
            }
        }
    }

    private mutating func add(_ object: ValueDictionary, _ parent: Parent) {
        for key in object.keys where parents[key] == nil { parents[key] = parent }
    }

    func hint(_ key: String) -> String? {
        guard let parent = parents[key] else { return nil }
        if isDocument, isKeyed {
            return "; the values of the document have it: add --at '*', and --key-field NAME for their keys"
        }
        let owner = FunctionCatalog.isWord(parent.owner) ? parent.owner : SyntaxSelector.key(parent.owner)
        let path = owner + (FunctionCatalog.isWord(key) ? ".\(key)" : ".\"\(key)\"")
        guard parent.isList else { return "; did you mean \(path)?" }
        let elements = "; the elements of '\(parent.owner)' have it: write ANY \(path)"
        return isDocument ? elements + ", or add --at \(parent.owner)" : elements
    }
}
