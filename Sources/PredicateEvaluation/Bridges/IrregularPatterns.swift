// Where the operators' rules meet ICU: its outcomes as answers and faults.
import PredicateModel
import PredicateSyntax

enum IrregularPatterns {
    /// Compiles a pattern that our automaton cannot run.
    @Sendable static func compile(
        _ text: String, _ options: ComparisonOptions, _ limits: Limits
    ) throws(EvaluationFault) -> IrregularPattern {
        let pattern: ICUPattern
        do throws(ICUPatternError) {
            pattern = try ICUPattern(text, options: options, limits: limits)
        } catch {
            throw EvaluationFault(.malformedPattern, error.reason, at: .right)
        }
        return { (text) throws(EvaluationFault) in
            switch pattern.match(text) {
            case .matched: true
            case .notMatched: false
            case .budget: throw EvaluationFault(.patternBudget)
            }
        }
    }
}
