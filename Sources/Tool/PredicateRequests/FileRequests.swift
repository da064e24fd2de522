// Requests to lint.

extension RequestService {
    /// Returns the findings in the text of a file. The format follows from the file's name. A profile in the request is
    /// used for all predicates, instead of the profile that follows from the place of each.
    func lint(_ fields: RequestFields) throws(RequestProblem) -> Answer {
        guard let text = try fields.text("text") else { throw RequestProblem("\"text\" must be a text") }
        let file = SourceFile(try fields.text("name") ?? "")
        let bytes = Array(text.utf8)
        guard file.kind(of: bytes) != .unknown else {
            throw RequestProblem("lint does not read this kind of file: \"name\" is '\(file.path)'")
        }
        let schema = try fields.values["schema"].map { (value) throws(RequestProblem) in
            let known = try self.schema(value)
            return LintSchema(schema: known, entity: try fields.text("entity") ?? known.defaultEntity)
        }
        let calls = try fields.texts("calls").map { (text) throws(RequestProblem) in
            guard let pattern = CallPattern(text) else { throw RequestProblem("'\(text)' is not a call: find(where:)") }
            return pattern
        }
        let linter = Linter(
            environment: .standard, profile: try profile(fields), schema: schema, keys: try fields.texts("keys"),
            calls: calls, profiles: profiles)
        do throws(DocumentProblem) {
            let found = try linter.lint(file, bytes) ?? LintedFile(path: file.path, source: text)
            return Answer(found, lists: fields.values["list"] == .bool(true))
        } catch {
            let place = TextPosition(of: error.offset, in: bytes)
            throw RequestProblem("\(file.path):\(place.line):\(place.column): \(error.message)")
        }
    }
}
