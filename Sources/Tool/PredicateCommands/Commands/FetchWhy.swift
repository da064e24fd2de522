// `predicate fetch --why KEY`: explains why one row is selected or not, in three parts: the evaluator's explanation,
// what the SQL does with the row, and what is tested in memory.

/// What a database and the memory do with one row.
struct RowDecision {
    /// Whether the SQL returns the row.
    var isReturned: Bool
    /// Whether the SQL says that the row needs no residual.
    var isCertain: Bool
    /// The predicate that is tested in memory on returned rows; nil if the SQL is exact.
    var residual: FormatPredicate?

    /// Whether the row is tested in memory.
    var isTested: Bool { isReturned && !isCertain && residual != nil }
}

extension DatabaseStore {
    /// Runs the statement of a request for one row, without the test in memory.
    func decision(about request: StoreRequest) throws(StoreFailure) -> RowDecision {
        let plan = try plan(request)
        let found = try rows(plan.statement.text, plan.statement.bindings).first
        return RowDecision(
            isReturned: found != nil, isCertain: plan.statement.hasCertain && found?.last?.isTrue ?? false,
            residual: plan.residual)
    }

    /// The predicate of the row with a primary key, which is a text with a comma between columns.
    func predicate(ofKey text: String, entity: String) throws -> FormatPredicate {
        let attributes = schema.lineage(of: entity).flatMap(\.attributes)
        let key = schema.primaryKey(of: entity).map { column in attributes.first { $0.column == column } }
        guard !key.isEmpty else { throw CommandEnd.usage("--why needs a primary key, and \(entity) has none") }
        let names = key.compactMap { $0?.name }
        guard names.count == key.count else {
            throw CommandEnd.usage("--why needs the primary key of \(entity) among its attributes")
        }
        // A key of one column may contain commas.
        let texts =
            key.count == 1 ? [text] : text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard texts.count == key.count else {
            throw CommandEnd.usage("the key of \(entity) is \(names.joined(separator: ",")), not '\(text)'")
        }
        var terms: [FormatPredicate] = []
        for (attribute, text) in zip(key.compactMap(\.self), texts) {
            do {
                let value = try attribute.type.converted(.string(text), field: attribute.name)
                terms.append(try FormatPredicate("%K == %@", attribute.name, value))
            } catch let problem as FieldTypeProblem {
                throw CommandEnd.usage("--why: \(problem.message)")
            }
        }
        return terms.dropFirst().reduce(terms[0]) { $0 && $1 }
    }
}

extension FetchRun {
    /// Prints the explanation of one row. The exit code is that of `predicate why`.
    func explain(rowWithKey key: String) throws -> ExitCode {
        let ofRow = try store.predicate(ofKey: key, entity: request.entity)
        guard let object = try store.fetch(StoreRequest(request.entity, where: ofRow)).first else {
            throw CommandEnd.failure(.negative, "\(request.entity) has no row with the key \(key)")
        }
        let single = StoreRequest(request.entity, where: request.predicate && ofRow)
        let decision = try store.decision(about: single)
        let record = PredicateValue.object(ObjectReference(object))
        let explanation = try request.predicate.explanation(for: record)
        let tested = decision.isTested ? try decision.residual?.explanation(for: record) : nil
        try object.checkFaults()
        try showWarnings()
        if report.format == .json {
            try invocation.output.line(explanation.json(decision, tested))
        } else {
            try invocation.output.line(explanation.description)
            try invocation.output.line(decision.sentence(tested))
        }
        return ExitCode(explanation.outcome)
    }
}

extension RowDecision {
    /// The decision in words.
    fileprivate func sentence(_ tested: PredicateExplanation?) -> String {
        let sql = isReturned ? "SQL returns the row" : "SQL does not return the row"
        if let tested, let residual { return "\(sql); in memory, \(residual) is \(tested.outcome.rawValue)" }
        if residual == nil { return "\(sql); nothing is tested in memory" }
        return isReturned ? "\(sql), and it needs no test in memory" : "\(sql), so it is not tested in memory"
    }
}

extension PredicateExplanation {
    /// The explanation as JSON, with `sql` and `memory`.
    fileprivate func json(_ decision: RowDecision, _ tested: PredicateExplanation?) -> String {
        var memory: PredicateValue = .null
        if let residual = decision.residual {
            memory = .object([
                ("residual", .string(residual.description)),
                ("outcome", .string((tested?.outcome ?? .skipped).rawValue)),
            ])
        }
        let sql = PredicateValue.object([("returns", .bool(decision.isReturned))])
        return JSON.text(.object(fields + [("sql", sql), ("memory", memory)]))
    }
}
