// An app that also imports frameworks with common type names. Every name must refer to one type. The test is that this
// file compiles.

import AppFrameworkNames
import PredicateEditor
import PredicateRules
import PredicateSQL
import PredicateStores
import PredicateSyntax
import Predicates
import Testing

@Suite struct ClashingNames {
    @Test func commonNamesKeepTheMeaningThatTheAppGaveThem() {
        let values: [Any] = [
            Table(), Schema(), Entity(), Attribute(), Relationship(), Key(), Value(), Token(), Lexer(), Parser(),
            Function(), Store(), Dialect(), Limits(), Walker(), Rewriter(), Comparison(), Keyword(), Predicate(),
            PredicateError(), Expression(), SortDescriptor(), Column(), Row(), Query(), Statement(), Field(), Index(),
            Context(), Matcher(), Diagnostic(), SortKey(), FetchRequest(), TextRenderer(), DeleteRule(), Parsed(),
            AttributeType(), SQLRequest(), List(),
        ]
        #expect(values.allSatisfy { String(reflecting: type(of: $0)).hasPrefix("AppFrameworkNames.") })
    }
}
