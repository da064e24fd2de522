// An app that also imports frameworks with common type names. Every name must refer to one type. The test is that this
// file compiles.

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
