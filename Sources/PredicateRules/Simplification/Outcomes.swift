// The results that a predicate may have.
import PredicateEvaluation
import PredicateModel
import PredicateSyntax

/// Some of the results of an evaluation: true, false, an error.
struct Outcomes: OptionSet, Hashable {
    let rawValue: UInt8

    static let `true` = Outcomes(rawValue: 1)
    static let `false` = Outcomes(rawValue: 2)
    static let raised = Outcomes(rawValue: 4)
    static let answers: Outcomes = [.true, .false]
    static let notTrue: Outcomes = [.false, .raised]
    static let all: Outcomes = [.true, .false, .raised]

    init(rawValue: UInt8) { self.rawValue = rawValue }
    init(_ answer: Bool) { self = answer ? .true : .false }

    /// The result of a predicate for an object.
    init(of plan: DynamicPlan, for object: PredicateValue) {
        var context = EvaluationContext(object: object, plan: plan)
        do throws(EvaluationFault) { self.init(try plan.test(&context)) } catch { self = .raised }
    }

    /// The results of the negation.
    var negated: Outcomes {
        var result = intersection(.raised)
        if contains(.true) { result.insert(.false) }
        if contains(.false) { result.insert(.true) }
        return result
    }
}
