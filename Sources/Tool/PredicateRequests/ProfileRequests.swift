// Requests with a profile.

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
    func profile(_ fields: RequestFields) throws(RequestProblem) -> Profile? {
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
}
