// Classes of Foundation off Apple's platforms: compounds made in code, subclasses, sort descriptors, conversions of
// macros, and which keys are read.
import PredicateCompatibility
import Testing

private class Rule: NSPredicate {}
private class NamedRule: NSPredicate { var name = "a" }
private class Both: NSCompoundPredicate {}

@Suite struct ClassTests {
    private static var adult: NSPredicate { NSPredicate(format: "age >= 18") }
    private static var named: NSPredicate { NSPredicate(format: "name == $NAME") }

    @Test func compoundsMadeInCode() throws {
        let (adult, named) = (Self.adult, Self.named)
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [adult, named])
        let either = NSCompoundPredicate(type: .or, subpredicates: [adult, named])
        #expect(both.predicateFormat == "age >= 18 AND name == $NAME")
        #expect("\(either)" == "age >= 18 OR name == $NAME")
        #expect("\(NSCompoundPredicate(notPredicateWithSubpredicate: adult))" == "NOT age >= 18")
        #expect(
            "\(NSCompoundPredicate(orPredicateWithSubpredicates: [both, adult]))"
                == "(age >= 18 AND name == $NAME) OR age >= 18")
        #expect(!both.isEqual(either) && both != either && both.hash != either.hash)
        #expect(both.isEqual(NSPredicate(format: "age >= 18 AND name == $NAME")))
        #expect(both.isEqual(NSCompoundPredicate(andPredicateWithSubpredicates: [adult, named])))
        let copy = try #require(both.copy() as? NSCompoundPredicate)
        #expect(copy == both && copy.subpredicates.count == 2 && copy.compoundPredicateType == .and)
        let block = NSPredicate { _, _ in true }
        let blocks = NSCompoundPredicate(andPredicateWithSubpredicates: [adult, block])
        #expect(blocks.isEqual(NSCompoundPredicate(andPredicateWithSubpredicates: [adult, block])))
        #expect(
            !blocks.isEqual(NSCompoundPredicate(andPredicateWithSubpredicates: [adult, NSPredicate { _, _ in true }])))
        #expect((blocks.copy() as? NSPredicate)?.evaluate(with: ada) == true)
        // Foundation's own class.
        let foundation = compound(.and, [adult, named])
        #expect(foundation == both && both.isEqual(foundation))
        let list: [NSCompoundPredicate] = [both]
        #expect(list.count == 1 && (both as NSPredicate) is NSCompoundPredicate)
    }

    @Test func compoundsAreSubstituted() async {
        let parts = [Self.adult, Self.named]
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: parts).withSubstitutionVariables(["NAME": "Ada"])
        #expect("\(both)" == #"age >= 18 AND name == "Ada""#)
        #expect(both.subpredicates.count == 2)
        let foundation = compound(.or, parts)
        #expect("\(foundation.withSubstitutionVariables(["NAME": "Ada"]))" == #"age >= 18 OR name == "Ada""#)
        for type in [NSCompoundPredicate.LogicalType.and, .or] {
            for parts in [[], [Self.named], [NSPredicate { _, _ in true }], [NSPredicate(value: true)]] {
                let made = NSCompoundPredicate(type: type, subpredicates: parts)
                let fixed: NSCompoundPredicate = made.withSubstitutionVariables(["x": 1, "NAME": "Ada"])
                #expect(fixed.subpredicates.count == parts.count && fixed.compoundPredicateType == type)
                #expect(fixed.evaluate(with: ada) == (type == .and || !parts.isEmpty))
                #expect(compound(type, parts).withSubstitutionVariables(["NAME": 1]).subpredicates.count == parts.count)
            }
        }
        let not = NSCompoundPredicate(notPredicateWithSubpredicate: Self.named)
        #expect("\(not.withSubstitutionVariables(["NAME": "Ada"]))" == #"NOT name == "Ada""#)
        let mine = Both(type: .and, subpredicates: parts).withSubstitutionVariables(["NAME": "Ada"])
        #expect(mine.evaluate(with: ada) && !mine.evaluate(with: eve))
        await #expect(processExitsWith: .failure) {
            _ = NSCompoundPredicate(andPredicateWithSubpredicates: [Self.named]).withSubstitutionVariables([:])
        }
    }

    @Test func operatorsWithoutAType() throws {
        for format in [
            #"a UTI-CONFORMS-TO "x""#, #"a UTI-EQUALS "x""#, #"a TOKENMATCHES "x""#, #"SELF isKindOfClass: "x""#,
        ] {
            let predicate = try #require(NSPredicate(format: format) as? NSComparisonPredicate)
            #expect(try "\(FormatPredicate(predicate))" == format)
            #expect("\(predicate.customSelector ?? "")" == format.split(separator: " ")[1])
        }
        #expect((Self.adult as? NSComparisonPredicate)?.customSelector == nil)
        let custom = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "a"), rightExpression: NSExpression(forConstantValue: 5),
            customSelector: Selector("notContainedIn:"))
        #expect("\(custom)" == "a notContainedIn: 5")
        #expect(custom.customSelector == "notContainedIn:")
        #expect(throws: PredicateFailure.self) { try custom.evaluate(checking: ["a": 5]) }
        for options in [NSComparisonPredicate.Options.caseInsensitive, .init(rawValue: 0xF0)] {
            let between = NSComparisonPredicate(
                leftExpression: NSExpression(forKeyPath: "a"), rightExpression: NSExpression(format: "{1, 2}"),
                modifier: .direct, type: .between, options: options)
            #expect("\(between)" == "a BETWEEN {1, 2}")
            #expect(between == NSPredicate(format: "\(between)"))
        }
        let unknown = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "a"), rightExpression: NSExpression(forConstantValue: "b"),
            modifier: .direct, type: .like, options: .init(rawValue: 0xF1))
        #expect("\(unknown)" == #"a LIKE[c] "b""#)
    }

    @Test func subclasses() throws {
        let rule = Rule(format: "age >= 18 AND name == %@", "Ada")
        #expect(type(of: rule) == Rule.self)
        #expect(rule.evaluate(with: ada) && !rule.evaluate(with: bob))
        #expect(try rule.evaluate(checking: ada))
        #expect(rule == NSPredicate(format: "age >= 18 AND name == 'Ada'"))
        #expect(try "\(FormatPredicate(rule))" == #"age >= 18 AND name == "Ada""#)
        #expect(Rule(format: "age == $x").withSubstitutionVariables(["x": 36]).evaluate(with: ada))
        let both = try Both(checking: "age > 1 AND name == 'Ada'")
        #expect(both.subpredicates.count == 2 && both.evaluate(with: ada) && !both.evaluate(with: bob))
        for format in ["age > 1 AND name == 'Ada'", "TRUEPREDICATE"] {
            #expect(throws: PredicateFailure.self) { try NSComparisonPredicate(checking: format) }
        }
        #expect(throws: PredicateFailure.self) { try NSCompoundPredicate(checking: "a == 1") }
        // Its initialiser would have to set the stored property.
        #expect(throws: PredicateFailure.self) { try NamedRule(checking: "a == 1") }
        #expect(throws: PredicateConversionError.self) { try NSCompoundPredicate(FormatPredicate("a == 1")) }
        for _ in 0..<1000 { #expect(Rule(format: "age == 36").evaluate(with: ada)) }
    }

    @Test func sortDescriptors() {
        let one = NSSortDescriptor(key: "age", ascending: true)
        let same = [
            NSSortDescriptor(key: "age", ascending: true),
            NSSortDescriptor(key: "age", ascending: true, selector: Selector("compare:")),
            NSSortDescriptor(key: "age", ascending: true, selector: nil),
        ]
        for other in same { #expect(one == other && one.isEqual(other) && one.hash == other.hash) }
        let others = [
            NSSortDescriptor(key: "age", ascending: false), NSSortDescriptor(key: "name", ascending: true),
            NSSortDescriptor(key: nil, ascending: true),
            NSSortDescriptor(key: "age", ascending: true, selector: Selector("localizedCompare:")),
            NSSortDescriptor(key: "age", ascending: true) { _, _ in .orderedSame },
        ]
        for other in others { #expect(one != other) }
        #expect(Set([one] + same + others).count == 6)
        #expect(others[0].reversedSortDescriptor as? NSSortDescriptor == one)
        #expect(one.comparator(1, 2) == .orderedAscending && others[0].comparator(1, 2) == .orderedAscending)
        let closure = NSSortDescriptor(key: "age", ascending: true) { _, _ in .orderedDescending }
        #expect(closure.comparator(1, 2) == .orderedDescending)

        let swift = NSSortDescriptor(SortDescriptor(\Person.age, order: .reverse))
        #expect(swift.key == "age" && !swift.ascending)
        #expect(swift == NSSortDescriptor(SortDescriptor(\Person.age, order: .reverse)))
        let forward = NSSortDescriptor(SortDescriptor(\Person.age))
        let reversed = swift.reversedSortDescriptor as? NSSortDescriptor
        #expect(reversed != swift && reversed?.ascending == true)
        #expect(reversed?.reversedSortDescriptor as? NSSortDescriptor == swift)
        for (descriptor, expected) in [(swift, ["Ada", "Eve", "Bob"]), (forward, ["Bob", "Eve", "Ada"])] {
            let sorted = (people as NSArray).sortedArray(using: [descriptor]).compactMap { ($0 as? Person)?.name }
            #expect(sorted == expected)
            #expect(
                (descriptor.reversedSortDescriptor as? NSSortDescriptor)?.compare(ada, to: bob)
                    == descriptor.compare(bob, to: ada))
        }
    }

    @Test func sortDescriptorsBecomeSortKeys() throws {
        for (method, expected) in [
            ("compare:", "name"), ("caseInsensitiveCompare:", "name[c]"), ("localizedCompare:", "name[l]"),
            ("localizedCaseInsensitiveCompare:", "name[cl]"), ("localizedStandardCompare:", "name[standard]"),
        ] {
            let descriptor = NSSortDescriptor(key: "name", ascending: true, selector: Selector(method))
            #expect(try "\(PredicateSortKey(descriptor))" == expected)
            let reversed = try #require(descriptor.reversedSortDescriptor as? NSSortDescriptor)
            #expect(try "\(PredicateSortKey(reversed))" == "-" + expected)
        }
        #expect(try PredicateSortKey(NSSortDescriptor(key: "self", ascending: true)) == PredicateSortKey("SELF"))
        #expect(
            try PredicateSortKey(NSSortDescriptor(key: "orders.@count", ascending: true))
                == PredicateSortKey("orders.@count"))
        for (descriptor, message) in [
            (
                NSSortDescriptor(key: "age", ascending: true) { _, _ in .orderedSame },
                "the sort descriptor of age: its comparator is code; use a key and a comparison method"
            ),
            (NSSortDescriptor(key: nil, ascending: true), "the sort descriptor of no key: it has no key; use 'self'"),
        ] {
            let error = try #require(throws: PredicateConversionError.self) { try PredicateSortKey(descriptor) }
            #expect(error.description == message)
        }
    }

    @Test func expressions() throws {
        #expect(NSExpression(forKeyPath: \Person.name) == NSExpression(forKeyPath: "name"))
        #expect(NSExpression(forKeyPath: \Client.isActive).keyPath == "active")
        #expect(NSExpression(forKeyPath: \Part.name).keyPath == "name")
        #expect(NSExpression(forKeyPath: \PlainHolder.part?.name).keyPath == "part.name")
        #expect(NSExpression(forKeyPath: \Book.author.name).keyPath == "author.name")
        let path = NSExpression(forKeyPath: "a.b")
        #expect(path.function == "valueForKeyPath:" && NSExpression(forKeyPath: "a").function == "valueForKey:")
        #expect(path.operand.expressionType == .evaluatedObject)
        #expect(path.arguments?.map(\.keyPath) == ["a.b"])
        #expect(throws: PredicateFailure.self) { try NSExpression(format: "$x").expressionValue(checking: 1) }
        #expect(try NSExpression(format: "$x + 1").expressionValue(checking: 1, context: ["x": 2]) as? Int == 3)
        #expect(
            NSExpression(forFunction: "add:to:", arguments: [1, 2]).expressionValue(with: nil, context: nil) as? Int
                == 3)
    }

    @Test func unknownFunctionsTrap() async {
        let sum = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSExpression(forFunction: "sum", arguments: [])
        }
        let advice = String(decoding: sum?.standardErrorContent ?? [], as: UTF8.self)
        #expect(advice.contains("did you mean sum:?"))
        let delete = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSExpression(forFunction: "deleteAll:", arguments: [1])
        }
        let text = String(decoding: delete?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("there is no function 'deleteAll:'"))
    }

    @Test func macros() throws {
        let predicate = try #require(NSPredicate(#Predicate<Client> { $0.age > 18 && $0.isActive }))
        #expect("\(predicate)" == "age > 18 AND active == 1")
        #expect(Client.all.filter { predicate.evaluate(with: $0) }.map(\.name) == ["Ada", "Bob"])
        #expect(NSPredicate(#Predicate<Client> { $0.secret == 1 }) == nil)
        let expression = try #require(NSExpression(#Expression<Client, Int> { $0.age * 2 }))
        #expect("\(expression)" == "age * 2")
        #expect(NSExpression(#Expression<Client, Int> { $0.secret }) == nil)
    }

    /// A text of a user reads published keys and dictionaries. A format in source code also reads stored properties.
    @Test func typedTextsReadPublishedKeys() throws {
        let item = Item("Lamp", price: 1)
        item.owner = ada
        let objects: [Any] = [item, ["item": item], [item], Holder(item)]
        let formats = ["title == 'Lamp'", "item.title == 'Lamp'", "ANY title == 'Lamp'", "object.title == 'Lamp'"]
        for (object, format) in zip(objects, formats) {
            #expect(try NSPredicate(checking: format).evaluate(checking: object), "\(format)")
            let typed = try NSPredicate(FormatPredicate(text: format))
            let error = #expect(throws: PredicateFailure.self) { try typed.evaluate(checking: object) }
            #expect("\(error.map { "\($0)" } ?? "")".contains("published keys"), "\(format)")
            let compound = NSCompoundPredicate(andPredicateWithSubpredicates: [typed, NSPredicate(format: format)])
            #expect(throws: PredicateFailure.self) { try compound.evaluate(checking: object) }
        }
        let search = PredicateSearch(["title": .string]).predicate(for: "lamp")
        #expect(throws: PredicateFailure.self) { try NSPredicate(search).evaluate(checking: item) }
        let typed = try NSPredicate(FormatPredicate(text: "age > 20"))
        #expect(typed.evaluate(with: ada) && typed.evaluate(with: ["age": 21]))
        #expect(try NSPredicate(FormatPredicate(text: "owner.age > 20")).evaluate(checking: ["owner": ada]))
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [typed, NSPredicate(format: "name == 'Ada'")])
        #expect(both.evaluate(with: ada))
    }

    private struct PlainHolder {
        var part: Part?
    }

    private struct Holder {
        var object: Any
        init(_ object: Any) { self.object = object }
    }
}
