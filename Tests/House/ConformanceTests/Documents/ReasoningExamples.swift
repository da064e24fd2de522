// swift-format-ignore-file
// The Swift of "What two rules have in common", compiled and run.

import PredicateRules
import Testing

@Suite struct ReasoningExamples {
    @Test func claims() throws {
        // What-two-rules-have-in-common {
        let vip = try FormatPredicate("total > 500 AND country IN {'DE', 'FR'}")
        let big = vip.implies(try FormatPredicate("total >= 100"))  // .proven
        let german = vip.implies(try FormatPredicate("country == 'DE'"))  // .refuted({country: "FR", total: 501})
        // } What-two-rules-have-in-common
        #expect(big == .proven)
        #expect(german == .refuted(.dictionary(ValueDictionary([("total", 501), ("country", "FR")]))))

        // What-two-rules-have-in-common {
        let gap = try FormatPredicate("age > 30 AND age < 20").satisfiability()  // .refuted: no object fulfils it
        let same = try FormatPredicate("NONE tags == 'late'").isEquivalent(
            to: try FormatPredicate("ALL tags != 'late'"))  // .proven
        let apart = try FormatPredicate("name BEGINSWITH 'A'").isDisjoint(
            from: try FormatPredicate("name IN {'Bob', 'Cy'}"))  // .proven
        // } What-two-rules-have-in-common
        #expect(gap == .refuted)
        #expect(same == .proven)
        #expect(apart == .proven)

        // What-two-rules-have-in-common {
        let schema = try PredicateSchema([
            .init("Person", attributes: [.init("age", .integer), .init("nick", .string, isOptional: true)])
        ])
        let (young, notOld) = (try FormatPredicate("age <= 3"), try FormatPredicate("NOT age > 3"))
        let untyped = notOld.implies(young)  // .refuted({}): age is nil
        let typed = notOld.implies(young, for: schema)  // .proven
        let whole = try FormatPredicate("age > 2 AND age < 5").implies(
            try FormatPredicate("age IN {3, 4}"), for: schema)  // .proven: ages are integers
        // } What-two-rules-have-in-common
        #expect(untyped == .refuted(.dictionary(ValueDictionary([]))))
        #expect(typed == .proven)
        #expect(whole == .proven)

        // What-two-rules-have-in-common {
        let doubt = try FormatPredicate("total > $least").implies(try FormatPredicate("total > 3"))
        // .unknown(.variable("least"))
        // } What-two-rules-have-in-common
        #expect(doubt == .unknown(.variable("least")))
    }
}
