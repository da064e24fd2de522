import PredicateTestSupport
import Testing

// The shortcuts of a plan give the result of the operator: every operator with every pair of values from a pool.
@testable import PredicateEvaluation

struct PreparedComparisonTests {
    static let pool: [PredicateValue] =
        [
            .null, .nsNull, .bool(true), .integer(0), .integer(1), .integer(.min), .double(1), .double(.nan),
            .double(1.5), .float(1), .decimal(DecimalNumber(1)), .string(""), .string("a"), .string("A"),
            .string("abc"), .string("a*"), .date(0), .data([]), .url("a"), .array([]),
            .array([.integer(1), .integer(5)]), .array((0..<20).map { .integer($0) }),
            .set((0..<20).map { .double(Double($0)) }),
            .array((0..<9).map { .string("\($0)") } + [.null, .string("a")]),
            .dictionary(ValueDictionary([("k", .string("a"))])),
        ]

    @Test(.cases) func preparedComparisonsAgreeWithTheOperator() {
        let cases: [ComparisonOperator] = [
            ComparisonOperator.equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual,
            .beginsWith, .endsWith, .contains, .in, .between, .like, .matches, .utiEquals, .utiConformsTo,
            .tokenMatches, .custom("x:"),
        ]
        forEachCase(cases) { op in
            // Any plan with a matcher is suitable.
            let plan = try Binding(variables: [:], run: PredicateRun())
                .plan(FormatPredicate("SELF LIKE 'x'"), isStrict: true)
            for options in [
                ComparisonOptions(), .caseInsensitive, [.caseInsensitive, .diacriticInsensitive], .normalized,
            ] {
                let comparison = Comparison(op, options)
                for right in Self.pool {
                    guard let prepared = try? PreparedComparison(comparison, right) else { continue }
                    var context = EvaluationContext(object: .null, plan: plan)
                    for left in Self.pool {
                        let meaning = Result { () throws(EvaluationFault) in try comparison.test(left, right) }
                        let shortcut = Result { () throws(EvaluationFault) in try prepared.test(left, &context) }
                        #expect(meaning == shortcut, "\(left) \(op.spelling)\(options.spelling) \(right)")
                    }
                }
            }
        }
    }
}
