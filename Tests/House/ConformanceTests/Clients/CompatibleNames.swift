// An app that imports PredicateCompatibility in place of Foundation, and frameworks with names that apps have already. The
// test is that this file compiles. ClashingNames.swift does the same for the other modules, without Foundation's names.

import AppFrameworkNames
import PredicateCompatibility
import Testing

protocol ShownInRows {}

extension NSExpression: ShownInRows {
    static func key(_ name: String) -> NSExpression { NSExpression(forKeyPath: name) }
}

extension NSComparisonPredicate: ShownInRows {
    static func equal(_ key: String, _ value: Any) -> NSComparisonPredicate {
        NSComparisonPredicate(
            leftExpression: .key(key), rightExpression: NSExpression(forConstantValue: value), modifier: .direct,
            type: .equalTo, options: [])
    }
}

extension NSCompoundPredicate: ShownInRows {}

/// A subclass has the initialisers of its class.
private final class AllOf: NSCompoundPredicate {}

/// An operator of the app, with a literal on its left.
struct Condition { let text: String }

func == (key: String, value: some BinaryInteger) -> Condition { Condition(text: "\(key) = \(value)") }

@Suite struct CompatibleNames {
    @Test func classesCanBeExtended() throws {
        #expect(NSComparisonPredicate.equal("age", 3).description == "age == 3")
        let rows: [any ShownInRows] = [NSExpression.key("a"), NSCompoundPredicate(andPredicateWithSubpredicates: [])]
        #expect(rows.count == 2)
        let all = AllOf(andPredicateWithSubpredicates: [NSComparisonPredicate.equal("a", 1), .equal("b", 2)])
        #expect(all.description == "a == 1 AND b == 2" && all.evaluate(with: ["a": 1, "b": 2]))
        #expect(try NSExpression(checking: "%K + %@", argumentArray: ["a", 1]).description.contains("a"))
        #expect(throws: (any Error).self) { try NSExpression(checking: "a +", argumentArray: []) }
    }

    /// Two literals are not compared as values of the language.
    @Test func literalsKeepTheOperatorsOfTheApp() {
        let condition = "age" == 3
        #expect(condition.text == "age = 3")
    }

    @Test func namesOfFrameworksKeepTheirMeaning() {
        let values: [Any] = [
            Matcher(), Diagnostic(), SortKey(), FetchRequest(), TextRenderer(), DeleteRule(), Parsed(), AttributeType(),
            SQLRequest(), List(),
        ]
        #expect(values.allSatisfy { String(reflecting: type(of: $0)).hasPrefix("AppFrameworkNames.") })
    }
}
