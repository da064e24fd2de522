// A comparison whose right side is known: what can be done once, before the first object, is done here. Tested equal to
// `Comparison`, which is the meaning.
import PredicateModel
import PredicateSyntax

struct PreparedComparison: Sendable {
    private enum Test: Sendable {
        case general
        case integer(Int64)
        case text(String)
        /// Membership in a long list.
        case members(Set<EqualityKey>)
        case pattern(TextTest)
    }

    private let comparison: Comparison
    private let right: Value
    private let form: Test

    /// - Throws: a malformed pattern.
    init(_ comparison: Comparison, _ right: Value) throws(EvaluationFault) {
        self.comparison = comparison
        self.right = right
        switch (comparison.operator, right) {
        case (.equal, .integer(let value)), (.notEqual, .integer(let value)), (.lessThan, .integer(let value)),
            (.lessThanOrEqual, .integer(let value)), (.greaterThan, .integer(let value)),
            (.greaterThanOrEqual, .integer(let value)):
            form = .integer(value)
        case (.equal, .string(let text)) where comparison.options.isEmpty,
            (.notEqual, .string(let text)) where comparison.options.isEmpty:
            form = .text(text)
        case (.in, .array(let elements)), (.in, .set(let elements)):
            form = elements.count > 8 ? .members(Set(elements.map(EqualityKey.init))) : .general
        case (.like, .string(let pattern)), (.matches, .string(let pattern)):
            form = .pattern(
                try TextTest(comparison.operator, pattern, comparison.options, rules: comparison.rules))
        default: form = .general
        }
    }

    func test(_ left: Value) throws(EvaluationFault) -> Bool {
        switch (form, left) {
        case (.integer(let b), .integer(let a)):
            switch comparison.operator {
            case .equal: return a == b
            case .notEqual: return a != b
            case .lessThan: return a < b
            case .lessThanOrEqual: return a <= b
            case .greaterThan: return a > b
            default: return a >= b
            }
        case (.text(let b), .string(let a)):
            return comparison.rules.equal(a, b, []) == (comparison.operator == .equal)
        case (.members(let members), _): return !left.isNil && members.contains(EqualityKey(left))
        case (.pattern(let pattern), .string(let text)): return try pattern.test(text)
        default: return try comparison.test(left, right)
        }
    }
}
