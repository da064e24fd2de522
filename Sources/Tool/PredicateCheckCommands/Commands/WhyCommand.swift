// `predicate why`: explains the result of a predicate for one object. WhyNotRun.swift explains it for records that
// nearly match.

extension CommandDescription {
    package static let why = CommandDescription(
        name: "why", summary: "explains why an object matches a predicate or does not",
        operands: "PREDICATE [FILE…]", operandCount: 0...Int.max,
        options: [.object] + OptionDescription.records + [.file, .noExtensions] + OptionDescription.common,
        details: """
            Marks the part of the predicate that decided, with the values that it compared, and lists the smallest
            changes of the object that would change the answer. The exit code is 0 for true, 1 for false, and 5 if the
            evaluation fails. The object is JSON, as for eval.

            \(OptionDescription.recordsHelp)
            The exit code is 5 if an evaluation fails, else 0 if the answer is true for a record.

            --output json prints {"text", "outcome", "root", "changes"}. A part is {"text", "start", "end", "outcome",
            "decides", "element"?, "message"?, "operands", "parts"}, a change {"key", "from", "to", "value"}.
            """,
        examples: [
            "predicate why 'age >= 18 AND name BEGINSWITH \"A\"' --object '{\"age\": 17, \"name\": \"Ada\"}'",
            "predicate why 'age > 40' people.csv --offset 1 --limit 1",
            "predicate filter 'priority > 2 AND done == NO' --example todo --why-not 3",
        ]
    ) { invocation in
        let text = try invocation.text(otherOperands: true)
        let reader = try invocation.textReader(unbound: false)
        let report = Report(invocation)
        let read = reader.read(text)
        guard case .predicate(let predicate) = read.tree, !read.hasErrors else {
            return try invocation.refuse(read, report)
        }
        if invocation.hasRecords { return try explainRecords(invocation, predicate, read) }
        let input = try invocation.object(reader.environment) ?? EvaluationInput(object: .null)
        let variables = try invocation.variables(reader.environment).merging(input.variables) { $1 }
        let checker = input.shape.checker(reader.environment)
        let warned = read.warned(byTypesOfObjects: checker)
        do throws(PredicateFailure) {
            let explanation = try predicate.explanation(for: input.object, variables: variables, run: read.run)
            try? report.show(warned.diagnostics, source: text, file: invocation[.file])
            try? invocation.output.line(report.format == .json ? explanation.json : explanation.description)
            return ExitCode(explanation.outcome)
        } catch {
            try report.show(warned.diagnostics(after: error, checker), source: text, file: invocation[.file])
            return ExitCode(evaluating: error)
        }
    }
}

/// Explains the answers for records.
private func explainRecords(
    _ invocation: Invocation, _ predicate: FormatPredicate, _ read: PredicateText
) throws -> ExitCode {
    let variables = try invocation.variables(read.environment)
    var types = RecordTypes([RecordCheck(read, file: invocation[.file], reportsKeys: true)])
    var answers: Set<PredicateExplanation.Outcome> = []
    try Report(invocation).show(read.early, source: read.source, file: invocation[.file])
    try invocation.forEachRecord { record, place in
        types.add(record)
        let explanation = try predicate.explanation(for: record.value, variables: variables, run: read.run)
        answers.insert(explanation.outcome)
        try invocation.show(explanation, at: place)
    }
    _ = try types.show(in: Report(invocation))
    return answers.contains(.raised) ? .failed : answers.contains(.true) ? .success : .negative
}

extension ExitCode {
    /// The code for an explained answer.
    package init(_ outcome: PredicateExplanation.Outcome) {
        switch outcome {
        case .true: self = .success
        case .false, .skipped: self = .negative
        case .raised: self = .failed
        }
    }
}
