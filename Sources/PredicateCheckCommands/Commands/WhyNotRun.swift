// `predicate filter --why-not N`: the records that nearly match, each with the changes that would make it match.

import PredicateEvaluation
import PredicateModel
import PredicateRecords
import PredicateRules
import PredicateSyntax

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
    private let matcher: Matcher<PredicateValue>
    /// The operands of the predicate's AND, compiled one by one.
    private let terms: [Matcher<PredicateValue>]
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
        var parts = [predicate.root]
        if case .and(let children) = predicate.root.kind { parts = children }
        terms = try parts.map {
            try predicate.replacingRoot($0).compiled(variables: variables, run: read.run)
        }
        count = try invocation.count(.whyNot) ?? 0
    }

    func run() throws -> ExitCode {
        let misses = try nearest()
        let isJSON = Report(invocation).format == .json
        for miss in misses {
            let explanation = try predicate.explanation(for: miss.object, variables: variables, run: read.run)
            if isJSON {
                let place = JSON.text(.string(miss.place))
                try invocation.output.line("{\"record\":\(place),\"explanation\":\(explanation.json)}")
            } else {
                try invocation.output.line(DisplayText.visible(miss.place) + ": " + explanation.description)
            }
        }
        return misses.isEmpty ? .negative : .success
    }

    /// The records with the fewest terms that are not true; among equals, in the order of the input.
    private func nearest() throws -> [Miss] {
        var nearest: [Miss] = []
        var types = RecordTypes([RecordCheck(read, file: invocation[.file])])
        let options = try invocation.readerOptions(keepsText: false)
        for name in try invocation.inputNames() {
            let reader = try invocation.open(name, options)
            while let event = reader.next() {
                guard case .record(let record) = event else {
                    if case .problem(let problem) = event {
                        try invocation.output.note(DisplayText.visible(problem.description))
                        if problem.endsInput || invocation[.onError] != "skip" { throw CommandEnd.exit(.failed) }
                    }
                    continue
                }
                if !types.open.isEmpty { types.add(record) }
                if matcher.matches(record.value) { continue }
                let distance = terms.count { !$0.matches(record.value) }
                let place = record.line > 0 ? ":\(record.line)" : ", record \(record.index + 1)"
                let miss = Miss(distance: distance, place: record.source.name + place, object: record.value)
                // Linear search, because the list is short: people read it.
                let index = nearest.firstIndex { $0.distance > distance } ?? nearest.count
                if index < count { nearest.insert(miss, at: index) }
                if nearest.count > count { nearest.removeLast() }
            }
        }
        _ = try types.show(in: Report(invocation))
        return nearest
    }
}
