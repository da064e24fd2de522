// swift-format-ignore-file
// The Swift of "From NSPredicate". `.ci/examples` puts the blocks of the article in and runs it.

import Foundation
import PredicateFoundation
import Testing

// block: struct Contact: Queryable {
// block: typealias NSCompoundPredicate = CompoundPredicate

@Suite struct FromNSPredicateExamples {
    @Test func oneImport() throws {
        // block: let grownUps = NSPredicate(format: "age >= %d AND name BEGINSWITH[cd] %@", 18, "a")
        #expect(words == #"(age >= 18 AND name BEGINSWITH[cd] "a") AND name != nil"#)
        #expect(some == 1 && every == 2 && checked == nil)
        #expect((sorted.first as? [String: Any])?["name"] as? String == "Bob")

        // block: let converted = try FormatPredicate(grownUps)
        #expect(shown == #"age >= 18 AND name BEGINSWITH[cd] "a""#)
        #expect(isCompound)
    }

    @Test func keyValueCoding() throws {
        // block: let list: [[String: Any]] = [["owner": ["name": "Ada"]], ["owner": ["name": "Bob"]]]
        #expect(owners == .array(["Ada", "Bob"]))
    }

    @Test func examples() throws {
        // block: let contacts = [Contact(name: "Ada", age: 36), Contact(name: "Bob", age: nil)]
        #expect(found == ["Ada", "Bob"])
        #expect(text == "age > 21 OR age == nil")
        #expect(other == #"age > 21 AND name LIKE[c] "a*""#)
        #expect(double == .integer(72))

        // block: var functions = FunctionCatalog.standard
        #expect(isEighteen)
    }
}
