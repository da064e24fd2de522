// Runs the cases of a test.

struct CaseResult {
    let name: String
    let line: Int
    /// In words.
    let expected: String
    /// Why it failed; nil if it passed.
    var problem: String?
    /// The explanations of the first answers that were not expected, with the places of their objects; none for the one
    /// object of a case.
    var explanations: [(place: String?, explanation: PredicateExplanation)] = []
    /// The end of the command if the data cannot be read.
    var code = ExitCode.success
    var time = Duration.zero
}

/// Runs the cases of one test.
struct CaseRun {
    private static let shownObjects = 3

    private let test: RuleTest
    private let invocation: Invocation
    /// The rule; nil if it has errors.
    private let predicate: FormatPredicate?
    /// The outcomes of the terms, of other tests too; nil if they are not recorded.
    var coverage: RuleCoverage?
    /// The first objects of the cases, from which others are made that cover terms.
    private(set) var objects: [PredicateValue] = []
    private static let keptObjects = 16

    init(_ test: RuleTest, _ invocation: Invocation) {
        self.test = test
        self.invocation = invocation.reading(invocation.input.ofRegularFiles)
        predicate = test.predicate
    }

    /// Whether the answers depend on the day on which the test runs.
    var dependsOnClock: Bool {
        predicate?.asksClock == true && test.clock == nil && test.cases.contains { $0.clock == nil }
    }

    mutating func run(_ one: RuleCase) throws -> CaseResult {
        let start = ContinuousClock.now
        var result = CaseResult(name: one.name, line: one.line, expected: one.expectation.words)
        do {
            try check(one, &result)
        } catch let problem as RecordProblem {
            result.problem = "the data cannot be read: \(problem.description)"
            result.code = .failed
        } catch CommandEnd.failure(let code, let reason) {
            result.problem = reason
            result.code = code
        }
        result.time = ContinuousClock.now - start
        return result
    }

    /// The run of a case: `random()` draws the same numbers in each.
    func evaluation(of one: RuleCase?) -> (variables: PredicateVariables, run: PredicateRun) {
        let variables = test.variables.merging(one?.variables ?? [:]) { $1 }
        let instant = one?.clock ?? test.clock ?? SystemClock.seconds()
        return (variables, PredicateRun(clock: { instant }, seed: 0))
    }

    private mutating func check(_ one: RuleCase, _ result: inout CaseResult) throws {
        let (variables, run) = evaluation(of: one)
        let matcher = Result { () throws(PredicateFailure) in
            guard let predicate else { throw PredicateFailure(test.rule.diagnostics, source: test.rule.source) }
            return try predicate.compiled(for: PredicateValue.self, variables: variables, run: run)
        }
        var outcome = CaseOutcome(one.expectation)
        var count = 0
        try forEachObject(of: one) { object, place in
            count += 1
            let isExpected: Bool
            do throws(PredicateFailure) {
                isExpected = outcome.take(try matcher.get().test(object), object)
            } catch {
                isExpected = outcome.take(error)
            }
            guard let predicate else { return }
            if objects.count < Self.keptObjects, coverage != nil { objects.append(object) }
            let isShown = !isExpected && result.explanations.count < Self.shownObjects
            guard coverage.map({ $0.counts.covered < $0.counts.all }) ?? false || isShown else { return }
            guard
                let explanation = try? predicate.explanation(
                    of: object, variables: variables, run: run, findsChanges: isShown)
            else { return }
            coverage?.record(explanation)
            if isShown { result.explanations.append((place, explanation)) }
        }
        result.problem = count == 0 ? "there are no objects" : outcome.problem(of: count)
    }

    /// Calls `body` for each object, with its place if there are several.
    private func forEachObject(of one: RuleCase, _ body: (PredicateValue, String?) throws -> Void) throws {
        switch one.objects {
        case .values(let values):
            for (index, value) in values.enumerated() {
                try body(value, values.count > 1 ? "object \(index + 1)" : nil)
            }
        case .data(let name):
            let path = invocation.input.path(name, in: test.folder)
            var options = ReaderOptions()
            options.types = test.types
            options.keepsText = false
            // A file that does not exist has a better message here.
            _ = try invocation.input.source(path)
            options.columnTypes = try invocation.columnTypes(of: [path], options, isOfOne: true)[path]
            let reader = try invocation.input.reader(path, options)
            while let event = reader.next() {
                switch event {
                case .problem(let problem): throw problem
                case .record(let record):
                    let place = record.line > 0 ? ":\(record.line)" : ", record \(record.index + 1)"
                    try body(record.value, record.source.name + place)
                }
            }
        }
    }
}

/// Compares answers with what a case expects.
private struct CaseOutcome {
    private let expectation: RuleCase.Expectation
    private var missing: Set<PredicateValue> = []
    /// The keys of objects that match and should not.
    private var extra: [PredicateValue] = []
    private var expected: Set<PredicateValue> = []
    private var wrong = 0
    private var error: String?

    init(_ expectation: RuleCase.Expectation) {
        self.expectation = expectation
        if case .matches(let ids, _) = expectation {
            expected = Set(ids)
            missing = expected
        }
    }

    /// Takes an answer. Returns whether it was expected.
    mutating func take(_ answer: Bool, _ object: PredicateValue) -> Bool {
        switch expectation {
        case .answer(let wanted):
            if answer != wanted { wrong += 1 }
            return answer == wanted
        case .error:
            wrong += 1
            return false
        case .matches(_, let key):
            guard case .dictionary(let fields) = object, let id = fields[key] else {
                if answer { extra.append(.null) }
                return !answer
            }
            if answer {
                missing.remove(id)
                if !expected.contains(id) { extra.append(id) }
            }
            return answer == expected.contains(id)
        }
    }

    /// Takes a failed evaluation. Returns whether it was expected.
    mutating func take(_ failure: PredicateFailure) -> Bool {
        let errors = failure.diagnostics.filter { $0.severity == .error }
        if case .error(let text) = expectation {
            guard let text else { return true }
            if errors.contains(where: { $0.id.rawValue == text || $0.message.contains(text) }) { return true }
        }
        wrong += 1
        if error == nil { error = errors.map { "\($0.message) [\($0.id.rawValue)]" }.joined(separator: "; ") }
        return false
    }

    /// Why the case failed; nil if it passed.
    func problem(of count: Int) -> String? {
        let of = count > 1 ? " for \(wrong) of \(count) objects" : ""
        if let error { return "the evaluation fails\(of): \(error)" }
        switch expectation {
        case .answer(let wanted): return wrong == 0 ? nil : "the rule is \(!wanted)\(of)"
        case .error: return wrong == 0 ? nil : "the evaluation does not fail\(of)"
        case .matches(let ids, let key):
            var reasons: [String] = []
            let list = RuleCase.Expectation.list
            let absent = ids.filter(missing.contains)
            if !absent.isEmpty { reasons.append("no object with the \(key) \(list(absent)) matches") }
            if !extra.isEmpty { reasons.append("\(list(extra)) matches") }
            return reasons.isEmpty ? nil : reasons.joined(separator: ", and ")
        }
    }
}
