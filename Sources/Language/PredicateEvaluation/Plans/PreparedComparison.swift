// A comparison with a constant right side that is prepared once, before the first object. A test checks that its
// results equal those of `Comparison`.

/// A class, because plans of several kinds share it.
final class PreparedComparison: Sendable {
    enum Test: Sendable {
        case general
        case integer(Int64)
        /// A folded text, for `==`, `!=` and the substring operators.
        case needle(Needle)
        /// The elements of a long list, for IN.
        case members(Set<EqualityKey>)
        /// A pattern, and the index of its matcher in the context.
        case pattern(TextTest, Int)
    }

    let comparison: Comparison
    let right: PredicateValue
    let form: Test
    /// Whether this is a pattern comparison, whose matcher caches automaton states. A stored property, because testing
    /// the form would copy it.
    let isPattern: Bool
    /// The comparison as a closure, so that the form is not examined or copied for each object.
    private let plain: Plain
    private typealias Plain = @Sendable (PredicateValue) throws(EvaluationFault) -> Bool

    /// Whether the constant becomes a pattern, which needs a matcher in the context.
    static func needsMatcher(_ comparison: Comparison) -> Bool {
        comparison.operator == .like || comparison.operator == .matches
    }

    /// - Throws: `EvaluationFault` for a malformed pattern.
    init(_ comparison: Comparison, _ right: PredicateValue, matcher: Int = 0) throws(EvaluationFault) {
        self.comparison = comparison
        self.right = right
        switch (comparison.operator, right) {
        case (.equal, .integer(let value)), (.notEqual, .integer(let value)), (.lessThan, .integer(let value)),
            (.lessThanOrEqual, .integer(let value)), (.greaterThan, .integer(let value)),
            (.greaterThanOrEqual, .integer(let value)):
            form = .integer(value)
        case (.equal, .string(let text)), (.notEqual, .string(let text)), (.beginsWith, .string(let text)),
            (.endsWith, .string(let text)), (.contains, .string(let text)):
            let isPlain = !comparison.options.contains(.localeSensitive)
            form = isPlain ? .needle(Needle(text, options: comparison.options)) : .general
        case (.in, .array(let elements)), (.in, .set(let elements)):
            let isHashed = elements.count > 8 && !right.hasObjects
            form = isHashed ? .members(Set(elements.map(EqualityKey.init))) : .general
        case (.like, .string(let text)), (.matches, .string(let text)):
            let test = try TextTest(comparison.operator, text, comparison.options, rules: comparison.rules)
            form = .pattern(test, matcher)
        default: form = .general
        }
        if case .pattern = form { isPattern = true } else { isPattern = false }
        plain = Self.plain(comparison, right, form)
    }

    func test(_ left: PredicateValue, _ context: inout EvaluationContext) throws(EvaluationFault) -> Bool {
        if isPattern, case .pattern(let test, let index) = form, case .string(let text) = left {
            return try context.test(text, context.matcher(at: index, test))
        }
        return try test(left)
    }

    /// Compares without a context. A pattern gets a new matcher.
    func test(_ left: PredicateValue) throws(EvaluationFault) -> Bool { try plain(left) }

    private static func plain(_ comparison: Comparison, _ right: PredicateValue, _ form: Test) -> Plain {
        switch form {
        case .integer(let b):
            let name = comparison.operator
            return { (left) throws(EvaluationFault) in
                guard case .integer(let a) = left else { return try comparison.test(left, right) }
                return switch name {
                case .equal: a == b
                case .notEqual: a != b
                case .lessThan: a < b
                case .lessThanOrEqual: a <= b
                case .greaterThan: a > b
                default: a >= b
                }
            }
        case .needle(let needle):
            let name = comparison.operator
            return { (left) throws(EvaluationFault) in
                guard case .string(let text) = left else { return try comparison.test(left, right) }
                return switch name {
                case .equal: needle.equals(text)
                case .notEqual: !needle.equals(text)
                case .beginsWith: needle.isPrefix(of: text)
                case .endsWith: needle.isSuffix(of: text)
                default: needle.isContained(in: text)
                }
            }
        case .members(let members):
            return { (left) throws(EvaluationFault) in !left.isNil && members.contains(EqualityKey(left)) }
        case .general, .pattern: return { (left) throws(EvaluationFault) in try comparison.test(left, right) }
        }
    }
}
