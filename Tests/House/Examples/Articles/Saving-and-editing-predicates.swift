// swift-format-ignore-file
// The Swift of "Saving and editing predicates". `.ci/examples` puts the blocks of the article in and runs it.

import Foundation
import Predicates
import Testing

@Suite struct SavingExamples {
    @Test func saving() throws {
        // block: let format = try FormatPredicate("%K BEGINSWITH[cd] %@", "name", "O'Hara")
        #expect(same)

        // block: let dated = try FormatPredicate("due < %@", Date(timeIntervalSinceReferenceDate: 0.125))
        #expect(isSame)
        #expect(String(decoding: saved, as: UTF8.self).contains(#"[{"$date":0.125}]"#))

        // block: let odd = try FormatPredicate("seen > %@ AND %K == %@", Date(timeIntervalSinceReferenceDate: 0.25), "first name", "Ada")
        #expect(isEqual)
        #expect(exact == #"seen > CAST(0.25, "$date") AND CAST("first name", "$key") == "Ada""#)
    }

    @Test func editing() throws {
        // block: let search = ["age >= 21", "city == 'Paris'"].map { try? FormatPredicate(text: $0) }
        #expect(shown == #"age >= 21 AND city == "Paris""#)

        // block: let template = try FormatPredicate("city == $city AND age >= $least")
        #expect(text == #"city == "Paris" AND age >= 21"#)

        // block: var keys: Set<String> = []
        #expect(keys == ["age", "city"])
        #expect(relaxed == #"age >= 21 AND city ==[cd] "Paris""#)
    }

    @Test func renaming() throws {
        // block: let version1 = try PredicateSchema([
        #expect(saved == #"title == "x" AND SUBQUERY(tags, $t, $t.name == "y").@count > 0"#)
    }
}
