import Foundation
import PredicateFoundation

struct Discount {
    let condition: NSPredicate
    let percent: Int
}

struct ShopCart {
    var lines: [[String: Any]] = []
    var discounts: [Discount] = [
        Discount(condition: NSPredicate(format: "lines.@sum.price > 100"), percent: 5),
        Discount(condition: NSPredicate(format: "ANY lines.sku BEGINSWITH 'GIFT'"), percent: 10),
        Discount(condition: NSPredicate(format: "ALL lines.price < 10 AND lines.@count > 2"), percent: 3),
    ]

    var percent: Int {
        let cart: [String: Any] = ["lines": lines]
        return discounts.filter { $0.condition.evaluate(with: cart) }.map { $0.percent }.max() ?? 0
    }

    func shipping(for line: [String: Any]) -> Int {
        let expression = NSExpression(
            forConditional: NSPredicate(format: "weight > 20"),
            trueExpression: NSExpression(forConstantValue: 15),
            falseExpression: NSExpression(forConstantValue: 5))
        return expression.expressionValue(with: line, context: nil) as! Int
    }
}
