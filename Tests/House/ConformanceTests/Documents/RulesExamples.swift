// swift-format-ignore-file
// The Swift of "Rules and access filters", compiled and run.

import PredicateRules
import PredicateSQL
import Testing

@Suite struct RulesExamples {
    @Test func rules() throws {
        // Rules-and-access-filters {
        let rule = try FormatPredicate("role == 'admin' OR (tenant == owner AND archived != YES)")
        let admin = try rule.partial(knowing: ["role": "admin"])  // .always
        let guest = try rule.partial(knowing: ["role": "guest", "tenant": 5])
        let rest = guest.predicate  // archived != 1 AND owner == 5
        // } Rules-and-access-filters
        #expect(admin == .always)
        #expect(rest.description == "archived != 1 AND owner == 5")

        // Rules-and-access-filters {
        let schema = try PredicateSchema([
            .init("Document", attributes: [.init("owner", .integer), .init("archived", .boolean)])
        ])
        let query = try rest.sql(.postgreSQL, entity: "Document", in: schema)
        let isExact = query.residual == nil  // true
        // } Rules-and-access-filters
        #expect(isExact)

        // Rules-and-access-filters {
        let typed = try FormatPredicate(text: "titel BEGINSWITH 'A'")
        let findings = try TypeChecker(schema: schema, entity: "Document").check(typed).map(\.message)
        // Document has no key 'titel'
        // } Rules-and-access-filters
        #expect(findings == ["Document has no key 'titel'"])
        #expect(throws: PredicateFailure.self) { try FormatPredicate(text: "title == 'a') OR (1 == 1") }

        // Rules-and-access-filters {
        let shared = try FormatPredicate("tenant == $user.tenant OR public == YES")
        let own = try shared.partial(knowing: ["tenant": 5], as: "user").predicate  // public == 1 OR tenant == 5
        // } Rules-and-access-filters
        #expect(own.description == "public == 1 OR tenant == 5")

        // Rules-and-access-filters {
        let filters = try FormatPredicate("(status == 1 OR status == 2) AND (status IN {2, 3} AND NOT (city != 'Oslo' OR 1 > 2))")
        let simple = filters.simplified().description  // city == "Oslo" AND status == 2
        // } Rules-and-access-filters
        #expect(simple == #"city == "Oslo" AND status == 2"#)
    }
}
