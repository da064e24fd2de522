// swift-format-ignore-file
// The Swift of "Rules and access filters". `.ci/examples` puts the blocks of the article in and runs it.

import PredicateRules
import PredicateSQL
import Testing

@Suite struct RulesExamples {
    @Test func rules() throws {
        // block: let rule = try FormatPredicate("role == 'admin' OR (tenant == owner AND archived != YES)")
        #expect(admin == .always)
        #expect(rest.description == "archived != 1 AND owner == 5")

        // block: let schema = try PredicateSchema([
        #expect(isExact)

        // block: let typed = try FormatPredicate(text: "titel BEGINSWITH 'A'")
        #expect(findings == ["Document has no key 'titel'"])
        #expect(throws: PredicateFailure.self) { try FormatPredicate(text: "title == 'a') OR (1 == 1") }

        // block: let shared = try FormatPredicate("tenant == $user.tenant OR public == YES")
        #expect(own.description == "public == 1 OR tenant == 5")

        // block: let filters = try FormatPredicate("(status == 1 OR status == 2) AND (status IN {2, 3} AND NOT (city != 'Oslo' OR 1 > 2))")
        #expect(simple == #"city == "Oslo" AND status == 2"#)
    }
}
