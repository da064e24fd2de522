// The module has no profiles and does not lint, to be small.
import PredicateSyntax

extension RequestService {
    private static let problem = RequestProblem("the module has no profiles and does not lint; 'predicate answer' does")

    func profileList() throws(RequestProblem) -> Answer { throw Self.problem }

    func textProfile(_ fields: RequestFields, checksKeys: Bool) throws(RequestProblem) -> TextProfile? {
        guard fields.values["profile"] == nil else { throw Self.problem }
        return nil
    }

    func completer(_ fields: RequestFields) throws(RequestProblem) -> Completer {
        guard fields.values["profile"] == nil else { throw Self.problem }
        return Completer()
    }

    func lint(_ fields: RequestFields) throws(RequestProblem) -> Answer { throw Self.problem }
}
