// An app that imports PredicateCompatibility in place of Foundation, and frameworks with names that apps have already. The
// test is that this file compiles. ClashingNames.swift does the same for the other modules, without Foundation's names.

import AppFrameworkNames
import PredicateCompatibility
import Testing

@Suite struct CompatibleNames {
    @Test func namesOfFrameworksKeepTheirMeaning() {
        let values: [Any] = [
            Matcher(), Diagnostic(), SortKey(), FetchRequest(), TextRenderer(), DeleteRule(), Parsed(), AttributeType(),
            SQLRequest(), List(),
        ]
        #expect(values.allSatisfy { String(reflecting: type(of: $0)).hasPrefix("AppFrameworkNames.") })
    }
}
