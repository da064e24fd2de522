// swift-format-ignore-file
// The Swift of "From NSPredicate", compiled and run.

import Foundation
import PredicateFoundation
import Testing

// From-NSPredicate {
struct Contact: Queryable {
    var name: String
    var age: Int?

    static let keys: KeyTable<Contact> = [.key("name", \.name), .key("age", \.age)]
}
// } From-NSPredicate

// From-NSPredicate {
typealias NSCompoundPredicate = CompoundPredicate
// } From-NSPredicate

@Suite struct FromNSPredicateExamples {
    @Test func oneImport() throws {
        // From-NSPredicate {
        let grownUps = NSPredicate(format: "age >= %d AND name BEGINSWITH[cd] %@", 18, "a")
        let persons: NSArray = [["name": "Ada", "age": 36], ["name": "Bob", "age": 17]]
        let some = persons.filtered(using: grownUps).count  // 1
        let sorted = persons.sortedArray(using: [NSSortDescriptor(key: "age", ascending: true)])  // Bob, Ada
        let known = NSCompoundPredicate(andPredicateWithSubpredicates: [grownUps, NSPredicate(format: "name != nil")])
        let words = known.description  // (age >= 18 AND name BEGINSWITH[cd] "a") AND name != nil
        let either = NSCompoundPredicate(orPredicateWithSubpredicates: [grownUps, NSPredicate { _, _ in true }])
        let every = persons.filtered(using: either).count  // 2

        let format = "name BEGINWITH 'A'"
        let checked = try? NSPredicate(checking: format)  // nil: BEGINWITH is not an operator
        // } From-NSPredicate
        #expect(words == #"(age >= 18 AND name BEGINSWITH[cd] "a") AND name != nil"#)
        #expect(some == 1 && every == 2 && checked == nil)
        #expect((sorted.first as? [String: Any])?["name"] as? String == "Bob")

        // From-NSPredicate {
        let converted = try FormatPredicate(grownUps)
        let shown = converted.description  // age >= 18 AND name BEGINSWITH[cd] "a"
        let object = try NSPredicate(FormatPredicate("age > 21 OR name == nil"))
        let isCompound = object is NSCompoundPredicate  // true
        // } From-NSPredicate
        #expect(shown == #"age >= 18 AND name BEGINSWITH[cd] "a""#)
        #expect(isCompound)
    }

    @Test func keyValueCoding() throws {
        // From-NSPredicate {
        let list: [[String: Any]] = [["owner": ["name": "Ada"]], ["owner": ["name": "Bob"]]]
        let owners = try FormatExpression("lists.@unionOfObjects.owner.name").evaluate(["lists": list])  // {"Ada", "Bob"}
        // } From-NSPredicate
        #expect(owners == .array(["Ada", "Bob"]))
    }

    @Test func examples() throws {
        // From-NSPredicate {
        let contacts = [Contact(name: "Ada", age: 36), Contact(name: "Bob", age: nil)]
        let predicate = try FormatPredicate("age > $least OR age == nil")
        let matcher = try predicate.compiled(for: Contact.self, variables: ["least": 21])
        let found = contacts.filter(matcher).map(\.name)  // ["Ada", "Bob"]

        let fixed = try predicate.substituting(["least": 21])
        let text = fixed.description  // age > 21 OR age == nil

        let one = FormatPredicate.comparison(.key("age"), .greaterThan, 21)
        let both = FormatPredicate.and([one, try FormatPredicate("name LIKE[c] 'a*'")])
        let other = both.description  // age > 21 AND name LIKE[c] "a*"
        let double = try FormatExpression("age * 2").evaluate(contacts[0])  // 72
        // } From-NSPredicate
        #expect(found == ["Ada", "Bob"])
        #expect(text == "age > 21 OR age == nil")
        #expect(other == #"age > 21 AND name LIKE[c] "a*""#)
        #expect(double == .integer(72))

        // From-NSPredicate {
        var functions = FunctionCatalog.standard
        functions.add(
            PredicateFunction("half:", arity: 1, signature: "half:(number)", summary: "half of a number") {
                (arguments, _) throws(EvaluationFault) in
                guard let number = arguments[0].doubleValue else { throw EvaluationFault(.operandType, "half:", "no number") }
                return .double(number / 2)
            })
        let environment = PredicateEnvironment(functions: functions)
        let isEighteen = try FormatPredicate("half:(age) == 18", in: environment).evaluate(["age": 36])  // true
        // } From-NSPredicate
        #expect(isEighteen)
    }
}
