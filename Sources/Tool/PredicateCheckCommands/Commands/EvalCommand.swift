// `predicate eval`: evaluates a predicate or an expression for one object.

extension CommandDescription {
    package static let eval = CommandDescription(
        name: "eval", summary: "evaluates a predicate for one object",
        operands: "PREDICATE [FILE…]", operandCount: 0...Int.max,
        options: [.object, .expression] + OptionDescription.records + [.file, .batch] + OptionDescription.common,
        details: """
            Prints true or false; the exit code is 0 or 1. The object is JSON, with tags such as {"$date":
            "2026-03-01"} and {"$set": […]} for values that JSON does not have. Without an object, SELF is nil, and a
            note says so if the predicate reads a key.

            \(OptionDescription.recordsHelp)
            The exit code is 0 if the answer is true for a record.

            \(Batch.help)
            """,
        examples: [
            "predicate eval 'age > 21' --object '{\"age\": 30}'",
            "predicate eval --expression 'price * %@' --args '[1.19]' < item.json",
            "predicate eval --expression 'name.length' people.csv --limit 3",
        ]
    ) { invocation in
        if let name = invocation[.batch] {
            return try Batch(invocation).run(name) { request in
                Answer(evaluating: request.read(), input: try request.input(), variables: request.variables)
            }
        }
        let text = try invocation.text(otherOperands: true)
        var reader = try invocation.textReader(unbound: false)
        if invocation.has(.expression) { reader.kind = .expression }
        let report = Report(invocation)
        let read = reader.read(text)
        if read.hasErrors, report.format != .json { return try invocation.refuse(read, report) }
        let variables = try invocation.variables(reader.environment)
        if invocation.hasRecords { return try evaluateRecords(invocation, read, variables) }
        let object = try invocation.object(reader.environment)
        if object == nil, read.syntaxTree.readsRecords, report.format == .text {
            try invocation.output.note(
                "no object was given, so every key is nil: --object '{\"a\": 1}', or pipe one in")
        }
        let answer = Answer(evaluating: read, input: object ?? EvaluationInput(object: .null), variables: variables)
        if report.format == .json {
            try invocation.output.line(answer.json)
        } else {
            try report.show(answer.diagnostics, source: text, file: invocation[.file])
            if let result = answer.result { try invocation.output.line(result) }
        }
        return answer.code
    }
}

private func evaluateRecords(
    _ invocation: Invocation, _ read: PredicateText, _ variables: PredicateVariables
) throws -> ExitCode {
    let report = Report(invocation)
    var types = RecordTypes([RecordCheck(read, file: invocation[.file], reportsKeys: true)])
    var skipped = SkippedRecords()
    var isAny = false
    if report.format != .json { try report.show(read.early, source: read.source, file: invocation[.file]) }
    try invocation.forEachRecord { record, place in
        if report.format == .json {
            let answer = Answer(evaluating: read, input: EvaluationInput(object: record.value), variables: variables)
            try invocation.output.line("{\"record\":\(JSON.text(.string(place))),\"answer\":\(answer.json)}")
            isAny = isAny || answer.code == .success
            if answer.code == .failed, invocation[.onError] != "skip" { throw CommandEnd.exit(.failed) }
            return
        }
        types.add(record)
        do throws(PredicateFailure) {
            let value = try read.evaluate(record.value, variables: variables)
            isAny = isAny || value != .bool(false) || invocation.has(.expression)
            try? invocation.output.line(DisplayText.visible(place) + ": " + TaggedJSON.answer(value))
        } catch {
            if invocation[.onError] == "skip", !skipped.add(error) { return }
            try invocation.output.note(DisplayText.visible(place) + ": the predicate cannot be evaluated")
            try report.show(types.advising(error.diagnostics, of: read), source: read.source, file: invocation[.file])
            guard invocation[.onError] == "skip" else {
                _ = try types.show(in: report)
                throw CommandEnd.exit(ExitCode(evaluating: error))
            }
        }
    }
    _ = try types.show(in: report)
    for line in skipped.summary("record") { try invocation.output.note(line) }
    return isAny ? .success : .negative
}

extension Invocation {
    /// The object to evaluate: `--object`, else standard input; nil if neither gives one.
    func object(_ environment: PredicateEnvironment) throws -> EvaluationInput? {
        let text: [UInt8]
        if let object = self[.object] {
            text = Array(object.utf8)
        } else if input.isTerminal || self[.file] == "-" {
            text = []
        } else {
            text = try input.bytes("-")
        }
        guard text.contains(where: { $0 > 0x20 }) else { return nil }
        let types = try fieldTypes() ?? FieldTypes()
        do {
            var read = try TaggedReader(JSON.parse(text)).evaluationInput(environment)
            read.object = try types.convert(read.object)
            read.filtered = try read.filtered?.map { try types.convert($0) }
            return read
        } catch let problem as FieldTypeProblem {
            throw CommandEnd.failure(.failed, "the object cannot be read: \(problem.message)")
        } catch let problem as RequestProblem {
            throw CommandEnd.usage("the object cannot be read: \(problem.message)")
        } catch let problem as JSONProblem {
            throw CommandEnd.usage(
                "the object is not JSON: \(problem)", hint: "quote it for the shell: --object '{\"a\": 1}'")
        }
    }
}
