// Requests with a profile, and requests to lint. The WebAssembly module leaves this file out.
import PredicateRecords
import PredicateSQL
import PredicateSyntax

extension RequestService {
    /// The names of the built-in profiles, and what they are about.
    func profileList() throws(RequestProblem) -> Answer {
        let all = ProfileLibrary.names.map { name in
            let summary = PredicateValue.string(profiles[name]?.summary ?? "")
            return PredicateValue.object([("name", .string(name)), ("summary", summary)])
        }
        return Answer(members: [("profiles", JSON.text(.array(all)))])
    }

    /// The checks of the profile of a request; nil without one.
    func textProfile(_ fields: RequestFields, checksKeys: Bool) throws(RequestProblem) -> TextProfile? {
        try profile(fields).map { ProfileChecker(profile: $0, checksKeys: checksKeys).textProfile }
    }

    func completer(_ fields: RequestFields) throws(RequestProblem) -> Completer { Completer(try profile(fields)) }

    /// The profile of a request: the name of a built-in one, or the object of a profile's file. nil without one.
    private func profile(_ fields: RequestFields) throws(RequestProblem) -> Profile? {
        switch fields.values["profile"] {
        case nil: return nil
        case .string(let name):
            if let profile = profiles[name] { return profile }
            let nearest = Suggestions.nearest(to: name, in: ProfileLibrary.names).map { "; did you mean \($0)?" }
            throw RequestProblem("unknown profile '\(name)'" + (nearest ?? ""))
        case .dictionary(let value):
            let bytes = Array(JSON.text(.dictionary(value)).utf8)
            do throws(ProfileFailure) {
                return try ProfileLibrary.read(bytes, name: "profile", file: "profile", depth: 0) { _ in nil }
            } catch {
                throw RequestProblem(error.lines.joined(separator: "; "))
            }
        default: throw RequestProblem("\"profile\" must be a name or an object")
        }
    }

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
