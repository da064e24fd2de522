// NSPredicate off Apple's platforms: construction, evaluation, structure.
import Foundation
import PredicateFoundation
import Testing

@Suite struct PredicateObjectTests {
    @Test func formats() throws {
        #expect(NSPredicate(format: "age > 21").evaluate(with: ada))
        #expect(NSPredicate(format: "age > %d AND name BEGINSWITH[c] %@", 21, "a").evaluate(with: ada))
        #expect(!NSPredicate(format: "%K == %@", "name", "Bob").evaluate(with: ada))
        #expect(NSPredicate(format: "name IN %@", ["Ada", "Bob"]).evaluate(with: bob))
        #expect(NSPredicate(format: "name == %@", argumentArray: ["Bob"]).evaluate(with: bob))
        #expect(NSPredicate(format: "boss == %@", ada).evaluate(with: bob))
        #expect(NSPredicate(format: "boss.name == 'Ada'").evaluate(with: bob))
        #expect(NSPredicate(format: "city == nil").evaluate(with: eve))
        #expect(NSPredicate(format: "age > 21", "surplus").evaluate(with: ada))
        #expect(NSPredicate(format: "ANY tags == %@", "code").evaluate(with: eve))
        let optional: String? = nil
        #expect(NSPredicate(format: "city == %@", optional).evaluate(with: eve))
        #expect(try names("born > %@", Date(timeIntervalSinceReferenceDate: 0)) == ["Bob", "Eve"])
    }

    @Test func variableArguments() {
        let arguments: [any CVarArg] = ["name", NSString("Ada"), 21, 1.5]
        let predicate = withVaList(arguments) {
            NSPredicate(format: "%K == %@ AND age > %ld AND age > %f", arguments: $0)
        }
        #expect("\(predicate)" == #"name == "Ada" AND age > 21 AND age > 1.5"#)
    }

    @Test func structure() throws {
        let predicate = NSPredicate(format: "age > 21 AND NOT name BEGINSWITH[cd] %@", "B")
        let compound = try #require(predicate as? NSCompoundPredicate)
        #expect(compound.compoundPredicateType == .and)
        #expect(compound.subpredicates.count == 2)
        let first = try #require(compound.subpredicates[0] as? NSComparisonPredicate)
        #expect(first.leftExpression.keyPath == "age")
        #expect(first.rightExpression.constantValue as? Int == 21)
        #expect(first.predicateOperatorType == .greaterThan)
        #expect(first.comparisonPredicateModifier == .direct)
        let not = try #require(compound.subpredicates[1] as? NSCompoundPredicate)
        #expect(not.compoundPredicateType == .not)
        let second = try #require(not.subpredicates[0] as? NSComparisonPredicate)
        #expect(second.options == [.caseInsensitive, .diacriticInsensitive])
        #expect("\(predicate)" == #"age > 21 AND (NOT name BEGINSWITH[cd] "B")"#)
    }

    /// A constant object prints as its description, as on Apple's platforms.
    @Test func objectsPrintTheirDescriptions() {
        final class Named: CustomStringConvertible { var description: String { "the lamp" } }
        let note = Note("a", pinned: true)
        for (format, object, text) in [
            ("maker == %@", Named(), "maker == the lamp"), ("maker IN %@", [Named()], "maker IN {the lamp}"),
            ("maker == %@", note, "maker == \(note)"), ("boss == %@", ada, "boss == \(ada)"),
            ("NOT maker == %@ AND a == 1", Named(), "(NOT maker == the lamp) AND a == 1"),
            ("maker == %@", ["in": Named()], "maker == {in=the lamp}"),
        ] as [(String, Any, String)] {
            let predicate = NSPredicate(format: format, object)
            #expect(predicate.description == text)
            #expect(NSPredicate(format: format, object) == predicate)
        }
        #expect(NSExpression(forConstantValue: Named()).description == "the lamp")
    }

    @Test func equality() throws {
        let one = NSPredicate(format: "age > 21 AND name == 'Ada'")
        let other = NSPredicate(format: "age > %@ && name = %@", 21, "Ada")
        let third = NSPredicate(format: "age > 22")
        #expect(one == other)
        #expect(one.isEqual(other))
        #expect(one.hash == other.hash)
        #expect(one != third)
        #expect(Set([one, other, third]).count == 2)
        #expect((one.copy() as? NSPredicate) == one)
        #expect(third.copy() as? NSPredicate == NSPredicate(format: "age > 22"))
        #expect(NSPredicate(value: true) == NSPredicate(format: "TRUEPREDICATE"))
        let parts = [third, NSPredicate(format: "age < 40")]
        let foundation = NSCompoundPredicate(andPredicateWithSubpredicates: parts)
        #expect(foundation == CompoundPredicate(andPredicateWithSubpredicates: parts))
        #expect(foundation != NSCompoundPredicate(orPredicateWithSubpredicates: parts))
    }

