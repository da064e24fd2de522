// Encodes the answer to one text as JSON for other programs. The keys and their order are API.

/// `{"id", "ok", "canonical"?, "tree"?, "result"?, "diagnostics"?}`
package struct Answer {
    /// The ID of the request; any JSON value.
    package var id: PredicateValue?
    package var canonical: String?
    /// The tree, in the form of Grammar/tree.schema.json.
    package var tree: PredicateValue?
    /// The result as JSON.
    package var result: String?
    package var query: SQLQuery?
    /// The statement, for requests other than a simple selection.
    package var statement: SQLStatement?
    /// Other members, with their JSON.
    package var members: [(name: String, json: String)] = []
    package private(set) var diagnostics: [PredicateDiagnostic] = []
    package private(set) var source: String
    package private(set) var code: ExitCode

    /// The answer for a text that is only checked.
    package init(checking text: PredicateText, id: PredicateValue? = nil) {
        self.id = id
        canonical = text.hasErrors ? nil : text.predicateFormat
        diagnostics = text.diagnostics
        source = text.source
        code = text.code
    }

    /// The answer for a text that is evaluated, if it has no errors.
    package init(evaluating text: PredicateText, input: EvaluationInput, variables: PredicateVariables) {
        var text = text.substituting(input.substitutions)
        let checker = input.shape.checker(text.environment)
        text = text.warned(byTypesOfObjects: checker)
        source = text.source
        diagnostics = text.diagnostics
        guard !text.hasErrors else {
            code = text.code
            return
        }
        canonical = text.predicateFormat
        do {
            let value = try input.evaluate(text, variables)
            result = TaggedJSON.answer(value)
            code = if case .bool(false) = value, case .predicate = text.tree { .negative } else { .success }
        } catch {
            diagnostics = text.diagnostics(after: error, checker)
            code = ExitCode(evaluating: error)
        }
    }

    /// The answer for a predicate without errors that is translated to SQL.
    /// - Parameters:
    ///   - request: the statement to translate it to; nil is a simple selection.
    ///   - option: how the caller spells `allowingConstantComparisons`.
    package init(
        translating predicate: FormatPredicate, _ text: PredicateText, _ dialect: SQLDialect, _ entity: String,
        _ schema: PredicateSchema, _ request: SQLQuery.Request? = nil, _ clock: PredicateClock = .now,
        requireExact: Bool = false, allowingConstantComparisons: Bool = false, option: String
    ) {
        self.init(checking: text)
        do throws(PredicateFailure) {
            if let request {
                statement = try predicate.sql(
                    request, dialect, entity: entity, in: schema, clock: clock,
                    allowingConstantComparisons: allowingConstantComparisons)
            }
            query = try predicate.sql(dialect, entity: entity, in: schema, requireExact: requireExact, clock: clock)
        } catch {
            refuse(error.replacing("allowingConstantComparisons", by: option))
        }
    }

    /// The answer if the schema does not have the entity.
    package init(_ failure: PredicateFailure) {
        diagnostics = failure.diagnostics
        source = failure.source
        code = .refused
    }

    /// The answer to a request without a text.
    package init(members: [(name: String, json: String)]) {
        self.members = members
        source = ""
        code = .success
    }

    /// The findings of a file.
    package init(_ file: LintedFile, lists: Bool) {
        members = file.members(lists: lists)
        diagnostics = file.diagnostics
        source = file.source
        code = file.code
    }

    /// The answer to a malformed request.
    package init(id: PredicateValue? = nil, _ problem: RequestProblem) {
        self.id = id
        diagnostics = [
            PredicateDiagnostic(.malformedRequest, at: SourceSpan(problem.offset, problem.offset), problem.message)
        ]
        source = ""
        code = .usage
    }

    /// Adds the errors of a text that cannot be evaluated or translated.
    package mutating func refuse(_ failure: PredicateFailure) {
        diagnostics = diagnostics.merged(with: failure.diagnostics)
        source = failure.source
        code = .refused
    }

    package var json: String {
        var fields: [String] = []
        if let id { fields.append("\"id\":" + JSON.text(id)) }
        fields.append("\"ok\":\(!diagnostics.contains { $0.severity == .error })")
        if let canonical { fields.append("\"canonical\":" + JSON.text(.string(canonical))) }
        if let tree { fields.append("\"tree\":" + JSON.text(tree)) }
        if let result { fields.append("\"result\":" + result) }
        if let query { fields += query.jsonFields(statement) }
        fields += members.map { JSON.text(.string($0.name)) + ":" + $0.json }
        if !diagnostics.isEmpty {
            fields.append("\"diagnostics\":" + JSONRenderer().render(diagnostics, source: source))
        }
        return "{" + fields.joined(separator: ",") + "}"
    }
}

extension SQLQuery {
    /// The members of the JSON answer.
    package func jsonFields(_ request: SQLStatement?) -> [String] {
        func text(_ text: String) -> String { JSON.text(.string(text)) }
        var fields = [
            "\"sql\":" + text(self.text), "\"from\":" + text(from), "\"statement\":" + text(request?.text ?? statement),
        ]
        let bindings = request?.bindings ?? bindings
        let requires = request?.requires ?? requires
        fields.append("\"bindings\":[" + bindings.map(TaggedJSON.text).joined(separator: ",") + "]")
        fields.append("\"exactness\":" + text(exactness))
        if let residual { fields.append("\"residual\":" + TaggedJSON.text(ExactForm(residual.root))) }
        if let request {
            fields.append("\"sorted\":\(request.isSorted),\"limited\":\(request.isLimited)")
            fields.append("\"sure\":\(request.hasCertain)")
        }
        let reasons = reasons.map { reason in
            var members = ["\"construct\":" + text(reason.construct), "\"sentence\":" + text(reason.sentence)]
            if let column = reason.column { members.append("\"column\":" + text(column)) }
            members.append("\"start\":\(reason.span.start),\"end\":\(reason.span.end)")
            return "{" + members.joined(separator: ",") + "}"
        }
        if !reasons.isEmpty { fields.append("\"reasons\":[" + reasons.joined(separator: ",") + "]") }
        if !requires.isEmpty {
            fields.append("\"requires\":[" + requires.map(text).joined(separator: ",") + "]")
        }
        return fields
    }
}

extension [PredicateDiagnostic] {
    /// Appends later diagnostics. An earlier diagnostic with the same ID and position is dropped, for example a warning
    /// that became an error. So is the warning about a comparison for which a change is refused.
    package func merged(with later: [PredicateDiagnostic]) -> [PredicateDiagnostic] {
        let earlier = filter { earlier in
            !later.contains { later in
                let isRefused = later.id == .changeCondition && earlier.id == .comparisonConstant
                return later.span == earlier.span && (later.id == earlier.id || isRefused)
            }
        }
        let all = (earlier + later).ordered { $0.severity == .error && $1.severity != .error }
        return all.ordered { $0.span.start < $1.span.start }
    }
}

extension PredicateFailure {
    /// The failure with another word in the details of its diagnostics: the option of the command instead of Swift's.
    fileprivate func replacing(_ word: String, by option: String) -> PredicateFailure {
        PredicateFailure(diagnostics.map { $0.mappingDetails { $0 == word ? option : $0 } }, source: source)
    }
}
