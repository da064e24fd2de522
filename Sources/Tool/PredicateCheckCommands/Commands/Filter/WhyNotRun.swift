// `predicate filter --why-not N`: the records that nearly match, each with the changes that would make it match.

struct WhyNotRun {
    /// A record that does not match, and the number of terms that are not true for it.
    private struct Miss {
        let distance: Int
        let place: String
        let object: PredicateValue
    }

    private let invocation: Invocation
    private let predicate: FormatPredicate
    private let variables: PredicateVariables
    private let matcher: PredicateMatcher<PredicateValue>
    /// The terms that the predicate joins by AND, compiled one by one.
    private let terms: [PredicateMatcher<PredicateValue>]
    private let count: Int
    private let read: PredicateText

    init(_ invocation: Invocation) throws {
        self.invocation = invocation
        for other in [OptionDescription.countOnly, .sort, .keys, .limit, .offset, .to] where invocation.has(other) {
            throw CommandEnd.usage("--why-not and \(other.name) cannot be used together")
        }
        var reader = try invocation.textReader(unbound: false)
        reader.clock = RunClock()
        let read = reader.read(try invocation.text(otherOperands: true))
        self.read = read
        let variables = try invocation.variables(reader.environment)
        self.variables = variables
        matcher = try invocation.compile(read, variables: variables, Report(invocation))
        guard case .predicate(let predicate) = read.tree else { throw CommandEnd.exit(.refused) }
        self.predicate = predicate
        terms = try predicate.root.terms(isAnd: true).map {
            try predicate.replacingRoot($0).compiled(variables: variables, run: read.run)
        }
        count = try invocation.count(.whyNot) ?? 0
    }

    func run() throws -> ExitCode {
        let misses = try nearest()
        for miss in misses {
            let explanation = try predicate.explanation(for: miss.object, variables: variables, run: read.run)
            try invocation.show(explanation, at: miss.place)
        }
        return misses.isEmpty ? .negative : .success
    }

    /// The records with the fewest terms that are not true; among equals, in the order of the input.
    private func nearest() throws -> [Miss] {
        var nearest: [Miss] = []
        var types = RecordTypes([RecordCheck(read, file: invocation[.file], reportsKeys: true)])
        try invocation.forEachRecord { record, place in
            if !types.open.isEmpty { types.add(record) }
            if matcher.matches(record.value) { return }
            let distance = terms.count { !$0.matches(record.value) }
            let miss = Miss(distance: distance, place: place, object: record.value)
            // Linear search, because the list is short: people read it.
            let index = nearest.firstIndex { $0.distance > distance } ?? nearest.count
            if index < count { nearest.insert(miss, at: index) }
            if nearest.count > count { nearest.removeLast() }
        }
        _ = try types.show(in: Report(invocation))
        return nearest
    }
}
