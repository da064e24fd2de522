// NSExpression off Apple's platforms.
import Foundation
import PredicateFoundation
import Testing

@Suite struct ExpressionObjectTests {
    @Test func values() {
        let sum = NSExpression(forFunction: "sum:", arguments: [NSExpression(forConstantValue: [1, 2, 3])])
        #expect(sum.expressionValue(with: nil, context: nil) as? Int == 6)
        #expect(NSExpression(format: "1 + 2 * %d", 3).expressionValue(with: nil, context: nil) as? Int == 7)
        #expect(NSExpression(forKeyPath: "name").expressionValue(with: ada, context: nil) as? String == "Ada")
        let variable = NSExpression(forVariable: "x")
        #expect(variable.expressionValue(with: nil, context: ["x": 4]) as? Int == 4)
        let list = NSExpression(forAggregate: [NSExpression(forConstantValue: 1), 2])
        #expect((list.expressionValue(with: nil, context: nil) as? [Int]) == [1, 2])
        #expect(NSExpression.expressionForEvaluatedObject().expressionValue(with: "a", context: nil) as? String == "a")
        let object = NSExpression(forKeyPath: "boss").expressionValue(with: bob, context: nil)
        #expect(object as? Person === ada)
    }

    @Test func blocks() {
        let block = NSExpression(
            block: { object, arguments, _ in "\((object as? Person)?.name ?? "")\(arguments[0])" },
            arguments: [NSExpression(forKeyPath: "age")])
        #expect(block.expressionType == .block)
        #expect(block.expressionValue(with: ada, context: nil) as? String == "Ada36")
        #expect(block.arguments?.count == 1)
        let predicate = NSComparisonPredicate(
            leftExpression: block, rightExpression: NSExpression(forConstantValue: "Ada36"), modifier: .direct,
            type: .equalTo, options: [])
        #expect(predicate.evaluate(with: ada) && !predicate.evaluate(with: bob))
        let either = NSCompoundPredicate(orPredicateWithSubpredicates: [predicate, NSPredicate(format: "age < 18")])
        #expect((people as NSArray).filtered(using: either).count == 2)
    }

    @Test func parts() {
        let product = NSExpression(format: "price * 2")
        #expect(product.expressionType == .function)
        #expect(product.function == "multiply:by:")
        #expect(product.arguments?.map(\.expressionType) == [.keyPath, .constantValue])
        let union = NSExpression(
            forUnionSet: NSExpression(forKeyPath: "a"), with: NSExpression(forConstantValue: Set(["b"])))
        #expect(union.expressionType == .unionSet)
        #expect(union.left.keyPath == "a")
        let minus = NSExpression(forMinusSet: NSExpression(forKeyPath: "a"), with: NSExpression(forKeyPath: "b"))
        #expect("\(minus)" == "a MINUS b")
        let subquery = NSExpression(
            forSubquery: NSExpression(forKeyPath: "people"), usingIteratorVariable: "p",
            predicate: NSPredicate(format: "$p.age > 20"))
        #expect(subquery.expressionType == .subquery)
        #expect(subquery.predicate == NSPredicate(format: "$p.age > 20"))
        #expect((subquery.expressionValue(with: ["people": people], context: nil) as? [Any])?.count == 2)
        let conditional = NSExpression(
            forConditional: NSPredicate(format: "age > 20"), trueExpression: NSExpression(forConstantValue: "adult"),
            falseExpression: NSExpression(forConstantValue: "child"))
        #expect(conditional.expressionValue(with: ada, context: nil) as? String == "adult")
        #expect(conditional.true.constantValue as? String == "adult")
        #expect(NSExpression.expressionForAnyKey().expressionType == .anyKey)
        #expect(NSExpression(forKeyPath: "a") == NSExpression(format: "a"))
        #expect(NSExpression(forKeyPath: "a").hash == NSExpression(format: "a").hash)
        #expect(NSExpression(forKeyPath: "a").copy() as? NSExpression == NSExpression(forKeyPath: "a"))
        #expect(throws: PredicateFailure.self) { try NSExpression(checking: "1 +") }
    }

    /// Objects whose class was changed are released, with the objects that they refer to.
    @Test func objectsAreReleased() {
        weak var held: Note?
        do {
            let note = Note("a", pinned: true)
            held = note
            let expression = NSExpression(forConstantValue: note)
            let predicate = NSComparisonPredicate(
                leftExpression: expression, rightExpression: NSExpression(forKeyPath: "x"), modifier: .direct,
                type: .equalTo, options: [])
            #expect(predicate.leftExpression.constantValue as? Note === note)
        }
        #expect(held == nil)
    }
}
