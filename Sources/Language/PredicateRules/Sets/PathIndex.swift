// The indexes of one key path: for its values, and for the elements of its values.

struct PathIndex: Sendable {
    private let values: ValueIndex?
    private let elements: ValueIndex?

    init(_ values: ValueIndex.Entries, ofElements elements: ValueIndex.Entries, _ memory: IndexMemory) {
        self.values = values.isEmpty ? nil : ValueIndex(values, memory)
        self.elements = elements.isEmpty ? nil : ValueIndex(elements, memory)
    }

    var isEmpty: Bool { values == nil && elements == nil }

    func collect(_ value: PredicateValue, _ found: CandidateList) {
        values?.collect(value, found)
        guard let elements, let members = value.elements else { return }
        for member in members { elements.collect(member, found) }
    }

    // MARK: Values read in place

    func collect(_ number: Int64, _ found: CandidateList) { values?.collect(number, found) }
    func collect(_ number: Double, _ found: CandidateList) { values?.collect(.double(number), found) }
    func collect(_ text: UnsafeBufferPointer<UInt8>, _ found: CandidateList) { values?.collect(text, found) }

    /// Finds the predicates that a text in a list passes.
    func collect(element text: UnsafeBufferPointer<UInt8>, _ found: CandidateList) { elements?.collect(text, found) }
}

struct ValueIndex: Sendable {
    /// The entries that a run collects before it builds the indexes.
    struct Entries {
        var constants: [[EqualityIndex.Entry]] = [[], [], [], []]
        var parts: [TextIndex.Entries] = [.init(), .init(), .init(), .init()]
        var numbers: [RangeIndex.Entry] = []
        var dates: [RangeIndex.Entry] = []
        var nils: [Candidate] = []
        private(set) var isEmpty = true

        mutating func add(_ term: SetTerm, _ number: Int) {
            isEmpty = false
            let candidate = Candidate(number, isDecided: term.decides)
            let fold = Int(term.fold.rawValue & 3)
            switch term.test {
            case .isNil: nils.append(candidate)
            case .equal(let value):
                guard let hash = ConstantHash.hash(value) else { return }
                constants[fold].append(EqualityIndex.Entry(hash: hash, value: value, candidate: candidate))
            case .range(let range, let isDate):
                let entry = RangeIndex.Entry(range: range, candidate: candidate)
                if isDate { dates.append(entry) } else { numbers.append(entry) }
            case .part(let text, let place): parts[fold].add(text, place, candidate)
            }
        }
    }

    /// The index for texts that are compared with the same options.
    private struct Folded: Sendable {
        let options: ComparisonOptions
        let constants: EqualityIndex?
        let parts: TextIndex?

        func collect(_ text: UnsafeBufferPointer<UInt8>, _ found: CandidateList) {
            StringFold.withFolded(text, options) { folded in
                constants?.collect(folded, found)
                parts?.collect(folded, found)
            }
        }
    }

    private let constants: EqualityIndex?
    private let parts: TextIndex?
    /// The indexes of texts that are compared with `[c]`, `[d]` and `[cd]`.
    private let folded: FixedValues<Folded>
    private let numbers: RangeIndex?
    private let dates: RangeIndex?
    private let nils: FixedValues<Candidate>

    init(_ entries: Entries, _ memory: IndexMemory) {
        let constants = entries.constants.map { $0.isEmpty ? nil : EqualityIndex($0, memory) }
        let parts = entries.parts.map { $0.isEmpty ? nil : TextIndex($0, memory) }
        self.constants = constants[0]
        self.parts = parts[0]
        folded = memory.fixed(
            (1...3).filter { constants[$0] != nil || parts[$0] != nil }.map {
                Folded(options: ComparisonOptions(rawValue: UInt8($0)), constants: constants[$0], parts: parts[$0])
            })
        numbers = entries.numbers.isEmpty ? nil : RangeIndex(entries.numbers, memory)
        dates = entries.dates.isEmpty ? nil : RangeIndex(entries.dates, memory)
        nils = memory.fixed(entries.nils)
    }

    func collect(_ value: PredicateValue, _ found: CandidateList) {
        switch value {
        case .null, .nsNull: return found.add(nils)
        case .string(var text): return text.withUTF8 { collect($0, found) }
        case .integer(let number): return collect(number, found)
        case .date(let seconds): dates?.collect(seconds, isExact: true, found)
        case .bool, .float, .double: numbers?.collect(value.doubleValue ?? .nan, isExact: true, found)
        case .decimal(let number): numbers?.collect(number.doubleValue, isExact: false, found)
        default: break
        }
        constants?.collect(value, found)
    }

    func collect(_ number: Int64, _ found: CandidateList) {
        numbers?.collect(Double(number), isExact: true, found)
        constants?.collect(number, found)
    }

    /// - Parameter text: valid UTF-8.
    func collect(_ text: UnsafeBufferPointer<UInt8>, _ found: CandidateList) {
        parts?.collect(text, found)
        for index in 0..<folded.count { folded[index].collect(text, found) }
        constants?.collect(text, found)
    }
}
