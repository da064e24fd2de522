// The module does not lint, to be small.
import PredicateSyntax

extension RequestService {
    func lint(_ fields: RequestFields) throws(RequestProblem) -> Answer {
        throw RequestProblem("the module does not lint; 'predicate answer' does")
    }
}