    @Test func compounds() {
        let adult = NSPredicate(format: "age >= 18")
        let block = NSPredicate { object, _ in (object as? Person)?.name.count == 3 }
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [adult, block])
        #expect((people as NSArray).filtered(using: both).count == 2)
        #expect(!NSCompoundPredicate(notPredicateWithSubpredicate: adult).evaluate(with: ada))
        #expect(NSCompoundPredicate(type: .or, subpredicates: [adult, block]).evaluate(with: bob))
        let own = CompoundPredicate(andPredicateWithSubpredicates: [adult, block])
        #expect(own.evaluate(with: ada) && !own.evaluate(with: bob))
        let formats = CompoundPredicate(orPredicateWithSubpredicates: [adult, NSPredicate(format: "name == 'Bob'")])
        #expect("\(formats)" == #"age >= 18 OR name == "Bob""#)
        #expect(formats.evaluate(with: bob))
    }

    @Test func variables() throws {
        let template = NSPredicate(format: "age > $LEAST AND name BEGINSWITH $INITIAL")
        #expect(template.evaluate(with: ada, substitutionVariables: ["LEAST": 30, "INITIAL": "A"]))
        #expect(!template.evaluate(with: ada, substitutionVariables: ["LEAST": 40, "INITIAL": "A"]))
        let fixed = template.withSubstitutionVariables(["LEAST": 20, "INITIAL": "A"])
        #expect("\(fixed)" == #"age > 20 AND name BEGINSWITH "A""#)
        #expect(fixed.evaluate(with: ada))
        #expect(throws: PredicateFailure.self) { try template.evaluate(checking: ada) }
    }

    @Test func comparisons() {
        let predicate = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "name"), rightExpression: NSExpression(forConstantValue: "ad"),
            modifier: .direct, type: .beginsWith, options: [.caseInsensitive])
        #expect("\(predicate)" == #"name BEGINSWITH[c] "ad""#)
        #expect(predicate.evaluate(with: ada))
        #expect(predicate == NSPredicate(format: "name BEGINSWITH[c] 'ad'"))
        let any = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "tags"), rightExpression: NSExpression(forConstantValue: "math"),
            modifier: .any, type: .equalTo, options: [])
        #expect((people as NSArray).filtered(using: any).count == 1)
    }

    @Test func collections() {
        let adult = NSPredicate(format: "age >= 18")
        let array = NSMutableArray(array: people)
        array.filter(using: adult)
        #expect(array.count == 2)
        let set = NSMutableSet(array: [1, 5, 9])
        #expect(NSSet(array: [1, 5, 9]).filtered(using: NSPredicate(format: "SELF > 4")).count == 2)
        set.filter(using: NSPredicate(format: "SELF > 4"))
        #expect(set.count == 2)
        let ordered = NSMutableOrderedSet(array: ["a", "bb", "ccc"])
        #expect(ordered.filtered(using: NSPredicate(format: "SELF.length > 1")).count == 2)
        ordered.filter(using: NSPredicate(format: "length > 2"))
        #expect(ordered.count == 1)
    }

    @Test func wrongFormatsThrow() {
        let error = #expect(throws: PredicateFailure.self) { try NSPredicate(checking: "name BEGINWITH 'A'") }
        #expect("\(error.map { "\($0)" } ?? "")".contains("did you mean BEGINSWITH?"))
        #expect(throws: PredicateFailure.self) { try NSPredicate(checking: "age > %@") }
        #expect(throws: PredicateFailure.self) { try NSPredicate(checking: "agee > 3").evaluate(checking: ada) }
    }

    @Test func wrongFormatsTrap() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSPredicate(format: "name BEGINWITH 'A'")
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("did you mean BEGINSWITH?"))
        #expect(text.contains("^^^^^^^^^"))
        #expect(text.contains("NSPredicate(format:) raises an exception on Apple's platforms too;"))
        #expect(text.contains("NSPredicate(checking:)"))
    }

    @Test func missingArgumentsTrap() async {
        let variadic = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSPredicate(format: "name == %@")
        }
        let text = String(decoding: variadic?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("NSPredicate(format:) with a missing argument is undefined on Apple's platforms;"))
        let array = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSExpression(format: "name + %@", argumentArray: [])
        }
        let counted = String(decoding: array?.standardErrorContent ?? [], as: UTF8.self)
        #expect(counted.contains("NSExpression(format:) raises an exception on Apple's platforms too"))
    }

    @Test func sorting() {
        let byAge = NSSortDescriptor(key: "age", ascending: false)
        let sorted = (people as NSArray).sortedArray(using: [byAge]).compactMap { ($0 as? Person)?.name }
        #expect(sorted == ["Ada", "Eve", "Bob"])
        #expect(byAge.key == "age")
        let byCity = [NSSortDescriptor(key: "city", ascending: true), NSSortDescriptor(key: "name", ascending: true)]
        let cities = (people as NSArray).sortedArray(using: byCity).compactMap { ($0 as? Person)?.name }
        #expect(cities == ["Eve", "Ada", "Bob"])
        let files = ["file 10", "File 9", "file 1"]
        let finder = NSSortDescriptor(key: nil, ascending: true, selector: Selector("localizedStandardCompare:"))
        #expect((files as NSArray).sortedArray(using: [finder]) as? [String] == ["file 1", "File 9", "file 10"])
        let longest = NSSortDescriptor(key: "self", ascending: false) { one, other in
            let counts = [one, other].map { ($0 as? String)?.count ?? 0 }
            return counts[0] < counts[1] ? .orderedAscending : .orderedDescending
        }
        #expect((["a", "ccc"] as NSArray).sortedArray(using: [longest]) as? [String] == ["ccc", "a"])
        #expect((byAge.reversedSortDescriptor as? NSSortDescriptor)?.ascending == true)
    }
}
