// An app that imports frameworks with common names beside this package. Every name must have one meaning: this file
// tests that by compiling.

import AppFrameworkNames
import PredicateSQL
import PredicateStores
import PredicateSyntax
import Predicates
import Testing

@Suite struct ClashingNames {
    @Test func commonNamesKeepTheMeaningThatTheAppGaveThem() {
        let values: [Any] = [
            Table(),
            Schema(),
            Entity(),
            Attribute(),
            Relationship(),
            Key(),
            Value(),
            Token(),
            Lexer(),
            Parser(),
            Function(),
            Store(),
            Dialect(),
            Limits(),
            Walker(),
            Rewriter(),
            Comparison(),
            Keyword(),
            Predicate(),
            PredicateError(),
            Expression(),
            SortDescriptor(),
            Column(),
            Row(),
            Query(),
            Statement(),
            Field(),
            Index(),
            Context(),
        ]
        #expect(values.allSatisfy { String(reflecting: type(of: $0)).hasPrefix("AppFrameworkNames.") })
    }
}
